"""REST of batches (infra/docs/rules.md#batches)."""

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query

from project.access.guard import Requires, caller
from project.access.permissions import Permission
from project.batches import documents, schemas, selectors, services
from project.batches.documents import BatchCard, BatchHead, BatchOut
from project.batches.models import Batch
from project.core.answers import Created
from project.core.pagination import announce, paginate
from project.core.routing import domain_router
from project.core.schemas import Id
from project.core.versions import if_match
from project.orders.models import Press
from project.orders.presenters import reads_presses
from project.orders.presses import press_repeated
from project.orders.rules import Side

router = domain_router("batches")

READ = Requires(*selectors.READERS)
WRITE = Requires(Permission.ManageBatches)
PathId = Annotated[Id, Path()]


@router.get("", auth=READ, operation_id="batch_list")
def batch_list(request: HttpRequest, response: HttpResponse, query: Query[schemas.BatchQuery]) -> list[BatchHead]:
    """List batches by keyset, newest first. Filters: open, productionProcessId.

    `search` covers the number, the name, and PO#, key and name of the lines on it.
    """
    rows = selectors.batch_list(search=query.search, is_open=query.open, process_id=query.production_process_id)
    found, by = announce(paginate(rows, query, selectors.ORDERINGS), request, response), caller(request)
    return [documents.batch_row(row, by) for row in found]


@router.post("", auth=WRITE, operation_id="batch_create")
def batch_create(request: HttpRequest, body: schemas.BatchIn) -> Created[BatchOut]:
    """Begin a batch at an active process. Other calls put lines on it."""
    return Created(documents.one_batch(services.batch_create(body=body, by=caller(request)), caller(request)))


@router.get(
    "/cards",
    auth=Requires(*READ.actions, Permission.ShopFloor, displays=True),
    operation_id="batch_cards",
)
def batch_cards(request: HttpRequest) -> list[BatchCard]:
    """Return the batches that are open or inside, as the board and the stations show them. 2 queries."""
    return [documents.batch_card(row) for row in selectors.batches_at_work(caller(request).scope)]


@router.get("/{int:batch_id}", auth=READ, operation_id="batch_get")
def batch_get(request: HttpRequest, batch_id: PathId) -> BatchOut:
    return _batch(request, selectors.batch_get(batch_id), press_repeated())


@router.put("/{int:batch_id}", auth=WRITE, operation_id="batch_update")
def batch_change(request: HttpRequest, batch_id: PathId, body: schemas.BatchChange) -> BatchOut:
    """Change the name, the alloy, the notes, and the weights of wax and button of a batch that is not moved in yet."""
    return documents.one_batch(
        services.batch_change(batch_id=batch_id, body=body, by=caller(request), expected=if_match(request)),
        caller(request),
    )


@router.get("/{int:batch_id}/lines", auth=WRITE, operation_id="batch_lines_offered")
def lines_offered(
    request: HttpRequest, batch_id: PathId, query: Query[schemas.OfferedQuery]
) -> list[schemas.OfferedLineOut]:
    """List lines that may be put on the batch: those with ready pieces first, then the most urgent. At most 50."""
    found = selectors.lines_offered(selectors.batch_get(batch_id), caller(request), query.search)
    return [documents.offered_line(one) for one in found]


@router.post("/{int:batch_id}/lines", auth=WRITE, operation_id="batch_line_put_on")
def line_put_on(request: HttpRequest, batch_id: PathId, body: schemas.BatchLineIn) -> BatchOut:
    """Put pieces of a line on the batch.

    409 `already_on_batch`. 409 `not_enough_pieces` says how many pieces may be put on it.
    """
    return documents.one_batch(services.line_put_on(batch_id=batch_id, body=body, by=caller(request)), caller(request))


@router.delete("/{int:batch_id}/lines/{int:line_id}", auth=WRITE, operation_id="batch_line_take_off")
def line_take_off(request: HttpRequest, batch_id: PathId, line_id: PathId) -> BatchOut:
    """Take a line off the batch. Its pieces stay where they are. `line_id`: its id on the batch. Returns the batch."""
    return documents.one_batch(
        services.line_take_off(batch_id=batch_id, line_id=line_id, by=caller(request)), caller(request)
    )


@router.post(
    "/{int:batch_id}/in",
    auth=Requires(Permission.SalesOrderPositionProcessIn, operators=True),
    operation_id="batch_process_in",
    lasting=True,
)
def batch_enter(request: HttpRequest, batch_id: PathId, body: schemas.BatchMoveIn) -> BatchOut:
    """Move all lines of the batch into its process, or none.

    409 `batch_refused` names the lines that cannot be moved, in `lines`: repeat the call with their ids in `leaveOut`.
    """
    return _moved(request, batch_id, Side.entry, body)


@router.post(
    "/{int:batch_id}/out",
    auth=Requires(Permission.SalesOrderPositionProcessOut, operators=True),
    operation_id="batch_process_out",
    lasting=True,
)
def batch_leave(request: HttpRequest, batch_id: PathId, body: schemas.BatchMoveIn) -> BatchOut:
    """Move all lines of the batch out of its process, or none. 409 `batch_refused` as when it is moved in."""
    return _moved(request, batch_id, Side.exit, body)


def _moved(request: HttpRequest, batch_id: int, side: Side, body: schemas.BatchMoveIn) -> BatchOut:
    moved, press = services.batch_move(
        batch_id=batch_id,
        side=side,
        weights=body.weights,
        notes=body.notes,
        leave_out=body.leave_out,
        by=caller(request),
        expected=if_match(request),
    )
    return _batch(request, moved, press)


def _batch(request: HttpRequest, batch: Batch, press: Press | None) -> BatchOut:
    return documents.one_batch(batch, caller(request), press if reads_presses(caller(request)) else None)


@router.post("/{int:batch_id}/close", auth=WRITE, operation_id="batch_close", versioned=True)
def batch_close(request: HttpRequest, batch_id: PathId) -> BatchOut:
    """Close a batch whose pieces have left, or that was never moved in."""
    return documents.one_batch(
        services.batch_close(batch_id=batch_id, by=caller(request), expected=if_match(request)), caller(request)
    )
