"""The one sending loop. Webhooks, pushes and mails each have a queue; the loop sends, retries and gives up for all."""

import logging
import random
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from threading import Event
from typing import Protocol

from project.core import clock
from project.core.queries import give_connection_back

LOOK_SECONDS = 0.25
"""How often to look for due messages while others are under way."""

log = logging.getLogger(__name__)


class Result(StrEnum):
    """`gone`: the receiver takes no more messages. `refused`: this message will never arrive. `later`: retry it."""

    arrived = "arrived"
    gone = "gone"
    refused = "refused"
    later = "later"


class Failure(StrEnum):
    """The reason why a message got no answer."""

    PRIVATE_ADDRESS = "private_address"
    UNKNOWN_NAME = "unknown_name"
    UNREACHABLE = "unreachable"
    TLS = "tls"
    TIMEOUT = "timeout"
    SECRET_UNREADABLE = "secret_unreadable"  # noqa: S105 - a code


@dataclass(frozen=True)
class Answer:
    """How sending a message ended.

    `status`: the HTTP status, if the receiver answered; `says`: the first bytes of the answer, or the text of the
    failure. `retry_after`: after how many seconds the receiver wants the message again; 0: not said.
    """

    result: Result
    says: str = ""
    status: int | None = None
    failure: Failure | None = None
    retry_after: int = 0


@dataclass(frozen=True)
class Retries:
    """When a message that did not arrive is sent again, and when it is given up.

    The first wait is `first`. Each further wait is `factor` times as long, up to `longest`. `spread`: the share of the
    wait that is added at random, so that messages that failed together are not retried together.
    """

    first: timedelta
    factor: int
    longest: timedelta
    given_up_after: timedelta
    spread: float = 0

    def wait(self, answer: Answer, *, attempts: int, since: datetime) -> timedelta | None:
        """Return the time until the next attempt; None if the message has arrived or is given up.

        `attempts`: how often the message was sent, including the last time. `since`: when `given_up_after` began.
        """
        if answer.result is not Result.later or clock.now() - since >= self.given_up_after:
            return None
        asked = timedelta(seconds=answer.retry_after)
        whole: timedelta = min(self.longest, max(asked, self.first * self.factor ** min(attempts - 1, 10)))
        return whole * random.uniform(1, 1 + self.spread)


class Queue[M](Protocol):
    """The messages of one kind. `every`: how often to look for due ones. `at_once`: how many are sent at a time."""

    name: str
    every: timedelta
    at_once: int

    def due(self) -> Iterator[M]:
        """Yield the due messages. Each is taken just before it is yielded, so that no other worker sends it."""

    def send(self, message: M) -> Answer:
        """Send a message, in a thread of its own. Uses no database."""

    def note(self, message: M, answer: Answer) -> None:
        """Store how a message ended, and when it is due again (`Retries.wait`)."""


def send_due[M](queue: Queue[M], stopping: Event | None = None) -> int:
    """Send the messages that are due, and those that become due in the meantime. Return how many arrived.

    A slow receiver does not delay the others. Once `stopping` is set, no further message is sent.
    """
    arrived, due, under_way = 0, queue.due(), dict[Future[Answer], M]()
    with ThreadPoolExecutor(queue.at_once, queue.name) as threads:
        while True:
            message = None
            while len(under_way) < queue.at_once and not (stopping and stopping.is_set()):
                if (message := next(due, None)) is None:
                    break
                under_way[threads.submit(copy_context().run, queue.send, message)] = message
            if not under_way:
                return arrived
            give_connection_back()
            for future in wait(under_way, LOOK_SECONDS, FIRST_COMPLETED).done:
                arrived += _note(queue, under_way.pop(future), future)
            if message is None:  # look again: a webhook's next message waits for the one before it
                due = queue.due()


def _note[M](queue: Queue[M], message: M, future: Future[Answer]) -> bool:
    """Store how a message ended. Returns whether it arrived."""
    try:
        answer = future.result()
    except Exception as error:
        log.exception("%s: a message could not be sent", queue.name)
        answer = Answer(Result.later, type(error).__name__)
    if answer.result is not Result.arrived:
        log.warning("%s: a message did not arrive: %s", queue.name, answer.status or answer.failure or answer.says)
    try:
        queue.note(message, answer)
    except Exception:  # the message is due again when its lease ends
        log.exception("%s: it could not be stored how a message ended", queue.name)
    return answer.result is Result.arrived
