"""Defines the catalog of production processes, with their workers."""

from collections.abc import Sequence
from functools import partial
from itertools import batched
from typing import Annotated, Any, Literal

from django.db.models import Max, QuerySet
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from pydantic import Field

from project.access.guard import Requires, caller
from project.access.permissions import Permission
from project.access.principal import Principal
from project.audit.services import Snapshot
from project.catalogs import heads
from project.catalogs.cells import as_flag, as_number, as_price, as_whole
from project.catalogs.columns import exported, plain, price_with_decimals, worded
from project.catalogs.definition import CatalogDefinition, Fields
from project.catalogs.models import ProductionProcess, Weighs
from project.catalogs.schemas import CatalogQuery
from project.catalogs.selectors import BY_ORDER
from project.catalogs.services import BATCH, keep_prices, refuse_unknown
from project.core.money import plant_currency
from project.core.options import OptionOut
from project.core.queries import Turn, take_turn
from project.core.schemas import (
    UNSET,
    Flag,
    Id,
    In,
    Money,
    Name,
    OneLine,
    Out,
    PerMille,
    PerMilleOut,
    PlantPriceIn,
)
from project.core.texts import either, text
from project.identity import rights
from project.identity.models import User
from project.identity.selectors import WORKING
from project.staffing import rules, selectors, services
from project.staffing.models import ProcessWorker


class ProcessQuery(CatalogQuery):
    """The parameters of the list of processes. `filterByUser`: only the processes that the caller works in."""

    filter_by_user: bool = False


class ProductionProcessIn(In):
    """A process. A new process without `order` comes last. `nameEnglish`: the name for customers who read English.

    `weighs`: whether pieces are weighed when they enter and leave. `allowedLoss`: the loss of metal that is allowed, in
    per mille. `recovers`: lost metal is dust that is swept up. `gains`: pieces may gain metal, which comes from the
    bath of the process.
    """

    name: Name
    name_english: OneLine = ""
    order: Annotated[int, Field(strict=True, ge=1, le=rules.LAST_ORDER)] = UNSET
    status: Flag = True
    price: PlantPriceIn = Field(default=0, validate_default=True)
    weighs: Weighs = Weighs.no
    allowed_loss: PerMille | None = None
    recovers: Flag = False
    gains: Flag = False
    user_ids: list[Id] = []


class ProductionProcessOut(Out):
    kind: Literal["process"] = "process"
    id: int
    name: str
    name_english: str
    order: int
    status: bool
    price: Money
    currency: str
    weighs: Weighs
    allowed_loss: PerMilleOut | None
    recovers: bool
    gains: bool
    user_ids: list[int]
    version: int


def _process(row: ProductionProcess) -> ProductionProcessOut:
    return ProductionProcessOut(
        id=row.pk,
        name=row.name,
        name_english=row.name_english,
        order=row.order,
        status=row.status,
        price=row.price,
        currency=plant_currency(),
        weighs=Weighs(row.weighs),
        allowed_loss=row.allowed_loss,
        recovers=row.recovers,
        gains=row.gains,
        user_ids=sorted(one.user_id for one in row.workers.all()),
        version=row.version,
    )


class ProcessOptionOut(OptionOut):
    """A process as all staff, operators and displays may read it, because documents of lines contain only its id."""

    name_english: str
    order: int
    weighs: Weighs


class RequiresUnlessOwn(Requires):
    """As `Requires`, but callers without the permission may list their own processes (`filterByUser=true`).

    Displays and operators may only list the names to choose from (`fields=options`).
    """

    def admits(self, request: HttpRequest, principal: Principal) -> bool:
        if principal.is_display or principal.station is not None:
            return request.GET.get("fields") == "options"
        return request.GET.get("filterByUser") == "true" or super().admits(request, principal)


def _own(rows: QuerySet[ProductionProcess], query: Any, by: Principal) -> QuerySet[ProductionProcess]:
    return rows.filter(workers__user=by.user_id) if query.filter_by_user else rows


def _in_scope(rows: QuerySet[ProductionProcess], request: HttpRequest) -> QuerySet[ProductionProcess]:
    """Leave out the processes that a display with its own lanes does not show."""
    scope = caller(request).scope
    return rows if scope is None else rows.filter(pk__in=scope)


def _hide_other_workers(shown: ProductionProcessOut, by: Principal) -> ProductionProcessOut:
    """Hide the other workers of a process from callers who may not list processes."""
    readable = shown.user_ids if by.holds(Permission.ListProductionProcesses) else [by.user_id]
    return shown.model_copy(update={"user_ids": readable})


def _check_workers(fields: Fields) -> None:
    refuse_unknown(User, {f"userIds.{index}": one for index, one in enumerate(fields.get("user_ids", []))})


def _place_last(rows: Sequence[ProductionProcess]) -> None:
    """Give the processes without an `order` numbers after all others, in the sequence of `rows`. At most 2 queries.

    Concurrent calls wait for each other, so that they do not give the same number twice.
    """
    unplaced = [row for row in rows if row.order is None]
    if not unplaced:
        return
    take_turn(Turn.PLACING_PROCESSES)
    highest: int = ProductionProcess.objects.aggregate(order=Coalesce(Max("order"), 0))["order"]
    last = max([highest, *(row.order for row in rows if row.order is not None)])
    for place, row in enumerate(unplaced, start=last + 1):
        row.order = min(place, rules.LAST_ORDER)


def _take_on_the_owner(rows: Sequence[tuple[ProductionProcess, Fields]], by: Principal) -> None:
    """Assign new processes that name nobody to who makes them, while there is no other staff."""
    unnamed = [row.pk for row, fields in rows if row.version == 1 and not fields.get("user_ids")]
    if unnamed and list(User.objects.filter(**WORKING).values_list("pk", flat=True)[:2]) == [by.user_id]:
        services.add_workers((by.user_id, process) for process in unnamed)


def _write_workers_and_prices(rows: Sequence[tuple[ProductionProcess, Fields]], by: Principal) -> None:
    for row, fields in rows:
        if "user_ids" in fields:
            wanted = set(fields["user_ids"])
            added = wanted - {one.user_id for one in row.workers.all()}
            rules.check_processes(by, given={row.pk} if added else set(), own=selectors.processes_of(by.user_id))
            ProcessWorker.objects.filter(process=row).exclude(user__in=wanted).delete()
            services.add_workers((user_id, row.pk) for user_id in wanted)
    _take_on_the_owner(rows, by)
    for batch in batched(rows, BATCH):
        keep_prices([row for row, _ in batch], by)


def _publish_rights(before: Snapshot | None, after: Snapshot | None, by: Principal) -> None:
    """Send `permissions.changed` to users who join or leave a process, and to all its workers if its status changes."""
    given = ({(user_id, kept["status"]) for user_id in kept["userIds"]} if kept else set() for kept in (before, after))
    rights.changed_for(sorted({user_id for user_id, _ in set.symmetric_difference(*given)}), by)


PRODUCTION_PROCESSES = CatalogDefinition(
    name="production-processes",
    model=ProductionProcess,
    body=ProductionProcessIn,
    answer=ProductionProcessOut,
    present=_process,
    reads=Permission.ListProductionProcesses,
    guard=partial(RequiresUnlessOwn, displays=True, operators=True),
    option_schema=ProcessOptionOut,
    narrow_options=_in_scope,
    query=ProcessQuery,
    queryset=selectors.production_processes,
    orderings=BY_ORDER,
    searched=("name", "name_english"),
    narrow=_own,
    listed=_hide_other_workers,
    option_place="order",
    check=_check_workers,
    fill_in=_place_last,
    related_fields=frozenset({"user_ids"}),
    write_related=_write_workers_and_prices,
    related_snapshot=lambda row: {"user_ids": sorted(one.user_id for one in row.workers.all())},
    publish_related=_publish_rights,
    on_board=("name", "order", "status", "weighs"),
    proposed=heads.PROCESSES,
    columns=(
        plain("order", as_whole),
        plain("name"),
        plain("nameEnglish"),
        plain("price", as_price, lambda row: price_with_decimals(row.price, plant_currency())),
        exported("currency", lambda row: plant_currency()),
        plain("status", as_flag),
        worded("weighs", Weighs),
        plain("allowedLoss", as_number),
        plain("recovers", as_flag),
        plain("gains", as_flag),
    ),
    # The heading of `order` in files of earlier releases.
    also_called={"orden": "order", "order": "order"},
    example=lambda: ("1", either("Fundición", "Casting"), "Casting", "12.50", text("yes"), "", "20", text("yes")),
)
