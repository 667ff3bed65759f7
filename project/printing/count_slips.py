"""Renders the slip of a count of the vault: what was expected and counted, by alloy and lot."""

from decimal import Decimal

from django.template import Context
from django.utils import translation

from project.catalogs.selectors import Issuer
from project.core import clock
from project.core.texts import text
from project.metal.schemas import MetalCountAlloyOut, MetalCountLotOut, MetalCountOut
from project.printing.addresses import PAPER_STYLESHEET, logo_address
from project.printing.pages import Page, plain, template


def page(count: MetalCountOut, issuer: Issuer, language: str) -> Page:
    """Render the slip of a count. Sends no query."""
    with translation.override(language):
        markup = template("metal_slip.html").render(Context(_context(count, issuer, language)))
    return Page(markup, frozenset({issuer.logo} - {""}), PAPER_STYLESHEET)


def file_name(count: MetalCountOut, language: str) -> str:
    """Return the file's name: `Conteo_3.pdf`."""
    with translation.override(language):
        return f"{text('count_file')}_{count.slip_number}.pdf"


def _context(count: MetalCountOut, issuer: Issuer, language: str) -> dict[str, object]:
    facts = [("number", f"#{count.slip_number}"), ("at", clock.shown(count.at))]
    heads = [("alloy", ""), ("expected", "figure"), ("counted", "figure"), ("difference", "figure")]
    fine = sum((one.fine_difference_grams for one in count.alloys), Decimal(0))
    return {
        "language": language,
        "title": text("count_title"),
        "canceled": "",
        "logo": logo_address(issuer.logo),
        "parties": [(text("slip_workshop"), [plain(issuer.name)])],
        "facts": [(text(f"count_{name}"), plain(value)) for name, value in facts],
        "heads": [(text(f"slip_{name}"), kind) for name, kind in heads],
        "rows": [_row(one, lot) for one in count.alloys for lot in one.lots],
        "total": (text("count_difference_fine"), _grams(fine)),
        "gone": "\n".join(plain(f"{one.alloy_name}: {one.reason}") for one in count.alloys if one.reason),
        "notes": (text("slip_notes"), plain(count.notes)) if count.notes else None,
        "signatures": [
            (text("count_counted_by"), plain(count.counted_by)),
            (text("count_witness"), plain(count.witness)),
        ],
    }


def _row(alloy: MetalCountAlloyOut, lot: MetalCountLotOut) -> dict[str, object]:
    named = " · ".join(part for part in (lot.supplier, lot.document) if part) or text("count_no_lot")
    return {
        "alloy": plain(f"{alloy.alloy_name} · {named}"),
        "figures": [_grams(lot.expected_grams), _grams(lot.counted_grams)],
        "loss": _grams(lot.difference_grams),
    }


def _grams(grams: Decimal) -> str:
    return f"{grams:,.3f} g"
