"""REST of metal: accounts, the ledger, lots, closed days, refining and melting (infra/docs/rules.md#metal-office)."""

from collections.abc import Sequence
from typing import Annotated

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from ninja import Path, Query

from project.access.guard import Requires, SignedIn, caller
from project.access.permissions import Permission
from project.audit.exporting import export
from project.core import clock
from project.core.answers import Created
from project.core.errors import InvalidFields, NotFound
from project.core.grams import mg_or_none, tenths, to_mg
from project.core.idempotency import Repeat
from project.core.pagination import ListQuery, announce, paginate
from project.core.routing import domain_router
from project.core.schemas import Id
from project.metal import closing, counts, documents, lists, open_days, schemas, services
from project.metal.closing import Count, PersonDay
from project.metal.counts import AlloyCount, LotCount
from project.metal.models import MetalDay
from project.metal.services import Melt, Place

router = domain_router("metal")

READ = Requires(Permission.ViewMetal, Permission.ManageMetal)
MANAGE = Requires(Permission.ManageMetal)
CLOSE = Requires(Permission.CloseMetalDay, operators=True)
READ_DAY = Requires(Permission.ViewMetal, Permission.ManageMetal, Permission.CloseMetalDay, operators=True)
OWN_DAYS = 10
"""Maximum number of their own closed days that a person sees."""

PathId = Annotated[Id, Path()]


@router.get("/accounts", auth=READ, operation_id="metal_account_list")
def account_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.MetalAccountQuery]
) -> list[schemas.MetalAccountDocument]:
    """List accounts with their balances, by keyset. Accounts that hold nothing are listed only with `empty`."""
    rows = lists.accounts(
        search=query.search,
        kind=query.kind,
        user_id=query.user_id,
        process_id=query.production_process_id,
        empty=query.empty,
    )
    page = paginate(rows, query, lists.ACCOUNT_ORDERINGS)
    return [documents.account(row) for row in announce(page, request, response)]


@router.get("/summary", auth=READ, operation_id="metal_summary")
def summary(request: HttpRequest) -> list[schemas.MetalTotalOut]:
    """Sum what the accounts of each kind hold, by alloy. Across alloys, only fine grams are summed."""
    return [documents.total(kind, balances) for kind, balances in lists.totals().items()]


@router.get("/mine", auth=SignedIn("their own metal only"), operation_id="metal_own")
def mine(request: HttpRequest) -> schemas.MetalMineOut:
    """Return the metal that the caller holds, and their last closed days. 5 queries."""
    by = caller(request)
    closed = list(lists.days(user_id=by.user_id).order_by("-day", "-pk")[:OWN_DAYS])
    accounts = lists.accounts(user_id=by.user_id, empty=False).order_by("process__order", "pk")
    return schemas.MetalMineOut(accounts=[documents.account(row) for row in accounts], days=_days(closed))


@router.get("/entries", auth=READ, operation_id="metal_entry_list")
def entry_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.MetalEntryQuery]
) -> list[schemas.MetalEntryOut] | HttpResponseBase:
    """List the ledger by keyset, newest entry first. `format` returns the whole list as a file."""
    rows = lists.entries(
        search=query.search,
        account_id=query.account_id,
        alloy_id=query.alloy_id,
        person_id=query.person_id,
        kind=query.kind,
        date_from=query.date_from,
        date_to=query.date_to,
    )
    if query.format:
        return export(request, rows, query, lists.ENTRY_ORDERINGS, documents.ENTRY_COLUMNS, "metal-entries")
    page = paginate(rows, query, lists.ENTRY_ORDERINGS)
    return [documents.entry(row) for row in announce(page, request, response)]


@router.get("/entries/{int:entry_id}", auth=READ, operation_id="metal_entry_get")
def entry_get(request: HttpRequest, entry_id: PathId) -> schemas.MetalEntryOut:
    return documents.entry(_found(lists.entries().filter(pk=entry_id).first()))


@router.post(
    "/entries",
    auth=MANAGE,
    operation_id="metal_entry_create",
    repeat=Repeat(entry_get, made="entry_id"),
)
def transfer_create(request: HttpRequest, body: schemas.MetalTransferIn) -> Created[schemas.MetalEntryOut]:
    """Move metal between two accounts by hand.

    If metal leaves the vault and `lotId` is not sent, the oldest lots give the metal. Each of these lots gets an entry;
    the answer is the first entry. 409 `not_enough_metal`, `lot_used_up`. 422 `not_transferable` for an account of a
    kind (such as a line) that no transfer may change.
    """
    entry = services.transfer(
        source=Place(
            "from",
            body.from_account_id,
            body.from_kind,
            body.from_user_id,
            body.from_production_process_id,
            body.from_name,
        ),
        target=Place(
            "to", body.to_account_id, body.to_kind, body.to_user_id, body.to_production_process_id, body.to_name
        ),
        alloy_id=body.alloy_id,
        mg=to_mg(body.grams),
        lot_id=body.lot_id,
        reason=body.reason,
        notes=body.notes,
        by=caller(request),
    )
    return Created(entry_get(request, entry.pk))


@router.get("/lots", auth=READ, operation_id="metal_lot_list")
def lot_list(request: HttpRequest, response: HttpResponse, query: Query[ListQuery]) -> list[schemas.MetalLotOut]:
    """List lots by keyset, newest day first, each with the metal that is left in the vault."""
    page = paginate(lists.lots(query.search), query, lists.LOT_ORDERINGS)
    return [documents.lot(row) for row in announce(page, request, response)]


@router.get("/lots/{int:lot_id}", auth=READ, operation_id="metal_lot_get")
def lot_get(request: HttpRequest, lot_id: PathId) -> schemas.MetalLotOut:
    return documents.lot(_found(lists.lots().filter(pk=lot_id).first()))


@router.post(
    "/lots",
    auth=MANAGE,
    operation_id="metal_lot_create",
    repeat=Repeat(lot_get, made="lot_id"),
)
def receipt_create(request: HttpRequest, body: schemas.MetalReceiptIn) -> Created[schemas.MetalLotOut]:
    """Receive bought metal into the vault as a new lot.

    Without `confirm`: 409 `same_document` if the supplier already has a lot with this document, and 409 `receipt_far`
    if the receipt is far larger than any earlier receipt of the alloy.
    """
    lot = services.lot_create(
        alloy_id=body.alloy_id,
        mg=to_mg(body.grams),
        supplier=body.supplier,
        document=body.document,
        assay=None if body.assay is None else tenths(body.assay),
        day=body.day or clock.today(),
        confirm=body.confirm,
        by=caller(request),
    )
    return Created(lot_get(request, lot.pk))


@router.get("/days/expected", auth=READ_DAY, operation_id="metal_day_expected")
def day_expected(request: HttpRequest, query: Query[schemas.MetalDayQuery]) -> schemas.MetalDayExpectedOut:
    """Return the metal that a person should have at a process, before it is counted.

    Readers of metal may ask about any person, others only about themselves.
    """
    by = caller(request)
    user_id = query.user_id or by.user_id
    if user_id != by.user_id and not by.holds(Permission.ViewMetal, Permission.ManageMetal):
        raise InvalidFields.of("userId", "unknown")
    found = lists.expected(user_id, query.production_process_id, query.day or clock.today())
    return documents.expected(found, _days(found.closings))


@router.get("/days/open", auth=READ, operation_id="metal_day_open_list")
def day_open_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.MetalOpenDayQuery]
) -> list[schemas.MetalOpenDayOut]:
    """List the people who hold metal that has moved since their last closing, by keyset."""
    rows = open_days.open_days(process_id=query.production_process_id)
    page = paginate(rows, query, lists.OPEN_DAY_ORDERINGS)
    return [documents.open_day(row) for row in announce(page, request, response)]


@router.get("/days", auth=READ, operation_id="metal_day_list")
def day_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.MetalDayListQuery]
) -> list[schemas.MetalDayOut]:
    """List closed days by keyset, newest first."""
    rows = lists.days(
        user_id=query.user_id,
        process_id=query.production_process_id,
        reopened=query.reopened,
        date_from=query.date_from,
        date_to=query.date_to,
    )
    return _days(announce(paginate(rows, query, lists.DAY_ORDERINGS), request, response))


@router.get("/days/{int:day_id}", auth=READ_DAY, operation_id="metal_day_get")
def day_get(request: HttpRequest, day_id: PathId) -> schemas.MetalDayOut:
    """Return a closed day. Readers of metal may read any, others their own and those that they closed."""
    (row,) = _days([lists.day_for(day_id, caller(request))])
    return row


@router.post("/days", auth=CLOSE, operation_id="metal_day_create")
def day_close(request: HttpRequest, body: schemas.MetalDayIn) -> Created[schemas.MetalDayOut]:
    """Close the day of the person with the PIN or badge; without both, the caller's own day.

    Missing metal is booked as dust if the process recovers its dust, else as `lost`. 409 `day_closed`,
    `later_day_closed`, `nothing_to_close`, and `expected_far` for a count that the caller must confirm. 422
    `unknown_operator`.
    """
    row = closing.day_close(
        process_id=body.production_process_id,
        user_id=body.user_id,
        pin=body.pin,
        badge=body.badge,
        day=body.day,
        counts=_counts(body.alloys),
        notes=body.notes,
        confirm=body.confirm,
        reason=body.reason,
        by=caller(request),
    )
    (made,) = _days([row])
    return Created(made)


@router.post("/days/{int:day_id}/reopen", auth=CLOSE, operation_id="metal_day_reopen")
def day_reopen(request: HttpRequest, day_id: PathId) -> schemas.MetalDayOut:
    """Take a closing back: its entries are reversed, and the day can be closed again.

    Allowed to the person whose day it is, to the person who closed it, and to holders of `ManageMetal`. 409
    `already_reopened`, `moved_since` if metal of the person has moved or was counted since, and `not_enough_metal` if
    the swept dust is gone.
    """
    closing.day_take_back(day_id=day_id, by=caller(request))
    return day_get(request, day_id)


def days_closed(request: HttpRequest, day_ids: list[int]) -> list[schemas.MetalDayOut]:
    """Return the closed days again if the request of `people_close` is repeated."""
    return _days(lists.days_by_id(day_ids))


@router.post(
    "/days/people",
    auth=MANAGE,
    operation_id="metal_day_for_people_create",
    repeat=Repeat(days_closed, made="day_ids"),
)
def people_close(request: HttpRequest, body: schemas.MetalDaysIn) -> Created[list[schemas.MetalDayOut]]:
    """Close the days of several people, all of them or none."""
    rows = closing.days_close(
        people=[
            PersonDay(
                one.user_id,
                one.production_process_id,
                _counts(one.alloys),
                one.notes,
                one.confirm,
                one.reason,
                path=f"people.{place}.",
            )
            for place, one in enumerate(body.people)
        ],
        day=body.day,
        by=caller(request),
    )
    return Created(_days(rows))


@router.get("/counts/expected", auth=READ, operation_id="metal_count_expected")
def count_expected(request: HttpRequest) -> list[schemas.MetalCountExpectedOut]:
    """Return what should be in the vault, by alloy and lot."""
    return [documents.in_vault(row.alloy, row.lot, row.mg) for row in counts.expected()]


@router.get("/counts", auth=READ, operation_id="metal_count_list")
def count_list(request: HttpRequest, response: HttpResponse, query: Query[ListQuery]) -> list[schemas.MetalCountOut]:
    """List counts of the vault by keyset, newest first."""
    page = paginate(counts.counts(query.search), query, counts.COUNT_ORDERINGS)
    return [documents.count(row) for row in announce(page, request, response)]


@router.get("/counts/{int:count_id}", auth=READ, operation_id="metal_count_get")
def count_get(request: HttpRequest, count_id: PathId) -> schemas.MetalCountOut:
    return documents.count(_found(counts.counts().filter(pk=count_id).first()))


@router.post("/counts", auth=MANAGE, operation_id="metal_count_create")
def count_create(request: HttpRequest, body: schemas.MetalVaultCountIn) -> Created[schemas.MetalCountOut]:
    """Store a count of the vault by two people. Each difference moves between the vault and `lost`.

    409 `expected_changed` if the books have changed since the figures were shown. 409 `count_far` without `confirm` for
    a count that may be a typing error. 422 `required` if an alloy differs and has no `reason`.
    """
    row = counts.count_create(
        counted_by_id=body.counted_by_id,
        witness_id=body.witness_id,
        alloys=[
            AlloyCount(
                one.alloy_id,
                one.reason,
                [LotCount(lot.lot_id, to_mg(lot.expected_grams), to_mg(lot.counted_grams)) for lot in one.lots],
            )
            for one in body.alloys
        ],
        notes=body.notes,
        by=caller(request),
        confirm=body.confirm,
    )
    return Created(count_get(request, row.pk))


@router.get("/refinings", auth=READ, operation_id="metal_refining_list")
def refining_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.MetalRefiningQuery]
) -> list[schemas.MetalRefiningOut]:
    """List refinings by keyset, the newest first, each with the share of each process."""
    rows = lists.refinings(search=query.search, pending=query.pending)
    page = paginate(rows, query, lists.REFINING_ORDERINGS)
    return [documents.refining(row) for row in announce(page, request, response)]


REFINING = "/refinings/{int:refining_id}"


@router.get(REFINING, auth=READ, operation_id="metal_refining_get")
def refining_get(request: HttpRequest, refining_id: PathId) -> schemas.MetalRefiningOut:
    return documents.refining(_found(lists.refinings().filter(pk=refining_id).first()))


@router.post("/refinings", auth=MANAGE, operation_id="metal_refining_create")
def refining_create(request: HttpRequest, body: schemas.MetalRefiningIn) -> Created[schemas.MetalRefiningOut]:
    """Send dust and scrap to be refined. 409 `not_enough_metal`."""
    if not body.sources:
        raise InvalidFields.of("sources", "required")
    sources: dict[int | None, int] = {}
    for place, one in enumerate(body.sources):
        if one.production_process_id in sources:
            raise InvalidFields.of(f"sources.{place}.productionProcessId", "named_twice")
        sources[one.production_process_id] = to_mg(one.grams)
    row = services.refining_send(
        partner=body.partner,
        alloy_id=body.alloy_id,
        sources=sources,
        expected_fine_mg=None if body.expected_fine_grams is None else to_mg(body.expected_fine_grams),
        notes=body.notes,
        by=caller(request),
    )
    return Created(refining_get(request, row.pk))


@router.post(REFINING + "/return", auth=MANAGE, operation_id="metal_refining_return")
def refining_return(request: HttpRequest, refining_id: PathId, body: schemas.MetalReturnIn) -> schemas.MetalRefiningOut:
    """Receive the metal that came back from the refinery into the vault. 409 `already_returned`."""
    services.refining_return(
        refining_id=refining_id,
        alloy_id=body.alloy_id,
        mg=to_mg(body.grams),
        assay=None if body.assay is None else tenths(body.assay),
        notes=body.notes,
        by=caller(request),
    )
    return refining_get(request, refining_id)


@router.get("/meltings", auth=READ, operation_id="metal_melting_list")
def melting_list(
    request: HttpRequest, response: HttpResponse, query: Query[ListQuery]
) -> list[schemas.MetalMeltingOut]:
    """List meltings by keyset, newest first."""
    page = paginate(lists.meltings(query.search), query, lists.MELTING_ORDERINGS)
    rows = announce(page, request, response)
    inputs = lists.melted([row.pk for row in rows])
    return [documents.melting(row, inputs[row.pk]) for row in rows]


@router.get("/meltings/{int:melting_id}", auth=READ, operation_id="metal_melting_get")
def melting_get(request: HttpRequest, melting_id: PathId) -> schemas.MetalMeltingOut:
    row = _found(lists.meltings().filter(pk=melting_id).first())
    return documents.melting(row, lists.melted([row.pk])[row.pk])


@router.post("/meltings", auth=MANAGE, operation_id="metal_melting_create")
def melting_create(request: HttpRequest, body: schemas.MetalMeltingIn) -> Created[schemas.MetalMeltingOut]:
    """Melt several alloys into one. 409 `not_enough_metal`.

    422 `required` on `reason` if the fine metal in and out differs by more than the scale's steps.
    """
    row = services.melting_create(
        inputs=[Melt(one.alloy_id, to_mg(one.grams), one.scrap) for one in body.inputs],
        alloy_id=body.alloy_id,
        mg=to_mg(body.grams),
        reason=body.reason,
        by=caller(request),
    )
    return Created(melting_get(request, row.pk))


def _counts(rows: Sequence[schemas.MetalCountIn]) -> list[Count]:
    return [
        Count(one.alloy_id, to_mg(one.counted_grams), to_mg(one.dust_grams), mg_or_none(one.expected_grams))
        for one in rows
    ]


def _days(rows: Sequence[MetalDay]) -> list[schemas.MetalDayOut]:
    """Present closed days loaded by `lists.days`."""
    return [documents.day(row) for row in rows]


def _found[Row](row: Row | None) -> Row:
    if row is None:
        raise NotFound
    return row
