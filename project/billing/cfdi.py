"""Store the electronic invoice of a bill as it is sealed, stamped or canceled (infra/docs/rules.md#customs-invoice).

`project/printing/cfdi.py` writes, seals and reads its XML.
"""

from datetime import datetime
from uuid import UUID

from project.access.principal import Principal
from project.billing import auditing
from project.billing.models import Bill, CancelReason, Cfdi, CfdiState
from project.billing.selectors import cfdi_of
from project.billing.services import bill_for_update, publish_bill
from project.core import clock
from project.core.errors import InvalidFields, Refusal
from project.core.idempotency import unit_of_work


class CustomsIncomplete(InvalidFields):
    """The invoice lacks data or has some wrong. `errors` name the rules; `GET /pdf/cfdi/{id}` says where to mend."""

    code = "customs_incomplete"


class NotStamped(Refusal):
    """The bill has no stamped invoice that could be canceled."""

    code = "not_stamped"


class NotSealed(Refusal):
    """The bill has no sealed invoice that waits for its stamp."""

    code = "not_sealed"


@unit_of_work
def store_sealed(*, bill_id: int, version: int, xml: str, by: Principal) -> Cfdi:
    """Store the sealed invoice of a bill, once. The bill's export part is then closed.

    `version`: that of the bill from which the invoice was written. Raises `NotFound`, `StaleVersion`.
    """
    bill = bill_for_update(bill_id)
    if known := cfdi_of(bill_id):
        return known
    bill.check_version(frozenset({version}))
    row = Cfdi.objects.create(bill=bill, state=CfdiState.sealed.value, xml=xml, sealed_at=clock.now())
    _publish(bill, "sealed", None, CfdiState.sealed.value, by)
    return row


@unit_of_work
def store_stamped(*, bill_id: int, sealed: str, stamped: str, folio: str, at: datetime, by: Principal) -> Cfdi:
    """Store the stamped invoice for the one that was sealed, with the folio of the SAT and the time of its stamp.

    The folio becomes the bill's if nobody has written another: a folio that was canceled is replaced. Raises
    `NotFound`, `NotSealed`.
    """
    bill = bill_for_update(bill_id)
    row = waiting(bill_id)
    if row.xml != sealed:
        raise NotSealed
    row.xml, row.state, row.uuid, row.stamped_at = stamped, CfdiState.stamped.value, folio, at
    row.save()
    _publish(bill, "stamped", CfdiState.sealed.value, CfdiState.stamped.value, by, folio=folio)
    return row


@unit_of_work
def drop(*, bill_id: int, by: Principal) -> Bill:
    """Take back the seal of a bill whose invoice was never stamped. Raises `NotFound`, `NotSealed`."""
    bill = bill_for_update(bill_id)
    row = waiting(bill_id)
    row.state = CfdiState.dropped.value
    row.save(update_fields=["state"])
    return _publish(bill, "unsealed", CfdiState.sealed.value, None, by)


@unit_of_work
def cancel(*, bill_id: int, reason: CancelReason, replaced_by: UUID | None, by: Principal) -> Bill:
    """Note that the stamped invoice of a bill was canceled at the SAT. The bill may then be canceled, or sealed again.

    Raises `NotFound`, `NotStamped`, and `InvalidFields` if the replacing folio is missing for 01, given for another
    reason, or the invoice's own.
    """
    bill = bill_for_update(bill_id)
    row = cfdi_of(bill_id)
    if row is None or row.state != CfdiState.stamped.value:
        raise NotStamped
    folio = str(replaced_by).upper() if replaced_by else ""
    if (reason is CancelReason.replaced) != bool(folio):
        raise InvalidFields.of("replacedBy", "replaced_for_01" if folio else "required")
    if folio == row.uuid:
        raise InvalidFields.of("replacedBy", "replaced_by_itself")
    row.state, row.reason, row.replaced_by = CfdiState.canceled.value, reason.value, folio
    row.canceled_at = clock.now()
    row.save()
    return _publish(bill, "unstamped", CfdiState.stamped.value, f"{reason} {folio}".strip(), by)


def waiting(bill_id: int) -> Cfdi:
    """Return the sealed invoice that waits for its stamp. Raises `NotSealed`."""
    row = cfdi_of(bill_id)
    if row is None or row.state != CfdiState.sealed.value:
        raise NotSealed
    return row


def _publish(bill: Bill, action: str, was: str | None, now: str | None, by: Principal, *, folio: str = "") -> Bill:
    """Raise the bill's version, write its folio, and audit and publish the change. Returns the bill as it is now."""
    before = auditing.snapshot(bill, cfdi=was)
    bill.version += 1
    if folio and _is_free(bill):
        bill.invoice_number = folio
    bill.save(update_fields=["version", "invoice_number"])
    return publish_bill(bill, action, before, [], by, cfdi=now)


def _is_free(bill: Bill) -> bool:
    """Say whether the bill has no folio, or that of its own canceled invoice."""
    known = bill.invoice_number.strip().upper()
    return not known or bill.cfdis.filter(state=CfdiState.canceled.value, uuid=known).exists()
