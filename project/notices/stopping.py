"""Tokens in mails, with which their readers stop such mails without signing in.

A token is sealed and says whom it concerns and what it stops, so that none is stored. It opens nothing else.
"""

from typing import NamedTuple

from project.core import sealing
from project.core.schemas import MOST_ID
from project.notices.encryption import from_text, to_text

PURPOSE = b"obrador stopped mails"
DIGEST, LINK = "digest", "link"
"""What a token stops besides the mails of a kind: a person's digest, and the weekly mail of a link."""
LONGEST = 200


class Stopped(NamedTuple):
    """`what`: DIGEST, LINK or a kind. `subject`: the id of the person, or of the link's mail."""

    what: str
    subject: int


def token_of(what: str, subject: int) -> str:
    """Return a token that stops these mails of a person or to a link's address."""
    return to_text(sealing.seal(f"{what} {subject}".encode(), keys=sealing.own_keys(PURPOSE)))


def read(token: str) -> Stopped | None:
    """Return what a token stops; None if the installation did not make it."""
    try:
        if len(token) > LONGEST:
            return None
        what, _, subject = sealing.unseal(from_text(token), keys=sealing.own_keys(PURPOSE)).decode().partition(" ")
        return Stopped(what, int(subject)) if int(subject) <= MOST_ID else None
    except ValueError:
        return None
