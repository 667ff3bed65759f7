"""The columns of the catalogs' files. Exports write the cells of a record with them, and imports read the cells.

A flat file cannot hold a list, so `addresses`, `phones`, `emails` and `commercialAddress` are compact cells
(`compact.py`): one record per line, its parts separated by bars.

- addresses: kind | street | exteriorNumber | interiorNumber | neighborhood | city | state | postalCode | country
- commercialAddress: one address without its kind
- phones: countryCode | number | extension
- emails: one per line

The kind of an address is written by its name in Spanish or English. A blank cell or an omitted column keeps the
record's value. A cell that contains only a dash, `vacío` or `empty` empties the value.

Cells without a bar are read as other programs write them: an address is the street of a commercial address; telephones
may have a word before them (`Phone:(555) 010-1234`); telephones and e-mails may have commas between them, telephones
also a slash.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from pydantic.alias_generators import to_snake

from project.catalogs.cells import (
    BadCell,
    Cell,
    Registers,
    as_code,
    as_fineness,
    as_number,
    as_tariff_code,
    as_text,
    bare_email,
    written_fineness,
)
from project.catalogs.compact import pack, unpack
from project.core.exporting import Column
from project.core.folding import folded
from project.core.grams import per_mille, to_grams
from project.core.money import with_minor_units
from project.core.texts import LANGUAGES, text, texts

PLACE = ("street", "exteriorNumber", "interiorNumber", "neighborhood", "city", "state", "postalCode", "country")
ADDRESS = ("kind", *PLACE)
PHONE = ("countryCode", "number", "extension")
_BETWEEN_PHONES = re.compile(r"[\r\n,;]|(?<=[\d\s)])/(?=\s*[(+\d][\d\s().-]{6,})")
"""A slash counts before a whole telephone: `555 010 1234 / 35` is one with another ending."""
_BEFORE_A_PHONE = re.compile(r"^[^\W\d]+\.?\s*:?\s*(?=[+(\d])")
_WRITTEN_PHONE = re.compile(
    r"(?:(\+\d{1,4})[ -]+)?(.*?)(?:\s*(?:ext|extension|extensión|x)\.?\s*(\d{1,10}))?", re.I | re.S
)
_KINDS = {
    folded(word): kind
    for kind in ("Commercial", "Shipping")
    for word in (kind, *(texts(language)[f"address_{kind}"] for language in LANGUAGES))
}


def _nothing(cell: Cell) -> Iterable[tuple[str, str]]:
    return ()


@dataclass(frozen=True, kw_only=True)
class CatalogColumn(Column[Any]):
    """A column that the import reads.

    - `field`: the field of the body that the column fills.
    - `read`: turns a cell into the field's JSON.
    - `proposed`: turns the field's value in a validated body into the cell that an export would write.
    - `mentions`: yields the records of other catalogs that a cell names, as (register, name).
    - `exact`: a cell is a key, a code or a telephone, which a spreadsheet may have altered.
    """

    words: str = "field"
    field: str
    read: Callable[[Cell, Registers], Any]
    proposed: Callable[[dict[str, Any], Registers], Any]
    mentions: Callable[[Cell], Iterable[tuple[str, str]]] = _nothing
    exact: bool = False

    @property
    def called(self) -> frozenset[str]:
        """The column's heading in each language."""
        return frozenset(texts(language)[f"{self.words}_{self.key}"] for language in LANGUAGES)


def _value_of(name: str) -> Callable[[Any], Any]:
    attribute = to_snake(name)
    return lambda row: getattr(row, attribute)


def plain(
    name: str, read: Callable[[Cell, Registers], Any] = as_text, value: Callable[[Any], Any] | None = None
) -> CatalogColumn:
    """Build a column for one field and one database column. `value` overrides how the stored value is written."""
    stored = to_snake(name)
    return CatalogColumn(
        name,
        value or _value_of(name),
        field=name,
        read=read,
        proposed=lambda fields, _: fields[stored],
        exact=read in (as_code, as_tariff_code),
    )


def exported(name: str, value: Callable[[Any], Any] | None = None) -> Column[Any]:
    """Build a column that the import ignores."""
    return Column(name, value or _value_of(name), words="field")


def named(name: str, register: str) -> CatalogColumn:
    """Build a column that names one row of `register`; an empty cell names none.

    A row of a short list may be named in Spanish, in English or by its key.
    """
    attribute = to_snake(name)

    def value(row: Any) -> str:
        found = getattr(row, attribute)
        return found.name if found else ""

    def mentions(cell: Cell) -> Iterable[tuple[str, str]]:
        return [(register, cell.strip())] if isinstance(cell, str) and cell.strip() else []

    def read(cell: Cell, registers: Registers) -> Any:
        text = as_text(cell, registers).strip()
        return registers[register].id_of(text) if text else None

    def proposed(fields: dict[str, Any], registers: Registers) -> Any:
        return registers[register].name_of(fields[f"{attribute}_id"])

    return CatalogColumn(name, value, field=f"{name}Id", read=read, proposed=proposed, mentions=mentions)


def _candidates(cell: Cell) -> list[list[str]]:
    """Return the names that each line of a cell may hold: the whole line, then its parts (split at `,` and `;`)."""
    lines = cell.splitlines() if isinstance(cell, str) else []
    return [
        [line.strip(), *(part.strip() for part in re.split("[,;]", line) if part.strip())]
        for line in lines
        if line.strip()
    ]


def several_named(name: str, field: str, register: str, value: Callable[[Any], str] = lambda row: "") -> CatalogColumn:
    """Build a column that names several rows of `register`, one per line or separated by commas or semicolons.

    `field`: the body's field with their ids. `value`: the cell of a record.
    """

    def mentions(cell: Cell) -> Iterable[tuple[str, str]]:
        return [(register, candidate) for line in _candidates(cell) for candidate in line]

    def read(cell: Cell, registers: Registers) -> Any:
        found: list[int] = []
        for whole, *parts in _candidates(as_text(cell, registers)):
            try:
                found.append(registers[register].id_of(whole))
            except BadCell:
                found += [registers[register].id_of(part) for part in parts]
        return found

    def proposed(fields: dict[str, Any], registers: Registers) -> str:
        return "\n".join(registers[register].name_of(pk) for pk in fields[to_snake(field)])

    return CatalogColumn(name, value, field=field, read=read, proposed=proposed, mentions=mentions)


def unambiguous(number: Decimal) -> Decimal:
    """Add a fourth decimal to a number with three, because some readers take `1.200` for 1,200."""
    return number.quantize(Decimal("0.0001")) if number.as_tuple().exponent == -3 else number


def price_with_decimals(price: Decimal, currency: str) -> Decimal:
    """Write a price with all decimals of its currency, without rounding. Three decimals become four."""
    return unambiguous(with_minor_units(price, currency))


def grams(name: str) -> CatalogColumn:
    """Build a column of grams for a field that is stored in milligrams: `netGrams` is `net_mg`."""
    stored = to_snake(name).replace("_grams", "_mg")

    def value(row: Any) -> Decimal | None:
        mg = getattr(row, stored)
        return None if mg is None else unambiguous(to_grams(mg))

    return plain(name, as_number, value)


def fineness() -> CatalogColumn:
    """Build the column of a fineness, in per mille; it is stored in tenths."""
    return CatalogColumn(
        "fineness",
        lambda row: written_fineness(per_mille(row.fineness)),
        field="fineness",
        read=as_fineness,
        proposed=lambda fields, _: written_fineness(fields["fineness"]),
    )


def worded(name: str, choices: Iterable[str]) -> CatalogColumn:
    """Build a column for a choice. It is written in the caller's language.

    It is read in any language, or as the choice's own code.
    """
    stored = to_snake(name)
    meant = {
        folded(word): choice
        for choice in choices
        for word in (choice, *(texts(language)[f"{name}_{choice}"] for language in LANGUAGES))
    }

    def read(cell: Cell, registers: Registers) -> Any:
        word = text(f"{name}_no") if cell is False else as_text(cell, registers)
        return meant.get(folded(word), word)

    return CatalogColumn(
        name,
        lambda row: text(f"{name}_{getattr(row, stored)}"),
        field=name,
        read=read,
        proposed=lambda fields, _: text(f"{name}_{fields[stored]}"),
    )


def _packed(records: Iterable[Mapping[str, str]], parts: Sequence[str]) -> str:
    """Write the records of a body into one cell. The kind of an address is written by its name."""
    return pack([_part(part, record.get(part, "")) for part in parts] for record in records)


def _part(part: str, value: str) -> str:
    return text(f"address_{value}") if part == "kind" and value else value


def _records(cell: Cell, registers: Registers, parts: tuple[str, ...]) -> list[dict[str, str]]:
    """Read the records of a compact cell. Extra parts get numbers as field names, so that validation refuses them."""
    return [
        dict(zip(parts, record, strict=False)) | {str(place): "" for place in range(len(parts), len(record))}
        for record in unpack(as_text(cell, registers))
    ]


def _packed_column(name: str, read: Callable[[Cell, Registers], Any], written: Callable[[Any], str]) -> CatalogColumn:
    """Build a column for a field that is written as a compact cell; `written` packs its stored value."""
    stored = to_snake(name)
    return CatalogColumn(
        name,
        lambda row: written(getattr(row, stored)),
        field=name,
        read=read,
        proposed=lambda fields, _: written(fields[stored]),
    )


def _read_addresses(cell: Cell, registers: Registers) -> Any:
    text = as_text(cell, registers)
    lines = [line.strip(" ,") for line in text.splitlines() if line.strip(" ,")]
    if "|" not in text and not all(folded(line) in _KINDS for line in lines):
        return [{"kind": "Commercial", "street": ", ".join(lines)}]
    return [
        record | {"kind": _KINDS.get(folded(record["kind"]), record["kind"])}
        for record in _records(cell, registers, ADDRESS)
    ]


def _read_place(cell: Cell, registers: Registers) -> Any:
    places = _records(cell, registers, PLACE)
    if len(places) > 1:
        raise BadCell("too_many", limit=1)
    return places[0] if places else None


def _read_phones(cell: Cell, registers: Registers) -> Any:
    text = as_text(cell, registers)
    if "|" in text:
        return _records(cell, registers, PHONE)
    written = (_BEFORE_A_PHONE.sub("", one.strip()) for one in _BETWEEN_PHONES.split(text))
    return [_phone(one) for one in written if one]


def _phone(written: str) -> dict[str, str]:
    """Read a telephone with its country and extension if it has them: `+52 762 622 0000 ext. 12`."""
    country, number, extension = _WRITTEN_PHONE.fullmatch(written).groups(default="")  # type: ignore[union-attr]
    return {"countryCode": country, "number": number.replace(".", "-"), "extension": extension}


def _read_emails(cell: Cell, registers: Registers) -> Any:
    emails: list[str] = []
    for line in as_text(cell, registers).splitlines():
        several = [one.strip() for one in re.split("[,;]", line) if one.strip()]
        emails += map(bare_email, several if all("@" in one for one in several) else [line])
    return emails


ADDRESSES = _packed_column("addresses", _read_addresses, lambda addresses: _packed(addresses, ADDRESS))
COMMERCIAL_ADDRESS = _packed_column(
    "commercialAddress", _read_place, lambda place: _packed([place] if place else [], PLACE)
)
PHONES = replace(_packed_column("phones", _read_phones, lambda phones: _packed(phones, PHONE)), exact=True)
EMAILS = _packed_column("emails", _read_emails, "\n".join)
