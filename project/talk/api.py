"""REST of the messages about a line (infra/docs/rules.md#talk)."""

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query

from project.access.guard import Requires, caller
from project.core.answers import Created
from project.core.idempotency import Repeat
from project.core.pagination import announce, paginate
from project.core.routing import domain_router
from project.core.schemas import Id
from project.orders.fields import LINE_NOTES
from project.talk import schemas, selectors, services
from project.talk.documents import message_documents
from project.talk.models import Message

router = domain_router("talk")

PATH = "/{int:order_id}/position/{int:position}/messages"
PathId = Annotated[Id, Path()]
READ = Requires(*LINE_NOTES, operators=True, services=False)
HERE_AND_NOW = schemas.SaidAt()
WRITE = Requires(*LINE_NOTES, operators=True, services=False, reported_later=True)


def _shown(messages: list[Message]) -> list[schemas.MessageOut]:
    return [schemas.MessageOut(**dict(one)) for one in message_documents(messages)]


@router.get(PATH, auth=READ, operation_id="line_message_list")
def message_list(
    request: HttpRequest, response: HttpResponse, order_id: PathId, position: PathId, query: Query[schemas.MessageQuery]
) -> list[schemas.MessageOut]:
    """List the messages about a line by keyset, newest first. At most 5 queries."""
    rows = selectors.messages_of(order_id, position)
    return _shown(announce(paginate(rows, query, selectors.ORDERINGS), request, response))


@router.get(PATH + "/{int:message_id}", auth=READ, operation_id="line_message_get")
def message_get(request: HttpRequest, order_id: PathId, position: PathId, message_id: PathId) -> schemas.MessageOut:
    """Read a message about a line."""
    return _shown([selectors.message_get(order_id, position, message_id)])[0]


@router.post(PATH, auth=WRITE, operation_id="line_message_create", repeat=Repeat(message_get, made="message_id"))
def message_write(
    request: HttpRequest, order_id: PathId, position: PathId, body: schemas.MessageIn
) -> Created[schemas.MessageOut]:
    """Write about a line, or call somebody to it. A call moves no pieces and refuses nothing.

    429 after 60 messages of the caller in a minute.
    """
    made = services.message_write(order_id=order_id, position=position, body=body, by=caller(request))
    return Created(_shown([made])[0])


@router.post(
    PATH + "/{int:message_id}/coming",
    auth=WRITE,
    operation_id="line_message_come",
    repeat=Repeat(message_get),
)
def message_come(
    request: HttpRequest, order_id: PathId, position: PathId, message_id: PathId, body: schemas.SaidAt = HERE_AND_NOW
) -> schemas.MessageOut:
    """Say that you come after a call. Idempotent: the answer names who said so first. 409 `not_a_call` for talk."""
    message = services.message_come(
        order_id=order_id, position=position, message_id=message_id, body=body, by=caller(request)
    )
    return _shown([message])[0]
