"""Request bodies and answers of payments."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from project.catalogs.models import PriceUnit
from project.core.exporting import ExportQuery
from project.core.pagination import ListQuery
from project.core.schemas import (
    UNSET,
    AmountIn,
    Day,
    DaysQuery,
    Document,
    Id,
    In,
    Instant,
    Money,
    Notes,
    Out,
    Pieces,
    PlantPriceIn,
    QueryId,
    SeenText,
)
from project.piecework.rules import PaymentStatus

ITEMS = 1_000
"""The most records that one payment can pay: more than leave the processes of a workshop in a week."""
PEOPLE = 200
"""The most people that can be paid together."""


class PayableQuery(ExportQuery, DaysQuery):
    """Filters of records to pay. `userId`: who took the pieces out. `from` and `to`: days of the exit, both included.

    `pending`: true for records with pieces left to pay, false for records that are paid in full.
    """

    customer_id: QueryId | None = None
    production_process_id: QueryId | None = None
    user_id: QueryId | None = None
    pending: bool | None = None


class OwedQuery(DaysQuery):
    """Days of the exits, both included."""


class PaymentFilters(ListQuery, DaysQuery):
    """Filters of payments. `userId`: the payee. `from` and `to`: dates of payments, both included."""

    customer_id: QueryId | None = None
    user_id: QueryId | None = None
    status: PaymentStatus | None = None


class PaymentQuery(PaymentFilters, ExportQuery):
    """The list of payments, or a file of it."""


class PaymentItemIn(In):
    """Pieces of a record to pay. `price`: of a piece, or of a gram if the record earns by the gram."""

    process_record_id: Id
    quantity: Pieces
    price: PlantPriceIn


class PaymentIn(In):
    """A payment. `date` defaults to today in the plant. `userId`, the payee, is optional."""

    date: Day = UNSET
    user_id: Id | None = None
    notes: Notes = ""
    items: Annotated[list[PaymentItemIn], Field(max_length=ITEMS)]


class OwedIn(In):
    """The amounts that a person is owed for the days, as the caller saw and confirmed them."""

    user_id: Id
    records: Pieces
    pieces: Pieces
    amount: AmountIn


class PayPeopleIn(In):
    """People to pay for all exits on the days `from` to `to`, both included. `date` defaults to today in the plant."""

    date_from: Day | None = Field(default=None, alias="from")
    date_to: Day | None = Field(default=None, alias="to")
    date: Day = UNSET
    notes: Notes = ""
    people: Annotated[list[OwedIn], Field(max_length=PEOPLE)]


class CancelIn(In):
    """Why the payment is canceled: not blank, at most 200 characters."""

    notes: SeenText


class PayableOut(Out):
    """Pieces that left a process. `id`: the process record. `userId`: the user who took the pieces out.

    `price`: what a piece earns; if `unit` is `gram`, what a gram earns. `remainingGrams`: the weight left to pay, if
    `unit` is `gram`; null until the pieces are weighed. `outputDate`: when the pieces left, as the station reported.
    `outputReceivedAt`: when the server received the exit; null if that was at most 10 minutes later.
    """

    id: int
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    customer_id: int
    customer_name: str
    item_name: str
    item_name_english: str
    production_process_id: int
    production_process_name: str
    user_id: int
    output_username: str
    input_date: Instant
    output_date: Instant
    output_received_at: Instant | None
    quantity: int
    paid_quantity: int
    remaining_quantity: int
    remaining_grams: float | None
    unit: PriceUnit
    price: Money
    currency: str


class OwedProcessOut(Out):
    """What a person is owed for a process."""

    production_process_id: int
    production_process_name: str
    records: int
    pieces: int
    amount: Money


class OwedOut(Out):
    """What a person is owed. The fields that begin with `owed` are for all days, the others for the days asked for.

    `unweighed`: further pieces, which earn by the gram and have no weight yet. `processes`: what is owed by process, in
    the order of production. `since`, `owedSince`: the oldest exit that is not paid. `since` is null if all exits of the
    days asked for are paid.
    """

    user_id: int
    full_name: str
    records: int
    pieces: int
    amount: Money
    unweighed: int
    since: Instant | None
    owed_records: int
    owed_pieces: int
    owed_amount: Money
    owed_since: Instant
    currency: str
    processes: list[OwedProcessOut]


class PaymentItemOut(Document):
    """Pieces of a record in a payment. If `unit` is `gram`, `price` is of a gram, and `grams` is the pieces' weight."""

    process_record_id: int
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    item_name: str
    item_name_english: str
    production_process_id: int
    production_process_name: str
    user_id: int
    output_username: str
    quantity: int
    grams: float | None
    unit: PriceUnit
    price: Money
    amount: Money


class PaymentActions(Out):
    """What the caller may do to the payment."""

    cancel: bool


class PaymentOffers(Document):
    """What a payment's state allows, the same for all callers. A caller also needs the permissions."""

    cancel: bool


class PaymentDocument(Document):
    """A payment of piece work, with the records it pays."""

    kind: Literal["payment"] = "payment"
    id: int
    status: PaymentStatus
    date: date
    user_id: int | None
    username: str | None
    notes: str
    cancel_notes: str
    total: Money
    currency: str
    items: list[PaymentItemOut]
    created_at: Instant
    created_by: str
    canceled_at: Instant | None
    canceled_by: str | None
    version: int
    offers: PaymentOffers


class PaymentOut(PaymentDocument):
    """A payment, and what the caller may do to it."""

    actions: PaymentActions


class PaidOut(Out):
    """A payment that was made together with others."""

    id: int
    version: int


class PaymentTotalsOut(Out):
    """The sums of the payments that match. `payments` and `total` leave out canceled ones; `canceled` counts these."""

    payments: int
    total: Money
    currency: str
    canceled: int


class EarningsOut(Out):
    """What the caller earned by piece work.

    `today` and `week`: for the pieces that they took out today, and since Monday, by the plant's days. `open`: what is
    left to pay for all pieces. `paid`: what has been paid. `unweighed`: pieces left to pay that earn by the gram and
    have no weight yet; no amount includes them.
    """

    today: Money
    week: Money
    open: Money
    paid: Money
    unweighed: int
    currency: str
