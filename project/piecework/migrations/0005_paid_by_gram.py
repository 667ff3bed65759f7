"""Keeps the milligrams that a payment pays by the gram."""

from django.db import migrations, models
from django.db.models import Q

from project.core.operations import AddCheckNotValid


class Migration(migrations.Migration):
    dependencies = [
        ("piecework", "0004_decimals_of_currencies"),
    ]

    operations = [
        migrations.AddField(
            model_name="paymentitem",
            name="mg",
            field=models.BigIntegerField(blank=True, null=True),
        ),
        AddCheckNotValid(
            model_name="paymentitem",
            constraint=models.CheckConstraint(
                condition=Q(mg__isnull=True) | Q(mg__gte=0), name="payment_item_grams_not_negative"
            ),
        ),
    ]
