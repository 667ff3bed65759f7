"""The table of leases: tasks that only one worker may do at a time."""

from django.db import models


class Lease(models.Model):
    """The worker `holder` may do the task until `until`. It renews the lease before then."""

    task = models.CharField(max_length=40, primary_key=True)
    holder = models.CharField(max_length=40, default="", blank=True)
    until = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    """When the task was last completed."""

    def __str__(self) -> str:
        return f"{self.task}: {self.holder}"
