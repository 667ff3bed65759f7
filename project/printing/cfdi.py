"""The electronic invoice of a bill: gaps, XML, seal and stamp (infra/docs/rules.md#customs-invoice)."""

import base64
from concurrent.futures import CancelledError, Future
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from uuid import UUID
from zoneinfo import ZoneInfo

from project.access.principal import Principal
from project.audit import services as audit
from project.billing import csd
from project.billing.customs_rules import Gap, Party, Shipment, SoldLine
from project.billing.events import delivery_changed
from project.billing.models import Bill, BillLine, CancelReason, Cfdi, CfdiState, Csd, export_of
from project.billing.rules import BillStatus
from project.billing.selectors import bill_get, cfdi_of
from project.billing.services import bill_for_update
from project.core import clock
from project.core.bounded import MEBIBYTE, Processes
from project.core.errors import AlreadyCanceled, FieldError, InvalidFields, Refusal, StaleVersion
from project.core.idempotency import unit_of_work
from project.core.queries import give_connection_back
from project.core.requests import caller
from project.printing import cfdi_tasks
from project.printing.cfdi_tasks import OtherInvoice, Stamp, Written
from project.printing.render_pool import RETRY_SECONDS, PdfUnavailable
from realtime import outbox
from realtime.registry import Actor

SECONDS = 20.0
MOST_MEMORY = 512 * MEBIBYTE
CENTRAL = ZoneInfo("America/Mexico_City")
"""The zone of the hour in a stamp, wherever the plant is."""

_processes = Processes(
    count=1,
    memory=MOST_MEMORY,
    prepare=cfdi_tasks.prepare,
    modules=(),
    places=16,
    each=4,
    busy=lambda: PdfUnavailable(retryAfter=RETRY_SECONDS),
)


class CustomsIncomplete(InvalidFields):
    """The invoice lacks data or has some wrong. `errors` name the rules; `GET /pdf/cfdi/{id}` says where to mend."""

    code = "customs_incomplete"


class CsdRequired(Refusal):
    """The company has no certificate to seal with, it has expired, or its key cannot be read."""

    code = "csd_required"


class NotStamped(Refusal):
    """The bill has no stamped invoice that could be canceled."""

    code = "not_stamped"


class NotSealed(Refusal):
    """The bill has no sealed invoice that waits for its stamp."""

    code = "not_sealed"


def gaps_of(bill: Bill, by: Principal) -> list[Gap]:
    """Return what the electronic invoice of a bill loaded by the selectors lacks. Raises `PdfUnavailable`."""
    return _written(bill, by, write=False, at=_now()).gaps


def xml_of(*, bill_id: int, by: Principal) -> tuple[Bill, bytes]:
    """Return the bill and its invoice: as it is stamped or sealed, else as it is now, without a seal.

    Raises `NotFound`, `CustomsIncomplete`, `PdfUnavailable`.
    """
    bill = bill_get(bill_id, by)
    row = cfdi_of(bill_id)
    xml = row.xml.encode() if row else _complete(_written(bill, by, write=True, at=_now()))
    sealed = row.state if row else "unsealed"
    audit.record(
        entity="delivery",
        entity_id=bill_id,
        label=str(bill),
        action="printed",
        before=None,
        after={"cfdi": sealed},
        by=by,
    )
    return bill, xml


def seal(*, bill_id: int, by: Principal) -> Cfdi:
    """Write and seal the invoice of a bill, once. The bill's export part is then closed.

    Raises `NotFound`, `CustomsIncomplete`, `CsdRequired`, `PdfUnavailable`, and `StaleVersion` if the bill was changed
    while its invoice was written.
    """
    bill, known = bill_get(bill_id, by), cfdi_of(bill_id)
    if known:
        return known
    if bill.status == BillStatus.Canceled:
        raise AlreadyCanceled
    row = csd.csd_of(bill.company_id)
    xml = _complete(_written(bill, by, write=True, at=_now(), keys=_keys(row)))
    return _store_sealed(bill_id=bill_id, version=bill.version, xml=xml, by=by)


@unit_of_work
def _store_sealed(*, bill_id: int, version: int, xml: bytes, by: Principal) -> Cfdi:
    bill = bill_for_update(bill_id)
    if known := cfdi_of(bill_id):
        return known
    if bill.version != version:
        raise StaleVersion(version=bill.version)
    row = Cfdi.objects.create(bill=bill, state=CfdiState.sealed.value, xml=xml.decode(), sealed_at=clock.now())
    _publish(bill, "sealed", None, CfdiState.sealed.value, by)
    return row


@unit_of_work
def drop(*, bill_id: int, by: Principal) -> Cfdi:
    """Take back the seal of a bill whose invoice was never stamped. Raises `NotFound`, `NotSealed`."""
    bill = bill_for_update(bill_id)
    row = _waiting(bill_id)
    row.state = CfdiState.dropped.value
    row.save(update_fields=["state"])
    _publish(bill, "unsealed", CfdiState.sealed.value, None, by)
    return row


def stamp(*, bill_id: int, stamped: str, by: Principal) -> Cfdi:
    """Store the stamped invoice that a PAC returned. Nothing but the stamp may differ from what was sealed.

    The bill's folio becomes the folio of the SAT if nobody has written one. Raises `NotFound`, `NotSealed`,
    `PdfUnavailable`, and `InvalidFields` with `other_invoice`.
    """
    bill_get(bill_id, by)
    sealed = _waiting(bill_id).xml
    work = _processes.start(cfdi_tasks.stamp_of, sealed.encode(), stamped.encode(), seconds=SECONDS, whose=by.user_id)
    try:
        found = _done(work, by)
    except OtherInvoice as error:
        raise InvalidFields.of("xml", "other_invoice") from error
    return _store_stamped(bill_id=bill_id, sealed=sealed, stamped=stamped, found=found, by=by)


@unit_of_work
def _store_stamped(*, bill_id: int, sealed: str, stamped: str, found: Stamp, by: Principal) -> Cfdi:
    bill = bill_for_update(bill_id)
    row = _waiting(bill_id)
    if row.xml != sealed:
        raise NotSealed
    row.xml, row.state, row.uuid = stamped, CfdiState.stamped.value, found.uuid
    row.stamped_at = found.at.replace(tzinfo=found.at.tzinfo or CENTRAL)
    row.save()
    if not bill.invoice_number:
        bill.version += 1
        bill.invoice_number = found.uuid
        bill.save(update_fields=["version", "invoice_number"])
    _publish(bill, "stamped", CfdiState.sealed.value, CfdiState.stamped.value, by)
    return row


@unit_of_work
def cancel(*, bill_id: int, reason: CancelReason, replaced_by: UUID | None, by: Principal) -> Cfdi:
    """Note that the stamped invoice of a bill was canceled at the SAT. The bill may then be canceled, or sealed again.

    Raises `NotFound`, `NotStamped`, and `InvalidFields` if the replacing folio is missing for 01, given for another
    reason, or the invoice's own.
    """
    bill = bill_for_update(bill_id)
    row = cfdi_of(bill_id)
    if row is None or row.state != CfdiState.stamped.value:
        raise NotStamped
    folio = str(replaced_by).upper() if replaced_by else ""
    if (reason is CancelReason.replaced) != bool(folio) or folio == row.uuid:
        raise InvalidFields.of("replacedBy", "replaced_for_01" if folio else "required")
    row.state, row.reason, row.replaced_by = CfdiState.canceled.value, reason.value, folio
    row.canceled_at = clock.now()
    row.save()
    _publish(bill, "unstamped", CfdiState.stamped.value, f"{reason} {folio}".strip(), by)
    return row


def _waiting(bill_id: int) -> Cfdi:
    """Return the sealed invoice that waits for its stamp. Raises `NotSealed`."""
    row = cfdi_of(bill_id)
    if row is None or row.state != CfdiState.sealed.value:
        raise NotSealed
    return row


def _publish(bill: Bill, action: str, before: str | None, after: str | None, by: Principal) -> None:
    audit.record(
        entity="delivery",
        entity_id=bill.pk,
        label=f"{bill.texts.company_name} {bill.number_text}",
        action=action,
        before={"cfdi": before},
        after={"cfdi": after},
        by=by,
    )
    outbox.publish(delivery_changed(bill_get(bill.pk)), by=Actor.of(by))


def _keys(row: Csd | None) -> tuple[bytes, bytes]:
    if row is None or not row.valid_from <= clock.now() <= row.valid_to:
        raise CsdRequired
    try:
        return base64.b64decode(row.certificate), csd.key_of(row)
    except csd.KeyUnreadable as error:
        raise CsdRequired from error


def _complete(written: Written) -> bytes:
    if written.xml is None:
        raise CustomsIncomplete(errors=[FieldError(gap.at, gap.code, {"name": gap.name}) for gap in written.gaps])
    return written.xml


def _written(
    bill: Bill, by: Principal, *, write: bool, at: datetime, keys: tuple[bytes, bytes] | None = None
) -> Written:
    shipment = shipment_of(bill, at)
    with _processes.place(by.user_id):
        work = _processes.start(cfdi_tasks.invoice, shipment, at, write, keys, seconds=SECONDS, whose=by.user_id)
        return _done(work, by)


def _done[Result](work: "Future[Result]", by: Principal) -> Result:
    """Wait for the process. Raises `PdfUnavailable` if it was stopped, and what the work raised."""
    give_connection_back()
    try:
        with caller().ends(work.cancel):
            return work.result()
    except (CancelledError, TimeoutError, MemoryError) as error:
        raise PdfUnavailable(retryAfter=RETRY_SECONDS) from error


def _now() -> datetime:
    """Return the current instant in the plant's time zone: the SAT wants the hour where the bill is issued."""
    return clock.now().astimezone(clock.plant())


def shipment_of(bill: Bill, at: datetime) -> Shipment:
    """Return what the invoice says of a bill loaded by the selectors. No query."""
    texts, export = bill.texts, export_of(bill)
    company_at = texts.company_address or {}
    buyer_at = next((one for one in texts.customer_addresses if one.get("kind") == "Commercial"), {})
    return Shipment(
        bill_id=bill.pk,
        number=bill.number_text,
        folio=bill.number,
        issued=bill.status == BillStatus.Billed,
        day=at.date(),
        currency=bill.currency,
        rate=export.usd_rate,
        rate_day=export.rate_day,
        incoterm=export.incoterm,
        payment_form=export.payment_form,
        shipping=bill.shipping_price,
        tax=bill.tax,
        seller=Party(
            id=bill.company_id,
            name=texts.company_legal_name or texts.company_name,
            tax_id=texts.company_tax_id,
            country=company_at.get("country", ""),
            postal_code=company_at.get("postalCode", "").strip(),
            place=company_at,
            regime=texts.company_fiscal_regime,
        ),
        buyer=Party(
            id=bill.customer_id,
            name=texts.customer_name,
            tax_id=texts.customer_tax_id,
            country=buyer_at.get("country", ""),
            postal_code=buyer_at.get("postalCode", "").strip(),
            place=buyer_at,
        ),
        lines=tuple(_line(row) for row in bill.lines.all()),
        net_grams=_grams(export.net_kg) if export.boxes else None,
    )


def _grams(kilograms: Decimal) -> int:
    return int((kilograms * 1_000).quantize(Decimal(1), ROUND_HALF_UP))


def _line(row: BillLine) -> SoldLine:
    texts, item = row.texts, row.line.item
    own = None if item.net_mg is None else (item.net_mg + (item.other_mg or 0)) * row.quantity
    return SoldLine(
        item_id=row.line.item_id,
        code=texts.item_key,
        name=texts.item_name,
        description=texts.description_spanish or texts.item_name,
        product_code=texts.sat_product_code,
        unit=texts.sat_unit,
        tariff=texts.tariff_item,
        quantity=row.quantity,
        price=row.price,
        amount=row.amount,
        mg=row.metal or own,
    )
