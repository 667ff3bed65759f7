"""Late lines, and the worker's jobs of notices at a time of the plant's day."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from typing import Any

from project.core import clock
from project.notices import composing, raising
from project.notices.announcing import announce
from project.notices.events import NotificationCreated, NotificationDocument, NotificationMessage
from project.notices.mailing import Mail, Mails
from project.notices.push import Pushes
from project.notices.rules import Kind
from project.orders.models import Forecast, Line
from project.sending.loop import send_due
from realtime import outbox
from realtime.models import OutboxEvent
from tests.builders import Shop

DAY = date(2026, 3, 3)
"""A Tuesday."""


def instant(day: date, hour: int, minute: int = 0) -> datetime:
    """This time of the plant on this day."""
    return clock.start_of(day) + timedelta(hours=hour, minutes=minute)


@contextmanager
def at(hour: int, minute: int = 0, *, day: date = DAY) -> Iterator[None]:
    """Stop the clock at this time of the plant."""
    with clock.at(instant(day, hour, minute)):
        yield


def late_lines(shop: Shop, count: int, *, due: date = DAY - timedelta(days=1)) -> int:
    """Create an order with lines that are due on a day. Return its id."""
    items = [{"itemId": shop.item.pk, "quantity": 1, "deliveryDate": due.isoformat()} for _ in range(count)]
    return shop.order(items=items)


def work() -> None:
    """Let the worker do what it does every few seconds."""
    while raising.raise_by_events():
        pass
    send_mails(composing.mails_due)
    push_due()


def send_mails(due: Callable[[], Iterator[Mail]]) -> int:
    """Send the mails that `due` yields. Return how many the mail server took."""
    return send_due(Mails("mails", due, every=timedelta(minutes=1)))


def push_due() -> int:
    """Send the pushes that are due. Return how many arrived."""
    return send_due(Pushes())


def begin() -> None:
    """Let the worker begin: what happened before is no news."""
    assert not raising.raise_by_events()


def notify(type: str, line: dict[str, Any], *, number: int = 1) -> None:
    """Publish a notification of this type about a line, as the domain that declares the type does."""
    message = NotificationMessage(
        notes=line["customerSalesOrderId"],
        position=line["position"],
        sales_order_id=line["salesOrderId"],
        line_id=line["id"],
        production_process_id=None,
        production_process_name=None,
        inside_since=None,
        delivery_date=None,
        answer=None,
    )
    document = NotificationDocument(
        id=number, version=1, read=False, type=Kind.WithoutOutput, created_at=clock.now(), message=message
    )
    outbox.publish(NotificationCreated(data=document), by=None)
    event = OutboxEvent.objects.latest("id")
    event.payload = event.payload.replace(f'"{Kind.WithoutOutput}"', f'"{type}"')
    event.save()


def likely_late(order: int) -> None:
    """Let the forecast of the first line of an order say that it will be late, and notify of it."""
    line = Line.objects.get(order=order, position=1)
    due = line.delivery_date
    assert due
    Forecast.objects.create(
        line=line,
        made_at=clock.now(),
        p10=due,
        p50=due + timedelta(days=1),
        p80=due + timedelta(days=2),
        p90=due + timedelta(days=3),
        due=due,
        on_time=0.3,
        late_percent=70,
        basis=20,
        likely_late=True,
    )
    announce([order])
