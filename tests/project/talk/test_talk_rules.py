"""What a message must hold, and which kinds call."""

from datetime import timedelta

import pytest

from project.core.errors import InvalidFields
from project.talk.rules import BURST, CALLS, MOST_IN_A_BURST, MessageKind, NotACall, check_content


@pytest.mark.parametrize("kind", MessageKind)
@pytest.mark.parametrize("text", ["", "Hola"])
@pytest.mark.parametrize("has_photo", [False, True])
def test_talk_needs_a_text_or_a_photo_and_a_call_needs_neither(kind: MessageKind, text: str, has_photo: bool) -> None:
    if kind is MessageKind.talk and not text and not has_photo:
        with pytest.raises(InvalidFields) as refused:
            check_content(kind, text, has_photo=has_photo)
        assert [(error.field, error.code) for error in refused.value.errors] == [("text", "required")]
    else:
        check_content(kind, text, has_photo=has_photo)


def test_every_kind_but_talk_calls() -> None:
    assert set(MessageKind) - CALLS == {MessageKind.talk}


def test_a_burst_is_60_messages_in_a_minute() -> None:
    assert MOST_IN_A_BURST == 60
    assert timedelta(minutes=1) == BURST


def test_to_come_for_talk_is_a_conflict() -> None:
    assert (NotACall.status, NotACall.code) == (409, "not_a_call")
