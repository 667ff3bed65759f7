from typing import Any

from django.db import migrations
from django.db.models import QuerySet

from project.core.money import plant_currency
from project.core.operations import InBatches


def _name(person: Any) -> str:
    if person is None:
        return ""
    return " ".join(filter(None, (person.first_name, person.last_name, person.second_last_name)))


def copy_texts(apps: Any, rows: "QuerySet[Any]") -> None:
    """Copy into payments what they show of other records, as those are now."""
    payments = list(rows.filter(issued__isnull=True).select_related("payee", "created_by", "canceled_by"))
    company = apps.get_model("catalogs", "Company")._default_manager.using(rows.db)
    active = company.filter(status=True).order_by("id").values_list("name", "image")
    payer, logo = min(active, key=lambda row: not row[1], default=("", ""))
    for payment in payments:
        payment.issued = {"payer": payer, "currency": plant_currency()}
        payment.logo = logo
        payment.payee_name = _name(payment.payee)
        payment.created_by_name = _name(payment.created_by)
        payment.canceled_by_name = _name(payment.canceled_by)
    model = apps.get_model("piecework", "PaymentItem")._default_manager.using(rows.db)
    of_payments = model.filter(payment__in=[payment.pk for payment in payments])
    items = list(of_payments.select_related("earner", "record__process", "record__line__item", "record__line__order"))
    for item in items:
        record = item.record
        item.issued = {
            "item_name": record.line.item.name,
            "process_name": record.process.name,
            "process_order": record.process.order,
        }
        item.earner_name = _name(item.earner)
        item.customer_sales_order_id = record.line.order.customer_sales_order_id
    model.bulk_update(items, ["issued", "earner_name", "customer_sales_order_id"], batch_size=500)
    rows.bulk_update(
        payments, ["issued", "logo", "payee_name", "created_by_name", "canceled_by_name"], batch_size=500
    )


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("piecework", "0002_issued"),
        ("catalogs", "0002_short_lists_and_search"),
    ]

    operations = [InBatches("piecework.Payment", copy_texts, size=100)]
