"""Every live event type, declared once: its name, its data and who may receive it (contract, section 7).

A service builds an event and hands it to `outbox.publish`; the web client's types are generated from
`schema()`. An event without `audience` is personal: it goes to one user, named when it is recorded. What of its data
not all of its audience may read over HTTP it names in `private`.
"""

from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field, TypeAdapter, create_model

from project.access.permissions import P
from project.core.schemas import Instant
from realtime.privacy import Private
from realtime.wire import (
    Actor as Actor,
    Catalog as Catalog,
    CatalogData as CatalogData,
    DeliveryData as DeliveryData,
    IdData as IdData,
    LineData as LineData,
    LineDocument as LineDocument,
    NotificationData as NotificationData,
    NotificationMessage as NotificationMessage,
    Offer as Offer,
    Offers as Offers,
    OrderData as OrderData,
    PaymentData as PaymentData,
    PiecesInside as PiecesInside,
    PiecesLeft as PiecesLeft,
    ProcessName as ProcessName,
    ProcessRecord as ProcessRecord,
    ReleasedExit as ReleasedExit,
    ReleaseOffer as ReleaseOffer,
    SessionData as SessionData,
    StatusData as StatusData,
    Wire as Wire,
)


class Event(Wire):
    """The base of all events. `audience`: holding any one of these permissions is enough to receive it.

    `private`: fields that take a permission of their own, or are the staff's.
    """

    audience: ClassVar[frozenset[P]] = frozenset()
    private: ClassVar[tuple[Private, ...]] = ()

    type: str
    data: Wire

    def readers(self) -> frozenset[P]:
        """The permissions that read this event's data over HTTP; empty for a personal event."""
        return self.audience

    def customer(self) -> int | None:
        """The customer whose accounts receive it as well."""
        return None


ORDERS = frozenset({P.ListSalesOrders, P.ListOrders})
LINES = ORDERS | {P.ShopFloor}
HISTORY = frozenset({P.SalesOrderPositionRecord})
LEFT = HISTORY | {P.ShopFloor}
"""Who may read what left a process: on the board, or in the history."""
NAMES = HISTORY | {P.ShopFloor}
"""Who reads who brought pieces into a process: in the history, or on the board's cards."""


class LineEvent(Event):
    """Something about one line. With ShopFloor alone it tells what the board shows, and the line's status."""

    audience = LINES
    private = (
        Private("by", ORDERS | HISTORY),
        Private("data.record", HISTORY),
        Private("data.records", HISTORY, ()),
        Private("data.line.customerId", ORDERS),
        Private("data.line.notes", ORDERS, "", staff=True),
        Private("data.line.lastProductionProcess", ORDERS),
        Private("data.line.inside.by", NAMES, ""),
        Private("data.line.leftToday", LEFT, (), staff=True),
    )
    data: LineData

    def customer(self) -> int | None:
        return self.data.line.customer_id


class OrderEvent(Event):
    """Something about an order as a whole. The notes are the staff's."""

    audience = ORDERS
    private = (
        Private("data.notes", ORDERS, "", staff=True),
        Private("data.lines.notes", ORDERS, "", staff=True),
        Private("data.lines.inside.by", NAMES, ""),
        Private("data.lines.leftToday", LEFT, (), staff=True),
    )
    data: OrderData

    def customer(self) -> int | None:
        return self.data.customer_id


class LineMoved(LineEvent):
    type: Literal["line.moved"] = "line.moved"


class LineReleased(LineEvent):
    type: Literal["line.released"] = "line.released"


class LineStatusChanged(LineEvent):
    type: Literal["line.status-changed"] = "line.status-changed"


class LineChanged(LineEvent):
    type: Literal["line.changed"] = "line.changed"


class OrderCreated(OrderEvent):
    type: Literal["order.created"] = "order.created"


class OrderChanged(OrderEvent):
    type: Literal["order.changed"] = "order.changed"


class OrderDeleted(OrderEvent):
    type: Literal["order.deleted"] = "order.deleted"


class DeliveryChanged(Event):
    audience = frozenset({P.ReportListBills})
    type: Literal["delivery.changed"] = "delivery.changed"
    data: DeliveryData

    def customer(self) -> int | None:
        return self.data.customer_id


PAYMENTS = frozenset({P.ReportPaidOrders})


class PaymentChanged(Event):
    """Those who read what is left to pay are told as well: it changes what they see paid of each record. The payment
    itself, and who made it, they do not read."""

    audience = frozenset({P.ReportPaidOrders, P.ReportPayOrders})
    private = (Private("by", PAYMENTS), Private("data.status", PAYMENTS))
    type: Literal["payment.changed"] = "payment.changed"
    data: PaymentData


class EarningsChanged(Event):
    """A payment of what somebody took out was made or canceled; `id` is that user. His earnings do not say by whom."""

    private = (Private("by", PAYMENTS),)
    type: Literal["earnings.changed"] = "earnings.changed"
    data: IdData


OF_CUSTOMER_FORMS = frozenset({P.ListCustomers, P.CreateCustomer, P.UpdateCustomer})
OF_REASONS = frozenset({P.ListProductionProcesses, P.UpdateProductionProcess, P.ReleaseProductionProccess})
CATALOG_READERS: dict[Catalog, frozenset[P]] = {
    "companies": frozenset({P.ListCompanies}),
    "customers": frozenset({P.ListCustomers}),
    "components": frozenset({P.ListComponents}),
    "materials": frozenset({P.ListMaterials}),
    "export-tax-items": frozenset({P.ListExportTax}),
    "production-processes": frozenset({P.ListProductionProcesses}),
    "items": frozenset({P.ListItems}),
    "customer-types": OF_CUSTOMER_FORMS,
    "tax-sections": OF_CUSTOMER_FORMS,
    "release-reasons": OF_REASONS,
    "scrap-reasons": OF_REASONS,
    "users": frozenset({P.ListUsers}),
    "roles": frozenset({P.ListRoles}),
}
"""Who is told that an entry changed. Any of the staff may read the short lists; told are those whose screens show
them."""


class CatalogChanged(Event):
    audience = frozenset().union(*CATALOG_READERS.values())
    type: Literal["catalog.changed"] = "catalog.changed"
    data: CatalogData

    def readers(self) -> frozenset[P]:
        return CATALOG_READERS[self.data.catalog]


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
PRIVATE: dict[str, tuple[Private, ...]] = {event.model_fields["type"].default: event.private for event in EVENTS}
LIVE_PERMISSIONS: frozenset[str] = frozenset(
    str(name)
    for event in EVENTS
    for names in (event.audience, *(field.needs for field in event.private))
    for name in names
)
"""The permissions that matter to a socket; holding none of them, it still receives its user's own events."""
OF_EVERY_SESSION: frozenset[str] = frozenset(
    event.model_fields["type"].default for event in (SessionEnded, PermissionsChanged)
)
"""The personal events that an account of a customer's receives as everybody does."""


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
