"""Makes and changes links, opens their pages, and takes customers' answers (infra/docs/rules.md#customer-links)."""

import secrets
from datetime import timedelta
from math import ceil
from typing import Any

from django.conf import settings
from django.db.models import F

from project.access import throttle
from project.access.models import SignInAttempt
from project.access.pace import Pace
from project.access.permissions import Permission
from project.access.principal import Principal, subject_of_link
from project.access.token import of_link
from project.audit import services as audit
from project.audit.services import Snapshot
from project.catalogs.models import Customer
from project.core import clock
from project.core.emails import check_deliverable
from project.core.errors import (
    FieldError,
    IdempotencyKeyReused,
    InvalidFields,
    NotFound,
    PermissionDenied,
    TooManyCalls,
    named_by,
)
from project.core.idempotency import unit_of_work
from project.core.schemas import given, is_seen
from project.core.sealing import digest_of_random
from project.core.versions import Unchanged, changed_or_as_it_is
from project.customer_links import rules, selectors
from project.customer_links.models import ApprovalRequest, CustomerAnswer, CustomerLink
from project.customer_links.rules import CLOSES, NEED_TEXT, AnswerKind, LinkOver, NotRequested, Paper
from project.customer_links.schemas import CustomerLinkChange, CustomerLinkIn, PageAnswerIn
from project.customer_links.selectors import Shown
from project.events import record_and_publish
from project.notices import links as mails
from project.notices.announcing import cause_announce
from project.orders.models import Line, SalesOrder
from project.orders.services import order_for_update
from realtime import outbox
from realtime.registry import SessionData, SessionEnded

NAME = "customer-links"
ANSWERS = "customer-answers"
FIRST_LANGUAGE = "es"
"""The language of a weekly mail, unless another one is given."""
MOST_READS = 120
"""Most calls through one link in a minute, in each process."""
MOST_ANSWERS = 30
"""Most answers through one link, or of one account, in an hour."""
HOUR = timedelta(hours=1)

reads = Pace(MOST_READS)


# Links, by the staff.


@unit_of_work
def link_create(*, body: CustomerLinkIn, by: Principal) -> tuple[CustomerLink, str]:
    """Make a link. Returns the link and the token of its address.

    The token is not stored, except sealed in the row of the link's weekly mail. Raises `InvalidFields`, and
    `PermissionDenied` for a caller who shares prices or papers and may not read bills.
    """
    _check_may_share(body, by)
    check_deliverable("mailTo", body.mail_to, None)
    order = _order_named(body)
    customer = order.customer if order else _customer_named(body)
    token, now = secrets.token_urlsafe(32), clock.now()
    made = CustomerLink.objects.create(
        customer=customer,
        order=order,
        name=body.name or (order.customer_sales_order_id if order else customer.name),
        token_digest=digest_of_random(token),
        shows_prices=body.shows_prices,
        shows_photos=body.shows_photos,
        shows_papers=body.shows_papers,
        shows_processes=body.shows_processes,
        created_at=now,
        created_by_id=by.user_id,
        expires_at=now + timedelta(days=body.days),
    )
    if body.mail_to is not None:
        page = rules.address_of(token, site=settings.PUBLIC_URL)
        mails.mail_to(link_id=made.pk, address=body.mail_to, language=body.mail_language, page=page)
    created = selectors.link_get(made.pk)
    record_and_publish(NAME, created, "created", by, before=None, after=_snapshot(created))
    return created, token


def _check_may_share(shown: CustomerLinkIn | CustomerLink, by: Principal) -> None:
    """Raise `PermissionDenied` if prices or papers are shared and the caller may not read bills."""
    if (shown.shows_prices or shown.shows_papers) and not by.holds(Permission.ReportListBills):
        raise PermissionDenied


def _order_named(body: CustomerLinkIn) -> SalesOrder | None:
    """Return the order of a new link; None if the link shows all orders of a customer. Raises `InvalidFields`."""
    if (body.sales_order_id is None) == (body.customer_id is None):
        raise InvalidFields.of("salesOrderId", "required" if body.customer_id is None else "invalid")
    if body.sales_order_id is None:
        return None
    order = SalesOrder.objects.select_related("customer").filter(pk=body.sales_order_id).first()
    if order is None:
        raise InvalidFields.of("salesOrderId", "unknown")
    return order


def _customer_named(body: CustomerLinkIn) -> Customer:
    customer = None if body.customer_id is None else Customer.objects.filter(pk=body.customer_id).first()
    if customer is None:
        raise InvalidFields.of("customerId", "unknown")
    return customer


@unit_of_work
def link_change(
    *, link_id: int, body: CustomerLinkChange, by: Principal, expected: frozenset[int] | None = None
) -> CustomerLink:
    """Change the address or the language of a link's weekly mail, or remove the address.

    Raises `NotFound`, `StaleVersion`, and `InvalidFields` for a language without an address. For a new address, also
    raises `LinkOver`, and `PermissionDenied` as `link_create` does, because the mail contains the address of the page.
    """

    def change() -> CustomerLink:
        link = _link_for_update(link_id)
        link.claim(expected)
        before = _snapshot(link)
        fields = given(body)
        wanted = _mail_wanted(before, fields)
        if wanted is None and "mail_to" not in fields and fields.get("mail_language"):
            raise InvalidFields.of("mailTo", "required")
        if wanted == _mail_wanted(before, {}):
            raise Unchanged
        if wanted is None:
            mails.forget(link_id)
        else:
            address, language = wanted
            check_deliverable("mailTo", address, before["mailTo"])
            if address != before["mailTo"]:
                if selectors.is_over(link):
                    raise LinkOver
                _check_may_share(link, by)
            mails.mail_to(link_id=link_id, address=address, language=language, page="")
        link.save(update_fields=["version"])
        changed = selectors.link_get(link_id)
        record_and_publish(NAME, changed, "changed", by, before=before, after=_snapshot(changed))
        return changed

    return changed_or_as_it_is(change, lambda: selectors.link_get(link_id))


def _mail_wanted(before: Snapshot, fields: dict[str, Any]) -> tuple[str, str] | None:
    """Return the address and the language of the weekly mail after a change of `fields`; None if there is no mail."""
    address: str | None = fields.get("mail_to", before["mailTo"])
    if address is None:
        return None
    return address, fields.get("mail_language") or before["mailLanguage"] or FIRST_LANGUAGE


def _link_for_update(link_id: int) -> CustomerLink:
    """Lock a link. Raises `NotFound`."""
    link = CustomerLink.objects.select_for_update().filter(pk=link_id).first()
    if link is None:
        raise NotFound
    return link


@unit_of_work
def link_revoke(*, link_id: int, by: Principal) -> CustomerLink:
    """Revoke a link: its address stops working, and its sockets close. Idempotent. Raises `NotFound`."""
    link = _link_for_update(link_id)
    if link.revoked_at is None:
        _revoke(link, by)
    return selectors.link_get(link_id)


def links_of_order_end(order_id: int, by: Principal) -> None:
    """Revoke the links of an order that is about to be deleted. The order must be locked."""
    for link in CustomerLink.objects.select_for_update().filter(order=order_id, revoked_at__isnull=True).order_by("pk"):
        _revoke(link, by)


def links_of_customer_end(customer: Customer, by: Principal) -> None:
    """Revoke the links of a customer that is about to be deleted. The customer must be locked."""
    links = CustomerLink.objects.select_for_update(of=("self",)).filter(customer=customer, revoked_at__isnull=True)
    for link in links.order_by("pk"):
        _revoke(link, by)


def _revoke(link: CustomerLink, by: Principal) -> None:
    before = _snapshot(link)
    link.claim(None)
    link.revoked_at, link.revoked_by_id = clock.now(), by.user_id
    link.save(update_fields=["revoked_at", "revoked_by", "version"])
    mails.forget(link.pk)
    subject = subject_of_link(link.pk)
    outbox.publish(SessionEnded(data=SessionData(id=subject, jti=None)), by=None, to_user=subject)
    revoked = selectors.link_get(link.pk)
    record_and_publish(NAME, revoked, "deleted", by, before=before, after=_snapshot(revoked))


def revoke_all() -> int:
    """Revoke all links of a restored database, because some may have been revoked since the backup.

    Publishes no event: nobody is connected yet. Returns the number of links.
    """
    links = CustomerLink.objects.filter(revoked_at__isnull=True, expires_at__gt=clock.now())
    return links.update(revoked_at=clock.now(), version=F("version") + 1)


def _snapshot(link: CustomerLink) -> Snapshot:
    """Return the audit's snapshot of a link and its weekly mail. 1 query.

    Leaves out the token's digest and how often the link was opened.
    """
    mail = mails.mail_of(link.pk)
    weekly = {"mail_to": mail.address if mail else None, "mail_language": mail.language if mail else None}
    return {
        name: value
        for name, value in audit.snapshot(link, **weekly).items()
        if name not in ("tokenDigest", "openedCount", "openedAt")
    }


# Pages.


def page_opened(token: str, *, address: str, first: bool = False) -> CustomerLink:
    """Return the link whose address contains `token`, for a call of its page. `first`: count the call as an opening.

    A call with an unknown token counts as a failed attempt of the network address. 1 query, and 1 to count an opening.

    Raises `NotFound`, `TooManyAttempts` after too many unknown tokens, `LinkOver`, `TooManyCalls`.
    """
    link = selectors.link_by_token(token)
    if link is None:
        attempt = throttle.begin(f"page {address}", address, purpose=SignInAttempt.PAGE)
        if throttle.failed(attempt):
            audit.record_guessing("link", entity=NAME)
        raise NotFound
    if selectors.is_over(link):
        raise LinkOver
    reads.take(link.pk)
    if first:
        CustomerLink.objects.filter(pk=link.pk).update(opened_count=F("opened_count") + 1, opened_at=clock.now())
    return link


def caller_of(link: CustomerLink) -> Principal:
    """Return the caller for a link that is not over. Sockets, pictures and the audit use this caller."""
    return of_link(link.pk, selectors.rights(link))


def check_paper(*, shown: Shown, bill_id: int, paper: Paper) -> None:
    """Check that the page offers this paper of a bill. 2 queries. Raises `NotFound`."""
    bill = selectors.issued_bill(shown, bill_id)
    if bill is None or paper not in selectors.papers_of(bill, shown):
        raise NotFound


# Answers.


@unit_of_work
def answer_give(*, body: PageAnswerIn, shown: Shown, by: Principal) -> CustomerAnswer:
    """Store a customer's answer about a line that their page shows, and notify the office.

    A repeated answer with a known `key` is a no-op. Raises `IdempotencyKeyReused` if the key is known but the answer
    differs. Raises `InvalidFields`, `LinkOver`, `TooManyCalls`, and `NotRequested` for an approval without a request.
    """
    _check_text(body)
    line = _locked_line(body, shown)
    author = _author(shown)
    earlier = selectors.answers().filter(**author)
    if (known := earlier.filter(key=body.key).first()) is not None:
        if (known.line_id, known.kind, known.text, known.quantity) != (line.pk, body.kind, body.text, body.quantity):
            raise IdempotencyKeyReused
        return known
    now = clock.now()
    if earlier.filter(at__gt=now - HOUR).count() >= MOST_ANSWERS:
        raise TooManyCalls(retryAfter=ceil(HOUR.total_seconds()))
    request = _request_answered(body, shown, line)
    made = CustomerAnswer.objects.create(
        **author,
        line=line,
        kind=body.kind,
        text=body.text,
        quantity=body.quantity,
        key=body.key,
        at=now,
        request=request,
    )
    audit.record(
        entity=ANSWERS,
        entity_id=made.pk,
        label=f"{line.order.customer_sales_order_id} {line.position}",
        action="created",
        before=None,
        after={"kind": made.kind, "text": made.text, "quantity": made.quantity},
        by=by,
    )
    (notification,) = selectors.Answers().notifications(CustomerAnswer.objects.filter(pk=made.pk))
    cause_announce(notification)
    return selectors.answers().get(pk=made.pk)


def _request_answered(body: PageAnswerIn, shown: Shown, line: Line) -> ApprovalRequest | None:
    """Close the open request that an approval or a change answers; None for a change that nobody asked for.

    The order is locked, so a request is answered once. Raises `NotRequested`.
    """
    if body.kind not in CLOSES:
        return None
    request = selectors.request_open(shown, line)
    if request is not None and body.request_id not in (None, request.pk):
        request = None
    if request is None and body.kind is AnswerKind.approved:
        raise NotRequested
    if request is not None:
        ApprovalRequest.objects.filter(pk=request.pk).update(status=CLOSES[body.kind])
    return request


def _locked_line(body: PageAnswerIn, shown: Shown) -> Line:
    """Lock the order of an answer, and return its line. Raises `InvalidFields` if the page does not show it.

    Always lock the order before the link, as a deletion does, to avoid deadlocks. Never lock an order that the page
    does not show.
    """
    if selectors.line_of(shown, body.sales_order_id, body.position) is not None:
        with named_by("salesOrderId"):
            order_for_update(body.sales_order_id)
    line = selectors.line_of(shown, body.sales_order_id, body.position)
    if line is None:
        shows = selectors.shows_order(shown, body.sales_order_id)
        raise InvalidFields.of("position" if shows else "salesOrderId", "unknown")
    return line


def _check_text(body: PageAnswerIn) -> None:
    """Raise `InvalidFields` for a change or comment without text, and for a quantity unless it is ordered again."""
    errors = []
    if body.kind in NEED_TEXT and not any(map(is_seen, body.text)):
        errors.append(FieldError("text", "required"))
    if body.quantity is not None and body.kind is not AnswerKind.again:
        errors.append(FieldError("quantity", "invalid"))
    if errors:
        raise InvalidFields(errors=errors)


def _author(shown: Shown) -> dict[str, int]:
    """Return the author of an answer as a field of the model: the link or the account.

    Locks a link, so that its answers are counted one after the other. Raises `LinkOver` if the link is over by now.
    """
    if shown.link is None:
        return {"account_id": shown.account_id or 0}
    link = CustomerLink.objects.select_for_update().filter(pk=shown.link.pk).first()
    if link is None or selectors.is_over(link):
        raise LinkOver
    return {"link_id": link.pk}
