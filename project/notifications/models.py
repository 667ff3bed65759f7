"""Who has read which notification. The notifications themselves follow from the orders."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from project.notifications.rules import Kind


class ReadMark(models.Model):
    """A person has read the notification of a cause."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=40, choices=[(kind.value, kind.value) for kind in Kind])
    cause_id = models.BigIntegerField()
    read_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "kind", "cause_id"], name="notification_read_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.cause_id}"
