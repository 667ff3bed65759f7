"""A movement call with 8 clients: its time over HTTP, and its queries on a line without and with a history.

Run by infra/bench/run.sh, which names a database of its own; ends with 1 above 15 queries, or where the count
grows with the history.
"""

import itertools
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import django

django.setup()

from django.db import connection  # noqa: E402
from django.test import Client as InProcess  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from httpx import Client  # noqa: E402
from served import EMAIL, served, token  # noqa: E402

from project.catalogs.models import Customer, Item, ProductionProcess  # noqa: E402
from project.core import clock  # noqa: E402
from project.identity.models import User  # noqa: E402
from project.orders.models import Line, ProcessRecord, SalesOrder  # noqa: E402
from project.orders.rules import Status  # noqa: E402
from project.staffing.models import ProcessWorker  # noqa: E402

CLIENTS = 8
MOVEMENTS = 100  # each client's
HISTORY = 200  # records of the line with a history
MOST_QUERIES = 15


def lines(user: User, count: int) -> tuple[list[Line], list[ProductionProcess]]:
    """Approved lines of 10 pieces, and the user's processes."""
    run, now = token(), clock.now()
    customer = Customer.objects.create(name=f"Bench {run}")
    item = Item.objects.create(key=f"M{run}", name=f"Bench {run}")
    processes = [ProductionProcess.objects.create(name=f"Bench {run} {n}", order=n) for n in range(1, 13)]
    ProcessWorker.objects.bulk_create(ProcessWorker(user=user, process=one) for one in processes)
    result = []
    for n in range(count):
        order = SalesOrder.objects.create(
            customer=customer,
            customer_sales_order_id=f"{run}-{n}",
            sales_order_date=clock.today(),
            creation_date=now,
            status=Status.Approved,
        )
        result.append(
            Line.objects.create(
                order=order, position=1, item=item, quantity=10, status=Status.Approved, creation_date=now
            )
        )
    return result, processes


def calls(line: Line, processes: list[ProductionProcess]) -> Iterator[tuple[str, dict[str, int]]]:
    """In and out of one process after the other, one piece each time, so that none is ever completed."""
    for process in itertools.cycle(processes):
        for direction in ("in", "out"):
            path = f"/api/sales-order/{line.order_id}/position/{line.position}/production-process/{direction}"
            yield path, {"productionProcessId": process.pk, "quantity": 1}


def one_client(client: Client, line: Line, processes: list[ProductionProcess]) -> list[float]:
    times = []
    with Client(base_url=client.base_url, headers=client.headers, timeout=60) as own:
        for path, body in itertools.islice(calls(line, processes), MOVEMENTS):
            started = time.perf_counter()
            own.put(path, json=body).raise_for_status()
            times.append(1000 * (time.perf_counter() - started))
    return times


def queries(client: Client, line: Line, processes: list[ProductionProcess]) -> list[int]:
    """The queries of an entry and of an exit, counted in this process."""
    caller = InProcess(headers={"Authorization": client.headers["Authorization"], "Host": "localhost"})
    counts = []
    for path, body in itertools.islice(calls(line, processes), 2):
        with CaptureQueriesContext(connection) as captured:
            answer = caller.put(path, body, content_type="application/json")
        if answer.status_code != 200:
            raise RuntimeError(answer.content)
        counts.append(len(captured))
    return counts


def give_history(line: Line, process: ProductionProcess, user: User) -> None:
    """Released records: they count for no process and must all be passed over."""
    past = clock.now() - timedelta(days=9)
    ProcessRecord.objects.bulk_create(
        ProcessRecord(
            line=line,
            process=process,
            quantity=1,
            input_at=past,
            input_by=user,
            output_at=past,
            output_by=user,
            released_at=past,
            released_by=user,
        )
        for _ in range(HISTORY)
    )


def main() -> int:
    with served() as client:
        user = User.objects.get(email=EMAIL)
        (fresh, aged, *others), processes = lines(user, CLIENTS + 2)
        give_history(aged, processes[0], user)
        with ThreadPoolExecutor(CLIENTS) as threads:
            started = time.perf_counter()
            times = sorted(
                itertools.chain.from_iterable(threads.map(lambda line: one_client(client, line, processes), others))
            )
            took = time.perf_counter() - started
        few, many = queries(client, fresh, processes), queries(client, aged, processes)
    p50, p95, p99 = (times[min(len(times) - 1, len(times) * p // 100)] for p in (50, 95, 99))
    print(f"movements: {CLIENTS} clients, {len(times)} calls, {len(times) / took:.0f} a second")
    print(f"  movement call      p50 {p50:.1f} ms   p95 {p95:.1f} ms   p99 {p99:.1f} ms")
    print(
        f"  queries            in {few[0]}, out {few[1]};"
        f"   with {HISTORY} records of history in {many[0]}, out {many[1]}"
    )
    return 1 if max(many) > MOST_QUERIES or many != few else 0


if __name__ == "__main__":
    sys.exit(main())
