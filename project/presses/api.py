"""REST of undone presses (infra/docs/rules.md#undo)."""

from typing import Annotated, Literal

from django.http import HttpRequest
from ninja import Path

from project.access.guard import Requires, caller
from project.access.permissions import Permission
from project.access.principal import Principal
from project.batches import documents as batches
from project.batches.models import Batch
from project.batches.selectors import batch_get
from project.core.idempotency import Repeat
from project.core.routing import domain_router
from project.core.schemas import Id
from project.core.versions import if_match
from project.orders import presenters
from project.orders.models import Press
from project.orders.rules import Side
from project.orders.schemas import LineOut
from project.orders.undoing import press_of
from project.presses import services
from project.presses.schemas import MOST_LINES, UndoIn, UndoneOut

router = domain_router("presses")
of_lines = domain_router("sales orders")

PathId = Annotated[Id, Path()]
MOVED = (
    Permission.SalesOrderPositionProcessIn,
    Permission.SalesOrderPositionProcessOut,
    Permission.ScrapPieces,
)


def undone_before(request: HttpRequest) -> UndoneOut:
    """Answer a repeated undo: what the first call did, with the lines and the batch as they are now."""
    by = caller(request)
    undo = press_of(by, key=request.headers["Idempotency-Key"])
    undoes = Press.objects.filter(movements__taken_back_by__press=undo).distinct().get()
    ids = list(undo.movements.values_list("line_id", flat=True).distinct().order_by())
    lines = presenters.lines_now(ids, by, undo) if len(ids) <= MOST_LINES else None
    batch = None if undo.batch_id is None else batch_get(undo.batch_id)
    return _answer(undo, undoes, lines, batch, by)


@router.post(
    "/undo",
    auth=Requires(*MOVED, Permission.UpdateSalesOrderPosition, operators=True, reported_later=True),
    operation_id="press_undo",
    repeat=Repeat(undone_before),
    lasting=True,
)
def press_undo(request: HttpRequest, body: UndoIn) -> UndoneOut:
    """Undo a press of the caller from the last five minutes: all of it, or nothing.

    It needs the permissions that the press needed. 404 for a press or key that the server has not seen. 409
    `not_undoable` for a release, a later weight and an undo. The first line that cannot go back gives its code
    (`too_late`, `not_yours`, `already_undone`, `already_paid`, `not_enough_pieces` and others) with its place.
    """
    by = caller(request)
    undone, batch = services.press_undo(press=body.press, key=body.key, made_at=body.made_at, by=by)
    lines = presenters.moved_lines(undone.lines, by) if len(undone.lines) <= MOST_LINES else None
    return _answer(undone.press, undone.undoes, lines, batch, by)


def _answer(undo: Press, undoes: Press, lines: list[LineOut] | None, batch: Batch | None, by: Principal) -> UndoneOut:
    reads = presenters.reads_presses(by)
    return UndoneOut(
        press=undo.pk if reads else None,
        undoes=undoes.pk if reads else None,
        lines=lines,
        batch=None if batch is None else batches.one_batch(batch, by),
    )


@of_lines.post(
    "/{int:order_id}/position/{int:position}/records/{int:record_id}/undo",
    auth=Requires(*MOVED, operators=True),
    operation_id="sales_order_position_record_undo",
    versioned=True,
    lasting=True,
)
def record_undo(
    request: HttpRequest,
    order_id: PathId,
    position: PathId,
    record_id: PathId,
    side: Literal[Side.entry, Side.exit] | None = None,
) -> LineOut:
    """Undo the press of a record's last movement. The caller must have pressed within the last five minutes.

    `side` names the movement that the caller means. 409 `already_undone` if `side` is `out` and the exit was taken back
    already. 409 `not_enough_pieces` if `side` is `in` and all pieces of the entry have left since.
    """
    by = caller(request)
    undone = services.record_undo(
        order_id=order_id,
        position=position,
        record_id=record_id,
        by=by,
        side=side,
        expected=if_match(request),
    )
    (line,) = (one for one in undone.lines if (one.line.order_id, one.line.position) == (order_id, position))
    return presenters.moved_line(line, by)
