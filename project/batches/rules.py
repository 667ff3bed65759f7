"""Rules of batches: what each state allows, the metal that a tree needs, and shared weights. No database, no clock.

See infra/docs/rules.md#batches.
"""

from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from project.core.errors import Refusal


class BatchState(StrEnum):
    """The state of a batch.

    `open`: lines are put on it. `inside`: its pieces are inside its process. `out`: they have left. `closed`: it can no
    longer be changed.
    """

    open = "open"
    inside = "inside"
    out = "out"
    closed = "closed"


class BatchAction(StrEnum):
    """An action of a person on a batch. `remove` takes a line off it, `undo` takes its last movement back."""

    change = "change"
    add = "add"
    remove = "remove"
    enter = "enter"
    leave = "leave"
    close = "close"
    undo = "undo"


class BatchInside(Refusal):
    """The batch's pieces are inside, so the batch takes no more lines and cannot be changed, moved in or closed."""

    code = "batch_inside"


class BatchNotInside(Refusal):
    """The batch cannot be moved out, because its pieces have not been moved in."""

    code = "batch_not_inside"


class BatchIsOut(Refusal):
    """The batch can only be closed or undone, because its pieces have left its process."""

    code = "batch_is_out"


class BatchClosed(Refusal):
    code = "batch_closed"


class BatchEmpty(Refusal):
    """No line of the batch is left to move."""

    code = "batch_empty"


class BatchFull(Refusal):
    """No line can be put on the batch: it already has `limit` lines."""

    code = "batch_full"


class AlreadyOnBatch(Refusal):
    """The line is on the batch already."""

    code = "already_on_batch"


class OtherAlloy(Refusal):
    """The product of a line is of another alloy than the batch."""

    code = "other_alloy"


class BatchRefused(Refusal):
    """Some lines cannot be moved, so no line was moved.

    `lines`: a row for each line that cannot be moved: its id on the batch, and the code, message and parameters of its
    refusal. The caller may repeat the call and leave these lines out.
    """

    code = "batch_refused"

    def __init__(self, refused: Iterable[tuple[int, Refusal]]) -> None:
        lines = []
        for line_id, refusal in refused:
            said = refusal.as_json()
            lines.append({"lineId": line_id, **{name: said[name] for name in ("code", "message", "params")}})
        super().__init__(lines=lines)


REFUSALS: dict[tuple[BatchState, BatchAction], type[Refusal]] = {
    (BatchState.open, BatchAction.leave): BatchNotInside,
    (BatchState.inside, BatchAction.change): BatchInside,
    (BatchState.inside, BatchAction.add): BatchInside,
    (BatchState.inside, BatchAction.enter): BatchInside,
    (BatchState.inside, BatchAction.close): BatchInside,
    (BatchState.out, BatchAction.change): BatchIsOut,
    (BatchState.out, BatchAction.add): BatchIsOut,
    (BatchState.out, BatchAction.remove): BatchIsOut,
    (BatchState.out, BatchAction.enter): BatchIsOut,
    (BatchState.out, BatchAction.leave): BatchIsOut,
    **{(BatchState.closed, action): BatchClosed for action in BatchAction},
}
"""The refusals of the actions that a state does not allow. It allows all other actions."""


def check(state: BatchState, action: BatchAction) -> None:
    """Raise a refusal if this state does not allow the action."""
    if refusal := REFUSALS.get((state, action)):
        raise refusal


def wanted_mg(wax_mg: int | None, ratio: Decimal | None, button_mg: int | None) -> int | None:
    """Return the metal to weigh for a tree, in milligrams: its wax times the alloy's ratio, plus the button.

    None if the wax or the ratio is unknown.
    """
    if wax_mg is None or ratio is None:
        return None
    return int((wax_mg * ratio).quantize(Decimal(1), ROUND_HALF_UP)) + (button_mg or 0)


def weights_of(rows: Sequence[tuple[int, int | None]]) -> list[int]:
    """Return for each line of a batch its part of a shared weight, relative to the parts of the other lines.

    `rows`: for each line its pieces, and the net milligrams of a piece. The part of a line is its pieces times their
    net weight, or its pieces alone if the net weight of one product is unknown.
    """
    if all(net for _, net in rows):
        return [pieces * (net or 0) for pieces, net in rows]
    return [pieces for pieces, _ in rows]
