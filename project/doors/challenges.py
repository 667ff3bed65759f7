"""Challenges: sealed notes that a browser brings back, so that nothing is stored for a sign-in that nobody finishes."""

import json
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction

from project.core import clock, sealing
from project.doors.models import AnsweredChallenge
from project.doors.rules import ChallengeOver

LASTS = timedelta(minutes=10)
LONGEST = 2_000


def seal(purpose: bytes, **content: Any) -> str:
    """Return a challenge that only `read` with the same purpose opens."""
    note = json.dumps({**content, "at": clock.now().timestamp()}).encode()
    return sealing.seal(note, keys=sealing.own_keys(b"obrador challenge"), bound_to=purpose).hex()


def read(purpose: bytes, challenge: str, *, lasts: timedelta = LASTS) -> dict[str, Any]:
    """Return the content of a challenge. Raises `ChallengeOver` if it is older than `lasts` or not made by `seal`."""
    try:
        sealed = bytes.fromhex(challenge)
        note = json.loads(sealing.unseal(sealed, keys=sealing.own_keys(b"obrador challenge"), bound_to=purpose))
    except ValueError as error:
        raise ChallengeOver from error
    age = timedelta(seconds=clock.now().timestamp() - note["at"])
    if not -clock.CLOCKS_DIFFER <= age <= lasts:
        raise ChallengeOver
    return dict(note)


def is_first_answer(secret: str, *, lasts: timedelta) -> bool:
    """Note that a challenge was answered; return whether this is the first time. Call it in a transaction."""
    try:
        with transaction.atomic():
            AnsweredChallenge.objects.create(
                digest=sealing.digest_of_random(secret), expires_at=clock.now() + lasts + clock.CLOCKS_DIFFER
            )
    except IntegrityError:
        return False
    return True


def forget_answered() -> None:
    """Delete the notes of challenges that have expired."""
    AnsweredChallenge.objects.filter(expires_at__lt=clock.now()).delete()
