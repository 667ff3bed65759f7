"""The throttle of whatever asks for a password or a code: 5 failures of an account, 20 of an address, in 15 minutes.

An attempt is counted before its password is looked at, one attempt after the other, so that
fifty at once get no more tries than fifty in a row, on one account or on fifty. A browser that is known to an account
has 5 failures of its own there: strangers cannot use up a person's tries, nor one address those of a whole plant.
Of PINs a station has 5 failures a minute, and all stations of one account 20 a minute and 100 a day. A user
who gives people PINs learns 10 times a day that somebody has one. Badges are counted apart: a worn or old one that is
scanned again and again keeps nobody from the PIN pad, nor a guessed PIN anybody's badge away.

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
"""A pending attempt that a crash left behind stops counting after this."""
PENDING_WAIT = timedelta(seconds=1)
"""How long to wait for attempts that are still being looked at: most of them succeed."""
ACCOUNT_FAILURES = 5
ADDRESS_FAILURES = 20
KNOWN = {
    SignInAttempt.SIGN_IN: SignInAttempt.KNOWN_SIGN_IN,
    SignInAttempt.RECOVERY: SignInAttempt.KNOWN_RECOVERY,
}
"""What a purpose is counted as where the browser is known."""
DAY = timedelta(days=1)
WINDOWS = {
    SignInAttempt.OPERATOR: timedelta(minutes=1),
    SignInAttempt.BADGE: timedelta(minutes=1),
    SignInAttempt.PIN_GIVEN: DAY,
}
"""How long failures count, where that is not `WINDOW`."""
FAILURES = {SignInAttempt.BADGE: 20, SignInAttempt.PIN_GIVEN: 10}
"""How many an account has, where that is not `ACCOUNT_FAILURES`: nobody guesses the 128 random bits of a badge."""
DAY_FAILURES = {SignInAttempt.OPERATOR: 100}
"""How many an address has a day, beside those of its window: a PIN is one of a million."""


class KnownAccount(Protocol):
    """What is asked of a user; `password` is its hash."""

    pk: int
    password: str


@transaction.atomic
def begin(account: str, address: str, *, purpose: str = SignInAttempt.SIGN_IN) -> SignInAttempt:
    """Count an attempt; each purpose has counts of its own. Raises `TooManyAttempts` with `retryAfter` in seconds."""
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
    """As `begin`; counted apart where `browser` is known to the account's `user`."""
    if user is not None and browser.knows(user.pk, user.password):
        return begin(f"{user.pk} {browser.name}", address, purpose=KNOWN[purpose])
    return begin(account, address, purpose=purpose)


def of_account(user_id: int, emails: Iterable[str]) -> QuerySet[SignInAttempt]:
    """The attempts at an account that is known by these e-mails, those of known browsers too."""
    names = Q(account__in=[one.lower() for one in emails]) | Q(account=str(user_id))
    return SignInAttempt.objects.filter(names | Q(account__startswith=f"{user_id} "))


def failed(attempt: SignInAttempt) -> bool:
    """Keep the attempt as a failure. Returns whether it was the last one for now, which belongs into the audit."""
    SignInAttempt.objects.filter(pk=attempt.pk).update(failed=True)
    return any(
        _counted(attempt.purpose, window, clock.now()).filter(failed=True, **{name: getattr(attempt, name)}).count()
        >= limit
        for name, limit, window in _limits(attempt.purpose)
    )


def forget_old() -> None:
    """Forget the attempts that count no more."""
    now, of_a_day = clock.now(), {*DAY_FAILURES, SignInAttempt.PIN_GIVEN}
    SignInAttempt.objects.filter(at__lt=now - WINDOW).exclude(purpose__in=of_a_day, at__gte=now - DAY).delete()


def _limits(purpose: str) -> Iterator[tuple[str, int, timedelta]]:
    """How many failures of an account or an address count, and for how long."""
    window = WINDOWS.get(purpose, WINDOW)
    yield "account", FAILURES.get(purpose, ACCOUNT_FAILURES), window
    if purpose not in KNOWN.values():
        yield "address", ADDRESS_FAILURES, window
    if purpose in DAY_FAILURES:
        yield "address", DAY_FAILURES[purpose], DAY


def _counted(purpose: str, window: timedelta, now: datetime) -> QuerySet[SignInAttempt]:
    # Later than now is what was counted before the clock was set back; machines may differ by a minute.
    return SignInAttempt.objects.filter(purpose=purpose, at__gt=now - window, at__lt=now + clock.CLOCKS_DIFFER).exclude(
        failed=False, at__lt=now - PENDING_AT_MOST
    )


def succeeded(attempt: SignInAttempt) -> None:
    """Forget the account's failures: its owner is in. Attempts still being looked at go on counting."""
    SignInAttempt.objects.filter(
        Q(failed=True) | Q(pk=attempt.pk), account=attempt.account, purpose=attempt.purpose
    ).delete()


def withdraw(attempt: SignInAttempt) -> None:
    """Do not count the attempt: nothing was checked, or its success must not clear the failures before it."""
    attempt.delete()


def forget(account: str) -> None:
    """Forget the failed sign-ins of an account that has a new password."""
    SignInAttempt.objects.filter(account=account, purpose=SignInAttempt.SIGN_IN, failed=True).delete()


def _wait(counted: QuerySet[SignInAttempt], limit: int, window: timedelta) -> timedelta:
    """How long until fewer than `limit` of these count; nothing where that is so now."""
    rows = list(counted.order_by("-at").values_list("at", "failed"))
    failures = [at for at, has_failed in rows if has_failed]
    if len(failures) >= limit:
        return failures[limit - 1] + window - clock.now()
    return PENDING_WAIT if len(rows) >= limit else timedelta()
