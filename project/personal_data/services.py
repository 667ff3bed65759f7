"""Erases a person: records keep the person's id, and everything that identifies them is removed. No undo."""

import json
import logging
from datetime import timedelta

from django.db.models import CASCADE, DB_CASCADE, ForeignObjectRel

from project.access import throttle
from project.access.principal import Principal
from project.audit import services as audit
from project.billing import copying as billing
from project.catalogs import services as catalogs
from project.core import clock, erased, sealing
from project.core.folding import folded
from project.core.idempotency import unit_of_work
from project.core.money import plant_currency
from project.identity import rights
from project.identity.models import NAME_PARTS, User
from project.importing import services as imports
from project.metal import closing as metal
from project.notices import announcing, links as mails_of_links
from project.personal_data import rules
from project.personal_data.models import Erasure
from project.personal_data.sweeping import sweep
from project.piecework import services as piecework
from project.piecework.selectors import earnings
from project.staffing import selectors, services as staffing
from project.talk import services as talk
from realtime import outbox

WRITES_END = timedelta(minutes=5)
"""No write takes longer. After this time, every request that began before an erasure has ended."""
PURPOSE = b"obrador erased names"

log = logging.getLogger(__name__)


@unit_of_work
def person_erase(*, user_id: int, name: str, by: Principal) -> User:
    """Erase a person after the caller typed the person's full name. All clients reload: events may contain the name.

    The books keep everything but the name: movements, payments and bills with their dates, pieces and amounts.
    Raises `NotFound`, `OwnAccount`, `InvalidFields` with code `name_differs`, `StillOwed`, `LastAdministrator`,
    `LastHolder`, and `PermissionDenied` for a person who holds more than the caller.

    If the person is already erased, remove again the names that are still known, and ignore `name`.
    """
    by = rights.take_turn(by)
    before = selectors.user_get(user_id)
    known = audit.names_of(user_id) | {before.full_name, before.email} - {""}
    if before.erased_at:
        _take_names_out(user_id, known | _names_kept(user_id))
        return before
    known |= _forms(before)
    user = staffing.user_erase(user_id=user_id, name=name, by=by)
    earned = earnings(user_id)
    rules.check_paid(earned.open, plant_currency(), earned.unweighed)
    _delete_own_rows(user_id, known)
    _take_names_out(user_id, known)
    sealed = sealing.seal(json.dumps(sorted(known)).encode(), keys=sealing.own_keys(PURPOSE), bound_to=b"%d" % user_id)
    Erasure.objects.create(user_id=user_id, names=sealed.hex(), at=clock.now())
    return user


def _forms(user: User) -> set[str]:
    """Return the ways to write the person's full name, and their former full names."""
    parts = {"firstName": user.first_name, "lastName": user.last_name, "secondLastName": user.second_last_name}
    forms = rules.forms_of(*parts.values())
    for former in audit.former_values(user.pk, parts):
        parts |= former
        forms |= rules.forms_of(*parts.values())
    return forms


def erase_again() -> None:
    """Remove the names of recently erased people once more.

    A write that began before the erasure may have stored a name after it.
    """
    for user_id in Erasure.objects.filter(at__lt=clock.now() - WRITES_END).values_list("user_id", flat=True):
        _erase_again(user_id)


@unit_of_work
def _erase_again(user_id: int) -> None:
    _take_names_out(user_id, audit.names_of(user_id) | _names_kept(user_id))
    Erasure.objects.filter(user_id=user_id).delete()


def _names_kept(user_id: int) -> set[str]:
    """Return the names kept for the repetition; empty if the repetition is done, or the key of the names is lost."""
    row = Erasure.objects.filter(user_id=user_id).first()
    if row is None:
        return set()
    try:
        names = sealing.unseal(bytes.fromhex(row.names), keys=sealing.own_keys(PURPOSE), bound_to=b"%d" % user_id)
    except ValueError:
        log.exception("the names of erased user %s cannot be read: erase the user again", user_id)
        return set()
    return set(json.loads(names))


def _take_names_out(user_id: int, known: set[str]) -> None:
    """Remove the `known` names of an erased person from all tables, and make every client reload."""
    name = erased.name_of(user_id)
    names = known - {name} - _of_others(known, user_id)
    with audit.exemption(erases=True):
        audit.erase_person(user_id, name)
        catalogs.erase_person(user_id, name)
        imports.forget_files()
        billing.erase_person(user_id, name)
        piecework.erase_person(user_id, name)
        metal.erase_person(user_id, name)
        talk.erase_person(user_id)
        mails_of_links.forget_addresses(names)
        if names:
            sweep(rules.Names(names, instead=name))
    outbox.renew_epoch()


def _delete_own_rows(user_id: int, known: set[str]) -> None:
    """Delete the person's own rows, such as uploads and running prints: all rows that cascade with the account."""
    for relation in User._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel) and relation.on_delete in (CASCADE, DB_CASCADE):
            relation.related_model._base_manager.filter(**{relation.field.name: user_id}).delete()
    throttle.of_account(user_id, known).delete()
    announcing.forget_reader(user_id)


def _of_others(known: set[str], user_id: int) -> set[str]:
    """Return the names that another person has too, because in free text they may mean that person."""
    others = User.objects.exclude(pk=user_id).filter(erased_at=None)
    theirs = {folded(form) for one in others for form in rules.forms_of(*(getattr(one, part) for part in NAME_PARTS))}
    return {name for name in known if folded(name) in theirs}
