"""The sign-in throttle: 5 failures of an account, 20 of an address, in 15 minutes (contract, section 2).

An attempt is counted before its password is looked at, so that fifty at once get no more tries than one
after the other.
"""

from datetime import timedelta
from math import ceil

from project.access.models import SignInAttempt
from project.core import clock
from project.core.errors import TooManyAttempts

WINDOW = timedelta(minutes=15)
PENDING_AT_MOST = timedelta(minutes=1)
ACCOUNT_FAILURES = 5
ADDRESS_FAILURES = 20


def begin(account: str, address: str) -> SignInAttempt:
    """Count an attempt. Raises `TooManyAttempts` with `retryAfter` in seconds."""
    now = clock.now()
    attempt = SignInAttempt.objects.create(account=account, address=address, at=now)
    recent = SignInAttempt.objects.filter(at__gt=now - WINDOW)
    # A pending attempt that a crash left behind stops counting after a minute.
    counted = recent.filter(account=account).exclude(failed=False, at__lt=now - PENDING_AT_MOST)
    by_account = list(counted.exclude(pk=attempt.pk).order_by("-at").values_list("at", flat=True))
    by_address = list(recent.filter(address=address, failed=True).order_by("-at").values_list("at", flat=True))
    waits = [
        times[limit - 1] + WINDOW - now
        for times, limit in ((by_account, ACCOUNT_FAILURES), (by_address, ADDRESS_FAILURES))
        if len(times) >= limit
    ]
    if waits:
        attempt.delete()
        raise TooManyAttempts(retryAfter=max(1, ceil(max(waits).total_seconds())))
    return attempt


def failed(attempt: SignInAttempt) -> None:
    """Keep the attempt as a failure."""
    attempt.failed = True
    attempt.save(update_fields=["failed"])


def succeeded(attempt: SignInAttempt) -> None:
    """Forget the account's failures: its owner is in."""
    SignInAttempt.objects.filter(account=attempt.account).delete()
