"""Reads for notices: people with their preferences, their devices and notices, and the causes that still hold."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, time
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from project.access.principal import Principal
from project.core.errors import NotFound
from project.identity.models import User
from project.identity.selectors import SIGNING_IN
from project.notices import rules
from project.notices.encryption import application_key
from project.notices.mailing import MOST_REFUSED
from project.notices.models import Device, LinkMail, Notice, NoticeSettings, Raised
from project.notices.rules import Kind, NoticeChannel, NoticeKind, is_notified
from project.orders import attention
from project.orders.models import Line
from project.staffing.models import ProcessWorker
from project.staffing.selectors import processes_of
from realtime.models import OutboxEvent

PORTION = 250
"""The most events that are turned into notices at a time."""
MOST_AT_ONCE = 5_000
MOST_IN_BELL = 50


@dataclass(frozen=True)
class Person:
    """A person of the staff who may sign in, with their preferences. `has_devices`: a push would reach a browser."""

    id: int
    email: str
    language: str
    permissions: frozenset[str]
    roles: frozenset[int]
    processes: frozenset[int]
    channels: dict[NoticeKind, tuple[NoticeChannel, ...]]
    quiet: tuple[time | None, time | None]
    sections: frozenset[str]
    digest_on: date | None
    mail_refused: int
    has_devices: bool

    @property
    def takes_mail(self) -> bool:
        """Whether the mail server has refused the person's address fewer than MOST_REFUSED times in a row."""
        return self.mail_refused < MOST_REFUSED

    @property
    def of_everything(self) -> bool:
        """Whether the person is notified of every line, not only of their own processes."""
        return is_notified(None, permissions=self.permissions, processes=self.processes)


def people(ids: Collection[int] | None = None) -> list[Person]:
    """Return the staff who may sign in: all, or those with these `ids`. At most 4 queries."""
    users = User.objects.filter(SIGNING_IN)
    if ids is not None:
        users = users.filter(pk__in=ids)
    accounts: dict[int, tuple[str, str]] = {}
    held: defaultdict[int, set[str]] = defaultdict(set)
    roles: defaultdict[int, set[int]] = defaultdict(set)
    columns = ("pk", "email", "language", "roles", "roles__permissions__action")
    for pk, email, language, role, action in users.values_list(*columns):
        accounts[pk] = email, language
        roles[pk] |= {role} if role else set()
        held[pk] |= {action} if action else set()
    processes: defaultdict[int, set[int]] = defaultdict(set)
    known = list(accounts)
    for user, process in ProcessWorker.objects.filter(user__in=known).values_list("user_id", "process_id"):
        processes[user].add(process)
    chosen = {one.user_id: one for one in NoticeSettings.objects.filter(user__in=known)}
    reached = set(live_devices().values_list("user_id", flat=True)) if application_key() else set()
    return [
        _person(
            pk, *account, held[pk], roles[pk], processes[pk], chosen.get(pk) or defaults(pk), has_devices=pk in reached
        )
        for pk, account in accounts.items()
    ]


def _person(
    pk: int,
    email: str,
    language: str,
    permissions: Iterable[str],
    roles: Iterable[int],
    processes: Iterable[int],
    chosen: NoticeSettings,
    *,
    has_devices: bool,
) -> Person:
    channels = rules.channels_of(chosen.channels)
    return Person(
        id=pk,
        email=email,
        language=language,
        permissions=frozenset(permissions),
        roles=frozenset(roles),
        processes=frozenset(processes),
        channels=channels,
        quiet=(chosen.quiet_from, chosen.quiet_until),
        sections=rules.sections_of(channels, digest=chosen.digest),
        digest_on=chosen.digest_on,
        mail_refused=chosen.mail_refused,
        has_devices=has_devices,
    )


NIGHT = (time(20), time(7))
"""The quiet hours of a person who has chosen none."""


def defaults(user_id: int) -> NoticeSettings:
    """Return unsaved settings with the defaults."""
    return NoticeSettings(user_id=user_id, quiet_from=NIGHT[0], quiet_until=NIGHT[1])


def settings_of(user_id: int) -> NoticeSettings:
    """Return a person's settings, or the defaults. 1 query."""
    return NoticeSettings.objects.filter(user=user_id).first() or defaults(user_id)


def email_of(user_id: int) -> str:
    """Return the address to which a person's mails go. 1 query."""
    return User.objects.values_list("email", flat=True).get(pk=user_id)


def digests_due(today: date) -> bool:
    """Say whether a person with stored preferences may still need today's digest. 1 query."""
    return NoticeSettings.objects.exclude(digest_on__gte=today).exists()


def digest_offered(by: Principal) -> bool:
    """Return whether the caller may have the digest: they are notified of all lines. 1 query."""
    return is_notified(None, permissions=by.permissions, processes=processes_of(by.user_id))


def live_devices() -> QuerySet[Device]:
    """Return the devices that registered with the present VAPID_KEY."""
    return Device.objects.filter(key=application_key())


def devices_of(by: Principal) -> QuerySet[Device]:
    """Return the caller's devices, newest first."""
    return Device.objects.filter(user=by.user_id).order_by("-created_at", "-pk")


def device_get(device_id: int, by: Principal) -> Device:
    """Return a device of the caller. Raises `NotFound`, also for another person's device."""
    found = devices_of(by).filter(pk=device_id).first()
    if found is None:
        raise NotFound
    return found


def unread(user_id: int) -> list[Notice]:
    """Return the newest notices that the person has not read. 1 query."""
    return list(Notice.objects.filter(user=user_id, read_at=None).order_by("-created_at", "-pk")[:MOST_IN_BELL])


def muted(user_id: int) -> list[Kind]:
    """Return the types of notifications that the person's bell does not show. 1 query."""
    channels = rules.channels_of(settings_of(user_id).channels)
    return [type for type, kind in rules.KIND_OF_NOTIFICATION.items() if NoticeChannel.Bell not in channels[kind]]


def events_after(position: int, types: Collection[str], *, up_to: int) -> list[OutboxEvent]:
    """Return the next events of these types, at most PORTION, and none after the id `up_to`. 1 query."""
    found = OutboxEvent.objects.filter(id__gt=position, id__lte=up_to, type__in=types)
    return list(found.order_by("id")[:PORTION])


def newly_late() -> list[Line]:
    """Return lines that are late and were not raised yet. At most 5,000. 1 query."""
    told = Raised.objects.filter(kind=NoticeKind.Late, cause_id=OuterRef("pk"))
    found = Line.objects.filter(attention.late()).exclude(Exists(told)).order_by("urgency", "pk")
    return list(found.only("pk", "order", "position")[:MOST_AT_ONCE])


def no_longer_late() -> QuerySet[Raised]:
    """Return the rows of lines that are no longer late."""
    late = Line.objects.filter(attention.late(), pk=OuterRef("cause_id"))
    return Raised.objects.filter(kind=NoticeKind.Late).exclude(Exists(late))


def still(kind: str, causes: Collection[Any]) -> list[Any]:
    """Return those of `causes` that still hold. Call this just before they are sent. At most 1 query."""
    match kind:
        case NoticeKind.Late:
            held = set(Line.objects.filter(attention.late(), pk__in=causes).values_list("pk", flat=True))
        case NoticeKind.LikelyLate:
            held = set(Line.objects.filter(attention.likely_late(), pk__in=causes).values_list("pk", flat=True))
        case _:
            return list(causes)
    return [one for one in causes if one in held]


def refused_addresses() -> int:
    """Return the number of people and links to which the last mail was refused for good. 2 queries."""
    refused = {"mail_refused__gt": 0}
    return NoticeSettings.objects.filter(**refused).count() + LinkMail.objects.filter(**refused).count()
