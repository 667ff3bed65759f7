"""Writes of users and of the production processes they work in (infra/docs/rules.md#accounts)."""

import secrets
from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.auth.hashers import make_password

from project.access import operators
from project.access.permissions import OF_CUSTOMERS, Permission
from project.access.principal import Principal
from project.audit import services as audit
from project.audit.services import Snapshot
from project.catalogs.models import Customer, ProductionProcess
from project.catalogs.services import refuse_unknown
from project.core.errors import InvalidFields, NotFound, PermissionDenied
from project.core.idempotency import unit_of_work
from project.core.schemas import given
from project.core.versions import Unchanged, changed_or_as_it_is
from project.events import CatalogChanged, CatalogData, record_and_publish
from project.identity import auditing, pins, rights, services as identity
from project.identity.models import User, UserType
from project.identity.rules import check_grant
from project.staffing import rules, selectors
from project.staffing.models import CustomerAccount, ProcessWorker
from project.staffing.schemas import UserChange, UserIn
from realtime import outbox
from realtime.registry import Actor


def user_create(*, body: UserIn, by: Principal) -> User:
    """Create a user, who signs in with e-mail and password, or enters the PIN at stations, or both.

    Raises `InvalidFields`, `AlreadyExists`, `PinTaken`, `TooManyAttempts`, and `PermissionDenied` for a role with
    permissions that the caller lacks or a process that the caller may not assign.
    """
    fields = given(body)
    password_hash = identity.hash_of_password(body.password) if "password" in fields else None
    if body.pin is None:
        return _create_user(fields, password_hash, None, [], by)
    pins.check_pin(body.pin)
    with pins.attempt(by):
        return _create_user(fields, password_hash, pins.hash_of_pin(body.pin), pins.former_hashes(body.pin), by)


@unit_of_work
def _create_user(
    fields: dict[str, Any], password_hash: str | None, pin_hash: str | None, former: list[str], by: Principal
) -> User:
    by = rights.take_turn(by)
    customer_id = _customer_after(None, fields, by)
    check_workplaces(None, fields.get("production_process_ids"), by)
    user = identity.account_create(fields=fields, password_hash=password_hash, pin_hash=pin_hash, by=by)
    if pins.is_anothers(former, user.pk):
        raise pins.PinTaken
    if customer_id is not None:
        CustomerAccount.objects.create(user_id=user.pk, customer_id=customer_id)
    write_workplaces(user.pk, fields.get("production_process_ids"))
    created = selectors.user_get(user.pk)
    record_and_publish("users", created, "created", by, before=None, after=user_snapshot(created))
    return created


@unit_of_work
def people_create(people: Sequence[dict[str, Any]], *, by: Principal) -> None:
    """Create many people. `people`: the fields of a `UserIn` for each. Raises what `user_create` raises.

    People with an e-mail get a password that nobody knows: they recover it by mail, or an administrator sets a new one.
    """
    unknown = make_password(secrets.token_urlsafe(32))
    for fields in people:
        pin = fields.get("pin")
        pin_hash, former = (pins.hash_of_pin(pin), pins.former_hashes(pin)) if pin else (None, [])
        _create_user(fields, unknown if fields.get("email") else None, pin_hash, former, by)


def user_change(*, user_id: int, body: UserChange, by: Principal, expected: frozenset[int] | None = None) -> User:
    """Change a user. A new password, a lock or a deactivation ends their sessions at once.

    Raises `NotFound`, `StaleVersion`, `InvalidFields`, `AlreadyExists`, `AlreadyErased`, `OwnAccount`,
    `LastAdministrator`, `LastHolder`, and `PermissionDenied`, for example for a user who holds permissions that the
    caller lacks.
    """
    fields = given(body)
    password_hash = identity.hash_of_password(fields["password"]) if "password" in fields else None
    return _change_user(user_id, fields, password_hash, by, expected)


@unit_of_work
def _change_user(
    user_id: int, fields: dict[str, Any], password_hash: str | None, by: Principal, expected: frozenset[int] | None
) -> User:
    by = rights.take_turn(by)
    return changed_or_as_it_is(
        lambda: _write_user(user_id, fields, password_hash, by, expected), lambda: selectors.user_get(user_id)
    )


@unit_of_work
def language_change(*, user_id: int, language: str, by: Principal, expected: frozenset[int] | None = None) -> User:
    """Set the caller's own language, for the first screen after sign-in, for mails and for prints.

    Raises `PermissionDenied` for another user, and `StaleVersion`.
    """
    if user_id != by.user_id:
        raise PermissionDenied
    user = selectors.users().select_for_update(of=("self",)).get(pk=user_id)
    user.check_version(expected)
    if user.language != language:
        before = user_snapshot(user)
        user.claim(None)
        user.language = language
        user.save(update_fields=["language", "version"])
        record_and_publish("users", user, "changed", by, before=before, after=user_snapshot(user))
    return user


def user_erase(*, user_id: int, name: str, by: Principal) -> User:
    """Erase a user's identifying data and keep their id. Returns the erased user.

    `name`: the user's full name as the caller typed it, to confirm. Call it in a unit of work, after
    `rights.take_turn`. Raises `NotFound`, and what `identity.services.account_erase` raises.
    """
    user = selectors.users().select_for_update(of=("self",)).filter(pk=user_id).first()
    if user is None:
        raise NotFound
    CustomerAccount.objects.filter(user=user_id).delete()
    ProcessWorker.objects.filter(user=user_id).delete()
    identity.account_erase(user, name=name, by=by)
    erased = selectors.user_get(user_id)
    audit.record(
        entity="users",
        entity_id=user_id,
        label=erased.full_name,
        action="erased",
        before=None,
        after={"erased": True},
        by=by,
    )
    event = CatalogChanged(data=CatalogData(id=user_id, catalog="users", change="changed"))
    outbox.publish(event, by=Actor.of(by))
    return erased


@unit_of_work
def user_delete(*, user_id: int, by: Principal) -> User:
    """Delete a user who has left no records, such as movements. Returns the deleted user.

    Raises `NotFound`, `OwnAccount`, `LastAdministrator`, `LastHolder`, `PermissionDenied`, `InUse`.
    """
    by = rights.take_turn(by)
    user = selectors.user_get(user_id)
    before = user_snapshot(user)
    identity.account_delete(user_id, by=by)
    record_and_publish("users", user, "deleted", by, before=before, after=None)
    return user


def _write_user(
    user_id: int, fields: dict[str, Any], password_hash: str | None, by: Principal, expected: frozenset[int] | None
) -> User:
    """Change a user as `user_change` does. The caller has called `rights.take_turn`. Also raises `Unchanged`."""
    rows = selectors.users().prefetch_related("roles__permissions")
    user = rows.select_for_update(of=("self",)).filter(pk=user_id).first()
    if user is None:
        raise NotFound
    user.claim(expected)
    before, rights_before = user_snapshot(user), _rights(user)
    could_sign_in = user.may_sign_in
    customer_before, customer_id = user.customer_id, _customer_after(user, fields, by)  # type: ignore[attr-defined]
    check_workplaces(user, fields.get("production_process_ids"), by)
    if customer_id != customer_before:
        CustomerAccount.objects.filter(user=user_id).delete()  # first: the database refuses a customer for staff
    ends = identity.account_change(user, fields=fields, password_hash=password_hash, by=by)
    if customer_id not in (None, customer_before):
        CustomerAccount.objects.create(user_id=user_id, customer_id=customer_id)
    write_workplaces(user_id, fields.get("production_process_ids"))
    if user.user_type == UserType.CUSTOMER:
        operators.end_for(user_id)
    changed = rows.get(pk=user_id)
    # The audit records that the password changed, never the password.
    secret = {"password": audit.HIDDEN} if password_hash else {}
    after = {**user_snapshot(changed), **secret}
    if after == before:
        raise Unchanged
    # Send no permissions.changed to accounts that cannot sign in; session.ended covers them.
    if could_sign_in and not ends and _rights(changed) != rights_before:
        rights.changed_for([user_id], by)
    record_and_publish("users", changed, "changed", by, before=before, after=after)
    return changed


def user_snapshot(user: User) -> Snapshot:
    """Return the audit's snapshot of a user loaded by `selectors.users`."""
    return {
        **auditing.user_snapshot(user),
        "customerId": user.customer_id,  # type: ignore[attr-defined]
        "productionProcessIds": sorted(one.process_id for one in user.workplaces.all()),
        "hasPin": user.pin_hash is not None,
        "hasBadge": user.badge_hash is not None,
    }


def _rights(user: User) -> tuple[object, ...]:
    """Return the data that decide a user's rights: type, customer, permissions and processes.

    The user must be loaded with the permissions of their roles.
    """
    held = {permission.action for role in user.roles.all() for permission in role.permissions.all()}
    processes = {one.process_id for one in user.workplaces.all()}
    return user.user_type, user.customer_id, held, processes  # type: ignore[attr-defined]


def _customer_after(user: User | None, fields: dict[str, Any], by: Principal) -> int | None:
    """Return the id of the user's customer after `fields` are written; None for none. `user`: None for a new user.

    Only an account of type Customer has a customer; an account that becomes staff loses it. Raises `InvalidFields`, and
    `PermissionDenied` if the account would get a permission that the caller lacks.
    """
    before: int | None = user.customer_id if user else None  # type: ignore[attr-defined]
    customer_id = fields.get("customer_id", before)
    kind = fields.get("user_type", user.user_type if user else UserType.INTERNAL)
    if customer_id != before:
        refuse_unknown(Customer, {"customerId": customer_id})
    if customer_id is not None and kind != UserType.CUSTOMER:
        if "customer_id" in fields:
            raise InvalidFields.of("customerId", "customers_only")
        return None
    if customer_id not in (None, before):
        check_grant(by, OF_CUSTOMERS, named_to=Permission.ListUsers)
    return customer_id


def check_workplaces(user: User | None, wanted: Sequence[int] | None, by: Principal) -> None:
    """Check the processes to assign to a user. `user`: None for a new user. `wanted`: None changes no process.

    Raises `InvalidFields` with code `unknown`, and `PermissionDenied` for a process that the caller may not assign.
    """
    if wanted is not None:
        refuse_unknown(ProductionProcess, {f"productionProcessIds.{index}": one for index, one in enumerate(wanted)})
        before = {one.process_id for one in user.workplaces.all()} if user else set()
        rules.check_processes(by, given=set(wanted) - before, own=selectors.processes_of(by.user_id))


def write_workplaces(user_id: int, wanted: Sequence[int] | None) -> None:
    """Replace the processes that a user works in; `wanted` None changes nothing."""
    if wanted is not None:
        ProcessWorker.objects.filter(user=user_id).exclude(process__in=wanted).delete()
        add_workers((user_id, process_id) for process_id in wanted)


def add_workers(pairs: Iterable[tuple[int, int]]) -> None:
    """Add workers to processes, given as (user id, process id). Existing pairs are kept. 1 query."""
    ProcessWorker.objects.bulk_create(
        (ProcessWorker(user_id=user_id, process_id=process_id) for user_id, process_id in sorted(set(pairs))),
        ignore_conflicts=True,
    )
