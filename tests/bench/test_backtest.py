"""`make backtest` reads a movement log, forecasts each morning from what was known then, and scores it."""

import csv
import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from infra.backtest.__main__ import main
from infra.backtest.histories import histories
from infra.backtest.scoring import DAY, FORECAST, HORIZONS, METHODS, WEIGHTS, Result, Score, score
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
    assert (done.item, still_open.item, done.pieces) == (1, 1, 4_000)


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
    for by in WEIGHTS:
        assert [result.brier(FORECAST, horizon, by) for horizon in HORIZONS] == pytest.approx([0.0] * 4)
        assert result.kept80(by) == result.reached80(by) == 1.0


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


def test_each_forecast_weighs_the_same_or_each_line() -> None:
    one, other = Score(kept80=[True] * 99), Score(kept80=[False])
    one.errors[FORECAST, 3] = [0.0] * 99
    other.errors[FORECAST, 3] = [0.5]
    result = Result(100, {1: one, 2: other, 3: Score()})
    assert result.brier(FORECAST, 3, "line") == pytest.approx(0.25)
    assert result.brier(FORECAST, 3, "forecast") == pytest.approx(0.005)
    assert (result.kept80("line"), result.kept80("forecast")) == (0.5, 0.99)
    assert result.brier(FORECAST, 7, "line") is result.brier(FORECAST, 7, "forecast") is None


def test_a_day_beyond_the_end_of_the_log_counts_if_it_was_kept_and_apart_from_those_that_the_log_reaches() -> None:
    """Lines take 4 or 20 days, so the day of 80 % is 20 days ahead. The log ends 20 days after the last line began."""
    takes = [*(straight(id, float(id), 4.0 if id % 2 else 20.0) for id in range(1, 30))]
    quick = straight(50, 40.0, 4.0)
    scored = score([*takes, quick, straight(51, 48.0, 4.0)]).lines[50]
    assert scored.kept80 == [True] * len(scored.kept80) != []
    assert scored.reached80 == []


def test_forecasts_of_a_morning_are_corrected_by_what_was_known_then_alone() -> None:
    """A log that goes on says the same of its first mornings as one that is cut there."""
    lines = workshop(4, lines=30)
    first = min(line.began for line in lines)
    cut = [known for line in lines if (known := line.known_at(first + 60 * DAY)) is not None]
    whole, part = score(lines), score(cut)
    assert sum(len(scored.said) for scored in part.lines.values()) > 50
    for id, scored in part.lines.items():
        chances = [chance for chance, _ in whole.lines[id].said]
        assert all(chance in chances for chance, _ in scored.said)


def test_bins_compare_what_was_said_with_what_was() -> None:
    """The second line is forecast on one morning, the first on ten: they weigh the same, or their forecasts do."""
    result = Result(
        lines={1: Score(said=[(0.1, False)] * 5 + [(0.9, True)] * 5), 2: Score(said=[(0.1, True), (0.1, True)])}
    )
    low, high = result.bins("line")
    assert (low.said, low.was, low.lines, low.said_times) == pytest.approx((0.1, 1 / 1.5, 2, 7))
    assert (high.said, high.was, high.lines, high.said_times) == pytest.approx((0.9, 1.0, 1, 5))
    assert result.bins("forecast")[0].was == pytest.approx(2 / 7)


def test_a_bin_of_fewer_than_twenty_lines_or_a_hundred_forecasts_is_not_judged() -> None:
    def said(chance: float, lines: int) -> Result:
        return Result(lines={id: Score(said=[(chance, True)] * 3) for id in range(lines)})

    assert said(0.1, 19).verdicts("line") == said(0.1, 33).verdicts("forecast") == []
    assert said(0.1, 20).verdicts("line") == [("each bin of 20 lines or more is within 0.15", False)]
    assert said(0.9, 20).verdicts("line") == [("each bin of 20 lines or more is within 0.15", True)]
    assert said(0.86, 34).verdicts("forecast") == [("each bin of 100 forecasts or more is within 0.12", False)]


def test_the_day_of_80_is_judged_for_the_reader_more_narrowly_than_for_the_lines() -> None:
    result = Result(lines={1: Score(kept80=[True] * 88 + [False] * 12)})
    assert result.verdicts("line") == [("the day of 80 % is kept by 72 to 90 % of the lines", True)]
    assert result.verdicts("forecast") == [("the day of 80 % is kept by 75 to 85 % of the forecasts", False)]


def test_methods_are_scored_on_the_same_mornings() -> None:
    result = score(workshop(1, lines=30))
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
    for by in WEIGHTS:
        assert f"each {by} weighs the same" in printed
        assert f"Done by the day that was forecast with 80 %: 100.0 % of the {by}s that came out." in printed


def test_the_figures_are_stored_for_the_page_of_measurements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = tmp_path / "rows.json"
    monkeypatch.setenv("MEASUREMENTS", str(stored))
    assert main([str(log(tmp_path, [*cases(30), *goes_on(60)]))]) == 0
    figures = json.loads(stored.read_text())
    assert [label.split(": ")[1][:14] for label in figures] == [
        "Brier at 3 / 7",
        "the day of 80 ",
        "the bin that i",
    ] * 2
    assert list(figures.values())[1::3] == ["100.0 %"] * 2


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
