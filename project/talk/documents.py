"""Messages as lists and events show them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from project.catalogs.models import ProductionProcess
from project.core.pictures import PictureAddress, address, thumbnail_of
from project.core.schemas import Document, Instant
from project.identity.models import Role, User
from project.talk.models import Coming, Message
from project.talk.rules import MentionKind, MessageKind


class Author(Document):
    id: int
    full_name: str


class Mention(Document):
    """A user, role or process that a message mentions. `name`: as it is now; empty if it was deleted."""

    kind: MentionKind
    id: int
    name: str


class ComingDocument(Document):
    """Who answered a call by saying that they are coming, and when they said so."""

    by: Author
    at: Instant


class MessageDocument(Document):
    """A message about a line. `receivedAt`: when the server received it; null if it came at once.

    `photo`, `photoThumbnail`: its picture. `productionProcessId`: the station where it was written. `coming`: who comes
    after a call; null for talk, and while nobody comes.
    """

    id: int
    sales_order_id: int
    position: int
    kind: MessageKind
    text: str
    photo: PictureAddress | None
    photo_thumbnail: PictureAddress | None
    production_process_id: int | None
    mentions: list[Mention]
    by: Author
    at: Instant
    received_at: Instant | None
    coming: ComingDocument | None


@dataclass
class Names:
    """The names of users, roles and processes that messages mention, by kind and id."""

    known: dict[MentionKind, dict[int, str]] = field(default_factory=dict)

    def of(self, kind: MentionKind, id_: int) -> str:
        return self.known.get(kind, {}).get(id_, "")


def names_of(messages: Iterable[Message]) -> Names:
    """Load the names that messages mention. 1 query for each kind that occurs."""
    ids: defaultdict[MentionKind, set[int]] = defaultdict(set)
    for message in messages:
        for one in message.mentions:
            ids[MentionKind(one["kind"])].add(one["id"])
    found = Names()
    if users := ids[MentionKind.user]:
        found.known[MentionKind.user] = {user.pk: user.full_name for user in User.objects.filter(pk__in=users)}
    for kind, model in ((MentionKind.role, Role), (MentionKind.process, ProductionProcess)):
        if ids[kind]:
            found.known[kind] = dict(model._default_manager.filter(pk__in=ids[kind]).values_list("pk", "name"))
    return found


def message_documents(messages: Sequence[Message]) -> list[MessageDocument]:
    """Return messages loaded by the selectors. At most 3 queries."""
    names = names_of(messages)
    return [_document(message, names) for message in messages]


def _document(message: Message, names: Names) -> MessageDocument:
    coming: Coming | None = getattr(message, "coming", None)
    return MessageDocument(
        id=message.pk,
        sales_order_id=message.line.order_id,
        position=message.line.position,
        kind=MessageKind(message.kind),
        text=message.text,
        photo=address(message.photo) if message.photo else None,
        photo_thumbnail=address(thumbnail_of(message.photo)) if message.photo else None,
        production_process_id=message.process_id,
        mentions=[
            Mention(kind=kind, id=one["id"], name=names.of(kind, one["id"]))
            for one in message.mentions
            for kind in [MentionKind(one["kind"])]
        ],
        by=_author(message.by),
        at=message.at,
        received_at=message.received_at if message.received_at != message.at else None,
        coming=ComingDocument(by=_author(coming.by), at=coming.at) if coming else None,
    )


def _author(user: User) -> Author:
    return Author(id=user.pk, full_name=user.full_name)
