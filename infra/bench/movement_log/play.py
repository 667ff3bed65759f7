"""Plays the planned movements through the API, each by its own worker."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime

from movement_log.client import Api, Refused
from movement_log.log import Movement
from movement_log.plan import CasePlan, Step
from movement_log.workshop import Workshop


@dataclass
class Tally:
    """What came of the movements. `seconds` holds the time of each movement call, asked once or more."""

    accepted: int = 0
    releases: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    server_errors: Counter[int] = field(default_factory=Counter)
    first_refusals: dict[str, str] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    elapsed: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def refuse(self, refused: Refused) -> None:
        self.refused[refused.code] += 1
        self.first_refusals.setdefault(refused.code, str(refused))
        if refused.status >= 500:
            self.server_errors[refused.status] += 1


def play(
    api: Api,
    workshop: Workshop,
    movements: Sequence[Movement],
    plans: dict[str, CasePlan],
    *,
    speed: float | None = None,
    concurrency: int = 1,
) -> Tally:
    """Every step, in the order of time; with `concurrency` in the order of each case, so many cases at once.

    `speed` is how many seconds of the log pass in one of ours; None goes as fast as the server answers."""
    tally = Tally()
    started = time.perf_counter()
    steps = {case: iter(plan.steps) for case, plan in plans.items()}
    wait = _pace(movements[0].at, speed) if movements else lambda _: None

    def one(step: Step) -> None:
        wait(step.movement.at)
        _step(api, workshop, step, tally)

    if concurrency == 1:
        for movement in movements:
            one(next(steps[movement.case]))
    else:
        with ThreadPoolExecutor(concurrency) as threads:
            for _ in threads.map(lambda case: _all(one, steps[case]), plans):
                pass
    tally.elapsed = time.perf_counter() - started
    return tally


def _all(one: Callable[[Step], None], steps: Iterator[Step]) -> None:
    for step in steps:
        one(step)


def _pace(first: datetime, speed: float | None) -> Callable[[datetime], None]:
    """Waits for the log's moment to come."""
    started = time.monotonic()

    def wait(at: datetime) -> None:
        if speed is not None:
            due = started + (at - first).total_seconds() / speed
            time.sleep(max(0.0, due - time.monotonic()))

    return wait


def _step(api: Api, workshop: Workshop, step: Step, tally: Tally) -> None:
    movement = step.movement
    worker, line = workshop.workers[movement.worker], workshop.lines[movement.case]
    process = workshop.processes[movement.process]
    try:
        for _ in range(step.releases):
            api.write("DELETE", f"{line}/production-process/{process}", worker)
            with tally.lock:
                tally.releases += 1
    except Refused as refused:
        with tally.lock:
            tally.refuse(refused)
    body = {"productionProcessId": process, "notes": "", "quantity": step.quantity}
    if step.quantity is None:
        del body["quantity"]
    started = time.perf_counter()
    failed: Refused | None = None
    try:
        api.write("PUT", f"{line}/production-process/{movement.direction}", worker, body)
    except Refused as refused:
        failed = refused
    took = time.perf_counter() - started
    with tally.lock:
        tally.seconds.append(took)
        if failed:
            tally.refuse(failed)
        else:
            tally.accepted += 1
