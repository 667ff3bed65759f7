"""`make backtest` reads a movement log, forecasts each morning from what was known then, and scores it."""

import csv
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from infra.backtest.__main__ import main
from infra.backtest.histories import histories
from infra.backtest.scoring import DAY, FORECAST, HORIZONS, METHODS, Result, Score, score
from infra.bench.movement_log.log import read_log
from project.forecasts.method import FEWEST
from tests.project.forecasts.by_hand import CASTING, line, straight, workshop

HEAD = ["at", "direction", "source_row", "case_id", "part", "order_qty", "process", "worker"]
BEGIN = datetime.fromisoformat("2026-01-05 08:00")

Row = tuple[datetime, str, str, str, str]
"""When, direction, visit, case, process."""


def log(tmp_path: Path, rows: list[Row]) -> Path:
    path = tmp_path / "log.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEAD)
        for at, direction, visit, case, process in rows:
            writer.writerow([at.isoformat(sep=" "), direction, visit, case, "Ring", 4_000, process, "ID1"])
    return path


def cases(count: int, *, days: float = 4.0) -> list[Row]:
    """A case begins each day, and takes the same days: half of them in casting, then half in polishing."""
    rows: list[Row] = []
    for number in range(count):
        begin, half = BEGIN + timedelta(days=number), timedelta(days=days / 2)
        case = f"Case {number}"
        rows += [
            (begin, "in", f"{number} a", case, "Casting"),
            (begin + half, "out", f"{number} a", case, "Casting"),
            (begin + half, "in", f"{number} b", case, "Polishing"),
            (begin + 2 * half, "out", f"{number} b", case, "Polishing"),
        ]
    return rows


def goes_on(days: float) -> list[Row]:
    """Another case enters so many days after the begin: the log does not end before."""
    return [(BEGIN + timedelta(days=days), "in", "later", "Case later", "Casting")]


def test_a_case_is_done_with_its_last_exit_unless_pieces_are_inside(tmp_path: Path) -> None:
    rows = [*cases(1), *goes_on(11), (BEGIN, "in", "x", "Case open", "Casting")]
    done, still_open, _ = histories(read_log(log(tmp_path, rows)))
    assert done.done == pytest.approx(done.began + 4 * DAY)
    assert still_open.done is None
    assert (done.item, still_open.item) == (1, 1)


def test_a_case_that_left_in_the_last_week_of_the_log_may_only_wait(tmp_path: Path) -> None:
    long_before, *_ = histories(read_log(log(tmp_path, [*cases(1), *goes_on(11)])))
    just_before, *_ = histories(read_log(log(tmp_path, [*cases(1), *goes_on(10.9)])))
    assert long_before.done is not None
    assert just_before.done is None


def test_an_exit_that_fits_no_entry_is_left_out(tmp_path: Path) -> None:
    rows = [*cases(1), *goes_on(20), (BEGIN + timedelta(days=9), "out", "", "Case 0", "Casting")]
    case, _ = histories(read_log(log(tmp_path, rows)))
    assert case.done == pytest.approx(case.began + 4 * DAY)


def test_a_workshop_in_which_each_line_takes_the_same_time_is_forecast_without_an_error() -> None:
    lines = [straight(id, float(id), 4.0) for id in range(1, 40)]
    result = score(lines)
    assert result.forecasts > 100
    assert [result.brier(FORECAST, horizon) for horizon in HORIZONS] == pytest.approx([0.0] * 4)
    assert result.kept80 == 1.0


def test_nothing_is_scored_before_eight_lines_are_finished() -> None:
    lines = [straight(id, float(id), 4.0) for id in range(1, FEWEST + 1)]
    assert score(lines).forecasts == 0


def test_a_forecast_is_scored_by_what_happened_and_not_by_what_was_known() -> None:
    """All lines took 4 days, the last one 20: what is said of it in its first days is wrong."""
    lines = [*(straight(id, float(id), 4.0) for id in range(1, 20)), straight(50, 30.0, 20.0), straight(51, 60.0, 1.0)]
    odd = score(lines).lines[50]
    assert odd.errors[FORECAST, 7][0] == pytest.approx(1.0)
    assert odd.errors[FORECAST, 28][0] == pytest.approx(0.0)
    assert odd.kept80[0] is False


def test_a_line_that_the_log_leaves_open_counts_once_its_day_is_past() -> None:
    """All lines took 4 days; the last one is still inside, and the log goes on for 20 more."""
    inside = line(50, (18, "in", CASTING), began=18)
    lines = [*(straight(id, float(id), 4.0) for id in range(1, 20)), inside, straight(51, 30.0, 4.0)]
    assert score(lines).lines[50].kept80[0] is False


def test_of_a_line_that_may_wait_or_be_done_nothing_is_known_after_its_last_exit() -> None:
    """It left after 6 days, and the log does not say whether that was all."""
    left = replace(straight(50, 18.0, 6.0), done=None)
    lines = [*(straight(id, float(id), 4.0) for id in range(1, 20)), left, straight(51, 60.0, 4.0)]
    scored = score(lines).lines[50]
    assert [len(scored.errors[FORECAST, horizon]) for horizon in HORIZONS] == [3, 0, 0, 0]
    assert scored.kept80 == [False] * 3


def test_nothing_is_scored_beyond_the_end_of_the_log() -> None:
    """Of the last days of a log only quick lines are known to be done: they would make the method look hopeful."""
    lines = [straight(id, float(id), 4.0) for id in range(1, 40)]
    last = score(lines).lines[39]
    assert [len(last.errors[FORECAST, horizon]) for horizon in HORIZONS] == [1, 0, 0, 0]


def test_each_line_weighs_the_same() -> None:
    one, other = Score(), Score()
    one.errors[FORECAST, 3] = [0.0] * 99
    other.errors[FORECAST, 3] = [0.5]
    assert Result(100, {1: one, 2: other}).brier(FORECAST, 3) == pytest.approx(0.25)


def test_bins_compare_what_was_said_with_what_was() -> None:
    """The second line is forecast on one morning, the first on ten: they weigh the same."""
    result = Result(
        lines={1: Score(said=[(0.1, False)] * 5 + [(0.9, True)] * 5), 2: Score(said=[(0.1, True), (0.1, True)])}
    )
    low, high = result.bins()
    assert (low.said, low.was, low.lines) == pytest.approx((0.1, 1 / 1.5, 2))
    assert (high.said, high.was, high.lines) == pytest.approx((0.9, 1.0, 1))


def test_a_bin_of_fewer_than_twenty_lines_is_not_judged() -> None:
    def said(chance: float, lines: int) -> Result:
        return Result(lines={id: Score(said=[(chance, True)] * 3) for id in range(lines)})

    assert said(0.1, 19).verdicts() == []
    assert said(0.1, 20).verdicts() == [("each bin of 20 lines or more is within 0.15", False)]
    assert said(0.9, 20).verdicts() == [("each bin of 20 lines or more is within 0.15", True)]


def test_methods_are_scored_on_the_same_mornings() -> None:
    result = score(workshop(1, lines=80))
    assert result.forecasts > 100
    for horizon in HORIZONS:
        counts = {
            method: sum(len(scored.errors[method, horizon]) for scored in result.lines.values()) for method in METHODS
        }
        assert len(set(counts.values())) == 1


def test_the_table_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(log(tmp_path, [*cases(30), *goes_on(60)]))]) == 0
    printed = capsys.readouterr().out
    assert "| Brier at 3 / 7 / 14 / 28 days, every morning, " in printed
    assert f"| **{FORECAST}** | **.000 / .000 / .000 / .000** |" in printed
    for method in METHODS[1:]:
        assert f"| {method} | " in printed
    assert "Done by the day that was forecast with 80 %: 100 % of the lines." in printed


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "The log is too short"),
        (",".join(HEAD) + "\n", "The log is too short"),
        ("at,direction\n2026-01-05 08:00,sideways\n", "row 2: direction is 'sideways'"),
        ("at,direction,case_id\nnonsense,in,Case 1\n", "row 2: "),
    ],
)
def test_a_log_that_says_nothing_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, said: str
) -> None:
    path = tmp_path / "log.csv"
    path.write_text(content)
    assert main([str(path)]) == 1
    assert said in capsys.readouterr().err


def test_a_log_that_is_not_there_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.csv")]) == 1
    assert "cannot be read" in capsys.readouterr().err
    assert main([]) == 2
