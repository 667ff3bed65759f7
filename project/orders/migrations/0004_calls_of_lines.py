"""The newest open call of a line."""

from django.db import migrations, models
from django.db.models import Q

KINDS = ("missing", "question", "stop")


class Migration(migrations.Migration):
    accepted = {  # noqa: RUF012 - as Django's own attributes
        "constraint-missing-not-valid": "the scan finds empty columns alone: seconds for millions of rows",
    }

    dependencies = [("orders", "0003_the_day_promised_first")]

    operations = [
        migrations.AddField("line", "call_id", models.BigIntegerField(blank=True, null=True)),
        migrations.AddField(
            "line",
            "call_kind",
            models.CharField(
                blank=True, choices=[(kind, kind) for kind in KINDS], db_default="", default="", max_length=10
            ),
        ),
        migrations.AddField("line", "call_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddConstraint(
            "line",
            models.CheckConstraint(
                condition=Q(call_id__isnull=True, call_kind="", call_at__isnull=True)
                | (Q(call_id__isnull=False, call_at__isnull=False) & ~Q(call_kind="")),
                name="line_call_is_whole",
            ),
        ),
    ]
