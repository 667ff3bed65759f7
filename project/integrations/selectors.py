"""Reads service accounts and webhooks, and authenticates service accounts' tokens."""

from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from project.access.principal import ServiceRights
from project.core.errors import NotFound
from project.core.last_seen import note_seen
from project.core.pagination import Orderings
from project.core.sealing import digest_of_random
from project.core.spanish import matching
from project.integrations.models import ServiceAccount, Webhook, WebhookDelivery

ORDERINGS = Orderings(columns={"id": "id", "name": "name", "active": "active"}, default="name")
DELIVERY_ORDERINGS = Orderings(columns={"id": "id"}, default="-id")


def service_accounts(search: str | None = None, *, active: bool | None = None) -> QuerySet[ServiceAccount]:
    """Return service accounts with their permissions and processes. 3 queries."""
    found = ServiceAccount.objects.select_related("user").prefetch_related("permissions", "user__workplaces")
    if active is not None:
        found = found.filter(active=active)
    return matching(found, search, "name")


def service_account_get(account_id: int) -> ServiceAccount:
    """Return a service account as `service_accounts` loads them. Raises `NotFound`."""
    found = service_accounts().filter(pk=account_id).first()
    if found is None:
        raise NotFound
    return found


def rights_of_token(token: str) -> ServiceRights | None:
    """Return the rights of the service account with `token`, and mark it as seen; None if the token is unknown or
    revoked. 1 query, and one write a minute."""
    found = _rights(token_digest=digest_of_random(token))
    if found is None:
        return None
    rights, last_seen = found
    note_seen(ServiceAccount.objects.filter(user=rights.user_id), last_seen)
    return rights


def rights_of(user_id: int) -> ServiceRights | None:
    """Return the current rights of a user's service account; None if the account has no token. 1 query."""
    found = _rights(user=user_id, token_digest__isnull=False)
    return found[0] if found else None


def _rights(**wanted: Any) -> tuple[ServiceRights, Any] | None:
    names = ("user_id", "name", "user__token_version", "expires_at", "last_seen", "permissions__action")
    rows = list(ServiceAccount.objects.filter(**wanted).values_list(*names))
    if not rows:
        return None
    user_id, name, version, expires_at, last_seen, _ = rows[0]
    held = frozenset(action for *_, action in rows if action)
    return ServiceRights(user_id, name, held, version, expires_at), last_seen


def webhooks(search: str | None = None, *, active: bool | None = None) -> QuerySet[Webhook]:
    """Return webhooks with their accounts, the number of `waiting` messages and `last_delivered_at`. 1 query."""
    own = WebhookDelivery.objects.filter(webhook=OuterRef("pk")).order_by()
    waiting = own.filter(delivered_at=None).values("webhook").annotate(count=Count("pk")).values("count")
    last = own.exclude(delivered_at=None).order_by("-delivered_at").values("delivered_at")[:1]
    found = Webhook.objects.select_related("account").annotate(
        # Subqueries, not joins: a month of deliveries can be a million rows, and only few of them wait.
        waiting=Coalesce(Subquery(waiting), 0),
        last_delivered_at=Subquery(last),
    )
    if active is not None:
        found = found.filter(active=active)
    return matching(found, search, "name", "url")


def webhook_get(webhook_id: int) -> Webhook:
    """Return a webhook as `webhooks` loads them. Raises `NotFound`."""
    found = webhooks().filter(pk=webhook_id).first()
    if found is None:
        raise NotFound
    return found


def deliveries(
    webhook_id: int, search: str | None = None, *, delivered: bool | None = None
) -> QuerySet[WebhookDelivery]:
    """Return the sent and waiting deliveries of a webhook. `search` covers types and message ids. Raises `NotFound`."""
    found = webhook_get(webhook_id).deliveries.defer("payload", "audience")
    if delivered is not None:
        found = found.filter(delivered_at__isnull=not delivered)
    return matching(found, search, "type", "message_id")
