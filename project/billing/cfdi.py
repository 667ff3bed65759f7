"""Store the electronic papers of a bill as they are sealed, stamped or canceled (infra/docs/rules.md#customs-invoice).

They are its invoice, and the complement of each payment and each credit note: `settlement_id` names the payment or
credit note, None is the invoice. `project/printing/cfdi.py` writes, seals and reads their XML.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from project.access.principal import Principal
from project.billing import auditing
from project.billing.models import (
    LIVE,
    Bill,
    CancelReason,
    Cfdi,
    CfdiState,
    SealedPaper,
    Settlement,
    SettlementCfdi,
    SettlementKind,
    export_of,
)
from project.billing.selectors import cfdi_of, settlement_get
from project.billing.services import bill_for_update, publish_bill
from project.billing.settlements import PaidAtOnce
from project.core import clock
from project.core.errors import AlreadyCanceled, InvalidFields, Refusal
from project.core.idempotency import unit_of_work


class CustomsIncomplete(InvalidFields):
    """Data for the invoice are missing or wrong. `errors` name the rules; `GET /pdf/cfdi/{id}` names the records."""

    code = "customs_incomplete"


class NotStamped(Refusal):
    """The call needs a stamped paper, or one that the SAT was asked to cancel, and the bill has none."""

    code = "not_stamped"


class NotSealed(Refusal):
    """The bill has no sealed paper that waits for its stamp."""

    code = "not_sealed"


class NotCancelable(Refusal):
    """The invoice has complements of payment or credit notes that are sealed or stamped. Cancel these papers first."""

    code = "not_cancelable"


class StampPending(Refusal):
    """The paper was sent to a PAC that has not answered: it may be stamped. Stamp it again: this asks the PAC first."""

    code = "stamp_pending"


class StampExpired(Refusal):
    """The paper is too old to be stamped, and the PAC gave no stamp. Check at the PAC before you seal it again."""

    code = "stamp_expired"


STAMPED_WITHIN = timedelta(hours=72)
"""How long after its date a paper may be stamped."""
RESENT_AFTER = timedelta(minutes=2)
"""How long a PAC that has not answered may still be stamping."""


@dataclass(frozen=True)
class Asked:
    """A payment or credit note, and the stamped invoice that its paper names."""

    settlement: Settlement
    invoice: SealedPaper


def stamped_of(bill_id: int, settlement_id: int | None = None) -> SealedPaper:
    """Return the stamped invoice of a bill, or the stamped paper of one of its settlements. Raises `NotStamped`."""
    row = cfdi_of(bill_id, settlement_id)
    if row is None or row.state != CfdiState.stamped.value:
        raise NotStamped
    return row


def asked(bill: Bill, settlement_id: int) -> Asked:
    """Return a payment or credit note, and the stamped invoice that its paper must name.

    Raises `NotFound`, `AlreadyCanceled`, `NotStamped` without a stamped invoice, and `PaidAtOnce` for a payment if the
    bill was paid at once.
    """
    row = settlement_get(bill.pk, settlement_id)
    if row.canceled_at:
        raise AlreadyCanceled
    invoice = stamped_of(bill.pk)
    if row.kind == SettlementKind.payment and export_of(bill).payment_form:
        raise PaidAtOnce
    return Asked(row, invoice)


@unit_of_work
def store_sealed(*, bill_id: int, version: int, xml: str, by: Principal, settlement_id: int | None = None) -> None:
    """Store a sealed paper of a bill. Does nothing if the paper is sealed or stamped already.

    A sealed invoice closes the bill's export part. `version`: the version of the bill that the paper was written from.
    Raises `NotFound`, `StaleVersion`.
    """
    bill = bill_for_update(bill_id)
    if cfdi_of(bill_id, settlement_id):
        return
    bill.check_version(frozenset({version}))
    fields = {"state": CfdiState.sealed.value, "xml": xml, "sealed_at": clock.now()}
    if settlement_id is None:
        Cfdi.objects.create(bill=bill, **fields)
    else:
        SettlementCfdi.objects.create(settlement=settlement_get(bill_id, settlement_id), **fields)
    _publish(bill, "sealed", None, CfdiState.sealed.value, by, of=settlement_id)


@unit_of_work
def store_stamped(
    *,
    bill_id: int,
    sealed: str,
    stamped: str,
    folio: str,
    at: datetime,
    by: Principal,
    settlement_id: int | None = None,
) -> None:
    """Replace the sealed paper by the stamped one. `folio`: given by the SAT. `at`: the time of the stamp.

    The folio of an invoice becomes the bill's folio if the bill has none, or has the folio of a canceled invoice.
    Raises `NotFound`, `NotSealed`.
    """
    bill = bill_for_update(bill_id)
    row = waiting(bill_id, settlement_id)
    if row.xml != sealed:
        raise NotSealed
    row.xml, row.state, row.uuid, row.stamped_at = stamped, CfdiState.stamped.value, folio, at
    row.sent_at = None
    row.save()
    own = folio if settlement_id is None else ""
    _publish(bill, "stamped", CfdiState.sealed.value, CfdiState.stamped.value, by, of=settlement_id, folio=own)


@unit_of_work
def drop(*, bill_id: int, by: Principal, settlement_id: int | None = None) -> Bill:
    """Take back the seal of a paper that was never stamped. Raises `NotFound`, `NotSealed`, `StampPending`."""
    bill = bill_for_update(bill_id)
    row = waiting(bill_id, settlement_id)
    if row.sent_at:
        raise StampPending
    row.state = CfdiState.dropped.value
    row.save(update_fields=["state"])
    return _publish(bill, "unsealed", CfdiState.sealed.value, None, by, of=settlement_id)


@unit_of_work
def cancel(
    *, bill_id: int, reason: CancelReason, replaced_by: UUID | None, by: Principal, settlement_id: int | None = None
) -> Bill:
    """Note that a stamped paper was canceled at the SAT. Then the bill can be canceled, or the paper sealed again.

    Raises `NotFound`, `NotStamped`, `NotCancelable` for an invoice with other papers, and `InvalidFields` if
    `replaced_by` is missing for reason 01, is given for another reason, or is the folio of the canceled paper.
    """
    bill = bill_for_update(bill_id)
    row = cancelable(bill_id, settlement_id)
    row.reason, row.replaced_by = reason.value, replacing(row, reason, replaced_by)
    return _canceled(bill, row, by, settlement_id)


@unit_of_work
def send(*, bill_id: int, settlement_id: int | None) -> bool:
    """Note that a sealed paper is sent to a PAC now. Returns True if the caller may send it.

    Returns False if the paper was sent less than `RESENT_AFTER` ago: that PAC may still answer. Raises `NotFound`,
    `NotSealed`.
    """
    bill_for_update(bill_id)
    row = waiting(bill_id, settlement_id)
    now = clock.now()
    if row.sent_at and row.sent_at + RESENT_AFTER > now:
        return False
    row.sent_at = now
    row.save(update_fields=["sent_at"])
    return True


@unit_of_work
def unsend(*, bill_id: int, settlement_id: int | None) -> None:
    """Note that the PAC has not stamped the paper that was sent. Raises `NotFound`, `NotSealed`."""
    bill_for_update(bill_id)
    row = waiting(bill_id, settlement_id)
    row.sent_at = None
    row.save(update_fields=["sent_at"])


@unit_of_work
def ask_cancel(*, bill_id: int, settlement_id: int | None, reason: CancelReason, folio: str, by: Principal) -> Bill:
    """Note that the SAT was asked to cancel a stamped paper. `folio`: that of the replacing paper, if there is one."""
    bill = bill_for_update(bill_id)
    row = cancelable(bill_id, settlement_id)
    row.reason, row.replaced_by, row.cancel_asked_at = reason.value, folio, clock.now()
    row.save()
    return _publish(bill, "cancelAsked", None, f"{reason} {folio}".strip(), by, of=settlement_id)


@unit_of_work
def cancel_asked(*, bill_id: int, settlement_id: int | None, by: Principal) -> Bill:
    """Note that the SAT has canceled a paper after `ask_cancel`. Raises `NotFound`, `NotStamped`."""
    bill = bill_for_update(bill_id)
    return _canceled(bill, canceling(bill_id, settlement_id), by, settlement_id)


@unit_of_work
def keep(*, bill_id: int, settlement_id: int | None, by: Principal) -> Bill:
    """Note that the buyer has refused a cancellation: the paper stays stamped. Raises `NotFound`, `NotStamped`."""
    bill = bill_for_update(bill_id)
    row = canceling(bill_id, settlement_id)
    was = f"{row.reason} {row.replaced_by}".strip()
    row.reason = row.replaced_by = ""
    row.cancel_asked_at = None
    row.save()
    return _publish(bill, "cancelRefused", was, CfdiState.stamped.value, by, of=settlement_id)


def canceling(bill_id: int, settlement_id: int | None) -> SealedPaper:
    """Return the stamped paper that the SAT was asked to cancel. Raises `NotStamped`."""
    row = cfdi_of(bill_id, settlement_id)
    if row is None or row.cancel_asked_at is None:
        raise NotStamped
    return row


def _canceled(bill: Bill, row: SealedPaper, by: Principal, settlement_id: int | None) -> Bill:
    row.state, row.canceled_at = CfdiState.canceled.value, clock.now()
    row.save()
    now = f"{row.reason} {row.replaced_by}".strip()
    return _publish(bill, "unstamped", CfdiState.stamped.value, now, by, of=settlement_id)


def cancelable(bill_id: int, settlement_id: int | None) -> SealedPaper:
    """Return the stamped paper to cancel. Raises `NotStamped`, and `NotCancelable` for an invoice with other papers."""
    row = stamped_of(bill_id, settlement_id)
    if settlement_id is None and SettlementCfdi.objects.filter(settlement__bill=bill_id, state__in=LIVE).exists():
        raise NotCancelable
    return row


def replacing(row: SealedPaper, reason: CancelReason, replaced_by: UUID | None) -> str:
    """Return the folio of the replacing paper as text; empty if `replaced_by` is None. Raises `InvalidFields`."""
    folio = str(replaced_by).upper() if replaced_by else ""
    if (reason is CancelReason.replaced) != bool(folio):
        raise InvalidFields.of("replacedBy", "replaced_for_01" if folio else "required")
    if folio == row.uuid:
        raise InvalidFields.of("replacedBy", "replaced_by_itself")
    return folio


def waiting(bill_id: int, settlement_id: int | None = None) -> SealedPaper:
    """Return the sealed paper that waits for its stamp. Raises `NotSealed`."""
    row = cfdi_of(bill_id, settlement_id)
    if row is None or row.state != CfdiState.sealed.value:
        raise NotSealed
    return row


def _publish(
    bill: Bill, action: str, was: str | None, now: str | None, by: Principal, *, of: int | None, folio: str = ""
) -> Bill:
    """Raise the bill's version, write its folio, and audit and publish the change. Returns the bill as it is now."""
    name = "cfdi" if of is None else "settlementCfdi"
    before = auditing.snapshot(bill, **{name: was})
    bill.version += 1
    if folio and _is_free(bill):
        bill.invoice_number = folio
    bill.save(update_fields=["version", "invoice_number"])
    return publish_bill(bill, action, before, [], by, **{name: now})


def _is_free(bill: Bill) -> bool:
    """Say whether the bill has no folio, or that of its own canceled invoice."""
    known = bill.invoice_number.strip().upper()
    return not known or bill.cfdis.filter(state=CfdiState.canceled.value, uuid=known).exists()
