"""Turns records to pay and payments into answers and files."""

from collections.abc import Sequence
from datetime import datetime

from project.access.permissions import Permission
from project.access.principal import Principal
from project.catalogs.models import PriceUnit
from project.core.exporting import Column
from project.core.money import plant_currency, with_minor_units
from project.core.texts import named, text
from project.identity.models import User
from project.orders.models import ProcessRecord
from project.orders.reported_later import LATE
from project.piecework import schemas
from project.piecework.models import Payment, PaymentItem
from project.piecework.prices import OwedPerson, price_of
from project.piecework.rules import PaymentStatus


def payable(row: ProcessRecord) -> schemas.PayableOut:
    """Return the answer for a closed record loaded by the selectors. No query."""
    assert row.output_at is not None  # noqa: S101 - closed by definition
    by, order = _who_left(row), row.line.order
    return schemas.PayableOut(
        id=row.pk,
        sales_order_id=order.pk,
        position=row.line.position,
        customer_sales_order_id=order.customer_sales_order_id,
        customer_id=order.customer_id,
        customer_name=order.customer.name,
        item_name=row.line.item.name,
        item_name_english=row.line.item.name_english,
        production_process_id=row.process_id,
        production_process_name=row.process.name,
        user_id=by.pk,
        output_username=by.full_name,
        input_date=row.input_at,
        output_date=row.output_at,
        output_received_at=_reported_late(row),
        quantity=row.quantity,
        paid_quantity=row.quantity_paid,
        remaining_quantity=row.quantity - row.quantity_paid,
        remaining_grams=_remaining_grams(row),
        unit=PriceUnit(row.price_unit),
        price=price_of(row),
        currency=plant_currency(),
    )


def owed(row: OwedPerson) -> schemas.OwedOut:
    """Return the answer for what a person is owed. No query."""
    assert row.whole.since is not None  # noqa: S101 - something is left to pay, or to weigh
    return schemas.OwedOut(
        user_id=row.user_id,
        full_name=row.full_name,
        records=row.asked.records,
        pieces=row.asked.pieces,
        amount=row.asked.amount,
        unweighed=row.asked.unweighed,
        since=row.asked.since,
        owed_records=row.whole.records,
        owed_pieces=row.whole.pieces,
        owed_amount=row.whole.amount,
        owed_since=row.whole.since,
        currency=plant_currency(),
        processes=[
            schemas.OwedProcessOut(
                production_process_id=one.process_id,
                production_process_name=one.name,
                records=one.owed.records,
                pieces=one.owed.pieces,
                amount=one.owed.amount,
            )
            for one in row.processes
        ],
    )


def _who_left(row: ProcessRecord) -> User:
    assert row.output_by is not None  # noqa: S101 - the database keeps an exit's instant and person, or neither
    return row.output_by


def _remaining_grams(row: ProcessRecord) -> float | None:
    """Return the grams left to pay; None if the record earns by the piece, or has no weight yet."""
    if row.price_unit != PriceUnit.gram or row.mg_left is None:
        return None
    return (row.mg_left - row.mg_paid) / 1_000


def _reported_late(row: ProcessRecord) -> datetime | None:
    """Return when the server received an exit, if that was over 10 minutes after its claimed time; else None."""
    claimed, received = row.output_at, row.exit and row.exit.press.received_at
    return received if claimed and received and received - claimed > LATE else None


PAYABLE_COLUMNS: Sequence[Column[ProcessRecord]] = [
    Column("customerSalesOrderId", lambda row: row.line.order.customer_sales_order_id),
    Column("position", lambda row: row.line.position),
    Column("customerName", lambda row: row.line.order.customer.name),
    Column("itemName", lambda row: named(row.line.item.name, row.line.item.name_english)),
    Column("productionProcessName", lambda row: named(row.process.name, row.process.name_english)),
    Column("outputUsername", lambda row: _who_left(row).full_name),
    Column("inputDate", lambda row: row.input_at),
    Column("outputDate", lambda row: row.output_at),
    Column("outputReceivedAt", _reported_late),
    Column("quantity", lambda row: row.quantity),
    Column("paidQuantity", lambda row: row.quantity_paid),
    Column("remainingQuantity", lambda row: row.quantity - row.quantity_paid),
    Column("remainingGrams", _remaining_grams),
    Column("price", lambda row: with_minor_units(price_of(row), plant_currency())),
    Column("currency", lambda row: plant_currency()),
    Column("unit", lambda row: text(f"unit_{row.price_unit}")),
]


def paid(row: Payment) -> schemas.PaidOut:
    return schemas.PaidOut(id=row.pk, version=row.version)


def payment(row: Payment, by: Principal) -> schemas.PaymentOut:
    """Return the document of a payment that the selectors loaded, with what `by` may do to it. No query."""
    document = payment_document(row)
    actions = schemas.PaymentActions(cancel=document.offers.cancel and by.holds(Permission.CancelPay))
    return schemas.PaymentOut(**dict(document), actions=actions)


def payment_document(row: Payment) -> schemas.PaymentDocument:
    """Return the document of a payment loaded by the selectors, which is the same for all of its readers. No query."""
    return schemas.PaymentDocument(
        id=row.pk,
        status=PaymentStatus(row.status),
        date=row.date,
        user_id=row.payee_id,
        username=row.payee_name or None,
        notes=row.notes,
        cancel_notes=row.cancel_notes,
        total=row.total,
        currency=row.texts.currency,
        items=[_item(item) for item in row.items.all()],
        created_at=row.created_at,
        created_by=row.created_by_name,
        canceled_at=row.canceled_at,
        canceled_by=row.canceled_by_name or None,
        version=row.version,
        offers=schemas.PaymentOffers(cancel=row.status == PaymentStatus.Paid),
    )


def _item(row: PaymentItem) -> schemas.PaymentItemOut:
    record, line, texts = row.record, row.record.line, row.texts
    return schemas.PaymentItemOut(
        process_record_id=record.pk,
        sales_order_id=line.order_id,
        position=line.position,
        customer_sales_order_id=row.customer_sales_order_id,
        item_name=texts.item_name,
        item_name_english=texts.item_name_english,
        production_process_id=record.process_id,
        production_process_name=texts.process_name,
        user_id=row.earner_id,
        output_username=row.earner_name,
        quantity=row.quantity,
        grams=None if row.mg is None else row.mg / 1_000,
        unit=row.unit,
        price=row.price,
        amount=row.amount,
    )


PAYMENT_COLUMNS: Sequence[Column[Payment]] = [
    Column("number", lambda row: row.pk),
    Column("date", lambda row: row.date),
    Column("status", lambda row: text(f"payment_{row.status}")),
    Column("payee", lambda row: row.payee_name),
    Column("quantity", lambda row: sum(item.quantity for item in row.items.all())),
    Column("total", lambda row: with_minor_units(row.total, row.texts.currency)),
    Column("currency", lambda row: row.texts.currency),
    Column("notes", lambda row: row.notes),
    Column("cancelNotes", lambda row: row.cancel_notes),
]
