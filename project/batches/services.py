"""Compose, move and close batches (infra/docs/rules.md#batches).

A write to an existing batch first locks the batch, and then, if it needs them, the orders of its lines, the lowest id
first. This order avoids deadlocks.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Max

from project.access.principal import Principal
from project.audit.services import Snapshot
from project.batches import auditing, rules
from project.batches.documents import batch_card
from project.batches.events import BatchChanged, BatchData
from project.batches.models import Batch, BatchLine
from project.batches.rules import BatchAction
from project.batches.schemas import MOST_LINES, BatchChange, BatchIn, BatchLineIn
from project.batches.selectors import batch_get, free_pieces, pieces_on_open_batches
from project.catalogs.models import Alloy, ProductionProcess
from project.core import clock
from project.core.errors import FieldError, InvalidFields, NotFound
from project.core.grams import mg_or_none
from project.core.idempotency import unit_of_work
from project.core.queries import Turn, save_fields, take_turn
from project.core.schemas import given
from project.core.versions import Unchanged, changed_or_as_it_is
from project.metal.rules import NOT_WEIGHED, Weights, check_expected
from project.orders.models import Press
from project.orders.movements import Made, Move, movement_made, pieces_of
from project.orders.rules import (
    MAY_BE_ENTERED,
    AlreadyCompleted,
    LineNotApproved,
    MovementSide,
    NotEnoughPieces,
    Side,
    Status,
)
from project.orders.selectors import known_orders, unknown_part
from project.orders.together import lines_to_move, move_together
from realtime import outbox
from realtime.registry import Actor


@unit_of_work
def batch_create(*, body: BatchIn, by: Principal) -> Batch:
    """Begin a batch at an active process, with the next number. Raises `InvalidFields`."""
    details = _details(body)
    unknown = [FieldError("alloyId", "unknown")] if _is_unknown_alloy(details) else []
    if not ProductionProcess.objects.filter(pk=body.production_process_id, status=True).exists():
        unknown.insert(0, FieldError("productionProcessId", "unknown"))
    if unknown:
        raise InvalidFields(errors=unknown)
    take_turn(Turn.NUMBERING_BATCHES)
    last: int | None = Batch.objects.aggregate(last=Max("number"))["last"]
    batch = Batch(
        number=(last or 0) + 1,
        process_id=body.production_process_id,
        created_at=clock.now(),
        created_by_id=by.user_id,
        **details,
    )
    batch.save(force_insert=True)
    return _published(batch, "created", None, by)


@unit_of_work
def batch_change(*, batch_id: int, body: BatchChange, by: Principal, expected: frozenset[int] | None = None) -> Batch:
    """Change the name, the alloy, the notes, and the weights of wax and button of an open batch.

    Raises `NotFound`, `StaleVersion`, `InvalidFields`, `OtherAlloy`, and what `rules.check` raises.
    """
    return changed_or_as_it_is(lambda: _change(batch_id, body, by, expected), lambda: batch_get(batch_id))


def _change(batch_id: int, body: BatchChange, by: Principal, expected: frozenset[int] | None) -> Batch:
    """Do the work of `batch_change`. Raises `Unchanged` if nothing differs."""
    batch = _batch_for(batch_id, BatchAction.change, expected)
    before = auditing.snapshot(batch)
    details = _details(body)
    if _is_unknown_alloy(details):
        raise InvalidFields.of("alloyId", "unknown")
    for name, value in details.items():
        setattr(batch, name, value)
    for row in batch.loaded_lines:
        _check_alloy(batch, row)
    batch.save()
    if auditing.snapshot(batch) == before:
        raise Unchanged
    return _published(batch, "changed", before, by)


def _details(body: BatchIn | BatchChange) -> dict[str, Any]:
    """Return the columns that the body sets, with grams as milligrams."""
    sent = given(body)
    weights = {f"{name}_mg": mg_or_none(sent[f"{name}_grams"]) for name in ("wax", "button") if f"{name}_grams" in sent}
    return {name: sent[name] for name in ("name", "alloy_id", "notes") if name in sent} | weights


def _is_unknown_alloy(details: dict[str, Any]) -> bool:
    alloy_id = details.get("alloy_id")
    return alloy_id is not None and not Alloy.objects.filter(pk=alloy_id).exists()


def _check_alloy(batch: Batch, row: BatchLine) -> None:
    """Raise `OtherAlloy` if the batch and the product of a line have different alloys."""
    alloy_id = row.line.item.alloy_id
    if alloy_id is not None and batch.alloy_id not in (None, alloy_id):
        raise rules.OtherAlloy(itemName=row.line.item.name)


def _batch_for(batch_id: int, action: BatchAction, expected: frozenset[int] | None = None) -> Batch:
    """Lock a batch, check that its state allows the action, and count one change of it. 3 queries.

    Raises `NotFound`, `StaleVersion`, and what `rules.check` raises.
    """
    # Lock first and read afterwards: what is joined to the batch must be read after the wait.
    if not Batch.objects.select_for_update().filter(pk=batch_id).values_list("pk").first():
        raise NotFound
    batch = batch_get(batch_id)
    batch.check_version(expected)
    rules.check(batch.state, action)
    batch.claim(None)
    return batch


@unit_of_work
def line_put_on(*, batch_id: int, body: BatchLineIn, by: Principal) -> Batch:
    """Put pieces of a line on an open batch; without a quantity, all pieces that may be put on it.

    Raises `NotFound`, `InvalidFields`, `AlreadyOnBatch`, `BatchFull`, `OtherAlloy`, `LineNotApproved`,
    `AlreadyCompleted`, `NotEnoughPieces`, and what `rules.check` raises.
    """
    batch = _batch_for(batch_id, BatchAction.add)
    before = auditing.snapshot(batch)
    place = body.sales_order_id, body.position
    # The lock of the order lets nobody else put the same pieces on another batch.
    moved = lines_to_move([place], by).get(place)
    if moved is None:
        known = known_orders([body.sales_order_id])
        raise InvalidFields.of(unknown_part(body.sales_order_id, known), "unknown")
    line = moved.line
    if any(row.line_id == line.pk for row in batch.loaded_lines):
        raise rules.AlreadyOnBatch
    if len(batch.loaded_lines) >= MOST_LINES:
        raise rules.BatchFull(limit=MOST_LINES)
    if Status(line.status) not in MAY_BE_ENTERED:
        raise LineNotApproved(status=line.status)
    pieces = pieces_of(moved, batch.process_id)
    if not pieces.not_been_here and not pieces.inside:
        raise AlreadyCompleted(productionProcessName=batch.process.name)
    taken = pieces_on_open_batches(batch.process_id, [line.pk]).get(line.pk, 0)
    free = free_pieces(line, moved.records, batch.process_id, taken)
    if free < (body.quantity or 1):
        raise NotEnoughPieces(available=free)
    last = batch.loaded_lines[-1].place if batch.loaded_lines else 0
    row = BatchLine(batch=batch, line=line, quantity=body.quantity or free, place=last + 1)
    _check_alloy(batch, row)
    row.save(force_insert=True)
    batch.save(update_fields=["version"])
    return _published(batch, "line-added", before, by)


@unit_of_work
def line_take_off(*, batch_id: int, line_id: int, by: Principal) -> Batch:
    """Take a line off a batch whose pieces have not left. Its pieces stay where they are.

    Raises `NotFound`, also if the line is not on the batch, and what `rules.check` raises.
    """
    batch = _batch_for(batch_id, BatchAction.remove)
    before = auditing.snapshot(batch)
    leaving = [row for row in batch.loaded_lines if row.pk == line_id]
    if not leaving:
        raise NotFound
    _take_off(batch, leaving)
    batch.save(update_fields=["issued_mg", "version"])
    return _published(batch, "line-removed", before, by)


def _take_off(batch: Batch, leaving: Sequence[BatchLine]) -> None:
    """Take lines off a batch, and subtract their shares from the metal issued for the batch."""
    BatchLine.objects.filter(pk__in=[row.pk for row in leaving]).delete()
    if batch.issued_mg is not None:
        batch.issued_mg -= sum(row.issued_mg or 0 for row in leaving)


ACTIONS = {Side.entry: BatchAction.enter, Side.exit: BatchAction.leave}


@unit_of_work
def batch_move(
    *,
    batch_id: int,
    side: Side,
    weights: Weights,
    notes: str,
    leave_out: Collection[int],
    by: Principal,
    expected: frozenset[int] | None = None,
) -> tuple[Batch, Press | None]:
    """Move all lines of a batch into its process or out of it, or none.

    `leave_out`: the ids, on the batch, of lines that are taken off it instead. Returns the batch and the press; the
    press is None if all lines were left out, so that no piece moved. The number of queries does not depend on the
    number of lines. Raises `NotFound`, `StaleVersion`, `BatchRefused`, `BatchEmpty`, `NotYourProcess`, `InvalidFields`,
    `GramsRequired`, `GramsHeavier`, what `rules.check` raises, and for operators `OtherStation`, `OperatorOver`.
    """
    batch = _batch_for(batch_id, ACTIONS[side], expected)
    before = auditing.snapshot(batch)
    moving = _moving(batch, leave_out)
    if side is Side.entry and not moving:
        raise rules.BatchEmpty
    made = movement_made(None, batch.process_id, notes=notes, by=by, weights=weights, batch_id=batch.pk)
    if moving:
        _move(batch, moving, side, made)
    _take_off(batch, [row for row in batch.loaded_lines if row.pk in leave_out])
    _note(batch, side, made.weights if moving else NOT_WEIGHED, made.at)
    batch.save()
    return _published(batch, side.value, before, by, notes=notes), made.press if moving else None


def _moving(batch: Batch, leave_out: Collection[int]) -> list[BatchLine]:
    """Return the lines that are not left out. Raises `InvalidFields` for a line that is not on the batch."""
    known = {row.pk for row in batch.loaded_lines}
    unknown = [
        FieldError(f"leaveOut.{place}", "unknown") for place, line_id in enumerate(leave_out) if line_id not in known
    ]
    if unknown:
        raise InvalidFields(errors=unknown)
    return [row for row in batch.loaded_lines if row.pk not in leave_out]


def _move(batch: Batch, moving: Sequence[BatchLine], side: Side, made: Made) -> None:
    """Move the lines of a locked batch. Raises `BatchRefused` with all lines that cannot be moved, `GramsHeavier`."""
    found = lines_to_move([(row.line.order_id, row.line.position) for row in moving], made.by)
    # An order that was deleted in the meantime has taken its lines off the batch.
    rows = [row for row in moving if (row.line.order_id, row.line.position) in found]
    if not rows:
        raise rules.BatchEmpty
    shares = made.weights.shares(rules.weights_of([(row.quantity, row.line.item.net_mg) for row in rows]))
    moves = [
        Move(found[row.line.order_id, row.line.position], row.quantity, share)
        for row, share in zip(rows, shares, strict=True)
    ]
    refused = move_together(moves, batch.process_id, side, made)
    if refused:
        raise rules.BatchRefused((rows[place].pk, refusal) for place, refusal in refused)
    if side is Side.entry and made.weights.weighed:
        check_expected(made.weights.metal, batch.wanted_mg or 0, side="tree", why=made.weights.why)
        for row, share in zip(rows, shares, strict=True):
            row.issued_mg = share.metal
        save_fields(rows, ["issued_mg"])


def _note(batch: Batch, side: Side, weights: Weights, at: datetime) -> None:
    """Note on the batch when it was moved and what it weighed."""
    metal = weights.metal if weights.weighed else None
    if side is Side.entry:
        batch.entered_at, batch.issued_mg = at, metal
        return
    assert batch.entered_at is not None  # noqa: S101 - `rules.check` refuses a batch that is not inside
    # The clock may have been set back since.
    batch.left_at, batch.good_mg = max(at, batch.entered_at), metal
    if weights.weighed:
        batch.scrap_mg, batch.added_mg = weights.scrap or None, weights.added or None


def batch_to_undo(batch_id: int) -> Batch:
    """Lock a batch before its last movement is undone. Raises `NotFound`, `BatchClosed`."""
    return _batch_for(batch_id, BatchAction.undo)


def batch_undone(batch: Batch, side: MovementSide, *, by: Principal) -> Batch:
    """Set a locked batch back to its state before the entry or exit (`side`) that was undone."""
    before = auditing.snapshot(batch)
    batch.left_at = batch.good_mg = batch.scrap_mg = batch.added_mg = None
    if side == MovementSide.entry:
        batch.entered_at = batch.issued_mg = None
        for row in batch.loaded_lines:
            row.issued_mg = None
        save_fields(batch.loaded_lines, ["issued_mg"])
    batch.save()
    return _published(batch, "undone", before, by)


@unit_of_work
def batch_close(*, batch_id: int, by: Principal, expected: frozenset[int] | None = None) -> Batch:
    """Close a batch whose pieces have left, or that was never moved in.

    Raises `NotFound`, `StaleVersion`, and what `rules.check` raises.
    """
    batch = _batch_for(batch_id, BatchAction.close, expected)
    before = auditing.snapshot(batch)
    batch.closed_at, batch.closed_by_id = clock.now(), by.user_id
    batch.save(update_fields=["closed_at", "closed_by", "version"])
    return _published(batch, "closed", before, by)


def _published(batch: Batch, action: str, before: Snapshot | None, by: Principal, **beside: Any) -> Batch:
    """Write the change into the audit and publish it. Returns the batch as it is now."""
    changed = batch_get(batch.pk)
    kept = {name: value for name, value in beside.items() if value}
    auditing.record_batch(changed, action, before=before, by=by, **kept)
    outbox.publish(BatchChanged(data=BatchData(id=changed.pk, card=batch_card(changed))), by=Actor.of(by))
    return changed
