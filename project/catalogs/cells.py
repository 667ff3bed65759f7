"""Reads the cells of a file: texts, codes, numbers, percentages and flags."""

import re
from collections.abc import Iterable
from decimal import Decimal
from itertools import batched
from typing import Any

from django.db.models import Model

from project.core.folding import folded, name_key
from project.core.money import plant_currency

Cell = str | int | float | bool | dict[str, str] | None
"""A cell's value. A dict `{"code": reason}` is a cell that cannot be read: a formula, an error, a date."""
Cells = dict[str, Cell]

_YES = frozenset({"true", "1", "yes", "y", "si", "verdadero", "activo", "activa", "active"})
_NO = frozenset({"false", "0", "no", "n", "falso", "inactivo", "inactiva", "inactive", "draft", "archived"})
LONGEST_QUOTED = 60
"""Maximum number of characters of a cell that an error message quotes."""


ERASED = object()
"""The value of a cell that empties its field."""
_ERASING = frozenset({"-", "–", "—", "vacio", "empty"})


def erases(cell: Cell) -> bool:
    """Whether a cell empties its field: a dash alone, or one of the words in `_ERASING`. A blank cell does not."""
    return isinstance(cell, str) and folded(cell.strip()) in _ERASING


class BadCell(Exception):
    """A cell that its column cannot read."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class Names:
    """Maps names to the ids of one catalog's records. Knows only the names that were passed to `learn`.

    A name may be the value of `attribute` or of one of the attributes in `others`.
    """

    def __init__(self, model: type[Model], attribute: str = "name", *others: str) -> None:
        self.model = model
        self.attribute = attribute
        self.others = others
        self._ids: dict[str, int] = {}
        self._names: dict[int, str] = {}

    def learn(self, names: Iterable[str]) -> None:
        """Look up the names that are not known yet. For each 1,000 names, 1 query per attribute."""
        wanted = {name for name in names if name_key(name) not in self._ids}
        for some in batched(wanted, 1_000):
            for attribute in (self.attribute, *self.others):
                rows = self.model._default_manager.filter(**{f"{attribute}__name_key__in": some}).order_by("pk")
                for pk, found, name in rows.values_list("pk", attribute, self.attribute):
                    self._ids.setdefault(name_key(found), pk)
                    self._names[pk] = name

    def id_of(self, name: str) -> int:
        """Return the id of a learned name. Raises `BadCell` with code `unknown_name`."""
        found = self._ids.get(name_key(name))
        if found is None:
            raise BadCell("unknown_name", name=name)
        return found

    def name_of(self, pk: int | None) -> str:
        return "" if pk is None else self._names[pk]


Registers = dict[str, Names]


def shown(value: Any) -> Any:
    """Convert a value for JSON: a decimal becomes a float."""
    return float(value) if isinstance(value, Decimal) else value


def as_text(cell: Cell, registers: Registers) -> Any:
    """Read a cell as a text, unchanged; a number by its digits (3.0 as `3`). Raises `BadCell`, also for a boolean."""
    match cell:
        case None:
            return ""
        case dict():
            raise BadCell(cell["code"])
        case bool():
            raise BadCell("text_expected")
        case float() if cell.is_integer():
            return str(int(cell))
        case _:
            return str(cell)


def as_code(cell: Cell, registers: Registers) -> Any:
    """Read a code without the blanks around it. Raises `BadCell` for a number with too many digits for a spreadsheet.

    Also raises it for a negative number, and for one with decimals.
    """
    if isinstance(cell, (int, float)) and not (0 <= cell < _EXACT and cell == int(cell)):
        raise BadCell("text_expected")
    return as_text(cell, registers).strip()


def as_tariff_code(cell: Cell, registers: Registers) -> Any:
    """Read a code as `as_code` does. Raises `BadCell` for a number, which may have lost leading zeros."""
    if isinstance(cell, (int, float)):
        raise BadCell("text_expected")
    return as_code(cell, registers)


def as_email(cell: Cell, registers: Registers) -> Any:
    """Read an e-mail, also from `Ana <ana@example.com>` and `mailto:ana@example.com`."""
    return bare_email(as_text(cell, registers))


def bare_email(written: str) -> str:
    """Return the address alone from `Ana <ana@example.com>` or `mailto:ana@example.com`; else the text, stripped."""
    found = _WRITTEN_EMAIL.fullmatch(written.strip())
    return found[1] if found else written.strip()


def as_currency(cell: Cell, registers: Registers) -> Any:
    """Read a currency: its code in any case, its sign, or a common word (`usd`, `US$`, `pesos`).

    `pesos` and `dollars` mean the plant's currency if that is a peso or a dollar; else MXN and USD.
    """
    written = as_code(cell, registers)
    word = re.sub(r"[.\s]", "", folded(written))
    code = _CURRENCY_WORDS.get(word) or (word.upper() if _CURRENCY_CODE.fullmatch(word) else written)
    own = plant_currency()
    for words, family in ((_PESOS, _OF_PESOS), (_DOLLARS, _OF_DOLLARS)):
        if word in words and own in family:
            return own
    return code


_EXACT = 10**15
"""The first number with more digits than spreadsheets keep."""
_WRITTEN_EMAIL = re.compile(r"(?:[^<>]*<)?\s*(?:mailto:)?([^<>\s]+@[^<>\s]+?)\s*>?", re.IGNORECASE)
_PESOS, _DOLLARS = frozenset({"peso", "pesos", "$"}), frozenset({"dolar", "dolares", "dollar", "dollars"})
_OF_PESOS = frozenset({"ARS", "CLP", "COP", "CUP", "DOP", "MXN", "PHP", "UYU"})
_OF_DOLLARS = frozenset({"AUD", "CAD", "HKD", "NZD", "SGD", "TWD", "USD"})
_CURRENCY_CODE = re.compile("[a-z]{3}")
_CURRENCY_WORDS = {
    **dict.fromkeys(("peso", "pesos", "pesosmexicanos", "mx$", "mn", "mxp"), "MXN"),
    **dict.fromkeys((*_DOLLARS, "us$", "usd$", "dlls", "dls", "dolaresamericanos", "usdollars", "usdollar"), "USD"),
    **dict.fromkeys(("euro", "euros", "€"), "EUR"),
    **dict.fromkeys(("libra", "libras", "pound", "pounds", "£"), "GBP"),
}
_CURRENCY = re.compile(r"([A-Z]{1,3} ?)?[$€£]|[A-Z]{3}(?= )|(?<= )[A-Z]{3}|(?<=\d) ?[€$]")
_NAMED = re.compile(r"[A-Z]{1,3} ?\$|€|£|\b[A-Z]{3}\b")
_SIGNS = {"US$": "USD", "MX$": "MXN", "€": "EUR", "£": "GBP"}
_PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}([, ])\d{3}(?:\1\d{3})*(\.\d+)?")
_DECIMAL_COMMA = re.compile(
    r"[+-]?(\d{1,3}([. ])\d{3}(?:\2\d{3})*,\d+|\d{1,3}(\.\d{3}){2,}|\d+,(\d{1,2}|\d{4,})|(0|\d{4,}),\d+)"
)
"""Numbers with a decimal comma, or with points or blanks between thousands: `1.250,50`, `1.250.000`, `12,5`."""
_COMMA_OR_POINT = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")


def as_number(cell: Cell, registers: Registers) -> Any:
    """Read a number, or a text that is a number with or without a currency. Raises `BadCell`.

    The decimal separator is a point, or a comma if the text proves it: `1.250,50`, `12,5`. A comma separates thousands
    if the text proves it: `$1,250`, `1,250.50`, `1,250,000`. A text with two possible meanings (`1,250`, `1.250`) is
    refused with code `ambiguous_number`, a text that is not a number with `not_a_number`.
    """
    match cell:
        case dict():
            raise BadCell(cell["code"])
        case str():
            return _number(cell)
        case _:
            return cell


def _number(cell: str) -> Decimal:
    written = " ".join(cell.split())
    text = _CURRENCY.sub("", written).strip()
    grouped = _THOUSANDS.fullmatch(text)
    is_proved = grouped and (grouped[2] or grouped[1] == " " or text.count(",") > 1 or "$" in written)
    if is_proved:
        text = text.replace(",", "").replace(" ", "")
    elif _DECIMAL_COMMA.fullmatch(text):
        text = text.replace(".", "").replace(" ", "").replace(",", ".")
    elif _COMMA_OR_POINT.fullmatch(text):
        raise BadCell("ambiguous_number", text=written[:LONGEST_QUOTED])
    if not _PLAIN.fullmatch(text) or abs(Decimal(text).adjusted()) > 30:
        raise BadCell("not_a_number", text=written[:LONGEST_QUOTED])
    return Decimal(text)


_PER_PIECE = re.compile(r"\s*/\s*(pz|pza|pzas|pzs|pieza|piezas|pc|pcs|piece|pieces|ea|u|unidad)\.?\s*$", re.IGNORECASE)


def as_price(cell: Cell, registers: Registers) -> Any:
    """Read the price of a piece as `as_number` does. The text may end with a unit: `3.20/pza`."""
    return as_number(_PER_PIECE.sub("", cell) if isinstance(cell, str) else cell, registers)


def currency_named(cell: Cell) -> str | None:
    """Return the currency that an amount's text names: its three-letter code, or an unknown sign unchanged (`R$`).

    Returns None for `$` alone, because many currencies use it.
    """
    found = _NAMED.search(cell) if isinstance(cell, str) else None
    if found is None:
        return None
    sign = found[0].replace(" ", "")
    return _SIGNS.get(sign, sign)


_OF_FINENESS = re.compile(
    r"(?P<figure>[\d.,]+)\s*(?P<unit>%|‰|/\s*1,?000|kt?|[kq]uilates?|kilates?|karats?)?", re.IGNORECASE | re.ASCII
)
_PERCENT_MOST = 100


def as_fineness(cell: Cell, registers: Registers) -> Any:
    """Read a fineness in per mille: `925`, `925 ‰`, `925/1000`, `92.5%`, `.925`, `14k`. Raises `BadCell`.

    A number from 1 to 100 without a unit may be meant in percent: it is refused with code `fineness_unclear`.
    """
    unit = ""
    if isinstance(cell, str) and (found := _OF_FINENESS.fullmatch(cell.strip())):
        cell, unit = found["figure"], (found["unit"] or "")[:1].lower().replace("q", "k")
    number = as_number(cell, registers)
    if not isinstance(number, int | float | Decimal) or isinstance(number, bool):
        return number
    share = Decimal(str(number))
    match unit:
        case "%":
            return share * 10
        case "k":
            return (share * 1_000 / 24).quantize(Decimal("0.1"))
        case "" if 0 < share < 1:
            return share * 1_000
        case "" if 1 <= share <= _PERCENT_MOST:
            raise BadCell("fineness_unclear", text=f"{share:f}", share=f"{(share * 10).normalize():f}")
    return number


def written_fineness(share: Decimal) -> Decimal | str:
    """Return a fineness in per mille as `as_fineness` reads it back: with its unit if it could be in percent."""
    return f"{share.normalize():f} ‰" if 0 < share <= _PERCENT_MOST else share


def as_percent(cell: Cell, registers: Registers) -> Any:
    """Read a number as `as_number` does, with or without a percent sign: `16%` is 16."""
    if isinstance(cell, str) and cell.rstrip().endswith("%"):
        return as_number(cell.rstrip()[:-1], registers)
    return as_number(cell, registers)


def as_whole(cell: Cell, registers: Registers) -> Any:
    """Read a number as `as_number` does. Whole numbers become ints; validation refuses other numbers."""
    number = as_number(cell, registers)
    if isinstance(number, (Decimal, float)) and number == int(number):
        return int(number)
    return number


def as_flag(cell: Cell, registers: Registers) -> Any:
    """Read a boolean: true or false, yes or no in Spanish or English, 1 or 0. Raises `BadCell`."""
    match cell:
        case dict():
            raise BadCell(cell["code"])
        case bool():
            return cell
    text = as_text(cell, registers).strip()
    word = folded(text)
    if word not in _YES and word not in _NO:
        raise BadCell("not_a_flag", text=text[:LONGEST_QUOTED])
    return word in _YES
