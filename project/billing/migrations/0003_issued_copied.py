from typing import Any

from django.db import migrations
from django.db.models import QuerySet

from project.core.operations import InBatches


def _name(person: Any) -> str:
    if person is None:
        return ""
    return " ".join(filter(None, (person.first_name, person.last_name, person.second_last_name)))


def copy_texts(apps: Any, rows: "QuerySet[Any]") -> None:
    """Copy into issued bills what they show of other records, as those are now."""
    issued = rows.filter(number__isnull=False, issued__isnull=True)
    bills = list(issued.select_related("customer", "company", "created_by", "billed_by", "canceled_by"))
    company = apps.get_model("catalogs", "Company")._default_manager.using(rows.db)
    logos = company.filter(status=True).exclude(image="").order_by("id").values_list("image", flat=True)[:1]
    for bill in bills:
        bill.issued = {
            "customer_name": bill.customer.name,
            "customer_tax_id": bill.customer.tax_id,
            "customer_addresses": bill.customer.addresses,
            "company_name": bill.company.name,
            "company_legal_name": bill.company.legal_name,
            "company_tax_id": bill.company.tax_id,
            "company_email": bill.company.email,
            "company_phone": bill.company.phone,
            "company_address": bill.company.commercial_address,
        }
        bill.logo = bill.company.image or next(iter(logos), "")
        bill.created_by_name = _name(bill.created_by)
        bill.billed_by_name = _name(bill.billed_by)
        bill.canceled_by_name = _name(bill.canceled_by)
    model = apps.get_model("billing", "BillLine")._default_manager.using(rows.db)
    lines = list(model.filter(bill__in=[bill.pk for bill in bills]).select_related("line__order", "line__item__tax_item"))
    for line in lines:
        item = line.line.item
        tariff = item.tax_item
        line.issued = {
            "item_key": item.key,
            "item_name": item.name,
            "description_spanish": item.description_spanish,
            "description_english": item.description_english,
            "origin": item.origin,
            "tariff_item": tariff.code if tariff else "",
            "tariff_spanish": tariff.spanish_description if tariff else "",
            "tariff_english": tariff.english_description if tariff else "",
            "metal_spanish": tariff.spanish_metal_name if tariff else "",
            "metal_english": tariff.english_metal_name if tariff else "",
        }
        line.customer_sales_order_id = line.line.order.customer_sales_order_id
    model.bulk_update(lines, ["issued", "customer_sales_order_id"], batch_size=500)
    rows.bulk_update(
        bills, ["issued", "logo", "created_by_name", "billed_by_name", "canceled_by_name"], batch_size=500
    )


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("billing", "0002_issued"),
        ("catalogs", "0002_short_lists_and_search"),
    ]

    operations = [InBatches("billing.Bill", copy_texts)]
