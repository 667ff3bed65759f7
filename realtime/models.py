"""The outbox: events stored in the transaction of their change. And the tickets that opened a live socket."""

import uuid

from django.db import models
from django.db.models import Q


class OutboxCounter(models.Model):
    """One row: the newest id, and the epoch the ids belong to.

    Its row lock, taken late in a transaction and held until the commit, gives ids in commit order
    without a gap: who remembers an id has seen every lower one.
    """

    id = models.SmallIntegerField(primary_key=True, default=1)
    last_id = models.BigIntegerField(default=0)
    epoch = models.UUIDField(default=uuid.uuid4)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="outbox_has_one_counter")]

    def __str__(self) -> str:
        return f"{self.epoch}:{self.last_id}"

    @staticmethod
    def ensure() -> None:
        """Make the row, in a new or an emptied database; harmless where it is."""
        OutboxCounter.objects.bulk_create([OutboxCounter()], ignore_conflicts=True)


class OutboxEvent(models.Model):
    """An event as it travels. `audience`: permissions separated by spaces, any of them; or one user.

    `customer`: whose accounts receive it too, or alone where it has neither audience nor user.
    """

    id = models.BigIntegerField(primary_key=True)
    type = models.CharField(max_length=40)
    audience = models.TextField(blank=True)
    to_user = models.BigIntegerField(null=True, blank=True)
    customer = models.BigIntegerField(null=True, blank=True)
    payload = models.TextField()
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(audience="", to_user__isnull=False, customer__isnull=True)
                | Q(audience="", to_user__isnull=True, customer__isnull=False)
                | (~Q(audience="") & Q(to_user__isnull=True)),
                name="outbox_event_is_for_an_audience_or_for_one",
            )
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.type}"


class UsedTicket(models.Model):
    """A ticket that opened a live socket. It opens no other one."""

    id = models.UUIDField(primary_key=True)
    used_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.id.hex
