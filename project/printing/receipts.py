"""Pay slips of piece work: what was paid to whom, with the records that it pays, in one language."""

from collections.abc import Iterable
from decimal import Decimal
from itertools import groupby

from django.template import Context
from django.utils import translation

from project.core import clock
from project.core.money import money_text, plant_currency
from project.core.texts import text
from project.orders.models import ProcessRecord
from project.piecework.models import Payment, PaymentItem
from project.piecework.rules import PaymentStatus
from project.printing.addresses import LOGO, PAPER_STYLESHEET
from project.printing.pages import Page, plain, template
from project.printing.selectors import Issuer

_HEADS = {"left": "", "item": "wide", "process": "", "pieces": "figure", "price": "figure", "amount": "figure"}


def page(payment: Payment, issuer: Issuer, language: str) -> Page:
    """The pay slip of a payment loaded by its selectors. No query."""
    with translation.override(language):
        markup = template("receipt.html").render(Context(_context(payment, issuer, language)))
    return Page(markup, frozenset({issuer.logo} - {""}), PAPER_STYLESHEET)


def file_name(payment: Payment, language: str) -> str:
    """`Recibo_31.pdf`."""
    with translation.override(language):
        return f"{text('receipt_file')}_{payment.pk}.pdf"


def _context(payment: Payment, issuer: Issuer, language: str) -> dict[str, object]:
    items = sorted(payment.items.all(), key=lambda item: (*_earner(item), item.record.output_at))
    people = [_person(name, list(found)) for (name, _), found in groupby(items, _earner)]
    payee = payment.payee.full_name if payment.payee else ", ".join(str(person["name"]) for person in people)
    days = [_left(item.record) for item in items]
    facts = [
        ("number", f"#{payment.pk}"),
        ("date", payment.date.isoformat()),
        ("period", f"{min(days)[:10]} – {max(days)[:10]}"),
        ("by", payment.created_by.full_name),
    ]
    return {
        "language": language,
        "title": text("receipt_title"),
        "canceled": text("receipt_Canceled") if payment.status == PaymentStatus.Canceled else "",
        "logo": LOGO + issuer.logo if issuer.logo else "",
        "parties": [(text("receipt_payer"), [plain(issuer.name)]), (text("receipt_payee"), [plain(payee)])],
        "facts": [(text(f"receipt_{name}"), plain(value)) for name, value in facts],
        "heads": [(text(f"receipt_{name}"), kind) for name, kind in _HEADS.items()],
        "people": people,
        "sums": _by_process(items),
        "total": (text("receipt_total"), _amount(payment.total)),
        "notes": (text("receipt_notes"), plain(payment.notes)) if payment.notes else None,
        "signatures": [
            (text("receipt_received"), plain(payee)),
            (text("receipt_paid"), plain(payment.created_by.full_name)),
        ],
    }


def _earner(item: PaymentItem) -> tuple[str, int]:
    return item.earner.full_name, item.earner_id


def _left(record: ProcessRecord) -> str:
    assert record.output_at is not None  # noqa: S101 - what is paid has left
    return clock.shown(record.output_at)


def _amount(amount: Decimal) -> str:
    return money_text(amount, plant_currency())


def _person(name: str, items: list[PaymentItem]) -> dict[str, object]:
    return {
        "name": plain(name),
        "rows": [_row(item) for item in items],
        "pieces": f"{sum(item.quantity for item in items):,}",
        "amount": _amount(sum((item.amount for item in items), Decimal(0))),
    }


def _row(item: PaymentItem) -> dict[str, str]:
    line = item.record.line
    return {
        "left": _left(item.record),
        "po": f"PO# {plain(line.order.customer_sales_order_id)} · {line.position}",
        "item": plain(line.item.name),
        "process": plain(item.record.process.name),
        "quantity": f"{item.quantity:,}",
        "price": _amount(item.price),
        "amount": _amount(item.amount),
    }


def _by_process(items: Iterable[PaymentItem]) -> list[tuple[str, str]]:
    """What the pieces of each process come to, in the order of production."""
    found: dict[tuple[int, int, str], tuple[int, Decimal]] = {}
    for item in items:
        process = item.record.process
        key = (process.order, process.pk, process.name)
        pieces, amount = found.get(key, (0, Decimal(0)))
        found[key] = pieces + item.quantity, amount + item.amount
    return [
        (text("receipt_of_process", {"process": plain(name), "pieces": f"{pieces:,}"}), _amount(amount))
        for (_, _, name), (pieces, amount) in sorted(found.items())
    ]
