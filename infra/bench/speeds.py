"""The three speeds of a whole installation (`make cluster`) on one machine: live screens, reconnects, writers.

1. CLUSTER_SCREENS screens hear CLUSTER_RATE movements a second for CLUSTER_SECONDS: first CLUSTER_APPLYING of them are
   simulated, which apply and ask as the client does, and the others only read, since the work of all of them takes more
   than this machine has; then all are simulated, beside a few that only read. A commit is when PostgreSQL stamped it,
   before it is on the disk; a receipt is when the frame came to the screen's process. The same frames are then sent by
   a raw Node broadcaster to as many sockets that only read.
2. CLUSTER_RECONNECTS of them lose the network at once and come back as the client does; once in a still shop, where
   pg_stat_statements counts what the database ran, and once while others read and move.
3. Movements committed a second by 1, 4 and 16 writers: see `writers.py`.

Run by `make bench-cluster`, which names the database. CLUSTER_NODES: how many processes the screens share.
CLUSTER_PARTS: only those named (mixed,screens,reconnects,writers). Judges nothing: the aims stand beside the figures.
"""

import itertools
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

import django

django.setup()

import psycopg  # noqa: E402
import redis  # noqa: E402
from amplification import keep_moving, opened  # noqa: E402
from builds import Build  # noqa: E402
from cluster import Cluster  # noqa: E402
from filled import Filled, fill, move, movements  # noqa: E402
from processes import memory, processor  # noqa: E402
from receipts import compare  # noqa: E402
from served import EMAIL, PASSWORD, ROOT, Served, manage, sign_in  # noqa: E402
from sides import HERE, NODE, RawAgain, tell  # noqa: E402
from simulated import OF_ONE_PERSON, WATCHER, Loaded, Screens, simulated, watchers  # noqa: E402
from writers import commits_a_second  # noqa: E402

from project.access import token  # noqa: E402
from realtime import tickets  # noqa: E402

PARTS = os.environ.get("CLUSTER_PARTS", "mixed,screens,reconnects,writers").split(",")
SCREENS = int(os.environ.get("CLUSTER_SCREENS", "2000"))
RATE = int(os.environ.get("CLUSTER_RATE", "50"))
SECONDS = int(os.environ.get("CLUSTER_SECONDS", "60"))
NODES = int(os.environ.get("CLUSTER_NODES", "2"))
RECONNECTS = int(os.environ.get("CLUSTER_RECONNECTS", "1000"))
APPLYING = min(SCREENS, int(os.environ.get("CLUSTER_APPLYING", "250")))
FEW = 20  # sockets that only read, beside screens that all apply
READING = max(FEW, SCREENS - APPLYING)
EVENTS_OF_A_MOVEMENT = 3  # at most
PLACES_OF_ONE = 10  # screens that one person has when all come back: the old ones may not have been noticed as gone
ASKERS, ASK_SECONDS = 8, 0.25
STILL_SECONDS = 5.0
NOT_COUNTED = ("BEGIN", "COMMIT", "SELECT 1 FROM ONLY %", "%pg_stat_statements%")
"""Transactions, PostgreSQL's own look at a foreign key, and what is asked here."""

People = tuple[int, list[str]]


class Place:
    """The installation, filled with a workshop."""

    def __init__(self, cluster: Cluster, client: Served, folder: Path) -> None:
        self.cluster, self.client, self.folder = cluster, client, folder
        self.filled: Filled = fill(client)
        self.database = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
        self.database.execute("VACUUM ANALYZE")  # as the server does by itself, a while later
        build = Build("this", ROOT)
        manage(build.environment, "createadmin", WATCHER, "--password", PASSWORD)
        people = max(-(-SCREENS // OF_ONE_PERSON), -(-RECONNECTS // PLACES_OF_ONE))
        me, tokens = watchers(build, people + -(-READING // OF_ONE_PERSON))
        self.people: People = (me, tokens[:people])
        self.readers = tokens[people:]
        with opened(cluster.url, self.filled, 0) as (loaded, node):
            self.loaded: Loaded = loaded
            node.answer()

    def families(self) -> dict[str, int]:
        """The first process of each part of the installation; what it started belongs to it."""
        data = self.database.execute("SHOW data_directory").fetchall()[0][0]
        with redis.Redis.from_url(os.environ["REDIS_URL"]) as server:
            redis_pid = int(server.info("server")["process_id"])
        found = {f"web {n}": one.pid for n, one in enumerate(self.cluster.web, start=1)}
        found |= {f"worker {n}": one.pid for n, one in enumerate(self.cluster.workers, start=1)}
        found |= {"PDF service": self.cluster.printer.pid, "nginx": self.cluster.nginx.pid, "Redis": redis_pid}
        return found | {"PostgreSQL": int(Path(data, "postmaster.pid").read_text().split()[0])}

    def statements(self, what: Callable[[], object]) -> dict[str, int]:
        """How often each statement ran on the database while `what` did."""
        self.database.execute("SELECT pg_stat_statements_reset()")
        what()
        rows = self.database.execute(
            "SELECT query, sum(calls)::int FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid"
            " WHERE datname = current_database() AND NOT query LIKE ANY(%s) GROUP BY 1",
            [[*NOT_COUNTED]],
        )
        return dict(rows.fetchall())

    def come_back(self, screens: Screens) -> tuple[float, int]:
        """As `Screens.cut`."""
        return screens.cut(RECONNECTS)

    def newest(self) -> int:
        """The newest event that goes to everybody."""
        query = "SELECT coalesce(max(id), 0) FROM realtime_outboxevent WHERE to_user IS NULL AND audience <> ''"
        return int(self.database.execute(query).fetchall()[0][0])


def live_screens(place: Place, applying: int, only_reading: int) -> None:
    file = place.folder / "receipts"
    begun = time.monotonic()
    with simulated(
        place.cluster.url,
        place.people,
        place.loaded,
        applying,
        processes=NODES,
        events=RATE * SECONDS * EVENTS_OF_A_MOVEMENT,
    ) as screens:
        opening = f"open and loaded after {time.monotonic() - begun:.0f} s"
        print(f"\n{applying:,} screens, {opening}, and {only_reading:,} sockets that only read", flush=True)
        families = place.families()
        families |= {f"(screens {n})": one.process.pid for n, one in enumerate(screens.processes, start=1)}
        with reading(place, only_reading) as readers:
            first, before = place.newest(), processor(families)
            sizes, moved = [memory(families)], list[float]()
            for _ in range(2):
                moved += keep_moving(place.client, place.filled, SECONDS / 2, RATE)
                sizes.append(memory(families))
            spent = {name: took - before[name] for name, took in processor(families).items()}
            newest = place.newest()
            result = screens.over(newest, file)
            near = place.folder / "near"
            tell(readers, str(near), answer="written")  # they have no work that would hold them up
    sent, frames = _commits(place, first, newest)
    ours, beside = (
        compare(came, sent, sockets, cpu_seconds=0, bytes_grown=0, opened=0)
        for came, sockets in ((file, applying), (near, only_reading))
    )
    rate = max(1, round(RATE * len(frames) / max(1, len(moved))))
    raw_side = RawAgain(frames)
    with raw_side.serving():
        raw = raw_side.run(sockets=applying + only_reading, rate=rate, count=len(frames), place=place.folder)
    size = sum(len(text) for _, text in frames) // max(1, len(frames))
    print(f"{len(moved) / SECONDS:.1f} movements a second for {SECONDS} s", end=", ")
    print(f"{len(frames):,} events of {size:,} characters")
    print(f"  {'commit to receipt':30}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}{'lost':>10}{'double':>8}{'disorder':>10}")
    for name, one in (("the screens", ours), (f"{only_reading:,} that only read", beside), ("raw Node ws", raw)):
        print(f"  {name:30}{one.p50:9.1f}{one.p99:9.1f}{one.worst:9.1f}{one.lost:10}{one.double:8}{one.disorder:10}")
    print(f"  p99: {ours.p99 / raw.p99:.2f} times the raw one at the screens, {beside.p99 / raw.p99:.2f} at those that")
    print("    only read (at most 3); lost (none)")
    print(f"  API: movements p95 {p95(moved):.0f} ms; the screens' own {len(result['latencies']):,} requests", end=" ")
    print(f"p95 {p95(result['latencies']):.0f} ms, failures: {result['failures'] or 'none'} (at most 300 ms)")
    print(f"  {'':20}{'MB at start':>12}{'half way':>12}{'at the end':>12}{'cores':>8}")
    for name in families:
        megabytes = "".join(f"{one[name] / 2**20:12.1f}" for one in sizes)
        print(f"  {name:20}{megabytes}{spent[name] / SECONDS:8.2f}", flush=True)


def _commits(place: Place, first: int, newest: int) -> tuple[dict[int, int], list[tuple[int, str]]]:
    """Of the events after `first`: the instant of each commit by this machine's monotonic clock, and each frame."""
    rows = place.database.execute(
        "SELECT id, (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000000)::bigint, payload"
        " FROM realtime_outboxevent WHERE id > %s AND id <= %s AND to_user IS NULL AND audience <> '' ORDER BY id",
        [first, newest],
    ).fetchall()
    ahead = time.time_ns() - time.monotonic_ns()
    return {id_: 1_000 * at - ahead for id_, at, _ in rows}, [(id_, text) for id_, _, text in rows]


@contextmanager
def reading(place: Place, count: int) -> Iterator["subprocess.Popen[str]"]:
    """So many sockets that only read."""
    people = [token.verify(one) for one in place.readers]
    port = urlsplit(place.cluster.url).port
    asked = {
        "port": port,
        "origin": place.cluster.url,
        "paths": [f"/ws/events?ticket={tickets.issue(people[n % len(people)])}" for n in range(count)],
        "hello": True,
        "expected": count * RATE * SECONDS * EVENTS_OF_A_MOVEMENT,
    }
    command = [NODE, str(HERE / "sockets.mjs")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            tell(process, json.dumps(asked), answer="open")
            yield process
        finally:
            process.kill()


def p95(times: list[float]) -> float:
    ordered = sorted(times) or [0.0]
    return ordered[len(ordered) * 95 // 100]


def reconnects(place: Place) -> None:
    with simulated(place.cluster.url, _few_each(place.people), place.loaded, RECONNECTS, processes=NODES) as screens:
        print(f"\n{RECONNECTS:,} screens lose the network at once (aims: live within 10 s, p95 2 s, 3 statements)")
        still = place.statements(lambda: time.sleep(STILL_SECONDS))  # what runs without them
        begun = time.monotonic()
        found: list[tuple[float, int]] = []
        counted = place.statements(lambda: found.append(place.come_back(screens)))
        span = (time.monotonic() - begun) / STILL_SECONDS
        (seconds, absent) = found[0]
        of_one = {text: (calls - still.get(text, 0) * span) / RECONNECTS for text, calls in counted.items()}
        print(f"  still shop: all live after {seconds:.1f} s, {absent} not within a minute")
        print(f"  {sum(of_one.values()):.1f} statements for each, by pg_stat_statements, without BEGIN and COMMIT:")
        for text, share in sorted(of_one.items(), key=lambda one: -one[1]):
            if share > 0.05:
                print(f"    {share:6.2f}  {' '.join(text.split())[:120]}")
        with asking(place) as took:
            seconds, absent = screens.cut(RECONNECTS)
        print(f"  busy shop: all live after {seconds:.1f} s, {absent} not within a minute", end="; ")
        print(f"{len(took):,} calls meanwhile, p95 {p95(took):.0f} ms", flush=True)
        failures = screens.over()["failures"]
        print(f"  failures: {failures or 'none'}")


def _few_each(people: People) -> People:
    return people[0], people[1][: -(-RECONNECTS // PLACES_OF_ONE)]


@contextmanager
def asking(place: Place) -> Iterator[list[float]]:
    """ASKERS people read lists and move; the list has what each call took, in milliseconds."""
    over, took = Event(), list[float]()
    order = place.filled.recent[-1]

    def ask(number: int) -> None:
        own = movements([place.filled.movable[number]], place.filled.processes[:2])
        lists = ("/api/sales-order?limit=25", f"/api/sales-order/{order}/position/1")
        for turn in itertools.count(number):
            begun = time.monotonic()
            if turn % 3 == 2:
                move(place.client, *next(own), quantity=1)
            else:
                place.client.get(lists[turn % 3]).raise_for_status()
            took.append(1_000 * (time.monotonic() - begun))
            if over.wait(ASK_SECONDS):
                return

    with ThreadPoolExecutor(ASKERS) as threads:
        asked = threads.map(ask, range(ASKERS))
        try:
            yield took
        finally:
            over.set()
        list(asked)  # raises what they raised


def main() -> int:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, max(4_096, SCREENS * 4)), most))
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))  # what was started is stopped
    with tempfile.TemporaryDirectory(prefix="obrador-cluster-") as folder:
        cluster = Cluster(Path(folder))
        try:
            cluster.start()
            manage(dict(os.environ), "createadmin", EMAIL, "--password", PASSWORD)
            with Served(base_url=cluster.url, timeout=60) as client:
                client.headers["Authorization"] = f"Bearer {sign_in(client)}"
                place = Place(cluster, client, Path(folder))
                if "mixed" in PARTS:
                    live_screens(place, APPLYING, READING)
                if "screens" in PARTS:
                    live_screens(place, SCREENS, FEW)
                if "reconnects" in PARTS:
                    reconnects(place)
                if "writers" in PARTS:
                    commits_a_second(client, place.filled, cluster.stop, Path(folder))
        finally:
            cluster.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
