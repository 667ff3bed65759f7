"""The messages about lines, and who came after a call."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from project.catalogs.models import ProductionProcess
from project.orders.models import Line
from project.talk.rules import CALLS, MessageKind

OF_CALLS = Q(kind__in=sorted(CALLS))


class Message(models.Model):
    """What a person of the staff wrote about a line. Written once: the database refuses to change it.

    Only a transaction that may erase a person's names (`audit.Exemption`) may change its text and photo. `photo`: the
    stored name of the picture. `process`: of the station where it was written. `mentions`: a list of {kind, id}. `at`:
    when it was written; `received_at`: when the server received it, which is later if a station was offline.
    """

    line = models.ForeignKey(Line, on_delete=models.CASCADE, related_name="messages", db_index=False)
    kind = models.CharField(max_length=10, choices=[(kind.value, kind.value) for kind in MessageKind])
    text = models.TextField(default="", blank=True)
    photo = models.CharField(max_length=200, default="", blank=True)
    process = models.ForeignKey(
        ProductionProcess, null=True, blank=True, on_delete=models.PROTECT, related_name="messages"
    )
    mentions = models.JSONField(default=list, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="messages", db_index=False)
    at = models.DateTimeField()
    received_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(kind__in=[kind.value for kind in MessageKind]), name="message_kind_known"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["line", "-id"], name="message_by_line"),
            # Finds the newest call of a line in a long thread.
            models.Index(fields=["line", "-id"], condition=OF_CALLS, name="message_call_by_line"),
            # Counts the newest messages of a person.
            models.Index(fields=["by", "-id"], name="message_by_author"),
            # Finds the calls of some days.
            models.Index(fields=["at"], condition=OF_CALLS, name="message_call_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.line_id}"


class Coming(models.Model):
    """Who comes after a call: the first person who said so. The row never changes."""

    message = models.OneToOneField(Message, on_delete=models.CASCADE, primary_key=True, related_name="coming")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="comings")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.by_id} comes for {self.message_id}"
