"""Tokens in mails: with its token, the reader of a mail stops such mails without signing in.

A token is sealed. It contains the kind of mails and their receiver, so no token is stored. It allows nothing else.
"""

from typing import NamedTuple

from project.core import sealing
from project.core.schemas import MOST_ID
from project.notices.encryption import from_text, to_text

PURPOSE = b"obrador stopped mails"
DIGEST, LINK = "digest", "link"
"""Mails that a token can stop besides those of a kind: a person's digest, and the weekly mail of a link."""
LONGEST = 200


class Stopped(NamedTuple):
    """What a token stops.

    `what`: DIGEST, LINK or a kind of notice. `subject`: the id of the person; for LINK, the id of the `LinkMail`.
    """

    what: str
    subject: int


def token_of(what: str, subject: int) -> str:
    """Return a token that stops the mails `what` of the person or `LinkMail` with the id `subject`."""
    return to_text(sealing.seal(f"{what} {subject}".encode(), keys=sealing.own_keys(PURPOSE)))


def read(token: str) -> Stopped | None:
    """Return what a token stops; None if the installation did not make the token."""
    try:
        if len(token) > LONGEST:
            return None
        what, _, subject = sealing.unseal(from_text(token), keys=sealing.own_keys(PURPOSE)).decode().partition(" ")
        return Stopped(what, int(subject)) if int(subject) <= MOST_ID else None
    except ValueError:
        return None
