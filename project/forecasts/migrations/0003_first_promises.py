"""The promises that were made before the first one was stored."""

from typing import Any

from django.db import migrations
from django.db.models import OuterRef, Subquery

from project.core.operations import InBatches


def store_first_promises(apps: Any, lines: Any) -> None:
    """Give each line the delivery date of its first kept forecast as the day that was promised first.

    A line without one keeps none: its delivery date counts.
    """
    KeptForecast = apps.get_model("forecasts", "KeptForecast")
    first = KeptForecast.objects.filter(line=OuterRef("pk"), due__isnull=False).order_by("day").values("due")[:1]
    lines.filter(promised_date__isnull=True).update(promised_date=Subquery(first))


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("forecasts", "0002_fitted_correction"), ("orders", "0003_the_day_promised_first")]

    operations = [InBatches("orders.Line", store_first_promises)]
