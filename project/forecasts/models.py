"""Store the first forecast of each line on each day, and how forecasts are corrected by how earlier ones came out."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from project.orders.models import Line


class KeptForecast(models.Model):
    """The first forecast of a line on a day of the plant. It is never rewritten.

    A report compares it with the day on which the line was done. `due`: the delivery date of the line at that time.
    `on_time`: the chance that the line would be done by `due`.
    """

    # No foreign key in the database, as in `orders.models.Forecast`: a movement of the line would wait.
    line = models.ForeignKey(Line, on_delete=models.CASCADE, related_name="kept_forecasts", db_constraint=False)
    day = models.DateField()
    made_at = models.DateTimeField()
    p50 = models.DateField()
    p80 = models.DateField()
    p90 = models.DateField()
    due = models.DateField(null=True, blank=True)
    on_time = models.FloatField(null=True, blank=True)
    basis = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["line", "day"], name="kept_forecast_once_a_line_and_day"),
            models.CheckConstraint(
                condition=Q(p80__gte=F("p50"), p90__gte=F("p80")), name="kept_forecast_days_in_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.line_id}: {self.day}"


class FittedCorrection(models.Model):
    """The correction of forecasts that was computed on one day of the plant, from what was known on that day.

    Its row never changes.

    `coefficients`, `means`, `spreads` and `level`: as `correction.Correction` has them.
    """

    day = models.DateField(unique=True)
    made_at = models.DateTimeField()
    coefficients = models.JSONField()
    means = models.JSONField()
    spreads = models.JSONField()
    level = models.FloatField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(level__gt=0.5, level__lte=0.9), name="correction_level_is_between"),
        ]

    def __str__(self) -> str:
        return str(self.day)
