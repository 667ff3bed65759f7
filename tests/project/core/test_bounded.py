"""Turns and places of the bounded processes. The tests of pictures, imports and sheets cover what they do to
files."""

import os
import pickle
import signal
from queue import Queue
from typing import Any

import pytest

from project.core import bounded
from project.core.bounded import MEBIBYTE, ProcessEnded, Processes
from project.core.decoding import ImageTooLarge
from project.core.errors import FieldError, InvalidFields, Refusal, Unavailable
from tests.project import mishaps


class Recorded:
    """A process with tasks that end when the test says so."""

    def __init__(self) -> None:
        self.begun: Queue[str] = Queue()
        self.results: Queue[Exception | None] = Queue()
        self.ended = 0

    def outcome(self, task: Any) -> None:
        self.begun.put(task.args[0])
        if error := self.results.get(timeout=10):
            raise error

    def usable(self) -> bool:
        return True

    def kill(self) -> None:
        self.results.put(ProcessEnded(-signal.SIGKILL))

    def end(self) -> None:
        self.ended += 1


def one_process(process: Recorded) -> Processes:
    made = Processes(
        count=1, memory=1, prepare=lambda: None, modules=(), places=3, each=2, busy=lambda: Unavailable(retryAfter=5)
    )
    made._process = lambda: process  # type: ignore[method-assign, assignment, return-value]
    return made


def test_people_take_turns_however_many_tasks_one_asks_for() -> None:
    process = Recorded()
    processes = one_process(process)
    asked = ("ana 1", "ana 2", "ana 3", "beto 1", "carla 1", "beto 2")
    started = [processes.start(print, "first", seconds=1)]
    begun = [process.begun.get(timeout=10)]
    started += [processes.start(print, name, seconds=1, whose=name.split()[0]) for name in asked]
    for _ in asked:
        assert process.begun.empty(), "one at a time"
        process.results.put(None)
        begun.append(process.begun.get(timeout=10))
    process.results.put(None)
    assert [work.result(timeout=10) for work in started] == [None] * 7
    assert begun == ["first", "ana 1", "beto 1", "carla 1", "ana 2", "beto 2", "ana 3"]
    assert process.ended == 0, "the process is reused"


def test_canceled_task_never_starts_or_is_ended() -> None:
    process = Recorded()
    processes = one_process(process)
    first, second, third = (processes.start(print, name, seconds=1) for name in ("first", "second", "third"))
    assert process.begun.get(timeout=10) == "first"
    assert second.cancel()
    assert first.cancel()
    assert process.begun.get(timeout=10) == "third"
    assert process.ended == 1, "the first task's process has ended before the third begins"
    process.results.put(MemoryError())
    with pytest.raises(MemoryError):
        third.result(timeout=10)


def one_that_works() -> Processes:
    return Processes(
        count=1,
        memory=256 * MEBIBYTE,
        prepare=os.getpid,
        modules=(),
        places=1,
        each=1,
        busy=lambda: Unavailable(retryAfter=5),
    )


@pytest.mark.parametrize(
    ("work", "end"),
    [
        (mishaps.never_ends, TimeoutError),
        (mishaps.works_without_end, TimeoutError),
        (mishaps.takes_too_much, MemoryError),
        (mishaps.ends_itself, ProcessEnded),
        (mishaps.leaves, ProcessEnded),
        (mishaps.answers_what_nobody_can_send, ProcessEnded),
        (mishaps.answers_more_than_it_may_copy, MemoryError),
        (mishaps.ends_in_the_middle_of_its_answer, ProcessEnded),
    ],
)
def test_next_task_succeeds_after_one_that_failed(
    monkeypatch: pytest.MonkeyPatch, work: Any, end: type[Exception]
) -> None:
    monkeypatch.setattr(bounded, "PATIENCE", 2)
    processes = one_that_works()
    with pytest.raises(end):
        processes.start(work, seconds=1.0).result(timeout=60)
    assert processes.start(len, "two", seconds=1.0).result(timeout=60) == 3


def test_process_that_died_while_idle_is_not_used_again() -> None:
    processes = one_that_works()
    first = processes.start(os.getpid, seconds=1.0).result(timeout=60)
    assert processes.start(os.getpid, seconds=1.0).result(timeout=60) == first
    (idle,) = processes._idle
    idle.kill()
    idle._process.join(60)
    assert processes.start(os.getpid, seconds=1.0).result(timeout=60) != first


def test_task_without_a_thread_is_refused_and_takes_no_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Recorded()
    processes = one_process(process)
    with monkeypatch.context() as without_threads:
        without_threads.setattr(bounded.threading.Thread, "start", _no_thread)
        with pytest.raises(RuntimeError):
            processes.start(print, "first", seconds=1)
    second = processes.start(print, "second", seconds=1)
    assert process.begun.get(timeout=10) == "second"
    process.results.put(None)
    second.result(timeout=10)


def _no_thread(self: object) -> None:
    raise RuntimeError("can't start new thread")


def test_places_are_limited_in_total_and_for_each_person() -> None:
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
def test_refusal_survives_pickling(refusal: Refusal) -> None:
    other = pickle.loads(pickle.dumps(refusal))  # noqa: S301
    assert type(other) is type(refusal)
    assert (other.code, other.params, other.errors) == (refusal.code, refusal.params, refusal.errors)
