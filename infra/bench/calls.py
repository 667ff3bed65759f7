"""What each kind of call costs on PostgreSQL: the server's processor time, its SQL statements, and calls a second.

`calls.py [REVISION]` measures the build of that revision beside this one, each on a database of its own that was
filled in the same way, turn by turn; medians. Run by `make bench-calls`, which names the database. Judges nothing.
"""

import itertools
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median, median_high
from threading import Event, Thread

from builds import Build, builds
from filled import Filled, Place, fill, move, movements
from httpx import Client, Response
from served import Served, running, served, token

ROUNDS = 5
COUNTED = 4  # calls of which the statements are counted
CLIENTS, CALLS = 8, 25  # clients at once, and what each of them asks in a round
MANY_CLIENTS, MANY_CALLS = 32, 15  # on two processes
LOAD_ROUNDS = 3
STATEMENT = re.compile(r"obrador_bench:(\S+) LOG:  (?:statement|execute [^:]*):\s+(?!obrador_bench:)(\S.*)")
"""A statement may begin on a line of its own; an empty one is none."""
NOT_THE_CALLS = re.compile(r"SELECT 1$|SELECT .*outbox")
"""Questions whether the connection still answers, and what the process reads of the outbox by itself."""


@dataclass
class Call:
    """A kind of call; `times` in a round. What `after` does to its answer is not measured."""

    name: str
    times: int
    ask: Callable[[], Response]
    after: Callable[[Response], object] = lambda _: None


class Target:
    """A build that is served and filled."""

    def __init__(self, build: Build, client: Served) -> None:
        self.build, self.client = build, client
        self.filled: Filled = fill(client)
        with build.database() as connection:
            connection.execute("VACUUM ANALYZE")  # as the server does by itself, a while later

    def calls(self) -> list[Call]:
        """Reads first: what is written afterwards would change the lists."""
        filled, client = self.filled, self.client
        order, moves = filled.recent[-1], movements(filled.movable, filled.processes)

        def get(path: str) -> Callable[[], Response]:
            return lambda: client.get(path)

        def moved() -> Response:
            response: Response = move(client, *next(moves), quantity=1)
            return response

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
            Call("health", 40, get("/health/live")),
            Call("materials, 25", 20, get("/api/materials?limit=25")),
            Call("components, 25", 20, get("/api/components?limit=25")),
            Call("orders, 25", 10, get("/api/sales-order?limit=25")),
            Call("lines, 25", 10, get("/api/sales-order/positions?limit=25")),
            Call("line", 20, get(f"/api/sales-order/{order}/position/1")),
            Call("order of 5 lines", 20, get(f"/api/sales-order/{order}")),
            Call("report of 5,000 lines, XLSX", 1, get("/api/reports?format=xlsx")),
            Call("report of 5,000 lines, CSV", 1, get("/api/reports?format=csv")),
            Call("movement, in or out", 20, moved),
            Call("order's notes changed", 10, noted),
            Call("order of 5 lines created", 10, created),
            Call("bill of 50 lines", 2, billed, take_back),
        ]

    def cpu(self, call: Call) -> float:
        """Milliseconds of the server's processor time for one of these calls."""
        spent = 0.0
        for _ in range(call.times):
            before = processor_seconds(self.client.pid)
            answer = call.ask().raise_for_status()
            spent += processor_seconds(self.client.pid) - before
            call.after(answer)
        return 1_000 * spent / call.times

    def statements(self, call: Call) -> int:
        """How many statements one of these calls has executed, BEGIN and COMMIT among them."""
        counts = []
        for _ in range(COUNTED):
            with self.logged() as executed:
                answer = call.ask().raise_for_status()
            counts.append(len(executed))
            call.after(answer)
        return median_high(counts)

    @contextmanager
    def logged(self) -> Iterator[list[str]]:
        """The list has after the block what was executed for it on the build's database."""
        executed: list[str] = []
        with self.build.database() as connection, Path(os.environ["DATABASE_LOG"]).open() as log:
            log.seek(0, os.SEEK_END)
            yield executed
            for database, statement in STATEMENT.findall(log.read()):
                if database == connection.info.dbname and not NOT_THE_CALLS.match(statement):
                    executed.append(statement)


def processor_seconds(pid: int) -> float:
    """User and system time of a process and its threads since its start, to the nanosecond (clock_getcpuclockid(3))."""
    return time.clock_gettime((~pid << 3) | 2)


@contextmanager
def every_statement_logged(build: Build) -> Iterator[None]:
    """PostgreSQL writes each statement, with the name of its database, into its log."""
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
    """So many calls of each of several clients at once, spread over the processes. Returns calls a second."""

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
    """Movements, each client's on a line of an order of its own."""

    def on(place: Place) -> Callable[[Client], object]:
        own = movements([place], filled.processes)
        return lambda client: move(client, *next(own), quantity=1)

    return [on(place) for place in filled.movable[-clients:]]


def listing(client: Client) -> object:
    return client.get("/api/sales-order?limit=25").raise_for_status()


@contextmanager
def waiting(build: Build) -> Iterator[list[int]]:
    """The list has after the block, for every 50 ms, how many sessions waited for another one's lock."""
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


def show(name: str, unit: str, figures: list[float]) -> None:
    """A row: each build's figure, and the last one's against the first one's."""
    ratio = f"{figures[-1] / figures[0]:10.2f}" if len(figures) > 1 and figures[0] else ""
    print(f"  {name:40}{unit:12}" + "".join(f"{figure:12.1f}" for figure in figures) + ratio, flush=True)


def costs(targets: list[Target]) -> None:
    """Processor time and statements of each kind of call; between reads and writes, what 8 clients get at once."""
    for calls in zip(*(target.calls() for target in targets), strict=True):
        pairs = list(zip(targets, calls, strict=True))
        if calls[0].name.startswith("movement"):
            lists = [median(rates) for rates in rounds(targets, lambda one: [listing] * CLIENTS)]
            show(f"orders, 25: {CLIENTS} clients", "a second", lists)
        taken = [[target.cpu(call) for target, call in pairs] for _ in range(ROUNDS + 1)][1:]
        show(calls[0].name, "ms CPU", [median(of_build) for of_build in zip(*taken, strict=True)])
        with every_statement_logged(targets[0].build):
            show("", "statements", [target.statements(call) for target, call in pairs])
    moved = [median(rates) for rates in rounds(targets, lambda one: moving(one.filled, CLIENTS))]
    show(f"movements: {CLIENTS} clients", "a second", moved)


def rounds(targets: list[Target], asks: Callable[[Target], list[Callable[[Client], object]]]) -> Iterator[list[float]]:
    """Calls a second of each build, round by round, from its one process."""
    taken = [[together([one.client], CALLS, asks(one)) for one in targets] for _ in range(LOAD_ROUNDS)]
    return map(list, zip(*taken, strict=True))


def on_two_processes(targets: list[Target]) -> None:
    """Movements of 32 clients, and how many sessions wait for one another: each on an order of its own, so for the
    stream's counter alone."""
    rates: dict[str, list[float]] = {}
    waits: dict[str, list[float]] = {}
    for _, target in itertools.product(range(LOAD_ROUNDS), targets):
        build = target.build
        with (
            served(build.root, **build.settings) as first,
            running(build.environment, build.root) as second,
            waiting(build) as samples,
        ):
            rate = together([first, second], MANY_CALLS, moving(target.filled, MANY_CLIENTS))
        rates.setdefault(build.name, []).append(rate)
        waits.setdefault(build.name, []).append(fmean(samples))
    name = f"movements: {MANY_CLIENTS} clients, 2 processes"
    show(name, "a second", [median(rates[target.build.name]) for target in targets])
    show("", "waiting", [median(waits[target.build.name]) for target in targets])


def main() -> int:
    with builds(*sys.argv[1:2]) as compared:
        with ExitStack() as running_ones:
            # One process needs no Redis, and the builds would wake each other through it.
            clients = [
                running_ones.enter_context(served(build.root, **build.settings, REDIS_URL="")) for build in compared
            ]
            with ThreadPoolExecutor(len(compared)) as threads:
                targets = list(threads.map(Target, compared, clients))
            print(f"  {'':52}" + "".join(f"{build.name[:11]:>12}" for build in compared) + "     ratio")
            costs(targets)
        on_two_processes(targets)
    return 0


if __name__ == "__main__":
    sys.exit(main())
