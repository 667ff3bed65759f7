"""Make, take back and read the secret address of a person's calendar (infra/docs/rules.md#calendars)."""

import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q

from project.access import throttle
from project.access.models import SignInAttempt
from project.access.pace import Pace
from project.access.principal import Principal
from project.access.token import acting_as
from project.audit import services as audit
from project.calendars import rules, selectors
from project.calendars.models import CalendarFeed
from project.core import clock
from project.core.errors import NotFound, Unauthenticated
from project.core.idempotency import unit_of_work
from project.core.sealing import digest_of_random
from project.identity.models import User
from project.orders.fields import ORDERS

NOBODY = 0
MOST_READS = 60
"""Most readings of one calendar in a minute, in each process."""
USE_IS_NOTED = timedelta(hours=1)

reads = Pace(MOST_READS)


@unit_of_work
def feed_make(*, by: Principal) -> tuple[CalendarFeed, str]:
    """Make a new address of the caller's calendar; a former one ends. Returns the calendar's row and the new address.

    The secret of the address is not stored.
    """
    before = _locked(by)
    secret = secrets.token_urlsafe(32)
    fields: dict[str, Any] = {
        "secret_digest": digest_of_random(secret),
        "created_at": clock.now(),
        "used_at": None,
    }
    made, _ = CalendarFeed.objects.update_or_create(user_id=by.user_id, defaults=fields)
    _record(by, before=before is not None, after=audit.HIDDEN if before else True)
    return made, rules.address_of(secret, site=settings.PUBLIC_URL)


@unit_of_work
def feed_end(*, by: Principal) -> None:
    """Take back the address of the caller's calendar. Idempotent."""
    feed = _locked(by)
    if feed is not None:
        feed.delete()
        _record(by, before=True, after=False)


def end_all() -> int:
    """Take back every address in a restored database: some may have been taken back since the backup."""
    return CalendarFeed.objects.all().delete()[0]


def _locked(by: Principal) -> CalendarFeed | None:
    """Lock the caller, so that two presses do not make two addresses, and return their calendar's row."""
    User.objects.select_for_update(no_key=True).only("pk").get(pk=by.user_id)
    return selectors.feed_of(by.user_id)


def _record(by: Principal, *, before: bool, after: bool | str) -> None:
    audit.record(
        entity="users",
        entity_id=by.user_id,
        label=by.full_name,
        action="changed",
        before={"calendar": before},
        after={"calendar": after},
        by=by,
    )


def reader_of(secret: str, *, address: str) -> Principal:
    """Return the person whose calendar has this secret in its address, with their current rights.

    The call counts as a failed attempt of the network address if the secret is unknown, or its owner may no longer read
    orders. Both cases send the same queries, so that the time of the answer does not reveal which it is. 2 queries,
    and 1 an hour to note the use. Raises `NotFound`, `TooManyAttempts`, `TooManyCalls`.
    """
    feed = selectors.feed_by_secret(secret)
    by = _acting(feed.user_id if feed else NOBODY)
    if feed is None or by is None or not by.holds(*ORDERS):
        attempt = throttle.begin(f"calendar {address}", address, purpose=SignInAttempt.CALENDAR)
        if throttle.failed(attempt):
            audit.record_guessing("calendar")
        raise NotFound
    reads.take(feed.pk)
    now = clock.now()
    if feed.used_at is None or feed.used_at < now - USE_IS_NOTED:
        CalendarFeed.objects.filter(Q(used_at=None) | Q(used_at__lt=now), pk=feed.pk).update(used_at=now)
    return by


def _acting(user_id: int) -> Principal | None:
    try:
        return acting_as(user_id)
    except Unauthenticated:
        return None
