"""Turn bills into answers and files, with what the caller may do next."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings

from project.access.permissions import Permission
from project.access.principal import Principal
from project.billing.customs_rules import Gap
from project.billing.models import (
    Bill,
    BillLine,
    CfdiState,
    Csd,
    OriginCertificate,
    SealedPaper,
    Settlement,
    SettlementKind,
    balance_of,
    export_of,
    metal_of,
)
from project.billing.packing import Export
from project.billing.rules import BillAction, BillStatus, number_text
from project.billing.schemas import (
    BillableOut,
    BoxOut,
    CertificateOut,
    CfdiOut,
    ContentOut,
    CsdOut,
    DeliveryActions,
    DeliveryDocument,
    DeliveryLineOut,
    DeliveryOffers,
    DeliveryOut,
    DeliveryTotalsOut,
    ExportOut,
    GapOut,
    SettlementOut,
    SettlementsOut,
)
from project.core.exporting import Column
from project.core.grams import grams_or_none, to_grams
from project.core.money import with_minor_units
from project.core.pictures import thumbnail_address
from project.core.schemas import LONGEST_NAME
from project.core.texts import text
from project.identity.models import User
from project.orders.models import Line

COLUMNS: tuple[Column[Bill], ...] = (
    Column("number", lambda row: row.number_text),
    Column("status", lambda row: text(f"delivery_{row.status}")),
    Column("date", lambda row: row.date),
    Column("customerName", lambda row: row.texts.customer_name),
    Column("companyName", lambda row: row.texts.company_name),
    Column("invoiceNumber", lambda row: row.invoice_number),
    Column("guideNumber", lambda row: row.guide_number),
    Column("currency", lambda row: row.currency),
    Column("subtotal", lambda row: with_minor_units(row.subtotal, row.currency)),
    Column("tax", lambda row: with_minor_units(row.tax, row.currency)),
    Column("shippingPrice", lambda row: with_minor_units(row.shipping_price, row.currency)),
    Column("total", lambda row: with_minor_units(row.total, row.currency)),
    Column("notes", lambda row: row.notes),
)
"""The columns of the report of bills."""


def totals(row: Mapping[str, Any]) -> DeliveryTotalsOut:
    """Return the answer for a row of `selectors.bill_totals`."""
    return DeliveryTotalsOut(
        currency=row["currency"],
        bills=row["bills"],
        subtotal=row["of_bills"],
        tax=row["taxes"],
        shipping_price=row["shipping"],
        total=row["whole"],
        pre_bills=row["pre_bills"],
        pre_billed=row["pre_billed"],
        canceled=row["canceled"],
    )


def bill(row: Bill, by: Principal) -> DeliveryOut:
    """Return the document of a bill that the selectors loaded, and what `by` may do with it. No query.

    Customers do not receive the names of staff and the metal of the ledger.
    """
    fields = _fields(row, metal=not by.is_customer)
    if by.is_customer:
        fields |= {"created_by": "", "billed_by": None, "canceled_by": None}
    return DeliveryOut(**fields, actions=_actions(fields["offers"], by))


def bill_document(row: Bill) -> DeliveryDocument:
    """Return the document of a bill loaded by the selectors. All readers get the same document. No query."""
    return DeliveryDocument(**_fields(row))


def _fields(row: Bill, *, metal: bool = True) -> dict[str, Any]:
    status, texts = BillStatus(row.status), row.texts
    weights = [mg for _, mg in metal_of(row).values()] if metal else []
    return {
        "id": row.pk,
        "number": row.number_text,
        "pre_bill_number": number_text(None, row.pre_bill_number) if row.pre_bill_number else None,
        "status": status,
        "customer_id": row.customer_id,
        "customer_name": texts.customer_name,
        "company_id": row.company_id,
        "company_name": texts.company_name,
        "date": row.date,
        "invoice_number": row.invoice_number,
        "guide_number": row.guide_number,
        "shipping_price": row.shipping_price,
        "custom_regime": row.custom_regime,
        "notes": row.notes,
        "currency": row.currency,
        "subtotal": row.subtotal,
        "tax": row.tax,
        "total": row.total,
        "metal_grams": to_grams(sum(weights)) if weights else None,
        "created_at": row.created_at,
        "created_by": _name(row.created_by_name, row.created_by),
        "billed_at": row.billed_at,
        "billed_by": _name(row.billed_by_name, row.billed_by),
        "canceled_at": row.canceled_at,
        "canceled_by": _name(row.canceled_by_name, row.canceled_by),
        "version": row.version,
        "lines": [_line(one, status, metal=metal) for one in row.lines.all()],
        "export": _export(export_of(row), metal=metal),
        "offers": DeliveryOffers(**{action.value: row.allows(action) for action in BillAction}),
    }


def certificate(row: OriginCertificate) -> CertificateOut:
    """Return the answer for a certificate loaded by `origin.certificates`. No query."""
    customer_name, company_name, goods = row.summary
    return CertificateOut(
        id=row.pk,
        customer_id=row.customer_id,
        customer_name=customer_name,
        company_id=row.company_id,
        company_name=company_name,
        begins=row.begins,
        ends=row.ends,
        goods=goods,
        created_at=row.created_at,
        created_by=row.created_by.full_name,
    )


def csd(company_id: int, row: Csd | None) -> CsdOut:
    """Return the answer for a company's certificate. `row` None: the company has none."""
    if row is None:
        return CsdOut(company_id=company_id, number=None, rfc=None, valid_from=None, valid_to=None)
    return CsdOut(
        company_id=company_id, number=row.number, rfc=row.rfc, valid_from=row.valid_from, valid_to=row.valid_to
    )


def cfdi(
    bill_id: int, gaps: list[Gap], row: SealedPaper | None, has_csd: bool, *, settlement_id: int | None = None
) -> CfdiOut:
    """Return the answer for a bill's electronic invoice, or a settlement's paper. `row` None: it is not sealed."""
    return CfdiOut(
        delivery_id=bill_id,
        settlement_id=settlement_id,
        gaps=[gap(one) for one in gaps],
        state=CfdiState(row.state) if row else None,
        uuid=row.uuid or None if row else None,
        sealed_at=row.sealed_at if row else None,
        stamped_at=row.stamped_at if row else None,
        csd=has_csd,
        pac=settings.PAC is not None,
        sent=bool(row and row.sent_at),
        canceling=bool(row and row.cancel_asked_at),
    )


def settlements(row: Bill, rows: list[Settlement]) -> SettlementsOut:
    """Return the answer for the payments and credit notes of a bill, loaded by `selectors.settlements_of`."""
    return SettlementsOut(
        delivery_id=row.pk,
        currency=row.currency,
        total=row.total,
        balance=balance_of(row, rows),
        settlements=[_settlement(one) for one in rows],
    )


def _settlement(row: Settlement) -> SettlementOut:
    return SettlementOut(
        id=row.pk,
        kind=SettlementKind(row.kind),
        number=row.number,
        at=row.at,
        payment_form=row.payment_form,
        currency=row.currency,
        amount=row.amount,
        rate=row.rate,
        settled=row.settled,
        balance_before=row.balance_before,
        balance_after=row.balance_after,
        notes=row.notes,
        state=CfdiState(row.cfdi.state) if row.cfdi else None,
        uuid=row.cfdi.uuid or None if row.cfdi else None,
        canceling=bool(row.cfdi and row.cfdi.cancel_asked_at),
    )


def gap(one: Gap) -> GapOut:
    return GapOut(code=one.code, at=one.at, id=one.id, name=one.name)


def _name(kept: str, person: User | None) -> str | None:
    """Return the name of a person that the bill stores; if it stores none, as a pre-bill, the person's present name."""
    return kept or (person.full_name if person else None)


def billable(row: Line) -> BillableOut:
    """Return the answer for a line loaded by the selectors. No query."""
    return BillableOut(
        sales_order_id=row.order_id,
        position=row.position,
        customer_sales_order_id=row.order.customer_sales_order_id,
        customer_id=row.order.customer_id,
        customer_name=row.order.customer.name,
        item_id=row.item_id,
        item_key=row.item.key,
        item_name=row.item.name,
        item_name_english=row.item.name_english,
        thumbnail=thumbnail_address(row.pictured),
        quantity=row.quantity,
        quantity_billed=row.quantity_billed,
        remaining=row.quantity_good - row.quantity_billed,
        price=row.item.sell_price,
        currency=row.item.currency,
        tax_amount=row.item.tax_amount,
        delivery_date=row.delivery_date,
    )


def _line(row: BillLine, status: BillStatus, *, metal: bool) -> DeliveryLineOut:
    """Return the answer for a line of a bill.

    Only a pre-bill shows pieces that are left to bill, because an issued bill never changes.
    """
    line, texts = row.line, row.texts
    return DeliveryLineOut(
        sales_order_id=line.order_id,
        position=line.position,
        customer_sales_order_id=row.purchase_order,
        item_id=line.item_id,
        item_key=texts.item_key,
        item_name=texts.item_name,
        item_name_english=texts.description_english[:LONGEST_NAME],
        tariff_item=texts.tariff_item,
        quantity=row.quantity,
        price=row.price,
        tax_amount=row.tax_amount,
        amount=row.amount,
        tax=row.tax,
        remaining=line.quantity_good - line.quantity_billed if status is BillStatus.PreBill else 0,
        metal_grams=grams_or_none(row.metal) if metal else None,
    )


def _export(export: Export, *, metal: bool) -> ExportOut:
    return ExportOut(
        incoterm=export.incoterm,
        place=export.place,
        usd_rate=export.usd_rate,
        rate_day=export.rate_day,
        payment_form=export.payment_form,
        boxes=[
            BoxOut(
                number=number,
                net_kg=box.net_kg,
                metal_kg=box.metal_kg if metal else None,
                gross_kg=box.gross_kg,
                length_cm=box.length_cm,
                width_cm=box.width_cm,
                height_cm=box.height_cm,
                lines=[
                    ContentOut(sales_order_id=one.sales_order_id, position=one.position, quantity=one.quantity)
                    for one in box.contents
                ],
            )
            for number, box in enumerate(export.boxes, 1)
        ],
        pieces=export.pieces,
        net_kg=export.net_kg,
        gross_kg=export.gross_kg,
    )


def _actions(offers: DeliveryOffers, by: Principal) -> DeliveryActions:
    may_change = by.holds(Permission.UpdateDelivery)
    return DeliveryActions(
        edit=offers.edit and may_change,
        bill=offers.bill and may_change,
        cancel=offers.cancel and by.holds(Permission.CancelDelivery),
        export=offers.export and may_change,
        numbers=offers.numbers and may_change,
        settle=offers.settle and may_change,
        print=by.holds(Permission.ReportListBills),
    )
