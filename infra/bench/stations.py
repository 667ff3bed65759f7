"""A movement log pressed at stations in browsers that lose the network in turns, and every history compared with it.

`stations.py LOG.csv [ROWS]`, run by `make bench-stations`, which names the database. Each station is a browser of its
own, signed in with an account of its own, and has a share of the log's processes. Compared: processes, pieces, whose
station, releases, and the times of the presses. Ends with 1 where a history differs.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from amplification import browser
from figures import visits
from movement_log.client import Api, Json, Person
from movement_log.compare import mismatches
from movement_log.log import Movement, read_log
from movement_log.plan import CasePlan, Step, plan_log
from movement_log.workshop import WORKER_PASSWORD, Workshop, set_up
from served import EMAIL, PASSWORD, ROOT, served

STATIONS = 2
TURN = 20  # rows for which a station is without the network, and the other one is not
EXACT = 6.0
"""Seconds: what arrives within 5 s of its press has the time of its arrival."""


def read(log: Path, rows: int | None) -> tuple[list[Movement], dict[str, CasePlan]]:
    """The log's first rows, each made at the station of its process, and what they must leave."""
    movements = read_log(log)[:rows]
    places = {name: place for place, name in enumerate(dict.fromkeys(movement.process for movement in movements))}
    pressed = [replace(movement, worker=f"Station {places[movement.process] % STATIONS}") for movement in movements]
    return pressed, plan_log(pressed)


def press(url: str, workshop: Workshop, movements: list[Movement], steps: list[Step]) -> Json:
    """Each step in turn at its station. Answers what infra/bench/stations.mjs does."""
    names = sorted(workshop.workers)
    stations = [workshop.workers[name] for name in names]
    job = {
        "base": url,
        "browser": browser(),
        "password": WORKER_PASSWORD,
        "stations": [{"email": station.email, "token": station.token} for station in stations],
        "turn": TURN,
        "steps": [
            {
                "station": names.index(movement.worker),
                "process": workshop.processes[movement.process],
                "line": workshop.lines[movement.case],
                "direction": movement.direction,
                "quantity": step.quantity,
                "releases": step.releases,
            }
            for movement, step in zip(movements, steps, strict=True)
        ],
    }
    command = ["node", str(ROOT / "infra" / "bench" / "stations.mjs")]
    done = subprocess.run(command, input=json.dumps(job), stdout=subprocess.PIPE, text=True, check=True)
    answer: Json = json.loads(done.stdout)
    return answer


def pressed_plan(plan: CasePlan, pressed: dict[int, float]) -> CasePlan:
    """The same steps with the times at which they were pressed."""

    def timed(step: Step) -> Step:
        at = datetime.fromtimestamp(pressed[step.movement.row] / 1_000, UTC)
        return replace(step, movement=replace(step.movement, at=at))

    return replace(plan, steps=[timed(step) for step in plan.steps])


def late(case: str, plan: CasePlan, history: list[Json]) -> Iterator[tuple[float, str]]:
    """By how many seconds each time of the history differs from that of its press, and which it is."""
    for place, (visit, record) in enumerate(zip(visits(plan), history[::-1], strict=False), start=1):
        for name, at in (("inputDate", visit.entered), ("outputDate", visit.left)):
            if at is not None and record[name]:
                apart = abs((datetime.fromisoformat(record[name]) - at).total_seconds())
                yield apart, f"{case}, record {place}: {name} {record[name]}, pressed {at.isoformat()}"


def compare(api: Api, admin: Person, workshop: Workshop, plans: dict[str, CasePlan], pressed: dict[int, float]) -> int:
    """Prints what differs. Answers how much."""
    names = {worker: person.full_name for worker, person in workshop.workers.items()}
    differences: list[str] = []
    apart: list[float] = []
    for case, plan in plans.items():
        history = list(api.pages(f"{workshop.lines[case]}/history", admin))
        differences += mismatches(case, plan.records, history, names)
        for seconds, text in late(case, pressed_plan(plan, pressed), history):
            apart.append(seconds)
            if seconds > EXACT:
                differences.append(text)
    for text in differences[:20]:
        print(f"  {text}")
    print(f"histories      {len(plans)}, of {sum(len(plan.records) for plan in plans.values())} records")
    print(f"times          {len(apart)}, at most {max(apart):.1f} s from their press")
    print(f"mismatches     {len(differences)}")
    return len(differences)


def main() -> int:
    log, rows = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None
    movements, plans = read(log, rows)
    queues = {case: iter(plan.steps) for case, plan in plans.items()}
    steps = [next(queues[movement.case]) for movement in movements]
    # What the log leaves that nobody entered cannot be pressed at a station.
    both = [pair for pair in zip(movements, steps, strict=True) if pair[1].quantity is not None]
    with served() as client:
        url = str(client.base_url).rstrip("/")
        api = Api(url)
        admin = api.sign_in(Person(EMAIL, PASSWORD))
        workshop = set_up(api, admin, movements, plans)
        result: dict[str, Any] = press(url, workshop, [pair[0] for pair in both], [pair[1] for pair in both])
        pressed = {movement.row: at for (movement, _), at in zip(both, result["pressed"], strict=True)}
        print(f"rows           {len(movements)}, {len(movements) - len(both)} of them not to be pressed")
        print(f"stations       {STATIONS}, {len(workshop.processes)} processes")
        print(f"pressed        {len(pressed)} in {result['seconds']:.0f} s, {result['offline']} without the network")
        print(f"came back      {result['cameBack']} times early, to know what another station or a release had done")
        print(f"refused        {result['refused']}")
        differences = compare(api, admin, workshop, plans, pressed)
    return 1 if differences or result["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
