"""What dashboard, throughput, flow and work to pay must show after a movement log was replayed, from the log alone.

    python infra/bench/figures.py LOG.csv --url http://localhost:8000 [--log-times]

Computes the figures from the CSV with the standard library, none of the product's code, and compares them with what
the running product answers; it must hold nothing but the replay. Times are compared where the records carry the log's
(`--log-times`, see `replayed.py`). Prints each figure; ends with 1 where one differs.
"""

import argparse
import json
import sys
import urllib.request
from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from zoneinfo import ZoneInfo

from movement_log.log import read_log
from movement_log.plan import CasePlan, plan_log

Spread = tuple[int, float | None, float | None]
TOLERANCE = 0.0002
"""Hours: answers are rounded to four decimals."""


@dataclass
class Visit:
    """Pieces of a case in a process, by the log's clock."""

    case: str
    process: str
    pieces: int
    entered: datetime
    left: datetime | None = None
    released: bool = False


def visits(plan: CasePlan) -> list[Visit]:
    """The visits of a case in the order of their entries: exits close the oldest, releases take the latest."""
    found: list[Visit] = []
    inside: dict[str, deque[Visit]] = defaultdict(deque)
    over: dict[str, list[Visit]] = defaultdict(list)
    for step in plan.steps:
        movement = step.movement
        if step.quantity is None:
            continue
        for _ in range(step.releases):
            over[movement.process].pop().released = True
        if movement.direction == "in":
            found.append(Visit(plan.case, movement.process, step.quantity, movement.at))
            inside[movement.process].append(found[-1])
        else:
            visit = inside[movement.process].popleft()
            visit.left = movement.at
            over[movement.process].append(visit)
    return found


def all_visits(log: Path) -> list[Visit]:
    """Of every case."""
    return [visit for plan in plan_log(read_log(log)).values() for visit in visits(plan)]


class Figures:
    """What the log's visits come to. A visit counts when it is closed and was not released."""

    def __init__(self, found: list[Visit], zone: ZoneInfo) -> None:
        self.zone = zone
        self.cases = len({visit.case for visit in found})
        self.counted = [visit for visit in found if visit.left and not visit.released]
        self.exits: dict[str, list[datetime]] = defaultdict(list)
        for visit in self.counted:
            self.exits[visit.case].append(self.left(visit))

    def left(self, visit: Visit) -> datetime:
        assert visit.left is not None  # noqa: S101 - only of counted visits
        return self.instant(visit.left)

    def instant(self, local: datetime) -> datetime:
        return local.replace(tzinfo=self.zone).astimezone(UTC)

    def day(self, visit: Visit) -> str:
        return self.left(visit).astimezone(self.zone).date().isoformat()

    def inside(self, visit: Visit) -> float:
        return (self.left(visit) - self.instant(visit.entered)).total_seconds() / 3_600

    def waits(self, found: Iterable[Visit]) -> list[float]:
        """Hours since the latest exit of the same case, its own left out; none for what nothing left before."""
        waited = []
        for visit in found:
            entered, others = self.instant(visit.entered), list(self.exits[visit.case])
            others.remove(self.left(visit))
            before = [left for left in others if left <= entered]
            if before:
                waited.append((entered - max(before)).total_seconds() / 3_600)
        return waited

    def by(self, key: str) -> dict[str, list[Visit]]:
        """By `process` or `day`."""
        groups: dict[str, list[Visit]] = defaultdict(list)
        for visit in self.counted:
            groups[self.day(visit) if key == "day" else visit.process].append(visit)
        return groups


def spread(hours: list[float]) -> Spread:
    """How many, their median and their 90th percentile, linear between ranks."""
    if not hours:
        return 0, None, None
    tenth = quantiles(hours, n=10, method="inclusive")[8] if len(hours) > 1 else hours[0]
    return len(hours), median(hours), tenth


class Product:
    """The running product."""

    def __init__(self, url: str, username: str, password: str) -> None:
        self.url = url.rstrip("/")
        self.token = ""
        body = {"username": username, "password": password, "rememberLogin": False}
        self.token = self.read("/identity/authentication/sign-in", body)["access_token"]

    def read(self, path: str, body: Any = None) -> Any:
        request = urllib.request.Request(self.url + path, json.dumps(body).encode() if body else None)  # noqa: S310
        request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - the address was given
            link = answer.headers.get("Link") or ""
            rows = json.load(answer)
        if 'rel="next"' in link:
            rows += self.read(link.partition("<")[2].partition(">")[0])
        return rows


class Comparison:
    """Counts what differs."""

    def __init__(self) -> None:
        self.mismatches = 0

    def same(self, name: str, expected: Any, answered: Any, *, shown: bool = True) -> None:
        equal = _equal(expected, answered)
        self.mismatches += not equal
        if shown or not equal:
            print(f"  {name:52} {_text(expected):>32}" + ("" if equal else f"   the product: {_text(answered)}"))


def _equal(expected: Any, answered: Any) -> bool:
    if isinstance(expected, tuple):
        return len(expected) == len(answered) and all(map(_equal, expected, answered))
    if isinstance(expected, float) and answered is not None:
        return abs(expected - float(answered)) <= TOLERANCE
    return bool(expected == answered)


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return " / ".join(map(_text, value))
    return f"{value:,.4f}" if isinstance(value, float) else "-" if value is None else str(value)


def _told(row: dict[str, Any]) -> Spread:
    return row["count"], row["median"], row["p90"]


def compare(figures: Figures, product: Product, *, log_times: bool) -> int:
    """Prints every figure; returns how many differ."""
    comparison = Comparison()
    today = datetime.now(figures.zone).date()
    first, last = today - timedelta(days=1), today
    if log_times:
        days = [date.fromisoformat(day) for day in figures.by("day")]
        first, last = min(days), max(days)
    _orders(comparison, figures, product, today)
    _to_pay(comparison, figures, product)
    _throughput(comparison, figures, product, f"from={first}&to={last}", log_times=log_times)
    flow = product.read(f"/api/reports/flow?from={first}&to={last}")
    comparison.same("flow: pieces", sum(visit.pieces for visit in figures.counted), flow["total"]["pieces"])
    if log_times:
        _flow(comparison, figures, flow)
    return comparison.mismatches


def _orders(comparison: Comparison, figures: Figures, product: Product, today: date) -> None:
    days = f"start-date/{today - timedelta(days=2)}/end-date/{today + timedelta(days=1)}"
    counts = product.read(f"/api/reports/sales-orders/aggregate/status/{days}")
    answered = {row["status"]: row["count"] for row in counts}
    comparison.same("dashboard: orders in process", figures.cases, answered.get("InProcess", 0))
    comparison.same("dashboard: orders in all", figures.cases, sum(answered.values()))
    expired = product.read("/api/reports/sales-orders/details/deliverydate/expired/all")
    comparison.same("dashboard: expired lines", 0, len(expired))


def _to_pay(comparison: Comparison, figures: Figures, product: Product) -> None:
    payable: dict[str, list[Any]] = defaultdict(list)
    for row in product.read("/api/sales-order/positions/production-processes?pending=true&limit=200"):
        payable[row["productionProcessName"]].append(row)
    groups = figures.by("process")
    comparison.same("to pay: processes", len(groups), len(payable))
    for process, group in sorted(groups.items()):
        pieces = sum(visit.pieces for visit in group)
        rows = payable[process]
        # The replay's piece price is 1.
        answered = (
            len(rows),
            sum(row["remainingQuantity"] for row in rows),
            float(sum(row["remainingQuantity"] * row["price"] for row in rows)),
        )
        comparison.same(f"to pay: {process}", (len(group), pieces, float(pieces)), answered)


def _throughput(comparison: Comparison, figures: Figures, product: Product, days: str, *, log_times: bool) -> None:
    answered = {row["productionProcessName"]: row for row in product.read(f"/api/reports/throughput?{days}")}
    for process, group in sorted(figures.by("process").items()):
        row = answered[process]
        comparison.same(f"throughput: {process}", sum(visit.pieces for visit in group), row["pieces"])
        if log_times:
            inside = spread([figures.inside(visit) for visit in group])
            comparison.same(f"time inside: {process}", inside, _told(row["inside"]))


def _flow(comparison: Comparison, figures: Figures, flow: Any) -> None:
    everything = figures.counted
    comparison.same("flow: time inside", spread([*map(figures.inside, everything)]), _told(flow["total"]["inside"]))
    comparison.same("flow: wait before", spread(figures.waits(everything)), _told(flow["total"]["waited"]))
    answered = {row["day"]: row for row in flow["days"]}
    groups = figures.by("day")
    comparison.same("flow: days", len(groups), len(answered))
    for day, group in sorted(groups.items()):
        row = answered.get(day)
        if row is None:
            comparison.same(f"flow: {day}", "some", None)
            continue
        comparison.same(f"flow: pieces of {day}", sum(visit.pieces for visit in group), row["pieces"], shown=False)
        inside = spread([*map(figures.inside, group)])
        comparison.same(f"flow: time inside {day}", inside, _told(row["inside"]), shown=False)
        comparison.same(f"flow: wait before {day}", spread(figures.waits(group)), _told(row["waited"]), shown=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", type=Path)
    parser.add_argument("--url", default="http://localhost:8000")
    parser.add_argument("--username", default="admin@obrador.test")
    parser.add_argument("--password", default="Taller.2026")
    parser.add_argument("--time-zone", default="America/Mexico_City", type=ZoneInfo)
    parser.add_argument("--log-times", action="store_true", help="the records carry the log's times")
    options = parser.parse_args()
    figures = Figures(all_visits(options.log), options.time_zone)
    product = Product(options.url, options.username, options.password)
    mismatches = compare(figures, product, log_times=options.log_times)
    print(f"mismatches     {mismatches}")
    return 1 if mismatches else 0


if __name__ == "__main__":
    sys.exit(main())
