"""Turns events of other domains, and lines that became late, into notices that wait to be sent to people.

Only the worker process with the lease does this. The position in the outbox is stored in the same transaction as the
notices, so that each event raises its notices once.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count

from project.access.permissions import Permission
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.core.idempotency import unit_of_work
from project.notices import selectors
from project.notices.events import BellChanged, BellData
from project.notices.models import Gathered, Notice, Position, Raised
from project.notices.rules import (
    IN_DIGEST,
    KIND_OF_NOTIFICATION,
    MOST_CAUSES,
    OF_PERSON,
    NoticeChannel,
    NoticeKind,
    is_notified,
)
from project.notices.selectors import PORTION, Person
from project.orders.fields import LINE_NOTES, ORDERS
from project.orders.rules import Status
from realtime import outbox
from realtime.models import OutboxEvent

TYPES = ("notification.created", "line.moved", "line.status-changed", "line.message", "import.finished")
_IMPORT_PATHS = {
    "users": "/administration/users/import",
    "production-processes": "/catalogs/production-process/import",
    "items": "/catalogs/products/import",
    "process-item-prices": "/catalogs/piece-prices/import",
}
"""The paths of import pages that do not follow from the catalog's name."""


@dataclass(frozen=True)
class Occurrence:
    """One thing that happened, and the people whom it concerns.

    `id`: the id of the line, the import, the message, or the notification of a customer's answer. `path`: its page.

    `audience`: only holders of one of these permissions; empty: everybody. `of_lines`: only people who are notified of
    pieces inside `process`, or of delivery dates if `process` is None (`is_notified`). `workers_of`: only people who
    work in this process. `mentions`: only people whom a message mentions, by kind and id, and those of `of_lines`.
    `only`: only this person. `but`: not this person, who caused it. `order_path`: the order's page, for people who may
    read orders. `about`, `params`: for the notice in the bell.
    """

    kind: NoticeKind
    id: int
    path: str
    audience: frozenset[str] = frozenset()
    of_lines: bool = False
    process: int | None = None
    workers_of: int | None = None
    mentions: frozenset[tuple[str, int]] = frozenset()
    only: int | None = None
    but: int | None = None
    order_path: str = ""
    about: str = ""
    params: dict[str, Any] = field(default_factory=dict)

    def concerns(self, person: Person) -> bool:
        """Say whether a person gets a notice: they may know of the cause, and it is about their work."""
        if self.only is not None:
            return person.id == self.only
        if person.id == self.but or (self.audience and self.audience.isdisjoint(person.permissions)):
            return False
        if self.workers_of is not None:
            return self.workers_of in person.processes
        if not self.mentions.isdisjoint(_mentioned_as(person)):
            return True
        if not self.of_lines:
            return not self.mentions
        return is_notified(self.process, permissions=person.permissions, processes=person.processes)

    def path_for(self, person: Person) -> str:
        """Return the path of the page that shows the occurrence to a person: a station, `order_path` or `path`."""
        if self.workers_of is not None and Permission.Station in person.permissions:
            return f"/shop-floor/station/{self.workers_of}"
        if self.kind is NoticeKind.Message and ORDERS.isdisjoint(person.permissions):
            return f"/shop-floor/station/{self.process}" if self.process in person.processes else "/home"
        if self.order_path and Permission.ListSalesOrders in person.permissions:
            return self.order_path
        return self.path


def _mentioned_as(person: Person) -> Iterator[tuple[str, int]]:
    """Yield what a message may mention to reach a person."""
    yield "user", person.id
    for kind, ids in (("role", person.roles), ("process", person.processes)):
        for id_ in ids:
            yield kind, id_


def line_path(order_id: int, position: int) -> str:
    """Return the client's path of a line."""
    return f"/operations/sales-order/{order_id}/position/{position}"


def raise_by_events() -> bool:
    """Turn the next portion of events into notices that wait to be sent. Returns whether more events may follow.

    2 queries if nothing happened.
    """
    newest = outbox.newest_id()
    if Position.objects.filter(event_id=newest).exists():
        return False
    return _raise_by_events(newest)


@unit_of_work
def _raise_by_events(newest: int) -> bool:
    position = Position.objects.select_for_update().first()
    if position is None:
        # Events before the first start raise no notices.
        Position.objects.create(pk=1, event_id=newest)
        return False
    # In a restored database the position may be after the newest event. The next events get these ids again.
    after = min(position.event_id, newest)
    rows = selectors.events_after(after, TYPES, up_to=newest)
    position.event_id = rows[-1].id if len(rows) == PORTION else newest
    position.save(update_fields=["event_id"])
    causes = _with_names([cause for row in rows for cause in _causes_of(row)])
    if causes:
        _gather(causes)
    return len(rows) == PORTION


@unit_of_work
def raise_late() -> int:
    """Make notices of lines that became late, and forget lines that are no longer late. Returns how many became late.

    2 queries if no line became late.
    """
    selectors.no_longer_late().delete()
    lines = selectors.newly_late()
    if lines:
        now = clock.now()
        Raised.objects.bulk_create(Raised(kind=NoticeKind.Late, cause_id=line.pk, at=now) for line in lines)
        _gather(
            [
                Occurrence(NoticeKind.Late, line.pk, line_path(line.order_id, line.position), of_lines=True)
                for line in lines
            ]
        )
    return len(lines)


def _causes_of(row: OutboxEvent) -> Iterator[Occurrence]:
    """Yield the causes of notices (`Occurrence`) in an event."""
    frame = json.loads(row.payload)
    data, by = frame["data"], (frame["by"] or {}).get("id")
    match row.type:
        case "notification.created":
            yield from _of_notification(data, frozenset(row.audience.split()))
        case "line.message":
            yield from _of_message(data, by)
        case "import.finished":
            yield _of_import(data, row.to_user)
        case _:
            yield from _of_line(row.type, data, by)


def _of_notification(data: dict[str, Any], audience: frozenset[str]) -> Iterator[Occurrence]:
    kind, message = KIND_OF_NOTIFICATION.get(data["type"]), data["message"]
    if kind is None or kind is NoticeKind.Late:
        return  # `raise_late` raises a line when it is late, not days before
    answers = kind is NoticeKind.CustomerAnswer
    order = message["salesOrderId"]
    yield Occurrence(
        kind,
        data["id"] if answers else message["lineId"],  # a line may get several answers
        line_path(order, message["position"]),
        audience=audience,
        of_lines=True,
        process=message["productionProcessId"],
        order_path=f"/operations/sales-orders/{order}" if answers else "",
    )


def _of_message(data: dict[str, Any], by: int | None) -> Iterator[Occurrence]:
    """Yield the cause of a new message that mentions somebody or calls, with the line but without its text."""
    message = data["message"]
    mentions = frozenset((one["kind"], one["id"]) for one in message["mentions"])
    calls = message["kind"] != "talk"
    if message["coming"] is None and (mentions or calls):
        yield Occurrence(
            NoticeKind.Message,
            message["id"],
            line_path(data["salesOrderId"], data["position"]),
            audience=LINE_NOTES,
            of_lines=calls,
            process=message["productionProcessId"],
            mentions=mentions,
            but=by,
            about=f"messages {data['lineId']}",
            params={
                "kind": message["kind"],
                "customerSalesOrderId": data["customerSalesOrderId"],
                "position": data["position"],
            },
        )


def _of_import(data: dict[str, Any], user_id: int | None) -> Occurrence:
    page = _IMPORT_PATHS.get(data["catalog"], f"/catalogs/{data['catalog']}/import")
    return Occurrence(
        NoticeKind.ImportDone,
        data["id"],
        f"{page}?upload={data['id']}",
        only=user_id or 0,
        about=f"import {data['id']}",
        params={"catalog": data["catalog"], "state": data["state"]},
    )


def _of_line(type: str, data: dict[str, Any], by: int | None) -> Iterator[Occurrence]:
    """Yield a cause for each process that pieces begin to wait for.

    The line was approved, or pieces left the process before.
    """
    line, record = data["line"], data["record"]
    if type == "line.status-changed":
        begins = line["waiting"] if data["status"] == Status.Approved else []
    else:
        left = record["productionProcessId"] if record and record["outputDate"] and not record["scrapReason"] else None
        begins = [one for one in line["waiting"] if left is not None and one["fromProductionProcessId"] == left]
    for process in (waiting["productionProcessId"] for waiting in begins):
        yield Occurrence(
            NoticeKind.Assigned,
            line["id"],
            line_path(line["salesOrderId"], line["position"]),
            workers_of=process,
            but=by,
            about=f"process {process}",
        )


def _with_names(causes: Sequence[Occurrence]) -> list[Occurrence]:
    """Add the names of the processes that pieces wait for. Leaves out causes with a process that is deleted.

    1 query, none if no pieces wait.
    """
    ids = {cause.workers_of for cause in causes if cause.workers_of is not None}
    names = dict(ProductionProcess.objects.filter(pk__in=ids).values_list("pk", "name")) if ids else {}
    found = []
    for cause in causes:
        if cause.workers_of is None:
            found.append(cause)
        elif cause.workers_of in names:
            found.append(replace(cause, params={"productionProcessName": names[cause.workers_of]}))
    return found


type _Place = tuple[int, NoticeKind, NoticeChannel]


def _gather(causes: Sequence[Occurrence]) -> None:
    """Add the causes to the waiting notices and the bell of each person whom they concern. At most 13 queries."""
    new: defaultdict[_Place, dict[int, str]] = defaultdict(dict)
    bells: dict[tuple[int, str], Occurrence] = {}
    paths: dict[tuple[int, str], str] = {}
    counts: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
    for person in selectors.people():
        for cause in causes:
            if not cause.concerns(person):
                continue
            channels, path = person.channels[cause.kind], cause.path_for(person)
            if NoticeChannel.Push in channels and person.has_devices:
                new[person.id, cause.kind, NoticeChannel.Push][cause.id] = path
            if (
                NoticeChannel.Mail in channels
                and cause.kind not in IN_DIGEST
                and settings.MAIL_SERVER
                and person.takes_mail
            ):
                new[person.id, cause.kind, NoticeChannel.Mail][cause.id] = path
            if NoticeChannel.Bell in channels and cause.kind in OF_PERSON:
                place = person.id, cause.about
                bells[place], paths[place] = cause, path
                counts[place].add(cause.id)
    now = clock.now()
    _store_gathered(new, now)
    if bells:
        _store_notices(bells, paths, counts, now)


def _store_gathered(new: dict[_Place, dict[int, str]], now: datetime) -> None:
    known = {(row.user_id, row.kind, row.channel): row for row in _held(user for user, *_ in new)}
    added, altered = [], []
    for (user, kind, channel), causes in new.items():
        row = known.get((user, kind.value, channel.value))
        if row is None:
            row = Gathered(user_id=user, kind=kind, channel=channel, causes=[])
            added.append(row)
        else:
            altered.append(row)
        row.causes = [*dict.fromkeys([*row.causes, *causes])][:MOST_CAUSES]
        row.path = next(reversed(causes.values()))
        row.since = row.since or now
    Gathered.objects.bulk_create(added)
    Gathered.objects.bulk_update(altered, ["causes", "path", "since"])


def _held(users: Iterable[int]) -> Iterable[Gathered]:
    return Gathered.objects.select_for_update().filter(user__in=set(users)).order_by("pk")


def _store_notices(
    bells: dict[tuple[int, str], Occurrence],
    paths: dict[tuple[int, str], str],
    counts: dict[tuple[int, str], set[int]],
    now: datetime,
) -> None:
    """Store a notice for each person and subject. It replaces the former notice, and counts its lines if unread."""
    users = {user for user, _ in bells}
    before = Notice.objects.filter(user__in=users, read_at=None, about__in={about for _, about in bells})
    had = {(one.user_id, one.about): one.params.get("lineIds", []) for one in before}
    rows = []
    for place, cause in bells.items():
        params = dict(cause.params)
        if cause.kind is NoticeKind.Assigned:
            params["lineIds"] = [*dict.fromkeys([*had.get(place, []), *sorted(counts[place])])][:MOST_CAUSES]
        user, about = place
        rows.append(
            Notice(user_id=user, about=about, kind=cause.kind, params=params, path=paths[place], created_at=now)
        )
    Notice.objects.bulk_create(
        rows,
        update_conflicts=True,
        update_fields=["kind", "params", "path", "created_at", "read_at"],
        unique_fields=["user", "about"],
    )
    publish_bells(users)


def publish_bells(users: Iterable[int]) -> None:
    """Publish to each of these people the number of their unread notices. 1 query."""
    wanted = set(users)
    found = Notice.objects.filter(user__in=wanted, read_at=None).order_by().values_list("user").annotate(Count("pk"))
    unread = dict.fromkeys(wanted, 0) | dict(found)
    outbox.publish_all(
        [outbox.Personal(BellChanged(data=BellData(id=user, unread=count)), user) for user, count in unread.items()],
        by=None,
    )
