"""Copy texts of other records into a bill when the bill is issued. Replace the name of an erased person."""

from dataclasses import asdict

from project.access.principal import Principal
from project.billing.issued import BillTexts, LineTexts
from project.billing.models import Bill, BillLine
from project.catalogs.models import Company, Customer
from project.catalogs.selectors import issuer
from project.orders.selectors import uncanceled_lines


def erase_person(user_id: int, name: str) -> None:
    """Replace the stored name of a person in all bills by `name`. 3 queries."""
    for who in ("created_by", "billed_by", "canceled_by"):
        kept = Bill.objects.filter(**{who: user_id}).exclude(**{f"{who}_name": ""})
        kept.update(**{f"{who}_name": name})


def copy_texts(bill: Bill, rows: list[BillLine], customer: Customer, company: Company, by: Principal) -> None:
    """Copy into the bill the texts that it and its labels show of other records. At most 3 queries.

    Later changes of these records then do not change the bill.
    """
    bill.issued = asdict(BillTexts.of(customer, company))
    bill.logo = company.image or issuer().logo
    bill.created_by_name = by.full_name if bill.created_by_id == by.user_id else bill.created_by.full_name
    bill.billed_by_name = by.full_name
    lines = uncanceled_lines({row.line.order_id for row in rows})
    for row in rows:
        row.issued = asdict(LineTexts.of(row.line.item, order_lines=lines.get(row.line.order_id, 0)))
        row.customer_sales_order_id = row.line.order.customer_sales_order_id
