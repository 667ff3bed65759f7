"""Catalog records as rows of a file: one cell a field, in the caller's language where a value is a word of ours.

Exports write these columns and the import reads them, so that a list saved as a file is itself a file to import. What
is a list in a record is one compact cell (`compact.py`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from pydantic.alias_generators import to_snake

from project.catalogs.compact import pack
from project.core.exporting import Column
from project.core.money import plant_currency, with_minor_units
from project.core.texts import text

PLACE = ("street", "exteriorNumber", "interiorNumber", "neighborhood", "city", "state", "postalCode", "country")
ADDRESS = ("kind", *PLACE)
PHONE = ("countryCode", "number", "extension")


def packed(records: Iterable[Mapping[str, str]], parts: Sequence[str]) -> str:
    """Records of a body as one cell; the kind of an address by its name."""
    return pack([_part(part, record.get(part, "")) for part in parts] for record in records)


def _part(part: str, value: str) -> str:
    return text(f"address_{value}") if part == "kind" and value else value


def field(name: str, value: Callable[[Any], Any] | None = None) -> Column[Any]:
    """A column that is called as the catalog's form calls the field; without `value` it is that column of the row."""
    attribute = to_snake(name)
    return Column(name, value or (lambda row: getattr(row, attribute)), words="field")


def _price(price: Decimal, currency: str) -> Decimal:
    """A price with the decimals of its currency. Three decimals are written as four: a file's `1.200` could be read as
    a thousand and two hundred."""
    written = with_minor_units(price, currency)
    return written.quantize(Decimal("0.0001")) if written.as_tuple().exponent == -3 else written


def _components(row: Any) -> str:
    return pack((one.component_name, one.material_name or "", one.notes) for one in row.components.all())


_SHORT_LIST = tuple(field(name) for name in ("key", "nameSpanish", "nameEnglish", "active"))
FLAT: Mapping[str, tuple[Column[Any], ...]] = {
    "companies": (
        field("name"),
        field("legalName"),
        field("taxId"),
        field("email"),
        field("phone"),
        field(
            "commercialAddress",
            lambda row: packed([row.commercial_address] if row.commercial_address else [], PLACE),
        ),
        field("status"),
    ),
    "customers": (
        field("name"),
        field("customerType", lambda row: row.customer_type.name if row.customer_type else ""),
        field("taxSection", lambda row: row.tax_section.name if row.tax_section else ""),
        field("taxId"),
        field("quinto"),
        field("currency"),
        field("addresses", lambda row: packed(row.addresses, ADDRESS)),
        field("phones", lambda row: packed(row.phones, PHONE)),
        field("emails", lambda row: "\n".join(row.emails)),
        field("status"),
    ),
    "components": (field("name"), field("status")),
    "materials": (field("name"), field("description"), field("status")),
    "export-tax-items": (
        field("code"),
        field("englishDescription"),
        field("spanishDescription"),
        field("englishMetalName"),
        field("spanishMetalName"),
    ),
    "production-processes": (
        field("order"),
        field("name"),
        field("price", lambda row: _price(row.price, plant_currency())),
        field("currency", lambda row: plant_currency()),
        field("status"),
    ),
    "items": (
        field("key"),
        field("name"),
        field("taxItemKey", lambda row: row.tax_item.code if row.tax_item else ""),
        field("satUnitMeasurement"),
        field("descriptionSpanish"),
        field("descriptionEnglish"),
        field("taxAmount"),
        field("sellPrice", lambda row: _price(row.sell_price, row.currency)),
        field("currency"),
        field("priority"),
        field("antique"),
        field("measures"),
        field("origin"),
        field("components", _components),
        field("status"),
    ),
    "customer-types": _SHORT_LIST,
    "tax-sections": _SHORT_LIST,
    "release-reasons": _SHORT_LIST,
    "scrap-reasons": _SHORT_LIST,
}
"""The columns of each catalog's file, of records as its definition's `rows()` loads them."""
