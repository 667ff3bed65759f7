"""Run one benchmark: `python -m infra.bench NAME ARGUMENTS`. The exit status is 1 if a limit is exceeded."""

import sys
from collections.abc import Callable

import django

django.setup()

from infra.bench import amplification, calls, capacity, forecasts, live, metal, pooled, scale, sign_in, stations  # noqa: E402
from infra.bench.report import Report, finish  # noqa: E402

BENCHMARKS: dict[str, Callable[..., Report]] = {
    "amplification": amplification.measure,
    "calls": calls.measure,
    "capacity": capacity.measure,
    "forecasts": forecasts.measure,
    "live": live.measure,
    "metal": metal.measure,
    "pooled": pooled.measure,
    "scale": scale.measure,
    "sign-in": sign_in.measure,
    "stations": stations.measure,
}

if __name__ == "__main__":
    sys.exit(finish(BENCHMARKS[sys.argv[1]](*sys.argv[2:])))
