"""Makes the pushes and mails that are due: one push for each device of a person, and one mail for each kind.

A push says only how many things of each kind there are, because everybody can read a locked screen.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from functools import partial

from django.conf import settings
from django.utils.translation import override

from project.access.permissions import Permission
from project.core import clock
from project.core.idempotency import unit_of_work
from project.core.texts import text
from project.notices import encryption, rules, selectors, stopping
from project.notices.mailing import Mail
from project.notices.models import Device, Gathered, NoticeSettings, PushMessage
from project.notices.rules import MOST_CAUSES, OF_PERSON, NoticeChannel, NoticeKind
from project.notices.selectors import Person
from project.sending.loop import Result

PAGES: dict[NoticeKind, str] = {
    NoticeKind.LikelyLate: "/operations/orders?likelyLate=true",
    NoticeKind.Late: "/operations/orders?late=true",
    NoticeKind.Inside: "/operations/orders?insideOverADay=true&ordering=insideSince",
    NoticeKind.Assigned: "/home",
    NoticeKind.CustomerAnswer: "/operations/sales-orders",
    NoticeKind.ImportDone: "/home",
    NoticeKind.Message: "/home",
}
"""The page that shows several things of a kind. A single thing is shown on its own page."""
HOME = "/home"
URGENT = frozenset({NoticeKind.CustomerAnswer, NoticeKind.Assigned, NoticeKind.Message})


@dataclass(frozen=True)
class Told:
    """The content of a push or mail about one kind: the number of causes, and the page that shows them."""

    kind: NoticeKind
    count: int
    path: str


@dataclass(frozen=True)
class Composed:
    """A push or mail about one kind that is to be sent to a person. `causes`: the ids of its causes."""

    person: Person
    told: Told
    causes: list[int]


def mails_due() -> Iterator[Mail]:
    """Store the due pushes, and yield the due mails. 1 query if nothing waits, 6 if nothing is due."""
    waiting = set(Gathered.objects.exclude(since=None).order_by().values_list("user", flat=True).distinct())
    if not waiting:
        return
    found = {person.id: person for person in selectors.people(waiting)}
    # People who may no longer sign in get nothing.
    if gone := waiting - found.keys():
        Gathered.objects.filter(user__in=gone).delete()
    rows: defaultdict[int, list[Gathered]] = defaultdict(list)
    for row in Gathered.objects.filter(user__in=list(found)):
        rows[row.user_id].append(row)
    now = clock.now()
    for person in found.values():
        if any(_due(rows[person.id], channel, person, now) for channel in NoticeChannel):
            while composed := _compose(person):
                yield _mail(composed)


@unit_of_work
def _compose(person: Person) -> Composed | None:
    """Store a person's due pushes. Take one of their due mails, which is sent after the commit.

    If the process dies between the commit and the mail, the mail is lost. So nobody gets a mail twice.
    """
    rows = list(Gathered.objects.select_for_update().filter(user=person.id).order_by("pk"))
    now = clock.now()
    if pushes := _taken(rows, NoticeChannel.Push, person, now):
        devices = Device.objects.filter(user=person.id, key=encryption.application_key())
        push(devices, [one.told for one in pushes], person.language)
    return next(iter(_taken(rows, NoticeChannel.Mail, person, now, most=1)), None)


def _due(rows: Sequence[Gathered], channel: NoticeChannel, person: Person, now: datetime) -> list[Gathered]:
    """Return the rows of a person that may be sent on this channel now. No query."""
    if channel is NoticeChannel.Mail and not (settings.MAIL_SERVER and person.takes_mail):
        return []
    local, morning = now.astimezone(clock.plant()).time(), time(settings.DIGEST_HOUR)
    own = [row for row in rows if row.channel == channel]
    sent = {NoticeKind(row.kind): row.sent_at for row in own if row.sent_at is not None}
    waiting = {NoticeKind(row.kind): row.since for row in own if row.since is not None}
    return [
        row
        for row in own
        if row.since is not None
        and rules.due_at(NoticeKind(row.kind), channel, waiting=waiting, sent=sent) <= now
        and not (
            channel is NoticeChannel.Push
            and rules.is_held_back(NoticeKind(row.kind), local, quiet=person.quiet, morning=morning)
        )
    ]


def _taken(
    rows: Sequence[Gathered], channel: NoticeChannel, person: Person, now: datetime, *, most: int | None = None
) -> list[Composed]:
    """Take the due causes out of `rows`, of `most` kinds.

    Drop causes that no longer hold, and kinds that are not wanted or readable any more.
    """
    due, taken = _due(rows, channel, person, now)[:most], []
    for row in due:
        kind = NoticeKind(row.kind)
        may_read = kind in OF_PERSON or Permission.ListOrders in person.permissions
        causes = selectors.still(kind, row.causes) if may_read and channel in person.channels[kind] else []
        path = row.path if len(causes) == 1 == len(row.causes) else PAGES[kind]
        row.causes, row.since = [], None
        if causes:
            row.sent_at = now
            taken.append(Composed(person, Told(kind, len(causes), path), causes))
    Gathered.objects.bulk_update(due, ["causes", "since", "sent_at"])
    return taken


def push(devices: Iterable[Device], told: Sequence[Told], language: str) -> None:
    """Store one push for each device. The sending loop sends them."""
    payload = json.dumps(payload_of(told, language), ensure_ascii=False)
    now = clock.now()
    messages = [PushMessage(device=one, payload=payload, created_at=now, next_at=now) for one in devices]
    PushMessage.objects.bulk_create(messages)


def payload_of(told: Sequence[Told], language: str) -> dict[str, str]:
    """Return the content of a push: its title, a text with the count of each kind, and the path that a click opens.

    A push replaces the shown one with the same `tag`. `urgency` is for the push service; the browser does not get it.
    """
    return {
        "title": "Obrador",
        "body": "\n".join(words(one, language) for one in told),
        "tag": "-".join(sorted(one.kind.value for one in told)),
        "path": told[0].path if len(told) == 1 else HOME,
        "urgency": "high" if any(one.kind in URGENT for one in told) else "normal",
    }


def words(told: Told, language: str) -> str:
    """Return a text that says how many causes of a kind there are."""
    with override(language):
        return text(f"notices_{told.kind.value}", {"count": told.count})


def _mail(one: Composed) -> Mail:
    person, told = one.person, one.told
    said = words(told, person.language)
    link = f"{settings.PUBLIC_URL}/#{told.path}"
    with override(person.language):
        body = text("notices_mail_body", {"said": said, "link": link})
    token = stopping.token_of(told.kind.value, person.id)
    return Mail(person.email, person.language, subject=said, body=body, token=token, note=partial(_note, one))


def _note(one: Composed, result: Result) -> None:
    note_mailed(one.person, result)
    if result is Result.later:
        _put_back(one)


@unit_of_work
def _put_back(mail: Composed) -> None:
    """Make the causes of a mail wait again. The next attempt comes when the next mail would be due."""
    kind = mail.told.kind
    found = Gathered.objects.select_for_update().filter(user=mail.person.id, kind=kind, channel=NoticeChannel.Mail)
    for row in found:
        row.causes = [*dict.fromkeys([*mail.causes, *row.causes])][:MOST_CAUSES]
        row.since = row.since or clock.now()
        row.save(update_fields=["causes", "since"])


def note_mailed(person: Person, result: Result) -> None:
    """Count a mail that the mail server refused for good. An accepted mail resets the count."""
    if result is Result.later or (result is Result.arrived and person.mail_refused == 0):
        return
    count = 0 if result is Result.arrived else person.mail_refused + 1
    NoticeSettings.objects.filter(user=person.id).update(mail_refused=count)
