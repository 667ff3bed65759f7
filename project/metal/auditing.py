"""Write changes of metal into the audit."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Model

from project.access.principal import Principal
from project.audit import services as audit
from project.audit.services import Change, Snapshot
from project.core.grams import per_mille, to_grams
from project.core.texts import text
from project.metal.models import MetalDay, MetalDayAlloy, MetalEntry

_LEFT_OUT = frozenset({"leftMg", "takenMg", "personName", "closedByName", "processName"})


def record(
    entity: str, row: Model, action: str, *, by: Principal, before: Snapshot | None = None, **beside: Any
) -> None:
    """Record an entry, lot, refining or melting in the audit, as it is now. `beside`: further values to record."""
    label = _label(row) if isinstance(row, MetalEntry) else str(row)
    after = snapshot(row, **beside)
    audit.record(entity=entity, entity_id=row.pk, label=label, action=action, before=before, after=after, by=by)


def _label(entry: MetalEntry) -> str:
    """Return the kinds of an entry's two accounts. Their names are left out: they may be names of people."""
    return " → ".join(text(f"metal_account_{end.kind}") for end in (entry.source, entry.target))


def snapshot(row: Model, **beside: Any) -> Snapshot:
    """Return the audit's snapshot of a row, with milligrams as grams, and a fineness in per mille.

    It leaves out what is left of a lot, which the ledger says, and the names on a closed day, which has the ids.
    """
    kept = audit.snapshot(row, **beside)
    return dict(_as_written(name, value) for name, value in kept.items() if name not in _LEFT_OUT)


def _as_written(name: str, value: Any) -> tuple[str, Any]:
    """Return a column's public name and its value. Milligrams become grams: `waxMg` is `waxGrams`."""
    if value is not None and (name == "mg" or name.endswith("Mg")):
        value = float(to_grams(value))
    if value is not None and name == "assay":
        value = float(per_mille(value))
    return ("grams" if name == "mg" else f"{name.removesuffix('Mg')}Grams" if name.endswith("Mg") else name), value


def record_days(days: Sequence[MetalDay], alloys: Sequence[MetalDayAlloy], *, named_by: str, by: Principal) -> None:
    """Record closed days with their counts, in grams. `named_by`: how the people were identified: `pin`, `office`, …"""
    counts: dict[int, list[dict[str, Any]]] = {row.pk: [] for row in days}
    for one in alloys:
        counts[one.day_id].append(
            {"alloyId": one.alloy_id}
            | {
                f"{name}Grams": float(to_grams(getattr(one, f"{name}_mg")))
                for name in ("expected", "counted", "dust", "difference")
            }
        )
    station = audit.at_station(by.station.account) if by.station else {}
    audit.record_all(
        "metal-day",
        (
            Change(
                row.pk,
                str(row),
                "closed",
                None,
                {**snapshot(row, named_by=named_by, alloys=counts[row.pk]), **station},
            )
            for row in days
        ),
        by=by,
    )


def record_reopened(row: MetalDay, *, by: Principal) -> None:
    """Record that a closing is open again."""
    station = audit.at_station(by.station.account) if by.station else {}
    audit.record(
        entity="metal-day",
        entity_id=row.pk,
        label=str(row),
        action="reopened",
        before={"reopened": False},
        after={"reopened": True, **station},
        by=by,
    )


def moved(entries: Sequence[MetalEntry]) -> list[dict[str, Any]]:
    """Return the accounts, alloy, grams and lot of each entry, for the audit of a melting, refining or count."""
    return [
        {"from": one.source_id, "to": one.target_id, "alloyId": one.alloy_id, "grams": float(to_grams(one.mg))}
        | ({} if one.lot_id is None else {"lotId": one.lot_id})
        for one in entries
    ]
