"""REST of displays and of their pairing (infra/docs/rules.md#displays)."""

from typing import Annotated

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Path, Query

from project.access.guard import Requires, caller
from project.access.permissions import Permission
from project.core.answers import Created
from project.core.idempotency import NotKept
from project.core.pagination import announce, paginate
from project.core.requests import current_address
from project.core.routing import Public, domain_router
from project.core.schemas import Id
from project.core.versions import if_match
from project.displays import pairing, schemas, selectors, services
from project.displays.models import Display

router = domain_router("displays")

PathId = Annotated[Id, Path()]
Secret = Annotated[str, Path(max_length=100)]


def _display(row: Display) -> schemas.DisplayOut:
    return schemas.DisplayOut(
        id=row.pk,
        name=row.name,
        production_process_ids=sorted(lane.process_id for lane in row.lanes.all()),
        last_seen=row.last_seen,
        active=row.active,
        version=row.version,
    )


@router.post(
    "/pairings",
    auth=Public("a screen has no account"),
    operation_id="display_pairing_create",
    repeat=NotKept("nobody is signed in, and it answers a secret"),
)
def pairing_create(request: HttpRequest) -> Created[schemas.PairingOut]:
    """Make a code that a screen shows, and a secret to poll with. 429 if too many screens wait at the same address."""
    waiting = pairing.begin(current_address.get())
    return Created(
        schemas.PairingOut(code=waiting.code, secret=waiting.secret, expires_in=int(pairing.LASTS.total_seconds())),
    )


@router.get(
    "/pairings/{secret}",
    auth=Public("the secret of the pairing is the proof"),
    operation_id="display_pairing_get",
)
def pairing_get(request: HttpRequest, secret: Secret) -> schemas.PairedOut:
    """Poll a pairing. Answers the screen's token once an administrator has named the screen, until the token is used.

    404 for an unknown, expired or used secret.
    """
    paired = pairing.fetch(secret)
    if paired is None:
        return schemas.PairedOut(status="waiting")
    return schemas.PairedOut(status="paired", token=paired.token, name=paired.name, zone=settings.PLANT_TIME_ZONE)


@router.get("", auth=Requires(Permission.ManageDisplays), operation_id="display_list")
def display_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.DisplayQuery]
) -> list[schemas.DisplayOut]:
    """List displays, including revoked ones."""
    page = paginate(selectors.displays(query.search, active=query.active), query, selectors.ORDERINGS)
    return [_display(row) for row in announce(page, request, response)]


@router.post("", auth=Requires(Permission.ManageDisplays), operation_id="display_create")
def display_create(request: HttpRequest, body: schemas.DisplayIn) -> Created[schemas.DisplayOut]:
    """Create a display for the screen that shows the code. 422 `unknown_pairing_code` if no screen shows it, 429 after
    too many wrong codes."""
    display = services.display_create(body=body, by=caller(request), address=current_address.get())
    return Created(_display(display))


@router.get(
    "/{int:display_id}",
    auth=Requires(Permission.ManageDisplays),
    operation_id="display_get",
)
def display_get(request: HttpRequest, display_id: PathId) -> schemas.DisplayOut:
    """Read a display."""
    display = selectors.display_get(display_id)
    return _display(display)


@router.put(
    "/{int:display_id}",
    auth=Requires(Permission.ManageDisplays),
    operation_id="display_update",
)
def display_change(
    request: HttpRequest,
    display_id: PathId,
    body: schemas.DisplayChange,
) -> schemas.DisplayOut:
    """Rename a display or change its lanes. Its screen is updated at once."""
    display = services.display_change(display_id=display_id, body=body, by=caller(request), expected=if_match(request))
    return _display(display)


@router.delete(
    "/{int:display_id}",
    auth=Requires(Permission.ManageDisplays),
    operation_id="display_delete",
    record_stays=True,
)
def display_delete(request: HttpRequest, display_id: PathId) -> schemas.DisplayOut:
    """Revoke a display: its token is refused and its sockets are closed at once."""
    return _display(services.display_revoke(display_id=display_id, by=caller(request)))
