"""The live event after the staff asked for an approval or replied."""

from typing import Literal

from project.core.schemas import Document
from project.orders.fields import ORDERS
from realtime.registry import Event


class TalkData(Document):
    """The line that was written about. Carries no text: clients load the answers and requests again."""

    id: int
    sales_order_id: int
    position: int
    customer_id: int


class CustomerTalkChanged(Event):
    """The staff asked a customer for an approval, withdrew such a request, or replied to or handled an answer.

    Goes to pages of the order too.
    """

    audience = ORDERS
    followed = "salesOrderId"
    webhook = (
        "Se pide una aprobación a un cliente, o se le responde",
        "A customer is asked for an approval, or is replied to",
    )
    type: Literal["customer-talk.changed"] = "customer-talk.changed"
    data: TalkData

    def customer(self) -> int | None:
        return self.data.customer_id
