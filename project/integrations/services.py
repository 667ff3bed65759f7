"""Creates, changes and revokes service accounts, and makes their tokens."""

import secrets
from datetime import date, timedelta
from typing import Any

from project.access.principal import Principal
from project.access.token import SERVICE_TOKEN, acting_as
from project.audit import services as audit
from project.audit.services import Snapshot
from project.core import clock
from project.core.constraints import unique
from project.core.errors import InvalidFields, NotFound, PermissionDenied, Refusal, Unauthenticated
from project.core.idempotency import unit_of_work
from project.core.schemas import given, utc_z
from project.core.sealing import digest_of_random
from project.core.versions import Unchanged, changed_or_as_it_is
from project.events import record_and_publish
from project.identity import rights, rules
from project.identity.models import User, UserType
from project.identity.sessions import announce_end
from project.integrations.models import ServiceAccount, ServicePermission
from project.integrations.schemas import ServiceAccountChange, ServiceAccountIn
from project.integrations.selectors import service_account_get, service_accounts
from project.integrations.webhooks import pause
from project.staffing.rules import check_processes
from project.staffing.selectors import processes_of
from project.staffing.services import check_workplaces, write_workplaces

NAME_ONCE = {"service_account_name_once": "name"}
LONGEST = timedelta(days=730)
"""How long a new token may be valid: two years from today. Older tokens tend to be forgotten."""


class ServiceAccountRevoked(Refusal):
    """The service account is revoked and cannot be used again. The program needs a new one."""

    code = "service_account_revoked"


@unit_of_work
def service_account_create(*, body: ServiceAccountIn, by: Principal) -> ServiceAccount:
    """Create a service account without a token. Raises `AlreadyExists`, `InvalidFields`, and `PermissionDenied` for a
    permission or a process that the caller may not give."""
    by = rights.take_turn(by)
    # Users are identified by e-mail. RFC 2606 reserves `.invalid`, so no mail reaches this address.
    user = User(email=f"{secrets.token_hex(16)}@service.invalid", user_type=UserType.SERVICE)
    user.set_unusable_password()
    account = ServiceAccount(user=user)
    _write(account, dict(body), by)
    created = service_account_get(account.pk)
    record_and_publish("service-accounts", created, "created", by, before=None, after=_snapshot(created))
    return created


@unit_of_work
def service_account_change(
    *, account_id: int, body: ServiceAccountChange, by: Principal, expected: frozenset[int] | None = None
) -> ServiceAccount:
    """Change a service account. Its rights change at once.

    If the maker of its token may not give the added rights, the token is revoked. If the user who set a webhook's
    address may not give the added rights, the webhook is paused.

    Raises `NotFound`, `StaleVersion`, `ServiceAccountRevoked`, `AlreadyExists`, `InvalidFields`, and
    `PermissionDenied`, also if the account holds permissions that the caller lacks.
    """
    by = rights.take_turn(by)

    def change() -> ServiceAccount:
        account = _locked(account_id)
        account.claim(expected)
        rules.check_grant(by, _held(account))
        before = _snapshot(account)
        _write(account, given(body), by)
        changed = service_account_get(account_id)
        after = _snapshot(changed)
        if after == before:
            raise Unchanged
        rights.changed_for([account.user_id], by)
        if changed.token_digest and not _may_give(changed.token_by, before, after):
            changed.token_digest = changed.token_by = None
            changed.save(update_fields=["token_digest", "token_by"])
            _end_token(changed, by)
            before, after = {**before, "token": audit.HIDDEN}, {**after, "token": None}
        record_and_publish("service-accounts", changed, "changed", by, before=before, after=after)
        for webhook in changed.webhooks.filter(active=True).select_for_update():
            if not _may_give(webhook.url_by, before, after):
                pause(webhook, by)
        return changed

    return changed_or_as_it_is(change, lambda: service_account_get(account_id))


@unit_of_work
def service_token_make(
    *, account_id: int, expires_on: date, by: Principal, expected: frozenset[int] | None = None
) -> tuple[ServiceAccount, str]:
    """Make a token that is valid to the end of a day. Returns the account and the token.

    The old token is refused and its sockets are closed at once. Raises `NotFound`, `StaleVersion`,
    `ServiceAccountRevoked`, `InvalidFields`, and `PermissionDenied` if the account holds permissions that the caller
    lacks: a token lets its maker use them.
    """
    by = rights.take_turn(by)
    first, last = clock.today(), clock.today() + LONGEST
    if not first <= expires_on <= last:
        raise InvalidFields.of("expiresOn", "date_out_of_range", first=str(first), last=str(last))
    account = _locked(account_id)
    account.claim(expected)
    rules.check_grant(by, _held(account))
    before = _snapshot(account)
    token = SERVICE_TOKEN + secrets.token_urlsafe(32)
    account.token_digest, account.expires_at = digest_of_random(token), clock.end_of(expires_on)
    account.token_by = by.user_id
    _end_token(account, by)
    account.save(update_fields=["token_digest", "token_by", "expires_at", "version"])
    # The audit records that the token changed, never the token.
    after = {**_snapshot(account), "token": audit.HIDDEN}
    record_and_publish("service-accounts", account, "changed", by, before=before, after=after)
    return account, token


@unit_of_work
def service_account_revoke(*, account_id: int, by: Principal) -> ServiceAccount:
    """Revoke a service account: delete its token and close its sockets. Its row stays; its name becomes free.

    The caller need not hold the account's permissions. Raises `NotFound`, `ServiceAccountRevoked`.
    """
    account = _locked(account_id)
    account.claim(None)
    before = _snapshot(account)
    account.active, account.token_digest = False, None
    account.user.active = False
    _end_token(account, by)
    account.save(update_fields=["active", "token_digest", "version"])
    record_and_publish("service-accounts", account, "deleted", by, before=before, after=_snapshot(account))
    return account


def end_all_tokens() -> int:
    """Delete the tokens of all service accounts of a restored database, because some may have been revoked since the
    backup. Returns the number of tokens."""
    return ServiceAccount.objects.filter(token_digest__isnull=False).update(token_digest=None, token_by=None)


def _may_give(user_id: int | None, before: Snapshot, after: Snapshot) -> bool:
    """Whether a user may give an account all rights that a change added. True if nothing was added. Else False if the
    user is unknown or may not sign in."""
    permissions, processes = (set(after[name]) - set(before[name]) for name in ("permissions", "productionProcessIds"))
    if not permissions and not processes:
        return True
    if user_id is None:
        return False
    try:
        user = acting_as(user_id)
        rules.check_grant(user, permissions)
        check_processes(user, given=processes, own=processes_of(user_id))
    except (Unauthenticated, PermissionDenied):
        return False
    return True


def _locked(account_id: int) -> ServiceAccount:
    rows = service_accounts().select_for_update(of=("self",))
    account = rows.filter(pk=account_id).first()
    if account is None:
        raise NotFound
    if not account.active:
        raise ServiceAccountRevoked
    return account


def _end_token(account: ServiceAccount, by: Principal) -> None:
    account.user.end_sessions()
    account.user.save(update_fields=["active", "token_version"])
    announce_end(account.user_id, by)


def _held(account: ServiceAccount) -> set[str]:
    return {permission.action for permission in account.permissions.all()}


def _write(account: ServiceAccount, fields: dict[str, Any], by: Principal) -> None:
    workplaces = fields.get("production_process_ids")
    check_workplaces(account.user if account.pk else None, workplaces, by)
    account.name = account.user.first_name = fields.get("name", account.name)
    account.user.save()
    account.user_id = account.user.pk
    with unique(NAME_ONCE):
        account.save()
    write_workplaces(account.user_id, workplaces)
    if "permissions" in fields:
        wanted, before = set(fields["permissions"]), _held(account)
        rules.check_grant(by, wanted - before)
        account.permissions.filter(action__in=before - wanted).delete()
        added = (ServicePermission(account=account, action=action) for action in sorted(wanted - before))
        ServicePermission.objects.bulk_create(added)


def _snapshot(account: ServiceAccount) -> Snapshot:
    """Return the audit's snapshot of a service account, without its token's digest and `last_seen`."""
    return {
        "name": account.name,
        "active": account.active,
        "permissions": sorted(_held(account)),
        "productionProcessIds": sorted(one.process_id for one in account.user.workplaces.all()),
        "expiresAt": utc_z(account.expires_at) if account.expires_at else None,
    }
