"""The columns of a catalog's file, by the contract's field names: how each is read, and what it would write.

A flat file cannot hold a list, so `components`, `addresses`, `phones`, `emails` and `commercialAddress` are compact
cells (`catalogs/compact.py`): a record a line, its parts between bars.

- components: component | material | notes
- addresses: kind | street | exteriorNumber | interiorNumber | neighborhood | city | state | postalCode | country
- commercialAddress: as an address, one alone and without its kind
- phones: countryCode | number | extension
- emails: one a line

`customerType`, `taxSection`, components and materials are written by name, the first two in either language or by key;
so is the kind of an address. A blank cell, as a column left out, keeps what the record has; a dash, `vacío` or `empty`
alone empties it.
"""

from collections.abc import Callable, Iterable
from typing import Any

from pydantic.alias_generators import to_snake

from project.catalogs.compact import pack, unpack
from project.catalogs.flat import ADDRESS, PHONE, PLACE, packed
from project.core.folding import folded
from project.core.texts import LANGUAGES, texts
from project.importing.cells import BadCell, Cell, Column, Registers, as_code, as_text

_KINDS = {
    folded(word): kind
    for kind in ("Commercial", "Shipping")
    for word in (kind, *(texts(language)[f"address_{kind}"] for language in LANGUAGES))
}


def plain(name: str, read: Callable[[Cell, Registers], Any] = as_text) -> Column:
    """A column that is one field and one database column."""
    return Column(name, name, read, lambda fields, _: fields[to_snake(name)])


def named(name: str, register: str) -> Column:
    """A column that names one row of a short list; empty for none."""

    def mentions(cell: Cell) -> Iterable[tuple[str, str]]:
        return [(register, cell.strip())] if isinstance(cell, str) and cell.strip() else []

    def read(cell: Cell, registers: Registers) -> Any:
        text = as_text(cell, registers).strip()
        return registers[register].id_of(text) if text else None

    def proposed(fields: dict[str, Any], registers: Registers) -> Any:
        return registers[register].name_of(fields[f"{to_snake(name)}_id"])

    return Column(name, f"{name}Id", read, proposed, mentions)


def _records(cell: Cell, registers: Registers, parts: tuple[str, ...]) -> list[dict[str, str]]:
    """The records of a compact cell; a part too many goes by its place, which the body refuses."""
    return [
        dict(zip(parts, record, strict=False)) | {str(place): "" for place in range(len(parts), len(record))}
        for record in unpack(as_text(cell, registers))
    ]


def _read_addresses(cell: Cell, registers: Registers) -> Any:
    return [
        record | {"kind": _KINDS.get(folded(record["kind"]), record["kind"])}
        for record in _records(cell, registers, ADDRESS)
    ]


def _read_place(cell: Cell, registers: Registers) -> Any:
    places = _records(cell, registers, PLACE)
    if len(places) > 1:
        raise BadCell("too_many", limit=1)
    return places[0] if places else None


def _proposed_place(fields: dict[str, Any], registers: Registers) -> str:
    place = fields["commercial_address"]
    return packed([place] if place else [], PLACE)


def _read_emails(cell: Cell, registers: Registers) -> Any:
    return [line.strip() for line in as_text(cell, registers).splitlines() if line.strip()]


ADDRESSES = Column("addresses", "addresses", _read_addresses, lambda fields, _: packed(fields["addresses"], ADDRESS))
COMMERCIAL_ADDRESS = Column("commercialAddress", "commercialAddress", _read_place, _proposed_place)
PHONES = Column(
    "phones",
    "phones",
    lambda cell, registers: _records(cell, registers, PHONE),
    lambda fields, _: packed(fields["phones"], PHONE),
)
EMAILS = Column("emails", "emails", _read_emails, lambda fields, _: "\n".join(fields["emails"]))


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


def _proposed_components(fields: dict[str, Any], registers: Registers) -> str:
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


def with_tax_item(fields: dict[str, Any], registers: Registers) -> dict[str, Any]:
    """The tariff code turned into the record it names."""
    if "tax_item_key" not in fields:
        return fields
    code = fields["tax_item_key"]
    rest = {name: value for name, value in fields.items() if name != "tax_item_key"}
    return rest | {"tax_item_id": registers["taxItems"].id_of(code) if code else None}


def _mentions_tax_item(cell: Cell) -> Iterable[tuple[str, str]]:
    return [("taxItems", cell.strip())] if isinstance(cell, str) and cell.strip() else []


COMPONENTS = Column("components", "components", _read_components, _proposed_components, _components_named)
TAX_ITEM = Column(
    "taxItemKey", "taxItemKey", _read_tax_item, lambda fields, _: fields["tax_item_key"], _mentions_tax_item
)
