"""Every live event type, declared once: its name, its data and who may receive it (contract, section 7).

A service builds an event and hands it to `outbox.record`; the web client's types are generated from
`schema()`. An event without `audience` is personal: it goes to one user, named when it is recorded.
"""

from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import ConfigDict, Field, TypeAdapter, create_model

from project.access.table import P
from project.core.schemas import Day, Instant, Out


class Wire(Out):
    """What travels in a frame: every field is always there, null where there is nothing."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


class Actor(Wire):
    """Who did it."""

    id: int
    full_name: str


class ProcessName(Wire):
    production_process_id: int
    production_process_name: str


class PiecesInside(Wire):
    """Pieces of a line that are inside a process since one entry."""

    production_process_id: int
    production_process_name: str
    quantity: int
    since: Instant
    by: str


class ReleasedExit(Wire):
    output_date: Instant
    output_username: str
    output_notes: str
    released_date: Instant
    released_by: str


class ProcessRecord(Wire):
    """A history row, as `GET …/history` answers it (contract, section 4)."""

    id: int
    production_process_id: int
    production_process_name: str
    quantity: int
    input_date: Instant
    input_username: str
    input_notes: str
    output_date: Instant | None
    output_username: str | None
    output_notes: str | None
    released: bool
    deleted_date: Instant | None
    date_of_reprocessing: Instant | None
    active: bool
    released_by: str | None
    released_exits: list[ReleasedExit]


class LineState(Wire):
    """A line as a board draws it, without another call."""

    sales_order_id: int
    position: int
    customer_sales_order_id: str
    customer_name: str
    item_id: int
    item_name: str
    status: str
    order_status: str
    quantity: int
    quantity_inside: int
    quantity_available: int
    delivery_date: Day | None
    version: int
    current_production_process: ProcessName | None
    last_production_process: ProcessName | None
    inside: list[PiecesInside]


class LineData(LineState):
    """The line after the change, the record it is about, and every record the change touched."""

    record: ProcessRecord | None = None
    records: list[ProcessRecord] = []


class OrderData(Wire):
    """The order's header. `lines` are those the change added (on creation: all) or altered."""

    id: int
    customer_sales_order_id: str
    customer_id: int
    customer_name: str
    sales_order_date: Day
    notes: str
    status: str
    version: int
    lines: list[LineState] = []


class StatusData(Wire):
    id: int
    status: str


Catalog = Literal[
    "companies",
    "customers",
    "components",
    "materials",
    "export-tax-items",
    "production-processes",
    "items",
    "users",
    "roles",
]


class CatalogData(Wire):
    """Which entry of which list; the list by the name of its path."""

    id: int
    catalog: Catalog
    change: Literal["created", "changed", "deleted"]


class NotificationMessage(Wire):
    notes: str
    position: int
    sales_order_id: int


class NotificationData(Wire):
    id: int
    read: bool
    type: str
    created_at: Instant
    message: NotificationMessage


class IdData(Wire):
    id: int


class SessionData(Wire):
    """The user whose session ended; `jti` names the one token, null means all of them."""

    id: int
    jti: str | None


class Event(Wire):
    """The base of all events. `audience`: holding any one of these permissions is enough to receive it."""

    audience: ClassVar[frozenset[P]] = frozenset()

    type: str
    data: Wire

    def readers(self) -> frozenset[P]:
        """The permissions that read this event's data over HTTP; empty for a personal event."""
        return self.audience


ORDERS = frozenset({P.ListSalesOrders, P.ListOrders})


class LineMoved(Event):
    audience = ORDERS
    type: Literal["line.moved"] = "line.moved"
    data: LineData


class LineReleased(Event):
    audience = ORDERS
    type: Literal["line.released"] = "line.released"
    data: LineData


class LineStatusChanged(Event):
    audience = ORDERS
    type: Literal["line.status-changed"] = "line.status-changed"
    data: LineData


class LineChanged(Event):
    audience = ORDERS
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
    audience = frozenset({P.ReportPaidOrders})
    type: Literal["payment.changed"] = "payment.changed"
    data: StatusData


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
    | CatalogChanged
    | NotificationCreated
    | NotificationRead
    | SessionEnded
    | PermissionsChanged
)
EVENTS: tuple[type[Event], ...] = get_args(LiveEvent)
LIVE_PERMISSIONS: frozenset[str] = frozenset(str(name) for event in EVENTS for name in event.audience)
"""Holding none of these, nobody has anything to listen to."""


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
