"""What the staff write to customers: requests for approvals, and replies (infra/docs/rules.md#customer-links)."""

from project.access.principal import Principal
from project.audit import services as audit
from project.core import clock, pictures
from project.core.errors import InvalidFields, named_by
from project.core.idempotency import unit_of_work
from project.customer_links import selectors
from project.customer_links.events import CustomerTalkChanged, TalkData
from project.customer_links.models import AnswerReply, ApprovalRequest, CustomerAnswer, CustomerLink, HandledAnswer
from project.customer_links.rules import AlreadyAnswered, LinkOver, RequestStatus
from project.customer_links.schemas import ApprovalRequestIn
from project.notices.announcing import cause_end
from project.notices.rules import Cause, Kind
from project.orders.models import Line
from project.orders.services import order_for_update
from realtime import outbox
from realtime.registry import Actor

ANSWERS = "customer-answers"
REQUESTS = "approval-requests"
PHOTOS = "approvals"
"""The folder of the pictures that were sent with requests."""


def request_make(*, link_id: int, body: ApprovalRequestIn, by: Principal) -> ApprovalRequest:
    """Ask the reader of a link to approve a line. A former open request for the line is withdrawn.

    The picture is copied, so that the approval keeps naming the picture that it was given for. Raises `NotFound`,
    `LinkOver`, `InvalidFields`, `Unavailable`.
    """
    if body.photo is None:
        return _request_make(link_id, body, "", by)
    with named_by("photo"):
        name = pictures.name_at(body.photo)
    line = _line_shown(_link_in_use(link_id), body)
    if name not in selectors.pictures_of(line):
        raise InvalidFields.of("photo", "unknown")
    with named_by("photo"), pictures.copied(name, PHOTOS) as copy:
        return _request_make(link_id, body, copy, by)


@unit_of_work
def _request_make(link_id: int, body: ApprovalRequestIn, photo: str, by: Principal) -> ApprovalRequest:
    _line_shown(_link_in_use(link_id), body)
    with named_by("salesOrderId"):
        order_for_update(body.sales_order_id)
    link = CustomerLink.objects.select_for_update(of=("self",)).select_related("order").filter(pk=link_id).first()
    if link is None or selectors.is_over(link):
        raise LinkOver
    line = _line_shown(link, body)
    for former in ApprovalRequest.objects.filter(link=link, line=line, status=RequestStatus.open):
        _withdraw(former, line, by)
    made = ApprovalRequest.objects.create(
        link=link, line=line, text=body.text, photo=photo, by_id=by.user_id, at=clock.now()
    )
    _record(
        REQUESTS, made.pk, line, "created", by, after={"text": made.text, "photo": made.photo, "status": made.status}
    )
    _publish(made.pk, line, by)
    return selectors.request_get(link_id, made.pk)


def _link_in_use(link_id: int) -> CustomerLink:
    """Return a link that is not over. Raises `NotFound`, `LinkOver`."""
    link = selectors.link_get(link_id)
    if selectors.is_over(link):
        raise LinkOver
    return link


def _line_shown(link: CustomerLink, body: ApprovalRequestIn) -> Line:
    """Return the line that a request names. Raises `InvalidFields` if the page of the link does not show it."""
    shown = selectors.shown_by_link(link)
    line = selectors.line_of(shown, body.sales_order_id, body.position)
    if line is None:
        shows = selectors.shows_order(shown, body.sales_order_id)
        raise InvalidFields.of("position" if shows else "salesOrderId", "unknown")
    return line


@unit_of_work
def request_withdraw(*, link_id: int, request_id: int, by: Principal) -> ApprovalRequest:
    """Withdraw a request: the page no longer offers the approval. Idempotent. Raises `NotFound`, `AlreadyAnswered`."""
    order_for_update(selectors.request_get(link_id, request_id).line.order_id)
    request = selectors.request_get(link_id, request_id)
    if request.status == RequestStatus.withdrawn:
        return request
    if request.status != RequestStatus.open:
        raise AlreadyAnswered
    _withdraw(request, request.line, by)
    _publish(request.pk, request.line, by)
    return selectors.request_get(link_id, request_id)


def _withdraw(request: ApprovalRequest, line: Line, by: Principal) -> None:
    ApprovalRequest.objects.filter(pk=request.pk).update(status=RequestStatus.withdrawn)
    before, after = {"status": request.status}, {"status": RequestStatus.withdrawn.value}
    _record(REQUESTS, request.pk, line, "changed", by, before=before, after=after)


@unit_of_work
def answer_reply(*, answer_id: int, text: str, by: Principal) -> CustomerAnswer:
    """Reply to a customer's answer. The customer's page shows the reply. Raises `NotFound`."""
    answer = selectors.answer_get(answer_id)
    made = AnswerReply.objects.create(answer=answer, text=text, by_id=by.user_id, at=clock.now())
    _record(ANSWERS, answer.pk, answer.line, "changed", by, before={"reply": None}, after={"reply": made.text})
    _publish(answer.pk, answer.line, by)
    return selectors.answer_get(answer_id)


@unit_of_work
def answer_handle(*, answer_id: int, by: Principal) -> CustomerAnswer:
    """Mark a customer's answer as handled: it leaves every bell of the office. Idempotent. Raises `NotFound`."""
    answer = selectors.answer_get(answer_id)
    _, is_new = HandledAnswer.objects.get_or_create(answer=answer, defaults={"by_id": by.user_id, "at": clock.now()})
    if is_new:
        _record(ANSWERS, answer.pk, answer.line, "changed", by, before={"handled": False}, after={"handled": True})
        cause_end(Cause(Kind.CustomerAnswer, answer.pk))
        _publish(answer.pk, answer.line, by)
    return selectors.answer_get(answer_id)


def _record(
    entity: str,
    entity_id: int,
    line: Line,
    action: str,
    by: Principal,
    *,
    before: audit.Snapshot | None = None,
    after: audit.Snapshot,
) -> None:
    label = f"{line.order.customer_sales_order_id} {line.position}"
    audit.record(entity=entity, entity_id=entity_id, label=label, action=action, before=before, after=after, by=by)


def _publish(about: int, line: Line, by: Principal) -> None:
    data = TalkData(id=about, sales_order_id=line.order_id, position=line.position, customer_id=line.order.customer_id)
    outbox.publish(CustomerTalkChanged(data=data), by=Actor.of(by))
