"""Which backups the rule keeps."""

from datetime import UTC, datetime, timedelta

import pytest

from project.core import clock
from project.operations.places import made_at, new_name
from project.operations.retention import rule_of, superfluous
from project.operations.sealed import BackupError

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


def name(at: datetime) -> str:
    return f"obrador-{at:%Y%m%dT%H%M%S.%fZ}-00000000.backup"


def daily(days: int) -> list[str]:
    return [name(NOON - timedelta(days=ago)) for ago in range(days)]


def kept(names: list[str], rule: str) -> list[str]:
    gone = superfluous(names, rule_of(rule), good=max(names))
    assert gone == sorted(gone)
    return sorted(set(names) - set(gone), reverse=True)


def test_names_sort_by_time_within_a_second_too() -> None:
    names = []
    for microseconds in range(0, 1_000, 7):
        with clock.at(NOON + timedelta(microseconds=microseconds)):
            names.append(new_name())
    assert names == sorted(names)
    assert made_at(names[1]) == NOON + timedelta(microseconds=7)


def test_a_number_alone_keeps_that_many_of_the_last() -> None:
    assert kept(daily(10), "3") == daily(3)


def test_days_weeks_and_months_keep_the_newest_of_each() -> None:
    stay = kept(daily(400), "7 daily, 4 weekly, 12 monthly")
    assert stay[:7] == daily(7)
    assert len(stay) == 7 + 2 + 11  # two of the weeks' are days' already, and one of the months'
    assert name(datetime(2026, 10, 31, 12, tzinfo=UTC)) in stay
    assert name(datetime(2026, 11, 15, 12, tzinfo=UTC)) in stay
    assert name(datetime(2025, 12, 31, 12, tzinfo=UTC)) in stay


def test_several_of_a_day_leave_its_newest() -> None:
    hours = [name(clock.start_of(clock.day_of(NOON)) + timedelta(hours=hour)) for hour in range(20)]
    assert kept(hours, "7 daily") == hours[-1:]


def test_a_month_without_backups_takes_nothing_from_the_old_ones() -> None:
    old = [name(NOON - timedelta(days=90 + ago)) for ago in range(3)]
    assert kept([*old, name(NOON)], "4 daily") == [name(NOON), *old]


def test_what_was_just_proven_stays_though_a_wrong_clock_made_others_newer() -> None:
    future = [name(NOON + timedelta(days=1_000 + ago)) for ago in range(5)]
    assert name(NOON) not in superfluous([*future, name(NOON)], rule_of("2 daily"), good=name(NOON))


@pytest.mark.parametrize("text", ["", "0", "daily", "7 dayly", "-1 daily", "7 daily;", "1.5 weekly", "99999"])
def test_a_rule_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(BackupError, match="BACKUP_KEEP"):
        rule_of(text)
