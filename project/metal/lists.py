"""Read accounts with their balances, the ledger, and the papers of metal.

The number of queries does not grow with the number of rows.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import reduce
from itertools import groupby
from operator import attrgetter, or_

from django.db.models import Case, Exists, F, IntegerField, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum, Value, When

from project.access.permissions import Permission
from project.access.principal import Principal
from project.catalogs.models import Alloy, ProductionProcess
from project.core import clock
from project.core.errors import InvalidFields, NotFound
from project.core.pagination import Orderings
from project.core.queries import prepared
from project.core.spanish import matching
from project.identity.models import User, UserType
from project.metal import selectors
from project.metal.models import (
    Account,
    AccountKind,
    Balance,
    EntryKind,
    Lot,
    Melting,
    MetalDay,
    MetalDayAlloy,
    MetalEntry,
    Refining,
    RefiningShare,
)

ACCOUNT_ORDERINGS = Orderings(columns={"id": "id", "kind": "kind", "name": "name", "place": "place"}, default="place")
"""`place`: the accounts that hold metal first, then those of suppliers, which owe what came from them."""
OPEN_DAY_ORDERINGS = Orderings(columns={"id": "id", "kind": "kind", "name": "name"}, default="id")
ENTRY_ORDERINGS = Orderings(columns={"id": "id", "at": "at"}, default="-id")
LOT_ORDERINGS = Orderings(columns={"id": "id", "day": "day"}, default="-day")
DAY_ORDERINGS = Orderings(columns={"id": "id", "day": "day"}, default="-day")
"""Closed days are never sorted by the missing metal: no list ranks people by loss."""
REFINING_ORDERINGS = Orderings(columns={"id": "id", "sentAt": "sent_at"}, default="-sentAt")
MELTING_ORDERINGS = Orderings(columns={"id": "id", "at": "at"}, default="-at")
RECEIVED = (EntryKind.enters, EntryKind.added, EntryKind.issue)
"""Kinds of entries by which a person is given metal to work on."""


def accounts(
    *,
    search: str | None = None,
    kind: AccountKind | None = None,
    user_id: int | None = None,
    process_id: int | None = None,
    empty: bool = True,
) -> QuerySet[Account]:
    """Return accounts with their person, process, balances other than 0 and their `place` in lists. 2 queries.

    `empty` False: only accounts that hold metal.
    """
    held = Balance.objects.exclude(mg=0).select_related("alloy").order_by("alloy_id")
    rows = (
        Account.objects.select_related("user", "process")
        .prefetch_related(Prefetch("balances", queryset=held))
        .annotate(place=Case(When(kind=AccountKind.supplier, then=1), default=0))
    )
    found = matching(rows, search, "name")
    if kind is not None:
        found = found.filter(kind=kind)
    if user_id is not None:
        found = found.filter(user=user_id)
    if process_id is not None:
        found = found.filter(process=process_id)
    return found if empty else found.filter(Exists(Balance.objects.filter(account=OuterRef("pk")).exclude(mg=0)))


_balances_of = prepared(
    lambda *ids: (
        Balance.objects.select_related("alloy", "account__user", "account__process")
        .filter(account__in=ids)
        .order_by("account", "alloy")
    )
)


def holding(account_ids: Collection[int]) -> list[tuple[Account, list[Balance]]]:
    """Return those of the accounts that have stored balances, each with its balances other than 0, ordered by id.

    1 query. Every movement of metal calls this function.
    """
    of_account = groupby(_balances_of(*sorted(account_ids)), key=attrgetter("account"))
    return [(account, [one for one in held if one.mg]) for account, held in of_account]


def totals() -> dict[AccountKind, list[Balance]]:
    """Return the summed balances of each kind of account, by alloy, in the order of the kinds. 2 queries.

    Each sum is a `Balance` without an account, which is not stored.
    """
    rows = (
        Balance.objects.exclude(mg=0)
        .order_by("account__kind", "alloy")
        .values_list("account__kind", "alloy")
        .annotate(sum=Sum("mg"))
    )
    sums = list(rows)
    alloys = Alloy.objects.in_bulk({alloy for _, alloy, _ in sums})
    found: dict[AccountKind, list[Balance]] = {}
    for kind in AccountKind:
        of_kind = [Balance(alloy=alloys[alloy], mg=mg) for one, alloy, mg in sums if one == kind]
        if of_kind:
            found[kind] = of_kind
    return found


def entries(
    *,
    search: str | None = None,
    account_id: int | None = None,
    alloy_id: int | None = None,
    person_id: int | None = None,
    kind: EntryKind | None = None,
    date_from: date | None = None,
    date_to: date | None = None,
) -> QuerySet[MetalEntry]:
    """Return the entries of the ledger that match. `account_id`: the account at either end.

    `date_from`, `date_to`: days in the plant, both included. `search` covers reason, notes and the accounts' names.
    """
    undone = Exists(MetalEntry.objects.filter(reverses=OuterRef("pk")))
    found = selectors.entries().annotate(is_reversed=undone)
    found = matching(found, search, "reason", "notes", "source__name", "target__name")
    if account_id is not None:
        found = found.filter(Q(source=account_id) | Q(target=account_id))
    if alloy_id is not None:
        found = found.filter(alloy=alloy_id)
    if person_id is not None:
        found = found.filter(person=person_id)
    if kind is not None:
        found = found.filter(kind=kind)
    if date_from is not None:
        found = found.filter(at__gte=clock.start_of(date_from))
    if date_to is not None:
        found = found.filter(at__lt=clock.end_of(date_to))
    return found


def lots(search: str | None = None) -> QuerySet[Lot]:
    """Return lots with their alloy and author. 1 query."""
    return matching(Lot.objects.select_related("alloy", "by"), search, "supplier", "document")


def until(day: date, closed_at: datetime) -> datetime:
    """Return the last instant that a closing of the day `day` covers, if it was made at `closed_at`."""
    return min(closed_at, clock.end_of(day) - timedelta(milliseconds=1))


def days(
    *,
    user_id: int | None = None,
    process_id: int | None = None,
    reopened: bool | None = None,
    date_from: date | None = None,
    date_to: date | None = None,
) -> QuerySet[MetalDay]:
    """Return closed days with their person and alloys. 2 queries."""
    alloys = Prefetch("alloys", queryset=MetalDayAlloy.objects.order_by("alloy_id"))
    found = MetalDay.objects.select_related("person", "reopened_by").prefetch_related(alloys)
    if user_id is not None:
        found = found.filter(person=user_id)
    if process_id is not None:
        found = found.filter(process=process_id)
    if reopened is not None:
        found = found.filter(reopened=reopened)
    if date_from is not None:
        found = found.filter(day__gte=date_from)
    if date_to is not None:
        found = found.filter(day__lte=date_to)
    return found


def day_get(day_id: int) -> MetalDay:
    """Return a closed day as `days` loads it. Raises `NotFound`."""
    found = days().filter(pk=day_id).first()
    if found is None:
        raise NotFound
    return found


def day_for(day_id: int, by: Principal) -> MetalDay:
    """Return a closed day that the caller may read: any to readers of metal, else their own and those they closed.

    Raises `NotFound`.
    """
    row = day_get(day_id)
    if by.user_id in (row.person_id, row.closed_by_id) or by.holds(Permission.ViewMetal, Permission.ManageMetal):
        return row
    raise NotFound


def days_by_id(day_ids: Collection[int]) -> list[MetalDay]:
    """Return closed days as `days` loads them, in this order. Raises `NotFound` if one is missing."""
    found = days().in_bulk(list(day_ids))
    if len(found) < len(set(day_ids)):
        raise NotFound
    return [found[day_id] for day_id in day_ids]


@dataclass(frozen=True)
class Window:
    """A period of a person's account: after `since` (None: from the beginning) and up to `until`."""

    account_id: int
    since: datetime | None
    until: datetime

    @property
    def entries(self) -> Q:
        after = Q(at__gt=self.since) if self.since else Q()
        return after & Q(at__lte=self.until, target=self.account_id)


def windows_of(day_ids: Sequence[int]) -> list[Window]:
    """Return the period that each closing covers, in this order. 1 query.

    A period begins where the period of the previous closing ends. Closings that were taken back are skipped.
    """
    account = Account.objects.filter(
        kind=AccountKind.person.value, user=OuterRef("person"), process=OuterRef("process")
    ).values("pk")[:1]
    former = MetalDay.objects.filter(
        person=OuterRef("person"),
        process=OuterRef("process"),
        closed_at__lt=OuterRef("closed_at"),
        reopened_at__isnull=True,
    ).order_by("-closed_at")
    rows = MetalDay.objects.filter(pk__in=day_ids).values_list(
        "pk",
        "day",
        "closed_at",
        Subquery(account),
        Subquery(former.values("day")[:1]),
        Subquery(former.values("closed_at")[:1]),
    )
    found = {
        pk: Window(account_id, until(former_day, former_at) if former_at else None, until(day, closed_at))
        for pk, day, closed_at, account_id, former_day, former_at in rows
    }
    return [found[day_id] for day_id in day_ids]


def received(windows: Iterable[Window]) -> list[dict[int, int]]:
    """Return what each person was given in each window, in milligrams by alloy id. 1 query.

    Entries that were taken back do not count.
    """
    asked = list(windows)
    found: list[dict[int, int]] = [{} for _ in asked]
    if not asked:
        return found
    rows = (
        selectors.unreversed()
        .filter(reduce(or_, (one.entries for one in asked)), kind__in=RECEIVED)
        .annotate(
            window=Case(
                *(When(one.entries, then=Value(place)) for place, one in enumerate(asked)),
                output_field=IntegerField(),
            )
        )
        .order_by()
        .values_list("window", "alloy")
        .annotate(sum=Sum("mg"))
    )
    for place, alloy, mg in rows:
        found[place][alloy] = mg
    return found


def moved_after(account_ids: Collection[int], instant: datetime) -> Mapping[tuple[int, int], int]:
    """Return by how many milligrams balances have grown since `instant`, by (account id, alloy id). 2 queries.

    A movement that was reported later counts at the time when it was made. Entries of closings are left out: they
    belong to the time before the closing, and a day before a closed day can no longer be closed.
    """
    booked = (EntryKind.close, EntryKind.dust)
    later = (
        MetalEntry.objects.filter(Q(made_at__isnull=True) | Q(made_at__gt=instant), at__gt=instant)
        .exclude(kind__in=booked)
        .exclude(reverses__kind__in=booked)
        .order_by()
    )
    found: dict[tuple[int, int], int] = {}
    for end, sign in (("target", 1), ("source", -1)):
        rows = later.filter(**{f"{end}__in": account_ids}).values_list(end, "alloy").annotate(sum=Sum("mg"))
        for account, alloy, mg in rows:
            found[account, alloy] = found.get((account, alloy), 0) + sign * mg
    return found


@dataclass(frozen=True)
class Expected:
    """The metal that a person should have at a process at the end of a day.

    `alloys`: tuples of alloy, expected milligrams and received milligrams. `closings`: the closings of that day.
    `reopened`: whether a movement made before the last closing was reported after it.
    """

    person: User
    process: ProductionProcess
    day: date
    alloys: list[tuple[Alloy, int, int]]
    closings: list[MetalDay]
    reopened: bool


def _has_late_entries(account: Account | None, closed_at: datetime) -> bool:
    """Say whether an entry was written after a closing for a movement before the closing. 1 query."""
    ends = Q(source=account) | Q(target=account)
    return MetalEntry.objects.filter(ends, at__gt=closed_at, made_at__lte=closed_at).exists()


def expected(user_id: int, process_id: int, day: date) -> Expected:
    """Return the metal to count before a day is closed. Raises `InvalidFields`. At most 12 queries."""
    now = clock.now()
    if day > clock.day_of(now):
        raise InvalidFields.of("day", "in_the_future")
    person = User.objects.filter(pk=user_id, user_type=UserType.INTERNAL).first()
    if person is None:
        raise InvalidFields.of("userId", "unknown")
    process = ProductionProcess.objects.filter(pk=process_id).first()
    if process is None:
        raise InvalidFields.of("productionProcessId", "unknown")
    account = Account.objects.filter(kind=AccountKind.person.value, user=person, process=process).first()
    held = dict(Balance.objects.filter(account=account).values_list("alloy", "mg")) if account else {}
    last = (
        MetalDay.objects.filter(person=person, process=process, reopened_at__isnull=True).order_by("-closed_at").first()
    )
    end = until(day, now)
    grown = moved_after([account.pk], end) if account and end < now else {}
    since = until(last.day, last.closed_at) if last else None
    (given,) = received([Window(account.pk, since, end)]) if account else ({},)
    left = {alloy: max(0, mg - grown.get((account.pk, alloy), 0)) for alloy, mg in held.items()} if account else {}
    shown = {alloy for alloy, mg in left.items() if mg} | given.keys()
    return Expected(
        person=person,
        process=process,
        day=day,
        alloys=[
            (row, left.get(row.pk, 0), given.get(row.pk, 0))
            for row in Alloy.objects.filter(pk__in=shown).order_by("pk")
        ],
        closings=list(days(user_id=user_id, process_id=process_id, date_from=day, date_to=day).order_by("-closing")),
        reopened=last is not None and (last.reopened or _has_late_entries(account, last.closed_at)),
    )


def refinings(*, search: str | None = None, pending: bool | None = None) -> QuerySet[Refining]:
    """Return refinings, each with its shares: in the order of the processes, the scrap box last. 2 queries."""
    shares = RefiningShare.objects.select_related("process").order_by(F("process__order").asc(nulls_last=True), "pk")
    found = Refining.objects.select_related("alloy", "returned_alloy", "by").prefetch_related(
        Prefetch("shares", queryset=shares)
    )
    found = matching(found, search, "partner", "notes")
    return found if pending is None else found.filter(returned_at__isnull=pending)


def meltings(search: str | None = None) -> QuerySet[Melting]:
    return matching(Melting.objects.select_related("alloy", "by"), search, "reason")


def melted(melting_ids: Collection[int]) -> dict[int | None, list[MetalEntry]]:
    """Return the entries of the metal that went into each melting, by the melting's id, oldest first. 1 query."""
    rows = MetalEntry.objects.filter(
        kind=EntryKind.melt, record_id__in=melting_ids, target__kind=AccountKind.lost
    ).select_related("alloy", "lot")
    found: dict[int | None, list[MetalEntry]] = {melting_id: [] for melting_id in melting_ids}
    for row in rows.order_by("pk"):
        found[row.record_id].append(row)
    return found
