"""The outbox: events stored in the transaction of their change, and the seats of live sockets."""

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


class LiveProcess(models.Model):
    """A server process with live sockets, and when it was last seen."""

    id = models.UUIDField(primary_key=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.id.hex


class LiveSeat(models.Model):
    """A live socket that is open, as one of the few its user may have. One of a process that died does not count.

    Its id is its ticket's. A seat that was left belongs to nobody, and stays until its ticket is over: no other socket
    is opened with that.
    """

    MOST = 20

    id = models.UUIDField(primary_key=True)
    process = models.ForeignKey(LiveProcess, null=True, on_delete=models.CASCADE)
    user_id = models.BigIntegerField(null=True)
    number = models.SmallIntegerField()
    left_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user_id", "number"], name="live_seat_once"),
            models.CheckConstraint(condition=Q(number__gte=1, number__lte=20), name="live_seat_within_the_limit"),
            models.CheckConstraint(
                condition=Q(left_at__isnull=True, process__isnull=False, user_id__isnull=False)
                | Q(left_at__isnull=False, process__isnull=True, user_id__isnull=True),
                name="live_seat_is_somebodys_or_left",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} of user {self.user_id}"
