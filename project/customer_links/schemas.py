"""Bodies and answers of links, pages and answers of customers."""

from typing import Annotated, Literal
from uuid import uuid4

from pydantic import AfterValidator, Field

from project.core.folding import visible
from project.core.pagination import ListQuery
from project.core.pictures import PictureAddress
from project.core.schemas import UNSET, Day, Document, Flag, Id, In, Instant, Money, OneLine, Out, Pieces, QueryId
from project.customer_links.models import LONGEST_TEXT
from project.customer_links.rules import AnswerKind, Paper, Stage
from project.identity.schemas import Email

LONGEST_DAYS = 730

AnswerText = Annotated[str, Field(max_length=LONGEST_TEXT), AfterValidator(visible)]
AnswerKey = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class CustomerLinkIn(In):
    """A link to make: to the page of an order, or of all orders of a customer. One of the two is given.

    `name`: what the staff call it, by default the PO# or the customer's name. `days`: how long it opens the page.
    `mailTo`: an address that is mailed each week how the orders are, in `mailLanguage`, if anything has changed.
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

    `mailTo`: null if nobody is mailed any more. `mailLanguage`: null is as if it were omitted.
    """

    mail_to: Email | None = UNSET
    mail_language: Literal["es", "en"] | None = UNSET


class CustomerLinkQuery(ListQuery):
    """The parameters of the list of links. `salesOrderId`: those that show this order, alone or with all others."""

    sales_order_id: QueryId | None = None
    customer_id: QueryId | None = None


class CustomerLinkOut(Out):
    """A link, without its address. `over`: it opens nothing any more. `openedCount`: how often the page was opened.

    `mailTo`: where its weekly mails go, in `mailLanguage`; null without. `mailStopped`: their reader wants no more.
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


class NewCustomerLinkOut(CustomerLinkOut):
    """A new link with the token of its address, `/#/c/{token}`, which is shown only now."""

    token: str


class CustomerAnswerQuery(ListQuery):
    """The parameters of the list of answers."""

    sales_order_id: QueryId | None = None


class CustomerAnswerOut(Out):
    """What a customer said about a line. `by`: the name of the link, or of the account's person."""

    id: int
    kind: AnswerKind
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    text: str
    quantity: int | None
    at: Instant
    by: str


# The page.


class PageAnswerIn(In):
    """What the customer says about a line. `key`: chosen by the page, so that a repeat is stored once; may be left out.

    `text` is needed for a change and a comment. `quantity`: the pieces to order again.
    """

    key: AnswerKey = Field(default_factory=lambda: uuid4().hex)
    kind: AnswerKind
    sales_order_id: Id
    position: Id
    text: AnswerText = ""
    quantity: Pieces | None = None


class PageProcess(Document):
    """A process that pieces are inside of. `nameEnglish` is empty if it has no English name."""

    name: str
    name_english: str


class PageForecast(Document):
    """When the line will probably be done: half of such lines by `earliest`, four fifths by `latest`."""

    earliest: Day
    latest: Day


class PageLine(Document):
    """A line as its customer sees it. Quantities are pieces.

    `step` of `steps`: how many of the processes that the product usually takes it has come to; null unless it is in
    production. `price`: of a piece. What the page does not show is null or empty.
    """

    position: int
    item_key: str
    item_name: str
    item_name_english: str
    quantity: int
    quantity_ready: int
    quantity_shipped: int
    stage: Stage
    step: int | None
    steps: int | None
    processes: list[PageProcess]
    delivery_date: Day | None
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


class PageAnswer(Document):
    """What the reader of the page has answered."""

    id: int
    kind: AnswerKind
    position: int
    text: str
    quantity: int | None
    at: Instant


class PageOrder(Document):
    """An order as its customer sees it."""

    id: int
    customer_sales_order_id: str
    sales_order_date: Day
    lines: list[PageLine]
    shipments: list[PageShipment]
    papers: list[PagePaper]
    answers: list[PageAnswer]


class CustomerPageOut(Document):
    """A customer's page. `zone`: the workshop's time zone. `more`: there are older orders that it does not show.

    `expiresAt`: until when the link opens it; null for an account.
    """

    customer_name: str
    company_name: str
    logo: PictureAddress | None
    zone: str
    expires_at: Instant | None
    orders: list[PageOrder]
    more: bool


class PageTicketOut(Document):
    """A ticket for `GET /ws/events`, valid for one socket within 30 seconds."""

    ticket: str
