"""Renders pay slips of piece work, in one language: the payee, the amount and the paid records."""

from collections.abc import Iterable
from decimal import Decimal
from itertools import groupby

from django.template import Context
from django.utils import translation

from project.core import clock
from project.core.money import money_text
from project.core.texts import text
from project.orders.models import ProcessRecord
from project.piecework.models import Payment, PaymentItem
from project.piecework.rules import PaymentStatus
from project.printing.addresses import PAPER_STYLESHEET, logo_address
from project.printing.pages import Page, plain, template

_HEADS = {"left": "", "item": "wide", "process": "", "pieces": "figure", "price": "figure", "amount": "figure"}


def page(payment: Payment, language: str) -> Page:
    """Render the pay slip of a payment loaded by its selectors. No query; 2 if items have no `issued`."""
    with translation.override(language):
        markup = template("receipt.html").render(Context(_context(payment, language)))
    return Page(markup, frozenset({payment.logo} - {""}), PAPER_STYLESHEET)


def file_name(payment: Payment, language: str, last: Payment | None = None) -> str:
    """Return the file's name: `Recibo_31.pdf`, or `Recibo_31-34.pdf` if the file ends with the payment `last`."""
    numbers = str(payment.pk) if last is None or last == payment else f"{payment.pk}-{last.pk}"
    with translation.override(language):
        return f"{text('receipt_file')}_{numbers}.pdf"


def _context(payment: Payment, language: str) -> dict[str, object]:
    currency = payment.texts.currency
    items = sorted(payment.items.all(), key=lambda item: (*_earner(item), item.record.output_at))
    people = [_person(name, list(found), currency) for (name, _), found in groupby(items, _earner)]
    payee = payment.payee_name or ", ".join(str(person["name"]) for person in people)
    days = [_left(item.record) for item in items]
    facts = [
        ("number", f"#{payment.pk}"),
        ("date", payment.date.isoformat()),
        ("period", f"{min(days)[:10]} – {max(days)[:10]}"),
        ("by", payment.created_by_name),
    ]
    return {
        "language": language,
        "title": text("receipt_title"),
        "canceled": text("receipt_Canceled") if payment.status == PaymentStatus.Canceled else "",
        "logo": logo_address(payment.logo),
        "parties": [(text("receipt_payer"), [plain(payment.texts.payer)]), (text("receipt_payee"), [plain(payee)])],
        "facts": [(text(f"receipt_{name}"), plain(value)) for name, value in facts],
        "heads": [(text(f"receipt_{name}"), kind) for name, kind in _HEADS.items()],
        "people": people,
        "sums": _by_process(items, currency),
        "total": (text("receipt_total"), money_text(payment.total, currency)),
        "notes": (text("receipt_notes"), plain(payment.notes)) if payment.notes else None,
        "signatures": [
            (text("receipt_received"), plain(payee)),
            (text("receipt_paid"), plain(payment.created_by_name)),
        ],
    }


def _earner(item: PaymentItem) -> tuple[str, int]:
    return item.earner_name, item.earner_id


def _left(record: ProcessRecord) -> str:
    assert record.output_at is not None  # noqa: S101 - only closed records are paid
    return clock.shown(record.output_at)


def _person(name: str, items: list[PaymentItem], currency: str) -> dict[str, object]:
    return {
        "name": plain(name),
        "rows": [_row(item, currency) for item in items],
        "pieces": f"{sum(item.quantity for item in items):,}",
        "amount": money_text(sum((item.amount for item in items), Decimal(0)), currency),
    }


def _row(item: PaymentItem, currency: str) -> dict[str, str]:
    texts = item.texts
    return {
        "left": _left(item.record),
        "po": f"PO# {plain(item.customer_sales_order_id)} · {item.record.line.position}",
        "item": plain(texts.item_name),
        "process": plain(texts.process_name),
        "quantity": f"{item.quantity:,}",
        "grams": "" if item.mg is None else f"{Decimal(item.mg) / 1_000:,f} g",
        "price": money_text(item.price, currency) + ("" if item.mg is None else " / g"),
        "amount": money_text(item.amount, currency),
    }


def _by_process(items: Iterable[PaymentItem], currency: str) -> list[tuple[str, str]]:
    """Sum the pieces and amounts of each process, in the order of production."""
    found: dict[tuple[int, int, str], tuple[int, Decimal]] = {}
    for item in items:
        texts = item.texts
        key = (texts.process_order, item.record.process_id, texts.process_name)
        pieces, amount = found.get(key, (0, Decimal(0)))
        found[key] = pieces + item.quantity, amount + item.amount
    return [
        (text("receipt_of_process", {"process": plain(name), "pieces": f"{pieces:,}"}), money_text(amount, currency))
        for (_, _, name), (pieces, amount) in sorted(found.items())
    ]
