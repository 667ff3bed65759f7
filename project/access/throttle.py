"""Limit attempts at passwords and codes: 5 failures per account and 20 per address are allowed in 15 minutes.

An attempt is counted before its password is checked, and attempts are counted one after the other. So 50 simultaneous
attempts get no more tries than 50 in a row, on one account or on many. Some limits differ:

- In a browser that is known to an account, this account has 5 failures of its own, and no limit per address. So
  strangers cannot use up a person's tries, and people at one address cannot use up the tries of the whole plant.
- PINs allow 5 failures a minute per station. All stations of one account allow 20 a minute and 100 a day.
- Badges allow 20 failures a minute for all stations of one account. They are counted separately from PINs: scanning a
  worn badge again and again does not block the PIN pad, and wrong PINs do not block badges.
- Codes of the second step allow 5 failures of an account in 15 minutes, and 50 a day. A success forgets none of them:
  there are only a million codes.
- A user who gives people PINs can learn at most 10 times a day that a PIN is taken.
- Customers' pages allow 20 wrong addresses of pages per network address, and calendars 20 of calendars.
- The company's account allows 20 refused sign-ins per network address: who they are is known only after the check.

See infra/docs/rules.md#sign-in.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from math import ceil
from typing import Protocol

from django.db import transaction
from django.db.models import Q, QuerySet

from project.access.known_browsers import Browser
from project.access.models import SignInAttempt
from project.core import clock
from project.core.errors import TooManyAttempts
from project.core.queries import Turn, take_turn

WINDOW = timedelta(minutes=15)
PENDING_AT_MOST = timedelta(minutes=1)
"""A pending attempt that was left by a crash stops counting after this time."""
PENDING_WAIT = timedelta(seconds=1)
"""Wait this long for pending attempts, because most of them succeed."""
ACCOUNT_FAILURES = 5
ADDRESS_FAILURES = 20
KNOWN = {
    SignInAttempt.SIGN_IN: SignInAttempt.KNOWN_SIGN_IN,
    SignInAttempt.RECOVERY: SignInAttempt.KNOWN_RECOVERY,
}
"""The purpose under which an attempt from a known browser is counted, by the purpose of other attempts."""
DAY = timedelta(days=1)
WINDOWS = {
    SignInAttempt.OPERATOR: timedelta(minutes=1),
    SignInAttempt.BADGE: timedelta(minutes=1),
    SignInAttempt.PIN_GIVEN: DAY,
}
"""How long failures count, if not `WINDOW`."""
FAILURES = {
    SignInAttempt.BADGE: 20,
    SignInAttempt.PIN_GIVEN: 10,
    SignInAttempt.PAGE: ADDRESS_FAILURES,
    SignInAttempt.COMPANY: ADDRESS_FAILURES,
    SignInAttempt.CALENDAR: ADDRESS_FAILURES,
}
"""Failures allowed per account, if not `ACCOUNT_FAILURES`. The 128 random bits of a badge cannot be guessed."""
DAY_FAILURES = {SignInAttempt.OPERATOR: ("address", 100), SignInAttempt.SECOND_FACTOR: ("account", 50)}
"""Failures allowed per `account` or `address` and day, in addition to the limits per window.

There are only a million PINs and codes. The "address" of a PIN is the account of its station.
"""


class KnownAccount(Protocol):
    """The fields of a user that are needed here; `password` is its hash."""

    pk: int
    password: str


@transaction.atomic
def begin(account: str, address: str, *, purpose: str = SignInAttempt.SIGN_IN) -> SignInAttempt:
    """Count an attempt; each purpose is counted separately. Raises `TooManyAttempts` with `retryAfter` in seconds."""
    take_turn(Turn.COUNTING_ATTEMPTS)
    now, of = clock.now(), {"account": account, "address": address}
    longest = max(
        _wait(_counted(purpose, window, now).filter(**{name: of[name]}), limit, window)
        for name, limit, window in _limits(purpose)
    )
    if longest > timedelta():
        raise TooManyAttempts(retryAfter=ceil(longest.total_seconds()))
    return SignInAttempt.objects.create(account=account, address=address, purpose=purpose, at=now)


def begin_here(
    account: str, user: KnownAccount | None, browser: Browser, address: str, *, purpose: str = SignInAttempt.SIGN_IN
) -> SignInAttempt:
    """Count an attempt as `begin` does. If `browser` is known to `user`, it counts only for this user and browser."""
    if user is not None and browser.knows(user.pk, user.password):
        return begin(f"{user.pk} {browser.name}", address, purpose=KNOWN[purpose])
    return begin(account, address, purpose=purpose)


def of_account(user_id: int, emails: Iterable[str]) -> QuerySet[SignInAttempt]:
    """Return the attempts on an account with these e-mails, including those from known browsers."""
    names = Q(account__in=[one.lower() for one in emails]) | Q(account=str(user_id))
    return SignInAttempt.objects.filter(names | Q(account__startswith=f"{user_id} "))


def failed(attempt: SignInAttempt) -> bool:
    """Keep the attempt as a failure. Return whether a limit is reached; the caller then records this in the audit."""
    SignInAttempt.objects.filter(pk=attempt.pk).update(failed=True)
    return any(
        _counted(attempt.purpose, window, clock.now()).filter(failed=True, **{name: getattr(attempt, name)}).count()
        >= limit
        for name, limit, window in _limits(attempt.purpose)
    )


def forget_old() -> None:
    """Delete the attempts that no longer count."""
    now, of_a_day = clock.now(), {*DAY_FAILURES, SignInAttempt.PIN_GIVEN}
    SignInAttempt.objects.filter(at__lt=now - WINDOW).exclude(purpose__in=of_a_day, at__gte=now - DAY).delete()


def _limits(purpose: str) -> Iterator[tuple[str, int, timedelta]]:
    """Yield each limit of a purpose: `account` or `address`, the number of failures, and how long they count."""
    window = WINDOWS.get(purpose, WINDOW)
    yield "account", FAILURES.get(purpose, ACCOUNT_FAILURES), window
    if purpose not in KNOWN.values():
        yield "address", ADDRESS_FAILURES, window
    if purpose in DAY_FAILURES:
        yield *DAY_FAILURES[purpose], DAY


def _counted(purpose: str, window: timedelta, now: datetime) -> QuerySet[SignInAttempt]:
    # An attempt in the future was counted before the clock was set back. Clocks of machines may differ by a minute.
    return SignInAttempt.objects.filter(purpose=purpose, at__gt=now - window, at__lt=now + clock.CLOCKS_DIFFER).exclude(
        failed=False, at__lt=now - PENDING_AT_MOST
    )


def succeeded(attempt: SignInAttempt) -> None:
    """Delete this attempt and the failures of its account and purpose. Other pending attempts still count."""
    SignInAttempt.objects.filter(
        Q(failed=True) | Q(pk=attempt.pk), account=attempt.account, purpose=attempt.purpose
    ).delete()


def withdraw(attempt: SignInAttempt) -> None:
    """Delete the attempt, because nothing was checked, or because its success must not clear earlier failures."""
    attempt.delete()


def forget(account: str) -> None:
    """Delete the failed sign-ins of an account, after it got a new password."""
    SignInAttempt.objects.filter(account=account, purpose=SignInAttempt.SIGN_IN, failed=True).delete()


def _wait(counted: QuerySet[SignInAttempt], limit: int, window: timedelta) -> timedelta:
    """Return the time until an attempt is allowed; zero if it is allowed now.

    While pending attempts fill the limit, this is `PENDING_WAIT`.
    """
    rows = list(counted.order_by("-at").values_list("at", "failed"))
    failures = [at for at, has_failed in rows if has_failed]
    if len(failures) >= limit:
        return failures[limit - 1] + window - clock.now()
    return PENDING_WAIT if len(rows) >= limit else timedelta()
