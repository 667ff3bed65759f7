"""Renders the slip of a person's closed day of metal: what was expected, counted, swept and missing."""

from decimal import Decimal

from django.template import Context
from django.utils import translation

from project.catalogs.selectors import Issuer
from project.core import clock
from project.core.texts import text
from project.metal.schemas import MetalDayAlloyOut, MetalDayOut
from project.printing.addresses import PAPER_STYLESHEET, logo_address
from project.printing.pages import Page, plain, template

_HEADS = ("alloy", "received", "expected", "counted", "dust", "difference", "loss")


def page(day: MetalDayOut, issuer: Issuer, language: str) -> Page:
    """Render the slip of a closed day. Sends no query."""
    with translation.override(language):
        markup = template("metal_slip.html").render(Context(_context(day, issuer, language)))
    return Page(markup, frozenset({issuer.logo} - {""}), PAPER_STYLESHEET)


def file_name(day: MetalDayOut, language: str) -> str:
    """Return the file's name: `Cierre_31.pdf`."""
    with translation.override(language):
        return f"{text('slip_file')}_{day.slip_number}.pdf"


def _context(day: MetalDayOut, issuer: Issuer, language: str) -> dict[str, object]:
    facts = [
        ("number", f"#{day.slip_number}"),
        ("day", day.day.isoformat()),
        ("process", day.production_process_name),
        ("closed", clock.shown(day.closed_at)),
        ("by", day.closed_by),
        ("allowed", "" if day.allowed_loss is None else _per_mille(day.allowed_loss)),
        ("reason", day.reason),
        ("reopened", f"{clock.shown(day.reopened_at)} · {day.reopened_by}" if day.reopened_at else ""),
    ]
    return {
        "language": language,
        "title": text("slip_title"),
        "canceled": text("slip_reopened") if day.reopened else "",
        "logo": logo_address(issuer.logo),
        "parties": [(text("slip_workshop"), [plain(issuer.name)]), (text("slip_person"), [plain(day.user_name)])],
        "facts": [(text(f"slip_{name}"), plain(value)) for name, value in facts if value],
        "heads": [(text(f"slip_{name}"), "" if name == "alloy" else "figure") for name in _HEADS],
        "rows": [_row(one) for one in day.alloys],
        "total": (text("slip_fine"), _grams(sum((one.fine_loss_grams for one in day.alloys), Decimal(0)))),
        "gone": text("slip_to_dust" if day.recovers else "slip_to_lost"),
        "notes": (text("slip_notes"), plain(day.notes)) if day.notes else None,
        "signatures": [
            (text("slip_agreed"), plain(day.user_name)),
            (text("slip_closed_by"), plain(day.closed_by)),
        ],
    }


def _row(one: MetalDayAlloyOut) -> dict[str, object]:
    figures = (one.received_grams, one.expected_grams, one.counted_grams, one.dust_grams, one.difference_grams)
    share = "" if one.loss_per_mille is None else f" · {_per_mille(one.loss_per_mille)}"
    return {
        "alloy": plain(one.alloy_name),
        "figures": [_grams(grams) for grams in figures],
        "loss": _grams(one.loss_grams) + share,
    }


def _per_mille(share: Decimal) -> str:
    """Return the share in words, because the papers' typeface has no per mille sign."""
    return f"{share:.1f} {text('slip_per_mille')}"


def _grams(grams: Decimal) -> str:
    return f"{grams:,.3f} g"
