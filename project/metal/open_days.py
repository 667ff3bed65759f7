"""Find the people whose day of metal is open (infra/docs/rules.md#metal-days)."""

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import TruncDate

from project.core import clock
from project.metal import lists
from project.metal.models import BOOKED, Account, AccountKind, MetalDay, MetalEntry


def open_days(*, process_id: int | None = None) -> QuerySet[Account]:
    """Return people's accounts that hold metal, if metal has moved since the person's last closing. 2 queries.

    `closed_day` and `closed_at`: the day and the time of that closing; null if there is none. A closing that was taken
    back does not count. Entries of closings do not count as movements.
    """
    last = MetalDay.objects.filter(
        person=OuterRef("user"), process=OuterRef("process"), reopened_at__isnull=True
    ).order_by("-closed_at")
    rows = lists.accounts(kind=AccountKind.person, process_id=process_id, empty=False).annotate(
        closed_at=Subquery(last.values("closed_at")[:1]),
        closed_day=Subquery(last.values("day")[:1]),
        gave_at=_newest("source"),
        took_at=_newest("target"),
    )
    # A closing of yesterday that is made today does not cover what moved today before it.
    rows = rows.annotate(
        gave_day=TruncDate("gave_at", tzinfo=clock.plant()), took_day=TruncDate("took_at", tzinfo=clock.plant())
    )
    return rows.filter(
        Q(closed_at__isnull=True)
        | Q(gave_at__gt=F("closed_at"))
        | Q(took_at__gt=F("closed_at"))
        | Q(gave_day__gt=F("closed_day"))
        | Q(took_day__gt=F("closed_day"))
    )


def _newest(end: str) -> Subquery:
    """Return the time of the newest entry of an account at this end that is not of a closing."""
    booked = [kind.value for kind in BOOKED]
    rows = MetalEntry.objects.filter(**{end: OuterRef("pk")}).exclude(kind__in=booked)
    return Subquery(rows.exclude(reverses__kind__in=booked).order_by("-pk").values("at")[:1])
