"""Measure live delivery from commit to receipt, and compare it with a raw Node broadcaster.

Both get the same clients, rate and payloads. LIVE_SOCKETS, LIVE_RATE (movements a second), LIVE_SECONDS and LIVE_RUNS
(of each side) change how much is measured.
"""

import array
import json
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import redis
from django.core.management import call_command
from django.db import transaction

from infra.bench.machine import Daphne, Machine, node, processor_seconds, resident_bytes
from infra.bench.report import Report, percentile
from infra.bench.sample import movement
from project.access import token
from project.access.permissions import Permission
from project.identity.models import Role, RolePermission, User
from realtime import outbox, tickets
from realtime.consumer import SOCKETS_OF_USER

SOCKETS = int(os.environ.get("LIVE_SOCKETS", "1000"))
RATE = int(os.environ.get("LIVE_RATE", "20"))
SECONDS = int(os.environ.get("LIVE_SECONDS", "10"))
RUNS = int(os.environ.get("LIVE_RUNS", "3"))
P99_TIMES_RAW, KB_PER_SOCKET = 1.5, 40.0
DRAIN_SECONDS = 5.0
"""Every event must arrive within this time after the last one was sent."""
HERE = Path(__file__).resolve().parent
CHANNEL = "bench"


class Broadcaster(Machine):
    """A server of Node's `ws` package. Its messages come through Redis."""

    def command(self) -> list[str]:
        redis_port = str(urlsplit(os.environ["REDIS_URL"]).port)
        return [node(), str(HERE / "broadcaster.mjs"), str(self.port), redis_port, CHANNEL]


@dataclass
class Side:
    """A server to compare.

    `greets`: whether each socket gets a hello. `paths`: returns the paths of a number of sockets.
    """

    name: str
    server: Machine
    greets: bool
    paths: Callable[[int], list[str]]
    publish: Callable[[int], tuple[int, int]]
    """Send a movement. Returns its id, and when it was committed or sent (monotonic nanoseconds)."""


def obrador() -> Side:
    """Return the product's side: a Daphne process. This process sends it events through the outbox."""

    def paths(sockets: int) -> list[str]:
        people = readers(-(-sockets // SOCKETS_OF_USER))
        sessions = [token.verify(token.issue(user)) for user in people]
        return [f"/ws/events?ticket={tickets.issue(sessions[n % len(sessions)])}" for n in range(sockets)]

    def publish(number: int) -> tuple[int, int]:
        committed: list[int] = []
        with transaction.atomic():
            # Registered first, so it is called between the commit and the wake-up.
            transaction.on_commit(lambda: committed.append(time.monotonic_ns()))
            outbox.publish(movement(number), by=None)
            id_ = outbox.newest_id()
        return id_, committed[0]

    return Side("Obrador", Daphne(), True, paths, publish)


def raw() -> Side:
    """Return the side of the broadcaster. This process sends it the same payloads through Redis."""
    channel = redis.Redis.from_url(os.environ["REDIS_URL"])

    def publish(number: int) -> tuple[int, int]:
        data = movement(number).data.model_dump_json(by_alias=True)
        text = f'{{"id":{number + 1},"type":"line.moved","at":null,"by":null,"data":{data}}}'
        at = time.monotonic_ns()
        channel.publish(CHANNEL, text)
        return number + 1, at

    return Side("raw Node ws", Broadcaster(), False, lambda sockets: ["/"] * sockets, publish)


def readers(count: int) -> list[User]:
    """Return people who may read orders. Each call returns the same people."""
    role, _ = Role.objects.get_or_create(name="bench")
    RolePermission.objects.get_or_create(role=role, action=Permission.ListOrders)
    found = []
    for n in range(count):
        user, _ = User.objects.get_or_create(email=f"bench{n}@obrador.test", defaults={"first_name": f"Bench {n}"})
        user.roles.add(role)
        found.append(user)
    return found


@dataclass
class Outcome:
    """The result of one run.

    `times`: ms from commit to receipt. `microseconds`: the server's processor time for one delivery. `kilobytes`: the
    server's memory for one socket.
    """

    deliveries: int
    lost: int
    repeated: int
    disordered: int
    times: list[float]
    microseconds: float = 0.0
    kilobytes: float = 0.0


def run(side: Side, place: Path) -> Outcome:
    """Send RATE movements a second for SECONDS to SOCKETS clients."""
    side.server.start()
    command = [node(), str(HERE / "sockets.mjs")]
    clients = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        memory = resident_bytes(side.server.pid)
        count = RATE * SECONDS
        asked = {
            "port": side.server.port,
            "origin": side.server.url,
            "paths": side.paths(SOCKETS),
            "hello": side.greets,
            "expected": SOCKETS * count,
        }
        order(clients, json.dumps(asked), answer="open")
        memory = resident_bytes(side.server.pid) - memory
        processor = processor_seconds(side.server.pid)
        sent = dict(steadily(side, count))
        time.sleep(DRAIN_SECONDS)  # every event must arrive in this time
        processor = processor_seconds(side.server.pid) - processor
        order(clients, str(place), answer="written")
    finally:
        clients.kill()
        clients.wait(10)
        side.server.stop()
    found = outcome(place, sent)
    found.microseconds = processor * 1e6 / found.deliveries
    found.kilobytes = memory / SOCKETS / 1_024
    return found


def steadily(side: Side, count: int) -> Iterator[tuple[int, int]]:
    """Publish `count` movements, RATE a second. Yields the results of `side.publish`."""
    begun = time.monotonic()
    for number in range(count):
        time.sleep(max(0.0, begun + number / RATE - time.monotonic()))
        yield side.publish(number)


def order(clients: "subprocess.Popen[str]", line: str, *, answer: str) -> None:
    """Send a line to the clients, and wait for `answer`. Raises RuntimeError if they answer something else."""
    if clients.stdin is None or clients.stdout is None:
        raise RuntimeError("the clients were started without pipes")
    clients.stdin.write(f"{line}\n")
    clients.stdin.flush()
    if clients.stdout.readline().strip() != answer:
        raise RuntimeError(f"the clients failed before they were {answer}")


def outcome(receipts: Path, sent: dict[int, int]) -> Outcome:
    """Compare the receipts that sockets.mjs wrote with `sent`: event id → when it was sent, in nanoseconds."""
    values = array.array("d", receipts.read_bytes())
    newest = [0] * SOCKETS
    seen: set[tuple[int, int]] = set()
    times: list[float] = []
    repeated = disordered = 0
    for at in range(0, len(values), 3):
        socket, number, received = int(values[at]), int(values[at + 1]), values[at + 2]
        if number not in sent:
            continue  # an event from before or after the run
        if (socket, number) in seen:
            repeated += 1
            continue
        seen.add((socket, number))
        disordered += number < newest[socket]
        newest[socket] = max(newest[socket], number)
        times.append((received - sent[number]) / 1e6)
    deliveries = len(sent) * SOCKETS
    return Outcome(deliveries, deliveries - len(seen), repeated, disordered, times)


def measure() -> Report:
    """Run both sides in turn, RUNS times. The rows hold the medians of the runs."""
    call_command("migrate", verbosity=0)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, max(4_096, SOCKETS * 2)), most))
    print(f"{'':14}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}{'lost':>6}{'repeated':>10}{'disordered':>12}", end="")
    print(f"{'µs/delivery':>13}{'KB/socket':>11}")
    found: dict[str, list[Outcome]] = {}
    with tempfile.TemporaryDirectory() as place:
        for _ in range(RUNS):
            for side in (raw(), obrador()):
                one = run(side, Path(place) / "receipts")
                found.setdefault(side.name, []).append(one)
                print(f"{side.name:14}{p50(one):9.1f}{p99(one):9.1f}{max(one.times):9.1f}{one.lost:6}", end="")
                print(f"{one.repeated:10}{one.disordered:12}{one.microseconds:13.1f}{one.kilobytes:11.1f}", flush=True)
    broadcaster, ours = found.values()
    wrong = sum(one.lost + one.repeated + one.disordered for one in ours)
    times_raw = median(map(p99, ours)) / median(map(p99, broadcaster))
    memory = median(one.kilobytes for one in ours)
    sockets = f"{SOCKETS:,} sockets, {RATE} movements a second"
    rows = {
        f"{sockets}: commit to receipt, median and p99": " and ".join(
            f"{median(map(which, ours)):.0f} ms" for which in (p50, p99)
        ),
        f"{sockets}: p99 against a raw Node `ws` broadcaster": f"{times_raw:.2f} times",
        f"{sockets}: events lost, repeated or out of order": str(wrong or "none"),
        "Server memory for a socket": f"{memory:.0f} KB",
    }
    report = Report(rows)
    report.limit("events lost, repeated or out of order", wrong, 0)
    report.limit("p99, times that of the raw broadcaster", times_raw, P99_TIMES_RAW)
    report.limit("KB of server memory for a socket", memory, KB_PER_SOCKET)
    return report


def p50(one: Outcome) -> float:
    return median(one.times)


def p99(one: Outcome) -> float:
    return percentile(one.times, 99)
