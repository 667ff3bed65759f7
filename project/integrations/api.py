"""REST of service accounts and their tokens, of webhooks and their deliveries."""

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query

from project.access.guard import Requires, caller
from project.access.permissions import Permission
from project.core.answers import Created
from project.core.idempotency import NotKept
from project.core.pagination import announce, paginate
from project.core.routing import domain_router
from project.core.schemas import Id
from project.core.versions import if_match
from project.integrations import schemas, selectors, services, webhooks
from project.integrations.models import ServiceAccount, Webhook

accounts = domain_router("integrations")
hooks = domain_router("integrations")

PathId = Annotated[Id, Path()]
MANAGES = Requires(Permission.ManageIntegrations)


def _account(row: ServiceAccount) -> schemas.ServiceAccountOut:
    return schemas.ServiceAccountOut(
        id=row.pk,
        user_id=row.user_id,
        name=row.name,
        permissions=sorted(Permission(permission.action) for permission in row.permissions.all()),
        production_process_ids=sorted(one.process_id for one in row.user.workplaces.all()),
        active=row.active,
        has_token=row.token_digest is not None,
        expires_at=row.expires_at,
        last_seen=row.last_seen,
        version=row.version,
    )


@accounts.get("", auth=MANAGES, operation_id="service_account_list")
def service_account_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.ServiceAccountQuery]
) -> list[schemas.ServiceAccountOut]:
    """List service accounts, including revoked ones."""
    page = paginate(selectors.service_accounts(query.search, active=query.active), query, selectors.ORDERINGS)
    return [_account(row) for row in announce(page, request, response)]


@accounts.post("", auth=MANAGES, operation_id="service_account_create")
def service_account_create(request: HttpRequest, body: schemas.ServiceAccountIn) -> Created[schemas.ServiceAccountOut]:
    """Create a service account. It can call the API once it has a token. You cannot give permissions that you lack."""
    account = services.service_account_create(body=body, by=caller(request))
    return Created(_account(account))


@accounts.get("/{int:account_id}", auth=MANAGES, operation_id="service_account_get")
def service_account_get(request: HttpRequest, account_id: PathId) -> schemas.ServiceAccountOut:
    """Read a service account."""
    account = selectors.service_account_get(account_id)
    return _account(account)


@accounts.put("/{int:account_id}", auth=MANAGES, operation_id="service_account_update")
def service_account_change(
    request: HttpRequest, account_id: PathId, body: schemas.ServiceAccountChange
) -> schemas.ServiceAccountOut:
    """Change a service account. Its rights change at once."""
    account = services.service_account_change(
        account_id=account_id,
        body=body,
        by=caller(request),
        expected=if_match(request),
    )
    return _account(account)


@accounts.post(
    "/{int:account_id}/token",
    auth=MANAGES,
    operation_id="service_token_create",
    versioned=True,
    repeat=NotKept("answers a token"),
)
def service_token_make(
    request: HttpRequest, account_id: PathId, body: schemas.ServiceTokenIn
) -> Created[schemas.ServiceTokenOut]:
    """Make a token, which is never shown again. The old token is refused at once."""
    account, token = services.service_token_make(
        account_id=account_id, expires_on=body.expires_on, by=caller(request), expected=if_match(request)
    )
    return Created(schemas.ServiceTokenOut(id=account.pk, version=account.version, token=token))


@accounts.delete(
    "/{int:account_id}",
    auth=MANAGES,
    operation_id="service_account_delete",
    record_stays=True,
)
def service_account_revoke(request: HttpRequest, account_id: PathId) -> schemas.ServiceAccountOut:
    """Revoke a service account: its token is refused and its sockets are closed at once."""
    return _account(services.service_account_revoke(account_id=account_id, by=caller(request)))


def _webhook(row: Webhook) -> schemas.WebhookOut:
    return schemas.WebhookOut(
        id=row.pk,
        name=row.name,
        url=row.url,
        types=row.types,
        account_id=row.account_id,
        account_name=row.account.name,
        account_active=row.account.active,
        active=row.active,
        has_secret=bool(row.secret),
        waiting=row.waiting,  # type: ignore[attr-defined]
        last_delivered_at=row.last_delivered_at,  # type: ignore[attr-defined]
        given_up=row.given_up,
        given_up_at=row.given_up_at,
        failing_since=row.failing_since,
        next_at=row.next_at,
        stopped_at=row.stopped_at,
        version=row.version,
    )


@hooks.get("", auth=MANAGES, operation_id="webhook_list")
def webhook_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.WebhookQuery]
) -> list[schemas.WebhookOut]:
    """List webhooks with the number of their waiting messages."""
    page = paginate(selectors.webhooks(query.search, active=query.active), query, selectors.ORDERINGS)
    return [_webhook(row) for row in announce(page, request, response)]


@hooks.post("", auth=MANAGES, operation_id="webhook_create")
def webhook_create(request: HttpRequest, body: schemas.WebhookIn) -> Created[schemas.WebhookOut]:
    """Create a webhook. Once it has a secret, it receives the events since its creation."""
    webhook = webhooks.webhook_create(body=body, by=caller(request))
    return Created(_webhook(webhook))


@hooks.get("/{int:webhook_id}", auth=MANAGES, operation_id="webhook_get")
def webhook_get(request: HttpRequest, webhook_id: PathId) -> schemas.WebhookOut:
    """Read a webhook."""
    webhook = selectors.webhook_get(webhook_id)
    return _webhook(webhook)


@hooks.put("/{int:webhook_id}", auth=MANAGES, operation_id="webhook_update")
def webhook_change(request: HttpRequest, webhook_id: PathId, body: schemas.WebhookChange) -> schemas.WebhookOut:
    """Change, stop or resume a webhook."""
    webhook = webhooks.webhook_change(webhook_id=webhook_id, body=body, by=caller(request), expected=if_match(request))
    return _webhook(webhook)


@hooks.delete("/{int:webhook_id}", auth=MANAGES, operation_id="webhook_delete")
def webhook_delete(request: HttpRequest, webhook_id: PathId) -> schemas.WebhookOut:
    """Delete a webhook with its deliveries. Answers the deleted webhook."""
    return _webhook(webhooks.webhook_delete(webhook_id=webhook_id, by=caller(request)))


@hooks.post(
    "/{int:webhook_id}/secret",
    auth=MANAGES,
    operation_id="webhook_secret_create",
    versioned=True,
    repeat=NotKept("answers a secret"),
)
def webhook_secret_make(request: HttpRequest, webhook_id: PathId) -> Created[schemas.WebhookSecretOut]:
    """Make the secret that signs messages, which is never shown again. The old secret still signs for a day."""
    webhook, secret = webhooks.webhook_secret_make(
        webhook_id=webhook_id, by=caller(request), expected=if_match(request)
    )
    return Created(schemas.WebhookSecretOut(id=webhook.pk, version=webhook.version, secret=secret))


@hooks.get(
    "/{int:webhook_id}/deliveries",
    auth=MANAGES,
    operation_id="webhook_delivery_list",
)
def webhook_delivery_list(
    request: HttpRequest, response: HttpResponse, webhook_id: PathId, query: Query[schemas.DeliveryQuery]
) -> list[schemas.WebhookDeliveryOut]:
    """List the sent and waiting deliveries of a webhook, newest first."""
    found = selectors.deliveries(webhook_id, query.search, delivered=query.delivered)
    page = paginate(found, query, selectors.DELIVERY_ORDERINGS)
    return [
        schemas.WebhookDeliveryOut.model_validate(row, from_attributes=True)
        for row in announce(page, request, response)
    ]


@hooks.post("/{int:webhook_id}/replay", auth=MANAGES, operation_id="webhook_replay")
def webhook_replay(request: HttpRequest, webhook_id: PathId, body: schemas.WebhookReplayIn) -> schemas.WebhookOut:
    """Send one delivery again, or all since an instant, with their original message ids."""
    return _webhook(
        webhooks.webhook_replay(
            webhook_id=webhook_id, delivery_id=body.delivery_id, since=body.since, by=caller(request)
        )
    )
