"""Reads displays, and authenticates their tokens."""

from django.db.models import QuerySet

from project.access.principal import DisplayRights
from project.core.errors import NotFound
from project.core.last_seen import note_seen
from project.core.pagination import Orderings
from project.core.sealing import digest_of_random
from project.core.spanish import matching
from project.displays.models import Display, Pairing

ORDERINGS = Orderings(columns={"id": "id", "name": "name", "active": "active"}, default="name")


def displays(search: str | None = None, *, active: bool | None = None) -> QuerySet[Display]:
    """Return displays with their lanes. 2 queries."""
    found = Display.objects.prefetch_related("lanes")
    if active is not None:
        found = found.filter(active=active)
    return matching(found, search, "name")


def display_get(display_id: int) -> Display:
    """Return a display with its lanes. Raises `NotFound`."""
    found = displays().filter(pk=display_id).first()
    if found is None:
        raise NotFound
    return found


def rights_of_token(token: str) -> tuple[int, DisplayRights] | None:
    """Return the id and rights of the display with `token`; None if the token is unknown or revoked.

    Marks the display as seen. The first use of a token deletes its pairing, so the token can no longer be fetched. 2
    queries, and one write a minute.
    """
    row = displays().filter(token_digest=digest_of_random(token)).first()
    if row is None:
        return None
    if row.last_seen is None:
        Pairing.objects.filter(display=row).delete()
    note_seen(Display.objects.filter(pk=row.pk), row.last_seen)
    return row.pk, _rights(row)


def rights_of(display_id: int) -> DisplayRights | None:
    """Return the current rights of a display; None if it has no token or is revoked. 2 queries."""
    row = displays().filter(pk=display_id, token_digest__isnull=False).first()
    return _rights(row) if row else None


def _rights(row: Display) -> DisplayRights:
    return DisplayRights(name=row.name, lanes=frozenset(lane.process_id for lane in row.lanes.all()))
