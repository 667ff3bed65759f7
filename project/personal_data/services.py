"""Erases a person: his id stays in what he did, everything that tells who he was goes. It cannot be undone."""

from django.db.models import CASCADE, DB_CASCADE, ForeignObjectRel

from project.access import throttle
from project.access.principal import Principal
from project.audit import services as audit
from project.billing import copying as billing
from project.catalogs import services as catalogs
from project.core.idempotency import unit_of_work
from project.core.money import plant_currency
from project.identity import rights
from project.identity.models import User
from project.notifications import services as notifications
from project.orders import releases
from project.personal_data import rules
from project.personal_data.sweeping import sweep
from project.piecework import services as piecework
from project.piecework.selectors import earnings
from project.staffing import selectors, services as staffing
from realtime import outbox


@unit_of_work
def person_erase(*, user_id: int, name: str, by: Principal) -> User:
    """Erase a person, whose full name the caller typed. Every screen loads afresh, and no event names him any more.

    What is bookkeeping stays as it was but for his name: movements, payments and bills with their days, pieces and
    amounts. Raises `NotFound`, `OwnAccount`, `AlreadyErased`, `InvalidFields` with code `name_differs`, `StillOwed`,
    `LastAdministrator`, `LastHolder`, and `PermissionDenied` for one who holds more than the caller.
    """
    by = rights.take_turn(by)
    before = selectors.user_get(user_id)
    known = audit.names_of(user_id) | {before.full_name, before.email}
    user = staffing.user_erase(user_id=user_id, name=name, by=by)
    rules.check_paid(earnings(user_id).open, plant_currency())
    _forget_what_is_his(user_id, known)
    with audit.exemption(erases=True):
        audit.erase_person(user_id, user.full_name)
        releases.erase_person(user_id, user.full_name)
        catalogs.erase_person(user_id, user.full_name)
        billing.erase_person(user_id, user.full_name)
        piecework.erase_person(user_id, user.full_name)
        sweep(rules.Names(known - _of_others(known, user_id), instead=user.full_name))
    outbox.renew_epoch()
    return user


def _forget_what_is_his(user_id: int, known: set[str]) -> None:
    """Rows that are there for him alone, such as uploads and prints under way: those that go with an account."""
    for relation in User._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel) and relation.on_delete in (CASCADE, DB_CASCADE):
            relation.related_model._base_manager.filter(**{relation.field.name: user_id}).delete()
    throttle.of_account(user_id, known).delete()
    notifications.forget_reader(user_id)


def _of_others(known: set[str], user_id: int) -> set[str]:
    """Those of the names that somebody else has, too: what is written freely may mean him."""
    others = User.objects.exclude(pk=user_id).filter(erased_at=None)
    return {one.full_name for one in others if one.full_name in known}
