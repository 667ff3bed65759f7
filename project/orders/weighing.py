"""Weigh a record after its movements, and sign for what it lost (infra/docs/rules.md#metal)."""

from copy import copy
from typing import Any

from project.access.principal import Principal
from project.audit.services import Snapshot
from project.catalogs.models import Weighs
from project.core import clock
from project.core.errors import NotFound
from project.core.grams import grams_or_none, to_grams
from project.core.idempotency import unit_of_work
from project.core.queries import save_fields
from project.metal.rules import WeighedLater
from project.orders import auditing, events as live, metal, presses, rules
from project.orders.events import LineChanged
from project.orders.models import Line, Movement, Press, ProcessRecord
from project.orders.movements import line_for_update
from project.orders.offers import side_of
from project.orders.rules import MovementSide, PressKind
from project.orders.selectors import line_get, processes_for, records_of
from realtime import outbox
from realtime.registry import Actor


@unit_of_work
def record_weigh(
    *,
    order_id: int,
    position: int,
    record_id: int,
    weights: WeighedLater,
    by: Principal,
    expected: frozenset[int] | None = None,
) -> tuple[Line, Press | None]:
    """Write the weights of a record, and book the metal of its line as if the weights had been known at the movements.

    Returns the line and the press; the press is None if nothing changed. Raises `NotFound`, `StaleVersion`,
    `RecordReleased`, `AlreadyPaid`, `InvalidFields`, `GramsHeavier`.
    """
    line, records, record = _record_for_update(order_id, position, record_id, expected)
    if record.quantity_paid:
        raise rules.AlreadyPaid(processRecordId=record.pk)
    metal.check_later(record, weights, weighs=record.process_weighs != Weighs.no, alloy=line.item.alloy_id is not None)
    before, former = {**auditing.snapshot(line), **_grams(record)}, copy(record)
    press = None
    if metal.weigh_later(line, record, weights):
        press = presses.new_press(PressKind.weigh, by=by, at=clock.now())
        weighing = _weighing(press, record, weights)
        presses.store([weighing])
        save_fields(metal.book_later(line, records, former, record, weighing, by=by), metal.WEIGHTS)
        kept = {**_grams(record), **({"weightReason": weights.why} if weights.why else {})}
        _save(line, records, record, "weighed", before, kept, by=by, press=press)
    return line_get(order_id, position), press


def _weighing(press: Press, record: ProcessRecord, weights: WeighedLater) -> Movement:
    return Movement(
        press=press,
        line_id=record.line_id,
        process_id=record.process_id,
        side=MovementSide.weigh,
        pieces=record.quantity,
        at=press.at,
        mg_in=weights.mg_in,
        mg=weights.mg_out,
        mg_other=weights.other,
        mg_scrap=weights.scrap,
        mg_added=weights.added,
        added_alloy_id=weights.added_alloy_id,
        alloy_id=record.alloy_id,
        weight_reason=weights.why,
        record=record,
    )


@unit_of_work
def record_sign_loss(
    *, order_id: int, position: int, record_id: int, by: Principal, expected: frozenset[int] | None = None
) -> Line:
    """Sign for a loss above what the process of the record allows, or for metal that was missing at its entry.

    Raises `NotFound`, `StaleVersion`, `RecordReleased`, `NothingToSign`.
    """
    line, records, record = _record_for_update(order_id, position, record_id, expected)
    if not record.loss_to_sign:
        raise rules.NothingToSign(processRecordId=record.pk)
    before = auditing.snapshot(line)
    record.loss_to_sign, record.loss_signed_at = False, clock.now()
    record.loss_signed_by_id, record.loss_signed_by_name = by.user_id, by.full_name
    lost = {
        "lossGrams": grams_or_none(record.mg_lost),
        "lossPerMille": record.lost_per_mille,
        "allowedLoss": record.process_allowed_loss,
        "gramsBetween": grams_or_none(record.mg_between),
    }
    kept = {name: None if value is None else float(value) for name, value in lost.items()}
    _save(line, records, record, "signed", before, kept, by=by)
    return line_get(order_id, position)


def _record_for_update(
    order_id: int, position: int, record_id: int, expected: frozenset[int] | None
) -> tuple[Line, list[ProcessRecord], ProcessRecord]:
    """Lock a line. Return the line, all its records, and the record to change.

    Raises `NotFound`, `StaleVersion`, `RecordReleased`.
    """
    line = line_for_update(order_id, position, expected)
    records = records_of([line.pk])[line.pk]
    record = next((record for record in records if record.pk == record_id), None)
    if record is None:
        raise NotFound
    if record.released_at is not None:
        raise rules.RecordReleased(processRecordId=record.pk)
    return line, records, record


def _save(
    line: Line,
    records: list[ProcessRecord],
    record: ProcessRecord,
    action: str,
    before: Snapshot,
    kept: dict[str, Any],
    *,
    by: Principal,
    press: Press | None = None,
) -> None:
    """Store a record with its line, and publish the line. `kept`: further values for the audit."""
    save_fields([record], metal.WEIGHTS)
    line.save(update_fields=["metal_mg", "version"])
    auditing.record_movement(
        line,
        action,
        before=before,
        by=by,
        press=press,
        records=[record],
        pieces=record.quantity,
        side=side_of(record),
        **kept,
    )
    data = live.line_data(line, records, [record], processes=processes_for(by.user_id), press=press)
    outbox.publish(LineChanged(data=data), by=Actor.of(by))


def _grams(record: ProcessRecord) -> dict[str, float | None]:
    """Return the weights of a record as the audit keeps them."""
    found = {
        "gramsIn": record.mg_in,
        "gramsOut": record.mg_out,
        "otherGrams": record.mg_other,
        "scrapGrams": record.mg_scrap,
        "addedGrams": record.mg_added,
    }
    return {name: None if mg is None else float(to_grams(mg)) for name, mg in found.items()}
