"""Writes of the catalogs: create, change and delete an entry of any catalog."""

from collections.abc import Mapping, Sequence

from django.db import models

from project.access.principal import Principal
from project.audit import services as audit
from project.catalogs import selectors
from project.catalogs.definition import CatalogDefinition, Fields
from project.catalogs.models import ProcessPrice, ProductionProcess
from project.core import clock
from project.core.constraints import delete_unused, unique
from project.core.errors import FieldError, InvalidFields
from project.core.idempotency import unit_of_work
from project.core.versions import Unchanged, Versioned, changed_or_as_it_is
from project.events import Change, record_and_publish

BATCH = 1_000


@unit_of_work
def entry_create[Entry: Versioned](definition: CatalogDefinition[Entry], *, fields: Fields, by: Principal) -> Entry:
    """Create an entry. Raises `AlreadyExists`, `InvalidFields` (code `unknown` for an id that does not exist), and the
    errors of its definition's `write_related`."""
    row = definition.model()
    _write(definition, row, fields, by)
    created = selectors.entry_get(definition.rows(), row.pk)
    publish_change(definition, created, "created", by, before=None, after=definition.snapshot(created))
    return created


@unit_of_work
def entry_change[Entry: Versioned](
    definition: CatalogDefinition[Entry],
    *,
    entry_id: int,
    fields: Fields,
    by: Principal,
    expected: frozenset[int] | None = None,
) -> Entry:
    """Change an entry; omitted fields keep their values. A change without effect writes nothing.

    Raises `NotFound`, `StaleVersion`, and what `entry_create` raises.
    """

    def change() -> Entry:
        row = selectors.entry_for_update(definition.rows(), entry_id)
        row.claim(expected)
        before = definition.snapshot(row)
        _write(definition, row, fields, by)
        changed = selectors.entry_get(definition.rows(), entry_id)
        after = definition.snapshot(changed)
        if after == before:
            raise Unchanged
        publish_change(definition, changed, "changed", by, before=before, after=after)
        return changed

    return changed_or_as_it_is(change, lambda: selectors.entry_get(definition.rows(), entry_id))


@unit_of_work
def entry_delete[Entry: Versioned](definition: CatalogDefinition[Entry], *, entry_id: int, by: Principal) -> Entry:
    """Delete an entry that no record uses. Returns the deleted entry. Raises `NotFound`, `InUse`."""
    row = selectors.entry_for_update(definition.rows(), entry_id)
    before = definition.snapshot(row)
    delete_unused(definition.model._default_manager.get(pk=entry_id))
    publish_change(definition, row, "deleted", by, before=before, after=None)
    return row


def _write[Entry: Versioned](definition: CatalogDefinition[Entry], row: Entry, fields: Fields, by: Principal) -> None:
    definition.check(fields)
    if errors := [*definition.errors(row, fields)]:
        raise InvalidFields(errors=errors)
    for name, value in definition.columns_of(fields).items():
        setattr(row, name, value)
    definition.fill_in([row])
    with unique(definition.unique_fields):
        row.save()
    definition.write_related([(row, fields)], by)


def publish_change[Entry: Versioned](
    definition: CatalogDefinition[Entry],
    row: Entry,
    change: Change,
    by: Principal,
    *,
    before: audit.Snapshot | None,
    after: audit.Snapshot | None,
) -> None:
    """Record the change of an entry in the audit and publish it, with the further events of its definition."""
    definition.publish_related(before, after, by)
    record_and_publish(definition.name, row, change, by, before=before, after=after)


def refuse_unknown(model: type[models.Model], asked: Mapping[str, int | None]) -> None:
    """Raise `InvalidFields` for each field (public path → id) whose id does not exist. 1 query."""
    ids = {one for one in asked.values() if one is not None}
    known = set(model._default_manager.filter(pk__in=ids).values_list("pk", flat=True)) if ids else set()
    errors = [FieldError(path, "unknown") for path, one in asked.items() if one is not None and one not in known]
    if errors:
        raise InvalidFields(errors=errors)


def keep_prices(rows: Sequence[ProductionProcess], by: Principal) -> None:
    """Add the prices that have changed to the history of prices. 2 queries for any number of rows."""
    history = ProcessPrice.objects.filter(process__in=rows).order_by("id")
    last = {row.process_id: row for row in history.only("process_id", "price", "since")}
    now = clock.now()
    ProcessPrice.objects.bulk_create(
        ProcessPrice(
            process=row,
            price=row.price,
            # Never before the price it replaces, even if the clock was set back.
            since=max(now, before.since) if before else now,
            user_id=by.user_id,
            user_name=by.full_name,
        )
        for row in rows
        if (before := last.get(row.pk)) is None or before.price != row.price
    )


def erase_person(user_id: int, name: str) -> None:
    """Replace the name of a person by `name` in the history of the prices that they set."""
    ProcessPrice.objects.filter(user_id=user_id).update(user_name=name)
