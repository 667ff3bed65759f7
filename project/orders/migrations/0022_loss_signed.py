"""Adds the reason of a loss above what is allowed, and who signed for it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    accepted = {
        "adding-foreign-key-constraint": "the column is new and null: PostgreSQL has no row to check",
    }
    dependencies = [
        ("orders", "0021_line_by_done"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "processrecord",
            "weight_reason",
            models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
        migrations.AddField("processrecord", "loss_to_sign", models.BooleanField(db_default=False, default=False)),
        migrations.AddField("processrecord", "loss_signed_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            "processrecord",
            "loss_signed_by",
            models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="signed_losses",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
