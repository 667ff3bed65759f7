"""Play a movement log over HTTP, then press it at stations in browsers, and compare every history with the log.

`stations LOG.csv ROWS` takes only the first ROWS movements. Each station is a browser with its own account and a share
of the processes. The stations lose the network in turns. Processes, pieces, workers and releases are compared; for the
stations also the times of the presses.
"""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from infra.bench.amplification import browser
from infra.bench.machine import ROOT, node
from infra.bench.movement_log.client import Api, Json, Person
from infra.bench.movement_log.compare import mismatches
from infra.bench.movement_log.log import Movement, read_log
from infra.bench.movement_log.plan import CasePlan, Step, in_time_order, plan_log
from infra.bench.movement_log.play import play
from infra.bench.movement_log.workshop import WORKER_PASSWORD, Workshop, set_up
from infra.bench.report import Report
from infra.bench.served import EMAIL, PASSWORD, served

STATIONS = 2
TURN = 20  # movements for which one station has no network, while the other one has it
EXACT = 6.0
"""Most seconds between a press and its time in the history.

A movement that arrives within 5 s of its press gets the time of its arrival.
"""


def measure(log: str, rows: str = "") -> Report:
    """Play the log over HTTP, then press it at stations, on one server."""
    movements = read_log(Path(log))[: int(rows) if rows else None]
    with served() as client:
        api = Api(client.url)
        admin = api.sign_in(Person(EMAIL, PASSWORD))
        report = played(api, admin, movements)
        found = _pressed(api, admin, movements)
    return Report(report.rows | found.rows, report.exceeded + found.exceeded)


def played(api: Api, admin: Person, movements: list[Movement]) -> Report:
    """Play the log over HTTP. Returns how many movements were accepted and refused, and the number of mismatches.

    The server refuses exits without a matching entry. It must refuse no other movement.
    """
    plans = plan_log(movements)
    workshop = set_up(api, admin, movements, plans)
    tally = play(api, workshop, movements, plans)
    differences = [text for _, texts in _compared(api, admin, workshop, plans, None) for text in texts]
    print("\n".join([*tally.first_refusals.values(), *differences[:20]]))
    impossible = sum(step.quantity is None for plan in plans.values() for step in plan.steps)
    parts = f"{len(plans)} lines, {len(workshop.workers)} workers, {tally.releases} releases for rework"
    report = Report(
        {
            f"A movement log of {len(movements):,} rows played over HTTP ({parts})": (
                f"{tally.accepted:,} accepted, {tally.refused.total()} refused, {len(differences)} mismatches"
            )
        }
    )
    report.limit("mismatches of the played log", len(differences), 0)
    report.limit("movements refused that the log allows", tally.refused.total() - impossible, 0)
    return report


def _pressed(api: Api, admin: Person, movements: list[Movement]) -> Report:
    """Press the log at stations. Exits without a matching entry cannot be pressed, and are left out."""
    places = {name: place for place, name in enumerate(dict.fromkeys(movement.process for movement in movements))}
    movements = [replace(movement, worker=f"Station {places[movement.process] % STATIONS}") for movement in movements]
    plans = plan_log(movements)
    workshop = set_up(api, admin, movements, plans)
    steps = [step for step in in_time_order(movements, plans) if step.quantity is not None]
    result = _press(str(api.http.base_url).rstrip("/"), workshop, steps)
    pressed = {step.movement.row: at for step, at in zip(steps, result["pressed"], strict=True)}
    print(f"pressed {len(pressed)} movements in {result['seconds']:.0f} s; stations had to reconnect early", end=" ")
    print(f"{result['cameBack']} times, to learn what another station or a release had changed")
    differences: list[str] = []
    apart: list[float] = []
    for seconds, texts in _compared(api, admin, workshop, plans, pressed):
        apart += seconds
        differences += texts
    print("\n".join(differences[:20]))
    report = Report(
        {
            f"The same rows pressed at {STATIONS} stations in browsers that lose the network in turns": (
                f"{len(pressed):,} pressed, {result['offline']} of them without the network; "
                f"{result['refused']} refused, {len(differences)} mismatches"
            ),
            "Time in the history against the time of the press: largest difference": f"{max(apart):.1f} s",
        }
    )
    report.limit("mismatches of the pressed log", len(differences), 0)
    report.limit("pressed movements refused", result["refused"], 0)
    return report


def _press(url: str, workshop: Workshop, steps: list[Step]) -> dict[str, Any]:
    """Press each step at its station. Returns the output of stations.mjs."""
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
                "station": names.index(step.movement.worker),
                "process": workshop.processes[step.movement.process],
                "line": workshop.lines[step.movement.case],
                "direction": step.movement.direction,
                "quantity": step.quantity,
                "releases": step.releases,
            }
            for step in steps
        ],
    }
    command = [node(), str(ROOT / "infra" / "bench" / "stations.mjs")]
    done = subprocess.run(command, input=json.dumps(job), stdout=subprocess.PIPE, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _compared(
    api: Api, admin: Person, workshop: Workshop, plans: dict[str, CasePlan], pressed: dict[int, float] | None
) -> Iterator[tuple[list[float], list[str]]]:
    """Yield for each case the seconds between its times and the presses, and a sentence for each difference."""
    names = {worker: person.full_name for worker, person in workshop.workers.items()}
    for case, plan in plans.items():
        history = list(api.pages(f"{workshop.lines[case]}/history", admin))
        apart = list(_late(plan, history, pressed)) if pressed else []
        wrong = [f"{case}: {seconds:.1f} s from its press" for seconds in apart if seconds > EXACT]
        yield apart, [*mismatches(case, plan.records, history, names), *wrong]


def _late(plan: CasePlan, history: list[Json], pressed: dict[int, float]) -> Iterator[float]:
    """Yield the seconds between each time in the history and its press."""
    for record, answered in zip(plan.records, history[::-1], strict=False):
        for row, name in ((record.entered_row, "inputDate"), (record.left_row, "outputDate")):
            if row in pressed and answered[name]:
                yield abs(datetime.fromisoformat(answered[name]).timestamp() - pressed[row] / 1_000)
