"""What can be imported: the columns of each catalog's file, by the contract's field names.

A flat file cannot hold a list, so `components`, `addresses`, `phones` and `emails` are compact cells (`compact.py`): a
record a line, its parts between bars.

- components: component | material | notes
- addresses: kind | street | exteriorNumber | interiorNumber | neighborhood | city | state | postalCode | country
- phones: countryCode | number | extension
- emails: one a line

`customerType`, `taxSection`, components and materials are written by name, the first two in either language or by key.
An empty cell empties a text or a list; in a column of numbers, of yes and no or of currencies it says nothing. A column
left out keeps what the record has.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic.alias_generators import to_snake

from project.catalogs import schemas, services
from project.catalogs.models import Component, CustomerType, ExportTaxItem, Item, Material, TaxSection
from project.catalogs.services import CatalogDefinition
from project.core.schemas import In
from project.importing.cells import (
    Cell,
    Column,
    Names,
    Registers,
    as_choice,
    as_code,
    as_flag,
    as_number,
    as_text,
    as_whole,
)
from project.importing.compact import pack, unpack
from project.importing.schemas import ImportCatalog

PLACE = ("street", "exteriorNumber", "interiorNumber", "neighborhood", "city", "state", "postalCode", "country")
ADDRESS = ("kind", *PLACE)
PHONE = ("countryCode", "number", "extension")


@dataclass(frozen=True)
class Importable:
    """A catalog that can be imported. `key` is the column that says which record a row is about."""

    catalog: ImportCatalog
    definition: CatalogDefinition[Any]
    permission: str
    key: str
    label: str
    body: type[In]
    change: type[In]
    columns: tuple[Column, ...]
    example: tuple[str, ...]
    registers: Callable[[], Registers] = dict
    stored: Callable[[dict[str, Any], Registers], dict[str, Any]] = lambda fields, registers: fields
    also_called: Mapping[str, str] = field(default_factory=dict)
    passed_over: frozenset[str] = frozenset()

    @property
    def heads(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


def plain(name: str, read: Callable[[Cell, Registers], Any] = as_text) -> Column:
    """A column that is one field and one database column."""
    attribute = to_snake(name)

    def was(row: Any) -> Any:
        return getattr(row, attribute)

    def becomes(fields: dict[str, Any], registers: Registers) -> Any:
        return fields[attribute]

    return Column(name, name, read, was, becomes)


def named(name: str, register: str) -> Column:
    """A column that names one row of a short list; empty for none."""
    attribute = f"{to_snake(name)}_id"

    def mentions(cell: Cell) -> Iterable[tuple[str, str]]:
        return [(register, cell.strip())] if isinstance(cell, str) and cell.strip() else []

    def read(cell: Cell, registers: Registers) -> Any:
        text = as_text(cell, registers).strip()
        return registers[register].id_of(text) if text else None

    def was(row: Any) -> Any:
        other = getattr(row, to_snake(name))
        return other.name_spanish if other else ""

    def becomes(fields: dict[str, Any], registers: Registers) -> Any:
        return registers[register].name_of(fields[attribute])

    return Column(name, f"{name}Id", read, was, becomes, mentions)


def records(name: str, parts: tuple[str, ...]) -> Column:
    """A compact column of records that the catalog keeps whole."""

    def read(cell: Cell, registers: Registers) -> Any:
        return [
            dict(zip(parts, record, strict=False)) | {str(place): "" for place in range(len(parts), len(record))}
            for record in unpack(as_text(cell, registers))
        ]

    def flat(kept: list[dict[str, str]]) -> str:
        return pack([record.get(part, "") for part in parts] for record in kept)

    return Column(name, name, read, lambda row: flat(getattr(row, name)), lambda fields, _: flat(fields[name]))


def _read_emails(cell: Cell, registers: Registers) -> Any:
    return [line.strip() for line in as_text(cell, registers).splitlines() if line.strip()]


def _components_named(cell: Cell) -> Iterable[tuple[str, str]]:
    for record in unpack(cell) if isinstance(cell, str) else []:
        yield "components", record[0]
        if len(record) > 1 and record[1]:
            yield "materials", record[1]


def _read_components(cell: Cell, registers: Registers) -> Any:
    rows = []
    for record in unpack(as_text(cell, registers)):
        component, material, notes, *more = [*record, "", ""][: max(3, len(record))]
        row: dict[str, Any] = {"componentId": registers["components"].id_of(component), "notes": notes}
        if material:
            row["materialId"] = registers["materials"].id_of(material)
        rows.append(row | {f"part{place}": part for place, part in enumerate(more, start=4)})
    return rows


def _components_were(row: Item) -> str:
    return pack((one.component_name, one.material_name or "", one.notes) for one in row.components.all())


def _components_become(fields: dict[str, Any], registers: Registers) -> str:
    return pack(
        (
            registers["components"].name_of(one["component_id"]),
            registers["materials"].name_of(one.get("material_id")),
            one.get("notes", ""),
        )
        for one in fields["components"]
    )


def _read_tax_item(cell: Cell, registers: Registers) -> Any:
    code = as_code(cell, registers)
    if code:
        registers["taxItems"].id_of(code)
    return code


def _with_tax_item(fields: dict[str, Any], registers: Registers) -> dict[str, Any]:
    """The tariff code turned into the record it names."""
    if "tax_item_key" not in fields:
        return fields
    code = fields["tax_item_key"]
    rest = {name: value for name, value in fields.items() if name != "tax_item_key"}
    return rest | {"tax_item_id": registers["taxItems"].id_of(code) if code else None}


EXPORT_TAX_ITEMS = Importable(
    "export-tax-items",
    services.EXPORT_TAX_ITEMS,
    "ExportTax",
    "code",
    "spanishDescription",
    schemas.ExportTaxItemIn,
    schemas.ExportTaxItemChange,
    (
        plain("code", as_code),
        plain("englishDescription"),
        plain("spanishDescription"),
        plain("englishMetalName"),
        plain("spanishMetalName"),
    ),
    ("0711311401", "Articles of jewellery, of silver", "Artículos de joyería, de plata", "Silver", "Plata"),
    # The tax authority's own list, as it is published.
    also_called={"fraccion": "code", "texto": "spanishDescription"},
    passed_over=frozenset({"vigencia_desde", "vigencia_hasta", "unidad"}),
)
ITEMS = Importable(
    "items",
    services.ITEMS,
    "Item",
    "key",
    "name",
    schemas.ItemIn,
    schemas.ItemChange,
    (
        plain("key", as_code),
        plain("name"),
        Column(
            "taxItemKey",
            "taxItemKey",
            _read_tax_item,
            lambda row: row.tax_item.code if row.tax_item else "",
            lambda fields, _: fields["tax_item_key"],
            lambda cell: [("taxItems", cell.strip())] if isinstance(cell, str) and cell.strip() else [],
        ),
        plain("satUnitMeasurement", as_code),
        plain("descriptionSpanish"),
        plain("descriptionEnglish"),
        plain("taxAmount", as_number),
        plain("sellPrice", as_number),
        plain("currency", as_choice),
        plain("priority", as_whole),
        plain("antique", as_flag),
        plain("measures"),
        Column("components", "components", _read_components, _components_were, _components_become, _components_named),
        plain("status", as_flag),
    ),
    (
        "AN-001",
        "Anillo liso",
        "",
        "H87",
        "Anillo de plata",
        "Silver ring",
        "16",
        "850.50",
        "MXN",
        "3",
        "false",
        "18 mm",
        "Aro | Plata .925 | pulido a mano\nEngaste",
        "true",
    ),
    registers=lambda: {
        "components": Names(Component),
        "materials": Names(Material),
        "taxItems": Names(ExportTaxItem, "code"),
    },
    stored=_with_tax_item,
)
CUSTOMERS = Importable(
    "customers",
    services.CUSTOMERS,
    "Customer",
    "name",
    "name",
    schemas.CustomerIn,
    schemas.CustomerChange,
    (
        plain("name"),
        named("customerType", "customerTypes"),
        named("taxSection", "taxSections"),
        plain("taxId", as_code),
        plain("quinto"),
        plain("currency", as_choice),
        records("addresses", ADDRESS),
        records("phones", PHONE),
        Column(
            "emails",
            "emails",
            _read_emails,
            lambda row: "\n".join(row.emails),
            lambda fields, _: "\n".join(fields["emails"]),
        ),
        plain("status", as_flag),
    ),
    (
        "Joyería del Centro",
        "",
        "",
        "JCE010101AB1",
        "",
        "USD",
        "Commercial | Av. Juárez | 12 |  | Centro | Taxco | Guerrero | 40200 | MX",
        "52 | 762 622 0000 | 12",
        "compras@example.com",
        "true",
    ),
    registers=lambda: {
        "customerTypes": Names(CustomerType, "name_spanish", "name_english", "key"),
        "taxSections": Names(TaxSection, "name_spanish", "name_english", "key"),
    },
)
MATERIALS = Importable(
    "materials",
    services.MATERIALS,
    "Material",
    "name",
    "description",
    schemas.MaterialIn,
    schemas.MaterialChange,
    (plain("name"), plain("description"), plain("status", as_flag)),
    ("Plata .925", "Plata esterlina", "true"),
)
COMPONENTS = Importable(
    "components",
    services.COMPONENTS,
    "Component",
    "name",
    "name",
    schemas.ComponentIn,
    schemas.ComponentChange,
    (plain("name"), plain("status", as_flag)),
    ("Aro", "true"),
)

IMPORTABLE: dict[str, Importable] = {
    one.catalog: one for one in (EXPORT_TAX_ITEMS, ITEMS, CUSTOMERS, MATERIALS, COMPONENTS)
}
