"""Tickets: what a browser shows instead of its token, which never stands in a URL (contract, section 7)."""

import secrets
from datetime import timedelta
from hashlib import sha256

from realtime.application import Principal, application
from realtime.models import LiveTicket

SECONDS = 30
LENGTH = 43
"""Characters of a ticket: 32 random bytes in URL-safe base 64."""
_TAKE = f"DELETE FROM {LiveTicket._meta.db_table} WHERE digest = %s RETURNING *"  # noqa: S608


def issue(principal: Principal) -> str:
    """A ticket that opens one socket for `principal` within 30 seconds. 1 query."""
    ticket = secrets.token_urlsafe(32)
    LiveTicket.objects.create(
        digest=_digest(ticket),
        user_id=principal.user_id,
        jti=principal.jti,
        token_version=principal.token_version,
        token_expires_at=principal.expires_at,
        expires_at=application().now() + timedelta(seconds=SECONDS),
    )
    return ticket


def forget(user_id: int) -> None:
    """Let no ticket of a user open anything."""
    LiveTicket.objects.filter(user_id=user_id).delete()


def redeem(ticket: str) -> Principal | None:
    """Who shows `ticket`, with the rights of this moment; None if it is unknown, used, too old, revoked.

    Of two who show the same ticket at once, one gets in: whoever deletes it. 1 query beside those for the rights.
    """
    if len(ticket) != LENGTH:
        return None
    kept = next(iter(LiveTicket.objects.raw(_TAKE, [_digest(ticket)])), None)
    if kept is None or kept.expires_at <= application().now():
        return None
    return application().current_principal(
        user_id=kept.user_id, jti=kept.jti, expires_at=kept.token_expires_at, version=kept.token_version
    )


def _digest(ticket: str) -> str:
    return sha256(ticket.encode()).hexdigest()
