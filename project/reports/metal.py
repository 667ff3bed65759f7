"""The reports of metal: loss against the allowance, what is to recover, and the refinery against the books.

No report is by person. Where people's losses were compared, the losses fell, but the refiner found foreign metal.
See infra/docs/rules.md#metal-reports.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponseBase
from ninja import Query

from project.access.guard import Requires
from project.access.permissions import Permission
from project.audit.exporting import export_table
from project.catalogs.models import Alloy, Item, ProductionProcess
from project.core import clock
from project.core.exporting import Column, TableQuery
from project.core.grams import to_grams
from project.core.routing import domain_router
from project.core.schemas import GramsOut, Instant, Out, PerMilleOut, QueryId
from project.core.texts import named, text
from project.metal import documents, lists
from project.metal.models import AccountKind
from project.metal.rules import fine_mg, is_above, loss_per_mille
from project.metal.selectors import balances
from project.orders.models import ProcessRecord
from project.reports.schemas import FlowQuery, ThroughputQuery

router = domain_router("reports")
READ = Requires(Permission.ViewMetal, Permission.ManageMetal)
TO_RECOVER = (AccountKind.dust, AccountKind.scrap, AccountKind.refinery)


class MetalLossQuery(FlowQuery):
    """The parameters of the report of losses: days of the exit, process, customer, product, alloy and file format."""

    alloy_id: QueryId | None = None


class MetalLossOut(Out):
    """What a process lost of an alloy in a product: in + added − out − scrap. Only exits that were weighed count.

    `lossPerMille`: the loss in per mille of in + added. `above`: whether that is more than the process allows.
    `betweenGrams`: how much lighter the pieces were at their entry than at their last weighing, in another process. It
    is no part of the loss.
    """

    production_process_id: int
    production_process_name: str
    item_id: int
    item_key: str
    item_name: str
    item_name_english: str
    alloy_id: int
    alloy_name: str
    records: int
    pieces: int
    in_grams: GramsOut
    added_grams: GramsOut
    out_grams: GramsOut
    scrap_grams: GramsOut
    loss_grams: GramsOut
    fine_loss_grams: GramsOut
    loss_per_mille: PerMilleOut
    allowed_loss: PerMilleOut | None
    above: bool
    between_grams: GramsOut


class MetalLossTotalOut(Out):
    """The sums of the rows, in pure metal. `fineGrams`: the metal that entered or was added."""

    fine_grams: GramsOut
    fine_loss_grams: GramsOut
    loss_per_mille: PerMilleOut
    fine_between_grams: GramsOut


class MetalLossReportOut(Out):
    """The losses of the requested days, in the order of the processes, and the largest losses of each process first."""

    rows: list[MetalLossOut]
    total: MetalLossTotalOut


class MetalToRecoverOut(Out):
    """Metal that can be recovered: dust of a process, the scrap box, or what is at the refinery."""

    kind: AccountKind
    production_process_id: int | None
    production_process_name: str | None
    alloy_id: int
    alloy_name: str
    grams: GramsOut
    fine_grams: GramsOut


class MetalToRecoverReportOut(Out):
    """What can be recovered now, and the pure metal in all of it."""

    rows: list[MetalToRecoverOut]
    fine_grams: GramsOut


class MetalRefineryOut(Out):
    """A process's share of a refining; without a process, the share of the scrap box.

    `returnedAt`, `returnedFineGrams` and `differenceFineGrams` are null until the metal has come back.
    """

    refining_id: int
    partner: str
    sent_at: Instant
    returned_at: Instant | None
    alloy_id: int
    alloy_name: str
    production_process_id: int | None
    production_process_name: str | None
    sent_grams: GramsOut
    expected_fine_grams: GramsOut
    returned_fine_grams: GramsOut | None
    difference_fine_grams: GramsOut | None


class MetalRefineryReportOut(Out):
    """The refinings that were sent on the requested days, newest first. The sums count only those that came back."""

    rows: list[MetalRefineryOut]
    expected_fine_grams: GramsOut
    returned_fine_grams: GramsOut
    difference_fine_grams: GramsOut


def _kind_or_process(kind: AccountKind, process: str | None) -> str:
    return process or text(f"metal_account_{kind}")


LOSS_COLUMNS: Sequence[Column[MetalLossOut]] = (
    Column("productionProcessName", lambda row: row.production_process_name),
    Column("itemKey", lambda row: row.item_key),
    Column("itemName", lambda row: named(row.item_name, row.item_name_english)),
    Column("alloyName", lambda row: row.alloy_name),
    Column("pieces", lambda row: row.pieces),
    Column("inGrams", lambda row: row.in_grams, heads=("Entró (g)", "In (g)")),
    Column("addedGrams", lambda row: row.added_grams),
    Column("outGrams", lambda row: row.out_grams, heads=("Salió (g)", "Out (g)")),
    Column("scrapGrams", lambda row: row.scrap_grams),
    Column("lossGrams", lambda row: row.loss_grams),
    Column("fineLossGrams", lambda row: row.fine_loss_grams, heads=("Merma fina (g)", "Fine loss (g)")),
    Column("lossPerMille", lambda row: row.loss_per_mille),
    Column("allowedLoss", lambda row: row.allowed_loss),
    Column(
        "betweenGrams",
        lambda row: row.between_grams,
        heads=("Falta entre procesos (g)", "Missing between processes (g)"),
    ),
)
TO_RECOVER_COLUMNS: Sequence[Column[MetalToRecoverOut]] = (
    Column("metalAccount", lambda row: text(f"metal_account_{row.kind}"), heads=("Dónde está", "Where it is")),
    Column("productionProcessName", lambda row: row.production_process_name or ""),
    Column("alloyName", lambda row: row.alloy_name),
    Column("grams", lambda row: row.grams),
    Column("fineGrams", lambda row: row.fine_grams),
)
REFINERY_COLUMNS: Sequence[Column[MetalRefineryOut]] = (
    Column("number", lambda row: row.refining_id),
    Column("partner", lambda row: row.partner),
    Column("sentAt", lambda row: row.sent_at),
    Column("returnedAt", lambda row: row.returned_at, heads=("Regresó", "Returned")),
    Column("alloyName", lambda row: row.alloy_name),
    Column("productionProcessName", lambda row: _kind_or_process(AccountKind.scrap, row.production_process_name)),
    Column("sentGrams", lambda row: row.sent_grams, heads=("Enviado (g)", "Sent (g)")),
    Column("expectedFineGrams", lambda row: row.expected_fine_grams),
    Column("returnedFineGrams", lambda row: row.returned_fine_grams, heads=("Fino devuelto (g)", "Fine returned (g)")),
    Column(
        "differenceFineGrams",
        lambda row: row.difference_fine_grams,
        heads=("Diferencia fina (g)", "Fine difference (g)"),
    ),
)


@router.get("/metal-loss", auth=READ, operation_id="report_metal_loss")
def metal_loss(request: HttpRequest, query: Query[MetalLossQuery]) -> MetalLossReportOut | HttpResponseBase:
    """Report what was lost on these days (by default the last 30), by process, product and alloy. 4 queries."""
    first, last = query.days()
    report = losses(first=first, last=last, alloy_id=query.alloy_id, **query.filters())
    return export_table(request, report.rows, query.format, LOSS_COLUMNS, "metal-loss") if query.format else report


def losses(
    *,
    first: date,
    last: date,
    process_id: int | None = None,
    customer_id: int | None = None,
    item_id: int | None = None,
    alloy_id: int | None = None,
) -> MetalLossReportOut:
    """Return the losses of exits on these plant days, both included, of pieces weighed in and out. 4 queries."""
    records = ProcessRecord.objects.filter(
        Q(mg_out__isnull=False) | Q(scrapped=True, mg_scrap__isnull=False),
        released_at__isnull=True,
        mg_in__isnull=False,
        output_at__gte=clock.start_of(first),
        output_at__lt=clock.end_of(last),
    ).order_by()
    for column, value in (
        ("process", process_id),
        ("line__order__customer", customer_id),
        ("line__item", item_id),
        ("alloy", alloy_id),
    ):
        if value is not None:
            records = records.filter(**{column: value})
    sums = list(
        records.values_list("process_id", "line__item_id", "alloy_id").annotate(
            records=Count("pk"),
            pieces=Sum("quantity"),
            entered=Sum("mg_in"),
            added=Sum(Coalesce(F("mg_added"), 0)),
            left=Sum(Coalesce(F("mg_out"), 0)),
            scrap=Sum(Coalesce(F("mg_scrap"), 0)),
            between=Sum(Coalesce(F("mg_between"), 0)),
        )
    )
    processes = ProductionProcess.objects.in_bulk({process for process, *_ in sums})
    items = Item.objects.defer("search_text").in_bulk({item for _, item, *_ in sums})
    alloys = Alloy.objects.in_bulk({alloy for _, _, alloy, *_ in sums})
    rows: list[MetalLossOut] = []
    received: list[tuple[int, int]] = []
    lost: list[tuple[int, int]] = []
    missing: list[tuple[int, int]] = []
    for process_id_, item_id_, alloy_id_, count, pieces, entered, added, left, scrap, between in sums:
        process, item, alloy = processes[process_id_], items[item_id_], alloys[alloy_id_]
        loss = entered + added - left - scrap
        received.append((entered + added, alloy.fineness))
        lost.append((loss, alloy.fineness))
        missing.append((between, alloy.fineness))
        rows.append(
            MetalLossOut(
                production_process_id=process.pk,
                production_process_name=process.name,
                item_id=item.pk,
                item_key=item.key,
                item_name=item.name,
                item_name_english=item.name_english,
                alloy_id=alloy.pk,
                alloy_name=alloy.name,
                records=count,
                pieces=pieces,
                in_grams=to_grams(entered),
                added_grams=to_grams(added),
                out_grams=to_grams(left),
                scrap_grams=to_grams(scrap),
                loss_grams=to_grams(loss),
                fine_loss_grams=to_grams(fine_mg([(loss, alloy.fineness)])),
                loss_per_mille=loss_per_mille(loss, entered + added),
                allowed_loss=process.allowed_loss,
                above=is_above(loss, entered + added, process.allowed_loss),
                between_grams=to_grams(between),
            )
        )
    places = {process.pk: (process.order, process.name) for process in processes.values()}
    rows.sort(key=lambda row: (places[row.production_process_id], -row.fine_loss_grams, row.item_key))
    total = MetalLossTotalOut(
        fine_grams=to_grams(fine_mg(received)),
        fine_loss_grams=to_grams(fine_mg(lost)),
        loss_per_mille=loss_per_mille(fine_mg(lost), fine_mg(received)),
        fine_between_grams=to_grams(fine_mg(missing)),
    )
    return MetalLossReportOut(rows=rows, total=total)


@router.get("/metal-to-recover", auth=READ, operation_id="report_metal_to_recover")
def metal_to_recover(request: HttpRequest, query: Query[TableQuery]) -> MetalToRecoverReportOut | HttpResponseBase:
    """Report the dust of each process, the scrap box, and what is at the refinery now. 1 query."""
    found = balances().filter(account__kind__in=TO_RECOVER).order_by("account__process__order", "account", "alloy")
    places = {kind: place for place, kind in enumerate(TO_RECOVER)}
    held = sorted(found, key=lambda row: places[AccountKind(row.account.kind)])
    rows = [
        MetalToRecoverOut(
            kind=AccountKind(row.account.kind),
            production_process_id=row.account.process_id,
            production_process_name=row.account.process.name if row.account.process else None,
            **dict(documents.weighed(row.alloy, row.mg)),
        )
        for row in held
    ]
    if query.format:
        return export_table(request, rows, query.format, TO_RECOVER_COLUMNS, "metal-to-recover")
    return MetalToRecoverReportOut(rows=rows, fine_grams=documents.fine_grams(held))


@router.get("/metal-refinery", auth=READ, operation_id="report_metal_refinery")
def metal_refinery(request: HttpRequest, query: Query[ThroughputQuery]) -> MetalRefineryReportOut | HttpResponseBase:
    """Report the refinings sent on these days (by default the last 30) and what came back, by process. 2 queries."""
    first, last = query.days()
    found = lists.refinings().filter(sent_at__gte=clock.start_of(first), sent_at__lt=clock.end_of(last))
    rows = [
        MetalRefineryOut(
            refining_id=one.pk,
            partner=one.partner,
            sent_at=one.sent_at,
            returned_at=one.returned_at,
            alloy_id=one.alloy_id,
            alloy_name=one.alloy.name,
            **dict(share),
        )
        for one in found.order_by("-sent_at", "-pk")
        for share in documents.shares(one)
    ]
    if query.format:
        return export_table(request, rows, query.format, REFINERY_COLUMNS, "metal-refinery")
    back = [row for row in rows if row.returned_fine_grams is not None]
    return MetalRefineryReportOut(
        rows=rows,
        expected_fine_grams=_sum(row.expected_fine_grams for row in back),
        returned_fine_grams=_sum(row.returned_fine_grams for row in back),
        difference_fine_grams=_sum(row.difference_fine_grams for row in back),
    )


def _sum(grams: Iterable[Decimal | None]) -> Decimal:
    return sum((one for one in grams if one is not None), Decimal(0))
