"""Measures live delivery against a raw Node broadcaster, with the same client, rate and payloads.

Prints a table and one PASS or FAIL line for each figure that is promised; ends with 1 if one failed.
"""

import os
import resource
import statistics
import sys
import tempfile
from pathlib import Path

import django
from django.core.management import call_command

django.setup()
call_command("migrate", verbosity=0)

from receipts import HEADINGS, Outcome  # noqa: E402
from sides import Obrador, RawBroadcaster, Side  # noqa: E402

SOCKETS = int(os.environ.get("LIVE_SOCKETS", "1000"))
RATE = int(os.environ.get("LIVE_RATE", "20"))
SECONDS = int(os.environ.get("LIVE_SECONDS", "10"))
RUNS = int(os.environ.get("LIVE_RUNS", "3"))

P99_TIMES_RAW = 1.5
KB_PER_SOCKET = 40.0


def main() -> int:
    """Each side in turn, RUNS times; the medians are judged."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(4_096, SOCKETS * 2), resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    print(f"{SOCKETS} sockets, {RATE} movements a second for {SECONDS} s, {RUNS} runs each\n")
    print(HEADINGS)
    raw: list[Outcome] = []
    ours: list[Outcome] = []
    with tempfile.TemporaryDirectory() as place:
        for _ in range(RUNS):
            for side, outcomes in ((RawBroadcaster(), raw), (Obrador(), ours)):
                outcomes.append(measure(side, Path(place)))
                print(outcomes[-1].row(side.name), flush=True)
    return judge(raw, ours)


def measure(side: Side, place: Path) -> Outcome:
    with side.serving():
        return side.run(sockets=SOCKETS, rate=RATE, count=RATE * SECONDS, place=place)


def judge(raw: list[Outcome], ours: list[Outcome]) -> int:
    raw_p99 = statistics.median(one.p99 for one in raw)
    our_p99 = statistics.median(one.p99 for one in ours)
    memory = statistics.median(one.kb_per_socket for one in ours)
    wrong = sum(one.lost + one.double + one.disorder for one in ours)
    deliveries = sum(one.expected for one in ours)
    times = our_p99 / raw_p99
    print()
    verdicts = [
        verdict(wrong == 0, f"no loss, no double, no disorder in {deliveries} deliveries ({wrong})"),
        verdict(
            times <= P99_TIMES_RAW,
            f"p99 commit → receipt {our_p99:.1f} ms, {times:.2f} times the raw {raw_p99:.1f} (at most {P99_TIMES_RAW})",
        ),
        verdict(memory <= KB_PER_SOCKET, f"{memory:.1f} KB of server memory a socket (at most 40)"),
    ]
    return 0 if all(verdicts) else 1


def verdict(passed: bool, text: str) -> bool:
    print(f"{'PASS' if passed else 'FAIL'}  {text}")
    return passed


if __name__ == "__main__":
    sys.exit(main())
