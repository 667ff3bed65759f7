"""What a range of days may be, and percentiles over many sorted runs: no database and no clock."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import repeat

from project.core.errors import InvalidFields

MOST_DAYS = 4_018
"""Eleven years: what an analysis day by day may look at."""
SECONDS_IN_AN_HOUR = 3_600


type Seconds = array[int]
"""Durations in whole seconds, four bytes each."""


def seconds(values: Iterable[int] | bytes = b"") -> Seconds:
    """Durations from numbers, or from the bytes they were kept as."""
    return array("I", values)


def check_days(first: date | None, last: date | None, *, name: str, most: int | None = None) -> None:
    """Raises 422 on `name`, the field of the last day, for days the wrong way round or too many."""
    if first is None or last is None:
        return
    if last < first:
        raise InvalidFields.of(name, "before_start")
    if most is not None and (last - first).days >= most:
        raise InvalidFields.of(name, "too_many_days", limit=most)


def percentile(runs: Iterable[Seconds], percent: int) -> float | None:
    """The percentile in hours of sorted runs taken together, None where they are empty.

    Linear between the two nearest ranks, as `statistics.quantiles(method="inclusive")` and PostgreSQL's
    `percentile_cont` have it. Nothing is merged or sorted: beside the runs it needs no memory.
    """
    filled = [run for run in runs if run]
    if not filled:
        return None
    rank, rest = divmod((sum(map(len, filled)) - 1) * percent, 100)
    below = _ranked(filled, rank)
    above = _next(filled, rank, below) if rest else below
    return round((below * (100 - rest) + above * rest) / (100 * SECONDS_IN_AN_HOUR), 4)


def _ranked(runs: Sequence[Seconds], rank: int) -> int:
    """The value at `rank`, from 0, of all runs: the smallest that more than `rank` values do not exceed."""
    low, high = min(run[0] for run in runs), max(run[-1] for run in runs)
    while low < high:
        middle = (low + high) // 2
        if sum(map(bisect_right, runs, repeat(middle))) > rank:
            high = middle
        else:
            low = middle + 1
    return low


def _next(runs: Sequence[Seconds], rank: int, value: int) -> int:
    """The value at the rank after `rank`, whose value is `value`."""
    places = [bisect_right(run, value) for run in runs]
    if sum(places) > rank + 1:
        return value
    return min(run[place] for run, place in zip(runs, places, strict=True) if place < len(run))
