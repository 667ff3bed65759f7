"""Reads links, what a page shows, and the answers of customers, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Case, Count, F, IntegerField, OuterRef, Prefetch, Q, QuerySet, Subquery, Value, When

from project.access.principal import LinkRights, Principal
from project.billing.models import Bill, BillLine
from project.billing.origin import origin_of
from project.billing.packing import Export
from project.billing.rules import BillStatus
from project.billing.selectors import bills
from project.catalogs.models import Item
from project.core import clock
from project.core.errors import NotFound
from project.core.pagination import Orderings
from project.core.sealing import digest_of_random
from project.core.spanish import matching
from project.customer_links import rules
from project.customer_links.models import AnswerReply, ApprovalRequest, CustomerAnswer, CustomerLink
from project.customer_links.rules import Paper, RequestStatus
from project.identity.models import full_name_of
from project.notices.causes import Notification
from project.notices.models import LinkMail
from project.notices.rules import Cause, Kind
from project.orders import selectors as orders
from project.orders.models import Line, Movement, SalesOrder
from project.orders.rules import Status
from project.staffing.models import CustomerAccount

ORDERINGS = Orderings(columns={"id": "id", "name": "name", "createdAt": "created_at"}, default="-id")
MOST_ORDERS = 200
"""The most orders that a page shows: open ones first, then the newest."""
ANSWERS_STAND = timedelta(days=30)
"""How long a customer's answer remains a notification for people who have not read it."""


@dataclass(frozen=True)
class Shown:
    """What a page shows: all orders of a customer or one order, and which parts of the orders.

    `link` or `account_id` is set: it is the author of the reader's answers.
    """

    customer_id: int
    order_id: int | None
    prices: bool
    photos: bool
    papers: bool
    processes: bool
    link: CustomerLink | None = None
    account_id: int | None = None


def shown_by_link(link: CustomerLink) -> Shown:
    """Return what the page of a link shows. No query."""
    return Shown(
        customer_id=link.customer_id,
        order_id=link.order_id,
        prices=link.shows_prices,
        photos=link.shows_photos,
        papers=link.shows_papers,
        processes=link.shows_processes,
        link=link,
    )


def shown_to_account(by: Principal) -> Shown:
    """Return what a customer's account sees: everything. Raises `NotFound` for staff or an account of no customer."""
    if not by.is_customer or by.customer_id is None:
        raise NotFound
    return Shown(by.customer_id, None, prices=True, photos=True, papers=True, processes=True, account_id=by.user_id)


def links(
    search: str | None = None, *, order_id: int | None = None, customer_id: int | None = None
) -> QuerySet[CustomerLink]:
    """Return links with their customer, order, counts, mail, and the names of their maker and revoker. 1 query.

    `order_id`: only links that show this order, alone or with all other orders of its customer.
    """
    answers = CustomerAnswer.objects.filter(link=OuterRef("pk")).order_by().values("link").annotate(number=Count("pk"))
    mails = LinkMail.objects.filter(link_id=OuterRef("pk"))
    found = CustomerLink.objects.select_related("customer", "order").annotate(
        created_by_name=full_name_of("created_by"),
        revoked_by_name=full_name_of("revoked_by"),
        answers_count=Subquery(answers.values("number"), output_field=IntegerField()),
        mail_to=Subquery(mails.values("address")),
        mail_language=Subquery(mails.values("language")),
        mail_stopped_at=Subquery(mails.values("stopped_at")),
        mails_refused=Subquery(mails.values("mail_refused")),
    )
    if order_id is not None:
        customer = SalesOrder.objects.filter(pk=order_id).values("customer")
        found = found.filter(Q(order=order_id) | Q(order__isnull=True, customer__in=customer))
    if customer_id is not None:
        found = found.filter(customer=customer_id)
    return matching(found, search, "name", "customer__name", "order__customer_sales_order_id")


def link_get(link_id: int) -> CustomerLink:
    """Return a link as `links` loads it. Raises `NotFound`."""
    found = links().filter(pk=link_id).first()
    if found is None:
        raise NotFound
    return found


def link_by_token(token: str) -> CustomerLink | None:
    """Return the link whose address contains `token`, even if it is over; None if there is no link. 1 query."""
    return CustomerLink.objects.select_related("customer", "order").filter(token_digest=digest_of_random(token)).first()


def is_over(link: CustomerLink) -> bool:
    """Return whether a link no longer works. No query if the link was loaded with its order."""
    return rules.is_over(
        expires_at=link.expires_at,
        revoked_at=link.revoked_at,
        customer_id=link.customer_id,
        of_order=link.order.customer_id if link.order else None,
        now=clock.now(),
    )


def rights_of(link_id: int) -> LinkRights | None:
    """Return a link's rights; None if it is over or unknown. 1 query."""
    link = CustomerLink.objects.select_related("order").filter(pk=link_id).first()
    return None if link is None or is_over(link) else rights(link)


def rights(link: CustomerLink) -> LinkRights:
    """Return the rights of a link that is not over. No query."""
    return LinkRights(name=link.name, customer_id=link.customer_id, order_id=link.order_id, expires_at=link.expires_at)


# What a page shows.


def orders_of(shown: Shown, search: str | None = None) -> tuple[list[SalesOrder], bool]:
    """Return at most `MOST_ORDERS` orders of a page, and whether there are more. 1 query.

    Open orders come first, then the newest. `search`: only orders whose PO# contains these words.
    """
    found = orders.seen_by_customers(SalesOrder.objects.filter(customer=shown.customer_id))
    if shown.order_id is not None:
        found = found.filter(pk=shown.order_id)
    found = matching(found, search, "customer_sales_order_id")
    over = Case(
        When(status__in=[Status.Invoiced, Status.Canceled], then=Value(1)),
        default=Value(0),
        output_field=IntegerField(),
    )
    rows = list(found.order_by(over, "-id")[: MOST_ORDERS + 1])
    return rows[:MOST_ORDERS], len(rows) > MOST_ORDERS


def lines_of(order_ids: Collection[int]) -> Mapping[int, list[Line]]:
    """Return the lines that customers see, by the id of their order and sorted by position. 1 query."""
    found: defaultdict[int, list[Line]] = defaultdict(list)
    shown = orders.lines_seen_by_customers(orders.lines().filter(order__in=order_ids))
    for line in shown.order_by("order_id", "position"):
        found[line.order_id].append(line)
    return found


def line_of(shown: Shown, order_id: int, position: int) -> Line | None:
    """Return the line at this position if the page shows it, else None. 1 query."""
    return _lines_of(shown, order_id).filter(position=position).first()


def shows_order(shown: Shown, order_id: int) -> bool:
    """Say whether the page shows a line of the order. 1 query."""
    return _lines_of(shown, order_id).exists()


def _lines_of(shown: Shown, order_id: int) -> QuerySet[Line]:
    found = orders.lines_seen_by_customers(orders.lines().filter(order=order_id, order__customer=shown.customer_id))
    return found if shown.order_id is None else found.filter(order=shown.order_id)


def issued_bills(order_ids: Collection[int]) -> list[Bill]:
    """Return the issued bills with pieces of these orders, oldest first, with their lines. 2 queries."""
    named = BillLine.objects.filter(line__order__in=order_ids).values("bill")
    return list(bills().filter(status=BillStatus.Billed, pk__in=named).order_by("date", "id"))


def prices_of(item_ids: Collection[int]) -> Mapping[int, tuple[Decimal, str]]:
    """Return the price of one piece and its currency, by the product's id. 1 query."""
    rows = Item.objects.filter(pk__in=item_ids).values_list("pk", "sell_price", "currency")
    return {pk: (price, currency) for pk, price, currency in rows}


def issued_bill(shown: Shown, bill_id: int) -> Bill | None:
    """Return an issued bill and its lines if it has pieces of an order that the page shows; else None. 2 queries."""
    named = BillLine.objects.filter(line__order__customer=shown.customer_id).values("bill")
    if shown.order_id is not None:
        named = named.filter(line__order=shown.order_id)
    return bills().filter(status=BillStatus.Billed, pk=bill_id, pk__in=named).first()


def papers_of(bill: Bill, shown: Shown) -> list[Paper]:
    """Return the papers of a bill that a page offers. No query if the bill was loaded with its lines.

    A page of one order offers no paper that also names another order.
    """
    lines = list(bill.lines.all())
    if not shown.papers or bill.customer_id != shown.customer_id:
        return []
    if shown.order_id is not None and any(one.line.order_id != shown.order_id for one in lines):
        return []
    export = Export.read(bill.export)
    return rules.papers_of(
        prices=shown.prices,
        tariffs=all(one.texts.tariff_item for one in lines),
        packed=export.pieces == sum(one.quantity for one in lines),
        incoterm=export.incoterm != "",
        origin=origin_of(bill).certified > 0,
    )


# Answers.


def answers() -> QuerySet[CustomerAnswer]:
    """Return answers with their line, order, customer, request and replies, and who gave them, oldest first. 3 queries.

    `handled_time`, `handled_by_name`: null unless the office has handled the answer.
    """
    replies = AnswerReply.objects.annotate(by_name=full_name_of("by")).order_by("id")
    return (
        CustomerAnswer.objects.select_related("line__order__customer", "link")
        .prefetch_related(Prefetch("request", requests()), Prefetch("replies", replies))
        .annotate(
            account_name=full_name_of("account"),
            handled_time=F("handled__at"),
            handled_by_name=full_name_of("handled__by"),
        )
        .order_by("id")
    )


def answer_get(answer_id: int) -> CustomerAnswer:
    """Return an answer as `answers` loads it. Raises `NotFound`. 3 queries."""
    found = answers().filter(pk=answer_id).first()
    if found is None:
        raise NotFound
    return found


def answers_found(search: str | None = None, *, order_id: int | None = None) -> QuerySet[CustomerAnswer]:
    """Return answers, searched by text, PO# and customer. `order_id`: only answers about this order."""
    found = answers() if order_id is None else answers().filter(line__order=order_id)
    return matching(found, search, "text", "line__order__customer_sales_order_id", "line__order__customer__name")


def answers_shown(shown: Shown, order_ids: Collection[int]) -> list[CustomerAnswer]:
    """Return the answers that the reader of a page gave. An account sees the answers of all accounts of its customer.

    3 queries.
    """
    found = answers().filter(line__order__in=order_ids)
    if shown.link is not None:
        return list(found.filter(link=shown.link))
    accounts = CustomerAccount.objects.filter(customer=shown.customer_id).values("user")
    return list(found.filter(account__in=accounts))


# Requests for approvals.


def requests() -> QuerySet[ApprovalRequest]:
    """Return requests with their line and order, and who asked, oldest first. 1 query."""
    return ApprovalRequest.objects.select_related("line__order").annotate(by_name=full_name_of("by")).order_by("id")


def requests_found(*, order_id: int | None = None) -> QuerySet[ApprovalRequest]:
    """Return requests, of all orders or of one."""
    return requests() if order_id is None else requests().filter(line__order=order_id)


def request_get(link_id: int, request_id: int) -> ApprovalRequest:
    """Return a request of this link. Raises `NotFound`. 1 query."""
    found = requests().filter(link=link_id, pk=request_id).first()
    if found is None:
        raise NotFound
    return found


def requests_shown(shown: Shown, order_ids: Collection[int]) -> list[ApprovalRequest]:
    """Return the requests that a page shows: those of its link, without withdrawn ones. 1 query.

    An account sees the requests of all links of its customer.
    """
    found = requests().filter(line__order__in=order_ids).exclude(status=RequestStatus.withdrawn)
    return list(found.filter(link=shown.link) if shown.link else found.filter(link__customer=shown.customer_id))


def request_open(shown: Shown, line: Line) -> ApprovalRequest | None:
    """Return the newest open request for a line that a page shows; None if there is none. 1 query."""
    found = requests().filter(line=line, status=RequestStatus.open)
    found = found.filter(link=shown.link) if shown.link else found.filter(link__customer=shown.customer_id)
    return found.last()


def pictures_of(line: Line) -> set[str]:
    """Return the stored names of the pictures of a line: its own or its product's, and those of scrapped pieces.

    1 query.
    """
    photos = Movement.objects.filter(line=line).exclude(photo="").values_list("photo", flat=True)
    return {*photos, line.pictured.image} - {""}


class Answers:
    """The answers of customers as causes of notifications (`notices.causes.Source`)."""

    def current(self, orders: Collection[int] | None = None) -> QuerySet[CustomerAnswer]:
        """Return the unhandled answers of the last 30 days, newest first: of all orders, or of `orders`."""
        recent = CustomerAnswer.objects.filter(at__gt=clock.now() - ANSWERS_STAND, handled__isnull=True)
        found = recent.order_by("-id")
        return found if orders is None else found.filter(line__order__in=orders)

    def known(self) -> QuerySet[CustomerAnswer]:
        return CustomerAnswer.objects.all()

    def notifications(self, rows: QuerySet[CustomerAnswer]) -> list[Notification]:
        """Return the notifications of these answers. 1 query."""
        columns: dict[str, Any] = {
            "version": F("line__version") + F("line__order__version"),
            "order": F("line__order_id"),
            "po": F("line__order__customer_sales_order_id"),
            "place": F("line__position"),
        }
        found = rows.annotate(**{f"of_{name}": column for name, column in columns.items()})
        return [
            Notification(
                cause=Cause(Kind.CustomerAnswer, pk),
                version=version,
                created_at=at,
                po=po,
                order_id=order_id,
                line_id=line_id,
                position=position,
                process_id=None,
                process_name=None,
                inside_since=None,
                delivery_date=None,
                answer=kind,
            )
            for pk, line_id, kind, at, version, order_id, po, position in found.values_list(
                "pk", "line_id", "kind", "at", *(f"of_{name}" for name in columns)
            )
        ]
