"""Bodies and answers of orders and lines (specification 2, section 3; contract, section 4)."""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

from project.core.exporting import ExportQuery
from project.core.pictures import PictureAddress
from project.core.schemas import (
    UNSET,
    Day,
    DaysQuery,
    Flag,
    Id,
    In,
    Instant,
    InstantIn,
    Name,
    Notes,
    Out,
    Pieces,
    QueryId,
    changes,
)
from project.orders.documents import HistoryRow, LineDocument, OrderDocument
from project.orders.offers import ReleaseOffer
from project.orders.rules import Side, Status


class LineIn(In):
    """A new line: product, pieces, dates and notes."""

    item_id: Id
    quantity: Pieces
    shipment_date: Day | None = None
    delivery_date: Day | None = None
    shipping_date: Day | None = None
    notes: Notes = ""


class OrderLineChange(changes(LineIn)):  # type: ignore[misc]
    """A line inside an order's PUT: with `position` an existing line, without one a new line."""

    position: Id = UNSET


class LineChange(changes(LineIn)):  # type: ignore[misc]
    """A line's PUT. `image`, `updateImage` and `type` are the specified client's and change nothing here."""

    image: str | None = Field(default=None, max_length=20_000_000)
    update_image: Flag | None = None
    type: str | None = Field(default=None, max_length=200)
    status: str | None = Field(default=None, max_length=60)


class OrderIn(In):
    """A new order with its lines; the order date is the plant's today where it is left out."""

    customer_id: Id
    customer_sales_order_id: Name
    sales_order_date: Day = UNSET
    notes: Notes = ""
    items: list[LineIn] = Field(default=[], max_length=5_000)


class OrderChange(In):
    """An order's PUT: fields left out keep their values, lines left out stay."""

    customer_id: Id = UNSET
    customer_sales_order_id: Name = UNSET
    sales_order_date: Day = UNSET
    notes: Notes = UNSET
    items: list[OrderLineChange] = Field(default=[], max_length=5_000)


class MovementIn(In):
    """A movement; `quantity` left out means all the pieces that may.

    `madeAt` is when it was made, where a station reports it later: at most 24 hours ago, at most 2 minutes ahead of the
    server's clock, and not before the pieces could move. Else 422 `made_at_out_of_range`, with `first` and `last`. A
    claim ahead of the clock is recorded as now; an exit claimed for over 10 minutes ago earns the price at its receipt.
    """

    production_process_id: Id
    notes: Notes = ""
    quantity: Pieces | None = None
    made_at: InstantIn | None = None


class ReleaseQuery(BaseModel):
    """Why something is released: the key of an active release reason, and what there is to say of it; both optional."""

    reason: Annotated[str, Field(max_length=40)] = ""
    notes: Notes = ""


class LineComponentOut(Out):
    component_id: int
    component_name: str
    material_id: int | None
    material_name: str | None
    material_description: str | None
    notes: str


class DocumentOut(Out):
    url: PictureAddress


class MovementAction(Out):
    """A movement that the caller may make now, of at most `maxQuantity` pieces."""

    type: Literal["in", "out"]
    production_process_id: int
    production_process_name: str
    max_quantity: int


class UndoAction(Out):
    """A movement of the caller's own that he may still undo, until then."""

    record_id: int
    side: Literal[Side.entry, Side.exit]
    production_process_id: int
    production_process_name: str
    quantity: int
    until: Instant


class Actions(Out):
    """What the caller may do to the line next: the client draws it and holds no rule of its own."""

    statuses: list[Status]
    movements: list[MovementAction]
    release: list[ReleaseOffer]
    undo: list[UndoAction]
    edit: bool
    history: bool


class LineRowOut(LineDocument):
    """An order line (position) as the list of all lines shows it: its document and what the caller may do.

    `inside` is what is inside each process now, the oldest entry first, without names for who reads none elsewhere.
    Notes are for those of the staff who read orders or change them, else empty.
    """

    leaves_out: ClassVar[bool] = True

    status: Status
    order_status: Status
    sales_order_notes: str
    quinto: str
    actions: Actions


class LineOut(LineRowOut):
    """An order line with its components, pictures and history.

    `productionProcesses` is the history, empty for who may not read it.
    """

    sales_order_position_notes: str
    sales_order_status_name: Status
    measures: str
    components: list[LineComponentOut]
    item_documents: list[DocumentOut]
    customer_documents: list[DocumentOut]
    production_processes: list[HistoryRow]


class OrderActions(Out):
    """What the caller may do to the order."""

    edit: bool
    delete: bool


class OrderSummaryOut(OrderDocument):
    """A sales order as a list shows it: its document, and what the caller may do."""

    status: Status
    actions: OrderActions


class OrderOut(OrderSummaryOut):
    """A sales order with its lines."""

    leaves_out: ClassVar[bool] = True

    items: list[LineOut]


class OrderQuery(ExportQuery, DaysQuery):
    """Filters of the order list; `from` and `to` are order dates, both included."""

    status: Status | None = None
    customer_id: QueryId | None = None


class LineQuery(OrderQuery):
    """Filters of the list of all lines. `productionProcessId`: pieces inside it now; `late`: open past its date;
    `dueThisWeek`: open and due from today to Sunday; `insideOverADay`: pieces in one process for longer."""

    production_process_id: QueryId | None = None
    late: bool | None = None
    due_this_week: bool | None = None
    inside_over_a_day: bool | None = None
