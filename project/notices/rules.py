"""Kinds of notifications and notices, who gets them, their channels, quiet hours and pace. No database, no clock.

See infra/docs/rules.md#notifications and infra/docs/rules.md#notices.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum

from project.access.permissions import OF_THE_OFFICE, Permission


class Kind(StrEnum):
    """The types of notifications, by their public names."""

    WithoutOutput = "SalesOrderWithoutOutputProcess"
    Expiring = "SalesOrderDeliveryDateExpiring"
    LikelyLate = "likelyLate"
    CustomerAnswer = "customerAnswer"


KINDS = (Kind.WithoutOutput, Kind.Expiring, Kind.LikelyLate, Kind.CustomerAnswer)


@dataclass(frozen=True)
class Cause:
    """What a notification is about: a process record without exit, a line near or past its delivery date or likely to
    be late, or an answer of a customer.

    Each cause has one notification, with an id that is computed from the cause. So a notification needs no row.
    """

    kind: Kind
    cause_id: int

    @property
    def notification_id(self) -> int:
        return self.cause_id * len(KINDS) + KINDS.index(self.kind)

    @classmethod
    def of(cls, notification_id: int) -> "Cause":
        cause_id, kind = divmod(notification_id, len(KINDS))
        return cls(KINDS[kind], cause_id)


def is_notified(process: int | None, *, permissions: Collection[str], processes: Collection[int]) -> bool:
    """Say whether a person is notified of pieces inside `process`, or of a delivery date if `process` is None.

    Only holders of `ListOrders` are notified. Of them, the office is notified of everything, and so are people who work
    in no process. The others are notified of pieces inside the processes that they work in. The client has the same
    function; `tests/contract/notified.json` tests both.
    """
    if Permission.ListOrders not in permissions:
        return False
    return not processes or not OF_THE_OFFICE.isdisjoint(permissions) or process in processes


class NoticeKind(StrEnum):
    """What a notice is about, by its public name."""

    LikelyLate = "likelyLate"
    Late = "late"
    Inside = "inside"
    Assigned = "assigned"
    CustomerAnswer = "customerAnswer"
    ImportDone = "importDone"
    Message = "message"


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
    NoticeKind.Message: (NoticeChannel.Bell, NoticeChannel.Push),
}
"""The channels of a person who has chosen none. A push needs a browser that the person has registered."""

IN_DIGEST = frozenset({NoticeKind.LikelyLate, NoticeKind.Late})
"""Kinds that are mailed only in the morning's digest, never alone."""
OF_PERSON = frozenset({NoticeKind.Assigned, NoticeKind.ImportDone, NoticeKind.Message})
"""Kinds that concern one person. The bell shows them as notices; it shows the others as notifications."""
CALM = frozenset({NoticeKind.LikelyLate, NoticeKind.Late, NoticeKind.Inside})
"""Kinds that may have many causes at once. After one of these kinds was sent, all of them wait."""

MOST_CAUSES = 1_000
"""The most causes that one push or mail counts."""

KIND_OF_NOTIFICATION: Mapping[Kind, NoticeKind] = {
    Kind.WithoutOutput: NoticeKind.Inside,
    Kind.Expiring: NoticeKind.Late,
    Kind.LikelyLate: NoticeKind.LikelyLate,
    Kind.CustomerAnswer: NoticeKind.CustomerAnswer,
}
"""The kind of notice for each type of notification. The channels of the kind apply to the notification."""


@dataclass(frozen=True)
class Pace:
    """How often a push or mail is sent. `gathers`: how long further causes are added after the first one.

    `apart`: the least time between two pushes or two mails.
    """

    gathers: timedelta
    apart: timedelta


_SECOND, _MINUTE, _HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
_CALM = Pace(_MINUTE, 6 * _HOUR)
_PUSHES: Mapping[NoticeKind, Pace] = {
    NoticeKind.Assigned: Pace(30 * _SECOND, 15 * _MINUTE),
    NoticeKind.CustomerAnswer: Pace(5 * _SECOND, _MINUTE),
    NoticeKind.ImportDone: Pace(timedelta(0), timedelta(0)),
    NoticeKind.Message: Pace(timedelta(0), 30 * _SECOND),
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
    """Return when the waiting causes of a kind may be sent. The kinds in CALM wait for each other.

    `waiting`: since when each kind waits; it contains `kind`. `sent`: when each kind was last sent.
    """
    pace = pace_of(kind, channel)
    alike = CALM if kind in CALM else {kind}
    begun = max(since for one, since in waiting.items() if one in alike)
    last = [at + pace.apart for one, at in sent.items() if one in alike]
    return max([begun + pace.gathers, *last])


def is_quiet(now: time, begins: time | None, ends: time | None) -> bool:
    """Say whether `now`, a time of the plant, is within quiet hours, which may pass midnight.

    There are no quiet hours if one of their ends is None, or if both ends are equal.
    """
    if begins is None or ends is None or begins == ends:
        return False
    if begins < ends:
        return begins <= now < ends
    return now >= begins or now < ends


def is_held_back(kind: NoticeKind, now: time, *, quiet: tuple[time | None, time | None], morning: time) -> bool:
    """Say whether a push of this kind must wait: in quiet hours; for kinds in CALM also from midnight to `morning`."""
    return is_quiet(now, *quiet) or (kind in CALM and is_quiet(now, time.min, morning))


def channels_of(chosen: Mapping[str, Iterable[str]]) -> dict[NoticeKind, tuple[NoticeChannel, ...]]:
    """Return the channels of every kind: those that the person chose, else the defaults."""
    return {
        kind: tuple(one for one in CHANNELS if one in set(chosen[kind])) if kind in chosen else DEFAULTS[kind]
        for kind in NoticeKind
    }


def sections_of(channels: Mapping[NoticeKind, Collection[NoticeChannel]], *, digest: bool) -> frozenset[str]:
    """Return the sections of the digest that a person wants. If there are none, they get no digest."""
    if digest:
        return SECTIONS
    return frozenset(_SECTION_OF[kind] for kind in IN_DIGEST if NoticeChannel.Mail in channels[kind])


_SECTION_OF = {NoticeKind.Late: "late", NoticeKind.LikelyLate: "likely_late"}
SECTIONS = frozenset({"late", "likely_late", "due_this_week", "to_approve", "to_bill"})
