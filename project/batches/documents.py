"""Documents of batches: the card that boards and stations show, and the whole batch."""

from typing import Literal
from uuid import UUID

from project.access.permissions import Permission
from project.access.principal import Principal
from project.batches.models import Batch, BatchLine
from project.batches.rules import BatchState
from project.batches.schemas import OfferedLineOut, PiecesElsewhereOut
from project.batches.selectors import OfferedLine
from project.catalogs.models import Weighs
from project.core.grams import grams_or_none
from project.core.pictures import PictureAddress, thumbnail_address
from project.core.schemas import Day, Document, GramsOut, Instant, PerMilleOut
from project.metal.rules import loss, loss_per_mille
from project.orders.documents import is_late
from project.orders.models import Press

WEIGHTS = (Permission.ViewMetal, Permission.SalesOrderPositionRecord)
"""Permissions to read what went into a batch, what came out and what was lost, as of a line. One is enough."""


class BatchCardLine(Document):
    """Pieces of a line on a batch."""

    sales_order_id: int
    position: int
    quantity: int


class BatchCard(Document):
    """A batch as the board and the stations show it: its lines with their pieces, and when the pieces entered."""

    kind: Literal["batch-card"] = "batch-card"
    id: int
    version: int
    number: int
    name: str
    state: BatchState
    production_process_id: int
    production_process_name: str
    quantity: int
    entered_at: Instant | None
    lines: list[BatchCardLine]


class BatchHead(Document):
    """A batch without its lines. Weights are of the whole batch, null while nobody has weighed it.

    `state`: `open` while lines are put on it, `inside`, `out` once its pieces have left, `closed`. `wantedGrams`: the
    metal to weigh for a tree, wax times the alloy's ratio plus the button. `lossGrams`: issued and added less good and
    scrap. `issuedGrams`, `goodGrams`, `lossGrams` and `lossPerMille` are null too for callers who may read neither the
    metal nor the history of lines.
    """

    kind: Literal["batch"] = "batch"
    id: int
    version: int
    number: int
    name: str
    state: BatchState
    production_process_id: int
    production_process_name: str
    alloy_id: int | None
    alloy_name: str | None
    notes: str
    wax_grams: GramsOut | None
    button_grams: GramsOut | None
    wanted_grams: GramsOut | None
    issued_grams: GramsOut | None
    added_grams: GramsOut | None
    good_grams: GramsOut | None
    scrap_grams: GramsOut | None
    loss_grams: GramsOut | None
    loss_per_mille: PerMilleOut | None
    lines_count: int
    quantity: int
    created_at: Instant
    created_by: str
    entered_at: Instant | None
    left_at: Instant | None
    closed_at: Instant | None
    closed_by: str | None


class BatchLineOut(Document):
    """Pieces of a line on a batch. `id`: of this row, not of the line. `netGrams`: the metal of one piece, or null."""

    id: int
    line_id: int
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    customer_name: str
    item_key: str
    item_name: str
    item_name_english: str
    thumbnail: PictureAddress | None
    quantity: int
    net_grams: GramsOut | None
    delivery_date: Day | None
    line_status: str


class BatchOut(BatchHead):
    """A batch with its lines. `weighs`: whether the batch is weighed when it moves; `no` if no product has an alloy.

    `allowedLoss`: what the process may lose, in per mille. `press`: the press that the call made; null for calls that
    make none, and for callers who may not read the history.
    """

    weighs: Weighs
    allowed_loss: PerMilleOut | None
    lines: list[BatchLineOut]
    press: UUID | None = None


def batch_card(batch: Batch) -> BatchCard:
    """Return the card of a batch that is loaded with its lines. No query."""
    lines = batch.loaded_lines
    return BatchCard(
        id=batch.pk,
        version=batch.version,
        number=batch.number,
        name=batch.name,
        state=batch.state,
        production_process_id=batch.process_id,
        production_process_name=batch.process.name,
        quantity=sum(row.quantity for row in lines),
        entered_at=batch.entered_at,
        lines=[
            BatchCardLine(sales_order_id=row.line.order_id, position=row.line.position, quantity=row.quantity)
            for row in lines
        ],
    )


def batch_head(batch: Batch, by: Principal, *, lines_count: int, quantity: int) -> BatchHead:
    """Return a batch without its lines. No query."""
    added, alloy = batch.added_mg or 0, batch.alloy
    issued_mg, good_mg = (batch.issued_mg, batch.good_mg) if by.holds(*WEIGHTS) else (None, None)
    lost = loss(issued_mg, good_mg, scrap=batch.scrap_mg or 0, added=added)
    return BatchHead(
        id=batch.pk,
        version=batch.version,
        number=batch.number,
        name=batch.name,
        state=batch.state,
        production_process_id=batch.process_id,
        production_process_name=batch.process.name,
        alloy_id=batch.alloy_id,
        alloy_name=None if alloy is None else alloy.name,
        notes=batch.notes,
        wax_grams=grams_or_none(batch.wax_mg),
        button_grams=grams_or_none(batch.button_mg),
        wanted_grams=grams_or_none(batch.wanted_mg),
        issued_grams=grams_or_none(issued_mg),
        added_grams=grams_or_none(batch.added_mg),
        good_grams=grams_or_none(good_mg),
        scrap_grams=grams_or_none(batch.scrap_mg),
        loss_grams=grams_or_none(lost),
        loss_per_mille=None if lost is None else loss_per_mille(lost, (issued_mg or 0) + added),
        lines_count=lines_count,
        quantity=quantity,
        created_at=batch.created_at,
        created_by=batch.created_by.full_name,
        entered_at=batch.entered_at,
        left_at=batch.left_at,
        closed_at=batch.closed_at,
        closed_by=None if batch.closed_by is None else batch.closed_by.full_name,
    )


def batch_row(batch: Batch, by: Principal) -> BatchHead:
    """Return the head of a batch that `selectors.batch_list` loaded. No query."""
    return batch_head(batch, by, lines_count=batch.lines_count, quantity=batch.pieces)


def one_batch(batch: Batch, by: Principal, press: Press | None = None) -> BatchOut:
    """Return the document of a batch that is loaded with its lines. No query. `press`: the press that moved it."""
    lines, process = batch.loaded_lines, batch.process
    head = batch_head(batch, by, lines_count=len(lines), quantity=sum(row.quantity for row in lines))
    has_metal = any(row.line.item.alloy_id is not None for row in lines)
    return BatchOut(
        **dict(head),
        weighs=Weighs(process.weighs) if has_metal else Weighs.no,
        allowed_loss=process.allowed_loss,
        lines=[_line(row) for row in lines],
        press=press.pk if press else None,
    )


def _line(row: BatchLine) -> BatchLineOut:
    line = row.line
    return BatchLineOut(
        id=row.pk,
        line_id=line.pk,
        sales_order_id=line.order_id,
        position=line.position,
        customer_sales_order_id=line.order.customer_sales_order_id,
        customer_name=line.order.customer.name,
        item_key=line.item.key,
        item_name=line.item.name,
        item_name_english=line.item.name_english,
        thumbnail=thumbnail_address(line.pictured),
        quantity=row.quantity,
        net_grams=grams_or_none(line.item.net_mg),
        delivery_date=line.delivery_date,
        line_status=line.status,
    )


def offered_line(offered: OfferedLine) -> OfferedLineOut:
    """Return the document of a line that may be put on a batch. No query."""
    line = offered.line
    return OfferedLineOut(
        line_id=line.pk,
        sales_order_id=line.order_id,
        position=line.position,
        customer_sales_order_id=line.order.customer_sales_order_id,
        customer_name=line.order.customer.name,
        item_key=line.item.key,
        item_name=line.item.name,
        item_name_english=line.item.name_english,
        thumbnail=thumbnail_address(line.pictured),
        quantity=offered.pieces,
        ready=offered.ready,
        elsewhere=[
            PiecesElsewhereOut(production_process_id=one.process_id, quantity=one.pieces, inside=one.inside)
            for one in offered.elsewhere
        ],
        delivery_date=line.delivery_date,
        late=is_late(line),
    )
