"""Reads the addresses of calendars, and the lines that a calendar shows."""

from django.db.models import Q

from project.access.principal import Principal
from project.calendars.models import CalendarFeed
from project.calendars.rules import KEPT, MOST_LINES
from project.core import clock
from project.core.sealing import digest_of_random
from project.orders.models import Line
from project.orders.rules import COMPLETED, FINISHED
from project.orders.selectors import line_list


def feed_of(user_id: int) -> CalendarFeed | None:
    """Return the row of a person's calendar; None if it has no address. 1 query."""
    return CalendarFeed.objects.filter(user=user_id).first()


def feed_by_secret(secret: str) -> CalendarFeed | None:
    """Return the calendar with this secret in its address, even if its owner may no longer read it. 1 query."""
    return CalendarFeed.objects.filter(secret_digest=digest_of_random(secret)).first()


def lines_due(by: Principal) -> list[Line]:
    """Return the lines with a delivery day that `by` may read, earliest day first. 1 query.

    Open lines, and finished lines until `KEPT` after their day. Canceled lines are left out.
    """
    done = Q(status__in=COMPLETED, delivery_date__gte=clock.today() - KEPT)
    found = line_list(by).filter(~Q(status__in=FINISHED) | done, delivery_date__isnull=False)
    latest = found.order_by("-delivery_date", "-order_id", "-position")[:MOST_LINES]
    return list(reversed(latest))
