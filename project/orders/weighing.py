"""Write what a movement weighed, after it was made without its weights (infra/docs/rules.md#metal)."""

from project.access.principal import Principal
from project.catalogs.models import Weighs
from project.core.errors import NotFound
from project.core.grams import to_grams
from project.core.idempotency import unit_of_work
from project.core.queries import save_fields
from project.metal.rules import WeighedLater
from project.orders import auditing, events as live, metal, rules
from project.orders.events import LineChanged
from project.orders.models import Line, ProcessRecord
from project.orders.movements import line_for_update
from project.orders.offers import side_of
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
) -> Line:
    """Write the weights of a record, and book the metal of its line as if they had been known in time.

    Raises `NotFound`, `StaleVersion`, `RecordReleased`, `AlreadyPaid`, `InvalidFields`, `GramsHeavier`.
    """
    line = line_for_update(order_id, position, expected)
    records = records_of([line.pk])[line.pk]
    record = next((record for record in records if record.pk == record_id), None)
    if record is None:
        raise NotFound
    if record.released_at is not None:
        raise rules.RecordReleased(processRecordId=record.pk)
    if record.quantity_paid:
        raise rules.AlreadyPaid(processRecordId=record.pk)
    metal.check_later(record, weights, weighs=record.process_weighs != Weighs.no, alloy=line.item.alloy_id is not None)
    before = {**auditing.snapshot(line), **_grams(record)}
    if metal.weigh_later(line, records, record, weights, by=by):
        save_fields([record], metal.WEIGHTS)
        line.save(update_fields=["metal_mg", "version"])
        auditing.record_movement(
            line,
            "weighed",
            before=before,
            by=by,
            records=[record],
            pieces=record.quantity,
            side=side_of(record),
            **_grams(record),
            **({"weightReason": weights.why} if weights.why else {}),
        )
        data = live.line_data(line, records, [record], processes=processes_for(by.user_id))
        outbox.publish(LineChanged(data=data), by=Actor.of(by))
    return line_get(order_id, position)


def _grams(record: ProcessRecord) -> dict[str, float | None]:
    """Return what the audit keeps of a record's weights."""
    found = {
        "gramsIn": record.mg_in,
        "gramsOut": record.mg_out,
        "otherGrams": record.mg_other,
        "scrapGrams": record.mg_scrap,
    }
    return {name: None if mg is None else float(to_grams(mg)) for name, mg in found.items()}
