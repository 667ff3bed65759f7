"""Operators: people who name themselves by a PIN or a badge at a station that somebody else signed in (contract,
section 8).

An operator's token opens movements, hand-overs and what a station reads, with his own rights. It ends with the
station's session, and 10 minutes after its last use. A station that was offline reports movements later: they are his
if he made them within that time.
"""

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
from project.core.sealing import digest_of_random

LASTS = timedelta(minutes=10)
PREFIX = "operator."
"""How an operator's token begins. A session's own token is a JWT and begins with `ey`."""


class OperatorOver(Refusal):
    """Nobody is named at the station any more. Its own session goes on: he can name himself again."""

    status = 401
    code = "operator_over"


class OtherStation(Refusal):
    """The station stands at another process."""

    status = 403
    code = "other_station"


def is_operators(token: str) -> bool:
    return token.startswith(PREFIX)


def issue(account: Account, *, station: Principal, process_id: int | None) -> str:
    """A token for the person who named himself at the station. Whoever was named there before him, in the same session,
    stays named until his own time is over."""
    token = PREFIX + secrets.token_urlsafe(32)
    now = clock.now()
    Operator.objects.create(
        token_hash=digest_of_random(token),
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
    """The operator of `token`, with his rights of this moment, even where his time is over. 3 queries.

    He may use the station because its own account may, whatever his roles say. Raises `OperatorOver` where he alone
    must name himself again, `Unauthenticated` where the station's session ended, `PermissionDenied` where its account
    may use no station any more.
    """
    row = Operator.objects.filter(token_hash=digest_of_random(token)).first()
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
    station = Station(account, row.pk, row.process_id, row.since, row.used_at)
    return replace(person, permissions=person.permissions | {Permission.Station}, station=station)


def check_present(by: Principal) -> None:
    """Raises `OperatorOver` for one whose time is over."""
    if by.station and clock.now() > by.station.used_at + LASTS:
        raise OperatorOver


def act_at(by: Principal, process_id: int, *, made_at: datetime | None = None) -> datetime | None:
    """Note that an operator acted at a process, at `made_at` or now. Does nothing for anybody else.

    Returns since when the operator stood there, None for anybody else: movements before that cannot be reported.
    Whoever names himself again may report those of the time in which he stood there before. Raises `OtherStation`, and
    `OperatorOver` for one whose time is over unless the movement lies in it.
    """
    if by.station is None:
        return None
    if by.station.process_id not in (None, process_id):
        raise OtherStation
    operator_id, since = by.station.operator_id, by.station.since
    began = since - clock.STATIONS_DIFFER
    if made_at is None or not began <= made_at <= by.station.used_at + LASTS:
        check_present(by)
    if made_at is not None and made_at < began:
        operator_id, since = _stood_there(by.station, by.user_id, process_id, made_at) or (operator_id, since)
    at = min(made_at or clock.now(), clock.now())
    Operator.objects.filter(pk=operator_id, used_at__lt=at).update(used_at=at)
    return since


def _stood_there(station: Station, user_id: int, process_id: int, at: datetime) -> tuple[int, datetime] | None:
    """When somebody named himself before, at a station of the same account, where he was there at this time."""
    there = Operator.objects.filter(
        Q(process_id=None) | Q(process_id=process_id),
        user=user_id,
        station_user=station.account.user_id,
        since__lte=at + clock.STATIONS_DIFFER,
        used_at__gte=at - LASTS,
    )
    return there.order_by("-since").values_list("pk", "since").first()


def end_for(user_id: int) -> None:
    """End all that a person began at stations: his PIN or badge has changed."""
    Operator.objects.filter(user=user_id).delete()


def forget_ended() -> None:
    """Forget the operators whose station's session expired a day ago: until then their movements may be reported."""
    Operator.objects.filter(station_expires_at__lt=clock.now() - clock.REPORTED_FOR).delete()
