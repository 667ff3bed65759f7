"""The progress of prints."""

from django.conf import settings
from django.db import models


class PrintRun(models.Model):
    """A print under way. The caller chooses `id`, so that they can read the progress while they wait for the PDF."""

    id = models.UUIDField(primary_key=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    total = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.done}/{self.total}"
