"""Turns sheets into the markup that is printed. Whatever people wrote is text there, never markup."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from django.template import Context, Engine, Template
from django.utils import translation

from project.core.texts import text
from project.worksheets.addresses import CODE, LOGO, NO_PICTURE, PICTURE, SHEET_LOOK
from project.worksheets.codes import seal
from project.worksheets.selectors import House, Sheet

_OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069]")
_WORDS = ("quantity", "measures", "notes", "components")


@dataclass(frozen=True)
class Page:
    """Markup, the stored pictures it names, and its style sheet."""

    markup: str
    pictures: frozenset[str]
    look: str


def page(sheets: Iterable[Sheet], house: House, language: str) -> Page:
    """The sheets one after the other, each on a page of its own. No query."""
    chosen = list(sheets)
    with translation.override(language):
        shown = [_shown(sheet) for sheet in chosen]
        words = {word: text(f"sheet_{word}") for word in _WORDS}
    context = {
        "language": language,
        "title": ", ".join(dict.fromkeys(f"PO# {plain(sheet.po)}" for sheet in chosen)),
        "house": house.name,
        "logo": LOGO + house.logo if house.logo else "",
        "sheets": shown,
        "words": words,
    }
    pictures = {house.logo, *(one for sheet in chosen for one in (sheet.item_image, sheet.customer_image))}
    return Page(template("sheet.html").render(Context(context)), frozenset(pictures - {""}), SHEET_LOOK)


def _shown(sheet: Sheet) -> dict[str, object]:
    line = text("sheet_n_of_total", {"position": sheet.place.position, "total": sheet.of})
    return {
        "foot": f"PO# {plain(sheet.po)} · {text('sheet_line')} {line}",
        "facts": [
            (text("sheet_quinto"), plain(sheet.quinto) or "–"),
            ("PO#", plain(sheet.po)),
            (text("sheet_line"), line),
            (text("sheet_received"), _day(sheet.received)),
            (text("sheet_shipping"), _day(sheet.shipping)),
        ],
        "quantity": sheet.quantity,
        "measures": plain(sheet.measures),
        "notes": plain(sheet.notes),
        "item": plain(sheet.item),
        "item_key": plain(sheet.item_key),
        "item_image": PICTURE + sheet.item_image if sheet.item_image else NO_PICTURE,
        "customer_image": PICTURE + sheet.customer_image if sheet.customer_image else NO_PICTURE,
        "code": CODE + seal(sheet.place),
        "components": [
            " · ".join(plain(part) for part in (row.name, row.material, row.description, row.notes) if part)
            for row in sheet.components
        ],
    }


def plain(written: str) -> str:
    """Without the marks that turn the direction of writing: a 12 must not print as 21."""
    return _OVERRIDES.sub("", written)


def _day(day: date | None) -> str:
    """DD-MM-YYYY."""
    return day.strftime("%d-%m-%Y") if day else "–"


@cache
def template(name: str) -> Template:
    """A template of this package; whatever is put into it is escaped."""
    return Engine(dirs=[str(Path(__file__).parent)]).get_template(name)
