"""Turns and places of the bounded processes; what they do to files stands with pictures, imports and sheets."""

import pickle
import threading
from concurrent.futures import Future
from typing import Any

import pytest

from project.core.bounded import Processes
from project.core.decoding import ImageTooLarge
from project.core.errors import FieldError, InvalidFields, Refusal, Unavailable


class Recorded:
    """A pool of one process, whose tasks end when they are told to."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended = threading.Event()
        self.doing: list[Future[Any]] = []

    def schedule(self, work: Any, args: Any, timeout: float) -> "Future[Any]":
        self.begun.append(args[2])  # after its seconds and the work
        self.doing.append(Future())
        return self.doing[-1]

    def stop(self) -> None:
        pass

    def join(self) -> None:
        assert self.ended.wait(10)


def one_process(pool: Recorded) -> Processes:
    made = Processes(
        count=1, memory=1, prepare=lambda: None, modules=(), places=3, each=2, busy=lambda: Unavailable(retryAfter=5)
    )
    made._pool = lambda: pool  # type: ignore[method-assign]
    return made


def test_people_take_turns_however_much_one_of_them_asks_for() -> None:
    pool = Recorded()
    processes = one_process(pool)
    for name in ("ana 1", "ana 2", "ana 3", "beto 1", "carla 1", "beto 2"):
        processes.start(print, name, seconds=1, whose=name.split()[0])
    for number in range(6):
        assert len(pool.begun) == number + 1, "one at a time"
        pool.doing[number].set_result(None)
    assert pool.begun == ["ana 1", "ana 2", "beto 1", "carla 1", "ana 3", "beto 2"]


def test_what_was_canceled_is_never_begun_or_is_ended() -> None:
    pool = Recorded()
    processes = one_process(pool)
    first, second, third = (processes.start(print, name, seconds=1) for name in ("first", "second", "third"))
    assert second.cancel()
    assert first.cancel()
    assert pool.doing[0].cancelled()
    assert pool.begun == ["first"], "the process of the first has not ended"
    (replacing,) = [thread for thread in threading.enumerate() if thread.name.endswith("(_replace)")]
    pool.ended.set()
    replacing.join(10)
    assert pool.begun == ["first", "third"]
    pool.doing[1].set_exception(MemoryError())
    with pytest.raises(MemoryError):
        third.result()


def test_places_are_few_and_fewer_for_one_person() -> None:
    processes = one_process(Recorded())
    with processes.place("ana"), processes.place("ana"):
        with pytest.raises(Unavailable), processes.place("ana"):
            pass
        with processes.place("beto"), pytest.raises(Unavailable), processes.place("carla"):
            pass
    with processes.place("ana"), processes.place("beto"), processes.place("carla"):
        pass


@pytest.mark.parametrize(
    "refusal",
    [
        ImageTooLarge(limit=7),
        InvalidFields.of("documents", "too_many", limit=3),
        InvalidFields(errors=[FieldError("a", "b")]),
    ],
)
def test_a_refusal_is_the_same_after_it_was_handed_over(refusal: Refusal) -> None:
    other = pickle.loads(pickle.dumps(refusal))  # noqa: S301
    assert type(other) is type(refusal)
    assert (other.code, other.params, other.errors) == (refusal.code, refusal.params, refusal.errors)
