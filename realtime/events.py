"""Every live event type, declared once: its name, its data and who may receive it (contract, section 7).

A service builds an event and hands it to `outbox.record`; the web client's types are generated from
`schema()`. An event without `audience` is personal: it goes to one user, named when it is recorded.
"""

from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field, TypeAdapter, create_model

from project.access.table import P
from project.core.schemas import Instant
from realtime.wire import (
    Actor as Actor,
)
from realtime.wire import (
    Catalog as Catalog,
)
from realtime.wire import (
    CatalogData as CatalogData,
)
from realtime.wire import (
    IdData as IdData,
)
from realtime.wire import (
    LineData as LineData,
)
from realtime.wire import (
    LineState as LineState,
)
from realtime.wire import (
    NotificationData as NotificationData,
)
from realtime.wire import (
    NotificationMessage as NotificationMessage,
)
from realtime.wire import (
    OrderData as OrderData,
)
from realtime.wire import (
    PaymentData as PaymentData,
)
from realtime.wire import (
    PiecesInside as PiecesInside,
)
from realtime.wire import (
    ProcessName as ProcessName,
)
from realtime.wire import (
    ProcessRecord as ProcessRecord,
)
from realtime.wire import (
    ReleasedExit as ReleasedExit,
)
from realtime.wire import (
    SessionData as SessionData,
)
from realtime.wire import (
    StatusData as StatusData,
)
from realtime.wire import (
    Wire as Wire,
)


class Event(Wire):
    """The base of all events. `audience`: holding any one of these permissions is enough to receive it."""

    audience: ClassVar[frozenset[P]] = frozenset()

    type: str
    data: Wire

    def readers(self) -> frozenset[P]:
        """The permissions that read this event's data over HTTP; empty for a personal event."""
        return self.audience


ORDERS = frozenset({P.ListSalesOrders, P.ListOrders})
LINES = ORDERS | {P.ShopFloor}


class LineMoved(Event):
    audience = LINES
    type: Literal["line.moved"] = "line.moved"
    data: LineData


class LineReleased(Event):
    audience = LINES
    type: Literal["line.released"] = "line.released"
    data: LineData


class LineStatusChanged(Event):
    audience = LINES
    type: Literal["line.status-changed"] = "line.status-changed"
    data: LineData


class LineChanged(Event):
    audience = LINES
    type: Literal["line.changed"] = "line.changed"
    data: LineData


class OrderCreated(Event):
    audience = ORDERS
    type: Literal["order.created"] = "order.created"
    data: OrderData


class OrderChanged(Event):
    audience = ORDERS
    type: Literal["order.changed"] = "order.changed"
    data: OrderData


class OrderDeleted(Event):
    audience = ORDERS
    type: Literal["order.deleted"] = "order.deleted"
    data: OrderData


class DeliveryChanged(Event):
    audience = frozenset({P.ReportListBills})
    type: Literal["delivery.changed"] = "delivery.changed"
    data: StatusData


class PaymentChanged(Event):
    """Those who read what is left to pay are told as well: it changes what they see paid of each record."""

    audience = frozenset({P.ReportPaidOrders, P.ReportPayOrders})
    type: Literal["payment.changed"] = "payment.changed"
    data: PaymentData


class EarningsChanged(Event):
    """A payment of what somebody took out was made or canceled; `id` is that user."""

    type: Literal["earnings.changed"] = "earnings.changed"
    data: IdData


CATALOG_READERS: dict[Catalog, P] = {
    "companies": P.ListCompanies,
    "customers": P.ListCustomers,
    "components": P.ListComponents,
    "materials": P.ListMaterials,
    "export-tax-items": P.ListExportTax,
    "production-processes": P.ListProductionProcesses,
    "items": P.ListItems,
    "users": P.ListUsers,
    "roles": P.ListRoles,
}


class CatalogChanged(Event):
    audience = frozenset(CATALOG_READERS.values())
    type: Literal["catalog.changed"] = "catalog.changed"
    data: CatalogData

    def readers(self) -> frozenset[P]:
        return frozenset({CATALOG_READERS[self.data.catalog]})


class NotificationCreated(Event):
    audience = frozenset({P.ListOrders})
    type: Literal["notification.created"] = "notification.created"
    data: NotificationData


class NotificationRead(Event):
    type: Literal["notification.read"] = "notification.read"
    data: IdData


class SessionEnded(Event):
    type: Literal["session.ended"] = "session.ended"
    data: SessionData


class PermissionsChanged(Event):
    type: Literal["permissions.changed"] = "permissions.changed"
    data: IdData


LiveEvent = (
    LineMoved
    | LineReleased
    | LineStatusChanged
    | LineChanged
    | OrderCreated
    | OrderChanged
    | OrderDeleted
    | DeliveryChanged
    | PaymentChanged
    | EarningsChanged
    | CatalogChanged
    | NotificationCreated
    | NotificationRead
    | SessionEnded
    | PermissionsChanged
)
EVENTS: tuple[type[Event], ...] = get_args(LiveEvent)
LIVE_PERMISSIONS: frozenset[str] = frozenset(str(name) for event in EVENTS for name in event.audience)
"""The permissions that matter to a socket; holding none of them, it still receives its user's own events."""


class Hello(Wire):
    """The first frame: the newest id, and the epoch it belongs to."""

    type: Literal["hello"] = "hello"
    id: int
    epoch: str


class Reset(Wire):
    """Follows the hello where `since` cannot be served: load afresh."""

    type: Literal["reset"] = "reset"


def _frame_of(event: type[Event]) -> type[Wire]:
    fields: dict[str, Any] = {
        "id": (int, ...),
        "type": (event.model_fields["type"].annotation, ...),
        "at": (Instant, ...),
        "by": (Actor | None, ...),
        "data": (event.model_fields["data"].annotation, ...),
    }
    made: type[Wire] = create_model(f"{event.__name__}Frame", __base__=Wire, **fields)
    return made


FRAMES: dict[type[Event], Any] = {event: _frame_of(event) for event in EVENTS}


def schema() -> dict[str, Any]:
    """JSON schema of every frame a client may receive, and `x-audience`: each type's permissions.

    A type whose list is empty is personal. Feeds web/src/contract.
    """
    union: Any = Hello | Reset
    for frame in FRAMES.values():
        union = union | frame
    described = TypeAdapter(Annotated[union, Field(discriminator="type")]).json_schema(
        mode="serialization", by_alias=True
    )
    described["title"] = "LiveFrame"
    described["x-audience"] = {
        event.model_fields["type"].default: sorted(str(name) for name in event.audience) for event in EVENTS
    }
    return described
