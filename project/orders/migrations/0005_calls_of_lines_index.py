"""The index of the lines with an open call, alone and concurrently."""

from django.db import migrations, models
from django.db.models import Q

from project.core.operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("orders", "0004_calls_of_lines")]

    operations = [
        AddIndexConcurrently(
            "line", models.Index(fields=["call_at"], condition=Q(call_at__isnull=False), name="line_by_call")
        ),
    ]
