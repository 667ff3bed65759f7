"""Write, seal and read the XML of a bill's electronic papers (infra/docs/rules.md#customs-invoice).

`project/billing/cfdi.py` stores it.
"""

import logging
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from zoneinfo import ZoneInfo

from project.access.principal import Principal
from project.audit import services as audit
from project.billing import cfdi, csd
from project.billing.cfdi import CustomsIncomplete
from project.billing.customs_rules import At, Gap, Party, Shipment, SoldLine
from project.billing.issued import BillTexts, LineTexts
from project.billing.models import Bill, BillLine, Settlement, SettlementKind, export_of
from project.billing.rules import BillStatus
from project.billing.selectors import bill_get, cfdi_of
from project.catalogs.tax_ids import RFC, tax_code
from project.core import clock
from project.core.bounded import MEBIBYTE, ProcessEnded, Processes
from project.core.errors import AlreadyCanceled, FieldError, InvalidFields
from project.core.queries import give_connection_back
from project.core.requests import caller
from project.printing import cfdi_tasks
from project.printing.cfdi_tasks import OtherInvoice, Settled, Written
from project.printing.render_pool import RETRY_SECONDS, PdfUnavailable

logger = logging.getLogger(__name__)

SECONDS = 20.0
MOST_MEMORY = 512 * MEBIBYTE
CENTRAL = ZoneInfo("America/Mexico_City")
"""The time zone of a stamp, in every plant."""

_processes = Processes(
    count=1,
    memory=MOST_MEMORY,
    prepare=cfdi_tasks.prepare,
    modules=(),
    places=16,
    each=4,
    busy=lambda: PdfUnavailable(retryAfter=RETRY_SECONDS),
)


def gaps_of(bill: Bill, by: Principal) -> list[Gap]:
    """Return what the electronic invoice of a bill loaded by the selectors lacks. Raises `PdfUnavailable`."""
    return _written(bill, by, write=False, at=now()).gaps


def xml_of(*, bill_id: int, by: Principal, settlement_id: int | None = None) -> tuple[Bill, bytes]:
    """Return the bill and its paper: the stamped or sealed one, else a new one without a seal.

    Raises `NotFound`, `CustomsIncomplete`, `PdfUnavailable`, and what `asked` raises.
    """
    bill = bill_get(bill_id, by)
    row = cfdi_of(bill_id, settlement_id)
    xml = row.xml.encode() if row else _paper(bill, settlement_id, by)
    sealed = row.state if row else "unsealed"
    audit.record(
        entity="delivery",
        entity_id=bill_id,
        label=str(bill),
        action="printed",
        before=None,
        after={"cfdi" if settlement_id is None else "settlementCfdi": sealed},
        by=by,
    )
    return bill, xml


def file_name(bill: Bill, settlement_id: int | None, kind: str) -> str:
    """Return the name of a paper's file: `CFDI_F-0012.xml`, and `CFDI_F-0012_3.pdf` for its settlement 3."""
    return f"CFDI_{bill.number_text}{'' if settlement_id is None else f'_{settlement_id}'}.{kind}"


def seal(*, bill_id: int, by: Principal, settlement_id: int | None = None) -> None:
    """Write and seal a paper of a bill. Does nothing if the paper is sealed or stamped already.

    A sealed invoice closes the bill's export part. Raises `NotFound`, `AlreadyCanceled`, `CustomsIncomplete`,
    `CsdRequired`, `CsdOfOtherRfc`, `AgainstSchema`, `PdfUnavailable`, what `asked` raises, and `StaleVersion` if the
    bill was changed while its paper was written.
    """
    bill = bill_get(bill_id, by)
    if cfdi_of(bill_id, settlement_id):
        return
    if bill.status == BillStatus.Canceled:
        raise AlreadyCanceled
    keys = csd.keys_for(bill.company_id, seller=seller_rfc(bill))
    xml = _paper(bill, settlement_id, by, keys=keys)
    cfdi.store_sealed(bill_id=bill_id, version=bill.version, xml=xml.decode(), by=by, settlement_id=settlement_id)


def stamp(*, bill_id: int, stamped: str, by: Principal, settlement_id: int | None = None) -> None:
    """Store the stamped paper that a PAC returned. It may differ from the sealed paper only by the stamp.

    The folio of an invoice becomes the bill's folio if the bill has none, or has the folio of a canceled invoice.
    Raises `NotFound`, `NotSealed`, `PdfUnavailable`, and `InvalidFields` with `other_invoice`.
    """
    bill_get(bill_id, by)
    sealed = cfdi.waiting(bill_id, settlement_id).xml
    try:
        found = worked(cfdi_tasks.stamp_of, sealed.encode(), stamped.encode(), by=by)
    except OtherInvoice as error:
        raise InvalidFields.of("xml", "other_invoice") from error
    at = found.at.replace(tzinfo=found.at.tzinfo or CENTRAL)
    cfdi.store_stamped(
        bill_id=bill_id,
        sealed=sealed,
        stamped=stamped,
        folio=found.folio,
        at=at,
        by=by,
        settlement_id=settlement_id,
    )


def _paper(bill: Bill, settlement_id: int | None, by: Principal, *, keys: tuple[bytes, bytes] | None = None) -> bytes:
    """Return the XML of the invoice, or of the paper of a payment or credit note; sealed if `keys` are given."""
    if settlement_id is None:
        return _complete(_written(bill, by, write=True, at=now(), keys=keys))
    found = cfdi.asked(bill, settlement_id)
    settled = _settled(bill, found.settlement)
    return worked(cfdi_tasks.settlement, settled, found.invoice.xml.encode(), now(), keys, by=by)


def _settled(bill: Bill, row: Settlement) -> Settled:
    return Settled(
        is_payment=row.kind == SettlementKind.payment,
        number=row.number,
        folio=f"{bill.number}-{row.number}",
        at=row.at.astimezone(clock.plant()),
        payment_form=row.payment_form,
        currency=row.currency,
        amount=row.amount,
        rate=Decimal(f"{row.rate.normalize():f}") if row.rate else None,
        settled=row.settled,
        before=row.balance_before,
        after=row.balance_after,
        notes=row.notes,
    )


def _complete(written: Written) -> bytes:
    if written.xml is None:
        raise CustomsIncomplete(errors=[FieldError(gap.at, gap.code, {"name": gap.name}) for gap in written.gaps])
    return written.xml


def _written(
    bill: Bill, by: Principal, *, write: bool, at: datetime, keys: tuple[bytes, bytes] | None = None
) -> Written:
    """Check and write the invoice. What was wrong of a record when the bill was issued is read from it as it is now."""
    kept = shipment_of(bill, at)
    found = worked(cfdi_tasks.invoice, kept, at, write, keys, by=by)
    mended = shipment_of(bill, at, wrong={(gap.at, gap.id) for gap in found.gaps})
    return found if mended == kept else worked(cfdi_tasks.invoice, mended, at, write, keys, by=by)


def worked[Result](work: Callable[..., Result], *args: object, by: Principal) -> Result:
    """Run the work in the process of invoices and return its result. Raises what the work raises.

    Raises `PdfUnavailable` if the queue has no place, or if the process was stopped or took too much time or memory.
    """
    with _processes.place(by.user_id):
        started = _processes.start(work, *args, seconds=SECONDS, whose=by.user_id)
        give_connection_back()
        try:
            with caller().ends(started.cancel):
                return started.result()
        except CancelledError as error:
            raise PdfUnavailable(retryAfter=RETRY_SECONDS) from error
        except (TimeoutError, MemoryError, ProcessEnded) as error:
            logger.exception("an electronic invoice could not be written or read")
            raise PdfUnavailable(retryAfter=RETRY_SECONDS) from error


def now() -> datetime:
    """Return the current instant in the plant's time zone: the SAT wants the hour where the bill is issued."""
    return clock.now().astimezone(clock.plant())


def seller_rfc(bill: Bill) -> str:
    """Return the seller's RFC: that of the day on which the bill was issued; if it was wrong, the company's RFC now."""
    kept = bill.texts.company_tax_id
    return kept if RFC.fullmatch(tax_code(kept)) else bill.company.tax_id


def shipment_of(bill: Bill, at: datetime, wrong: Collection[tuple[At, int]] = ()) -> Shipment:
    """Return what the invoice says of a bill loaded by the selectors. No query.

    `wrong`: the records, by kind and id, whose texts were wrong when the bill was issued. Their addresses and codes are
    read as they are now; names stay.
    """
    texts, now_texts, export = bill.texts, BillTexts.of(bill.customer, bill.company), export_of(bill)
    company = now_texts if (At.company, bill.company_id) in wrong else texts
    customer = now_texts if (At.customer, bill.customer_id) in wrong else texts
    company_at = company.company_address or {}
    buyer_at = next((one for one in customer.customer_addresses if one.get("kind") == "Commercial"), {})
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
            tax_id=seller_rfc(bill),
            country=company_at.get("country", ""),
            postal_code=company_at.get("postalCode", "").strip(),
            place=company_at,
            regime=company.company_fiscal_regime,
        ),
        buyer=Party(
            id=bill.customer_id,
            name=texts.customer_name,
            tax_id=customer.customer_tax_id,
            country=buyer_at.get("country", ""),
            postal_code=buyer_at.get("postalCode", "").strip(),
            place=buyer_at,
        ),
        lines=tuple(_line(row, is_wrong=(At.product, row.line.item_id) in wrong) for row in bill.lines.all()),
        net_grams=_grams(export.net_kg) if export.boxes else None,
    )


def _grams(kilograms: Decimal) -> int:
    return int((kilograms * 1_000).quantize(Decimal(1), ROUND_HALF_UP))


def _line(row: BillLine, *, is_wrong: bool) -> SoldLine:
    texts, item = row.texts, row.line.item
    codes = LineTexts.of(item) if is_wrong else texts
    own = None if item.net_mg is None else (item.net_mg + (item.other_mg or 0)) * row.quantity
    return SoldLine(
        item_id=row.line.item_id,
        code=texts.item_key,
        name=texts.item_name,
        description=texts.description_spanish or texts.item_name,
        product_code=codes.sat_product_code,
        unit=codes.sat_unit,
        tariff=codes.tariff_item,
        quantity=row.quantity,
        price=row.price,
        amount=row.amount,
        mg=row.metal or own,
    )
