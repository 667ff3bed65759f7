"""Count the scrapped and replaced pieces of a line, and let a record's exit be a loss with its reason and photo."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    accepted = {"adding-foreign-key-constraint": "the column is new: no row has a value to check"}

    dependencies = [
        ("catalogs", "0006_scrap_reasons_may_be_paid"),
        ("orders", "0005_decimals_of_currencies"),
    ]

    operations = [
        migrations.AddField(
            model_name="line",
            name="quantity_scrapped",
            field=models.IntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="line",
            name="quantity_replaced",
            field=models.IntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="processrecord",
            name="scrapped",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="processrecord",
            name="scrap_reason",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="records",
                to="catalogs.scrapreason",
            ),
        ),
        migrations.AddField(
            model_name="processrecord",
            name="photo",
            field=models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
    ]
