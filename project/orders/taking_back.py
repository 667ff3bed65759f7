"""REST of what is taken back of a line: releases, and undoing one's own movement (contract, sections 4 and 8)."""

from collections.abc import Callable
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Query

from project.access.guard import Requires, caller
from project.access.permissions import Permission
from project.core.routing import domain_router
from project.core.versions import if_match
from project.orders import presenters, releases, schemas, undoing
from project.orders.api import LINE, PathId
from project.orders.movements import Moved
from project.orders.rules import Side

router = domain_router("sales orders")


@router.delete(
    LINE + "/production-process/{int:process_id}/movement-type/{movement}",
    response=schemas.LineOut,
    auth=Requires(Permission.ReleaseProductionProccess),
    operation_id="sales_order_position_release_movement",
)
def release_movement(
    request: HttpRequest,
    order_id: PathId,
    position: PathId,
    process_id: PathId,
    movement: Literal["in", "out"],
    why: Query[schemas.ReleaseQuery],
) -> Any:
    """Release the last exit of a process, or the last open entry into it."""
    release = releases.release_entry if movement == "in" else releases.release_exit
    return _released(request, release, order_id, position, process_id, why)


@router.delete(
    LINE + "/production-process/{int:process_id}",
    response=schemas.LineOut,
    auth=Requires(Permission.ReleaseProductionProccess),
    operation_id="sales_order_position_release",
)
def release_record(
    request: HttpRequest,
    order_id: PathId,
    position: PathId,
    process_id: PathId,
    why: Query[schemas.ReleaseQuery],
) -> Any:
    """Release the last record of a process, its exit and entry at once."""
    return _released(request, releases.release_record, order_id, position, process_id, why)


@router.post(
    LINE + "/records/{int:record_id}/undo",
    response=schemas.LineOut,
    auth=Requires(Permission.SalesOrderPositionProcessIn, Permission.SalesOrderPositionProcessOut, operators=True),
    operation_id="sales_order_position_record_undo",
)
def undo_movement(
    request: HttpRequest,
    order_id: PathId,
    position: PathId,
    record_id: PathId,
    side: Literal[Side.entry, Side.exit] | None = None,
) -> Any:
    """Undo one's own movement, the last of a record, within five minutes of it.

    With `side`, 409 `already_undone` where the exit that it means stands no more, `not_enough_pieces` where the pieces
    of the entry that it means have left since.
    """
    undone = undoing.undo(
        order_id=order_id,
        position=position,
        record_id=record_id,
        by=caller(request),
        side=side,
        expected=if_match(request),
    )
    return presenters.moved_line(undone, caller(request))


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
