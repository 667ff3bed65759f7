"""Messages about lines, for tests."""

from typing import Any

from tests.builders import Answer, Caller, line_path


def messages(order: int, position: int = 1) -> str:
    return f"{line_path(order, position)}/messages"


def say(by: Caller, order: int, kind: str = "talk", **body: Any) -> Answer:
    return by.post(messages(order), {"kind": kind, **body})


def come(by: Caller, order: int, message: int, **body: Any) -> Answer:
    return by.post(f"{messages(order)}/{message}/coming", body)


def called(by: Caller, order: int, kind: str = "stop", **body: Any) -> int:
    """Call somebody to a line. Return the id of the message."""
    answer = say(by, order, kind, **body)
    assert answer.status == 201, answer
    return int(answer.json["id"])
