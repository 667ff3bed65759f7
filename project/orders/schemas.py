"""Request bodies and answers of orders and lines."""

from base64 import b64decode
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from project.catalogs.models import Weighs
from project.core.exporting import ExportQuery
from project.core.pictures import PictureAddress
from project.core.schemas import (
    UNSET,
    Day,
    DaysQuery,
    Flag,
    Grams,
    GramsFromZero,
    Id,
    In,
    Instant,
    InstantIn,
    Name,
    Notes,
    OneLine,
    Out,
    Pieces,
    QueryId,
    changes,
)
from project.metal.rules import WeighedLater, Weights, mg_or_none, to_mg
from project.orders.documents import HistoryRow, LineDocument, OrderDocument, PiecesInside
from project.orders.fields import LineFields
from project.orders.forecast import Risk
from project.orders.offers import ReleaseOffer
from project.orders.rules import ScrappedPart, Side, Status


class LineIn(LineFields, In):
    """A new line: product, pieces, dates and notes. `offeredDate`: the day that the forecast offered for it."""

    item_id: Id
    quantity: Pieces
    offered_date: Day | None = None


class OrderLineChange(changes(LineIn)):  # type: ignore[misc]
    """A line inside an order's PUT. With `position` it changes that line. Without `position` it adds a line."""

    position: Id = UNSET


class LineChange(changes(LineIn)):  # type: ignore[misc]
    """The body of a line's PUT. `status` must be the line's current one.

    `image`, `updateImage` and `type` are accepted from existing clients and ignored.
    """

    image: str | None = Field(default=None, max_length=20_000_000)
    update_image: Flag | None = None
    type: str | None = Field(default=None, max_length=200)
    status: str | None = Field(default=None, max_length=60)


class OrderIn(In):
    """A new order with its lines. `salesOrderDate` defaults to today in the plant."""

    customer_id: Id
    customer_sales_order_id: Name
    sales_order_date: Day = UNSET
    notes: Notes = ""
    items: list[LineIn] = Field(default=[], max_length=5_000)


class OrderChange(In):
    """The body of an order's PUT. Fields that are left out keep their values; lines that are left out stay."""

    customer_id: Id = UNSET
    customer_sales_order_id: Name = UNSET
    sales_order_date: Day = UNSET
    notes: Notes = UNSET
    items: list[OrderLineChange] = Field(default=[], max_length=5_000)


class WeightsIn(In):
    """What was weighed at a movement. `grams`: the weight of all its pieces, including stones and enamel.

    `otherGrams`: the stones and enamel alone. `trayId`: the tray that was weighed too; its weight is subtracted from
    `grams`. `lotId`: the lot that the vault gives metal from; without it, the oldest lots. At an exit: `scrapGrams`:
    metal that was cut off and goes to the scrap box; `addedGrams`: solder and findings from the vault; `addedAlloyId`:
    their alloy; without it, the product's alloy; `weightReason`: why more leaves than entered, or why more was lost
    than is allowed. 409 `lot_used_up`.
    """

    grams: Grams | None = None
    other_grams: GramsFromZero | None = None
    scrap_grams: GramsFromZero | None = None
    added_grams: GramsFromZero | None = None
    added_alloy_id: Id | None = None
    lot_id: Id | None = None
    tray_id: Id | None = None
    weight_reason: OneLine = ""

    @property
    def weights(self) -> Weights:
        return Weights(
            mg=mg_or_none(self.grams),
            other=to_mg(self.other_grams),
            scrap=to_mg(self.scrap_grams),
            added=to_mg(self.added_grams),
            added_alloy_id=self.added_alloy_id,
            lot_id=self.lot_id,
            tray_id=self.tray_id,
            why=self.weight_reason,
        )


class MovementIn(WeightsIn):
    """A movement of pieces into a process or out of it. Without `quantity` it moves all pieces that may move.

    `madeAt`: when the movement was made, if a station reports it later. It may be at most 24 hours ago, at most 2
    minutes ahead of the server's clock, and not before the pieces could move; else 422 `made_at_out_of_range`, with
    `first` and `last`. A time ahead of the clock is recorded as now. An exit with a `madeAt` of over 10 minutes ago
    earns the price at the time of its receipt. 422 `grams_required` if `grams` is missing and the process requires it,
    unless the movement is reported later. 422 `grams_heavier` without `weightReason`, if more metal leaves than
    entered, or if pieces enter with over twice their former weight.
    """

    production_process_id: Id
    notes: Notes = ""
    quantity: Pieces | None = None
    made_at: InstantIn | None = None


def _decoded(value: Any) -> bytes:
    try:
        return b64decode(value, validate=True)
    except (TypeError, ValueError) as error:
        raise PydanticCustomError("invalid", "a file in base 64") from error


Photo = Annotated[bytes, BeforeValidator(_decoded), WithJsonSchema({"type": "string", "format": "byte"})]
"""A file inside a JSON body. The size limit of the body (`LONGEST_JSON`) also limits the file."""


class ScrappedIn(In):
    """The fields that all bodies about lost pieces have."""

    quantity: Pieces
    reason: Annotated[str, Field(min_length=1, max_length=40)]
    notes: Notes = ""
    photo: Photo | None = None
    grams: Grams | None = None
    other_grams: GramsFromZero | None = None

    @property
    def weights(self) -> Weights:
        return Weights(mg_or_none(self.grams), to_mg(self.other_grams))


class ScrappedPartIn(ScrappedIn):
    """The part of the pieces of an exit that leaves as scrap. `reason`: the key of an active scrap reason.

    `grams`: the weight of the scrapped pieces, including stones and enamel. `otherGrams`: the stones and enamel alone.
    `photo`: a JPEG or PNG in base 64.
    """

    def stored(self, photo: str) -> ScrappedPart:
        """Return the part with the stored name of its photo."""
        return ScrappedPart(self.quantity, self.reason, self.notes, self.weights, photo)


class LeaveIn(MovementIn):
    """Pieces that leave a process, by one press. `quantity`: all of them, the good and the scrapped pieces.

    `scrap`: the pieces that leave as scrap, for which the caller also needs the permission to scrap. `grams` and the
    other weights are of the good pieces.
    """

    scrap: ScrappedPartIn | None = None


class ScrapIn(ScrappedIn):
    """Pieces that are lost inside a process. `reason`: the key of an active scrap reason.

    `grams`: the weight of the pieces, including stones and enamel. `otherGrams`: the stones and enamel alone, which do
    not go to the scrap box. `weightReason`: why the pieces weigh more than entered. `photo`: a JPEG or PNG in base 64,
    which the history shows. `madeAt`: as in a movement.
    """

    production_process_id: Id
    made_at: InstantIn | None = None
    weight_reason: OneLine = ""


class RecordWeightsIn(In):
    """What a record weighed, typed after its movements. A weight that is left out, or null, stays as it is.

    `gramsIn`, `gramsOut`: the weight of all its pieces at entry and exit, including stones and enamel. `otherGrams`:
    the stones and enamel alone, which are part of each given weight. `scrapGrams`: metal cut off at the exit, or all
    metal of scrapped pieces. `addedGrams`, `addedAlloyId`: solder and findings added before the exit. `weightReason`:
    why more left than entered, or why more was lost than is allowed.
    """

    grams_in: Grams | None = None
    grams_out: Grams | None = None
    other_grams: GramsFromZero | None = None
    scrap_grams: GramsFromZero | None = None
    added_grams: GramsFromZero | None = None
    added_alloy_id: Id | None = None
    weight_reason: OneLine = ""

    @property
    def weights(self) -> WeighedLater:
        return WeighedLater(
            mg_in=mg_or_none(self.grams_in),
            mg_out=mg_or_none(self.grams_out),
            other=mg_or_none(self.other_grams),
            scrap=mg_or_none(self.scrap_grams),
            added=mg_or_none(self.added_grams),
            added_alloy_id=self.added_alloy_id,
            why=self.weight_reason,
        )


class ReplaceIn(In):
    """How many scrapped pieces are made again."""

    quantity: Pieces


class ReleaseQuery(BaseModel):
    """Why something is released: the key of an active release reason, and notes. Both are optional."""

    reason: Annotated[str, Field(max_length=40)] = ""
    notes: Notes = ""


class LineComponentOut(Out):
    component_id: int
    component_name: str
    component_name_english: str
    material_id: int | None
    material_name: str | None
    material_name_english: str | None
    material_description: str | None
    material_description_english: str | None
    notes: str


class DocumentOut(Out):
    url: PictureAddress


class MovementAction(Out):
    """A movement that the caller may make now, of at most `maxQuantity` pieces.

    `weighs`: whether the pieces are weighed then.
    """

    type: Literal["in", "out"]
    production_process_id: int
    production_process_name: str
    max_quantity: int
    weighs: Weighs


class ReleaseAction(ReleaseOffer):
    """A record that the caller may release, with the name of its process."""

    production_process_name: str


class UndoAction(Out):
    """A press of the caller that they may still undo, until `until`; `lines`: how many lines the undo takes back.

    `press` is null if the caller may not read the history.
    """

    press: UUID | None
    lines: int
    record_id: int
    side: Literal[Side.entry, Side.exit]
    production_process_id: int
    production_process_name: str
    quantity: int
    until: Instant
    scrapped: bool


class Actions(Out):
    """What the caller may do to the line next. Every rule is already applied: clients show the actions as they are.

    `scrap`: the processes in which the caller may scrap pieces.
    """

    statuses: list[Status]
    movements: list[MovementAction]
    scrap: list[MovementAction]
    release: list[ReleaseAction]
    undo: list[UndoAction]
    edit: bool
    history: bool


class NamedPiecesInside(PiecesInside):
    """Pieces inside a process, as customers' accounts read them: they may not list the processes.

    `productionProcessNameEnglish`: the English name of the process; empty if the process has none.
    """

    production_process_name: str
    production_process_name_english: str


class LineRowOut(LineDocument):
    """An order line as lists show it: its document without what the caller may not read."""

    leaves_out: ClassVar[bool] = True

    status: Status
    order_status: Status


class NamedLineRowOut(LineRowOut):
    """An order line as customers' accounts read it in a list."""

    inside: Sequence[NamedPiecesInside]  # type: ignore[assignment]


class LineOut(LineRowOut):
    """An order line with its components, pictures and history, and what the caller may do with it.

    `inside`: customers' accounts also receive the names of the processes. `ownImage`: `image` is the line's own, not
    its product's. `doneAt`: when the line became Done. `offeredDate`: the day that the forecast offered when the line
    was written. `salesOrderNotes` is only for staff who read or change orders. `productionProcesses` is the history;
    empty for callers who may not read it. `press`: the press that the call made; null if it made none, and for callers
    who may not read the history.
    """

    actions: Actions
    inside: Sequence[NamedPiecesInside | PiecesInside]  # type: ignore[assignment]
    creation_date: Instant
    own_image: bool
    image: PictureAddress | None
    thumbnail: PictureAddress | None
    done_at: Instant | None
    offered_date: Day | None
    sales_order_notes: str
    quinto: str
    sales_order_position_notes: str
    sales_order_status_name: Status
    measures: str
    components: list[LineComponentOut]
    item_documents: list[DocumentOut]
    customer_documents: list[DocumentOut]
    production_processes: list[HistoryRow]
    press: UUID | None = None


class OrderActions(Out):
    """What the caller may do to the order."""

    edit: bool
    delete: bool


class OrderSummaryOut(OrderDocument):
    """A sales order as a list shows it: its document without what the caller may not read."""

    status: Status


class OrderOut(OrderSummaryOut):
    """A sales order with its lines, and what the caller may do with it."""

    leaves_out: ClassVar[bool] = True

    actions: OrderActions
    items: list[LineOut]


class OrderQuery(ExportQuery, DaysQuery):
    """Filters of the order list. `from` and `to` are order dates, both included."""

    status: Status | None = None
    customer_id: QueryId | None = None


class LineQuery(OrderQuery):
    """Filters of the list of all lines.

    `productionProcessId`: lines with pieces inside that process now. `late`: open lines past their delivery date.
    `dueThisWeek`: open lines due from today to Sunday. `insideOverADay`: lines with pieces inside one process for more
    than a day. `toWeigh`: open lines with a movement that was reported later without the weight that its process needs.
    `toSign`: lines with a loss of metal above what its process allows, which nobody has signed for.
    `likelyLate`: open lines that are not late yet and probably will be. `risk`: lines whose forecast has this risk of
    being late. `called`: lines with a call that nobody comes for. `ids`: these lines alone.
    """

    ids: Annotated[list[QueryId], Field(max_length=200)] = []
    production_process_id: QueryId | None = None
    late: bool | None = None
    due_this_week: bool | None = None
    inside_over_a_day: bool | None = None
    to_weigh: bool | None = None
    to_sign: bool | None = None
    likely_late: bool | None = None
    called: bool | None = None
    risk: Risk | None = None
