"""Renders work sheets as markup for the printing process. Texts of users are always escaped."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from itertools import batched
from math import ceil
from pathlib import Path

from django.template import Context, Engine, Template
from django.utils import translation

from project.catalogs.selectors import Issuer
from project.core import erased
from project.core.texts import pieces_left, text
from project.printing.addresses import CODE, NO_PICTURE, PICTURE, SHEET_STYLESHEET, logo_address
from project.printing.codes import seal
from project.printing.selectors import Component, Sheet

SHEETS_AT_ONCE = 20
"""Most sheets in one page of markup. They share fonts and pictures, which are read once."""
LETTERS_AT_ONCE = 30_000
"""Most letters of components in one page of markup: six pages of paper, half a second of an idle processor."""
PROCESS_LETTERS = 70
"""The time to lay out a process without its name, as the number of letters of components that take as long."""
PROCESSES_TOGETHER = 20
"""Most processes below one row of headings. They fit on a page, even with names of two lines."""
ROWS_BELOW = 12
"""Most rows of texts, components and processes in one column. More are laid out in two columns."""
LETTERS_OF_ROW = 80
"""The letters of a text or a component that fit in a row across the page."""
LETTERS_OF_CELL = 22
"""The letters of a process's name that fit in a row of its cell."""
LETTERS_BESIDE = 1_500
"""Most letters of components in two columns. More take several pages, and columns do not continue over pages."""
LONGEST_BESIDE = 60
"""Most letters of a process's name if the processes are laid out in two columns, for the same reason."""
_LONG_WORD = re.compile(r"\S{60,}")
_EMOJI = re.compile(
    " ?(?:[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
    "[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*\u200d?)+|\ufe0f?\u20e3"
)
"""Emoji and dingbats, which no font of the product has: they would print as empty boxes."""
_OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069]")
_WORDS = ("quantity", "line", "components", "delivery")
_HEADS = ("process", "in", "out", "pieces", "grams")


@dataclass(frozen=True)
class Page:
    """Markup, the stored pictures that it refers to, and its style sheet."""

    markup: str
    pictures: frozenset[str]
    stylesheet: str


def portions(chosen: Iterable[Sheet]) -> Iterator[list[Sheet]]:
    """Split the sheets into portions that can each be laid out within the limits of time and memory.

    A sheet with too many letters of components continues in the next portion. Its processes come in its last part.
    """
    portion: list[Sheet] = []
    letters = 0
    for sheet in chosen:
        for piece in _pieces(sheet):
            length = sum(map(_letters, piece.components)) + (0 if piece.goes_on else _below(piece))
            if portion and (len(portion) == SHEETS_AT_ONCE or letters + length > LETTERS_AT_ONCE):
                yield portion
                portion, letters = [], 0
            portion.append(piece)
            letters += length
    if portion:
        yield portion


def _pieces(sheet: Sheet) -> Iterator[Sheet]:
    """Split a sheet between components into parts of at most `LETTERS_AT_ONCE` letters of components.

    A single longer component is not split.
    """
    first = letters = 0
    for place, component in enumerate(sheet.components):
        letters += _letters(component)
        if letters > LETTERS_AT_ONCE and place > first:
            yield replace(sheet, components=sheet.components[first:place], continued=first > 0, goes_on=True)
            first, letters = place, _letters(component)
    yield replace(sheet, components=sheet.components[first:], continued=first > 0) if first else sheet


def _letters(component: Component) -> int:
    return len(component.name) + len(component.material) + len(component.description) + len(component.notes)


def _below(sheet: Sheet) -> int:
    return sum(PROCESS_LETTERS + len(name) for name in sheet.processes)


def page(sheets: Iterable[Sheet], issuer: Issuer, language: str) -> Page:
    """Render the sheets one after the other, each on a new page. Sends no query."""
    chosen = list(sheets)
    with translation.override(language):
        shown = [_shown(sheet) for sheet in chosen]
        words = {word: text(f"sheet_{word}") for word in _WORDS}
        heads = [text(f"sheet_{head}") for head in _HEADS]
    context = {
        "language": language,
        "title": ", ".join(dict.fromkeys(f"PO# {plain(sheet.po)}" for sheet in chosen)),
        "issuer": issuer.name,
        "logo": logo_address(issuer.logo),
        "named": not issuer.logo,
        "sheets": shown,
        "words": words,
        "heads": [(head, colon + what) for head, colon, what in (one.partition(":") for one in heads)],
    }
    pictures = {issuer.logo, *(one for sheet in chosen for one in (sheet.item_image, sheet.customer_image))}
    return Page(template("sheet.html").render(Context(context)), frozenset(pictures - {""}), SHEET_STYLESHEET)


def _shown(sheet: Sheet) -> dict[str, object]:
    quinto = plain(sheet.quinto)
    components = [
        _breakable(" · ".join(plain(part) for part in (row.name, row.material, row.description, row.notes) if part))
        for row in sheet.components
    ]
    processes = [_breakable(plain(name)) for name in sheet.processes]
    boxes = [(name, one in sheet.weighing) for name, one in zip(processes, sheet.processes, strict=True)]
    above = _rows((*(written for _, written in sheet.texts), *components), LETTERS_OF_ROW)
    rows = above + _rows(processes, LETTERS_OF_CELL)
    crowded = rows > ROWS_BELOW and max(map(len, processes), default=0) <= LONGEST_BESIDE
    lists_beside = above + len(processes) // 2 > ROWS_BELOW and sum(map(len, components)) <= LETTERS_BESIDE
    line = text("sheet_n_of_total", {"position": sheet.place.position, "total": sheet.of})
    delivery = _day(sheet.delivery)
    foot = [
        f"PO# {_breakable(plain(sheet.po))}",
        f"{text('sheet_line')} {line}",
        f"{text('sheet_delivery')} {delivery}" if delivery else "",
        f"{text('sheet_short_code')} {sheet.place.short}",
    ]
    return {
        "foot": " · ".join(filter(None, foot)),
        "facts": [
            (text("sheet_quinto"), quinto) if quinto else (text("sheet_customer"), plain(sheet.customer)),
            ("PO#", plain(sheet.po)),
        ],
        "line": line,
        "delivery": delivery,
        "days": [(text(f"column_{field}"), _day(day)) for field, day in sheet.days],
        "continued": sheet.continued,
        "goes_on": sheet.goes_on,
        "quantity": pieces_left(sheet.good, sheet.quantity),
        "texts": [
            (field, text(f"column_{field}"), _breakable(plain(written))) for field, written in sheet.texts if written
        ],
        "item": plain(sheet.item),
        "item_key": plain(sheet.item_key),
        "item_image": PICTURE + sheet.item_image if sheet.item_image else NO_PICTURE,
        "customer_image": PICTURE + sheet.customer_image if sheet.customer_image else NO_PICTURE,
        "code": CODE + seal(sheet.place),
        "short_code": sheet.place.short,
        "components": components,
        "components_beside": _halves(components) if lists_beside else None,
        "crowded": crowded,
        "weighs": bool(sheet.weighing),
        "processes": [_halves(some) if crowded else [some] for some in batched(boxes, PROCESSES_TOGETHER)],
    }


def _halves[Row](rows: Sequence[Row]) -> list[Sequence[Row]]:
    """Split rows into two columns. The first is longer if their number is odd."""
    middle = (len(rows) + 1) // 2
    return [rows[:middle], rows[middle:]]


def plain(written: str) -> str:
    """Remove emoji, and marks that change the writing direction: these would print 12 as 21.

    Names of erased people appear in the active language.
    """
    return _EMOJI.sub("", _OVERRIDES.sub("", erased.shown(written)))


def _breakable(text: str) -> str:
    """Insert break opportunities into words of 60 letters or more. Without these, the renderer takes five times as long
    to find breaks in such words as for the rest of the layout."""
    return _LONG_WORD.sub(lambda word: "\u200b".join("".join(some) for some in batched(word[0], 20)), text)


def _rows(texts: Iterable[str], letters: int) -> int:
    """Estimate the number of rows that the texts take, with `letters` in a row."""
    return sum(ceil(len(one) / letters) for one in texts)


def _day(day: date | None) -> str:
    """Write a date as DD-MM-YYYY. None gives an empty text."""
    return day.strftime("%d-%m-%Y") if day else ""


@cache
def template(name: str) -> Template:
    """Load a template of this package. Its engine escapes all values."""
    return Engine(dirs=[str(Path(__file__).parent)]).get_template(name)
