"""Write changes of batches into the audit."""

from typing import Any

from project.access.principal import Principal
from project.audit import services as audit
from project.audit.services import Snapshot
from project.batches.models import Batch
from project.metal.auditing import snapshot as in_grams


def snapshot(batch: Batch) -> Snapshot:
    """Return what the audit keeps of a batch: its columns, with weights in grams, and its lines, which are loaded."""
    lines = [
        {
            "salesOrderId": row.line.order_id,
            "position": row.line.position,
            "quantity": row.quantity,
        }
        for row in batch.loaded_lines
    ]
    return in_grams(batch, lines=lines)


def record_batch(batch: Batch, action: str, *, before: Snapshot | None, by: Principal, **beside: Any) -> None:
    """Record a change of a batch. If an operator did it, the account of the station is recorded too."""
    if by.station:
        beside |= audit.at_station(by.station.account)
    audit.record(
        entity="batch",
        entity_id=batch.pk,
        label=f"{batch.process.name} {batch}",
        action=action,
        before=before,
        after={**snapshot(batch), **beside},
        by=by,
    )
