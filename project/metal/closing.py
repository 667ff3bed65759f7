"""Close the days of people who hold metal. Open a day again if a movement of that day is reported later.

See infra/docs/rules.md#metal-days.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.db.models import Q

from project.access.operators import act_at
from project.access.permissions import Permission
from project.access.principal import Principal
from project.catalogs.models import Alloy, ProductionProcess
from project.core import clock
from project.core.errors import FieldError, InvalidFields, PermissionDenied, Refusal
from project.core.idempotency import unit_of_work
from project.identity import pins
from project.identity.models import User, UserType
from project.metal import auditing, ledger, lists, selectors
from project.metal.events import publish_changed
from project.metal.ledger import Posting
from project.metal.lists import Window
from project.metal.models import (
    BOOKED,
    Account,
    AccountKind,
    Balance,
    EntryKind,
    MetalDay,
    MetalDayAlloy,
    MetalEntry,
)
from project.metal.rules import allowed_mg, is_far, to_grams


class DayClosed(Refusal):
    """The people in `userIds` have closed this day already, and none of their metal has moved since."""

    code = "day_closed"


class LaterDayClosed(Refusal):
    """The people in `userIds` have closed a later day. Metal that is still missing belongs to their next closing."""

    code = "later_day_closed"


class ExpectedChanged(Refusal):
    """Metal has moved since the caller saw what should be there. Nothing is stored: the caller must load it again.

    `userIds`: at a closing, the people who hold other metal now. `alloyIds`: at a count of the vault, the changed
    alloys.
    """

    code = "expected_changed"


class ExpectedFar(Refusal):
    """Counts are far from the books. The user must confirm them with a reason.

    `counts`: all of these counts; the other parameters repeat the first one. Each has `userId`, `alloyId`, `alloy`, and
    in grams `expected`, `counted`, `dust`, `difference` and `allowed`.
    """

    code = "expected_far"


class MovedSince(Refusal):
    """The closing cannot be taken back: metal of the person has moved since, or a later closing exists."""

    code = "moved_since"


class AlreadyReopened(Refusal):
    """The closing is open again: somebody took it back, or a movement was reported later."""

    code = "already_reopened"


class NothingToClose(Refusal):
    """The people in `userIds` hold no metal, and none was counted."""

    code = "nothing_to_close"


@dataclass(frozen=True)
class Count:
    """The weights of an alloy at a closing, in milligrams. `counted`: the metal. `dust`: the dust that was swept.

    `expected`: the weight that the caller was shown; None: the caller does not send it.
    """

    alloy_id: int
    counted: int
    dust: int
    expected: int | None = None


@dataclass(frozen=True)
class PersonDay:
    """The counts of a person's day at a process. `path`: the prefix of fields in errors, such as `people.0.`.

    `confirm`: the user confirms a count that is far from the books; `reason` says why it is right.
    """

    user_id: int
    process_id: int
    counts: Sequence[Count]
    notes: str = ""
    confirm: bool = False
    reason: str = ""
    path: str = ""


def day_close(
    *,
    process_id: int,
    user_id: int | None,
    pin: str | None,
    badge: str | None,
    day: date | None,
    counts: Sequence[Count],
    notes: str,
    confirm: bool,
    reason: str,
    by: Principal,
) -> MetalDay:
    """Close the day of the person with the PIN or badge; without both, the caller's own.

    Returns the closed day with its alloys. A holder of `ManageMetal` may name a person by `user_id` alone. Raises
    `InvalidFields`, `UnknownOperator`, `TooManyAttempts`, `DayClosed`, `LaterDayClosed`, `ExpectedChanged`,
    `ExpectedFar`, `NothingToClose`, `NotEnoughMetal`, and for operators `OtherStation`. Checks the PIN outside the
    transaction that closes the day, so that a wrong PIN is counted.
    """
    person, named_by = _named(user_id=user_id, pin=pin, badge=badge, by=by)
    one = PersonDay(person, process_id, counts, notes, confirm=confirm, reason=reason)
    return _day_close(one, day=day, named_by=named_by, by=by)


@unit_of_work
def _day_close(one: PersonDay, *, day: date | None, named_by: str, by: Principal) -> MetalDay:
    (closed,) = _close([one], day=day, named_by=named_by, by=by)
    return closed


@unit_of_work
def days_close(*, people: Sequence[PersonDay], day: date | None, by: Principal) -> list[MetalDay]:
    """Close the days of several people, all or none. A fixed number of queries.

    Raises what `day_close` raises, except the errors of a PIN or badge.
    """
    return _close(people, day=day, named_by="office", by=by)


def _named(*, user_id: int | None, pin: str | None, badge: str | None, by: Principal) -> tuple[int, str]:
    """Return the id of the person to close the day of, and how they were named.

    They are named by `pin`, `badge`, `station`, `session` or `office`. Only a holder of `ManageMetal` may name another
    person without PIN or badge.
    """
    if pin is not None or badge is not None:
        found = pins.identified(pin=pin, badge=badge, by=by).pk
        if user_id not in (None, found):
            raise InvalidFields.of("userId", "other_person")
        return found, "pin" if badge is None else "badge"
    if user_id in (None, by.user_id) and not by.is_service:
        return by.user_id, "station" if by.station else "session"
    if user_id is None or not by.holds(Permission.ManageMetal):
        raise InvalidFields.of("pin", "required")
    return user_id, "office"


def _close(people: Sequence[PersonDay], *, day: date | None, named_by: str, by: Principal) -> list[MetalDay]:
    """Close days. The number of queries does not grow with the number of people."""
    now = clock.now()
    day = day or clock.day_of(now)
    if day > clock.day_of(now):
        raise InvalidFields.of("day", "in_the_future")
    known = _known(people)
    if by.station:
        act_at(by, people[0].process_id)
    until = lists.until(day, now)
    keys = [(one.user_id, one.process_id) for one in people]
    accounts = _accounts(AccountKind.person, keys)
    # Two closings of the same person wait for each other here. Inserts of entries for the account do not wait.
    ids = sorted(one.pk for one in accounts.values())
    list(Account.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk").values_list("pk"))
    dust = _accounts(AccountKind.dust, [(None, one.process_id) for one in people])
    lost = ledger.lost()
    alloys = _alloys(people, ids)
    held = ledger.lock([*accounts.values(), *dust.values(), lost], alloys.keys()) if alloys else {}
    grown = lists.moved_after(ids, until) if until < now else {}
    rows: list[tuple[PersonDay, list[MetalDayAlloy]]] = []
    changed_for: list[int] = []
    for one in people:
        account = accounts[one.user_id, one.process_id]
        expected = {
            alloy_id: max(0, held[account.pk, alloy_id] - grown.get((account.pk, alloy_id), 0)) for alloy_id in alloys
        }
        if any(count.expected not in (None, expected.get(count.alloy_id, 0)) for count in one.counts):
            changed_for.append(one.user_id)
        rows.append((one, _counted(one, expected, alloys)))
    if changed_for:
        raise ExpectedChanged(userIds=changed_for)
    if idle := [
        one.user_id for one, counts in rows if not any(c.expected_mg or c.counted_mg or c.dust_mg for c in counts)
    ]:
        raise NothingToClose(userIds=idle)
    closings = _closings_checked(rows, accounts, day)
    _check_far(rows, accounts, alloys, known.processes, until)
    days = MetalDay.objects.bulk_create(
        MetalDay(
            process=known.processes[one.process_id],
            person=known.users[one.user_id],
            day=day,
            closing=closings.get((one.user_id, one.process_id), 0) + 1,
            closed_at=now,
            closed_by_id=by.user_id,
            notes=one.notes,
            person_name=known.users[one.user_id].full_name,
            closed_by_name=by.full_name,
            process_name=known.processes[one.process_id].name,
            allowed_loss=known.processes[one.process_id].allowed_loss,
            recovers=known.processes[one.process_id].recovers,
            reason=one.reason,
        )
        for one in people
    )
    postings: list[Posting] = []
    for row, (one, counts) in zip(days, rows, strict=True):
        person, swept = accounts[one.user_id, one.process_id], dust[None, one.process_id]
        gone = swept if known.processes[one.process_id].recovers else lost
        for count in counts:
            count.day = row
            postings += _postings(count, person=person, swept=swept, gone=gone, lost=lost, reason=one.reason)
    _note_received(days, rows)
    MetalDayAlloy.objects.bulk_create([count for _, counts in rows for count in counts])
    entries = ledger.post(postings, by=by, at=now)
    auditing.record_days(days, [count for _, counts in rows for count in counts], named_by=named_by, by=by)
    changed = [*accounts.values(), *(end for entry in entries for end in (entry.source, entry.target))]
    publish_changed(changed, by=by)
    return lists.days_by_id([row.pk for row in days])


@dataclass(frozen=True)
class _Known:
    users: dict[int, User]
    processes: dict[int, ProductionProcess]


def _known(people: Sequence[PersonDay]) -> _Known:
    """Load the people and processes. Raises `InvalidFields` for ids that are unknown or named twice. 3 queries."""
    if not people:
        raise InvalidFields.of("people", "required")
    users = User.objects.filter(user_type=UserType.INTERNAL).in_bulk([one.user_id for one in people])
    processes = ProductionProcess.objects.in_bulk([one.process_id for one in people])
    alloys = set(Alloy.objects.filter(pk__in=_named_alloys(people)).values_list("pk", flat=True))
    errors = []
    seen: set[tuple[int, int]] = set()
    for one in people:
        if one.user_id not in users:
            errors.append(FieldError(f"{one.path}userId", "unknown"))
        if one.process_id not in processes:
            errors.append(FieldError(f"{one.path}productionProcessId", "unknown"))
        if (one.user_id, one.process_id) in seen:
            errors.append(FieldError(f"{one.path}userId", "named_twice"))
        seen.add((one.user_id, one.process_id))
        weighed: set[int] = set()
        for place, count in enumerate(one.counts):
            field = f"{one.path}alloys.{place}.alloyId"
            if count.alloy_id not in alloys:
                errors.append(FieldError(field, "unknown"))
            elif count.alloy_id in weighed:
                errors.append(FieldError(field, "named_twice"))
            weighed.add(count.alloy_id)
    if errors:
        raise InvalidFields(errors=errors)
    return _Known(users, processes)


def _named_alloys(people: Iterable[PersonDay]) -> set[int]:
    return {count.alloy_id for one in people for count in one.counts}


def _alloys(people: Sequence[PersonDay], account_ids: Collection[int]) -> dict[int, Alloy]:
    """Return the alloys that were counted or that the accounts hold, by id. 2 queries."""
    held = Balance.objects.filter(account__in=account_ids).exclude(mg=0).values_list("alloy", flat=True)
    return Alloy.objects.in_bulk({*_named_alloys(people), *held})


def _accounts(kind: AccountKind, keys: Sequence[tuple[int | None, int]]) -> dict[tuple[int | None, int], Account]:
    """Return the accounts of these people and processes, by (user id, process id). Creates missing accounts.

    1 query; 3 if accounts are created.
    """
    rows = Account.objects.filter(kind=kind.value, process__in={process for _, process in keys})
    if kind is AccountKind.person:
        rows = rows.filter(user__in={user for user, _ in keys})
    found = {(one.user_id, one.process_id): one for one in rows}
    missing = {key for key in keys if key not in found}
    if missing:
        Account.objects.bulk_create(
            [Account(kind=kind.value, user_id=user, process_id=process) for user, process in sorted(missing, key=str)],
            ignore_conflicts=True,
        )
        found |= {(one.user_id, one.process_id): one for one in rows.all()}
    return {key: found[key] for key in keys}


def _counted(one: PersonDay, expected: dict[int, int], alloys: dict[int, Alloy]) -> list[MetalDayAlloy]:
    """Compare what was counted with what is expected. Raises `InvalidFields` if an alloy was not counted."""
    counted = {count.alloy_id: count for count in one.counts}
    left_out = [alloys[alloy_id].name for alloy_id, mg in expected.items() if mg and alloy_id not in counted]
    if left_out:
        raise InvalidFields.of(f"{one.path}alloys", "not_all_counted", alloys=left_out)
    return [
        MetalDayAlloy(
            alloy_id=alloy_id,
            expected_mg=expected[alloy_id],
            counted_mg=count.counted,
            dust_mg=count.dust,
            difference_mg=expected[alloy_id] - count.counted - count.dust,
            alloy_name=alloys[alloy_id].name,
            fineness=alloys[alloy_id].fineness,
        )
        for alloy_id, count in counted.items()
    ]


def _note_received(days: Sequence[MetalDay], rows: Sequence[tuple[PersonDay, list[MetalDayAlloy]]]) -> None:
    """Set what each person was given since the closing before. 2 queries."""
    received = lists.received(lists.windows_of([row.pk for row in days]))
    for given, (_, counts) in zip(received, rows, strict=True):
        for count in counts:
            count.received_mg = given.get(count.alloy_id, 0)


def _closings_checked(
    rows: Sequence[tuple[PersonDay, list[MetalDayAlloy]]],
    accounts: dict[tuple[int | None, int], Account],
    day: date,
) -> dict[tuple[int, int], int]:
    """Return how many times each person's day was closed, for days that were closed before. 1 to 4 queries.

    Raises `LaterDayClosed` if a later day is closed, and `DayClosed` if nothing has moved since the last closing.
    """
    people = [one for one, _ in rows]
    former = (
        MetalDay.objects.filter(
            person__in={one.user_id for one in people}, process__in={one.process_id for one in people}, day__gte=day
        )
        .prefetch_related("alloys")
        .order_by("closing")
    )
    wanted = {(one.user_id, one.process_id) for one in people}
    found = [row for row in former if (row.person_id, row.process_id) in wanted]
    later = sorted({row.person_id for row in found if row.day > day and not row.taken_back})
    if later:
        raise LaterDayClosed(userIds=later)
    last = {(row.person_id, row.process_id): row for row in found if row.day == day}
    still: dict[int, MetalDay] = {}
    for one, counts in rows:
        row = last.get((one.user_id, one.process_id))
        if row is None or row.reopened:
            continue
        before = {count.alloy_id: count.counted_mg for count in row.alloys.all()}
        if all(count.expected_mg == before.get(count.alloy_id, 0) for count in counts):
            still[accounts[one.user_id, one.process_id].pk] = row
    if still:
        since = min(row.closed_at for row in still.values())
        for end in ("source", "target"):
            moved = selectors.entries().filter(at__gt=since, **{f"{end}__in": list(still)})
            for account_id, at in moved.values_list(end, "at"):
                if account_id in still and at > still[account_id].closed_at:
                    del still[account_id]
    if still:
        raise DayClosed(userIds=sorted(row.person_id for row in still.values()))
    return {key: row.closing for key, row in last.items()}


def _check_far(
    rows: Sequence[tuple[PersonDay, list[MetalDayAlloy]]],
    accounts: dict[tuple[int | None, int], Account],
    alloys: dict[int, Alloy],
    processes: dict[int, ProductionProcess],
    until: datetime,
) -> None:
    """Check that each count far from the books is confirmed. 2 queries if a loss may be far; else none.

    Raises `ExpectedFar`, and `InvalidFields` for a confirmed count without a reason.
    """
    step = settings.SCALE_STEP_MG

    def far(one: PersonDay, count: MetalDayAlloy, received: int) -> bool:
        return is_far(
            difference_mg=count.difference_mg,
            loss_mg=count.dust_mg + count.difference_mg,
            allowed=allowed_mg(processes[one.process_id].allowed_loss, received),
            step=step,
        )

    # If nothing was received, nothing is allowed: what is not far then is never far.
    asked = [(one, count) for one, counts in rows for count in counts if far(one, count, 0)]
    if not asked:
        return
    received = _received([one for one, _ in asked], accounts, until)
    found: list[dict[str, Any]] = []
    for (one, count), given in zip(asked, received, strict=True):
        mg = given.get(count.alloy_id, 0)
        if not far(one, count, mg):
            continue
        if one.confirm and one.reason.strip():
            continue
        if one.confirm:
            raise InvalidFields.of(f"{one.path}reason", "required")
        found.append(
            {
                "userId": one.user_id,
                "alloyId": count.alloy_id,
                "alloy": alloys[count.alloy_id].name,
                "expected": float(to_grams(count.expected_mg)),
                "counted": float(to_grams(count.counted_mg)),
                "dust": float(to_grams(count.dust_mg)),
                "difference": float(to_grams(count.difference_mg)),
                "allowed": float(to_grams(allowed_mg(processes[one.process_id].allowed_loss, mg))),
            }
        )
    if found:
        raise ExpectedFar(**found[0], counts=found)


def _received(
    people: Sequence[PersonDay], accounts: dict[tuple[int | None, int], Account], until: datetime
) -> list[dict[int, int]]:
    """Return what each person was given since their last closing, in milligrams by alloy id. 2 queries."""
    closings = MetalDay.objects.filter(
        person__in={one.user_id for one in people},
        process__in={one.process_id for one in people},
        reopened_at__isnull=True,
    )
    last = {
        (row.person_id, row.process_id): lists.until(row.day, row.closed_at) for row in closings.order_by("closed_at")
    }
    return lists.received(
        Window(accounts[key].pk, last.get(key), until) for key in ((one.user_id, one.process_id) for one in people)
    )


def _postings(
    count: MetalDayAlloy, *, person: Account, swept: Account, gone: Account, lost: Account, reason: str
) -> list[Posting]:
    """Return the postings after which the person's account holds what was counted.

    Swept dust goes to `swept`. Missing metal goes to `gone`. Metal beyond what was expected comes from `lost`.
    """

    def posting(source: Account, target: Account, mg: int, kind: EntryKind) -> Posting:
        return Posting(
            source=source,
            target=target,
            alloy_id=count.alloy_id,
            mg=mg,
            kind=kind,
            record_id=count.day_id,
            person_id=person.user_id,
            reason=reason,
        )

    made = []
    if count.difference_mg < 0:
        made.append(posting(lost, person, -count.difference_mg, EntryKind.close))
    if count.dust_mg:
        made.append(posting(person, swept, count.dust_mg, EntryKind.dust))
    if count.difference_mg > 0:
        made.append(posting(person, gone, count.difference_mg, EntryKind.close))
    return made


@unit_of_work
def day_take_back(*, day_id: int, by: Principal) -> MetalDay:
    """Take a closing back: reverse its entries, and mark the day as reopened. It can be closed again.

    Allowed to the person, to the person who closed it, and to holders of `ManageMetal`. Raises `NotFound`,
    `PermissionDenied`, `OtherStation`, `AlreadyReopened`, `MovedSince`, and `NotEnoughMetal` if the dust is gone.
    """
    seen = lists.day_for(day_id, by)
    if by.user_id not in (seen.person_id, seen.closed_by_id) and not by.holds(Permission.ManageMetal):
        raise PermissionDenied
    if by.station:
        act_at(by, seen.process_id)
    # The same lock as in `_close`: a closing, a late movement and a taking back wait for each other here.
    account = Account.objects.select_for_update(no_key=True).get(
        kind=AccountKind.person.value, user=seen.person_id, process=seen.process_id
    )
    row = MetalDay.objects.select_for_update().get(pk=day_id)
    if row.reopened:
        raise AlreadyReopened
    booked = list(
        selectors.unreversed()
        .filter(kind__in=[kind.value for kind in BOOKED], record_id=row.pk)
        .select_related("source", "target")
        .order_by("pk")
    )
    # Movements lock the balances of their metal. After this lock no movement is under way, and none can start.
    ends = [account, *(end for entry in booked for end in (entry.source, entry.target))]
    alloys = {*row.alloys.values_list("alloy", flat=True), *(entry.alloy_id for entry in booked)}
    ledger.lock(ends, alloys)
    if _moved_since(row, account, booked):
        raise MovedSince
    now = clock.now()
    entries = ledger.reverse(booked, by=by, at=now)
    row.reopened, row.reopened_at, row.reopened_by_id = True, now, by.user_id
    row.save(update_fields=["reopened", "reopened_at", "reopened_by"])
    auditing.record_reopened(row, by=by)
    publish_changed([account, *(end for entry in entries for end in (entry.source, entry.target))], by=by)
    return row


def _moved_since(row: MetalDay, account: Account, booked: Sequence[MetalEntry]) -> bool:
    """Say whether metal of the person's account moved after a closing, or a later closing exists. 2 queries.

    What moved and was taken back again does not count. An entry may have been written after the closing with an earlier
    time, because it waited for the closing's locks.
    """
    later, taken_back = Q(at__gt=row.closed_at), Q(reverses__at__gt=row.closed_at)
    if booked:
        later |= Q(pk__gt=booked[-1].pk)
        taken_back |= Q(reverses__gt=booked[-1].pk)
    moved = MetalEntry.objects.filter(Q(source=account) | Q(target=account)).filter(later, reversed_by__isnull=True)
    moved = moved.filter(Q(reverses__isnull=True) | ~taken_back)
    closings = MetalDay.objects.filter(person=row.person_id, process=row.process_id, reopened_at__isnull=True)
    return moved.exists() or closings.filter(pk__gt=row.pk).exists()


@unit_of_work
def days_reopen(
    people: Collection[tuple[int, int]],
    *,
    made_at: datetime,
    by: Principal,
    beside: Iterable[Account] = (),
    alloy_ids: Collection[int] = (),
) -> None:
    """For each person, reopen the earliest closing that covers the instant `made_at`.

    Call it before posting a movement that was made at `made_at`, and reported or weighed later. The differences of the
    closings go back to the people's accounts until the next closing. All balances are locked together, so that two
    movements cannot deadlock. 2 queries if there is nothing to reopen.

    `people`: pairs of person id and process id. `beside`, `alloy_ids`: the accounts and alloys of the movement.
    """
    accounts = Account.objects.filter(
        kind=AccountKind.person.value, user__in={user for user, _ in people}, process__in={one for _, one in people}
    )
    # The same lock as in `_close`: a closing and a movement that is reported later wait for each other here.
    locked = [
        one for one in accounts.select_for_update(no_key=True).order_by("pk") if (one.user_id, one.process_id) in people
    ]
    covering = MetalDay.objects.filter(
        person__in=[one.user_id for one in locked],
        process__in=[one.process_id for one in locked],
        closed_at__gte=made_at,
        day__gte=clock.day_of(made_at),
        reopened_at__isnull=True,
    )
    first: dict[tuple[int, int], MetalDay] = {}
    for row in covering.order_by("closed_at"):
        first.setdefault((row.person_id, row.process_id), row)
    rows = [row for key, row in first.items() if key in people and not row.reopened]
    if not rows:
        return
    difference = selectors.unreversed().filter(kind=EntryKind.close.value, record_id__in=[row.pk for row in rows])
    booked = list(difference.select_related("source", "target").order_by("pk"))
    lost, ends = ledger.lost(), [end for entry in booked for end in (entry.source, entry.target)]
    if booked:
        ledger.lock([*beside, *ends, lost], {*alloy_ids, *(entry.alloy_id for entry in booked)})
    entries = ledger.reverse(booked, by=by, at=clock.now(), cover=lost)
    for row in rows:
        row.reopened = True
        row.save(update_fields=["reopened"])
        auditing.record_reopened(row, by=by)
    publish_changed([*locked, *(end for entry in entries for end in (entry.source, entry.target))], by=by)


def erase_person(user_id: int, name: str) -> None:
    """Replace a person's name by `name` on the closed days. 2 queries."""
    MetalDay.objects.filter(person=user_id).update(person_name=name)
    MetalDay.objects.filter(closed_by=user_id).update(closed_by_name=name)
