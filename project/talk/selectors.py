"""Reads messages about lines."""

from django.db.models import QuerySet

from project.core import clock
from project.core.errors import NotFound
from project.core.pagination import Orderings
from project.orders.models import Line
from project.talk.models import OF_CALLS, Message
from project.talk.rules import BURST, MOST_IN_A_BURST

ORDERINGS = Orderings(columns={"id": "id"}, default="-id")


def messages_of(order_id: int, position: int) -> QuerySet[Message]:
    """Return the messages of a line. Raises `NotFound` for an unknown line. 1 query."""
    line = Line.objects.filter(order=order_id, position=position).only("pk").first()
    if line is None:
        raise NotFound
    return _whole().filter(line=line)


def message_get(order_id: int, position: int, message_id: int) -> Message:
    """Return a message of a line. Raises `NotFound`. 1 query."""
    found = _whole().filter(pk=message_id, line__order=order_id, line__position=position).first()
    if found is None:
        raise NotFound
    return found


def _whole() -> QuerySet[Message]:
    return Message.objects.select_related("line__order", "by", "coming__by")


def open_call(line: Line) -> Message | None:
    """Return the newest call of a line that nobody comes for yet; None if there is none. 1 query."""
    return Message.objects.filter(OF_CALLS, line=line, coming=None).order_by("-pk").first()


def seconds_to_wait(user_id: int) -> float:
    """Return after how many seconds a person may write again; 0 if they may write now. 1 query."""
    newest = Message.objects.filter(by=user_id).order_by("-pk").values_list("received_at", flat=True)
    first = newest[MOST_IN_A_BURST - 1 : MOST_IN_A_BURST].first()
    return 0 if first is None else max(0.0, (first + BURST - clock.now()).total_seconds())
