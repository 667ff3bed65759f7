"""Bills and pre-bills on paper, in both languages: customs reads English (contract, section 5)."""

from collections.abc import Callable

from django.template import Context
from django.utils import translation

from project.billing.models import Bill, BillLine
from project.billing.rules import BillStatus
from project.catalogs.models import Company, Customer
from project.catalogs.terms import shared_catalogs
from project.core.money import money_text as money
from project.core.texts import LANGUAGES, texts
from project.printing.addresses import LOGO, PAPER_STYLESHEET
from project.printing.pages import Page, plain, template
from project.printing.selectors import Issuer

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
    """The words of a paper in all languages, `language` first."""

    def words(key: str) -> str:
        first = texts(language)[f"{of}_{key}"]
        others = [texts(other)[f"{of}_{key}"] for other in LANGUAGES if other != language]
        return " / ".join(dict.fromkeys([first, *others]))

    return words


def page(bill: Bill, issuer: Issuer, language: str) -> Page:
    """The bill's paper; what is `language` stands first. No query where the bill is loaded whole."""

    words = words_in(language)
    logo = bill.company.image or issuer.logo
    kind = BillStatus.Billed if bill.number else BillStatus.PreBill
    context = {
        "language": language,
        "title": words(kind),
        "canceled": words("Canceled") if bill.status == BillStatus.Canceled else "",
        "logo": LOGO + logo if logo else "",
        "parties": [
            (words("seller"), seller(bill.company, words)),
            (words("buyer"), buyer(bill.customer, words)),
        ],
        "facts": _facts(bill, words),
        **amounts(bill, words),
        "notes": (words("notes"), plain(bill.notes)) if bill.notes else None,
    }
    with translation.override(language):
        markup = template("bill.html").render(Context(context))
    return Page(markup, frozenset({logo} - {""}), PAPER_STYLESHEET)


def amounts(bill: Bill, words: Words) -> dict[str, object]:
    """The lines and what they come to, as `bill.html` draws them. No query where the bill is loaded whole."""
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
    """`Factura_F-0012.pdf`, or for a pre-bill `Prefactura_P-0003.pdf`."""
    return f"{'Factura' if bill.number else 'Prefactura'}_{bill.number_text}.pdf"


def _facts(bill: Bill, words: Words) -> list[tuple[str, str]]:
    regimes = {
        term.code: f"{term.code} {term.name_es} / {term.name_en}" for term in shared_catalogs()["customsRegimes"]
    }
    facts = [
        (words("number"), bill.number_text),
        (words("date"), bill.date.strftime("%d-%m-%Y")),
        (words("invoice"), bill.invoice_number),
        (words("guide"), bill.guide_number),
        (words("regime"), regimes.get(bill.custom_regime, "")),
        (words("currency"), bill.currency),
    ]
    return [(name, plain(value)) for name, value in facts if value]


def seller(company: Company, words: Words) -> list[str]:
    return _party(company.legal_name or company.name, company.tax_id, company.commercial_address, words)


def buyer(customer: Customer, words: Words, kind: str = "Commercial") -> list[str]:
    """At the address of that kind, or the commercial one where there is none."""
    of_kind = {str(one.get("kind")): one for one in reversed(customer.addresses)}
    return _party(customer.name, customer.tax_id, of_kind.get(kind, of_kind.get("Commercial")), words)


def _party(name: str, tax_id: str, address: dict[str, str] | None, words: Words) -> list[str]:
    at = address or {}
    street = " ".join(filter(None, (at.get("street"), at.get("exteriorNumber"), at.get("interiorNumber"))))
    city = ", ".join(filter(None, (at.get("neighborhood"), at.get("city"), at.get("state"))))
    place = " ".join(filter(None, (at.get("postalCode"), _country_name(at.get("country", "")))))
    tax = f"{words('tax_id')}: {tax_id}" if tax_id else ""
    return [plain(line) for line in (name, tax, street, city, place) if line]


def _country_name(code: str) -> str:
    """In English, as customs reads it; what is no code stays as it was written."""
    return next((term.name_en for term in shared_catalogs()["countries"] if term.code == code), code)


def line_of(row: BillLine, currency: str) -> dict[str, object]:
    """A line as papers show it. No query."""
    item = row.line.item
    tariff = item.tax_item
    return {
        "po": f"PO# {plain(row.line.order.customer_sales_order_id)} · {row.line.position}",
        "item": " · ".join(plain(part) for part in (item.key, item.name)),
        "english": plain(item.description_english),
        "tariff": tariff.code if tariff else "",
        "tariff_english": plain(tariff.english_description) if tariff else "",
        "metal": plain(tariff.english_metal_name) if tariff else "",
        "origin": _country_name(item.origin),
        "quantity": f"{row.quantity:,}",
        "price": money(row.price, currency),
        "amount": money(row.amount, currency),
    }
