"""The flow of days that are over, kept: what it is computed from is read once a day and not once a question."""

from typing import ClassVar

from django.db import models

from project.catalogs.models import ProductionProcess


class KeptDay(models.Model):
    """A day of the plant whose flow is kept whole: of a process without a row nothing came out."""

    day = models.DateField(primary_key=True)

    def __str__(self) -> str:
        return self.day.isoformat()


class KeptFlow(models.Model):
    """What left a process on a day: its pieces, and the sorted durations of its visits, in seconds of four bytes."""

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
