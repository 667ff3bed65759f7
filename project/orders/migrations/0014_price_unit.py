"""Stores with each exit whether its price is that of a piece or of a gram, and what of its weight is paid."""

from django.db import migrations, models
from django.db.models import Q
from django.db.models.functions import Coalesce

from project.core.operations import AddCheckNotValid


class Migration(migrations.Migration):
    dependencies = [
        ("orders", "0013_weights_checked"),
    ]

    operations = [
        migrations.AddField(
            model_name="processrecord",
            name="price_unit",
            field=models.CharField(
                choices=[("piece", "piece"), ("gram", "gram")], db_default="piece", default="piece", max_length=5
            ),
        ),
        migrations.AddField(
            model_name="processrecord",
            name="mg_paid",
            field=models.BigIntegerField(db_default=0, default=0),
        ),
        AddCheckNotValid(
            model_name="processrecord",
            constraint=models.CheckConstraint(
                condition=Q(mg_paid=0)
                | (
                    (Q(mg_out__isnull=False) | Q(mg_scrap__isnull=False))
                    & Q(price_unit="gram", mg_paid__gt=0, mg_paid__lte=Coalesce("mg_out", "mg_scrap"))
                ),
                name="record_grams_paid_fit_the_weight",
            ),
        ),
    ]
