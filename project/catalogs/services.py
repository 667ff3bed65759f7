"""Writes of the catalogs: the same three verbs for each, and what is particular to one.

See infra/docs/rules.md#catalogs.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import batched
from typing import Any

from django.db import models
from django.db.models import QuerySet

from project.access.principal import Principal
from project.audit import services as audit
from project.catalogs import selectors
from project.catalogs.models import (
    Company,
    Component,
    Customer,
    CustomerType,
    ExportTaxItem,
    Item,
    ItemComponent,
    Material,
    ProcessPrice,
    ProductionProcess,
    ReleaseReason,
    ScrapReason,
    TaxSection,
)
from project.core import clock
from project.core.constraints import delete_unused, unique
from project.core.errors import FieldError, InvalidFields
from project.core.idempotency import unit_of_work
from project.core.money import price_decimals, too_many_decimals
from project.core.versions import Unchanged, Versioned, changed_or_as_it_is
from project.events import Catalog, Change, record_and_publish

BATCH = 1_000
Fields = dict[str, Any]


def _plain(row: models.Model, fields: Fields) -> None:
    for name, value in fields.items():
        setattr(row, name, value)


@dataclass(frozen=True)
class CatalogDefinition[Entry: Versioned]:
    """How one catalog is written: its rows, what must be unique, and what is written beside plain columns."""

    catalog: Catalog
    model: type[Entry]
    rows: Callable[[], QuerySet[Entry]]
    unique_fields: Mapping[str, str]
    check: Callable[[Fields], None] = lambda fields: None
    fill_in: Callable[[Sequence[Entry]], None] = lambda rows: None
    """Gives rows that are about to be written the values that their caller left to the server."""
    errors: Callable[[Entry, Fields], Iterable[FieldError]] = lambda row, fields: ()
    """What is wrong with `fields` beside what `row`, a stored or new entry, keeps."""
    related_fields: frozenset[str] = field(default_factory=frozenset)
    write_related: Callable[[Sequence[tuple[Any, Fields]], Principal], None] = lambda rows, by: None
    related_snapshot: Callable[[Any], dict[str, Any]] = lambda row: {}
    publish_related: Callable[[audit.Snapshot | None, audit.Snapshot | None, Principal], None] = (
        lambda before, after, by: None
    )
    """What else is published of a change, by what the audit keeps of the entry before and after it."""

    def columns_of(self, fields: Fields) -> Fields:
        """The fields that are columns of the row itself."""
        return {name: value for name, value in fields.items() if name not in self.related_fields}

    def snapshot(self, row: Entry) -> audit.Snapshot:
        """What the audit keeps of an entry loaded by `rows`."""
        return audit.snapshot(row, **self.related_snapshot(row))


@unit_of_work
def entry_create[Entry: Versioned](definition: CatalogDefinition[Entry], *, fields: Fields, by: Principal) -> Entry:
    """Create an entry. Raises `AlreadyExists`, `InvalidFields` with code `unknown` for an id that does not exist, and
    what its definition's `write_related` raises."""
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
    """Change an entry; fields left out keep their values. Raises `NotFound`, `StaleVersion`, `AlreadyExists`."""

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
    """Delete an entry that nothing uses. Returns it as it was. Raises `NotFound`, `InUse`."""
    row = selectors.entry_for_update(definition.rows(), entry_id)
    before = definition.snapshot(row)
    delete_unused(definition.model._default_manager.get(pk=entry_id))
    publish_change(definition, row, "deleted", by, before=before, after=None)
    return row


def _write[Entry: Versioned](definition: CatalogDefinition[Entry], row: Entry, fields: Fields, by: Principal) -> None:
    definition.check(fields)
    if errors := [*definition.errors(row, fields)]:
        raise InvalidFields(errors=errors)
    _plain(row, definition.columns_of(fields))
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
    """Record and publish the change of an entry, and what else its definition publishes of it."""
    definition.publish_related(before, after, by)
    record_and_publish(definition.catalog, row, change, by, before=before, after=after)


def refuse_unknown(model: type[models.Model], asked: Mapping[str, int | None]) -> None:
    """Raise `InvalidFields` for each field (public path → id) whose id does not exist. 1 query."""
    ids = {one for one in asked.values() if one is not None}
    known = set(model._default_manager.filter(pk__in=ids).values_list("pk", flat=True)) if ids else set()
    errors = [FieldError(path, "unknown") for path, one in asked.items() if one is not None and one not in known]
    if errors:
        raise InvalidFields(errors=errors)


def _check_customer(fields: Fields) -> None:
    refuse_unknown(CustomerType, {"customerTypeId": fields.get("customer_type_id")})
    refuse_unknown(TaxSection, {"taxSectionId": fields.get("tax_section_id")})


def keep_prices(rows: Sequence[ProductionProcess], by: Principal) -> None:
    """Add to the history of prices those that are new. 2 queries whatever the number."""
    history = ProcessPrice.objects.filter(process__in=rows).order_by("id")
    last = {row.process_id: row for row in history.only("process_id", "price", "since")}
    now = clock.now()
    ProcessPrice.objects.bulk_create(
        ProcessPrice(
            process=row,
            price=row.price,
            # Not before the price that it replaces, even where the clock was set back.
            since=max(now, before.since) if before else now,
            user_id=by.user_id,
            user_name=by.full_name,
        )
        for row in rows
        if (before := last.get(row.pk)) is None or before.price != row.price
    )


def erase_person(user_id: int, name: str) -> None:
    """Name a person `name` where prices that he set name him."""
    ProcessPrice.objects.filter(user_id=user_id).update(user_name=name)


def _check_item(fields: Fields) -> None:
    """Check the ids, and turn the tariff code into the row it names."""
    if "tax_item_key" in fields:
        code = fields.pop("tax_item_key")
        fields["tax_item"] = ExportTaxItem.objects.filter(code=code).first() if code else None
        if code and fields["tax_item"] is None:
            raise InvalidFields.of("taxItemKey", "unknown")
    rows = list(enumerate(fields.get("components", [])))
    refuse_unknown(Component, {f"components.{index}.componentId": one["component_id"] for index, one in rows})
    refuse_unknown(Material, {f"components.{index}.materialId": one.get("material_id") for index, one in rows})


def _item_errors(row: Item, fields: Fields) -> Iterable[FieldError]:
    """A price has the decimals that its currency allows, whichever of the two is changed."""
    currency = fields.get("currency", row.currency)
    return too_many_decimals("sellPrice", Decimal(fields.get("sell_price", row.sell_price)), price_decimals(currency))


def _write_item_components(rows: Iterable[tuple[Item, Fields]], by: Principal) -> None:
    """Replace the component rows of those products whose fields have some. 2 queries for 1,000 products."""
    for batch in batched((one for one in rows if "components" in one[1]), BATCH):
        ItemComponent.objects.filter(item__in=[row.pk for row, _ in batch]).delete()
        ItemComponent.objects.bulk_create(
            (
                ItemComponent(
                    item=row,
                    place=place,
                    component_id=one["component_id"],
                    material_id=one.get("material_id"),
                    notes=one.get("notes", ""),
                )
                for row, fields in batch
                for place, one in enumerate(fields["components"], start=1)
            ),
            batch_size=BATCH,
        )


CUSTOMER_TYPES = CatalogDefinition(
    "customer-types", CustomerType, selectors.customer_types, {"customertype_key_once": "key"}
)
TAX_SECTIONS = CatalogDefinition("tax-sections", TaxSection, selectors.tax_sections, {"taxsection_key_once": "key"})
RELEASE_REASONS = CatalogDefinition(
    "release-reasons", ReleaseReason, selectors.release_reasons, {"releasereason_key_once": "key"}
)
SCRAP_REASONS = CatalogDefinition(
    "scrap-reasons", ScrapReason, selectors.scrap_reasons, {"scrapreason_key_once": "key"}
)
COMPANIES = CatalogDefinition("companies", Company, selectors.companies, {"company_name_once": "name"})
EXPORT_TAX_ITEMS = CatalogDefinition(
    "export-tax-items", ExportTaxItem, selectors.export_tax_items, {"export_tax_item_code_once": "code"}
)
CUSTOMERS = CatalogDefinition(
    "customers", Customer, selectors.customers, {"customer_name_once": "name"}, check=_check_customer
)
MATERIALS = CatalogDefinition("materials", Material, selectors.materials, {"material_name_once": "name"})
COMPONENTS = CatalogDefinition("components", Component, selectors.components, {"component_name_once": "name"})
ITEMS = CatalogDefinition(
    "items",
    Item,
    selectors.items,
    {"item_key_once": "key", "item_name_once": "name"},
    check=_check_item,
    errors=_item_errors,
    related_fields=frozenset({"components"}),
    write_related=_write_item_components,
    related_snapshot=lambda row: {
        "components": [
            {
                "componentName": one.component_name,
                "materialName": one.material_name,
                "notes": one.notes,
            }
            for one in row.components.all()
        ]
    },
)
