"""The live event of a message about a line."""

from typing import Literal

from project.core.schemas import Document
from project.orders.fields import LINE_NOTES
from project.talk.documents import MessageDocument
from realtime.registry import Event


class MessageData(Document):
    """A message, and the line that it is about."""

    line_id: int
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    message: MessageDocument


class LineMessage(Event):
    """Somebody wrote about a line, or comes after a call there (`message.coming`).

    Only staff who may read the notes of lines receive it: no display, no customer, no webhook.
    """

    audience = LINE_NOTES
    type: Literal["line.message"] = "line.message"
    data: MessageData
