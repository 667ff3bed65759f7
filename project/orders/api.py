"""REST of sales orders, lines and movements (infra/docs/rules.md#orders)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from ninja import Path, Query

from project.access.guard import Requires, caller
from project.access.permissions import Permission
from project.audit.exporting import export
from project.core.answers import Created
from project.core.idempotency import Repeat
from project.core.pagination import announce, paginate
from project.core.pictures import PICTURE_BODY, PictureOut, picture_kept, uploaded
from project.core.routing import domain_router
from project.core.schemas import Id
from project.core.versions import if_match
from project.orders import (
    corrections,
    movements,
    pictures,
    presenters,
    schemas,
    scrapping,
    selectors,
    services,
    statuses,
    weighing,
)
from project.orders.documents import HistoryRow, history_row
from project.orders.movements import Moved

router = domain_router("sales orders")

READ = Requires(Permission.ListSalesOrders, Permission.ListOrders, customers="their orders and lines")
PathId = Annotated[Id, Path()]


@router.get("", auth=READ, operation_id="sales_order_list")
def order_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.OrderQuery]
) -> list[schemas.OrderSummaryOut] | HttpResponseBase:
    """List orders by keyset.

    Filters: status, customerId, from, to. `search` covers PO#, customer and, for staff, notes. `format` returns the
    whole list as a file.
    """
    rows = selectors.order_list(
        caller(request),
        search=query.search,
        status=query.status,
        customer_id=query.customer_id,
        date_from=query.date_from,
        date_to=query.date_to,
    )
    present = partial(presenters.order_summaries, by=caller(request))
    if query.format:
        columns = presenters.ORDER_COLUMNS
        return export(request, rows, query, selectors.ORDER_ORDERINGS, columns, "orders", present=present)
    return present(announce(paginate(rows, query, selectors.ORDER_ORDERINGS), request, response))


@router.post("", auth=Requires(Permission.CreateSalesOrder), operation_id="sales_order_create")
def order_create(request: HttpRequest, body: schemas.OrderIn) -> Created[schemas.OrderOut]:
    """Create an order with its lines, numbered from 1. Returns the whole order."""
    order = services.order_create(body=body, by=caller(request))
    return Created(presenters.one_order(order, caller(request)))


@router.get("/positions", auth=READ, operation_id="sales_order_position_list")
def line_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.LineQuery]
) -> list[schemas.NamedLineRowOut | schemas.LineRowOut] | HttpResponseBase:
    """List lines of all orders by keyset. `format` returns the whole list as a file.

    By default open lines come first, by delivery date.
    """
    rows = selectors.line_list(
        caller(request),
        search=query.search,
        status=query.status,
        customer_id=query.customer_id,
        production_process_id=query.production_process_id,
        date_from=query.date_from,
        date_to=query.date_to,
        late=query.late,
        due_this_week=query.due_this_week,
        inside_over_a_day=query.inside_over_a_day,
        to_weigh=query.to_weigh,
        to_sign=query.to_sign,
        likely_late=query.likely_late,
        called=query.called,
        risk=query.risk,
        ids=query.ids,
        ordering=query.ordering,
    )
    by = caller(request)
    named = partial(presenters.named_line_rows, by=by)
    if query.format:
        columns = presenters.LINE_COLUMNS
        return export(request, rows, query, selectors.LINE_ORDERINGS, columns, "lines", present=named)
    page = announce(paginate(rows, query, selectors.LINE_ORDERINGS), request, response)
    return [*named(page)] if by.is_customer else [*presenters.line_rows(page, by)]


@router.get("/{int:order_id}", auth=READ, operation_id="sales_order_get")
def order_get(request: HttpRequest, order_id: PathId) -> schemas.OrderOut:
    order = selectors.order_get(order_id, caller(request))
    return presenters.one_order(order, caller(request))


@router.put(
    "/{int:order_id}",
    auth=Requires(Permission.UpdateSalesOrder),
    operation_id="sales_order_update",
)
def order_change(request: HttpRequest, order_id: PathId, body: schemas.OrderChange) -> schemas.OrderOut:
    """Change an order's header and lines.

    An item with a position changes that line. An item without a position adds a line.
    """
    order = services.order_change(order_id=order_id, body=body, by=caller(request), expected=if_match(request))
    return presenters.one_order(order, caller(request))


@router.post(
    "/{int:order_id}/approve",
    auth=Requires(Permission.UpdateSalesOrderPositionStatus),
    operation_id="sales_order_approve",
    versioned=True,
)
def order_approve(request: HttpRequest, order_id: PathId) -> schemas.OrderOut:
    """Approve every line of the order that may be approved. `If-Match`: only if the order is as the caller saw it."""
    order = statuses.order_approve(order_id=order_id, by=caller(request), expected=if_match(request))
    return presenters.one_order(order, caller(request))


@router.delete(
    "/{int:order_id}",
    auth=Requires(Permission.DeleteSalesOrder),
    operation_id="sales_order_delete",
)
def order_delete(request: HttpRequest, order_id: PathId) -> schemas.OrderOut:
    """Delete an order without movements and bills. Returns it as it last was."""
    return presenters.one_order(services.order_delete(order_id=order_id, by=caller(request)), caller(request))


@router.post(
    "/{int:order_id}/position",
    auth=Requires(Permission.UpdateSalesOrder),
    operation_id="sales_order_position_create",
)
def line_add(request: HttpRequest, order_id: PathId, body: schemas.LineIn) -> Created[schemas.LineOut]:
    """Add a line at the next position."""
    line = services.line_add(order_id=order_id, body=body, by=caller(request))
    return Created(presenters.one_line(line, caller(request)))


LINE = "/{int:order_id}/position/{int:position}"


@router.get(LINE, auth=READ, operation_id="sales_order_position_get")
def line_get(request: HttpRequest, order_id: PathId, position: PathId) -> schemas.LineOut:
    line = selectors.line_get(order_id, position, caller(request))
    return presenters.one_line(line, caller(request))


@router.put(
    LINE + "/full",
    auth=Requires(Permission.UpdateSalesOrderPosition),
    operation_id="sales_order_position_update",
)
def line_change(request: HttpRequest, order_id: PathId, position: PathId, body: schemas.LineChange) -> schemas.LineOut:
    """Change a line's fields, but not its status."""
    line = services.line_change(
        order_id=order_id, position=position, body=body, by=caller(request), expected=if_match(request)
    )
    return presenters.one_line(line, caller(request))


def _line_picture(request: HttpRequest, order_id: int, position: int) -> PictureOut:
    return picture_kept(selectors.line_get(order_id, position))


@router.post(
    LINE + "/upload/document",
    auth=Requires(Permission.UpdateSalesOrderPosition, Permission.UpdateSalesOrder, Permission.CreateSalesOrder),
    operation_id="sales_order_position_picture_put",
    repeat=Repeat(_line_picture),
    openapi_extra=PICTURE_BODY,
)
def line_picture_put(request: HttpRequest, order_id: PathId, position: PathId) -> Created[PictureOut]:
    """Upload a line's own picture: JPEG or PNG, raw or as one multipart file. The header `File-Name` may name it."""
    line = pictures.line_picture_put(
        order_id=order_id,
        position=position,
        name_image=(request.headers.get("File-Name") or "").removesuffix(".jpeg") or None,
        raw=uploaded(request),
        by=caller(request),
    )
    return Created(picture_kept(line))


@router.delete(
    LINE + "/document",
    auth=Requires(Permission.UpdateSalesOrderPosition),
    operation_id="sales_order_position_picture_remove",
)
def line_picture_remove(request: HttpRequest, order_id: PathId, position: PathId) -> schemas.LineOut:
    """Remove a line's own picture. The line shows its product's picture again."""
    line = pictures.line_picture_remove(order_id=order_id, position=position, by=caller(request))
    return presenters.one_line(line, caller(request))


@router.put(
    LINE + "/update-status/{status}",
    auth=Requires(Permission.UpdateSalesOrderPositionStatus),
    operation_id="sales_order_position_update_status",
)
def line_change_status(request: HttpRequest, order_id: PathId, position: PathId, status: str) -> schemas.LineOut:
    """Change a line's status to one of those that its `actions.statuses` lists."""
    line = statuses.line_change_status(
        order_id=order_id, position=position, status=status, by=caller(request), expected=if_match(request)
    )
    return presenters.one_line(line, caller(request))


@router.get(
    LINE + "/history",
    auth=Requires(Permission.SalesOrderPositionRecord),
    operation_id="sales_order_position_history",
)
def line_history(request: HttpRequest, order_id: PathId, position: PathId) -> list[HistoryRow]:
    """Return all process records of a line, newest first."""
    return [history_row(record) for record in selectors.history(order_id, position)]


@router.put(
    LINE + "/production-process/in",
    auth=Requires(Permission.SalesOrderPositionProcessIn, operators=True, reported_later=True),
    operation_id="sales_order_position_process_in",
    lasting=True,
)
def enter_process(
    request: HttpRequest, order_id: PathId, position: PathId, body: schemas.MovementIn
) -> schemas.LineOut:
    """Move pieces into a process that the caller works in."""
    return _moved(request, movements.move_in, order_id, position, body)


@router.put(
    LINE + "/production-process/out",
    auth=Requires(Permission.SalesOrderPositionProcessOut, operators=True, reported_later=True),
    operation_id="sales_order_position_process_out",
    lasting=True,
)
def leave_process(request: HttpRequest, order_id: PathId, position: PathId, body: schemas.LeaveIn) -> schemas.LineOut:
    """Move pieces out of a process that the caller works in. Those that the caller brought in leave first."""
    part = body.scrap
    if part is None:
        return _moved(request, movements.move_out, order_id, position, body)

    def leave(stored: str) -> schemas.LineOut:
        return _moved(request, partial(movements.move_out, scrap=part.stored(stored)), order_id, position, body)

    return scrapping.with_photo(part.photo, leave, by=caller(request))


@router.put(
    LINE + "/production-process/{int:record_id}/weights",
    auth=Requires(Permission.ManageMetal),
    operation_id="sales_order_position_record_weigh",
    lasting=True,
)
def record_weigh(
    request: HttpRequest, order_id: PathId, position: PathId, record_id: PathId, body: schemas.RecordWeightsIn
) -> schemas.LineOut:
    """Write or correct the weights of a record after its movements.

    The metal is booked as if the weights had been known at the movements. 409 `record_released`, `already_paid`. 422
    `grams_heavier` if more metal left than entered and `weightReason` is missing.
    """
    line, press = weighing.record_weigh(
        order_id=order_id,
        position=position,
        record_id=record_id,
        weights=body.weights,
        by=caller(request),
        expected=if_match(request),
    )
    return presenters.one_line(line, caller(request), press)


@router.post(
    LINE + "/production-process/{int:record_id}/loss-signature",
    auth=Requires(Permission.ManageMetal),
    operation_id="sales_order_position_record_sign_loss",
    versioned=True,
)
def record_sign_loss(request: HttpRequest, order_id: PathId, position: PathId, record_id: PathId) -> schemas.LineOut:
    """Sign for a loss above what the process allows. 409 `record_released`, `nothing_to_sign`."""
    line = weighing.record_sign_loss(
        order_id=order_id, position=position, record_id=record_id, by=caller(request), expected=if_match(request)
    )
    return presenters.one_line(line, caller(request))


def _moved(
    request: HttpRequest,
    move: Callable[..., movements.Moved],
    order_id: int,
    position: int,
    body: schemas.MovementIn,
) -> schemas.LineOut:
    moved = move(
        order_id=order_id,
        position=position,
        process_id=body.production_process_id,
        quantity=body.quantity,
        notes=body.notes,
        by=caller(request),
        expected=if_match(request),
        made_at=body.made_at,
        weights=body.weights,
    )
    return presenters.moved_line(moved, caller(request))


@router.post(
    LINE + "/scrap",
    auth=Requires(Permission.ScrapPieces, operators=True, reported_later=True),
    operation_id="sales_order_position_scrap",
    versioned=True,
    lasting=True,
)
def scrap_pieces(request: HttpRequest, order_id: PathId, position: PathId, body: schemas.ScrapIn) -> schemas.LineOut:
    """Take pieces out of a process as lost. The movement can be undone and released like an exit."""
    moved = scrapping.scrap(
        order_id=order_id,
        position=position,
        process_id=body.production_process_id,
        quantity=body.quantity,
        reason=body.reason,
        notes=body.notes,
        by=caller(request),
        expected=if_match(request),
        weights=replace(body.weights, why=body.weight_reason),
        made_at=body.made_at,
        photo=body.photo,
    )
    return presenters.moved_line(moved, caller(request))


@router.post(
    LINE + "/replace",
    auth=Requires(Permission.UpdateSalesOrderPosition),
    operation_id="sales_order_position_replace",
    versioned=True,
    lasting=True,
)
def replace_pieces(
    request: HttpRequest, order_id: PathId, position: PathId, body: schemas.ReplaceIn
) -> schemas.LineOut:
    """Have scrapped pieces made again, from the start. 409 `not_enough_pieces` says how many may be made again."""
    line, press = scrapping.replace(
        order_id=order_id,
        position=position,
        quantity=body.quantity,
        by=caller(request),
        expected=if_match(request),
    )
    return presenters.one_line(line, caller(request), press)


@router.delete(
    LINE + "/production-process/{int:process_id}/movement-type/{movement}",
    auth=Requires(Permission.ReleaseProductionProccess),
    operation_id="sales_order_position_release_movement",
    lasting=True,
)
def release_movement(
    request: HttpRequest,
    order_id: PathId,
    position: PathId,
    process_id: PathId,
    movement: Literal["in", "out"],
    why: Query[schemas.ReleaseQuery],
) -> schemas.LineOut:
    """Release the last exit from a process (`out`), or the last open entry into it (`in`)."""
    release = corrections.release_entry if movement == "in" else corrections.release_exit
    return _released(request, release, order_id, position, process_id, why)


@router.delete(
    LINE + "/production-process/{int:process_id}",
    auth=Requires(Permission.ReleaseProductionProccess),
    operation_id="sales_order_position_release",
    lasting=True,
)
def release_record(
    request: HttpRequest,
    order_id: PathId,
    position: PathId,
    process_id: PathId,
    why: Query[schemas.ReleaseQuery],
) -> schemas.LineOut:
    """Release the last record of a process, entry and exit at once."""
    return _released(request, corrections.release_record, order_id, position, process_id, why)


def _released(
    request: HttpRequest,
    release: Callable[..., Moved],
    order_id: int,
    position: int,
    process_id: int,
    why: schemas.ReleaseQuery,
) -> schemas.LineOut:
    released = release(
        order_id=order_id,
        position=position,
        process_id=process_id,
        by=caller(request),
        expected=if_match(request),
        reason=why.reason,
        notes=why.notes,
    )
    return presenters.moved_line(released, caller(request))
