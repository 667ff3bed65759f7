"""Operators: people who identify themselves by PIN or badge at a station that another person signed in.

See infra/docs/rules.md#operators.

An operator's token allows movements, hand-overs and the reads of a station, with the operator's own permissions. It
ends with the station's session, and 10 minutes after the last use received while the operator was present.

A station that was offline reports movements later. A report is accepted if the movement was made within 10 minutes
after the operator's last use or last reported movement, and at most `OFFLINE_FOR` after the last use. It must also have
been made before the first report arrived: once the station is back online, an expired token allows no new movement. A
report never makes the operator present again.
"""

import hashlib
import hmac
import secrets
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Q

from project.access.models import Operator
from project.access.permissions import Permission
from project.access.principal import Account, Principal, Station
from project.access.token import current
from project.core import clock
from project.core.errors import PermissionDenied, Refusal, Unauthenticated
from project.core.sealing import own_keys

LASTS = timedelta(minutes=10)
OFFLINE_FOR = timedelta(hours=4)
"""How long after the last use an expired token may still report movements.

After this time the operator must first identify themselves again.
"""
PREFIX = "operator."
"""Prefix of an operator's token. A session's own token is a JWT and begins with `ey`."""


class OperatorOver(Refusal):
    """The operator's time at the station is over. The station's session goes on: they can identify themselves again."""

    status = 401
    code = "operator_over"


class OtherStation(Refusal):
    """The operator acted at another process than the one their token is bound to."""

    status = 403
    code = "other_station"


def is_operators(token: str) -> bool:
    return token.startswith(PREFIX)


def _digests(token: str) -> list[str]:
    """Return the hashes of a token, by SECRET_KEY first, then by each fallback secret.

    Removing a fallback secret ends the tokens hashed with it.
    """
    keys = own_keys(b"obrador operator").values()
    return [hmac.new(key, token.encode(), hashlib.sha256).hexdigest() for key in keys]


def issue(account: Account, *, station: Principal, process_id: int | None) -> str:
    """Create a token for the person who identified themselves at the station.

    Earlier operators of the same session stay valid until their own time is over.
    """
    token = PREFIX + secrets.token_urlsafe(32)
    now = clock.now()
    Operator.objects.create(
        token_hash=_digests(token)[0],
        user_id=account.pk,
        token_version=account.token_version,
        station_user_id=station.user_id,
        station_jti=station.jti,
        station_token_version=station.token_version,
        station_expires_at=station.expires_at,
        process_id=process_id,
        since=now,
        used_at=now,
    )
    return token


def verify(token: str) -> Principal:
    """Return the operator of `token` with their current permissions. 3 queries.

    Does not check whether the operator's time is over: see `check_present` and `act_at`. The operator needs no
    permission of their own to use the station: the station's account must have it. Raises `OperatorOver` if the token
    is unknown or the operator's account was locked, deactivated or got a new password, `Unauthenticated` if the
    station's session has ended, `PermissionDenied` if the station's account may no longer use a station.
    """
    row = Operator.objects.filter(token_hash__in=_digests(token)).first()
    if row is None:
        raise OperatorOver
    jti, expires_at = row.station_jti, row.station_expires_at
    account = current(user_id=row.station_user_id, jti=jti, expires_at=expires_at, version=row.station_token_version)
    if account is None:
        raise Unauthenticated
    if not account.holds(Permission.Station):
        raise PermissionDenied
    person = current(user_id=row.user_id, jti=jti, expires_at=expires_at, version=row.token_version)
    if person is None or person.is_customer:
        raise OperatorOver
    station = Station(account, row.pk, row.process_id, row.since, row.used_at, row.reported_at, row.report_received_at)
    return replace(person, permissions=person.permissions | {Permission.Station}, station=station)


def check_present(by: Principal) -> None:
    """Raise `OperatorOver` if the caller is an operator whose time is over."""
    if by.station and not _is_present(by.station):
        raise OperatorOver


def _is_present(station: Station) -> bool:
    return clock.now() <= station.used_at + LASTS


def act_at(by: Principal, process_id: int, *, made_at: datetime | None = None) -> datetime | None:
    """Note that an operator acted at a process, at `made_at` or now. For other callers, do nothing and return None.

    Returns the start of the operator's time at the station: earlier movements cannot be reported. If an earlier time of
    the operator at this process covers `made_at`, returns the start of that earlier time instead. A token without a
    process is bound to the first process at which its operator acts. Raises `OtherStation`, and `OperatorOver` if the
    operator's time is over and the movement can no longer be reported.
    """
    station = by.station
    if station is None:
        return None
    if station.process_id not in (None, process_id):
        raise OtherStation
    began = station.since - clock.STATIONS_DIFFER
    if made_at is None or not began <= made_at <= _reported_until(station):
        check_present(by)
    if station.process_id is None:
        _bind(station.operator_id, process_id)
    if made_at is not None and made_at < began:
        before = _stood_there(station, by.user_id, process_id, made_at)
        if before is not None:
            _note_reported(before.pk, made_at)
            return before.since
    if made_at is None or _is_present(station):
        _note_used(station.operator_id, made_at)
    else:
        _note_reported(station.operator_id, made_at)
    return station.since


def _reported_until(station: Station) -> datetime:
    last = max(station.used_at, station.reported_at or station.used_at)
    ends = [last + LASTS, station.used_at + OFFLINE_FOR]
    if station.report_received_at is not None:
        ends.append(station.report_received_at + clock.STATIONS_DIFFER)
    return min(ends)


def _note_used(operator_id: int, made_at: datetime | None) -> None:
    now = clock.now()
    at = min(made_at or now, now)
    # A use in the future was noted before the clock was set back.
    earlier = Q(used_at__lt=at) | Q(used_at__gt=now + clock.CLOCKS_DIFFER)
    Operator.objects.filter(earlier, pk=operator_id).update(used_at=at)


def _note_reported(operator_id: int, made_at: datetime) -> None:
    now = clock.now()
    at = min(made_at, now)
    Operator.objects.filter(pk=operator_id, report_received_at=None).update(report_received_at=now)
    earlier = Q(reported_at=None) | Q(reported_at__lt=at)
    Operator.objects.filter(earlier, pk=operator_id).update(reported_at=at)


def _bind(operator_id: int, process_id: int) -> None:
    """Bind a token to its process. Raises `OtherStation` if another request bound it to another process first."""
    rows = Operator.objects.filter(Q(process_id=None) | Q(process_id=process_id), pk=operator_id)
    if not rows.update(process_id=process_id):
        raise OtherStation


def _stood_there(station: Station, user_id: int, process_id: int, at: datetime) -> Operator | None:
    """Return the person's earlier token, of the same station account and process, that covers `at`; else None."""
    there = Operator.objects.filter(
        Q(process_id=None) | Q(process_id=process_id),
        Q(used_at__gte=at - LASTS) | Q(reported_at__gte=at - LASTS),
        user=user_id,
        station_user=station.account.user_id,
        since__lte=at + clock.STATIONS_DIFFER,
    )
    return there.order_by("-since").first()


def end_for(user_id: int) -> None:
    """End all operator tokens of a person, when their PIN or badge changes or they leave the staff."""
    Operator.objects.filter(user=user_id).delete()


def forget_ended() -> None:
    """Delete operators of station sessions that expired over a day ago. Stations may report movements until then."""
    Operator.objects.filter(station_expires_at__lt=clock.now() - clock.REPORTED_FOR).delete()
