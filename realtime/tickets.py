"""Tickets: a browser opens a live socket with a ticket, because a session's token must not appear in a URL.

A ticket is signed and is not stored. It opens only one socket: the id of a used ticket is stored.
"""

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.core.signing import BadSignature, Signer
from django.db import IntegrityError

from realtime.application import Principal, application
from realtime.models import UsedTicket

SECONDS = 30
FORGOTTEN = timedelta(hours=1)
"""How long the id of a used ticket is kept: much longer than a ticket is valid."""
_PURPOSE = "obrador live ticket"


@dataclass(frozen=True)
class Ticket:
    """A ticket: its own `id`, and the session that may open a socket with it."""

    id: uuid.UUID
    user_id: int
    jti: str
    token_version: int
    token_expires_at: datetime

    def redeem(self) -> Principal | None:
        """Use the ticket. Return its user with their current rights.

        None if the session is over or the ticket was used before, in any process. 1 query besides those for the rights.
        """
        principal = application().current_principal(
            user_id=self.user_id, jti=self.jti, expires_at=self.token_expires_at, version=self.token_version
        )
        if principal is None:
            return None
        try:
            UsedTicket.objects.create(id=self.id, used_at=application().now())
        except IntegrityError:
            return None
        return principal


def issue(principal: Principal) -> str:
    """Make a ticket that opens one socket for `principal` within 30 seconds."""
    expires = application().now() + timedelta(seconds=SECONDS)
    token_expires = principal.expires_at.astimezone(UTC).isoformat()
    content = [uuid.uuid4().hex, expires.timestamp(), principal.user_id, principal.jti, principal.token_version]
    return Signer(salt=_PURPOSE).sign_object([*content, token_expires])


def read(text: str) -> Ticket | None:
    """Read the ticket in `text`. None if the signature is wrong or the ticket has expired."""
    try:
        id_, expires, user_id, jti, version, token_expires = Signer(salt=_PURPOSE).unsign_object(text)
    except BadSignature:
        return None
    if expires <= application().now().timestamp():
        return None
    return Ticket(uuid.UUID(id_), user_id, jti, version, datetime.fromisoformat(token_expires))


def forget_used() -> None:
    """Delete the ids of tickets that were used longer than FORGOTTEN ago."""
    UsedTicket.objects.filter(used_at__lt=application().now() - FORGOTTEN).delete()
