"""Write messages about lines, and come after a call. The line shows its newest open call to everybody who sees it."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from math import ceil

from django.db import transaction
from django.db.models import QuerySet

from project.access.operators import act_at
from project.access.principal import Principal
from project.audit import services as audit
from project.catalogs.models import ProductionProcess
from project.core import clock, pictures
from project.core.errors import FieldError, InvalidFields, NotFound, TooManyAttempts
from project.core.idempotency import unit_of_work
from project.identity.models import Role, User, UserType
from project.orders import events as live
from project.orders.events import LineChanged
from project.orders.models import Line
from project.orders.reported_later import check_made_at, possible_at
from project.orders.selectors import line_get
from project.orders.services import order_for_update
from project.talk import selectors
from project.talk.documents import message_documents
from project.talk.events import LineMessage, MessageData
from project.talk.models import Coming, Message
from project.talk.rules import CALLS, MentionKind, NotACall, check_content
from project.talk.schemas import MessageIn, SaidAt
from realtime import outbox
from realtime.registry import Actor

MESSAGES = "line-messages"
PHOTOS = "messages"
"""The folder of the photos in the storage."""


def message_write(*, order_id: int, position: int, body: MessageIn, by: Principal) -> Message:
    """Write a message about a line.

    Raises `NotFound`, `InvalidFields`, `TooManyAttempts`, `MadeAtOutOfRange`, for operators `OtherStation` and
    `OperatorOver`, for the photo `UnsupportedImage`, `ImageTooLarge`, `Unavailable`.
    """
    check_content(body.kind, body.text, has_photo=body.photo is not None)
    if body.photo is None:
        return _message_write(order_id, position, body, "", by)
    with pictures.stored(PHOTOS, body.photo, whose=by.user_id) as stored:
        return _message_write(order_id, position, body, stored, by)


@unit_of_work
def _message_write(order_id: int, position: int, body: MessageIn, photo: str, by: Principal) -> Message:
    # Their messages are counted one after the other.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=by.user_id)
    if wait := selectors.seconds_to_wait(by.user_id):
        raise TooManyAttempts(retryAfter=ceil(wait))
    process_id, at = _said(body, by)
    _check_mentions(body)
    line = _line_for_update(order_id, position)
    made = Message.objects.create(
        line=line,
        kind=body.kind,
        text=body.text,
        photo=photo,
        process_id=process_id,
        mentions=[{"kind": one.kind.value, "id": one.id} for one in body.mentions],
        by_id=by.user_id,
        at=at,
        received_at=clock.now() if body.made_at is not None else at,
    )
    _record(made, line, "created", by, before=None, after={"kind": made.kind, "productionProcessId": process_id})
    _publish(made, line, by)
    if made.kind in CALLS:
        _show_call(line, by)
    return selectors.message_get(order_id, position, made.pk)


@unit_of_work
def message_come(*, order_id: int, position: int, message_id: int, body: SaidAt, by: Principal) -> Message:
    """Note that the caller comes after a call, which is then no longer open. No-op if somebody came first.

    Raises `NotFound`, `NotACall`, `MadeAtOutOfRange`, `InvalidFields`, for operators `OtherStation`, `OperatorOver`.
    """
    _, at = _said(body, by)
    line = _line_for_update(order_id, position)
    message = selectors.message_get(order_id, position, message_id)
    if message.kind not in CALLS:
        raise NotACall
    at = max(at, message.at)
    _, is_new = Coming.objects.get_or_create(message=message, defaults={"by_id": by.user_id, "at": at})
    if not is_new:
        return message
    _record(message, line, "changed", by, before={"coming": False}, after={"coming": True})
    _publish(message, line, by)
    _show_call(line, by)
    return selectors.message_get(order_id, position, message_id)


def erase_person(user_id: int) -> None:
    """Empty the texts of a person's messages, and delete their photos. Call it inside an `audit.exemption`."""
    written = Message.objects.filter(by=user_id)
    _discard_photos(written)
    written.update(text="", photo="")


def photos_of_order_end(order_id: int, by: Principal) -> None:
    """Delete the photos of the messages of an order that is about to be deleted. The database deletes the messages."""
    _discard_photos(Message.objects.filter(line__order=order_id))


def _discard_photos(messages: QuerySet[Message]) -> None:
    for photo in messages.exclude(photo="").values_list("photo", flat=True):
        transaction.on_commit(partial(pictures.discard, photo), robust=True)


def _said(body: SaidAt, by: Principal) -> tuple[int | None, datetime]:
    """Return the process where something was said, and when. It counts as a use of an operator's token."""
    own = by.station.process_id if by.station else None
    process_id = body.production_process_id or own
    if process_id is None:
        if by.station is not None:
            raise InvalidFields.of("productionProcessId", "required")
    elif not ProductionProcess.objects.filter(pk=process_id).exists():
        raise InvalidFields.of("productionProcessId", "unknown")
    since = None if process_id is None else act_at(by, process_id, made_at=body.made_at)
    now = clock.now()
    if body.made_at is None:
        return process_id, now
    check_made_at(body.made_at, now=now)
    if since is not None:
        possible_at(body.made_at, since, now=now)
    return process_id, min(body.made_at, now)


def _check_mentions(body: MessageIn) -> None:
    """Raise `InvalidFields` for each mention that nobody can be notified by. 1 query for each kind that occurs."""
    known: dict[MentionKind, Callable[[set[int]], set[int]]] = {
        MentionKind.user: lambda ids: set(
            User.objects.filter(pk__in=ids, active=True, user_type=UserType.INTERNAL).values_list("pk", flat=True)
        ),
        MentionKind.role: lambda ids: set(Role.objects.filter(pk__in=ids).values_list("pk", flat=True)),
        MentionKind.process: lambda ids: set(
            ProductionProcess.objects.filter(pk__in=ids, status=True).values_list("pk", flat=True)
        ),
    }
    errors = []
    for kind, find in known.items():
        asked = {at: one.id for at, one in enumerate(body.mentions) if one.kind is kind}
        found = find(set(asked.values())) if asked else set()
        errors += [FieldError(f"mentions.{at}", "unknown") for at, id_ in asked.items() if id_ not in found]
    if errors:
        raise InvalidFields(errors=errors)


def _line_for_update(order_id: int, position: int) -> Line:
    """Lock an order, then its line. Raises `NotFound`. 2 queries."""
    order = order_for_update(order_id)
    line = Line.objects.select_for_update().filter(order=order, position=position).first()
    if line is None:
        raise NotFound
    line.order = order
    return line


def _show_call(line: Line, by: Principal) -> None:
    """Let a locked line show its newest open call, if it shows another one."""
    call = selectors.open_call(line)
    if (call.pk if call else None) == line.call_id:
        return
    line.call_id, line.call_kind, line.call_at = (call.pk, call.kind, call.at) if call else (None, "", None)
    line.claim(None)
    line.save(update_fields=["call_id", "call_kind", "call_at", "version"])
    changed = line_get(line.order_id, line.position)
    outbox.publish(LineChanged(data=live.line_data(changed, changed.loaded_records)), by=Actor.of(by))


def _record(
    message: Message, line: Line, action: str, by: Principal, *, before: audit.Snapshot | None, after: audit.Snapshot
) -> None:
    """Record who wrote or came. The audit never keeps the text."""
    label = f"{line.order.customer_sales_order_id} {line.position}"
    at_station = audit.at_station(by.station.account) if by.station else {}
    audit.record(
        entity=MESSAGES,
        entity_id=message.pk,
        label=label,
        action=action,
        before=before,
        after={**after, **at_station},
        by=by,
    )


def _publish(message: Message, line: Line, by: Principal) -> None:
    written = selectors.message_get(line.order_id, line.position, message.pk)
    data = MessageData(
        line_id=line.pk,
        sales_order_id=line.order_id,
        position=line.position,
        customer_sales_order_id=line.order.customer_sales_order_id,
        message=message_documents([written])[0],
    )
    outbox.publish(LineMessage(data=data), by=Actor.of(by))
