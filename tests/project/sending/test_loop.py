"""The sending loop: retries, what is given up, and that no message stops another one."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from threading import Event

import pytest

from project.core import clock
from project.sending.loop import Answer, Queue, Result, Retries, send_due

MINUTE = timedelta(minutes=1)
RETRIES = Retries(first=MINUTE, factor=2, longest=10 * MINUTE, given_up_after=timedelta(hours=1))
ARRIVED, LATER = Answer(Result.arrived), Answer(Result.later)


class Letters(Queue[str]):
    """Yields each of its letters once, answers as told, and notes how each ended."""

    name, every, at_once = "letters", MINUTE, 2

    def __init__(self, *letters: str, answer: Callable[[str], Answer] = lambda _: ARRIVED) -> None:
        self.waiting, self.answer, self.ended = list(letters), answer, dict[str, Result]()

    def due(self) -> Iterator[str]:
        while self.waiting:
            yield self.waiting.pop(0)

    def send(self, message: str) -> Answer:
        return self.answer(message)

    def note(self, message: str, answer: Answer) -> None:
        self.ended[message] = answer.result


@pytest.mark.parametrize(
    ("attempts", "answer", "wait"),
    [
        (1, LATER, MINUTE),
        (2, LATER, 2 * MINUTE),
        (3, LATER, 4 * MINUTE),
        (5, LATER, 10 * MINUTE),
        (500, LATER, 10 * MINUTE),
        (1, Answer(Result.later, retry_after=300), 5 * MINUTE),
        (1, Answer(Result.later, retry_after=9_999), 10 * MINUTE),
        (1, Answer(Result.gone), None),
        (1, Answer(Result.refused), None),
        (1, ARRIVED, None),
    ],
)
def test_message_is_retried_after_a_wait_that_grows(attempts: int, answer: Answer, wait: timedelta | None) -> None:
    assert RETRIES.wait(answer, attempts=attempts, since=clock.now()) == wait


def test_message_is_given_up_when_its_time_is_over() -> None:
    with clock.at(clock.now()):
        waits = [RETRIES.wait(LATER, attempts=1, since=clock.now() - age * MINUTE) for age in (59, 60)]
    assert waits == [MINUTE, None]


def test_error_of_one_message_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    def answer(letter: str) -> Answer:
        if letter == "bad":
            raise ZeroDivisionError
        return ARRIVED

    letters = Letters("bad", "good", answer=answer)
    assert send_due(letters) == 1
    assert letters.ended == {"bad": Result.later, "good": Result.arrived}
    assert "a message could not be sent" in caplog.text


def test_queue_is_looked_at_again_when_its_message_arrived() -> None:
    """As the next message of a webhook, which may not be sent before."""

    class InOrder(Letters):
        def due(self) -> Iterator[str]:
            if self.waiting:
                yield self.waiting.pop(0)

    letters = InOrder(*"abc")
    assert send_due(letters) == 3
    assert [*letters.ended] == ["a", "b", "c"]


def test_stopped_loop_ends_the_message_under_way_and_takes_no_other() -> None:
    stopping = Event()

    def answer(_: str) -> Answer:
        stopping.set()
        return ARRIVED

    letters = Letters(*"abc", answer=answer)
    letters.at_once = 1
    assert send_due(letters, stopping) == 1
    assert letters.waiting == ["b", "c"]
