"""What can be imported: each catalog's columns, and an example of a row in the caller's language."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic.alias_generators import to_snake

from project.catalogs import schemas, services
from project.catalogs.flat import FLAT
from project.catalogs.models import Component, CustomerType, ExportTaxItem, Material, TaxSection
from project.catalogs.services import CatalogDefinition
from project.core.money import plant_currency
from project.core.schemas import In
from project.core.texts import active_language, text
from project.importing.cells import Column, Names, Registers, as_code, as_flag, as_number, as_percent, as_whole
from project.importing.columns import (
    ADDRESSES,
    COMMERCIAL_ADDRESS,
    COMPONENTS as COMPONENT_ROWS,
    EMAILS,
    PHONES,
    TAX_ITEM,
    named,
    plain,
    with_tax_item,
)
from project.importing.schemas import ImportCatalog
from project.staffing import schemas as staffing_schemas, services as staffing


@dataclass(frozen=True)
class Importable:
    """A catalog that can be imported. `key` is the column that says which record a row is about, `name` begins the
    names of its operations, `example` is a row in the caller's language: of both where they differ. `codes`: its
    columns of tariff codes."""

    catalog: ImportCatalog
    name: str
    definition: CatalogDefinition[Any]
    permission: str
    key: str
    label: str
    body: type[In]
    change: type[In]
    columns: tuple[Column, ...]
    example: Callable[[], tuple[str, ...]]
    registers: Callable[[], Registers] = dict
    stored: Callable[[dict[str, Any], Registers], dict[str, Any]] = lambda fields, registers: fields
    also_called: Mapping[str, str] = field(default_factory=dict)
    passed_over: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()

    @property
    def heads(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def _flat(self) -> Mapping[str, Callable[[Any], Any]]:
        return {column.key: column.value for column in FLAT[self.catalog]}

    def current(self, column: Column, row: Any) -> Any:
        """What a record holds in a column, as the file writes it."""
        return self._flat[column.name](row)

    def empty(self, column: Column) -> Any:
        """What an emptied field holds: what a new record has that says nothing. Empty text where it must say it."""
        field = self.body.model_fields[to_snake(column.field)]
        if field.is_required():
            return ""
        value = field.get_default(call_default_factory=True)
        return plant_currency() if column.field == "currency" else value


def _either[Found](spanish: Found, english: Found) -> Found:
    return english if active_language() == "en" else spanish


_EXAMPLE_PLACE = "Av. Juárez | 12 |  | Centro | Taxco | Guerrero | 40200 | MX"
# A row of a short list is found by either of its names or its key, and shown by the one in the caller's language.
_NAMED_IN_BOTH = (("name_spanish", "name_english", "key"), ("name_english", "name_spanish", "key"))


EXPORT_TAX_ITEMS = Importable(
    "export-tax-items",
    "export_tax_item",
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
    lambda: ("0711311401", "Articles of jewellery, of silver", "Artículos de joyería, de plata", "Silver", "Plata"),
    # The tax authority's own list, as it is published.
    also_called={"fraccion": "code", "texto": "spanishDescription"},
    passed_over=frozenset({"vigencia_desde", "vigencia_hasta", "unidad"}),
    codes=frozenset({"code"}),
)
ITEMS = Importable(
    "items",
    "item",
    services.ITEMS,
    "Item",
    "key",
    "name",
    schemas.ItemIn,
    schemas.ItemChange,
    (
        plain("key", as_code),
        plain("name"),
        TAX_ITEM,
        plain("satUnitMeasurement", as_code),
        plain("descriptionSpanish"),
        plain("descriptionEnglish"),
        plain("taxAmount", as_percent),
        plain("sellPrice", as_number),
        plain("currency", as_code),
        plain("priority", as_whole),
        plain("antique", as_flag),
        plain("measures"),
        plain("origin", as_code),
        COMPONENT_ROWS,
        plain("status", as_flag),
    ),
    lambda: (
        "AN-001",
        _either("Anillo liso", "Plain ring"),
        "",
        "H87",
        "Anillo de plata",
        "Silver ring",
        "16",
        "850.50",
        "MXN",
        "3",
        text("no"),
        "18 mm",
        "MX",
        _either("Aro | Plata .925 | pulido a mano\nEngaste", "Band | Silver .925 | polished by hand\nSetting"),
        text("yes"),
    ),
    registers=lambda: {
        "components": Names(Component),
        "materials": Names(Material),
        "taxItems": Names(ExportTaxItem, "code"),
    },
    stored=with_tax_item,
    codes=frozenset({"taxItemKey"}),
)
CUSTOMERS = Importable(
    "customers",
    "customer",
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
        plain("currency", as_code),
        ADDRESSES,
        PHONES,
        EMAILS,
        plain("status", as_flag),
    ),
    lambda: (
        "Joyería del Centro",
        "",
        "",
        "JCE010101AB1",
        "",
        "USD",
        f"{text('address_Commercial')} | {_EXAMPLE_PLACE}",
        "52 | 762 622 0000 | 12",
        "compras@example.com",
        text("yes"),
    ),
    registers=lambda: {
        "customerTypes": Names(CustomerType, *_either(*_NAMED_IN_BOTH)),
        "taxSections": Names(TaxSection, *_either(*_NAMED_IN_BOTH)),
    },
)
MATERIALS = Importable(
    "materials",
    "material",
    services.MATERIALS,
    "Material",
    "name",
    "description",
    schemas.MaterialIn,
    schemas.MaterialChange,
    (plain("name"), plain("description"), plain("status", as_flag)),
    lambda: (*_either(("Plata .925", "Plata esterlina"), ("Silver .925", "Sterling silver")), text("yes")),
)
COMPONENTS = Importable(
    "components",
    "component",
    services.COMPONENTS,
    "Component",
    "name",
    "name",
    schemas.ComponentIn,
    schemas.ComponentChange,
    (plain("name"), plain("status", as_flag)),
    lambda: (_either("Aro", "Band"), text("yes")),
)
COMPANIES = Importable(
    "companies",
    "company",
    services.COMPANIES,
    "Company",
    "name",
    "legalName",
    schemas.CompanyIn,
    schemas.CompanyChange,
    (
        plain("name"),
        plain("legalName"),
        plain("taxId", as_code),
        plain("email"),
        plain("phone"),
        COMMERCIAL_ADDRESS,
        plain("status", as_flag),
    ),
    lambda: (
        "Platería Taxco",
        "Platería Taxco, S.A. de C.V.",
        "PTA010101AB1",
        "ventas@example.com",
        "762 622 0000",
        _EXAMPLE_PLACE,
        text("yes"),
    ),
)
PRODUCTION_PROCESSES = Importable(
    "production-processes",
    "production_process",
    staffing.PRODUCTION_PROCESSES,
    "ProductionProcess",
    "name",
    "name",
    staffing_schemas.ProductionProcessIn,
    staffing_schemas.ProductionProcessChange,
    (plain("order", as_whole), plain("name"), plain("price", as_number), plain("status", as_flag)),
    lambda: ("1", _either("Fundición", "Casting"), "12.50", text("yes")),
)

IMPORTABLE: dict[str, Importable] = {
    one.catalog: one
    for one in (EXPORT_TAX_ITEMS, ITEMS, CUSTOMERS, COMPANIES, MATERIALS, COMPONENTS, PRODUCTION_PROCESSES)
}
