"""Covers the sums of earnings by the gram, so that they read the indexes alone."""

from django.db import migrations, models
from django.db.models import F, Q

from project.core.operations import AddIndexConcurrently

CLOSED = Q(output_at__isnull=False, released_at__isnull=True)
LEFT_TO_PAY = CLOSED & Q(price__isnull=False, quantity_paid__lt=F("quantity"))


class Migration(migrations.Migration):
    atomic = False
    accepted = {"require-concurrent-index-deletion": "a drop reads no row: it takes milliseconds"}

    dependencies = [
        ("orders", "0015_price_unit_checked"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="processrecord", name="record_closed_by_person"),
        AddIndexConcurrently(
            model_name="processrecord",
            index=models.Index(
                condition=CLOSED,
                fields=["output_by", "output_at", "quantity", "price", "price_unit", "mg_out", "mg_scrap"],
                name="record_closed_by_person",
            ),
        ),
        migrations.RemoveIndex(model_name="processrecord", name="record_left_to_pay_by_person"),
        AddIndexConcurrently(
            model_name="processrecord",
            index=models.Index(
                condition=LEFT_TO_PAY,
                fields=[
                    *("output_by", "output_at", "id", "quantity", "quantity_paid", "price"),
                    *("price_unit", "mg_out", "mg_scrap", "mg_paid"),
                ],
                name="record_left_to_pay_by_person",
            ),
        ),
    ]
