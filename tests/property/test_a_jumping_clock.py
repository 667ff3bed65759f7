"""While the server's clock jumps, every offered action succeeds. Only a claimed time may be refused."""

import os
import random
from datetime import datetime, timedelta
from itertools import accumulate, pairwise
from typing import Any

import pytest

from project.core import clock
from project.core.schemas import utc_z
from project.orders.models import ProcessRecord
from project.orders.selectors import load_past_exits
from tests.builders import Answer, Caller, Shop, line_path, move, release
from tests.project.station.handing import hand_over

JUMPS = [timedelta(days=-1), timedelta(hours=-1), timedelta(seconds=-30), timedelta(hours=1), timedelta(days=1)]
STEPS = 120
WALKS = max(2, int(os.environ.get("OBRADOR_PROPERTY_STEPS", "0")) // STEPS)
PATH_OF_SIDE = {"in": "in", "out": "out", "both": ""}
"""The offered side → its name in the path of a release."""


@pytest.mark.parametrize("seed", range(WALKS))
def test_every_offered_action_succeeds_while_the_clock_jumps(shop: Shop, noon: datetime, seed: int) -> None:
    roll = random.Random(seed)
    order = shop.approved(10)
    at, done = noon, list[str]()
    for _ in range(STEPS):
        at += timedelta(milliseconds=roll.randrange(1, 40_000))
        if roll.random() < 0.2:
            at = min(at + roll.choice(JUMPS), noon + timedelta(hours=1))
        with clock.at(at):
            by = Caller(shop.ana.user)
            what, answer = _something_offered(shop, by, order, roll)
            claims = what.startswith("claimed")
            allowed = {200} | ({422} if claims else set())
            assert answer.status in allowed, (what, answer)
            if answer.status == 422:
                assert answer.code == "made_at_out_of_range", (what, answer)
                assert answer.json["params"]["first"] <= answer.json["params"]["last"]
            if what in ("in", "out"):
                assert by.get(line_path(order)).json["actions"]["undo"], f"{what} can be undone at once"
        done.append(what)
    assert {"in", "out", "undo", "release", "hand over"} <= set(done)
    _check_history()


def _something_offered(shop: Shop, by: Caller, order: int, roll: random.Random) -> tuple[str, Answer]:
    """Send a random one of the actions that the line offers. Return its name and the answer."""
    processes = {process.pk: process for process in (shop.casting, shop.polishing)}
    line = by.get(line_path(order)).json
    actions: dict[str, list[dict[str, Any]]] = line["actions"]
    moves = [one for one in actions["movements"] if one["productionProcessId"] in processes]
    choices: list[tuple[str, Any]] = [
        *((one["type"], one) for one in moves),
        *((f"claimed {one['type']}", one) for one in moves),
        *(("undo", one) for one in actions["undo"]),
        *(("release", one) for one in actions["release"] if one["productionProcessId"] in processes),
    ]
    offered = by.post(f"/api/station/{shop.casting.pk}/scan", {"code": f"{order}-1"}).json["handOver"]
    choices += [("hand over", one) for one in offered if one["productionProcessId"] == shop.polishing.pk]
    if not choices:  # Nothing is offered any more.
        return "release", release(by, order, roll.choice(list(processes.values())))
    what, one = roll.choice(choices)
    if what == "undo":
        path = f"{line_path(order)}/records/{one['recordId']}/undo?side={one['side']}"
        return what, by.post(path)
    if what == "release":
        return what, release(by, order, processes[one["productionProcessId"]], PATH_OF_SIDE[one["side"]])
    pieces = roll.randrange(1, one["maxQuantity"] + 1)
    if what == "hand over":
        return what, hand_over(shop, order, pieces, by)
    made_at = None
    if what.startswith("claimed"):
        made_at = utc_z(clock.now() + timedelta(seconds=roll.randrange(-600, 120)))
    return what, move(by, one["type"], order, processes[one["productionProcessId"]], pieces, made_at=made_at)


def _check_history() -> None:
    """Check that the instants of each record ascend, and that never more pieces are inside than the line has."""
    changes = []
    records = list(ProcessRecord.objects.all())
    load_past_exits(records)
    for record in records:
        stays = record.stays
        ends = [at for stay in stays for at in (stay.since, stay.until) if at is not None]
        assert all(one <= other for one, other in pairwise([record.input_at, *ends]))
        assert record.released_at is None or record.released_at >= ends[-1]
        for stay in stays:
            changes.append((stay.since, stay.quantity))
            if stay.until is not None:
                changes.append((stay.until, -stay.quantity))
    assert max(accumulate(pieces for _, pieces in sorted(changes))) <= 10
