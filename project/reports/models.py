"""The stored flow of past days, so that reports need not read all process records."""

from typing import ClassVar

from django.db import models

from project.catalogs.models import ProductionProcess


class KeptDay(models.Model):
    """Marks a plant day as stored. A process without a row had no output that day."""

    day = models.DateField(primary_key=True)

    def __str__(self) -> str:
        return self.day.isoformat()


class KeptFlow(models.Model):
    """The output of a process on a day: its pieces, and the sorted durations of its visits, four-byte seconds."""

    day = models.ForeignKey(KeptDay, on_delete=models.CASCADE, related_name="flows")
    process = models.ForeignKey(ProductionProcess, on_delete=models.CASCADE, related_name="+")
    pieces = models.PositiveBigIntegerField()
    inside = models.BinaryField()
    waited = models.BinaryField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["day", "process"], name="kept_flow_once_a_day_and_process"),
        ]

    def __str__(self) -> str:
        return f"{self.day_id}/{self.process_id}"
