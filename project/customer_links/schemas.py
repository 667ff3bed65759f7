"""Bodies and answers of customers' links, pages and answers."""

from typing import Annotated, Literal
from uuid import uuid4

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from project.core.folding import visible
from project.core.pagination import ListQuery
from project.core.pictures import PictureAddress
from project.core.schemas import (
    UNSET,
    Day,
    Document,
    Flag,
    Id,
    In,
    Instant,
    Money,
    OneLine,
    Out,
    Pieces,
    QueryId,
    ShortText,
    is_seen,
)
from project.customer_links.models import LONGEST_OF_STAFF, LONGEST_TEXT
from project.customer_links.rules import AnswerKind, Paper, RequestStatus, Stage
from project.identity.schemas import Email

LONGEST_DAYS = 730


def _seen(value: str) -> str:
    """Refuse a text without a visible character."""
    if not any(map(is_seen, value)):
        raise PydanticCustomError("required", "text")
    return value


AnswerText = Annotated[str, Field(max_length=LONGEST_TEXT), AfterValidator(visible)]
StaffText = Annotated[
    str, Field(min_length=1, max_length=LONGEST_OF_STAFF), AfterValidator(visible), AfterValidator(_seen)
]
AnswerKey = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class CustomerLinkIn(In):
    """A link to make: to the page of an order, or of all orders of a customer. Send either id.

    `name`: the staff's name for the link, by default the PO# or the customer's name. `days`: how long the link opens
    the page. `mailTo`: an address that gets a weekly mail about the orders, in `mailLanguage`, if anything has changed.
    """

    sales_order_id: Id | None = None
    customer_id: Id | None = None
    name: OneLine = ""
    days: Annotated[int, Field(strict=True, ge=1, le=LONGEST_DAYS)] = 180
    shows_prices: Flag = False
    shows_photos: Flag = True
    shows_papers: Flag = False
    shows_processes: Flag = False
    mail_to: Email | None = None
    mail_language: Literal["es", "en"] = "es"


class CustomerLinkChange(In):
    """A change of the weekly mail of a link; omitted fields keep their values.

    `mailTo`: null ends the mails. `mailLanguage`: null means the same as omitted.
    """

    mail_to: Email | None = UNSET
    mail_language: Literal["es", "en"] | None = UNSET


class CustomerLinkQuery(ListQuery):
    """The parameters of the list of links. `salesOrderId`: links that show this order, alone or with other orders."""

    sales_order_id: QueryId | None = None
    customer_id: QueryId | None = None


class CustomerLinkOut(Out):
    """A link, without its address. `over`: the link no longer works. `openedCount`: how often the page was opened.

    `mailTo`: the address of the weekly mails, in `mailLanguage`; null if there are none. `mailStopped`: the reader
    stopped the mails. `mailRefused`: the mail server refused the last mail for good. After three such mails in a row no
    more are sent.
    """

    id: int
    version: int
    name: str
    customer_id: int
    customer_name: str
    sales_order_id: int | None
    shows_prices: bool
    shows_photos: bool
    shows_papers: bool
    shows_processes: bool
    created_at: Instant
    created_by: str
    expires_at: Instant
    revoked_at: Instant | None
    revoked_by: str | None
    over: bool
    opened_count: int
    opened_at: Instant | None
    answers_count: int
    mail_to: str | None
    mail_language: Literal["es", "en"] | None
    mail_stopped: bool
    mail_refused: bool


class NewCustomerLinkOut(CustomerLinkOut):
    """A new link with its token and the address of its page, below PUBLIC_URL. No later answer contains them."""

    token: str
    address: str


class CustomerAnswerQuery(ListQuery):
    """The parameters of the list of answers."""

    sales_order_id: QueryId | None = None


class ApprovalRequestIn(In):
    """Asks the reader of a link to approve a line. `photo`: the address of a picture of the line."""

    sales_order_id: Id
    position: Id
    text: StaffText
    photo: Annotated[str, Field(min_length=1, max_length=1_000)] | None = None


class ApprovalRequestOut(Out):
    """A request for an approval. `photo`: a copy of the line's picture; it stays if the line gets another one."""

    id: int
    status: RequestStatus
    link_id: int
    sales_order_id: int
    position: int
    text: str
    photo: PictureAddress | None
    photo_thumbnail: PictureAddress | None
    at: Instant
    by: str


class ReplyIn(In):
    """A reply of the staff, which the customer's page shows below the answer."""

    text: StaffText


class ReplyOut(Out):
    id: int
    text: str
    at: Instant
    by: str


class CustomerAnswerOut(Out):
    """A customer's answer about a line. `by`: the name of the link, or of the account's person.

    `request`: the request that an approval or a change answers; null if there was none. `handled`: somebody has marked
    the answer as handled, for the whole office.
    """

    id: int
    kind: AnswerKind
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    text: str
    quantity: int | None
    at: Instant
    by: str
    request: ApprovalRequestOut | None
    replies: list[ReplyOut]
    handled: bool
    handled_at: Instant | None
    handled_by: str | None


# The page.


class PageQuery(In):
    """`search`: only orders whose PO# contains these words."""

    search: ShortText | None = None


class PageAnswerIn(In):
    """A customer's answer about a line. `text`: required for a change and a comment. `quantity`: pieces to order again.

    `key`: chosen by the page, so that a repeated call is stored once. It may be omitted. `requestId`: the request that
    an approval or a change answers; if omitted, the open request for the line.
    """

    key: AnswerKey = Field(default_factory=lambda: uuid4().hex)
    kind: AnswerKind
    sales_order_id: Id
    position: Id
    text: AnswerText = ""
    quantity: Pieces | None = None
    request_id: Id | None = None


class PageProcess(Document):
    """A process with pieces inside. `nameEnglish` is empty if the process has no English name."""

    name: str
    name_english: str


class PageForecast(Document):
    """When the line will probably be done: four of five lines with such a forecast are done by `latest`."""

    latest: Day


class PageLine(Document):
    """A line as its customer sees it. Quantities are pieces. `quantityGood`: those that are not lost.

    `steps`: the number of processes of the product's way. `step`: how many of these the line has reached. Both are null
    unless the line is in production and the way is known. `lateDays`: how many days after `deliveryDate` an open line
    will probably be ready, or is already; null if it is not late. `price`: of a piece. Fields that the page hides are
    null or empty.
    """

    position: int
    item_key: str
    item_name: str
    item_name_english: str
    quantity: int
    quantity_good: int
    quantity_ready: int
    quantity_shipped: int
    stage: Stage
    step: int | None
    steps: int | None
    processes: list[PageProcess]
    delivery_date: Day | None
    late_days: int | None
    forecast: PageForecast | None
    image: PictureAddress | None
    thumbnail: PictureAddress | None
    price: Money | None
    currency: str | None


class PageShippedLine(Document):
    position: int
    quantity: int


class PageShipment(Document):
    """Pieces of an order that were shipped with a bill. `trackingNumber` is empty if it is not known yet."""

    bill_id: int
    date: Day
    tracking_number: str
    lines: list[PageShippedLine]


class PagePaper(Document):
    """A paper of the bill `billId` that the page offers."""

    bill_id: int
    number: str
    paper: Paper


class PageRequest(Document):
    """The workshop asks the reader to approve a line. `photo` is null if the request has no picture."""

    id: int
    position: int
    status: RequestStatus
    text: str
    photo: PictureAddress | None
    photo_thumbnail: PictureAddress | None
    at: Instant


class PageReply(Document):
    """A reply of the workshop to an answer."""

    id: int
    text: str
    at: Instant


class PageAnswer(Document):
    """An answer that the reader of the page gave. `requestId`: the request that it answers."""

    id: int
    kind: AnswerKind
    position: int
    text: str
    quantity: int | None
    at: Instant
    request_id: int | None
    replies: list[PageReply]


class PageOrder(Document):
    """An order as its customer sees it."""

    id: int
    customer_sales_order_id: str
    sales_order_date: Day
    lines: list[PageLine]
    shipments: list[PageShipment]
    papers: list[PagePaper]
    requests: list[PageRequest]
    answers: list[PageAnswer]


class CustomerPageOut(Document):
    """A customer's page. Orders with open lines come first: late ones, then those that are due next, then the newest.

    `zone`: the workshop's time zone. `more`: there are older orders that the page does not show. `expiresAt`: the time
    until which the link opens the page; null for an account.
    """

    customer_name: str
    company_name: str
    logo: PictureAddress | None
    zone: str
    expires_at: Instant | None
    orders: list[PageOrder]
    more: bool


class WorkshopOut(Document):
    """The workshop as its customers know it: the company on its papers. `name` is empty if no company is active."""

    name: str
    logo: PictureAddress | None


class PageTicketOut(Document):
    """A ticket for `GET /ws/events`, valid for one socket within 30 seconds."""

    ticket: str
