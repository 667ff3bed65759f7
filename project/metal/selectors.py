"""Reads of accounts and entries. The number of queries does not grow with the number of rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, Sum, When

from project.catalogs.models import Alloy, Tray
from project.core.errors import InvalidFields
from project.core.grams import to_grams
from project.metal.models import Account, AccountKind, Balance, EntryKind, Lot, MetalEntry
from project.metal.rules import Weights


def balances(
    *, kind: str | None = None, user_id: int | None = None, process_id: int | None = None
) -> QuerySet[Balance]:
    """Return the balances that are not 0, with their accounts, people, processes and alloys."""
    rows = Balance.objects.exclude(mg=0).select_related("account__user", "account__process", "alloy")
    if kind is not None:
        rows = rows.filter(account__kind=kind)
    if user_id is not None:
        rows = rows.filter(account__user=user_id)
    if process_id is not None:
        rows = rows.filter(account__process=process_id)
    return rows


def balance_of(account: Account, alloy_id: int) -> int:
    """Return the milligrams of an alloy that an account holds. 1 query."""
    found = Balance.objects.filter(account=account, alloy=alloy_id).values_list("mg", flat=True).first()
    return found or 0


def entries() -> QuerySet[MetalEntry]:
    """Return all entries, each loaded with its accounts, alloy, lot and people."""
    return MetalEntry.objects.select_related(
        *(f"{end}{one}" for end in ("source", "target") for one in ("", "__user", "__process")),
        "alloy",
        "lot",
        "line",
        "person",
        "by",
    )


def finenesses(rows: Sequence[MetalEntry], alloys: Mapping[int, Alloy]) -> list[int]:
    """Return the fineness of each entry: the assay of its lot, else that of its alloy. 1 query; none without lots."""
    lot_ids = {one.lot_id for one in rows if one.lot_id is not None}
    found = Lot.objects.filter(pk__in=lot_ids, assay__isnull=False) if lot_ids else Lot.objects.none()
    assays: dict[int | None, int | None] = dict(found.values_list("pk", "assay"))
    return [alloys[one.alloy_id].fineness if (assay := assays.get(one.lot_id)) is None else assay for one in rows]


def check_added(mg: int | None, alloy_id: int | None) -> None:
    """Check the alloy of added metal (`mg`). 1 query; none without `alloy_id`. Raises `InvalidFields`."""
    if alloy_id is None:
        return
    if not mg:
        raise InvalidFields.of("addedGrams", "required")
    if not Alloy.objects.filter(pk=alloy_id, status=True).exists():
        raise InvalidFields.of("addedAlloyId", "unknown")


def looked_up(weights: Weights) -> Weights:
    """Check the tray, the lot and the alloy that `weights` names. Returns the weights without the tray.

    Sets `lot_alloy_id` and `tare`. 1 query for each that is named. Raises `InvalidFields`.
    """
    check_added(weights.added, weights.added_alloy_id)
    if weights.lot_id is not None:
        lot = Lot.objects.filter(pk=weights.lot_id).first()
        if lot is None:
            raise InvalidFields.of("lotId", "unknown")
        weights = replace(weights, lot_alloy_id=lot.alloy_id)
    if weights.tray_id is not None and weights.mg is not None:
        tray = Tray.objects.filter(pk=weights.tray_id, status=True).first()
        if tray is None:
            raise InvalidFields.of("trayId", "unknown")
        if tray.mg >= weights.mg:
            raise InvalidFields.of("grams", "lighter_than_tray", tray=tray.code, grams=float(to_grams(tray.mg)))
        weights = replace(weights, mg=weights.mg - tray.mg, tare=tray.mg)
    return weights


def unreversed() -> QuerySet[MetalEntry]:
    """Return the entries that count: neither reversed nor a reversal."""
    return MetalEntry.objects.filter(reversed_by__isnull=True).exclude(kind=EntryKind.reversal.value)


def finished_of(order: str, position: str) -> Subquery:
    """Return a subquery: the finished milligrams of a line, summed over alloys; null if none was ever finished.

    `order` and `position`: the columns of the outer query that identify the line.
    """
    finished = AccountKind.finished.value
    moved = MetalEntry.objects.filter(
        Q(source__kind=finished) | Q(target__kind=finished),
        line__sales_order_id=OuterRef(order),
        line__position=OuterRef(position),
    )
    signed = Case(When(target__kind=finished, then=F("mg")), default=-F("mg"))
    return Subquery(moved.order_by().values("line").annotate(sum=Sum(signed)).values("sum"))


def sums_by_alloy() -> dict[int, int]:
    """Return the sum of all balances for each alloy, which must be 0. 1 query."""
    rows = Balance.objects.order_by().values_list("alloy").annotate(sum=Sum("mg"))
    return dict(rows)


def differing_lots(limit: int = 5) -> list[tuple[int, int, int]]:
    """Return at most `limit` lots whose stored metal differs from the sum of their entries. 3 queries.

    Each is (lot id, stored milligrams, milligrams by the entries).
    """
    stored = dict(Lot.objects.values_list("pk", "left_mg"))
    found = dict.fromkeys(stored, 0)
    for end, sign in (("target", 1), ("source", -1)):
        moved = MetalEntry.objects.filter(lot__isnull=False, **{f"{end}__kind": AccountKind.vault.value}).order_by()
        for lot_id, mg in moved.values_list("lot").annotate(sum=Sum("mg")):
            found[lot_id] += sign * mg
    return [(pk, mg, found[pk]) for pk, mg in sorted(stored.items()) if mg != found[pk]][:limit]


def differing_balances(limit: int = 5) -> list[tuple[int, int, int, int]]:
    """Return at most `limit` balances that differ from the sum of their entries. 3 queries.

    Each is (account id, alloy id, stored milligrams, milligrams by the entries).
    """
    kept = {(account, alloy): mg for account, alloy, mg in Balance.objects.values_list("account", "alloy", "mg")}
    found: dict[tuple[int, int], int] = {}
    for end, sign in (("target", 1), ("source", -1)):
        rows = MetalEntry.objects.order_by().values_list(end, "alloy").annotate(sum=Sum("mg"))
        for account, alloy, mg in rows:
            found[account, alloy] = found.get((account, alloy), 0) + sign * mg
    differing = sorted(key for key in kept.keys() | found.keys() if kept.get(key, 0) != found.get(key, 0))
    return [(*key, kept.get(key, 0), found.get(key, 0)) for key in differing[:limit]]
