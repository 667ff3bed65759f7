"""Adds the weights of records, and what a line's own account of metal holds."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    accepted = {
        "adding-foreign-key-constraint": "the column is new and null: PostgreSQL has no row to check",
    }
    dependencies = [
        ("catalogs", "0007_alloys"),
        ("orders", "0010_left_to_pay_has_a_price"),
    ]

    operations = [
        migrations.AddField("line", "metal_mg", models.BigIntegerField(blank=True, null=True)),
        migrations.AddField("processrecord", "mg_in", models.BigIntegerField(blank=True, null=True)),
        migrations.AddField("processrecord", "mg_out", models.BigIntegerField(blank=True, null=True)),
        migrations.AddField("processrecord", "mg_other", models.BigIntegerField(blank=True, null=True)),
        migrations.AddField("processrecord", "mg_scrap", models.BigIntegerField(blank=True, null=True)),
        migrations.AddField("processrecord", "mg_added", models.BigIntegerField(blank=True, null=True)),
        migrations.AddField(
            "processrecord",
            "alloy",
            models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="records",
                to="catalogs.alloy",
            ),
        ),
    ]
