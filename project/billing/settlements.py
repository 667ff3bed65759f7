"""Note payments of bills and credit notes for them (infra/docs/rules.md#customs-invoice)."""

from decimal import Decimal

from project.access.principal import Principal
from project.billing import auditing
from project.billing.customs_rules import CURRENCIES
from project.billing.models import Bill, Settlement, SettlementKind, balance_of, export_of
from project.billing.rules import AlreadySealed, BillAction
from project.billing.schemas import SettlementIn
from project.billing.selectors import cfdi_of, settlement_get, settlements_of
from project.billing.services import bill_for_update, publish_bill
from project.core import clock
from project.core.errors import AlreadyCanceled, FieldError, InvalidFields, Refusal
from project.core.idempotency import unit_of_work
from project.core.money import minor_units, rounded, too_many_decimals


class PaidAtOnce(Refusal):
    """The bill was paid at once (PUE), so no payments can be noted. Only bills that are paid later have payments."""

    code = "paid_at_once"


class NotTheLast(Refusal):
    """This is not the bill's last payment or credit note. Cancel the later ones first: they begin with its balance."""

    code = "not_the_last"


class AboveBalance(InvalidFields):
    """The payment or credit note is larger than the `balance` that is owed for the bill, in the bill's currency."""

    code = "above_balance"


@unit_of_work
def settle(*, bill_id: int, body: SettlementIn, by: Principal) -> Settlement:
    """Note a payment or a credit note. It may not be above the balance.

    Raises `NotFound`, `NotIssued`, `AlreadyCanceled`, `PaidAtOnce`, `AboveBalance`, and `InvalidFields` for a time in
    the future, another currency, a missing rate, too many decimals, and an amount that converts to nothing.
    """
    bill = bill_for_update(bill_id)
    bill.check_allows(BillAction.settle)
    kind = SettlementKind(body.kind)
    if kind is SettlementKind.payment and export_of(bill).payment_form:
        raise PaidAtOnce
    currency, rate = _money(bill, kind, body)
    settled = _converted(body.amount, currency, bill.currency, rate)
    rows = settlements_of(bill_id)
    balance = balance_of(bill, rows)
    if settled > balance:
        left = {"balance": float(balance), "currency": bill.currency}
        raise AboveBalance(errors=[FieldError("amount", AboveBalance.code, left)], **left)
    if settled <= 0:
        raise InvalidFields.of("amount", "too_small")
    row = Settlement.objects.create(
        bill=bill,
        kind=kind.value,
        number=1 + sum(one.kind == kind.value for one in rows),
        at=body.at,
        payment_form=body.payment_form,
        currency=currency,
        amount=body.amount,
        rate=rate,
        settled=settled,
        balance_before=balance,
        balance_after=balance - settled,
        notes=body.notes,
        created_at=clock.now(),
    )
    _publish(bill, "settled", None, row, by)
    return row


@unit_of_work
def settlement_cancel(*, bill_id: int, settlement_id: int, by: Principal) -> Settlement:
    """Take back the last payment or credit note of a bill. Its row stays.

    Raises `NotFound`, `AlreadyCanceled`, `AlreadySealed` while its own paper is sealed or stamped, `NotTheLast`.
    """
    bill = bill_for_update(bill_id)
    row = settlement_get(bill_id, settlement_id)
    if row.canceled_at:
        raise AlreadyCanceled
    if cfdi_of(bill_id, settlement_id):
        raise AlreadySealed
    if settlements_of(bill_id)[-1] != row:
        raise NotTheLast
    row.canceled_at = clock.now()
    row.save(update_fields=["canceled_at"])
    _publish(bill, "unsettled", row, None, by)
    return row


def _money(bill: Bill, kind: SettlementKind, body: SettlementIn) -> tuple[str, Decimal | None]:
    """Return the currency, and the rate if dollars are part of it. Raises `InvalidFields`."""
    currency = body.currency or bill.currency
    other = currency != bill.currency
    if other and (kind is SettlementKind.credit_note or not {currency, bill.currency} <= CURRENCIES):
        raise InvalidFields.of("currency", "other_currency", currency=bill.currency)
    if body.at > clock.now() + clock.CLOCKS_DIFFER:
        raise InvalidFields.of("at", "in_the_future")
    if errors := [*too_many_decimals("amount", body.amount, minor_units(currency))]:
        raise InvalidFields(errors=errors)
    needs = "USD" in (currency, bill.currency)
    if needs and body.rate is None:
        raise InvalidFields.of("rate", "required")
    return currency, body.rate if needs else None


def _converted(amount: Decimal, currency: str, to: str, rate: Decimal | None) -> Decimal:
    """Return an amount in another currency. `rate`: pesos for a dollar."""
    if currency == to or not rate:
        return amount
    return rounded(amount / rate if to == "USD" else amount * rate, to)


def _publish(bill: Bill, action: str, was: Settlement | None, now: Settlement | None, by: Principal) -> None:
    before = auditing.snapshot(bill, settlement=_text(was))
    bill.version += 1
    bill.save(update_fields=["version"])
    publish_bill(bill, action, before, [], by, settlement=_text(now))


def _text(row: Settlement | None) -> str | None:
    return f"{row.kind} {row.number}: {row.amount} {row.currency}" if row else None
