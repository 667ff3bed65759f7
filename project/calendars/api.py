"""REST of calendars: the caller's own address, and the feed that calendars read (infra/docs/rules.md#calendars)."""

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.translation import override
from ninja import Path

from project.access.guard import Requires, caller
from project.calendars import schemas, selectors, services
from project.calendars.documents import calendar_of, deliveries, etag_of
from project.calendars.models import CalendarFeed
from project.core.answers import Created
from project.core.idempotency import NotKept
from project.core.requests import current_address
from project.core.routing import Public, domain_router
from project.core.texts import text
from project.identity.selectors import language_of
from project.orders.fields import ORDERS

router = domain_router("calendars")

OWN = Requires(*ORDERS, customers="the delivery days of their orders", services=False)
Secret = Annotated[str, Path(min_length=1, max_length=200)]
ICS = {"description": "OK", "content": {"text/calendar": {"schema": {"type": "string"}}}}


def _calendar(feed: CalendarFeed | None) -> schemas.CalendarOut:
    if feed is None:
        return schemas.CalendarOut(since=None, used_at=None)
    return schemas.CalendarOut(since=feed.created_at, used_at=feed.used_at)


@router.get("", auth=OWN, operation_id="calendar_get")
def calendar_get(request: HttpRequest) -> schemas.CalendarOut:
    """Read when the address of your calendar was made and last used. The address itself is never shown again."""
    return _calendar(selectors.feed_of(caller(request).user_id))


@router.post("", auth=OWN, operation_id="calendar_create", repeat=NotKept("answers a secret that nobody reads again"))
def calendar_make(request: HttpRequest) -> Created[schemas.NewCalendarOut]:
    """Make an address of your calendar; the former one stops working. Only this answer contains the new address."""
    made, address = services.feed_make(by=caller(request))
    return Created(schemas.NewCalendarOut(since=made.created_at, used_at=None, address=address))


@router.delete("", auth=OWN, operation_id="calendar_delete", repeat=NotKept("the second time changes nothing"))
def calendar_end(request: HttpRequest) -> schemas.CalendarOut:
    """Take back the address of your calendar: it stops working. Idempotent."""
    services.feed_end(by=caller(request))
    return _calendar(None)


@router.get(
    "/{secret}.ics",
    auth=Public("the secret in the address is the proof"),
    operation_id="calendar_feed",
    openapi_extra={"responses": {200: ICS}},
)
def calendar_feed(request: HttpRequest, secret: Secret) -> HttpResponse:
    """Read the delivery days that the owner of an address may read, as iCalendar, in their language.

    One event for each order and delivery day. Open lines are in an event, and finished lines until 30 days after their
    delivery day. 304 for an `If-None-Match` that still holds. 404 if the address is unknown or was taken back, or if
    its owner may no longer sign in or read orders.
    """
    by = services.reader_of(secret, address=current_address.get())
    with override(language_of(by.user_id)):
        found, name = deliveries(selectors.lines_due(by)), text("calendar_name")
    etag = etag_of(found, name)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(calendar_of(found, name), content_type="text/calendar; charset=utf-8")
        response["Content-Disposition"] = 'attachment; filename="obrador.ics"'
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    return response
