"""Bodies and answers of deliveries (contract, section 5)."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from project.billing.packing import Incoterm
from project.billing.rules import BillStatus
from project.catalogs.terms import shared_catalogs
from project.core.exporting import ExportQuery
from project.core.pagination import ListQuery
from project.core.pictures import PictureAddress
from project.core.schemas import (
    UNSET,
    AmountIn,
    Currency,
    Day,
    DaysQuery,
    Document,
    Flag,
    Id,
    In,
    Instant,
    Money,
    Notes,
    OneLine,
    Out,
    Percentage,
    Pieces,
    PriceIn,
    QueryId,
    changes,
    number_up_to,
)


def _one_of(key: str) -> AfterValidator:
    """A code of a shared catalog, or nothing."""

    def check(code: str) -> str:
        if code and code not in {term.code for term in shared_catalogs()[key]}:
            raise PydanticCustomError("not_a_choice", "a code of the catalog")
        return code

    return AfterValidator(check)


Number = Annotated[OneLine, Field(max_length=60)]


class DeliveryLineIn(In):
    """Pieces to deliver. Left out: the product's tax, and its price where the bill is in its currency."""

    sales_order_id: Id
    position: Id
    quantity: Pieces
    price: PriceIn | None = None
    tax_amount: Percentage | None = None


class HeaderIn(In):
    """What pre-bills and bills say. Left out: the lines' customer and its currency, the first active company, today."""

    customer_id: Id = UNSET
    company_id: Id = UNSET
    date: Day = UNSET
    invoice_number: Number = UNSET
    guide_number: Number = UNSET
    shipping_price: AmountIn = UNSET
    custom_regime: Annotated[str, Field(max_length=10), _one_of("customsRegimes")] = UNSET
    notes: Notes = UNSET
    currency: Currency = UNSET


class DeliveryIn(HeaderIn):
    """A new bill, or with `preBill` a pre-bill."""

    pre_bill: Flag = False
    lines: list[DeliveryLineIn] = Field(default=[], max_length=1_000)


class DeliveryChange(changes(HeaderIn)):  # type: ignore[misc]
    """A pre-bill's PUT; `preBill` false makes it a bill. Lines are given whole, or left as they are.

    Of a bill, `invoiceNumber` and `guideNumber` may be given, and nothing else.
    """

    pre_bill: Flag = True
    lines: list[DeliveryLineIn] = Field(default=UNSET, max_length=1_000)


class ContentIn(In):
    """Pieces of a line of the bill in a box."""

    sales_order_id: Id
    position: Id
    quantity: Pieces


Kilograms = Annotated[Decimal, *number_up_to(100_000, decimals=3)]
Centimetres = Annotated[int, Field(strict=True, ge=1, le=10_000)]


class BoxIn(In):
    """A box: what it holds weighs `netKg`, with its wrapping `grossKg`; kilograms to the gram, whole centimetres."""

    net_kg: Kilograms
    gross_kg: Kilograms
    length_cm: Centimetres | None = None
    width_cm: Centimetres | None = None
    height_cm: Centimetres | None = None
    lines: Annotated[list[ContentIn], Field(max_length=1_000)]


class ExportIn(In):
    """The export part of a bill; boxes are given whole, numbered from 1 in their order. Incoterms are those of 2020."""

    incoterm: Incoterm | Literal[""] = UNSET
    place: OneLine = UNSET
    boxes: Annotated[list[BoxIn], Field(max_length=200)] = UNSET


class ContentOut(Document):
    sales_order_id: int
    position: int
    quantity: int


class BoxOut(Document):
    number: int
    net_kg: Money
    gross_kg: Money
    length_cm: int | None
    width_cm: int | None
    height_cm: int | None
    lines: list[ContentOut]


class ExportOut(Document):
    """The export part of a bill; `pieces` are in its boxes, with their weights together."""

    incoterm: str
    place: str
    boxes: list[BoxOut]
    pieces: int
    net_kg: Money
    gross_kg: Money


class DeliveryLineOut(Document):
    """A delivered line; `tariffItem` is its product's code, `amount` and `tax` are in minor units, and
    `remaining` pieces of the order's line are left to bill."""

    sales_order_id: int
    position: int
    customer_sales_order_id: str
    item_id: int
    item_key: str
    item_name: str
    tariff_item: str
    quantity: int
    price: Money
    tax_amount: Money
    amount: Money
    tax: Money
    remaining: int


class DeliveryActions(Out):
    """What the caller may do with the delivery next; `numbers`: write its `invoiceNumber` and `guideNumber`."""

    edit: bool
    bill: bool
    cancel: bool
    export: bool
    numbers: bool
    print: bool


class DeliveryOffers(Document):
    """What may be done with the delivery next, whoever does it."""

    edit: bool
    bill: bool
    cancel: bool
    export: bool
    numbers: bool


class DeliveryDocument(Document):
    """A pre-bill `P-0001` or a bill `F-0001`; `preBillNumber` is what a bill was called before it was one."""

    kind: Literal["bill"] = "bill"
    id: int
    number: str
    pre_bill_number: str | None
    status: BillStatus
    customer_id: int
    customer_name: str
    company_id: int
    company_name: str
    date: date
    invoice_number: str
    guide_number: str
    shipping_price: Money
    custom_regime: str
    notes: str
    currency: str
    subtotal: Money
    tax: Money
    total: Money
    created_at: Instant
    created_by: str
    billed_at: Instant | None
    billed_by: str | None
    canceled_at: Instant | None
    canceled_by: str | None
    version: int
    lines: list[DeliveryLineOut]
    export: ExportOut
    offers: DeliveryOffers


class DeliveryOut(DeliveryDocument):
    """A delivery, and what the caller may do with it."""

    actions: DeliveryActions


class BillableOut(Out):
    """A Done line of which `remaining` pieces are left to bill, at its product's tax, and price in `currency`."""

    sales_order_id: int
    position: int
    customer_sales_order_id: str
    customer_id: int
    customer_name: str
    item_id: int
    item_key: str
    item_name: str
    thumbnail: PictureAddress | None
    quantity: int
    quantity_billed: int
    remaining: int
    price: Money
    currency: str
    tax_amount: Money
    delivery_date: date | None


class DeliveryFilters(ListQuery, DaysQuery):
    """Filters of the bills; `from` and `to` are their dates, both included."""

    status: BillStatus | None = None
    customer_id: QueryId | None = None
    company_id: QueryId | None = None


class DeliveryQuery(DeliveryFilters, ExportQuery):
    """The list of bills, also to be had as a file."""


class DeliveryTotalsOut(Out):
    """What the bills that match come to in one currency. Pre-bills and canceled ones are counted beside."""

    currency: str
    bills: int
    subtotal: Money
    tax: Money
    shipping_price: Money
    total: Money
    pre_bills: int
    pre_billed: Money
    canceled: int


class BillableQuery(ListQuery):
    """Filters of what can be billed."""

    customer_id: QueryId | None = None


class AddressesQuery(BaseModel):
    """Who buys and who sells; each may be left out."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_alias=True)

    customer_id: QueryId | None = None
    company_id: QueryId | None = None


class AddressesOut(Out):
    """Whether each has the commercial address that a bill needs; null for one that was not asked about."""

    customer: bool | None
    company: bool | None


class CurrenciesQuery(BaseModel):
    """Whose currencies."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_alias=True)

    customer_id: QueryId


class CurrenciesOut(Out):
    """What a customer is billed in, and what its last bill or pre-bill that stands is in, null where it has none."""

    customer: str
    last: str | None
