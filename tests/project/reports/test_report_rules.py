"""The rule of date ranges of reports."""

from datetime import date, timedelta

import pytest

from project.core.errors import InvalidFields
from project.reports.rules import check_days

FIRST = date(2026, 3, 10)


def refusal(last: date, most: int | None = None) -> tuple[str, str, dict[str, object]]:
    with pytest.raises(InvalidFields) as refused:
        check_days(FIRST, last, name="endDate", most=most)
    (error,) = refused.value.errors
    return error.field, error.code, dict(error.params)


def test_range_cannot_end_before_it_begins() -> None:
    check_days(FIRST, FIRST, name="to")
    check_days(FIRST, FIRST + timedelta(days=10_000), name="to")
    assert refusal(FIRST - timedelta(days=1)) == ("endDate", "before_start", {})


def test_open_range_has_no_limit() -> None:
    check_days(None, FIRST, name="to", most=1)
    check_days(FIRST, None, name="to", most=1)
    check_days(None, None, name="to", most=1)


def test_range_is_limited_to_the_given_number_of_days() -> None:
    check_days(FIRST, FIRST + timedelta(days=6), name="to", most=7)
    assert refusal(FIRST + timedelta(days=7), most=7) == ("endDate", "too_many_days", {"limit": 7})
