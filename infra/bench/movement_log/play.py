"""Play the planned movements over HTTP, each as its own worker."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from infra.bench.movement_log.client import Api, Refused
from infra.bench.movement_log.log import Movement
from infra.bench.movement_log.plan import CasePlan, Step, in_time_order
from infra.bench.movement_log.workshop import Workshop


@dataclass
class Tally:
    """The number of accepted movements and of releases.

    `refused`: the number of refusals by code. `first_refusals`: the first answer with each code.
    """

    accepted: int = 0
    releases: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    first_refusals: dict[str, str] = field(default_factory=dict)

    def refuse(self, refused: Refused) -> None:
        self.refused[refused.code] += 1
        self.first_refusals.setdefault(refused.code, str(refused))


def play(api: Api, workshop: Workshop, movements: Sequence[Movement], plans: dict[str, CasePlan]) -> Tally:
    """Play every step in the order of the log."""
    tally = Tally()
    for step in in_time_order(movements, plans):
        try:
            _play(api, workshop, step, tally)
        except Refused as refused:
            tally.refuse(refused)
    return tally


def _play(api: Api, workshop: Workshop, step: Step, tally: Tally) -> None:
    """Release the process as planned, then move."""
    movement = step.movement
    worker, line = workshop.workers[movement.worker], workshop.lines[movement.case]
    process = workshop.processes[movement.process]
    for _ in range(step.releases):
        api.write("DELETE", f"{line}/production-process/{process}", worker)
        tally.releases += 1
    quantity = {} if step.quantity is None else {"quantity": step.quantity}
    body = {"productionProcessId": process, "notes": "", **quantity}
    api.write("PUT", f"{line}/production-process/{movement.direction}", worker, body)
    tally.accepted += 1
