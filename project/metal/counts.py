"""Count the vault: compare what is there with the books, and book the difference (infra/docs/rules.md#metal-counts)."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from project.access.principal import Principal
from project.catalogs.models import Alloy
from project.core import clock
from project.core.errors import FieldError, InvalidFields, Refusal
from project.core.idempotency import unit_of_work
from project.core.pagination import Orderings
from project.core.spanish import matching
from project.identity.models import User, UserType
from project.metal import auditing, ledger, lists
from project.metal.closing import ExpectedChanged
from project.metal.events import publish_changed
from project.metal.ledger import Posting
from project.metal.models import AccountKind, Balance, EntryKind, Lot, MetalCount, MetalCountRow
from project.metal.rules import ASKS_FROM_MG, to_grams

FAR_TIMES = 5
"""How many times more or less than the books say a count is asked about."""
COUNT_ORDERINGS = Orderings(columns={"id": "id", "at": "at"}, default="-at")


class CountFar(Refusal):
    """A lot weighs many times more or less than the books say. The user must confirm the count."""

    code = "count_far"


@dataclass(frozen=True)
class InVault:
    """The milligrams of an alloy and lot that should be in the vault. `lot` None: metal without a lot."""

    alloy: Alloy
    lot: Lot | None
    mg: int


@dataclass(frozen=True)
class LotCount:
    """The count of a lot, in milligrams. `lot_id` None: metal without a lot. `expected`: what the caller was shown."""

    lot_id: int | None
    expected: int
    counted: int


@dataclass(frozen=True)
class AlloyCount:
    """The count of an alloy in the vault. `reason`: why it differs from the books."""

    alloy_id: int
    reason: str
    lots: Sequence[LotCount]


def expected() -> list[InVault]:
    """Return what should be in the vault, by alloy and lot: the oldest lot first, metal without a lot last. 3 queries.

    If more is left of an alloy's lots than the vault holds, the oldest lots are assumed to be used up.
    """
    balances = Balance.objects.filter(account__kind=AccountKind.vault.value, mg__gt=0).select_related("alloy")
    alloys = {row.alloy_id: row.alloy for row in balances.order_by("alloy_id")}
    left = {row.alloy_id: row.mg for row in balances}
    rows: dict[int, list[InVault]] = {alloy_id: [] for alloy_id in alloys}
    for lot in lists.lots().filter(alloy__in=alloys).order_by("-day", "-pk"):
        mg = min(lot.left_mg, left[lot.alloy_id])
        if mg > 0:
            rows[lot.alloy_id].insert(0, InVault(alloys[lot.alloy_id], lot, mg))
            left[lot.alloy_id] -= mg
    for alloy_id, mg in left.items():
        if mg:
            rows[alloy_id].append(InVault(alloys[alloy_id], None, mg))
    return [row for of_alloy in rows.values() for row in of_alloy]


def counts(search: str | None = None) -> QuerySet[MetalCount]:
    """Return counts of the vault with their rows. 2 queries."""
    rows = MetalCountRow.objects.select_related("lot").order_by("alloy_id", "pk")
    found = MetalCount.objects.select_related("counted_by", "witness", "by").prefetch_related(
        Prefetch("rows", queryset=rows)
    )
    return matching(found, search, "notes")


@unit_of_work
def count_create(
    *,
    counted_by_id: int,
    witness_id: int,
    alloys: Sequence[AlloyCount],
    notes: str,
    by: Principal,
    confirm: bool = False,
) -> MetalCount:
    """Store a count of the vault, and move its differences between the vault and `lost`.

    Raises `InvalidFields`, `ExpectedChanged` if the books differ from what the caller was shown, and without `confirm`
    `CountFar` for a count that may be a typing error.
    """
    known = _checked(counted_by_id, witness_id, alloys)
    vault, lost = ledger.vault(), ledger.lost()
    ledger.lock([vault, lost], known.keys())
    # What is left of a lot changes only under the lock of the vault's balance.
    rows = _rows(alloys, known)
    if not confirm:
        _check_not_far(rows)
    count = MetalCount.objects.create(
        at=clock.now(), counted_by_id=counted_by_id, witness_id=witness_id, by_id=by.user_id, notes=notes
    )
    for row in rows:
        row.count = count
    MetalCountRow.objects.bulk_create(rows)
    postings = [
        Posting(
            source=vault if row.difference_mg > 0 else lost,
            target=lost if row.difference_mg > 0 else vault,
            alloy_id=row.alloy_id,
            mg=abs(row.difference_mg),
            kind=EntryKind.adjust,
            record_id=count.pk,
            lot_id=row.lot_id,
            reason=row.reason,
        )
        for row in rows
        if row.difference_mg
    ]
    entries = ledger.post(postings, by=by, at=count.at)
    auditing.record("metal-count", count, "created", by=by, metal=auditing.moved(entries))
    publish_changed([vault, *(end for entry in entries for end in (entry.source, entry.target))], by=by)
    return count


def _check_not_far(rows: Sequence[MetalCountRow]) -> None:
    """Raise `CountFar` for a lot that weighs `FAR_TIMES` more or less than the books say, but not for nothing."""
    for row in rows:
        few, many = sorted((row.expected_mg, row.counted_mg))
        if few and many - few > ASKS_FROM_MG and many >= FAR_TIMES * few:
            expected, counted = float(to_grams(row.expected_mg)), float(to_grams(row.counted_mg))
            raise CountFar(
                alloyId=row.alloy_id, alloy=row.alloy_name, lotId=row.lot_id, expected=expected, counted=counted
            )


def _checked(counted_by_id: int, witness_id: int, alloys: Sequence[AlloyCount]) -> dict[int, Alloy]:
    """Return the alloys by id. Raises `InvalidFields` for people, alloys and lots that are unknown or named twice."""
    if not alloys:
        raise InvalidFields.of("alloys", "required")
    staff = User.objects.filter(user_type=UserType.INTERNAL, active=True)
    people = set(staff.filter(pk__in=[counted_by_id, witness_id]).values_list("pk", flat=True))
    known = Alloy.objects.in_bulk([one.alloy_id for one in alloys])
    lots = dict(
        Lot.objects.filter(pk__in=[lot.lot_id for one in alloys for lot in one.lots if lot.lot_id]).values_list(
            "pk", "alloy"
        )
    )
    errors = [
        FieldError(field, "unknown")
        for field, user_id in (("countedById", counted_by_id), ("witnessId", witness_id))
        if user_id not in people
    ]
    if counted_by_id == witness_id:
        errors.append(FieldError("witnessId", "named_twice"))
    seen: set[int] = set()
    for place, one in enumerate(alloys):
        field = f"alloys.{place}"
        if one.alloy_id not in known:
            errors.append(FieldError(f"{field}.alloyId", "unknown"))
        elif one.alloy_id in seen:
            errors.append(FieldError(f"{field}.alloyId", "named_twice"))
        seen.add(one.alloy_id)
        of_alloy: set[int | None] = set()
        for number, lot in enumerate(one.lots):
            if lot.lot_id is not None and lots.get(lot.lot_id) != one.alloy_id:
                errors.append(FieldError(f"{field}.lots.{number}.lotId", "unknown"))
            elif lot.lot_id in of_alloy:
                errors.append(FieldError(f"{field}.lots.{number}.lotId", "named_twice"))
            of_alloy.add(lot.lot_id)
    if errors:
        raise InvalidFields(errors=errors)
    return known


def _rows(alloys: Sequence[AlloyCount], known: dict[int, Alloy]) -> list[MetalCountRow]:
    """Compare the counts with the books. The vault's balances are locked.

    Raises `ExpectedChanged`, and `InvalidFields` if a lot was not counted or a difference has no reason.
    """
    books: dict[int, dict[int | None, int]] = {one.alloy_id: {} for one in alloys}
    for found in expected():
        if found.alloy.pk in books:
            books[found.alloy.pk][found.lot.pk if found.lot else None] = found.mg
    changed = [
        one.alloy_id
        for one in alloys
        if any(lot.expected != books[one.alloy_id].get(lot.lot_id, 0) for lot in one.lots)
    ]
    if changed:
        raise ExpectedChanged(alloyIds=changed)
    rows: list[MetalCountRow] = []
    errors: list[FieldError] = []
    for place, one in enumerate(alloys):
        if books[one.alloy_id].keys() - {lot.lot_id for lot in one.lots}:
            raise InvalidFields.of(f"alloys.{place}.lots", "not_all_counted", alloys=[known[one.alloy_id].name])
        if not one.reason.strip() and any(lot.expected != lot.counted for lot in one.lots):
            errors.append(FieldError(f"alloys.{place}.reason", "required"))
        rows += [
            MetalCountRow(
                alloy_id=one.alloy_id,
                alloy_name=known[one.alloy_id].name,
                fineness=known[one.alloy_id].fineness,
                lot_id=lot.lot_id,
                expected_mg=lot.expected,
                counted_mg=lot.counted,
                difference_mg=lot.expected - lot.counted,
                reason=one.reason,
            )
            for lot in one.lots
        ]
    if errors:
        raise InvalidFields(errors=errors)
    return rows
