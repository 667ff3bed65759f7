"""Creates displays by the code that a screen shows, changes and revokes them (infra/docs/rules.md#displays)."""

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import F

from project.access import throttle
from project.access.models import SignInAttempt
from project.access.permissions import OF_DISPLAYS
from project.access.principal import FIRST_LINK, Principal, subject_of_display
from project.audit import services as audit
from project.audit.services import Snapshot
from project.catalogs.models import ProductionProcess
from project.catalogs.services import refuse_unknown
from project.core import clock
from project.core.constraints import unique
from project.core.errors import FieldError, NotFound, Refusal
from project.core.idempotency import unit_of_work
from project.core.last_seen import unseen
from project.core.schemas import given
from project.core.versions import Unchanged, changed_or_as_it_is
from project.displays.models import Display, DisplayLane, Pairing
from project.displays.pairing import LASTS, code_digests
from project.displays.schemas import DisplayChange, DisplayIn
from project.displays.selectors import display_get
from project.events import record_and_publish
from project.identity import rules
from realtime import outbox
from realtime.registry import PermissionsChanged, SessionData, SessionEnded, UserData

NAME_ONCE = {"display_name_once": "name"}


class UnknownPairingCode(Refusal):
    """No screen shows this code, or the code has expired."""

    status = 422
    code = "unknown_pairing_code"

    def __init__(self) -> None:
        super().__init__(errors=[FieldError("code", "unknown_pairing_code")])


class AlreadyRevoked(Refusal):
    """The display is revoked and cannot be changed. Its screen must be paired again as a new display."""

    code = "already_revoked"


def display_create(*, body: DisplayIn, by: Principal, address: str) -> Display:
    """Create a display for the screen that shows `body.code`.

    Wrong codes count as attempts of the caller and of their address. An attempt is counted before the code is checked,
    so that parallel guesses do not escape the limit.

    Raises `TooManyAttempts`, `UnknownPairingCode`, `InvalidFields`, `AlreadyExists`, and `PermissionDenied` if the
    caller may not see the board.
    """
    rules.check_grant(by, OF_DISPLAYS)
    attempt = throttle.begin(f"user {by.user_id}", address, purpose=SignInAttempt.PAIRING)
    try:
        display = _create(body, by)
    except UnknownPairingCode:
        if throttle.failed(attempt):
            audit.record_guessing("code", entity="displays", by=by)
        raise
    except BaseException:
        throttle.withdraw(attempt)
        raise
    throttle.succeeded(attempt)
    return display


@unit_of_work
def _create(body: DisplayIn, by: Principal) -> Display:
    waiting = Pairing.objects.select_for_update().filter(
        code_digest__in=code_digests(body.code), display__isnull=True, expires_at__gt=clock.now()
    )
    pairing = waiting.first()
    if pairing is None:
        raise UnknownPairingCode
    display = Display()
    _write(display, dict(body))
    pairing.display, pairing.expires_at = display, clock.now() + LASTS
    pairing.save(update_fields=["display", "expires_at"])
    created = display_get(display.pk)
    record_and_publish("displays", created, "created", by, before=None, after=_snapshot(created))
    return created


@unit_of_work
def display_change(
    *, display_id: int, body: DisplayChange, by: Principal, expected: frozenset[int] | None = None
) -> Display:
    """Rename a display or change its lanes. An event updates its screen at once.

    Raises `NotFound`, `StaleVersion`, `AlreadyRevoked`, `InvalidFields`, `AlreadyExists`, and `PermissionDenied` if the
    caller adds lanes but may not see the board.
    """

    fields = given(body)

    def change() -> Display:
        display = _locked(display_id)
        display.claim(expected)
        before = _snapshot(display)
        if _is_wider(before["productionProcessIds"], fields.get("production_process_ids")):
            rules.check_grant(by, OF_DISPLAYS)
        _write(display, fields)
        changed = display_get(display_id)
        if _snapshot(changed) == before:
            raise Unchanged
        renewed = PermissionsChanged(data=UserData(id=subject_of_display(display_id)))
        outbox.publish(renewed, by=None, to_user=subject_of_display(display_id))
        record_and_publish("displays", changed, "changed", by, before=before, after=_snapshot(changed))
        return changed

    return changed_or_as_it_is(change, lambda: display_get(display_id))


@unit_of_work
def display_revoke(*, display_id: int, by: Principal) -> Display:
    """Revoke a display: delete its token and close its sockets. Its row stays without lanes; its name becomes free.

    Raises `NotFound`, `AlreadyRevoked`.
    """
    display = _locked(display_id)
    display.claim(None)
    before = _snapshot(display)
    display.active, display.token_digest = False, None
    display.save(update_fields=["active", "token_digest", "version"])
    Pairing.objects.filter(display=display).delete()
    display.lanes.all().delete()
    revoked = display_get(display_id)
    ended = SessionEnded(data=SessionData(id=subject_of_display(display_id), jti=None))
    outbox.publish(ended, by=None, to_user=subject_of_display(display_id))
    record_and_publish("displays", revoked, "deleted", by, before=before, after=_snapshot(revoked))
    return revoked


def revoke_all() -> int:
    """Revoke all displays of a restored database, because some may have been revoked since the backup.

    Publishes no event: no screen is connected yet. Returns the number of displays.
    """
    displays = Display.objects.filter(active=True)
    Pairing.objects.all().delete()
    DisplayLane.objects.all().delete()
    return displays.update(active=False, token_digest=None, version=F("version") + 1)


def note_connected(users: Collection[int]) -> None:
    """Mark the displays among `users` as seen, because their sockets are open. Writes each at most once a minute.

    `users` holds subjects (`subject_of_display`): those of displays are negative, but above those of customer links. 1
    query, none without displays.
    """
    here = [-subject for subject in users if -FIRST_LINK < subject < 0]
    if here:
        now = clock.now()
        unseen(Display.objects.filter(pk__in=here, active=True), now).update(last_seen=now)


def _locked(display_id: int) -> Display:
    display = Display.objects.select_for_update().prefetch_related("lanes").filter(pk=display_id).first()
    if display is None:
        raise NotFound
    if not display.active:
        raise AlreadyRevoked
    return display


def _write(display: Display, fields: dict[str, Any]) -> None:
    wanted = fields.get("production_process_ids")
    if wanted is not None:
        refuse_unknown(ProductionProcess, {f"productionProcessIds.{index}": one for index, one in enumerate(wanted)})
    display.name = fields.get("name", display.name)
    with unique(NAME_ONCE):
        display.save()
    if wanted is not None:
        _write_lanes(display, wanted)


def _is_wider(before: Iterable[int], wanted: Iterable[int] | None) -> bool:
    """Whether `wanted` adds lanes to a display. A display without lanes shows all."""
    lanes, wider = set(before), set(wanted or ())
    return wanted is not None and bool(lanes) and not (wider and wider <= lanes)


def _write_lanes(display: Display, wanted: Iterable[int]) -> None:
    display.lanes.exclude(process__in=wanted).delete()
    rows = (DisplayLane(display=display, process_id=process) for process in sorted(set(wanted)))
    DisplayLane.objects.bulk_create(rows, ignore_conflicts=True)


def _snapshot(display: Display) -> Snapshot:
    """Return the audit's snapshot of a display, without its token's digest and `last_seen`."""
    return {
        "name": display.name,
        "active": display.active,
        "productionProcessIds": sorted(lane.process_id for lane in display.lanes.all()),
    }
