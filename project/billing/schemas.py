"""Request bodies and answers of deliveries, which are bills and pre-bills."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from project.billing.customs_rules import At
from project.billing.models import CfdiState, SettlementKind
from project.billing.packing import PAYMENT_FORMS, Incoterm
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
    GramsOut,
    Id,
    In,
    Instant,
    InstantIn,
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
    """Return a validator that accepts a code of a shared catalog, or an empty text."""

    def check(code: str) -> str:
        if code and code not in {term.code for term in shared_catalogs()[key]}:
            raise PydanticCustomError("not_a_choice", "a code of the catalog")
        return code

    return AfterValidator(check)


def _payment_form(code: str) -> str:
    if code not in PAYMENT_FORMS:
        raise PydanticCustomError("not_a_choice", "a code of the SAT for what was paid at once")
    return code


PaymentForm = Annotated[str, AfterValidator(_payment_form)]
"""The SAT's code of how something was paid. Any but 99, which means that it is paid later."""
PaymentFormOrNone = Annotated[str, AfterValidator(lambda code: code and _payment_form(code))]
Number = Annotated[OneLine, Field(max_length=60)]


class DeliveryLineIn(In):
    """Pieces of a line to bill.

    `taxAmount` defaults to the product's tax. `price` defaults to the product's price if bill and product have the same
    currency.
    """

    sales_order_id: Id
    position: Id
    quantity: Pieces
    price: PriceIn | None = None
    tax_amount: Percentage | None = None


class HeaderIn(In):
    """The header of a pre-bill or a bill.

    Defaults: the lines' customer, the customer's currency, the first active company, today.
    """

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
    """A new bill; with `preBill` a new pre-bill."""

    pre_bill: Flag = False
    lines: list[DeliveryLineIn] = Field(default=[], max_length=1_000)


class DeliveryChange(changes(HeaderIn)):  # type: ignore[misc]
    """The body of a pre-bill's PUT. `preBill` false makes it a bill. `lines` replaces all lines; if omitted, they stay.

    Of a bill only `invoiceNumber` and `guideNumber` may be given.
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


UsdRate = Annotated[Decimal, *number_up_to(1_000, decimals=6, above_zero=True)]
"""Pesos for a dollar."""


class BoxIn(In):
    """A box: its contents weigh `netKg`, with the packaging `grossKg`. Kilograms to the gram, whole centimetres.

    Without `netKg`, the ledger's metal is printed (`metalKg`). `netKg` is required if the ledger has no metal for a
    line in the box.
    """

    net_kg: Kilograms | None = None
    gross_kg: Kilograms
    length_cm: Centimetres | None = None
    width_cm: Centimetres | None = None
    height_cm: Centimetres | None = None
    lines: Annotated[list[ContentIn], Field(max_length=1_000)]


class ExportIn(In):
    """The export part of a bill.

    `boxes` replaces all boxes, numbered from 1 in their order. Incoterms are those of 2020. `usdRate`: pesos for a
    dollar on `rateDay`. `paymentForm`: the SAT's code of how the bill was paid at once; empty if it is paid later.
    """

    incoterm: Incoterm | Literal[""] = UNSET
    place: OneLine = UNSET
    usd_rate: UsdRate | None = None
    rate_day: Day | None = None
    payment_form: PaymentFormOrNone = UNSET
    boxes: Annotated[list[BoxIn], Field(max_length=200)] = UNSET


class CertificateIn(In):
    """A certificate of origin for a period of up to twelve months, both days included."""

    customer_id: Id
    company_id: Id
    begins: Day
    ends: Day


class CertificateOut(Out):
    """A certificate of origin for a period. `goods`: how many products it names."""

    id: int
    customer_id: int
    customer_name: str
    company_id: int
    company_name: str
    begins: date
    ends: date
    goods: int
    created_at: Instant
    created_by: str


class CertificateQuery(ListQuery):
    """The parameters of the list of certificates. `customerId`: those for one customer."""

    customer_id: QueryId | None = None


class GapOut(Out):
    """What a customs paper lacks or has wrong. `id` and `name`: of the record in which it is mended."""

    code: str
    at: At
    id: int
    name: str


class CsdIn(In):
    """A certificate (CSD) of the SAT and its key, DER in base64, and the key's password, which is not stored."""

    certificate: Annotated[str, Field(min_length=1, max_length=30_000)]
    key: Annotated[str, Field(min_length=1, max_length=30_000)]
    password: Annotated[str, Field(max_length=256)]


class CsdOut(Out):
    """The certificate with which a company seals its invoices. `number` null: the company has none."""

    company_id: int
    number: str | None
    rfc: str | None
    valid_from: Instant | None
    valid_to: Instant | None


class SettlementIn(In):
    """A payment of a bill, or a credit note for it.

    `at`: when it was paid or granted. `paymentForm`: the SAT's code. `currency`: by default that of the bill; pesos may
    pay a bill in dollars, and dollars a bill in pesos. `rate`: pesos for a dollar, required if `currency` or the bill
    is in dollars. `notes`: what a credit note is for.
    """

    kind: SettlementKind
    at: InstantIn
    payment_form: PaymentForm
    amount: AmountIn
    currency: Currency | Literal[""] = ""
    rate: UsdRate | None = None
    notes: Notes = ""


class SettlementOut(Out):
    """A payment of a bill, or a credit note for it. `number`: counts each kind from 1.

    `settled`, `balanceBefore` and `balanceAfter` are in the bill's currency. `state`: that of its paper, the complement
    of payment or the credit note; null if the paper is not sealed. `uuid`: the folio that the SAT gave the paper.
    `canceling`: the SAT was asked to cancel the paper.
    """

    id: int
    kind: SettlementKind
    number: int
    at: Instant
    payment_form: str
    currency: str
    amount: Money
    rate: Money | None
    settled: Money
    balance_before: Money
    balance_after: Money
    notes: str
    state: CfdiState | None
    uuid: str | None
    canceling: bool


class SettlementsOut(Out):
    """The payments and credit notes of a bill, oldest first. `balance`: what is still owed after them."""

    delivery_id: int
    currency: str
    total: Money
    balance: Money
    settlements: list[SettlementOut]


class CfdiOut(Out):
    """The electronic invoice of a bill, or the paper of a payment or credit note. `gaps`: the data that it lacks.

    `state`: null if the paper is not sealed. `uuid`: the folio that the SAT gave the paper. `csd`: whether the company
    has a certificate to seal with. `pac`: whether a PAC is set up. `sent`: the paper was sent to a PAC that has not
    answered. `canceling`: the SAT was asked to cancel the paper, and has not confirmed it.
    """

    delivery_id: int
    settlement_id: int | None
    pac: bool
    sent: bool
    canceling: bool
    gaps: list[GapOut]
    state: CfdiState | None
    uuid: str | None
    sealed_at: Instant | None
    stamped_at: Instant | None
    csd: bool


class OriginOut(Out):
    """What a bill says about the origin of its goods.

    `abroad`: the customer is in another country. `treaty`: the customer is in the United States or Canada. `certified`:
    how many of the bill's `lines` the commercial invoice certifies. `dutyPercent`: the rate that goods without
    certified origin pay; null outside the treaty, and if no setting says it. `duty`: what the lines that are not
    certified pay, in the bill's currency. `certificate`: a certificate for a period that contains the bill's day.
    """

    abroad: bool
    treaty: bool
    gaps: list[GapOut]
    certified: int
    lines: int
    duty_percent: Money | None
    duty: Money | None
    certificate: CertificateOut | None


class ContentOut(Document):
    sales_order_id: int
    position: int
    quantity: int


class BoxOut(Document):
    """A box. `netKg`: null if nobody typed it.

    `metalKg`: the metal of its contents by the ledger; null if a line in it has none there, and for customers.
    """

    number: int
    net_kg: Money | None
    metal_kg: Money | None
    gross_kg: Money
    length_cm: int | None
    width_cm: int | None
    height_cm: int | None
    lines: list[ContentOut]


class ExportOut(Document):
    """The export part of a bill. `pieces`, `netKg` and `grossKg` are the sums of all boxes.

    A box without `netKg` counts with its `metalKg`.
    """

    incoterm: str
    place: str
    usd_rate: Money | None
    rate_day: date | None
    payment_form: str
    boxes: list[BoxOut]
    pieces: int
    net_kg: Money
    gross_kg: Money


class DeliveryLineOut(Document):
    """A line of a bill or pre-bill.

    `tariffItem` is the code of the product's tariff item. `amount` and `tax` are rounded to the currency's decimals.
    `remaining`: pieces of the order's line left to bill. `metalGrams`: the metal that was shipped with the pieces, by
    the ledger; for a pre-bill, their share of the finished metal; null for customers, and if there is no metal.
    """

    sales_order_id: int
    position: int
    customer_sales_order_id: str
    item_id: int
    item_key: str
    item_name: str
    item_name_english: str
    tariff_item: str
    quantity: int
    price: Money
    tax_amount: Money
    amount: Money
    tax: Money
    remaining: int
    metal_grams: GramsOut | None


class DeliveryActions(Out):
    """What the caller may do with the bill next. `numbers`: change its `invoiceNumber` and `guideNumber`.

    `settle`: note a payment or a credit note.
    """

    edit: bool
    bill: bool
    cancel: bool
    export: bool
    numbers: bool
    settle: bool
    print: bool


class DeliveryOffers(Document):
    """The actions that the bill's state allows, the same for all callers. A caller also needs the permissions."""

    edit: bool
    bill: bool
    cancel: bool
    export: bool
    numbers: bool
    settle: bool


class DeliveryDocument(Document):
    """A pre-bill (`P-0001`) or a bill (`F-0001`).

    `preBillNumber`: its number as a pre-bill; null if it never was one. `metalGrams`: the sum of its lines'.
    """

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
    metal_grams: GramsOut | None
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
    """A Done line with `remaining` pieces left to bill. `price`, `currency` and `taxAmount` are its product's."""

    sales_order_id: int
    position: int
    customer_sales_order_id: str
    customer_id: int
    customer_name: str
    item_id: int
    item_key: str
    item_name: str
    item_name_english: str
    thumbnail: PictureAddress | None
    quantity: int
    quantity_billed: int
    remaining: int
    price: Money
    currency: str
    tax_amount: Money
    delivery_date: date | None


class DeliveryFilters(ListQuery, DaysQuery):
    """Filters of bills. `from` and `to` are dates of bills, both included."""

    status: BillStatus | None = None
    customer_id: QueryId | None = None
    company_id: QueryId | None = None


class DeliveryQuery(DeliveryFilters, ExportQuery):
    """The list of bills, or a file of it."""


class DeliveryTotalsOut(Out):
    """The sums of the bills that match, in one currency. Pre-bills and canceled bills are counted separately."""

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
    """Filters of the lines that can be billed."""

    customer_id: QueryId | None = None


class AddressesQuery(BaseModel):
    """The customer and the company to check; both are optional."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_alias=True)

    customer_id: QueryId | None = None
    company_id: QueryId | None = None


class AddressesOut(Out):
    """Whether the customer and the company have the commercial address that a bill needs; null if not asked for."""

    customer: bool | None
    company: bool | None


class CurrenciesQuery(BaseModel):
    """The customer to ask about."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_alias=True)

    customer_id: QueryId


class CurrenciesOut(Out):
    """The currency of a customer, and the currency of the customer's last bill or pre-bill.

    `last` leaves out canceled bills. It is null if there is no bill.
    """

    customer: str
    last: str | None
