"""Tables of live delivery: the outbox, with events stored in the transaction of their change, and used tickets."""

import uuid

from django.db import models
from django.db.models import Q


class OutboxCounter(models.Model):
    """One row: the newest event id, and the epoch that the ids belong to.

    A transaction takes the row's lock late and holds it until the commit. So ids follow commit order without a gap: a
    client that has seen an id has seen every lower one.
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
        """Create the row in a new or emptied database. No-op if it exists."""
        OutboxCounter.objects.bulk_create([OutboxCounter()], ignore_conflicts=True)


class OutboxEvent(models.Model):
    """A stored event. `audience`: permissions separated by spaces; any one of them is enough to receive it.

    `to_user`: the receiver of a personal event, which has no audience. `customer`: the accounts of this customer
    receive the event too. If the event has no audience, only these accounts receive it.
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
    """The id of a ticket that opened a live socket. The ticket cannot open another one."""

    id = models.UUIDField(primary_key=True)
    used_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.id.hex
