"""Renders bills and pre-bills in both languages, because customs reads English (infra/docs/rules.md#bills)."""

from collections.abc import Callable

from django.template import Context
from django.utils import translation

from project.billing.issued import BillTexts
from project.billing.models import Bill, BillLine
from project.billing.rules import BillStatus
from project.catalogs.terms import shared_catalogs
from project.core.money import money_text as money
from project.core.texts import LANGUAGES, texts
from project.printing.addresses import PAPER_STYLESHEET, logo_address
from project.printing.pages import Page, plain, template

Words = Callable[[str], str]

_HEADS = {
    "item": "wide",
    "tariff": "middling",
    "metal": "",
    "origin": "",
    "quantity": "figure",
    "price": "figure",
    "amount": "figure",
}


def words_in(language: str, of: str = "bill") -> Words:
    """Return a function that translates a paper's words into all languages, `language` first."""

    def words(key: str) -> str:
        first = texts(language)[f"{of}_{key}"]
        others = [texts(other)[f"{of}_{key}"] for other in LANGUAGES if other != language]
        return " / ".join(dict.fromkeys([first, *others]))

    return words


def page(bill: Bill, logo: str, language: str) -> Page:
    """Render a bill with the stored picture `logo` and `language` first. No query if the bill's lines are loaded."""

    words, texts = words_in(language), bill.texts
    kind = BillStatus.Billed if bill.number else BillStatus.PreBill
    context = {
        "language": language,
        "title": words(kind),
        "canceled": words("Canceled") if bill.status == BillStatus.Canceled else "",
        "logo": logo_address(logo),
        "parties": [
            (words("seller"), seller(texts, words)),
            (words("buyer"), buyer(texts, words)),
        ],
        "facts": _facts(bill, words),
        **amounts(bill, words),
        "notes": (words("notes"), plain(bill.notes)) if bill.notes else None,
    }
    with translation.override(language):
        markup = template("bill.html").render(Context(context))
    return Page(markup, frozenset({logo} - {""}), PAPER_STYLESHEET)


def amounts(bill: Bill, words: Words) -> dict[str, object]:
    """Return the lines and sums of a bill for `bill.html`. No query if the bill's lines are loaded."""
    return {
        "heads": [(words(key), kind) for key, kind in _HEADS.items()],
        "lines": [line_of(line, bill.currency) for line in bill.lines.all()],
        "sums": [
            (words(key), money(amount, bill.currency))
            for key, amount in (
                ("subtotal", bill.subtotal),
                ("tax", bill.tax),
                ("shipping", bill.shipping_price),
            )
        ],
        "total": (words("total"), money(bill.total, bill.currency)),
    }


def file_name(bill: Bill) -> str:
    """Return the file's name: `Factura_F-0012.pdf`, or `Prefactura_P-0003.pdf` for a pre-bill."""
    return f"{'Factura' if bill.number else 'Prefactura'}_{bill.number_text}.pdf"


def _facts(bill: Bill, words: Words) -> list[tuple[str, str]]:
    regimes = {
        term.code: f"{term.code} {term.name_es} / {term.name_en}" for term in shared_catalogs()["customsRegimes"]
    }
    facts = [
        (words("number"), bill.number_text),
        (words("date"), bill.date.isoformat()),
        (words("invoice"), bill.invoice_number),
        (words("guide"), bill.guide_number),
        (words("regime"), regimes.get(bill.custom_regime, "")),
        (words("currency"), bill.currency),
    ]
    return [(name, plain(value)) for name, value in facts if value]


def seller(texts: BillTexts, words: Words) -> list[str]:
    return _party(seller_name(texts), texts.company_tax_id, texts.company_address, words)


def seller_name(texts: BillTexts) -> str:
    return texts.company_legal_name or texts.company_name


def buyer(texts: BillTexts, words: Words, kind: str = "Commercial") -> list[str]:
    """Return the buyer as lines of text, with the address of `kind`. Without one, uses the commercial address."""
    of_kind = {str(one.get("kind")): one for one in reversed(texts.customer_addresses)}
    return _party(texts.customer_name, texts.customer_tax_id, of_kind.get(kind, of_kind.get("Commercial")), words)


def _party(name: str, tax_id: str, address: dict[str, str] | None, words: Words) -> list[str]:
    at = address or {}
    street = " ".join(filter(None, (at.get("street"), at.get("exteriorNumber"), at.get("interiorNumber"))))
    city = ", ".join(filter(None, (at.get("neighborhood"), at.get("city"), at.get("state"))))
    place = " ".join(filter(None, (at.get("postalCode"), _country_name(at.get("country", "")))))
    tax = f"{words('tax_id')}: {tax_id}" if tax_id else ""
    return [plain(line) for line in (name, tax, street, city, place) if line]


def _country_name(code: str) -> str:
    """Return a country's name in English, for customs. Print unknown codes verbatim."""
    return next((term.name_en for term in shared_catalogs()["countries"] if term.code == code), code)


def line_of(row: BillLine, currency: str) -> dict[str, object]:
    """Return a line's cells as papers show them. Sends no query."""
    texts = row.texts
    return {
        "po": f"PO# {plain(row.purchase_order)} · {row.line.position}",
        "item": " · ".join(plain(part) for part in (texts.item_key, texts.item_name)),
        "english": plain(texts.description_english),
        "tariff": texts.tariff_item,
        "tariff_english": plain(texts.tariff_english),
        "metal": plain(texts.metal_english),
        "origin": _country_name(texts.origin),
        "quantity": f"{row.quantity:,}",
        "price": money(row.price, currency),
        "amount": money(row.amount, currency),
    }
