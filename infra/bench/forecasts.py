"""Measure the making of forecasts for 500 open lines from 400 finished ones, and the list of lines in the meantime."""

import json
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection

from infra.bench.bulk import CUSTOMERS, ITEMS, PROCESSES, WORKERS, Workshop
from infra.bench.machine import ROOT
from infra.bench.report import Report, percentile
from infra.bench.served import Served, served
from project.core import clock
from project.forecasts.models import KeptForecast
from project.forecasts.services import forecasts_make
from project.orders.models import Forecast, Line, ProcessRecord, SalesOrder
from project.orders.rules import Status, order_status

FINISHED_LINES, OPEN_LINES = 400, 500
RECORDS = 20
"""Process records of a finished line, as many as in a real movement log. A record has one piece."""
LIST = "/api/sales-order/positions?limit=25"
ROUNDS, WARM, CALLS = 3, 20, 200
SECONDS, P95_TIMES = 20.0, 1.2
CHILD = "import django; django.setup(); from infra.bench.forecasts import make; make()"
BEGINS = "begins"


@dataclass
class Way:
    """The course of a line: its begin, and the process, entry and exit of each piece. The last exit may be missing."""

    began: datetime
    stays: list[tuple[int, datetime, datetime | None]]

    @property
    def inside(self) -> int:
        return sum(left is None for *_, left in self.stays)


def way(shop: Workshop, numbers: random.Random, *, is_open: bool) -> Way:
    """Draw the random course of a line, which was finished in the last two months or is still open."""
    processes = sorted(numbers.choices(range(PROCESSES), k=RECORDS))
    if is_open:
        del processes[numbers.randint(0, RECORDS) :]
    hours, stays = 0.0, list[tuple[int, float, float]]()
    for process in processes:
        entered = hours + 4 * numbers.choice(shop.hours)
        hours = entered + numbers.choice(shop.hours)
        stays.append((process, entered, hours))
    since = numbers.choice(shop.hours) if is_open else numbers.uniform(0, 60 * 24)
    began = clock.to_millisecond(clock.now() - timedelta(hours=hours + since))
    found = Way(
        began,
        [
            (process, began + timedelta(hours=entered), began + timedelta(hours=left))
            for process, entered, left in stays
        ],
    )
    if is_open and found.stays and numbers.random() < 0.5:
        process, at, _ = found.stays.pop()
        found.stays.append((process, at, None))
    return found


def fill() -> None:
    """Write the lines to the database, each in its own order."""
    shop, numbers = Workshop(), random.Random(7)
    ways = [way(shop, numbers, is_open=number >= FINISHED_LINES) for number in range(FINISHED_LINES + OPEN_LINES)]
    statuses = [
        Status.Done if number < FINISHED_LINES else Status.InProcess if one.stays else Status.Approved
        for number, one in enumerate(ways)
    ]
    orders = SalesOrder.objects.bulk_create(
        SalesOrder(
            customer=shop.customers[number % CUSTOMERS],
            customer_sales_order_id=f"F {shop.run} {number}",
            sales_order_date=clock.day_of(one.began),
            creation_date=one.began,
            status=order_status([status]),
        )
        for number, (one, status) in enumerate(zip(ways, statuses, strict=True))
    )
    lines = Line.objects.bulk_create(
        Line(
            order=order,
            position=1,
            item=shop.items[numbers.randrange(ITEMS)],
            quantity=RECORDS,
            quantity_inside=one.inside,
            status=status,
            creation_date=one.began,
            delivery_date=clock.today() + timedelta(days=numbers.randrange(30)),
            done_at=one.stays[-1][2] if status is Status.Done else None,
        )
        for order, one, status in zip(orders, ways, statuses, strict=True)
    )
    ProcessRecord.objects.bulk_create(
        ProcessRecord(
            line=line,
            process=shop.processes[process],
            quantity=1,
            input_at=entered,
            input_by=shop.workers[process % WORKERS],
            output_at=left,
            output_by=None if left is None else shop.workers[process % WORKERS],
        )
        for line, one in zip(lines, ways, strict=True)
        for process, entered, left in one.stays
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")  # autovacuum would do this later


def make() -> None:
    """Make all forecasts in this process, and print its processor seconds. `beside` runs this in another process."""
    print(BEGINS, flush=True)
    begun = time.process_time()
    made = forecasts_make()
    print(json.dumps({"made": made, "seconds": time.process_time() - begun}))


def asked(client: Served) -> float:
    """Load the list of lines once. Returns the milliseconds."""
    begun = time.perf_counter()
    client.get(LIST).raise_for_status()
    return 1_000 * (time.perf_counter() - begun)


def beside(client: Served) -> tuple[float, list[float]]:
    """Load lists while another process makes all forecasts for the first time.

    Returns the processor seconds of that process, and the milliseconds of each list. Raises RuntimeError if a forecast
    is missing.
    """
    for model in (KeptForecast, Forecast):
        model._default_manager.all().delete()
    taken = []
    with subprocess.Popen([sys.executable, "-c", CHILD], cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None  # noqa: S101 - it was opened with a pipe
        if child.stdout.readline().strip() != BEGINS:
            raise RuntimeError("the forecasts did not begin")
        while child.poll() is None:
            taken.append(asked(client))
        said = child.stdout.read()
    if child.returncode or Forecast.objects.filter(why="").count() != OPEN_LINES:
        raise RuntimeError(f"not all lines were forecast: {said}")
    return float(json.loads(said)["seconds"]), taken


def measure() -> Report:
    """Load lists without forecasts and while forecasts are made, in turn."""
    alone, accompanied, seconds = list[float](), list[float](), list[float]()
    with served() as client:
        fill()
        for _ in range(WARM):
            asked(client)
        for _ in range(ROUNDS):
            alone += [asked(client) for _ in range(CALLS)]
            spent, taken = beside(client)
            seconds.append(spent)
            accompanied += taken
            print(f"  {OPEN_LINES} forecasts: {spent:.1f} s of the processor, {len(taken)} lists in the meantime")
    before, during = percentile(alone, 95), percentile(accompanied, 95)
    most, of = max(seconds), f"{OPEN_LINES} open lines from {FINISHED_LINES} finished ones"
    report = Report(
        {
            f"Forecasts of {of}: processor time": f"{most:.1f} s",
            "p95 of a list of 25 lines alone, and beside those forecasts": f"{before:.0f} ms, {during:.0f} ms",
        }
    )
    report.limit(f"seconds of the processor for the forecasts of {of}", most, SECONDS)
    report.limit("p95 of a list beside forecasts, times that alone", during / before, P95_TIMES)
    return report
