"""Rules for ranges of days, and percentiles over many sorted runs. Uses no database and no clock."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import repeat

from project.core.errors import InvalidFields

MOST_DAYS = 4_018
"""The most days of a daily analysis: eleven years."""
SECONDS_IN_AN_HOUR = 3_600


type Seconds = array[int]
"""Durations in whole seconds, four bytes each."""


def seconds(values: Iterable[int] | bytes = b"") -> Seconds:
    """Make durations from numbers, or from the bytes that they are stored as."""
    return array("I", values)


def check_days(first: date | None, last: date | None, *, name: str, most: int | None = None) -> None:
    """Raise `InvalidFields` if the last day is before the first, or if there are more than `most` days.

    The error is on the field of the last day, `name`, with the code `before_start` or `too_many_days`.
    """
    if first is None or last is None:
        return
    if last < first:
        raise InvalidFields.of(name, "before_start")
    if most is not None and (last - first).days >= most:
        raise InvalidFields.of(name, "too_many_days", limit=most)


def percentile(runs: Iterable[Seconds], percent: int) -> float | None:
    """Return the percentile, in hours, of all durations in `runs`; None if there are none. Each run is sorted.

    Interpolates linearly between the two nearest ranks, like `statistics.quantiles(method="inclusive")` and
    PostgreSQL's `percentile_cont`. Does not merge the runs, so it needs no further memory.
    """
    filled = [run for run in runs if run]
    if not filled:
        return None
    rank, rest = divmod((sum(map(len, filled)) - 1) * percent, 100)
    below = _ranked(filled, rank)
    above = _next(filled, rank, below) if rest else below
    return round((below * (100 - rest) + above * rest) / (100 * SECONDS_IN_AN_HOUR), 4)


def _ranked(runs: Sequence[Seconds], rank: int) -> int:
    """Return the value at `rank`, from 0, of all runs together, by bisection over the values."""
    low, high = min(run[0] for run in runs), max(run[-1] for run in runs)
    while low < high:
        middle = (low + high) // 2
        if sum(map(bisect_right, runs, repeat(middle))) > rank:
            high = middle
        else:
            low = middle + 1
    return low


def _next(runs: Sequence[Seconds], rank: int, value: int) -> int:
    """Return the value at the rank after `rank`. `value`: the value at `rank`."""
    places = [bisect_right(run, value) for run in runs]
    if sum(places) > rank + 1:
        return value
    return min(run[place] for run, place in zip(runs, places, strict=True) if place < len(run))
