"""Measure first pages of lists and reports over HTTP at 10,000, 100,000 and 1,000,000 lines: p50 and p95.

`scale LINES` measures up to LINES lines instead of 1,000,000.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from statistics import median
from threading import Event, Thread

from infra.bench.bulk import make
from infra.bench.machine import resident_bytes
from infra.bench.report import Report, percentile
from infra.bench.served import Served, served
from project.core import clock
from project.orders.models import ProcessRecord, SalesOrder
from project.reports.services import flow_keep

STAGES = (10_000, 100_000, 1_000_000)
ROUNDS, WARM = 20, 2
PAGE, DEEP = 25, 1_000
DASHBOARD_MS, REPORT_TIMES, DEEP_TIMES, MEGABYTES = 300.0, 2.0, 1.5, 100.0
ORDERS, LINES = "/api/sales-order?", "/api/sales-order/positions?"
FLOOR_MS = 15.0
"""Times below this are raised to it before another time is divided by them: a ratio of short times means little."""


def asked(today: date) -> dict[str, str]:
    """Return the address of each page, by name.

    Names of parts of the dashboard begin with `dashboard`, names of reports with `report`.
    """
    month, two_years = today - timedelta(days=29), today - timedelta(days=729)
    orders, pays = "/api/reports/sales-orders", "/api/sales-order/positions/production-processes"
    days = f"start-date/{month}/end-date/{today}"
    return {
        "orders": f"{ORDERS}&limit={PAGE}",
        "lines": f"{LINES}&limit={PAGE}",
        "lines inside over a day": "/api/sales-order/positions?limit=25&insideOverADay=true",
        "today": "/api/reports/today",
        "notifications": "/api/notifications/unread",
        "search": "/api/search?q=0000123",
        "report sales orders": "/api/reports?limit=25",
        "report of a month": f"/api/reports?limit=25&from={month}&to={today}",
        "report of what is done": "/api/reports?limit=25&status=Done",
        "report bills": "/api/deliveries/search?limit=25",
        "report payable": f"{pays}?limit=25&pending=true",
        "report paid": f"{pays}/payments?limit=25",
        "dashboard statuses": f"{orders}/aggregate/status/{days}",
        "dashboard details": f"{orders}/details/status/Invoiced/start-date/{two_years}/end-date/{today}?limit=25",
        "dashboard expired count": f"{orders}/aggregate/deliverydate/expired/days/7",
        "dashboard expired": f"{orders}/details/deliverydate/expired/all?limit=25",
        "dashboard expired today": f"{orders}/details/deliverydate/expired/today?limit=25",
        "dashboard expired in 7 days": f"{orders}/details/deliverydate/expired/days/7?limit=25",
        "dashboard throughput": f"/api/reports/throughput?from={month}&to={today}",
        "flow of 30 days": f"/api/reports/flow?from={month}&to={today}",
        "flow of two years": f"/api/reports/flow?from={two_years}&to={today}",
        "statuses of two years": f"{orders}/aggregate/status/start-date/{two_years}/end-date/{today}",
        "totals of a month": f"/api/reports/totals?from={month}&to={today}",
        "totals of all": "/api/reports/totals",
    }


def times(client: Served, path: str) -> list[float]:
    """Load a page ROUNDS times. Returns the milliseconds of each load."""
    taken = []
    for turn in range(ROUNDS + WARM):
        begun = time.perf_counter()
        client.get(path).raise_for_status()
        if turn >= WARM:
            taken.append(1_000 * (time.perf_counter() - begun))
    return taken


def stage(client: Served, lines: int) -> dict[str, list[float]]:
    """Grow the database to `lines` lines. Returns the times of each page."""
    begun = time.perf_counter()
    make(lines)
    made = time.perf_counter()
    kept = flow_keep()
    print(f"{lines:,} lines made in {made - begun:.0f} s, {kept} days kept in {time.perf_counter() - made:.0f} s")
    return {name: times(client, path) for name, path in asked(clock.today()).items()}


def deep(client: Served, path: str, page: int) -> str:
    """Return the address of a page. It is reached by the links of the pages before it."""
    left, following = (page - 1) * PAGE, f"{path}&limit={PAGE}"
    while left:
        size = min(200, left)
        following = re.sub(r"limit=\d+", f"limit={size}", following)
        following = client.get(following).raise_for_status().links["next"]["url"]
        left -= size
    return re.sub(r"limit=\d+", f"limit={PAGE}", following)


@contextmanager
def memory_growth(pid: int) -> Iterator[list[float]]:
    """Yield a list. After the block it holds one number: the most megabytes by which the process had grown."""
    over, grown = Event(), [0.0]
    start = resident_bytes(pid)

    def watch() -> None:
        while not over.wait(0.05):
            grown[0] = max(grown[0], (resident_bytes(pid) - start) / 2**20)

    thread = Thread(target=watch)
    thread.start()
    try:
        yield grown
    finally:
        over.set()
        thread.join()


def stream(client: Served, lines: int) -> tuple[float, float]:
    """Load all lines as CSV. Returns the seconds, and the most megabytes by which the server had grown."""
    begun, size, rows = time.perf_counter(), 0, 0
    with memory_growth(client.pid) as grown, client.stream("GET", "/api/reports?format=csv") as answer:
        answer.raise_for_status()
        for chunk in answer.iter_bytes():
            size += len(chunk)
            rows += chunk.count(b"\n")
    if rows < lines:
        raise ValueError(f"the file has {rows} rows")
    took = time.perf_counter() - begun
    print(f"CSV of {lines:,} lines: {size / 1e6:.0f} MB in {took:.0f} s, {grown[0]:.0f} MB above the start")
    return took, grown[0]


def measure(lines: str = str(STAGES[-1])) -> Report:
    """Measure the pages at each stage. At the last stage also measure paging by keyset and the CSV of all lines."""
    most = int(lines)
    stages = [count for count in STAGES if count < most] + [most]
    report = Report()
    with served() as client:
        found = {count: stage(client, count) for count in stages}
        for name, path, rows in (("orders", ORDERS, SalesOrder.objects.count()), ("lines", LINES, most)):
            page = min(DEEP, rows // PAGE)
            first = median(times(client, f"{path}&limit={PAGE}"))
            last = median(times(client, deep(client, path, page)))
            report.rows[f"{PAGE} of {rows:,} {name} by keyset: first page, page {page:,}"] = (
                f"{first:.0f} ms, {last:.0f} ms"
            )
            report.limit(f"page {page:,} of {name}, times the first", last / max(first, FLOOR_MS), DEEP_TIMES)
        seconds, held = stream(client, most)
        records = ProcessRecord.objects.count()
    print(f"p50 / p95 in ms of {ROUNDS}" + "".join(f"{count:>20,}" for count in stages) + f"{'ratio':>9}")
    ratios: dict[str, float] = {}
    for name, taken in found[most].items():
        ratios[name] = median(taken) / max(median(found[stages[0]][name]), FLOOR_MS)
        cells = "".join(f"{median(one[name]):12.1f} /{percentile(one[name], 95):6.1f}" for one in found.values())
        print(f"{name:27}{cells}{ratios[name]:9.2f}")
    dashboard = sum(median(taken) for name, taken in found[most].items() if name.startswith("dashboard"))
    reports = [ratio for name, ratio in ratios.items() if name.startswith("report")]
    of_all = f"{most:,} lines and {records:,} process records"
    report.rows[f"All parts of the dashboard at {of_all}, one after the other"] = f"{dashboard:.0f} ms"
    report.rows[
        f"First pages of the reports there, against their times at {stages[0]:,} lines: worst of {len(reports)}"
    ] = f"{max(reports):.2f} times"
    report.rows["All of those lines as CSV: time, memory above the start"] = f"{seconds:.0f} s, {held:.0f} MB"
    report.limit("ms for all parts of the dashboard", dashboard, DASHBOARD_MS)
    report.limit(f"a report, times its time at {stages[0]:,} lines", max(reports), REPORT_TIMES)
    report.limit("MB of memory for the CSV", held, MEGABYTES)
    return report
