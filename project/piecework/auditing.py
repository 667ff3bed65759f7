"""Write changes of payments into the audit."""

from project.access.principal import Principal
from project.audit import services as audit
from project.audit.services import Snapshot
from project.core.money import plant_currency
from project.piecework.models import Payment


def snapshot(row: Payment) -> Snapshot:
    """Return what the audit keeps of a payment loaded by the selectors: its columns and its items."""
    return audit.snapshot(
        row,
        currency=plant_currency(),
        items=[
            {
                "processRecordId": item.record_id,
                "quantity": item.quantity,
                "price": float(item.price),
                "amount": float(item.amount),
                **({} if item.mg is None else {"grams": item.mg / 1_000}),
            }
            for item in row.items.all()
        ],
    )


def record_payment(row: Payment, action: str, *, before: Snapshot | None, by: Principal) -> None:
    """Record a change of a payment."""
    audit.record(
        entity="payment", entity_id=row.pk, label=str(row), action=action, before=before, after=snapshot(row), by=by
    )
