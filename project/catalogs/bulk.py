"""Writes many entries of one catalog at once, for an import. The rules of single writes apply."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Any

from django.db import connection

from project.access.principal import Principal
from project.audit import services as audit
from project.catalogs.definition import CatalogDefinition, Fields
from project.catalogs.services import BATCH
from project.events import BoardChanged, CatalogChanged, CatalogData, is_on_board
from realtime import outbox
from realtime.registry import Actor


@dataclass(frozen=True)
class Planned:
    """An entry to write.

    `row`: the entry, loaded and locked by a query on the definition's `rows()`; None for a new one. `fields`: the
    validated fields.
    """

    row: Any
    fields: Fields


def entries_write(definition: CatalogDefinition[Any], planned: Sequence[Planned], *, by: Principal) -> None:
    """Create and change entries in the caller's transaction, with one audit row for each.

    The number of statements grows with each 1,000 entries, not with each entry. Raises IntegrityError if the database
    refuses an entry; the caller must then roll back the transaction.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("many entries are written in one transaction")
    new = [one for one in planned if one.row is None]
    old = [one for one in planned if one.row is not None]
    before = [definition.snapshot(one.row) for one in old]
    made = [definition.model() for _ in new]
    pairs = [*zip(made, new, strict=True), *((one.row, one) for one in old)]
    for row, one in pairs:
        for name, value in definition.columns_of(one.fields).items():
            setattr(row, name, value)
    definition.fill_in([row for row, _ in pairs])
    manager = definition.model._default_manager
    manager.bulk_create(made, batch_size=BATCH)
    for one in old:
        one.row.claim(None)
    touched = sorted({"version"} | {name for one in old for name in definition.columns_of(one.fields)})
    if old:
        # An upsert: one statement for 1,000 rows. bulk_update would test the id of each row in a CASE.
        manager.bulk_create(
            [one.row for one in old],
            batch_size=BATCH,
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=touched,
        )
    definition.write_related([(row, one.fields) for row, one in pairs], by)
    changes: list[tuple[str, Any, audit.Snapshot | None]] = [("created", row, None) for row in made]
    changes += [("changed", one.row, kept) for one, kept in zip(old, before, strict=True)]
    for batch in batched(changes, BATCH):
        fresh = _reloaded(definition, [row for _, row, _ in batch])
        after = {pk: definition.snapshot(row) for pk, row in fresh.items()}
        audit.record_all(
            definition.name,
            [audit.Change(row.pk, str(fresh[row.pk]), action, kept, after[row.pk]) for action, row, kept in batch],
            by=by,
        )
        for _, row, kept in batch:
            definition.publish_related(kept, after[row.pk], by)


def _reloaded(definition: CatalogDefinition[Any], rows: Iterable[Any]) -> dict[int, Any]:
    """Return the current rows by id. Reads the rows again only if the catalog has related fields."""
    if not definition.related_fields:
        return {row.pk: row for row in rows}
    return {row.pk: row for row in definition.rows().filter(pk__in=[row.pk for row in rows])}


def publish_imported(definition: CatalogDefinition[Any], *, by: Principal) -> None:
    """Publish one event for a whole import, because one event per row would flood every screen. Call it last.

    The event's `id` is 0, because it is not about a single entry. Clients that show the catalog reload it.
    """
    data = CatalogData(id=0, catalog=definition.name, change="imported")
    outbox.publish(CatalogChanged(data=data), by=Actor.of(by))
    if is_on_board(definition.name):
        outbox.publish(BoardChanged(), by=None)
