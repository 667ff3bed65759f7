"""Who leads: what only one worker among many may do."""

from django.db import models


class Lease(models.Model):
    """A task is `holder`'s until `until`, unless he renews it."""

    task = models.CharField(max_length=40, primary_key=True)
    holder = models.CharField(max_length=40, default="", blank=True)
    until = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    """When the task was last done to its end."""

    def __str__(self) -> str:
        return f"{self.task}: {self.holder}"
