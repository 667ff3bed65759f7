"""REST of customers' pages: the links that open them, the pages, and the answers (infra/docs/rules.md#customer-links).

Operations below `/api/c/{token}` need no account: the token in the address says what they show. Messengers that make
previews, and search engines, get the same answers as people. So a GET writes only the counter of openings, if the page
asks for it, the audit of a printed paper, and attempts with unknown tokens.
"""

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query

from project.access.guard import Requires, SignedIn, caller
from project.access.permissions import Permission
from project.access.principal import Principal
from project.core.answers import Created
from project.core.idempotency import NotKept, Repeat
from project.core.pagination import Orderings, announce, paginate
from project.core.requests import current_address
from project.core.routing import Public, domain_router
from project.core.schemas import Id
from project.core.texts import active_language
from project.core.versions import if_match
from project.customer_links import presenters, schemas, selectors, services, talking
from project.customer_links.rules import Paper
from project.customer_links.selectors import Shown
from project.printing.answers import PDF, printed
from project.printing.export_papers import ExportPaper
from project.printing.services import print_bill, print_export
from realtime import tickets

links = domain_router("customer links")
answers = domain_router("customer links")
own = domain_router("customer pages")
pages = domain_router("customer pages")

MANAGE = Requires(Permission.ManageCustomerLinks)
READ = Requires(Permission.ListSalesOrders, Permission.ListOrders)
OF_ACCOUNT = Requires(
    Permission.ListSalesOrders,
    Permission.ListOrders,
    customers="their page: their orders, what they say about their lines, papers of their bills",
    services=False,
)
ANSWER_ORDERINGS = Orderings(columns={"id": "id"}, default="-id")

PathId = Annotated[Id, Path()]
Token = Annotated[str, Path(min_length=1, max_length=200)]


@links.get("", auth=MANAGE, operation_id="customer_link_list")
def link_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.CustomerLinkQuery]
) -> list[schemas.CustomerLinkOut]:
    """List links, newest first, including those that are over. No answer has the address of a link."""
    found = selectors.links(query.search, order_id=query.sales_order_id, customer_id=query.customer_id)
    page = paginate(found, query, selectors.ORDERINGS)
    return [presenters.link(row) for row in announce(page, request, response)]


@links.post(
    "",
    auth=MANAGE,
    operation_id="customer_link_create",
    repeat=NotKept("answers a token"),
)
def link_create(request: HttpRequest, body: schemas.CustomerLinkIn) -> Created[schemas.NewCustomerLinkOut]:
    """Make a link to a customer's page. Only this answer has the link's token.

    403 if the link shows prices or papers and the caller may not read bills.
    """
    made, token = services.link_create(body=body, by=caller(request))
    return Created(presenters.new_link(made, token))


@links.get("/answers", auth=READ, operation_id="customer_answer_list")
def answer_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.CustomerAnswerQuery]
) -> list[schemas.CustomerAnswerOut]:
    """List what customers answered, newest first."""
    found = selectors.answers_found(query.search, order_id=query.sales_order_id)
    page = paginate(found, query, ANSWER_ORDERINGS)
    return [presenters.answer(row) for row in announce(page, request, response)]


@links.get("/requests", auth=READ, operation_id="customer_link_request_list")
def request_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.CustomerAnswerQuery]
) -> list[schemas.ApprovalRequestOut]:
    """List the requests for approvals, newest first."""
    found = selectors.requests_found(order_id=query.sales_order_id)
    page = paginate(found, query, ANSWER_ORDERINGS)
    return [presenters.request(row) for row in announce(page, request, response)]


@links.get("/{int:link_id}", auth=MANAGE, operation_id="customer_link_get")
def link_get(request: HttpRequest, link_id: PathId) -> schemas.CustomerLinkOut:
    """Read a link, without its address."""
    return presenters.link(selectors.link_get(link_id))


@links.put("/{int:link_id}", auth=MANAGE, operation_id="customer_link_update")
def link_change(request: HttpRequest, link_id: PathId, body: schemas.CustomerLinkChange) -> schemas.CustomerLinkOut:
    """Change the address and the language of a link's weekly mail.

    404 `link_over` for a new address if the link is over. 403 for a new address if the link shows prices or papers and
    the caller may not read bills.
    """
    changed = services.link_change(link_id=link_id, body=body, by=caller(request), expected=if_match(request))
    return presenters.link(changed)


@links.delete(
    "/{int:link_id}",
    auth=MANAGE,
    operation_id="customer_link_delete",
    record_stays=True,
)
def link_delete(request: HttpRequest, link_id: PathId) -> schemas.CustomerLinkOut:
    """Revoke a link: its address stops working, and its sockets are closed at once. Idempotent."""
    return presenters.link(services.link_revoke(link_id=link_id, by=caller(request)))


@links.get("/{int:link_id}/requests/{int:request_id}", auth=MANAGE, operation_id="customer_link_request_get")
def request_get(request: HttpRequest, link_id: PathId, request_id: PathId) -> schemas.ApprovalRequestOut:
    """Read a request for an approval."""
    return presenters.request(selectors.request_get(link_id, request_id))


@links.post(
    "/{int:link_id}/requests",
    auth=MANAGE,
    operation_id="customer_link_request_create",
    repeat=Repeat(request_get, made="request_id"),
)
def request_create(
    request: HttpRequest, link_id: PathId, body: schemas.ApprovalRequestIn
) -> Created[schemas.ApprovalRequestOut]:
    """Ask the reader of a link to approve a line that its page shows. An open request for the line is withdrawn.

    404 `link_over` if the link is over.
    """
    return Created(presenters.request(talking.request_make(link_id=link_id, body=body, by=caller(request))))


@links.delete(
    "/{int:link_id}/requests/{int:request_id}",
    auth=MANAGE,
    operation_id="customer_link_request_delete",
    record_stays=True,
)
def request_delete(request: HttpRequest, link_id: PathId, request_id: PathId) -> schemas.ApprovalRequestOut:
    """Withdraw a request for an approval. Idempotent. 409 `already_answered` once the customer has answered it."""
    gone = talking.request_withdraw(link_id=link_id, request_id=request_id, by=caller(request))
    return presenters.request(gone)


# What customers answered.


@answers.get("/{int:answer_id}", auth=READ, operation_id="customer_answer_get")
def answer_get(request: HttpRequest, answer_id: PathId) -> schemas.CustomerAnswerOut:
    """Read a customer's answer."""
    return presenters.answer(selectors.answer_get(answer_id))


@answers.post(
    "/{int:answer_id}/reply", auth=READ, operation_id="customer_answer_reply_create", repeat=Repeat(answer_get)
)
def answer_reply(request: HttpRequest, answer_id: PathId, body: schemas.ReplyIn) -> Created[schemas.CustomerAnswerOut]:
    """Reply to a customer's answer. The customer's page shows the reply, without the name of its author."""
    replied = talking.answer_reply(answer_id=answer_id, text=body.text, by=caller(request))
    return Created(presenters.answer(replied))


@answers.post("/{int:answer_id}/handled", auth=READ, operation_id="customer_answer_handle", repeat=Repeat(answer_get))
def answer_handle(request: HttpRequest, answer_id: PathId) -> schemas.CustomerAnswerOut:
    """Mark a customer's answer as handled for the whole office: the answer leaves every bell. Idempotent."""
    return presenters.answer(talking.answer_handle(answer_id=answer_id, by=caller(request)))


# The page of an account.


@own.get("", auth=OF_ACCOUNT, operation_id="customer_page_get")
def own_page(request: HttpRequest, query: Query[schemas.PageQuery]) -> schemas.CustomerPageOut:
    """Read the page of a customer's account: all orders of its customer. 404 for staff."""
    return presenters.page(selectors.shown_to_account(caller(request)), search=query.search)


@own.get(
    "/workshop",
    auth=SignedIn("the head of every page names it", customers="the workshop that they buy from"),
    operation_id="customer_page_workshop",
)
def own_workshop(request: HttpRequest) -> schemas.WorkshopOut:
    """Read the name and the mark of the workshop, which customers' pages have at their head."""
    return presenters.workshop()


@own.post(
    "/answers",
    auth=OF_ACCOUNT,
    operation_id="customer_page_answer_create",
    repeat=NotKept("its own key is stored with the answer"),
)
def own_answer(request: HttpRequest, body: schemas.PageAnswerIn) -> Created[schemas.PageAnswer]:
    """Answer as a customer's account: approve a sample, ask for a change, comment, or order a line again."""
    by = caller(request)
    made = services.answer_give(body=body, shown=selectors.shown_to_account(by), by=by)
    return Created(presenters.page_answer(made))


@own.get(
    "/papers/{int:bill_id}/{paper}",
    auth=OF_ACCOUNT,
    operation_id="customer_page_paper",
    openapi_extra={"responses": {200: PDF}},
)
def own_paper(request: HttpRequest, bill_id: PathId, paper: Annotated[Paper, Path()]) -> HttpResponse:
    """Print a paper that the account's page offers, as PDF."""
    by = caller(request)
    return _paper(request, selectors.shown_to_account(by), bill_id, paper, by)


# Pages by link.


@pages.get("/{token}", auth=Public("the link is the proof"), operation_id="page_get")
def page_get(request: HttpRequest, token: Token, first: bool = False) -> schemas.CustomerPageOut:
    """Read the page of a link. `first`: a person has just opened the page. An open page that reloads does not send it.

    404 `not_found` for an unknown token, 404 `link_over` for a link that was revoked or has expired.
    """
    link = services.page_opened(token, address=current_address.get(), first=first)
    request.auth = services.caller_of(link)  # type: ignore[attr-defined]  # the addresses of pictures are valid for it
    return presenters.page(selectors.shown_by_link(link), expires_at=link.expires_at)


@pages.post(
    "/{token}/ticket",
    auth=Public("the link is the proof"),
    operation_id="page_ticket",
    repeat=NotKept("nobody is signed in, and it answers a ticket"),
)
def page_ticket(request: HttpRequest, token: Token) -> schemas.PageTicketOut:
    """Make a ticket for a socket that says only when the page has changed."""
    link = services.page_opened(token, address=current_address.get())
    return schemas.PageTicketOut(ticket=tickets.issue(services.caller_of(link)))


@pages.post(
    "/{token}/answers",
    auth=Public("the link is the proof"),
    operation_id="page_answer_create",
    repeat=NotKept("nobody is signed in; its own key is stored with the answer"),
)
def page_answer(request: HttpRequest, token: Token, body: schemas.PageAnswerIn) -> Created[schemas.PageAnswer]:
    """Answer through a link: approve a sample, ask for a change, comment, or order a line again."""
    link = services.page_opened(token, address=current_address.get())
    shown = selectors.shown_by_link(link)
    made = services.answer_give(body=body, shown=shown, by=services.caller_of(link))
    return Created(presenters.page_answer(made))


@pages.get(
    "/{token}/papers/{int:bill_id}/{paper}",
    auth=Public("the link is the proof"),
    operation_id="page_paper",
    openapi_extra={"responses": {200: PDF}},
)
def page_paper(request: HttpRequest, token: Token, bill_id: PathId, paper: Annotated[Paper, Path()]) -> HttpResponse:
    """Print a paper that the page of a link offers, as PDF."""
    link = services.page_opened(token, address=current_address.get())
    return _paper(request, selectors.shown_by_link(link), bill_id, paper, services.caller_of(link))


def _paper(request: HttpRequest, shown: Shown, bill_id: int, paper: Paper, by: Principal) -> HttpResponse:
    """Answer a paper of a bill that the page offers. Raises `NotFound` for any other paper."""
    services.check_paper(shown=shown, bill_id=bill_id, paper=paper)
    language = active_language()
    if paper is Paper.invoice:
        return printed(request, lambda: print_bill(bill_id=bill_id, language=language, by=by))
    export = ExportPaper(paper.value)
    return printed(request, lambda: print_export(bill_id=bill_id, paper=export, language=language, by=by))
