"""Measure each kind of call on PostgreSQL: processor time of the server, SQL statements, calls a second.

`calls REVISION` also measures the build of that revision. Each build has its own database, filled in the same way. The
builds take turns, and the figures are medians. A call that the older build lacks is measured only on this build.
CALLS_ROUNDS: the number of turns, 5 by default.
"""

import itertools
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean, median, median_high
from threading import Event, Thread
from typing import NamedTuple

from httpx import Client, Response

from infra.bench.builds import Build, builds
from infra.bench.filled import MOVABLE, Filled, Place, fill, made, move, movements, weighable
from infra.bench.machine import processor_seconds
from infra.bench.report import Report
from infra.bench.served import Served, running, served, token

ROUNDS = int(os.environ.get("CALLS_ROUNDS", "5"))
COUNTED = 4  # calls whose statements are counted
CLIENTS, CALLS = 8, 25  # simultaneous clients, and the calls of each in a round
MANY_CLIENTS, MANY_CALLS = 32, 15  # the same on two processes
LOAD_ROUNDS = min(3, ROUNDS)
STATEMENT = re.compile(r"obrador_bench:(\S+) LOG:  (?:statement|execute [^:]*):\s+(?!obrador_bench:)(\S.*)")
"""Matches a statement in PostgreSQL's log, which may begin on the line after its prefix. Skips empty statements."""
NOT_OF_THE_CALL = re.compile(r"SELECT 1$|SELECT .*outbox")
"""Statements that no call sends: checks of an idle connection, and the hub's reads of the outbox."""
PLAIN, WEIGHED = "movement, in or out", "movement with weight, in or out"
BATCH = f"batch of {MOVABLE} lines, one press"
WEIGHED_TIMES, BATCH_MS = 1.15, 600.0
WEIGHS, HAS_BATCHES = "MovementIn.grams", "/api/batches/{batch_id}/in"
PIECE_GRAMS, LOST_GRAMS = 5.0, 0.01
"""The weight of a piece at first, and the loss in each process."""
ON_THE_PAGE = ("orders, 25", "lines, 25", "line", "order of 5 lines", PLAIN)


@dataclass
class Call:
    """A kind of call, made `times` times in a round. `before` prepares it and `after` undoes it; neither is measured.

    `needs`: the operations and fields of the API that the call uses, if an older build may lack them.
    """

    name: str
    times: int
    ask: Callable[[], Response]
    after: Callable[[Response], object] = lambda _: None
    before: Callable[[], object] = lambda: None
    needs: tuple[str, ...] = ()


class Spent(NamedTuple):
    """The milliseconds of one call: `processor` is the server's processor time, `waited` the time until the answer."""

    processor: float
    waited: float


class Target:
    """A build that is served and filled with a workshop."""

    def __init__(self, build: Build, client: Served) -> None:
        self.build, self.client = build, client
        self.filled: Filled = fill(client)
        document = client.get("/api/openapi.json").raise_for_status().json()
        self._api: set[str] = {
            *document["paths"],
            *(
                f"{name}.{field}"
                for name, one in document["components"]["schemas"].items()
                for field in one.get("properties", ())
            ),
        }
        with build.database() as connection:
            connection.execute("VACUUM ANALYZE")  # autovacuum would do this later

    def has(self, call: Call) -> bool:
        """Whether the build has what the call needs."""
        return self._api.issuperset(call.needs)

    @cached_property
    def weighable(self) -> list[Place]:
        """The lines that move with a weight. They are made at first use, because they would change the lists."""
        return weighable(self.client, self.filled)

    def weighed(self) -> Iterator[tuple[Place, str, int, float]]:
        """Yield movements of one piece with its grams, without end."""
        processes = self.filled.processes
        for place, direction, process in movements(self.weighable, processes):
            lost = LOST_GRAMS * (processes.index(process) + (direction == "out"))
            yield place, direction, process, round(PIECE_GRAMS - lost, 3)

    def presses(self) -> Iterator[tuple[str, float]]:
        """Yield presses that move batches in and out, with their grams, without end.

        Each batch has one piece of each line.
        """
        while True:
            path = f"/api/batches/{made(self.client, 'batches', productionProcessId=self.filled.processes[0])}"
            for order, position in self.weighable:
                body = {"salesOrderId": order, "position": position, "quantity": 1}
                self.client.post(f"{path}/lines", json=body).raise_for_status()
            yield f"{path}/in", round(MOVABLE * PIECE_GRAMS, 3)
            yield f"{path}/out", round(MOVABLE * (PIECE_GRAMS - LOST_GRAMS), 3)

    def calls(self) -> list[list[Call]]:
        """Return the kinds of calls. Those in one inner list take turns. Reads come first: writes change the lists."""
        filled, client = self.filled, self.client
        order, moves = filled.recent[-1], movements(filled.movable, filled.processes)
        weighed, presses, ready = self.weighed(), self.presses(), list[tuple[str, float]]()

        def get(path: str) -> Callable[[], Response]:
            return lambda: client.get(path)

        def moved() -> Response:
            response: Response = move(client, *next(moves), quantity=1)
            return response

        def moved_weighed() -> Response:
            place, direction, process, grams = next(weighed)
            response: Response = move(client, place, direction, process, quantity=1, grams=grams)
            return response

        def pressed() -> Response:
            path, grams = ready.pop()
            return client.post(path, json={"grams": grams}, headers={"Idempotency-Key": token(16)})

        def created() -> Response:
            row = {"itemId": filled.item, "quantity": 5, "deliveryDate": "2099-12-31"}
            body = {"customerId": filled.customer, "customerSalesOrderId": token(), "items": [row] * 5}
            return client.post("/api/sales-order", json=body, headers={"Idempotency-Key": token(16)})

        def noted() -> Response:
            return client.put(f"/api/sales-order/{order}", json={"notes": token()})

        def billed() -> Response:
            rows = [{"salesOrderId": id_, "position": n, "quantity": 10, "price": 10} for id_, n in filled.billable]
            header = {"customerId": filled.customer, "companyId": filled.company, "guideNumber": token()}
            return client.post("/api/deliveries", json={**header, "invoiceNumber": token(), "lines": rows})

        def take_back(bill: Response) -> Response:
            return client.delete(f"/api/deliveries/{bill.json()['id']}").raise_for_status()

        return [
            [Call("health", 40, get("/health/live"))],
            [Call("materials, 25", 20, get("/api/materials?limit=25"))],
            [Call("components, 25", 20, get("/api/components?limit=25"))],
            [Call("orders, 25", 10, get("/api/sales-order?limit=25"))],
            [Call("lines, 25", 10, get("/api/sales-order/positions?limit=25"))],
            [Call("line", 20, get(f"/api/sales-order/{order}/position/1"))],
            [Call("order of 5 lines", 20, get(f"/api/sales-order/{order}"))],
            [Call("report of 5,000 lines, XLSX", 1, get("/api/reports?format=xlsx"))],
            [Call("report of 5,000 lines, CSV", 1, get("/api/reports?format=csv"))],
            [
                Call(PLAIN, 20, moved),
                Call(WEIGHED, 20, moved_weighed, before=lambda: self.weighable, needs=(WEIGHS,)),
            ],
            [Call(BATCH, 2, pressed, before=lambda: ready.append(next(presses)), needs=(WEIGHS, HAS_BATCHES))],
            [Call("order's notes changed", 10, noted)],
            [Call("order of 5 lines created", 10, created)],
            [Call("bill of 50 lines", 2, billed, take_back)],
        ]

    def spent(self, call: Call) -> Spent:
        """Make one round of a kind of call. Returns the average of its calls."""
        processor = waited = 0.0
        for _ in range(call.times):
            call.before()
            before, begun = processor_seconds(self.client.pid), time.perf_counter()
            answer = call.ask().raise_for_status()
            waited += time.perf_counter() - begun
            processor += processor_seconds(self.client.pid) - before
            call.after(answer)
        return Spent(1_000 * processor / call.times, 1_000 * waited / call.times)

    def statements(self, call: Call) -> int:
        """Return how many statements one call executes, BEGIN and COMMIT included."""
        counts = []
        for _ in range(COUNTED):
            call.before()
            with self.logged() as executed:
                answer = call.ask().raise_for_status()
            counts.append(len(executed))
            call.after(answer)
        return median_high(counts)

    @contextmanager
    def logged(self) -> Iterator[list[str]]:
        """Yield a list. After the block it holds the statements that the build's database executed in the block."""
        executed: list[str] = []
        with self.build.database() as connection, Path(os.environ["DATABASE_LOG"]).open() as log:
            log.seek(0, os.SEEK_END)
            yield executed
            for database, statement in STATEMENT.findall(log.read()):
                if database == connection.info.dbname and not NOT_OF_THE_CALL.match(statement):
                    executed.append(statement)


@contextmanager
def every_statement_logged(build: Build) -> Iterator[None]:
    """Make PostgreSQL log each statement in the block, with the name of its database."""
    with build.database() as connection:
        connection.execute("ALTER SYSTEM SET log_line_prefix = 'obrador_bench:%d '")
        for value in ("all", "none"):
            connection.execute(f"ALTER SYSTEM SET log_statement = '{value}'")
            connection.execute("SELECT pg_reload_conf()")
            while connection.execute("SHOW log_statement").fetchone() != (value,):
                pass
            if value == "all":
                yield


def together(addresses: Sequence[Client], calls: int, asks: list[Callable[[Client], object]]) -> float:
    """Run one client for each function in `asks`, all at the same time. Each client makes `calls` calls.

    The clients are spread over the web processes in `addresses`. Returns calls a second.
    """

    def one(number: int) -> None:
        server = addresses[number % len(addresses)]
        with Client(base_url=server.base_url, headers=addresses[0].headers, timeout=60) as client:
            for _ in range(calls):
                asks[number](client)

    begun = time.perf_counter()
    with ThreadPoolExecutor(len(asks)) as threads:
        list(threads.map(one, range(len(asks))))
    return len(asks) * calls / (time.perf_counter() - begun)


def moving(filled: Filled, clients: int) -> list[Callable[[Client], object]]:
    """Return a function for each client that moves pieces. No two clients move lines of the same order."""

    def on(place: Place) -> Callable[[Client], object]:
        own = movements([place], filled.processes)
        return lambda client: move(client, *next(own), quantity=1)

    return [on(place) for place in filled.movable[-clients:]]


def listing(client: Client) -> object:
    return client.get("/api/sales-order?limit=25").raise_for_status()


@contextmanager
def waiting(build: Build) -> Iterator[list[int]]:
    """Yield a list. After the block it holds how many database sessions waited for a lock, sampled every 50 ms."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    over, samples = Event(), list[int]()

    def watch() -> None:
        with build.database() as connection:
            while not over.wait(0.05):
                samples.append(connection.execute(query).fetchall()[0][0])

    thread = Thread(target=watch)
    thread.start()
    try:
        yield samples
    finally:
        over.set()
        thread.join()


Figures = dict[tuple[str, str], list[float]]
"""Name and unit → the figure of each build that has the call. The last figure is that of this build."""


def costs(targets: list[Target]) -> Figures:
    """Measure the processor time and statements of each kind of call, and the calls a second of 8 clients at once.

    The 8 clients read lists after the single reads, and move pieces at the end.
    """
    found: Figures = {}

    def show(name: str, unit: str, figures: Iterable[float]) -> None:
        found[name, unit] = row = list(figures)
        printed(name, unit, row, len(targets))

    for in_turns in zip(*(target.calls() for target in targets), strict=True):
        kinds = [
            [(target, call) for target, call in zip(targets, calls, strict=True) if target.has(call)]
            for calls in zip(*in_turns, strict=True)
        ]
        if in_turns[0][0].name == PLAIN:
            show(f"orders, 25: {CLIENTS} clients", "a second", rates(targets, lambda one: [listing] * CLIENTS))
        rounds = [[[target.spent(call) for target, call in pairs] for pairs in kinds] for _ in range(ROUNDS + 1)][1:]
        for pairs, taken in zip(kinds, zip(*rounds, strict=True), strict=True):
            name, of_builds = pairs[0][1].name, list(zip(*taken, strict=True))
            show(name, "ms CPU", (median(one.processor for one in of_build) for of_build in of_builds))
            if name == BATCH:
                show(name, "ms", (median(one.waited for one in of_build) for of_build in of_builds))
            with every_statement_logged(targets[0].build):
                show(name, "statements", (float(target.statements(call)) for target, call in pairs))
    show(f"movements: {CLIENTS} clients", "a second", rates(targets, lambda one: moving(one.filled, CLIENTS)))
    return found


def rates(targets: list[Target], asks: Callable[[Target], list[Callable[[Client], object]]]) -> Iterator[float]:
    """Return the calls a second of each build with one web process, as the median of the rounds."""
    taken = [[together([one.client], CALLS, asks(one)) for one in targets] for _ in range(LOAD_ROUNDS)]
    return map(median, zip(*taken, strict=True))


def on_two_processes(targets: list[Target]) -> Figures:
    """Measure movements of 32 clients on two web processes, and how many database sessions wait for each other.

    No two clients move lines of the same order, so they wait only for the counter of the outbox.
    """
    taken: dict[str, list[float]] = {}
    waits: dict[str, list[float]] = {}
    for _, target in itertools.product(range(LOAD_ROUNDS), targets):
        build = target.build
        with (
            served(build.root, **build.settings) as first,
            running(build.settings, build.root) as second,
            waiting(build) as samples,
        ):
            rate = together([first, second], MANY_CALLS, moving(target.filled, MANY_CLIENTS))
        taken.setdefault(build.name, []).append(rate)
        waits.setdefault(build.name, []).append(fmean(samples))
    name = f"movements: {MANY_CLIENTS} clients, 2 processes"
    found: Figures = {}
    for unit, of_builds in (("a second", taken), ("waiting", waits)):
        found[name, unit] = row = [median(of_builds[target.build.name]) for target in targets]
        printed(name, unit, row, len(targets))
    return found


def printed(name: str, unit: str, figures: list[float], builds: int) -> None:
    """Print the figure of each build that has the call, and the ratio of the last figure to the first."""
    ratio = f"{figures[-1] / figures[0]:10.2f}" if len(figures) > 1 and figures[0] else ""
    cells = "".join(f"{figure:12.1f}" for figure in figures)
    print(f"  {name:40}{unit:12}{cells:>{12 * builds}}{ratio}", flush=True)


def measure(base: str = "") -> Report:
    """Compare the builds. The rows are those of this build."""
    with builds(base) as compared:
        with ExitStack() as running_ones:
            # A single process needs no Redis, and over Redis the builds would wake each other.
            clients = [
                running_ones.enter_context(served(build.root, **build.settings, REDIS_URL="")) for build in compared
            ]
            with ThreadPoolExecutor(len(compared)) as threads:
                targets = list(threads.map(Target, compared, clients))
            print(f"  {'':52}" + "".join(f"{build.name[:11]:>12}" for build in compared) + "     ratio")
            found = costs(targets)
        found |= on_two_processes(targets)

    def of_this(name: str, unit: str) -> float:
        return found[name, unit][-1]

    one, two = f"movements: {CLIENTS} clients", f"movements: {MANY_CLIENTS} clients, 2 processes"
    report = Report(
        {
            f"Processor time of the server for a call ({'; '.join(ON_THE_PAGE)})": "; ".join(
                f"{of_this(name, 'ms CPU'):.0f}" for name in ON_THE_PAGE
            )
            + " ms",
            f"SQL statements of a call, BEGIN and COMMIT among them ({'; '.join(ON_THE_PAGE)})": "; ".join(
                f"{of_this(name, 'statements'):.0f}" for name in ON_THE_PAGE
            ),
            f"Movements a second of one process with {CLIENTS} clients; of two with {MANY_CLIENTS}": (
                f"{of_this(one, 'a second'):.0f}; {of_this(two, 'a second'):.0f}"
            ),
            "Database sessions that wait for each other meanwhile, on average": f"{of_this(two, 'waiting'):.1f}",
        }
    )
    weighed, batch = of_this(WEIGHED, "ms CPU") / of_this(PLAIN, "ms CPU"), of_this(BATCH, "ms")
    report.rows["Processor time of a movement with a weight, against one without"] = f"{weighed:.2f} times"
    report.rows[f"A press that moves a batch of {MOVABLE} lines of as many orders, weighed"] = f"{batch:.0f} ms"
    report.limit("processor time of a movement with a weight, times one without", weighed, WEIGHED_TIMES)
    report.limit(f"ms for a press that moves a batch of {MOVABLE} lines", batch, BATCH_MS)
    return report
