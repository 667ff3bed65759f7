"""Bodies and answers of the messages about a line."""

from typing import Annotated

from pydantic import AfterValidator, Field

from project.core.folding import visible
from project.core.pagination import ListQuery
from project.core.schemas import Id, In, InstantIn
from project.orders.schemas import Photo
from project.talk.documents import MessageDocument
from project.talk.rules import LONGEST_TEXT, MOST_MENTIONS, MentionKind, MessageKind


class MentionIn(In):
    kind: MentionKind
    id: Id


class SaidAt(In):
    """Where and when something was said. `productionProcessId`: the station; an operator's own by default.

    `madeAt`: when it was said, if a station reports it later, as in a movement.
    """

    production_process_id: Id | None = None
    made_at: InstantIn | None = None


class MessageIn(SaidAt):
    """A message about a line: talk needs a text or a photo, a call needs neither.

    `photo`: a JPEG or PNG in base 64. `mentions`: users, roles and processes that are notified; 422 `unknown` for one
    that does not exist, is inactive or is no staff.
    """

    kind: MessageKind = MessageKind.talk
    text: Annotated[str, Field(max_length=LONGEST_TEXT), AfterValidator(visible)] = ""
    photo: Photo | None = None
    mentions: Annotated[list[MentionIn], Field(max_length=MOST_MENTIONS)] = []


class MessageQuery(ListQuery):
    """The parameters of the list of messages."""


class MessageOut(MessageDocument):
    """A message about a line, as its thread shows it."""
