"""REST of stations: the screen of a process, and the meaning of a scan there (infra/docs/rules.md#station)."""

from typing import Annotated

from django.http import HttpRequest
from ninja import Path

from project.access.guard import Requires, caller
from project.access.operators import LASTS, act_at
from project.access.permissions import Permission
from project.core import clock
from project.core.errors import InvalidFields, NotFound
from project.core.idempotency import NotKept, Repeat
from project.core.routing import domain_router
from project.core.schemas import Id
from project.core.versions import if_match
from project.orders.api import line_get as line_read
from project.orders.models import ProcessRecord
from project.orders.movements import HandedOver, hand_over
from project.orders.offers import UNDO_FOR
from project.orders.presenters import line_rows, moved_line
from project.orders.schemas import LineOut
from project.orders.scrapping import with_photo
from project.orders.selectors import known_orders, line_get, unknown_part
from project.printing.schemas import ScanIn
from project.printing.selectors import scanned
from project.station import documents, schemas, selectors, services

router = domain_router("station")

ProcessId = Annotated[Id, Path()]


@router.post(
    "/operator",
    auth=Requires(Permission.Station),
    operation_id="station_operator",
    repeat=NotKept("answers a token"),
)
def operator(request: HttpRequest, body: schemas.OperatorIn) -> schemas.OperatorOut:
    """Name the person who stands at this station, by PIN or badge.

    Their token moves pieces here in their name, until 10 minutes after its last use. 422 `unknown_operator`. 403
    `not_your_process` or `permission_denied` if they may move nothing at the given process. 429 after five wrong PINs
    or twenty wrong badges in a minute, or after too many at all stations of the account.
    """
    token, user = services.operator_begin(
        pin=body.pin, badge=body.badge, process_id=body.production_process_id, by=caller(request)
    )
    return schemas.OperatorOut(
        token=token,
        user=schemas.OperatorPerson(id=user.pk, full_name=user.full_name),
        expires_in=int(LASTS.total_seconds()),
    )


@router.get(
    "/{int:process_id}",
    auth=Requires(Permission.Station, operators=True),
    operation_id="station_get",
)
def station(request: HttpRequest, process_id: ProcessId) -> schemas.StationOut:
    """Return a process as its station shows it. At most 15 queries."""
    by, process = caller(request), selectors.process_get(process_id)
    may_enter, inside = selectors.may_enter(process, by), list(selectors.inside(process))
    rows = {row.id: row for row in line_rows(list({line.pk: line for line in (*may_enter, *inside)}.values()), by)}
    queue, later = documents.queue_and_later([rows[line.pk] for line in may_enter], process)
    return schemas.StationOut(
        now=clock.now(),
        undo_seconds=int(UNDO_FOR.total_seconds()),
        process=documents.process(process),
        queue=queue,
        later=later,
        inside=[rows[line.pk] for line in inside],
        names=selectors.names_inside(process),
        recent=[documents.movement(row, by) for row in selectors.recent(process)],
    )


@router.post(
    "/{int:process_id}/scan",
    auth=Requires(Permission.Station, operators=True),
    operation_id="station_scan",
    repeat=NotKept("reads"),
)
def scan(request: HttpRequest, process_id: ProcessId, body: ScanIn) -> schemas.StationScanOut:
    """Return the line of a code, and whether its pieces enter or leave here. 422 `unknown_code` if no line has it."""
    by, process = caller(request), selectors.process_get(process_id)
    act_at(by, process.pk)
    place = scanned(body.code, by)
    return documents.scan(line_get(place.sales_order_id, place.position, by), process, by)


def _handed_over(request: HttpRequest, record_id: int) -> LineOut:
    line = ProcessRecord.objects.select_related("line").get(pk=record_id).line
    return line_read(request, line.order_id, line.position)


@router.post(
    "/{int:process_id}/hand-over",
    auth=Requires(Permission.Station, operators=True, reported_later=True),
    operation_id="station_hand_over",
    lasting=True,
    repeat=Repeat(_handed_over, made="record_id"),
)
def station_hand_over(request: HttpRequest, process_id: ProcessId, body: schemas.HandOverIn) -> LineOut:
    """Move pieces of a line out of this process and into another one: both movements, or neither.

    To undo both, use the entry of `actions.undo` for this process.
    """
    here, part = selectors.process_get(process_id), body.scrap

    def handed_over(photo: str) -> HandedOver:
        return hand_over(
            order_id=body.sales_order_id,
            position=body.position,
            process_id=here.pk,
            to_process_id=body.to_process_id,
            quantity=body.quantity,
            notes=body.notes,
            by=caller(request),
            expected=if_match(request),
            made_at=body.made_at,
            weights=body.weights,
            scrap=part.stored(photo) if part else None,
        )

    try:
        handed = with_photo(part.photo if part else None, handed_over, by=caller(request))
    except NotFound as error:
        known = known_orders([body.sales_order_id])
        raise InvalidFields.of(unknown_part(body.sales_order_id, known), "unknown") from error
    return moved_line(handed, caller(request))
