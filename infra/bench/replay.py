"""Plays a shop floor's movement log through the public HTTP API and compares every history with it.

    python infra/bench/replay.py LOG.csv --url http://localhost:8000 [--speed max] [--concurrency 8]

Ends with 1 when a history differs from the log or the server failed, 2 when it could not be reached.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

import httpx
from movement_log.client import Api, Person, Refused
from movement_log.compare import mismatches
from movement_log.log import BadLog, Movement, read_log
from movement_log.plan import CasePlan, plan_log
from movement_log.play import Tally, play
from movement_log.workshop import Workshop, set_up


def main() -> int:
    options = _options()
    try:
        return _replay(options)
    except (BadLog, Refused, httpx.TransportError) as error:
        print(f"replay: {error or type(error).__name__}", file=sys.stderr)
        return 2


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", type=Path)
    parser.add_argument("--url", default="http://localhost:8000")
    parser.add_argument("--speed", default="max", help="seconds of the log in one of ours, or max")
    parser.add_argument("--concurrency", type=int, default=1, help="cases played at once; 1 keeps the log's order")
    parser.add_argument("--username", default="admin@obrador.test")
    parser.add_argument("--password", default="Taller.2026")
    return parser.parse_args()


def _replay(options: argparse.Namespace) -> int:
    movements = read_log(options.log)
    plans = plan_log(movements)
    api = Api(options.url)
    admin = api.sign_in(Person(options.username, options.password))
    workshop = set_up(api, admin, movements, plans)
    speed = None if options.speed == "max" else float(options.speed)
    tally = play(api, workshop, movements, plans, speed=speed, concurrency=options.concurrency)
    differences = _differences(api, admin, workshop, plans)
    _report(movements, tally, differences, api.retries)
    return 1 if differences or tally.server_errors else 0


def _differences(api: Api, admin: Person, workshop: Workshop, plans: dict[str, CasePlan]) -> list[str]:
    names = {worker: person.full_name for worker, person in workshop.workers.items()}
    return [
        difference
        for case, plan in plans.items()
        for difference in mismatches(
            case, plan.records, list(api.pages(f"{workshop.lines[case]}/history", admin)), names
        )
    ]


def _percentile(values: list[float], percent: int) -> float:
    """The nearest-rank percentile, in milliseconds."""
    ranked = sorted(values)
    return 1000 * ranked[max(0, -(-len(ranked) * percent // 100) - 1)] if ranked else 0.0


def _counts(counter: Counter[str] | Counter[int]) -> str:
    return f"{counter.total():,}" + "".join(f"  {code} {count:,}" for code, count in counter.most_common())


def _report(movements: list[Movement], tally: Tally, differences: list[str], retries: int) -> None:
    for text in [*tally.first_refusals.values(), *differences[:20]]:
        print(f"  {text}")
    rate = (len(movements) / tally.elapsed) if tally.elapsed else 0.0
    p50, p95, p99 = (_percentile(tally.seconds, percent) for percent in (50, 95, 99))
    print(f"rows           {len(movements):,}")
    print(f"accepted       {tally.accepted:,}")
    print(f"refused        {_counts(tally.refused)}")
    print(f"released       {tally.releases:,} for rework")
    print(f"mismatches     {len(differences):,}")
    print(f"server errors  {_counts(tally.server_errors)}")
    print(f"asked again    {retries:,}")
    print(f"movements/s    {rate:.1f}")
    print(f"movement call  p50 {p50:.1f} ms  p95 {p95:.1f} ms  p99 {p99:.1f} ms")


if __name__ == "__main__":
    sys.exit(main())
