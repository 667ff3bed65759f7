"""Defines the file of piece prices: a row for each product, a column for each process. The import reads it.

A cell is the price of a piece (`12.50`, `12.50/pz`) or of a gram (`3.20/g`). A blank cell keeps the product's
price. A dash ends the product's own price: then the price of all products applies.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from pydantic import TypeAdapter, ValidationError, create_model
from pydantic.alias_generators import to_snake

from project.access.permissions import Permission
from project.access.principal import Principal
from project.catalogs import heads, selectors
from project.catalogs.cells import BadCell, Cell, Names, Registers, as_code, as_price, currency_named
from project.catalogs.columns import CatalogColumn, exported, plain, price_with_decimals
from project.catalogs.definition import CatalogDefinition, Fields
from project.catalogs.models import Item, PriceUnit
from project.catalogs.schemas import PriceRowOut
from project.catalogs.services import ITEM_PRICES, PriceCell, prices_write
from project.core import clock
from project.core.errors import FieldError
from project.core.money import plant_currency
from project.core.schemas import In, Name, PlantPriceIn
from project.core.validation import code_of

_PER_GRAM = re.compile(r"\s*/\s*(g|gr|gramo|gram)s?\.?\s*$", re.IGNORECASE)
_PRICE: TypeAdapter[Decimal] = TypeAdapter(PlantPriceIn)
_FIELD = "process_"


class PriceRowIn(In):
    """A row of the file. `current` adds a field for each process."""

    key: Name


class PieceRate(In):
    """A cell of the file that contains a price."""

    unit: PriceUnit
    price: Decimal


@dataclass(frozen=True, kw_only=True)
class ProcessColumn(CatalogColumn):
    """The column of a process. Its headings are the names of the process."""

    names: tuple[str, ...]

    @property
    def head(self) -> str:
        return self.names[0]

    @property
    def called(self) -> frozenset[str]:
        return frozenset(self.names)


def _shown(price: Decimal, unit: str) -> Decimal | str:
    written = price_with_decimals(price, plant_currency())
    return f"{written:f}/g" if unit == PriceUnit.gram else written


def _read(cell: Cell, registers: Registers) -> dict[str, Any]:
    """Read a cell: the price of a gram if the cell says so, else the price of a piece. Raises `BadCell`."""
    per_gram = isinstance(cell, str) and _PER_GRAM.search(cell) is not None
    if isinstance(cell, str):
        cell = _PER_GRAM.sub("", cell)
    named = currency_named(cell)
    if named and named != plant_currency():
        raise BadCell("other_currency", currency=named)
    try:
        price = _PRICE.validate_python(as_price(cell, registers))
    except ValidationError as error:
        code, params = code_of(error.errors()[0])
        raise BadCell(code, **params) from error
    return {"unit": PriceUnit.gram if per_gram else PriceUnit.piece, "price": price}


def _column(process_id: int, names: tuple[str, ...]) -> ProcessColumn:
    field = f"{_FIELD}{process_id}"

    def value(row: Item) -> Decimal | str:
        found = next((one for one in row.prices_now if one.process_id == process_id), None)
        return "" if found is None or found.price is None else _shown(found.price, found.unit)

    def proposed(fields: Fields, registers: Registers) -> Decimal | str:
        rate = fields[field]
        return "" if rate is None else _shown(rate["price"], rate["unit"])

    key = f"process{process_id}"
    return ProcessColumn(key, value, field=key, read=_read, proposed=proposed, names=names)


def _refuse_unknown(row: Item, fields: Fields) -> Iterable[FieldError]:
    if not row.pk:
        yield FieldError("key", "unknown_name", {"name": fields["key"]})


def _write(rows: Sequence[Fields], by: Principal) -> None:
    """Set the prices of an imported file, valid from now on."""
    products = Names(Item, "key")
    products.learn(fields["key"] for fields in rows)
    cells = []
    for fields in rows:
        item_id = products.id_of(fields["key"])
        for name, rate in fields.items():
            if name.startswith(_FIELD):
                unit, price = (rate["unit"], rate["price"]) if rate else (PriceUnit.piece, None)
                cells.append(PriceCell(int(name.removeprefix(_FIELD)), item_id, unit, price))
    prices_write(cells, since=None, by=by)


@dataclass(frozen=True, kw_only=True)
class PriceGridDefinition(CatalogDefinition[Item]):
    """Defines the file and the import of the grid. The import finds products by key, and never creates any."""

    def __post_init__(self) -> None:
        """Do not register the grid among the catalogs."""

    @property
    def slug(self) -> str:
        return "process_item_price"

    def needed(self, verb: str) -> Permission:
        return Permission.UpdatePiecePrices

    def rows(self) -> QuerySet[Item]:
        return selectors.price_grid(clock.now())

    def current(self) -> "PriceGridDefinition":
        processes = selectors.production_processes().filter(status=True).order_by("order", "id")
        columns = [
            _column(pk, (name, *filter(None, [english])))
            for pk, name, english in processes.values_list("pk", "name", "name_english")
        ]
        fields: dict[str, Any] = {to_snake(column.field): (PieceRate | None, None) for column in columns}
        example = ("AN-001", *("12.50", "3.20/g", "-")[: len(columns)])
        return replace(
            self,
            columns=(*self.columns, *columns),
            body=create_model(PriceRowIn.__name__, __base__=PriceRowIn, **fields),
            example=lambda: example,
        )


PRICE_GRID = PriceGridDefinition(
    name=ITEM_PRICES,
    model=Item,
    body=PriceRowIn,
    answer=PriceRowOut,
    reads=Permission.ListPiecePrices,
    columns=(plain("key", as_code), exported("name")),
    proposed={"key": heads.ITEMS["key"]},
    errors=_refuse_unknown,
    write_imported=_write,
)
