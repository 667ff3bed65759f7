"""A calendar as iCalendar (RFC 5545) has it: one event for an order and a delivery day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from itertools import groupby

from django.conf import settings
from icalendar import Calendar, Event

from project.calendars.rules import MOST_NAMED, uid_of
from project.core import clock
from project.core.texts import named, pieces_left, text
from project.orders.models import Line
from project.orders.rules import COMPLETED

REFRESH = timedelta(hours=1)
"""How often calendars should ask again."""


@dataclass(frozen=True)
class Delivery:
    """What an order delivers on a day, in the reader's language. `done`: all lines of this delivery are finished."""

    uid: str
    day: date
    title: str
    says: str
    address: str
    done: bool


def deliveries(lines: Sequence[Line]) -> list[Delivery]:
    """Return the deliveries of `lines`, in the active language. `lines` must be sorted by day and order. No query."""
    return [
        _delivery(order_id, day, list(group))
        for (day, order_id), group in groupby(lines, key=lambda line: (line.delivery_date, line.order_id))
        if day is not None
    ]


def _delivery(order_id: int, day: date, lines: list[Line]) -> Delivery:
    order, done = lines[0].order, all(line.status in COMPLETED for line in lines)
    rows = [
        text(
            "calendar_line",
            {
                "position": line.position,
                "item": named(line.item.name, line.item.description_english),
                "pieces": pieces_left(line.quantity_good, line.quantity),
                "state": text(f"status_{line.status}"),
            },
        )
        for line in lines[:MOST_NAMED]
    ]
    if more := len(lines) - len(rows):
        rows.append(text("calendar_more", {"count": more}))
    asked = {"order": order.customer_sales_order_id, "customer": order.customer.name}
    return Delivery(
        uid=uid_of(order_id, day, site=settings.PUBLIC_URL),
        day=day,
        title=text("calendar_done" if done else "calendar_delivery", asked),
        says="\n".join(rows),
        address=f"{settings.PUBLIC_URL}/#/operations/sales-orders/{order_id}",
        done=done,
    )


def etag_of(found: Sequence[Delivery], name: str) -> str:
    """Return a weak ETag, which changes only if the calendar's name or deliveries change."""
    return f'W/"{sha256(repr((name, found)).encode()).hexdigest()[:32]}"'


def calendar_of(found: Sequence[Delivery], name: str) -> bytes:
    """Return the file of a calendar. Its events last whole days and do not mark their readers as busy."""
    calendar = Calendar()
    calendar.add("PRODID", f"-//Obrador//{settings.VERSION}//ES")
    calendar.add("VERSION", "2.0")
    calendar.add("METHOD", "PUBLISH")
    calendar.add("X-WR-CALNAME", name)
    calendar.add("REFRESH-INTERVAL", REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("X-PUBLISHED-TTL", REFRESH)
    now = clock.now()
    for one in found:
        event = Event()
        event.add("UID", one.uid)
        event.add("DTSTAMP", now)
        event.add("DTSTART", one.day)
        event.add("DTEND", one.day + timedelta(days=1))
        event.add("SUMMARY", one.title)
        event.add("DESCRIPTION", one.says)
        event.add("URL", one.address)
        event.add("TRANSP", "TRANSPARENT")
        event.add("STATUS", "CONFIRMED")
        calendar.add_component(event)
    return bytes(calendar.to_ical())
