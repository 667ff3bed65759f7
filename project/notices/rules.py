"""Kinds of notices, their channels, quiet hours and the pace of pushes and mails. Uses no database and no clock.

See infra/docs/rules.md#notices.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum

from project.notifications.rules import Kind


class NoticeKind(StrEnum):
    """What a notice is about, by its public name."""

    LikelyLate = "likelyLate"
    Late = "late"
    Inside = "inside"
    Assigned = "assigned"
    CustomerAnswer = "customerAnswer"
    ImportDone = "importDone"


class NoticeChannel(StrEnum):
    """How a notice reaches a person. A kind without any channel is off."""

    Bell = "bell"
    Push = "push"
    Mail = "mail"


CHANNELS = (NoticeChannel.Bell, NoticeChannel.Push, NoticeChannel.Mail)
DEFAULTS: Mapping[NoticeKind, tuple[NoticeChannel, ...]] = {
    NoticeKind.LikelyLate: (NoticeChannel.Bell, NoticeChannel.Push),
    NoticeKind.Late: (NoticeChannel.Bell, NoticeChannel.Push),
    NoticeKind.Inside: (NoticeChannel.Bell,),
    NoticeKind.Assigned: (NoticeChannel.Push,),
    NoticeKind.CustomerAnswer: (NoticeChannel.Bell, NoticeChannel.Push),
    NoticeKind.ImportDone: (NoticeChannel.Bell, NoticeChannel.Push),
}
"""The channels of a person who has chosen none. A push needs a browser that the person has registered."""

IN_DIGEST = frozenset({NoticeKind.LikelyLate, NoticeKind.Late})
"""Kinds that are mailed in the digest of the morning, and never alone."""
OF_PERSON = frozenset({NoticeKind.Assigned, NoticeKind.ImportDone})
"""Kinds that concern one person. The bell shows them as notices; it shows the others as notifications."""
CALM = frozenset({NoticeKind.LikelyLate, NoticeKind.Late, NoticeKind.Inside})
"""Kinds that come in crowds. One of them that was sent lately holds back all of them."""

MOST_CAUSES = 1_000
"""Most causes that are counted for one push or mail."""

KIND_OF_NOTIFICATION: Mapping[Kind, NoticeKind] = {
    Kind.WithoutOutput: NoticeKind.Inside,
    Kind.Expiring: NoticeKind.Late,
    Kind.LikelyLate: NoticeKind.LikelyLate,
    Kind.CustomerAnswer: NoticeKind.CustomerAnswer,
}
"""The kind that decides about a notification of this type."""


@dataclass(frozen=True)
class Pace:
    """`gathers`: how long what follows the first cause is added to it. `apart`: the least time between two of them."""

    gathers: timedelta
    apart: timedelta


_SECOND, _MINUTE, _HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
_CALM = Pace(_MINUTE, 6 * _HOUR)
_PUSHES: Mapping[NoticeKind, Pace] = {
    NoticeKind.Assigned: Pace(30 * _SECOND, 15 * _MINUTE),
    NoticeKind.CustomerAnswer: Pace(5 * _SECOND, _MINUTE),
    NoticeKind.ImportDone: Pace(timedelta(0), timedelta(0)),
}
_MAILS = Pace(10 * _MINUTE, _HOUR)


def pace_of(kind: NoticeKind, channel: NoticeChannel) -> Pace:
    """Return the pace of a kind on a channel. The bell has none: it shows every cause at once."""
    return _MAILS if channel is NoticeChannel.Mail else _PUSHES.get(kind, _CALM)


def due_at(
    kind: NoticeKind,
    channel: NoticeChannel,
    *,
    waiting: Mapping[NoticeKind, datetime],
    sent: Mapping[NoticeKind, datetime],
) -> datetime:
    """Return when the causes of a kind that wait may be sent. Those of CALM wait for each other.

    `waiting`: since when each kind waits; `kind` is one of them. `sent`: when each kind was sent last.
    """
    pace = pace_of(kind, channel)
    alike = CALM if kind in CALM else {kind}
    begun = max(since for one, since in waiting.items() if one in alike)
    last = [at + pace.apart for one, at in sent.items() if one in alike]
    return max([begun + pace.gathers, *last])


def is_quiet(now: time, begins: time | None, ends: time | None) -> bool:
    """Say whether `now`, a time of the plant, is within quiet hours, which may pass midnight.

    There are none if an end of them is None, or if both are the same.
    """
    if begins is None or ends is None or begins == ends:
        return False
    if begins < ends:
        return begins <= now < ends
    return now >= begins or now < ends


def is_held_back(kind: NoticeKind, now: time, *, quiet: tuple[time | None, time | None], morning: time) -> bool:
    """Say whether a push of this kind waits: in quiet hours, and one of CALM also from midnight to the morning."""
    return is_quiet(now, *quiet) or (kind in CALM and is_quiet(now, time.min, morning))


def channels_of(chosen: Mapping[str, Iterable[str]]) -> dict[NoticeKind, tuple[NoticeChannel, ...]]:
    """Return the channels of every kind: those that the person chose, else the defaults."""
    return {
        kind: tuple(one for one in CHANNELS if one in set(chosen[kind])) if kind in chosen else DEFAULTS[kind]
        for kind in NoticeKind
    }


def sections_of(channels: Mapping[NoticeKind, Collection[NoticeChannel]], *, digest: bool) -> frozenset[str]:
    """Return the sections of the digest that a person wants; none: they get no digest."""
    if digest:
        return SECTIONS
    return frozenset(_SECTION_OF[kind] for kind in IN_DIGEST if NoticeChannel.Mail in channels[kind])


_SECTION_OF = {NoticeKind.Late: "late", NoticeKind.LikelyLate: "likely_late"}
SECTIONS = frozenset({"late", "likely_late", "due_this_week", "to_approve", "to_bill"})
