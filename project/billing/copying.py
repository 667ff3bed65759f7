"""Copies into a bill what it says of other records when it is issued, and takes an erased person's name out of it."""

from dataclasses import asdict

from project.access.principal import Principal
from project.billing.issued import BillTexts, LineTexts
from project.billing.models import Bill, BillLine
from project.catalogs.models import Company, Customer
from project.catalogs.selectors import issuer


def erase_person(user_id: int, name: str) -> None:
    """Name a person `name` on the bills that keep their name. 3 queries."""
    for who in ("created_by", "billed_by", "canceled_by"):
        kept = Bill.objects.filter(**{who: user_id}).exclude(**{f"{who}_name": ""})
        kept.update(**{f"{who}_name": name})


def copy_texts(bill: Bill, rows: list[BillLine], customer: Customer, company: Company, by: Principal) -> None:
    """Copy what the bill says of other records: later changes of them do not change it. At most 2 queries."""
    bill.issued = asdict(BillTexts.of(customer, company))
    bill.logo = company.image or issuer().logo
    bill.created_by_name = by.full_name if bill.created_by_id == by.user_id else bill.created_by.full_name
    bill.billed_by_name = by.full_name
    for row in rows:
        row.issued = asdict(LineTexts.of(row.line.item))
        row.customer_sales_order_id = row.line.order.customer_sales_order_id
