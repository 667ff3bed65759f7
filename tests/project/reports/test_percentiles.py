"""Percentiles over several runs equal those of all their values, linear between ranks."""

import random
from statistics import median, quantiles

import pytest

from project.reports.rules import percentile, seconds


@pytest.mark.parametrize("count", [2, 3, 10, 11, 500])
def test_percentiles_equal_the_standard_librarys(count: int) -> None:
    numbers = random.Random(count)
    values = [numbers.randrange(400_000) for _ in range(count)]
    whole = quantiles(values, n=100, method="inclusive")
    for runs in ([values], [values[:1], values[1:]], [values[index::7] for index in range(7)]):
        kept = [seconds(sorted(run)) for run in runs]
        assert percentile(kept, 50) == round(median(values) / 3600, 4)
        assert percentile(kept, 90) == round(whole[89] / 3600, 4)
        assert percentile(kept, 1) == round(whole[0] / 3600, 4)


def test_percentile_of_one_value_is_the_value_and_of_none_is_none() -> None:
    assert percentile([seconds([7_200])], 90) == percentile([seconds([7_200]), seconds()], 50) == 2
    assert percentile([], 50) is percentile([seconds()], 50) is None


def test_equal_values_each_count() -> None:
    assert percentile([seconds([3_600, 3_600]), seconds([3_600, 7_200])], 40) == 1
    assert percentile([seconds([3_600] * 9), seconds([7_200])], 90) == 1.1
    assert percentile([seconds([0, 0]), seconds([0])], 50) == 0


def test_durations_survive_a_round_trip_through_bytes() -> None:
    kept = seconds([0, 1, 2**32 - 1])
    assert seconds(kept.tobytes()) == kept
