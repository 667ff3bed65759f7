"""Writes of the catalogs: create, change and delete an entry of any catalog, and set piece prices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from itertools import batched

from django.db import models

from project.access.permissions import Permission
from project.access.principal import Principal
from project.audit import services as audit
from project.catalogs import selectors
from project.catalogs.definition import CatalogDefinition, Fields
from project.catalogs.models import Item, PriceUnit, ProcessItemPrice, ProcessPrice, ProductionProcess
from project.core import clock
from project.core.constraints import delete_unused, unique
from project.core.errors import AlreadyExists, ChangeInUse, FieldError, InvalidFields, Refusal
from project.core.idempotency import unit_of_work
from project.core.queries import save_fields
from project.core.versions import Unchanged, Versioned, changed_or_as_it_is
from project.events import CatalogChanged, CatalogData, Change, list_published, record_and_publish
from realtime import outbox
from realtime.registry import Actor

BATCH = 1_000
ITEM_PRICES = "process-item-prices"
"""The name of piece prices by process and product in paths, events, the audit and files."""
list_published(ITEM_PRICES, frozenset({Permission.ListPiecePrices}))


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

    Raises `NotFound`, `StaleVersion`, `ChangeInUse`, and what `entry_create` raises.
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
    for end in definition.before_delete:
        end(row, by)
    delete_unused(definition.model._default_manager.get(pk=entry_id))
    publish_change(definition, row, "deleted", by, before=before, after=None)
    return row


def _write[Entry: Versioned](definition: CatalogDefinition[Entry], row: Entry, fields: Fields, by: Principal) -> None:
    definition.check(fields)
    if errors := [*definition.errors(row, fields)]:
        raise InvalidFields(errors=errors)
    for _, error in definition.forbidden([(row, fields)] if row.pk else []):
        raise ChangeInUse(error)
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
    """Record the change of an entry in the audit, and publish it together with other events of its catalog."""
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
    """Add a row to the price history of each process with a changed price. 2 queries for any number of processes."""
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


class PriceInForce(Refusal):
    """The piece price has begun: pieces may have been paid at it. Set a new price instead, from now or later on."""

    code = "price_in_force"


@dataclass(frozen=True)
class PriceCell:
    """The price of a product in a process. `item_id` None: every product. `price` None: no price of its own."""

    process_id: int
    item_id: int | None
    unit: PriceUnit
    price: Decimal | None


@unit_of_work
def price_create(*, cell: PriceCell, since: datetime | None, by: Principal) -> ProcessItemPrice:
    """Set the piece price of a cell from `since` on; None: from now on.

    Raises `InvalidFields` (`unknown` ids, `in_the_past`, `date_out_of_range`), and `AlreadyExists` if another price of
    the cell begins at the same instant.
    """
    begin = _begin(since)
    processes, items = _named([cell], "")
    row = _price(cell, begin, processes, items, by)
    _refuse_same_begin(row)
    row.save(force_insert=True)
    record_and_publish(ITEM_PRICES, row, "created", by, before=None, after=_price_snapshot(row))
    return row


@unit_of_work
def price_change(
    *, price_id: int, fields: Fields, by: Principal, expected: frozenset[int] | None = None
) -> ProcessItemPrice:
    """Change a piece price that has not begun. Omitted fields keep their values.

    Raises `NotFound`, `StaleVersion`, `PriceInForce`, and what `price_create` raises.
    """

    def change() -> ProcessItemPrice:
        row = _planned(price_id)
        row.claim(expected)
        before = _price_snapshot(row)
        for name, value in fields.items():
            setattr(row, name, _begin(value) if name == "since" else value)
        after = _price_snapshot(row)
        if after == before:
            raise Unchanged
        _refuse_same_begin(row)
        row.save()
        record_and_publish(ITEM_PRICES, row, "changed", by, before=before, after=after)
        return row

    return changed_or_as_it_is(change, lambda: selectors.entry_get(selectors.item_prices(), price_id))


@unit_of_work
def price_delete(*, price_id: int, by: Principal) -> ProcessItemPrice:
    """Delete a piece price that has not begun. Raises `NotFound`, `PriceInForce`."""
    row = _planned(price_id)
    record_and_publish(ITEM_PRICES, row, "deleted", by, before=_price_snapshot(row), after=None)
    ProcessItemPrice.objects.filter(pk=row.pk).delete()
    return row


@unit_of_work
def prices_set(*, cells: Sequence[PriceCell], since: datetime | None, by: Principal) -> list[ProcessItemPrice]:
    """Set many cells from `since` on; None: from now on. Returns the prices that were written.

    A cell that already has the given price is not written. If a price of the cell begins at the same instant, it is
    replaced. Raises `InvalidFields` as `price_create` does, and with code `named_twice` for a cell that is named again.
    """
    seen: set[tuple[int, int | None]] = set()
    errors = []
    for index, cell in enumerate(cells):
        key = cell.process_id, cell.item_id
        if key in seen:
            errors.append(FieldError(f"cells.{index}.itemId", "named_twice"))
        seen.add(key)
    if errors:
        raise InvalidFields(errors=errors)
    written = prices_write(cells, since=since, by=by)
    if written:
        data = CatalogData(id=0, catalog=ITEM_PRICES, change="imported")
        outbox.publish(CatalogChanged(data=data), by=Actor.of(by))
    return written


def prices_write(cells: Sequence[PriceCell], *, since: datetime | None, by: Principal) -> list[ProcessItemPrice]:
    """Set cells as `prices_set` does, in the caller's transaction and without the event. Each cell is named once.

    Sends a fixed number of statements for each 1,000 cells.
    """
    begin = _begin(since)
    written: list[ProcessItemPrice] = []
    for batch in batched(cells, BATCH):
        processes, items = _named(batch, "cells.{}.")
        last = {
            (row.process_id, row.item_id): row
            for rows in (
                selectors.prices_at(begin, of_all=False).filter(item__in=items),
                selectors.prices_at(begin, of_all=True),
            )
            for row in rows.filter(process__in=processes)
        }
        changes: list[tuple[ProcessItemPrice, audit.Snapshot | None]] = []
        for cell in batch:
            before = last.get((cell.process_id, cell.item_id))
            earned = (before.price, before.unit) if before and before.price is not None else None
            if earned == (None if cell.price is None else (cell.price, cell.unit)):
                continue
            row = _price(cell, begin, processes, items, by)
            if before is None or before.since < begin:
                changes.append((row, None))
                continue
            # A price of the cell begins at the same instant: replace it, because a cell has one price at a time.
            row.pk, row.version = before.pk, before.version
            row.claim(None)
            changes.append((row, _price_snapshot(before)))
        ProcessItemPrice.objects.bulk_create(row for row, kept in changes if kept is None)
        save_fields(
            [row for row, kept in changes if kept is not None], ["version", "unit", "price", "user_id", "user_name"]
        )
        audit.record_all(
            ITEM_PRICES,
            [
                audit.Change(row.pk, str(row), "changed" if kept else "created", kept, _price_snapshot(row))
                for row, kept in changes
            ],
            by=by,
        )
        written += [row for row, _ in changes]
    return written


def _begin(since: datetime | None) -> datetime:
    """Return the instant from which a price applies. It is never in the past, because pieces may have left since then.

    If `since` is today, as a day, the price applies from now on. Raises `InvalidFields`.
    """
    now = clock.now()
    if since is None:
        return now
    earliest = now - clock.CLOCKS_DIFFER
    if since < earliest and since != clock.start_of(clock.day_of(earliest)):
        raise InvalidFields.of("since", "in_the_past")
    if since >= clock.end_of(clock.LAST_DAY):
        raise InvalidFields.of("since", "date_out_of_range", first=str(clock.FIRST_DAY), last=str(clock.LAST_DAY))
    return max(since, now)


def _named(cells: Sequence[PriceCell], path: str) -> tuple[dict[int, ProductionProcess], dict[int, Item]]:
    """Lock the processes of cells. Returns the processes and the products, by id. 2 queries.

    Raises `InvalidFields` for unknown ids, with field names that begin with `path`. The lock lets only one writer at a
    time set the prices of a process. It does not block movements.
    """
    locked = ProductionProcess.objects.select_for_update(no_key=True).order_by("pk").only("name")
    processes = {row.pk: row for row in locked.filter(pk__in={cell.process_id for cell in cells})}
    known = Item.objects.only("key", "name").filter(pk__in={cell.item_id for cell in cells if cell.item_id is not None})
    items = {row.pk: row for row in known}
    errors = []
    for index, cell in enumerate(cells):
        if cell.process_id not in processes:
            errors.append(FieldError(f"{path.format(index)}productionProcessId", "unknown"))
        if cell.item_id is not None and cell.item_id not in items:
            errors.append(FieldError(f"{path.format(index)}itemId", "unknown"))
    if errors:
        raise InvalidFields(errors=errors)
    return processes, items


def _price(
    cell: PriceCell,
    begin: datetime,
    processes: Mapping[int, ProductionProcess],
    items: Mapping[int, Item],
    by: Principal,
) -> ProcessItemPrice:
    return ProcessItemPrice(
        process=processes[cell.process_id],
        item=None if cell.item_id is None else items[cell.item_id],
        unit=cell.unit,
        price=cell.price,
        since=begin,
        user_id=by.user_id,
        user_name=by.full_name,
    )


def _planned(price_id: int) -> ProcessItemPrice:
    """Lock a price that has not begun, and its process. Returns the price. Raises `NotFound`, `PriceInForce`."""
    process_id = selectors.entry_get(selectors.item_prices(), price_id).process_id
    list(ProductionProcess.objects.select_for_update(no_key=True).filter(pk=process_id).values_list("pk"))
    row = selectors.entry_for_update(selectors.item_prices(), price_id)
    if row.since <= clock.now():
        raise PriceInForce
    return row


def _refuse_same_begin(row: ProcessItemPrice) -> None:
    """Raise `AlreadyExists` if another price of the cell begins at this instant. The caller has locked the process."""
    same = ProcessItemPrice.objects.filter(process=row.process_id, item=row.item_id, since=row.since)
    if same.exclude(pk=row.pk).exists():
        raise AlreadyExists("since")


def _price_snapshot(row: ProcessItemPrice) -> audit.Snapshot:
    """Return the audit's snapshot of a piece price. It leaves out the user, because the audit row names the user."""
    kept = audit.snapshot(row)
    return {name: kept[name] for name in ("processId", "itemId", "unit", "price", "since")}


def erase_person(user_id: int, name: str) -> None:
    """Replace the name of a person by `name` in the history of the prices that they set."""
    ProcessPrice.objects.filter(user_id=user_id).update(user_name=name)
    ProcessItemPrice.objects.filter(user_id=user_id).update(user_name=name)
