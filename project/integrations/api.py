"""REST of service accounts and of their tokens."""

from typing import Annotated, Any, cast

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Status as Answer

from project.access.guard import Requires, caller
from project.access.permissions import P
from project.core.pagination import announce, paginate
from project.core.routing import domain_router
from project.core.schemas import Id, given
from project.core.versions import if_match, tag
from project.integrations import schemas, selectors, services
from project.integrations.models import ServiceAccount

accounts = domain_router("integrations")

PathId = Annotated[Id, Path()]
MANAGES = Requires(P.ManageIntegrations)


def _account(row: ServiceAccount) -> schemas.ServiceAccountOut:
    return schemas.ServiceAccountOut(
        id=row.pk,
        user_id=row.user_id,
        name=row.name,
        permissions=sorted(P(permission.action) for permission in row.permissions.all()),
        production_process_ids=sorted(one.process_id for one in row.user.workplaces.all()),
        active=row.active,
        has_token=row.token_digest is not None,
        expires_at=row.expires_at,
        last_seen=row.last_seen,
        version=row.version,
    )


@accounts.get("", response=list[schemas.ServiceAccountOut], auth=MANAGES, operation_id="service_account_list")
def service_account_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.ServiceAccountQuery]
) -> Any:
    """Service accounts, those that were revoked too."""
    page = paginate(selectors.service_accounts(query.search, active=query.active), query, selectors.ORDERINGS)
    return [_account(row) for row in announce(page, request, response)]


@accounts.post("", response={201: schemas.ServiceAccountOut}, auth=MANAGES, operation_id="service_account_create")
def service_account_create(request: HttpRequest, response: HttpResponse, body: schemas.ServiceAccountIn) -> Any:
    """Create a service account, which calls nothing until it has a token; nobody gives it more than he holds."""
    account = services.service_account_create(
        fields=cast(services.ServiceAccountFields, body.model_dump()), by=caller(request)
    )
    tag(response, account)
    return Answer(201, _account(account))


@accounts.get("/{int:account_id}", response=schemas.ServiceAccountOut, auth=MANAGES, operation_id="service_account_get")
def service_account_get(request: HttpRequest, response: HttpResponse, account_id: PathId) -> Any:
    """One service account."""
    account = selectors.service_account_get(account_id)
    tag(response, account)
    return _account(account)


@accounts.put(
    "/{int:account_id}", response=schemas.ServiceAccountOut, auth=MANAGES, operation_id="service_account_update"
)
def service_account_change(
    request: HttpRequest, response: HttpResponse, account_id: PathId, body: schemas.ServiceAccountChange
) -> Any:
    """Change a service account; what it may do changes at once."""
    account = services.service_account_change(
        account_id=account_id,
        fields=cast(services.ServiceAccountFields, given(body)),
        by=caller(request),
        expected=if_match(request),
    )
    tag(response, account)
    return _account(account)


@accounts.post(
    "/{int:account_id}/token",
    response={201: schemas.ServiceTokenOut},
    auth=MANAGES,
    operation_id="service_token_create",
)
def service_token_make(
    request: HttpRequest, response: HttpResponse, account_id: PathId, body: schemas.ServiceTokenIn
) -> Any:
    """Make a token, answered this once; the one before is refused at once."""
    account, token = services.service_token_make(
        account_id=account_id, expires_on=body.expires_on, by=caller(request), expected=if_match(request)
    )
    tag(response, account)
    return Answer(201, schemas.ServiceTokenOut(id=account.pk, version=account.version, token=token))


@accounts.delete(
    "/{int:account_id}", response=schemas.ServiceAccountOut, auth=MANAGES, operation_id="service_account_delete"
)
def service_account_revoke(request: HttpRequest, account_id: PathId) -> Any:
    """Revoke a service account: its token is refused and its sockets are closed at once."""
    return _account(services.service_account_revoke(account_id=account_id, by=caller(request)))
