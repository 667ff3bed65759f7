"""Stores which causes were announced, and who has read which notification. Notifications are derived from causes."""

from typing import ClassVar

from django.db import models


class Announcement(models.Model):
    """A cause that was announced to the staff, once. `kind`: a `rules.Kind`.

    The row is deleted when the cause is gone. If the cause comes back, it is announced again.
    """

    kind = models.CharField(max_length=40)
    cause_id = models.BigIntegerField()
    order_id = models.BigIntegerField(db_index=True)
    announced_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["kind", "cause_id"], name="announcement_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.cause_id}"


class ReadMark(models.Model):
    """The person `user` has read a notification. The database deletes the mark with the announcement."""

    user = models.BigIntegerField()
    announcement = models.ForeignKey(Announcement, on_delete=models.DB_CASCADE, related_name="marks")
    read_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "announcement"], name="notification_read_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.announcement_id}"
