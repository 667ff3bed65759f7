"""Fill in when the finished lines became Done: from the audit, else from the last exit of their pieces."""

from typing import Any

from django.db import migrations
from django.db.models import Max

from project.core.operations import InBatches


def fill(apps: Any, rows: Any) -> None:
    """Fill `done_at` of the finished lines without one. A line that has neither an audit row nor an exit keeps null.

    The audit may have been pruned. The last change to Done counts, because a line may have been taken back before. A
    line that was Invoiced before the change had been Done already.
    """
    finished = rows.filter(status__in=("Done", "Invoiced"), done_at__isnull=True)
    lines = list(finished.values_list("pk", flat=True))
    if not lines:
        return
    records = apps.get_model("orders", "ProcessRecord").objects.using(rows.db)
    audit = apps.get_model("audit", "AuditEntry").objects.using(rows.db)
    exits = records.filter(line__in=lines, released_at__isnull=True, output_at__isnull=False).order_by()
    found = dict(exits.values_list("line_id").annotate(last=Max("output_at")))
    changes = audit.filter(entity="sales-order-position", entity_id__in=lines, changes__status__after="Done")
    for line, at, status in changes.order_by("id").values_list("entity_id", "at", "changes__status__before"):
        if status != "Invoiced":
            found[line] = at
    for line, at in found.items():
        rows.filter(pk=line).update(done_at=at)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("audit", "0004_written_once_but"),
        ("orders", "0019_offered_date_checked"),
    ]

    operations = [InBatches("orders.Line", fill)]
