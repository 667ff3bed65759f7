"""The data of live events, in the shapes of the contract's answers (contract, sections 4 and 7)."""

from typing import Literal

from pydantic import ConfigDict, Field

from project.access.principal import Principal
from project.core.schemas import Day, Instant, Out


class Wire(Out):
    """What travels in a frame: every field is always there, null where there is nothing."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


class Actor(Wire):
    """Who did it."""

    id: int
    full_name: str

    @classmethod
    def of(cls, principal: Principal) -> "Actor":
        return cls(id=principal.user_id, full_name=principal.full_name)


class ProcessName(Wire):
    production_process_id: int
    production_process_name: str


class PiecesInside(Wire):
    """Pieces of a line that are inside a process since one entry; by whom only the board and the history say."""

    production_process_id: int
    production_process_name: str
    quantity: int
    record_id: int
    since: Instant
    by: str


class PiecesLeft(Wire):
    """How many pieces of a line left a process today, what was released taken off."""

    production_process_id: int
    quantity: int


class ReleasedExit(Wire):
    output_date: Instant
    output_username: str
    output_notes: str
    released_date: Instant
    released_by: str
    release_reason: str | None = None
    release_notes: str = ""
    undone: bool = False


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
    release_reason: str | None
    release_notes: str | None
    undone: bool
    released_exits: list[ReleasedExit]


class Offer(Wire):
    """A process that pieces of a line may enter or leave now, at most `maxQuantity`."""

    production_process_id: int
    production_process_name: str
    max_quantity: int


class ReleaseOffer(Wire):
    """The last record of a process, where it may be released: its open entry (`in`), or entry and exit (`both`)."""

    production_process_id: int
    production_process_name: str
    record_id: int
    side: Literal["in", "out", "both"]
    quantity: int


class Offers(Wire):
    """What may be done to a line next, whoever does it: his permissions and processes mask it."""

    statuses: list[str]
    in_: list[Offer] = Field(alias="in")
    out: list[Offer]
    release: list[ReleaseOffer]
    edit: bool


class LineDocument(Wire):
    """A line as every list, page, board and event has it: all of it that changes, and no history.

    Quantities are pieces. `leftToday` is what left each process since the plant's midnight.
    """

    id: int
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    customer_id: int | None
    customer_name: str
    sales_order_date: Day
    item_id: int
    item_key: str
    item_name: str
    status: str
    order_status: str
    order_version: int
    quantity: int
    quantity_inside: int
    quantity_available: int
    quantity_done: int
    quantity_billed: int
    creation_date: Instant
    shipment_date: Day | None
    delivery_date: Day | None
    shipping_date: Day | None
    late: bool
    notes: str
    own_image: bool
    version: int
    current_production_process: ProcessName | None
    last_production_process: ProcessName | None
    inside: list[PiecesInside]
    left_today: list[PiecesLeft]
    offers: Offers


class LineData(Wire):
    """A line after a change: its document, the record that the change is about, and every record it touched. None of
    the records for somebody who may not read the history."""

    sales_order_id: int
    position: int
    customer_sales_order_id: str
    item_name: str
    status: str
    order_status: str
    quantity: int
    quantity_inside: int
    current_production_process: ProcessName | None
    version: int
    line: LineDocument
    record: ProcessRecord | None = None
    records: list[ProcessRecord] = []


MOST_LINES = 200
"""What an event of an order carries at most."""


class OrderData(Wire):
    """The order's header. `lines` are those the change added (on creation: all) or altered; null where they are more
    than MOST_LINES, and are to be loaded."""

    id: int
    customer_sales_order_id: str
    customer_id: int
    customer_name: str
    sales_order_date: Day
    notes: str
    status: str
    version: int
    lines: list[LineDocument] | None = []


class StatusData(Wire):
    id: int
    status: str


class DeliveryData(StatusData):
    """A bill, and the customer whose it is."""

    customer_id: int


class PaymentData(Wire):
    """A payment, and the orders of which it pays or paid pieces; `status` for those who read payments."""

    id: int
    status: str | None
    sales_order_ids: list[int]


Catalog = Literal[
    "companies",
    "customers",
    "components",
    "materials",
    "export-tax-items",
    "production-processes",
    "items",
    "customer-types",
    "tax-sections",
    "release-reasons",
    "scrap-reasons",
    "users",
    "roles",
]


class CatalogData(Wire):
    """Which entry of which list; the list by the name of its path. An import tells of many: then `id` is 0."""

    id: int
    catalog: Catalog
    change: Literal["created", "changed", "deleted", "imported"]


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
