"""Which days a report may be asked for."""

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


def test_days_go_forward() -> None:
    check_days(FIRST, FIRST, name="to")
    check_days(FIRST, FIRST + timedelta(days=10_000), name="to")
    assert refusal(FIRST - timedelta(days=1)) == ("endDate", "before_start", {})


def test_days_without_a_beginning_or_an_end_are_as_many_as_there_are() -> None:
    check_days(None, FIRST, name="to", most=1)
    check_days(FIRST, None, name="to", most=1)
    check_days(None, None, name="to", most=1)


def test_an_analysis_looks_at_so_many_days_and_no_more() -> None:
    check_days(FIRST, FIRST + timedelta(days=6), name="to", most=7)
    assert refusal(FIRST + timedelta(days=7), most=7) == ("endDate", "too_many_days", {"limit": 7})
