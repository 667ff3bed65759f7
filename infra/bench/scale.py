"""First pages of every list and report at 10,000, 100,000 and 1,000,000 lines: p50 and p95 over HTTP.

`scale.py [LINES]` stops at so many lines. Run by `make bench-scale`, which names a database of its own; ends with 1
where a limit does not hold: the dashboard's parts together, a first page against its time at 10,000 lines, the
memory of the server that streams all lines as CSV.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from threading import Event, Thread

import django

django.setup()

from bulk import make  # noqa: E402
from httpx import Client  # noqa: E402
from served import Served, served  # noqa: E402

from project.core import clock  # noqa: E402
from project.reports.services import flow_keep  # noqa: E402

STAGES = (10_000, 100_000, 1_000_000)
ROUNDS, WARM = 20, 2
DASHBOARD_MS, RATIO, MEGABYTES = 300.0, 2.0, 100.0
FLOOR_MS = 15.0
"""Below this a page is quick however it compares: the ratio of two trifles says nothing."""


def asked(today: date) -> dict[str, str]:
    """What is measured, by name; the dashboard's parts begin with `dashboard`, reports with `report`."""
    month, two_years = today - timedelta(days=29), today - timedelta(days=729)
    orders, pays = "/api/reports/sales-orders", "/api/sales-order/positions/production-processes"
    days = f"start-date/{month}/end-date/{today}"
    return {
        "orders": "/api/sales-order?limit=25",
        "lines": "/api/sales-order/positions?limit=25",
        "lines inside over a day": "/api/sales-order/positions?limit=25&insideOverADay=true",
        "today": "/api/reports/today",
        "notifications": "/api/notifications/unread",
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


def times(client: Client, path: str) -> list[float]:
    """Milliseconds, quickest first."""
    taken = []
    for round_ in range(ROUNDS + WARM):
        begun = time.perf_counter()
        client.get(path).raise_for_status()
        if round_ >= WARM:
            taken.append(1_000 * (time.perf_counter() - begun))
    return sorted(taken)


def stage(client: Client, lines: int) -> dict[str, tuple[float, float]]:
    """p50 and p95 of each page at so many lines."""
    begun = time.perf_counter()
    make(lines)
    made = time.perf_counter()
    kept = flow_keep()
    print(f"{lines:,} lines made in {made - begun:.0f} s, {kept} days kept in {time.perf_counter() - made:.0f} s")
    found = {}
    for name, path in asked(clock.today()).items():
        taken = times(client, path)
        found[name] = median(taken), taken[max(0, round(0.95 * len(taken)) - 1)]
    return found


@contextmanager
def most_memory(pid: int) -> Iterator[list[float]]:
    """The list has one number after the block: the most megabytes above the start that the process held."""
    status = Path(f"/proc/{pid}/status")
    over, grown = Event(), [0.0]

    def resident() -> float:
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1_024

    start = resident()

    def watch() -> None:
        while not over.wait(0.05):
            grown[0] = max(grown[0], resident() - start)

    thread = Thread(target=watch)
    thread.start()
    try:
        yield grown
    finally:
        over.set()
        thread.join()


def stream(client: Served, lines: int) -> float:
    """All lines as CSV; megabytes that the server held above its start."""
    begun, size, heads = time.perf_counter(), 0, 0
    with most_memory(client.pid) as grown, client.stream("GET", "/api/reports?format=csv") as answer:
        answer.raise_for_status()
        for chunk in answer.iter_bytes():
            size += len(chunk)
            heads += chunk.count(b"\n")
    if heads < lines:
        raise ValueError(f"the file has {heads} rows")
    took = time.perf_counter() - begun
    print(f"CSV of {lines:,} lines: {size / 1e6:.0f} MB in {took:.0f} s, {grown[0]:.0f} MB above the start")
    return grown[0]


def main() -> int:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else STAGES[-1]
    stages = [lines for lines in STAGES if lines < most] + [most]
    with served() as client:
        found = {lines: stage(client, lines) for lines in stages}
        held = stream(client, most)
    failed = []
    print(f"p50 / p95 in ms of {ROUNDS}" + "".join(f"{lines:>20,}" for lines in stages) + f"{'ratio':>9}")
    for name in found[most]:
        ratio = found[most][name][0] / max(found[stages[0]][name][0], FLOOR_MS)
        cells = "".join(f"{found[lines][name][0]:12.1f} /{found[lines][name][1]:6.1f}" for lines in stages)
        print(f"{name:27}{cells}{ratio:9.2f}")
        if name.startswith("report") and ratio > RATIO:
            failed.append(f"{name}: {ratio:.2f} times, limit {RATIO}")
    together = sum(p50 for name, (p50, _) in found[most].items() if name.startswith("dashboard"))
    print(f"dashboard, all parts one after the other: {together:.0f} ms (limit {DASHBOARD_MS:.0f})")
    if together > DASHBOARD_MS:
        failed.append(f"dashboard: {together:.0f} ms")
    if held > MEGABYTES:
        failed.append(f"memory of the CSV: {held:.0f} MB, limit {MEGABYTES:.0f}")
    print("\n".join(failed) or "every limit holds")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
