"""Bills and pre-bills on paper, in both languages: customs reads English (contract, section 5)."""

from collections.abc import Callable
from decimal import Decimal

from django.template import Context
from django.utils import translation

from project.catalogs.models import Company, Customer
from project.catalogs.terms import shared_catalogs
from project.core.texts import LANGUAGES, texts
from project.deliveries.models import Delivery, DeliveryLine
from project.deliveries.rules import DeliveryStatus
from project.worksheets.addresses import BILL_LOOK, LOGO
from project.worksheets.pages import Page, plain, template
from project.worksheets.selectors import House

Words = Callable[[str], str]


def page(delivery: Delivery, house: House, language: str) -> Page:
    """The delivery's paper; what is `language` stands first. No query where the delivery is loaded whole."""

    def words(key: str) -> str:
        first = texts(language)[f"bill_{key}"]
        others = [texts(other)[f"bill_{key}"] for other in LANGUAGES if other != language]
        return " / ".join(dict.fromkeys([first, *others]))

    logo = delivery.company.image or house.logo
    kind = DeliveryStatus.Billed if delivery.number else DeliveryStatus.PreBill
    context = {
        "language": language,
        "title": words(kind),
        "canceled": words("Canceled") if delivery.status == DeliveryStatus.Canceled else "",
        "logo": LOGO + logo if logo else "",
        "parties": [
            (words("seller"), _seller(delivery.company, words)),
            (words("buyer"), _buyer(delivery.customer, words)),
        ],
        "facts": _facts(delivery, words),
        "heads": [words(key) for key in ("item", "tariff", "metal", "origin", "quantity", "price", "amount")],
        "lines": [_line(line, _country(delivery.company), delivery.currency) for line in delivery.lines.all()],
        "sums": [
            (words(key), _money(amount, delivery.currency))
            for key, amount in (
                ("subtotal", delivery.subtotal),
                ("tax", delivery.tax),
                ("shipping", delivery.shipping_price),
            )
        ],
        "total": (words("total"), _money(delivery.total, delivery.currency)),
        "notes": (words("notes"), plain(delivery.notes)) if delivery.notes else None,
    }
    with translation.override(language):
        markup = template("bill.html").render(Context(context))
    return Page(markup, frozenset({logo} - {""}), BILL_LOOK)


def file_name(delivery: Delivery) -> str:
    """`Factura_F-0012.pdf`, or for a pre-bill `Prefactura_P-0003.pdf`."""
    return f"{'Factura' if delivery.number else 'Prefactura'}_{delivery.number_text}.pdf"


def _facts(delivery: Delivery, words: Words) -> list[tuple[str, str]]:
    regimes = {
        term.code: f"{term.code} {term.name_es} / {term.name_en}" for term in shared_catalogs()["customsRegimes"]
    }
    facts = [
        (words("number"), delivery.number_text),
        (words("date"), delivery.date.strftime("%d-%m-%Y")),
        (words("invoice"), delivery.invoice_number),
        (words("guide"), delivery.guide_number),
        (words("regime"), regimes.get(delivery.custom_regime, "")),
        (words("currency"), delivery.currency),
    ]
    return [(name, plain(value)) for name, value in facts if value]


def _seller(company: Company, words: Words) -> list[str]:
    return _party(company.legal_name or company.name, company.tax_id, company.commercial_address, words)


def _buyer(customer: Customer, words: Words) -> list[str]:
    commercial = next((one for one in customer.addresses if one.get("kind") == "Commercial"), None)
    return _party(customer.name, customer.tax_id, commercial, words)


def _party(name: str, tax_id: str, address: dict[str, str] | None, words: Words) -> list[str]:
    at = address or {}
    street = " ".join(filter(None, (at.get("street"), at.get("exteriorNumber"), at.get("interiorNumber"))))
    city = ", ".join(filter(None, (at.get("neighborhood"), at.get("city"), at.get("state"))))
    place = " ".join(filter(None, (at.get("postalCode"), _country_name(at.get("country", "")))))
    tax = f"{words('tax_id')}: {tax_id}" if tax_id else ""
    return [plain(line) for line in (name, tax, street, city, place) if line]


def _country(company: Company) -> str:
    return _country_name((company.commercial_address or {}).get("country", ""))


def _country_name(code: str) -> str:
    """In English, as customs reads it; what is no code stays as it was written."""
    return next((term.name_en for term in shared_catalogs()["countries"] if term.code == code), code)


def _line(row: DeliveryLine, origin: str, currency: str) -> dict[str, object]:
    item = row.line.item
    tariff = item.tax_item
    return {
        "po": f"PO# {plain(row.line.order.customer_sales_order_id)} · {row.line.position}",
        "item": " · ".join(plain(part) for part in (item.key, item.name)),
        "english": plain(item.description_english),
        "tariff": tariff.code if tariff else "",
        "tariff_english": plain(tariff.english_description) if tariff else "",
        "metal": plain(tariff.english_metal_name) if tariff else "",
        "origin": origin,
        "quantity": f"{row.quantity:,}",
        "price": _price(row.price, currency),
        "amount": _money(row.amount, currency),
    }


def _money(amount: Decimal, currency: str) -> str:
    return f"{amount:,.2f} {currency}"


def _price(price: Decimal, currency: str) -> str:
    """Two decimals, and more only where there are more."""
    return f"{price:,.4f}".removesuffix("00") + f" {currency}"
