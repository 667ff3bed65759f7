"""The query and answer of the search."""

from typing import Annotated

from pydantic import BaseModel, Field

from project.core.pictures import PictureAddress
from project.core.schemas import Out
from project.orders.documents import PiecesInside
from project.orders.rules import Status
from project.orders.situation import PiecesWaiting, Situation

MOST_LETTERS = 200


class SearchQuery(BaseModel):
    """The words to look for, in any order."""

    q: Annotated[str, Field(max_length=MOST_LETTERS)] = ""


class FoundOrder(Out):
    id: int
    customer_sales_order_id: str
    customer_name: str
    status: Status


class FoundLine(Out):
    """A line that was found, with its state. `shortCode`: the short code of its sheet, if that was typed."""

    id: int
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    customer_name: str
    item_name: str
    item_name_english: str
    status: Status
    quantity: int
    quantity_billed: int
    quantity_good: int
    inside: list[PiecesInside]
    waiting: list[PiecesWaiting]
    standing: Situation
    thumbnail: PictureAddress | None
    short_code: str | None = None


class FoundCustomer(Out):
    id: int
    name: str


class FoundProduct(Out):
    id: int
    key: str
    name: str
    name_english: str
    thumbnail: PictureAddress | None


class SearchOut(Out):
    """The best few matches of each kind. A kind that the caller may not list is empty."""

    orders: list[FoundOrder]
    lines: list[FoundLine]
    customers: list[FoundCustomer]
    products: list[FoundProduct]
