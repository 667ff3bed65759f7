"""REST of a page's start: one call instead of one for each thing that every page needs."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from project.access.guard import SignedIn, caller
from project.access.permissions import Permission
from project.catalogs.definition import CATALOGS, CatalogDefinition
from project.catalogs.schemas import CatalogQuery
from project.core.idempotency import NotKept
from project.customer_links.api import own_workshop
from project.demo.api import router as router
from project.identity.api import live_ticket
from project.notices.api import bell, unread
from project.parts.api import part_list
from project.staffing.api import user_get
from project.staffing.definitions import PRODUCTION_PROCESSES
from project.start import schemas
from realtime import outbox

MOST_OPTIONS = 200


@router.post(
    "",
    auth=SignedIn(
        "each part is what its own operation answers the caller",
        customers="themselves, and a ticket",
        displays=True,
    ),
    operation_id="page_start",
    repeat=NotKept("answers a ticket"),
)
def page_start(request: HttpRequest) -> schemas.PageStartOut:
    """Return what a page needs at its start: a ticket, rights, the person, the plant, choices, and what is unread."""
    by = caller(request)
    epoch, begins = outbox.position_lately()  # before everything else: what changes from here on follows as events
    is_staff = not (by.is_customer or by.is_display)
    return schemas.PageStartOut(
        **dict(live_ticket(request)),
        epoch=epoch,
        id=begins,
        user=None if by.is_display else user_get(request, by.user_id),
        permissions=sorted(Permission(action) for action in by.permissions),
        plant=schemas.PlantOut(zone=settings.PLANT_TIME_ZONE, currency=settings.PLANT_CURRENCY),
        processes=[] if by.is_customer else _choices(request, PRODUCTION_PROCESSES, ordering="place"),
        options={name: _active(request, definition) for name, definition in _offered().items()} if is_staff else {},
        parts=part_list(request) if is_staff else [],
        workshop=own_workshop(request) if by.is_customer else None,
        unread=schemas.UnreadOut(notifications=unread(request), bell=bell(request)) if is_staff else None,
    )


def _offered() -> dict[str, CatalogDefinition[Any]]:
    """The catalogs whose active entries select boxes offer."""
    return {name: one for name, one in CATALOGS.items() if issubclass(one.query, CatalogQuery) and one.reads}


def _active(request: HttpRequest, definition: CatalogDefinition[Any]) -> list[Any]:
    ordering = {"ordering": "place"} if definition.option_place else {}
    return _choices(request, definition, status=True, limit=MOST_OPTIONS, **ordering)


def _choices(request: HttpRequest, definition: CatalogDefinition[Any], **asked: Any) -> list[Any]:
    """Return what `?fields=options` answers. The headers of that answer are left out."""
    query = CatalogQuery.model_validate({"fields": "options", **asked})
    return definition.options.answer(request, HttpResponse(), query)
