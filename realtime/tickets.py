"""Tickets: what a browser shows instead of its token, which never stands in a URL (infra/docs/rules.md#live-events).

A ticket is signed and stored nowhere. The seat that its socket takes has the ticket's id, which is what lets it open
one socket only (`seats`, decision 41).
"""

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.core.signing import BadSignature, Signer

from realtime.application import Principal, application

SECONDS = 30
_PURPOSE = "obrador live ticket"


@dataclass(frozen=True)
class Ticket:
    """Whose session opens a socket. `id`: what no other ticket has."""

    id: uuid.UUID
    user_id: int
    jti: str
    token_version: int
    token_expires_at: datetime

    def principal(self) -> Principal | None:
        """Who shows it, with the rights of this moment; None where his session is over. May wait for the database."""
        return application().current_principal(
            user_id=self.user_id, jti=self.jti, expires_at=self.token_expires_at, version=self.token_version
        )


def issue(principal: Principal) -> str:
    """A ticket that opens one socket for `principal` within 30 seconds."""
    expires = application().now() + timedelta(seconds=SECONDS)
    token_expires = principal.expires_at.astimezone(UTC).isoformat()
    content = [uuid.uuid4().hex, expires.timestamp(), principal.user_id, principal.jti, principal.token_version]
    return Signer(salt=_PURPOSE).sign_object([*content, token_expires])


def read(text: str) -> Ticket | None:
    """The ticket that `text` is; None where it is none of ours, or too old."""
    try:
        id_, expires, user_id, jti, version, token_expires = Signer(salt=_PURPOSE).unsign_object(text)
    except BadSignature:
        return None
    if expires <= application().now().timestamp():
        return None
    return Ticket(uuid.UUID(id_), user_id, jti, version, datetime.fromisoformat(token_expires))
