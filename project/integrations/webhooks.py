"""Creates, changes and deletes webhooks, makes their secrets, and replays deliveries."""

import re
from base64 import b64encode
from contextlib import suppress
from datetime import datetime, timedelta
from secrets import token_bytes
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import QuerySet

from project.access.principal import Principal
from project.audit import services as audit
from project.audit.services import Snapshot
from project.core import clock, sealing
from project.core.constraints import unique
from project.core.errors import FieldError, InvalidFields, NotFound, Refusal
from project.core.idempotency import unit_of_work
from project.core.schemas import given
from project.core.versions import Unchanged, changed_or_as_it_is
from project.events import record_and_publish
from project.identity import rights, rules
from project.integrations.models import ServiceAccount, Webhook, WebhookDelivery
from project.integrations.schemas import WebhookChange, WebhookIn
from project.integrations.selectors import webhook_get
from project.sending.posting import ip_written, is_private
from realtime import outbox, registry

NAME_ONCE = {"webhook_name_once": "name"}
BOTH_GOOD = timedelta(hours=24)
"""How long the former secret still signs, besides the new one."""
MOST_REPLAYED = 1_000
SECRET = "whsec_"  # noqa: S105 - the prefix of secrets
PURPOSE = b"obrador webhook secrets"
HOST = re.compile(r"[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?")
"""A host name in an address, in lower case."""


class SecretUnreadable(Exception):
    """The secret was sealed with a key that is no longer available."""


class NothingToReplay(Refusal):
    """No delivery can be sent again: the chosen one has not arrived yet, or none since the instant has arrived."""

    code = "nothing_to_replay"


def secrets_of(webhook: Webhook, now: datetime) -> list[str]:
    """Return the secrets that sign now, the current secret first. Omits a former secret that cannot be read. Raises
    `SecretUnreadable` if the current secret cannot be read."""
    present, *former = _sealed(webhook, now)
    try:
        found = [_unsealed(webhook, present)]
    except ValueError as error:
        raise SecretUnreadable from error
    for one in former:
        with suppress(ValueError):
            found.append(_unsealed(webhook, one))
    return found


def _unsealed(webhook: Webhook, sealed: str) -> str:
    """Unseal a secret. Raises ValueError if it was not sealed for this webhook with one of the available keys."""
    keys, bound_to = sealing.own_keys(PURPOSE), str(webhook.pk).encode()
    return sealing.unseal(bytes.fromhex(sealed), keys=keys, bound_to=bound_to).decode()


def _sealed(webhook: Webhook, now: datetime) -> list[str]:
    """Return the sealed secrets that sign now, the current one first."""
    sealed = [webhook.secret]
    if webhook.former_secret and webhook.former_until and webhook.former_until > now:
        sealed.append(webhook.former_secret)
    return sealed


def keys_needed(now: datetime) -> list[list[str]]:
    """Return, for each webhook with a secret, the ids of the keys that open its valid secrets. 1 query.

    The key of the current secret comes first.
    """
    rows = Webhook.objects.exclude(secret="")
    return [[one[: 2 * sealing.KEY_ID_BYTES] for one in _sealed(webhook, now)] for webhook in rows]


def key_ids() -> list[str]:
    """Return the ids of the available keys. New secrets are sealed with the first."""
    return [key_id.hex() for key_id in sealing.own_keys(PURPOSE)]


@unit_of_work
def webhook_create(*, body: WebhookIn, by: Principal) -> Webhook:
    """Create a webhook. Once it has a secret, it receives the events since its creation.

    Raises `AlreadyExists`, `InvalidFields`, and `PermissionDenied` if its account holds permissions that the caller
    lacks.
    """
    by = rights.take_turn(by)
    webhook = Webhook(position=outbox.newest_id())
    _write(webhook, dict(body), by)
    created = webhook_get(webhook.pk)
    record_and_publish("webhooks", created, "created", by, before=None, after=snapshot(created))
    return created


@unit_of_work
def webhook_change(
    *, webhook_id: int, body: WebhookChange, by: Principal, expected: frozenset[int] | None = None
) -> Webhook:
    """Change a webhook. A resumed webhook gets the events that it missed, as far as they are still stored.

    Raises `NotFound`, `StaleVersion`, `AlreadyExists`, `InvalidFields`, `PermissionDenied`.
    """
    by = rights.take_turn(by)

    def change() -> Webhook:
        webhook = _locked(webhook_id, by)
        webhook.claim(expected)
        before = snapshot(webhook)
        _write(webhook, given(body), by)
        changed = webhook_get(webhook_id)
        if (after := snapshot(changed)) == before:
            raise Unchanged
        record_and_publish("webhooks", changed, "changed", by, before=before, after=after)
        return changed

    return changed_or_as_it_is(change, lambda: webhook_get(webhook_id))


def pause(webhook: Webhook, by: Principal) -> None:
    """Make a locked webhook inactive, in the caller's unit of work."""
    before = snapshot(webhook)
    webhook.claim(None)
    webhook.active = False
    webhook.save(update_fields=["active", "version"])
    record_and_publish("webhooks", webhook, "changed", by, before=before, after=snapshot(webhook))


@unit_of_work
def webhook_delete(*, webhook_id: int, by: Principal) -> Webhook:
    """Delete a webhook with its deliveries. Returns the deleted webhook. Raises `NotFound`.

    The caller need not hold the account's permissions.
    """
    _row_locked(webhook_id)
    webhook = webhook_get(webhook_id)
    Webhook.objects.filter(pk=webhook_id).delete()
    record_and_publish("webhooks", webhook, "deleted", by, before=snapshot(webhook), after=None)
    return webhook


@unit_of_work
def webhook_secret_make(
    *, webhook_id: int, by: Principal, expected: frozenset[int] | None = None
) -> tuple[Webhook, str]:
    """Make a new secret. The old secret still signs for a day. Returns the webhook and the new secret.

    Raises `NotFound`, `StaleVersion`, `PermissionDenied`.
    """
    by = rights.take_turn(by)
    webhook = _locked(webhook_id, by)
    webhook.claim(expected)
    before = snapshot(webhook)
    secret = SECRET + b64encode(token_bytes(32)).decode()
    if webhook.secret:
        webhook.former_secret, webhook.former_until = webhook.secret, clock.now() + BOTH_GOOD
    sealed = sealing.seal(secret.encode(), keys=sealing.own_keys(PURPOSE), bound_to=str(webhook.pk).encode())
    webhook.secret = sealed.hex()
    webhook.save(update_fields=["secret", "former_secret", "former_until", "version"])
    # The audit records that the secret changed, never the secret.
    after = {**snapshot(webhook), "secret": audit.HIDDEN}
    record_and_publish("webhooks", webhook, "changed", by, before=before, after=after)
    return webhook, secret


@unit_of_work
def webhook_replay(*, webhook_id: int, delivery_id: int | None, since: datetime | None, by: Principal) -> Webhook:
    """Send one arrived delivery again, or up to 1,000 since an instant. They are sent after the waiting messages.

    Raises `NotFound`, `InvalidFields` for a delivery of another webhook, `NothingToReplay`, `PermissionDenied`.
    """
    by = rights.take_turn(by)
    webhook = _locked(webhook_id, by)
    if delivery_id is not None and not webhook.deliveries.filter(pk=delivery_id).exists():
        raise InvalidFields.of("deliveryId", "unknown")
    rows: QuerySet[WebhookDelivery] = webhook.deliveries.filter(delivered_at__isnull=False)
    rows = rows.filter(replayed=False, created_at__gte=since) if since else rows.filter(pk=delivery_id or 0)
    now = clock.now()
    again = [
        WebhookDelivery(
            webhook=webhook,
            message_id=row.message_id,
            type=row.type,
            audience=row.audience,
            payload=row.payload,
            replayed=True,
            created_at=now,
        )
        for row in rows.order_by("id")[:MOST_REPLAYED]
    ]
    if not again:
        raise NothingToReplay
    WebhookDelivery.objects.bulk_create(again)
    webhook.claim(None)
    webhook.save(update_fields=["version"])
    before = snapshot(webhook)
    record_and_publish("webhooks", webhook, "changed", by, before=before, after={**before, "replayed": len(again)})
    return webhook_get(webhook_id)


def _row_locked(webhook_id: int) -> Webhook:
    webhook = Webhook.objects.select_for_update(of=("self",)).filter(pk=webhook_id).first()
    if webhook is None:
        raise NotFound
    return webhook


def _locked(webhook_id: int, by: Principal) -> Webhook:
    """Lock a webhook. Raises `NotFound`, and `PermissionDenied` if its account holds permissions that the caller
    lacks."""
    webhook = _row_locked(webhook_id)
    _check_account(webhook.account, by)
    return webhook


def _check_account(account: ServiceAccount, by: Principal) -> None:
    rules.check_grant(by, set(account.permissions.values_list("action", flat=True)))


def _write(webhook: Webhook, fields: dict[str, Any], by: Principal) -> None:
    errors = [FieldError("url", code) for code in _wrong(fields.get("url"))]
    known = registry.webhook_types()
    errors += [
        FieldError(f"types.{at}", "unknown") for at, one in enumerate(fields.get("types", ())) if one not in known
    ]
    account_id = fields.get("account_id", webhook.account_id)
    account = ServiceAccount.objects.filter(pk=account_id, active=True).first()
    if account is None and "account_id" in fields:
        errors.append(FieldError("accountId", "unknown"))
    if errors:
        raise InvalidFields(errors=errors)
    if account is not None and account.pk != webhook.account_id:
        _check_account(account, by)
        webhook.account = account
    if fields.get("url", webhook.url) != webhook.url:
        webhook.url, webhook.next_at = fields["url"], None  # try a new address at once
        webhook.url_by = by.user_id
    webhook.name = fields.get("name", webhook.name)
    webhook.types = sorted(set(fields.get("types", webhook.types)))
    if fields.get("active", webhook.active) != webhook.active:
        webhook.active = not webhook.active
        webhook.stopped_at = webhook.failing_since = webhook.next_at = None
    with unique(NAME_ONCE):
        webhook.save()


def _wrong(url: str | None) -> list[str]:
    """Return the codes of the errors in an address. Does not resolve names: `posting` checks names for each message."""
    if url is None:
        return []
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return ["invalid"]
    address = ip_written(host)
    plain = url.isascii() and url.isprintable() and " " not in url and (address or HOST.fullmatch(host))
    if not plain or port == 0 or parts.username is not None or parts.fragment:
        return ["invalid"]
    named = host == "localhost" or host.endswith(".localhost")
    local = address.is_loopback if address else named
    reachable = not is_private(host)
    if local and not reachable:
        return ["private_address"]
    if parts.scheme != "https" and not (parts.scheme == "http" and local and settings.DEBUG):
        return ["https_required"]
    return [] if reachable else ["private_address"]


def snapshot(webhook: Webhook) -> Snapshot:
    """Return the audit's snapshot of a webhook, without its secrets."""
    return {
        "name": webhook.name,
        "url": webhook.url,
        "types": webhook.types,
        "accountId": webhook.account_id,
        "active": webhook.active,
    }
