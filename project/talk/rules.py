"""Kinds of messages, whom they mention, and what is refused. No database, no clock."""

from datetime import timedelta
from enum import StrEnum

from project.core.errors import InvalidFields, Refusal
from project.orders.rules import CallKind

LONGEST_TEXT = 1_000
MOST_MENTIONS = 20
MOST_IN_A_BURST = 60
"""The most messages of one person that the server receives within `BURST`."""
BURST = timedelta(minutes=1)


class MessageKind(StrEnum):
    """What a message is for: talk, or one of the calls (`CallKind`), which somebody answers by coming."""

    talk = "talk"
    missing = CallKind.missing.value
    question = CallKind.question.value
    stop = CallKind.stop.value


CALLS = frozenset(kind.value for kind in CallKind)


class MentionKind(StrEnum):
    """What a message mentions: a user, all holders of a role, or all who work in a process."""

    user = "user"
    role = "role"
    process = "process"


class NotACall(Refusal):
    """The caller wants to come after a message that is talk and calls nobody."""

    status = 409
    code = "not_a_call"


def check_content(kind: MessageKind, text: str, *, has_photo: bool) -> None:
    """Raise `InvalidFields` for talk without a text and a photo. A call says enough by its kind."""
    if kind is MessageKind.talk and not text and not has_photo:
        raise InvalidFields.of("text", "required")
