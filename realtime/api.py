"""The HTTP side of live delivery: a ticket for a socket."""

from typing import Literal

from django.http import HttpRequest

from project.access.guard import SignedIn, caller
from project.core.routing import domain_router
from project.core.schemas import Out
from realtime import tickets

router = domain_router("live")


class TicketOut(Out):
    """`ticket` opens one socket; `expiresIn` is in seconds."""

    ticket: str
    expires_in: Literal[30] = 30


@router.post("/ticket", response=TicketOut, auth=SignedIn(customers=True), operation_id="live_ticket")
def live_ticket(request: HttpRequest) -> TicketOut:
    """A ticket for `GET /ws/events`, good for one socket within 30 seconds."""
    return TicketOut(ticket=tickets.issue(caller(request)))
