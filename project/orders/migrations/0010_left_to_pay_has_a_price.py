"""Leave exits that earn no price, such as scrap, out of the indexes of what is left to pay."""

from django.db import migrations, models
from django.db.models import F, Q

from project.core.operations import AddIndexConcurrently

LEFT_TO_PAY = Q(output_at__isnull=False, released_at__isnull=True) & Q(
    price__isnull=False, quantity_paid__lt=F("quantity")
)


class Migration(migrations.Migration):
    atomic = False
    accepted = {"require-concurrent-index-deletion": "a drop reads no row: it takes milliseconds"}

    dependencies = [
        ("orders", "0009_record_scrapped"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="processrecord", name="record_left_to_pay"),
        AddIndexConcurrently(
            model_name="processrecord",
            index=models.Index(condition=LEFT_TO_PAY, fields=["output_at", "id"], name="record_left_to_pay"),
        ),
        migrations.RemoveIndex(model_name="processrecord", name="record_left_to_pay_by_person"),
        AddIndexConcurrently(
            model_name="processrecord",
            index=models.Index(
                condition=LEFT_TO_PAY,
                fields=["output_by", "output_at", "id", "quantity", "quantity_paid", "price"],
                name="record_left_to_pay_by_person",
            ),
        ),
    ]
