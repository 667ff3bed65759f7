"""Turns links, pages and customers' answers into answers of the API. A page has only the fields of its schema."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.conf import settings

from project.billing.models import Bill
from project.catalogs.models import Customer
from project.catalogs.selectors import issuer
from project.core import clock
from project.core.pictures import address, thumbnail_of
from project.customer_links import rules, schemas, selectors
from project.customer_links.models import ApprovalRequest, CustomerAnswer, CustomerLink
from project.customer_links.rules import AnswerKind, RequestStatus
from project.customer_links.selectors import Shown
from project.orders.documents import LineDocument, line_document
from project.orders.models import Line, SalesOrder
from project.orders.rules import Status
from project.orders.selectors import Record, ShopProcess, light_records_of, processes_for
from project.orders.summaries import ways_of_lines
from project.orders.ways import Ways


def link(row: CustomerLink) -> schemas.CustomerLinkOut:
    """Return a link as the API answers it. Load the link by the selectors. No query."""
    return schemas.CustomerLinkOut(**_link(row))


def new_link(row: CustomerLink, token: str) -> schemas.NewCustomerLinkOut:
    """Return a new link with the token of its address. No query."""
    return schemas.NewCustomerLinkOut(
        **_link(row), token=token, address=rules.address_of(token, site=settings.PUBLIC_URL)
    )


def _link(row: CustomerLink) -> dict[str, Any]:
    counted: Any = row  # annotated by the selectors
    return {
        "id": row.pk,
        "version": row.version,
        "name": row.name,
        "customer_id": row.customer_id,
        "customer_name": row.customer.name,
        "sales_order_id": row.order_id,
        "shows_prices": row.shows_prices,
        "shows_photos": row.shows_photos,
        "shows_papers": row.shows_papers,
        "shows_processes": row.shows_processes,
        "created_at": row.created_at,
        "created_by": counted.created_by_name,
        "expires_at": row.expires_at,
        "revoked_at": row.revoked_at,
        "revoked_by": counted.revoked_by_name if row.revoked_by_id else None,
        "over": selectors.is_over(row),
        "opened_count": row.opened_count,
        "opened_at": row.opened_at,
        "answers_count": counted.answers_count or 0,
        "mail_to": counted.mail_to,
        "mail_language": counted.mail_language,
        "mail_stopped": counted.mail_stopped_at is not None,
        "mail_refused": bool(counted.mails_refused),
    }


def answer(row: CustomerAnswer) -> schemas.CustomerAnswerOut:
    """Return a customer's answer as the staff see it. Load it by the selectors. No query."""
    named: Any = row  # annotated by the selectors
    return schemas.CustomerAnswerOut(
        id=row.pk,
        kind=AnswerKind(row.kind),
        sales_order_id=row.line.order_id,
        position=row.line.position,
        customer_sales_order_id=row.line.order.customer_sales_order_id,
        text=row.text,
        quantity=row.quantity,
        at=row.at,
        by=row.link.name if row.link else named.account_name,
        request=request(row.request) if row.request else None,
        replies=[_reply(one) for one in row.replies.all()],
        handled=named.handled_time is not None,
        handled_at=named.handled_time,
        handled_by=named.handled_by_name if named.handled_time else None,
    )


def _reply(row: Any) -> schemas.ReplyOut:
    return schemas.ReplyOut(id=row.pk, text=row.text, at=row.at, by=row.by_name)


def request(row: ApprovalRequest) -> schemas.ApprovalRequestOut:
    """Return a request for an approval as the staff see it. Load it by the selectors. No query."""
    named: Any = row  # annotated by the selectors
    return schemas.ApprovalRequestOut(
        **_request(row), link_id=row.link_id, sales_order_id=row.line.order_id, by=named.by_name
    )


def _request(row: ApprovalRequest) -> dict[str, Any]:
    return {
        "id": row.pk,
        "position": row.line.position,
        "status": RequestStatus(row.status),
        "text": row.text,
        "photo": address(row.photo) if row.photo else None,
        "photo_thumbnail": address(thumbnail_of(row.photo)) if row.photo else None,
        "at": row.at,
    }


def page_answer(row: CustomerAnswer) -> schemas.PageAnswer:
    """Return an answer as the customer's page shows it. No query if the answer was loaded with its line."""
    return schemas.PageAnswer(
        id=row.pk,
        kind=AnswerKind(row.kind),
        position=row.line.position,
        text=row.text,
        quantity=row.quantity,
        at=row.at,
        request_id=row.request_id,
        replies=[schemas.PageReply(id=one.pk, text=one.text, at=one.at) for one in row.replies.all()],
    )


def page(shown: Shown, *, expires_at: datetime | None = None, search: str | None = None) -> schemas.CustomerPageOut:
    """Return a customer's page as the API answers it. At most 15 queries for any number of orders and lines."""
    orders, more = selectors.orders_of(shown, search)
    ids = [order.pk for order in orders]
    lines = selectors.lines_of(ids)
    rows = [line for some in lines.values() for line in some]
    made = _Made(
        shown=shown,
        processes=processes_for(),
        records=light_records_of([row.pk for row in rows]),
        ways=ways_of_lines(rows),
        bills=selectors.issued_bills(ids),
        prices=selectors.prices_of({row.item_id for row in rows}) if shown.prices else {},
    )
    asked: defaultdict[int, list[schemas.PageRequest]] = defaultdict(list)
    for request_ in selectors.requests_shown(shown, ids):
        asked[request_.line.order_id].append(schemas.PageRequest(**_request(request_)))
    given: defaultdict[int, list[schemas.PageAnswer]] = defaultdict(list)
    for one in selectors.answers_shown(shown, ids):
        given[one.line.order_id].append(page_answer(one))
    owner = workshop()
    return schemas.CustomerPageOut(
        customer_name=Customer.objects.values_list("name", flat=True).get(pk=shown.customer_id),
        company_name=owner.name,
        logo=owner.logo,
        zone=settings.PLANT_TIME_ZONE,
        expires_at=expires_at,
        orders=sorted(
            (made.order(one, lines.get(one.pk, []), asked[one.pk], given[one.pk]) for one in orders), key=_place
        ),
        more=more,
    )


def workshop() -> schemas.WorkshopOut:
    """Return name and mark of the workshop, for customers. 1 query."""
    owner = issuer()
    return schemas.WorkshopOut(name=owner.name, logo=address(thumbnail_of(owner.logo)) if owner.logo else None)


OPEN = (rules.Stage.waiting, rules.Stage.in_production)


def _place(order: schemas.PageOrder) -> tuple[bool, int, date, int]:
    """Return the sort key of an order: open lines, the most days late, the next agreed day, then the newest."""
    lines = [line for line in order.lines if line.stage in OPEN]
    late = max((line.late_days or 0 for line in lines), default=0)
    due = min((line.delivery_date for line in lines if line.delivery_date), default=date.max)
    return not lines, -late, due, -order.id


class _Made:
    """Builds the orders of a page from data that was loaded for all orders together."""

    def __init__(
        self,
        *,
        shown: Shown,
        processes: Sequence[ShopProcess],
        records: Mapping[int, Sequence[Record]],
        ways: Ways,
        bills: Sequence[Bill],
        prices: Mapping[int, tuple[Decimal, str]],
    ) -> None:
        self._shown, self._processes, self._records, self._ways = shown, processes, records, ways
        self._prices = prices
        self._bills: defaultdict[int, list[Bill]] = defaultdict(list)
        self._shipped: defaultdict[int, int] = defaultdict(int)
        for bill in bills:
            for one in bill.lines.all():
                self._shipped[one.line_id] += one.quantity
            for order in {one.line.order_id for one in bill.lines.all()}:
                self._bills[order].append(bill)

    def order(
        self,
        row: SalesOrder,
        lines: Iterable[Line],
        asked: list[schemas.PageRequest],
        given: list[schemas.PageAnswer],
    ) -> schemas.PageOrder:
        bills = self._bills[row.pk]
        return schemas.PageOrder(
            id=row.pk,
            customer_sales_order_id=row.customer_sales_order_id,
            sales_order_date=row.sales_order_date,
            lines=[self._line(line) for line in lines],
            shipments=[_shipment(bill, row.pk) for bill in bills],
            papers=[
                schemas.PagePaper(bill_id=bill.pk, number=bill.number_text, paper=paper)
                for bill in bills
                for paper in selectors.papers_of(bill, self._shown)
            ],
            requests=asked,
            answers=given,
        )

    def _line(self, row: Line) -> schemas.PageLine:
        records = self._records.get(row.pk, ())
        document = line_document(row, records, self._processes, self._ways)
        shipped = self._shipped[row.pk]
        stage = rules.stage_of(Status(row.status), good=row.quantity_good, shipped=shipped)
        entered = {record.process_id for record in records if record.released_at is None}
        step = rules.step_of(entered, self._ways.get(row.item_id))
        now, steps = step if step and stage is rules.Stage.in_production else (None, None)
        latest = document.forecast.p80 if stage in OPEN and document.forecast else None
        ready = max(clock.today(), latest or date.min)
        price, currency = self._prices.get(row.item_id, (None, None))
        photos = self._shown.photos
        return schemas.PageLine(
            position=row.position,
            item_key=row.item.key,
            item_name=row.item.name,
            item_name_english=row.item.name_english,
            quantity=row.quantity,
            quantity_good=row.quantity_good,
            quantity_ready=max(0, row.quantity_done - shipped),
            quantity_shipped=shipped,
            stage=stage,
            step=now,
            steps=steps,
            processes=self._inside(document) if self._shown.processes else [],
            delivery_date=row.delivery_date,
            late_days=rules.late_days(agreed=row.delivery_date, ready=ready) if stage in OPEN else None,
            forecast=schemas.PageForecast(latest=latest) if latest else None,
            image=document.image if photos else None,
            thumbnail=document.thumbnail if photos else None,
            price=price,
            currency=currency,
        )

    def _inside(self, document: LineDocument) -> list[schemas.PageProcess]:
        """Return the processes with pieces inside, each once, oldest entry first."""
        named = {process.id: process for process in self._processes}
        found = dict.fromkeys(one.production_process_id for one in document.inside)
        return [schemas.PageProcess(name=named[one].name, name_english=named[one].name_english) for one in found]


def _shipment(bill: Bill, order_id: int) -> schemas.PageShipment:
    """Return the pieces of an order on a bill, without the pieces of other orders."""
    return schemas.PageShipment(
        bill_id=bill.pk,
        date=bill.date,
        tracking_number=bill.guide_number,
        lines=[
            schemas.PageShippedLine(position=one.line.position, quantity=one.quantity)
            for one in bill.lines.all()
            if one.line.order_id == order_id
        ],
    )
