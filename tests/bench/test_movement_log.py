"""`read_log` returns the movements of a log in the order in which they happened."""

from pathlib import Path

import pytest

from infra.bench.movement_log.log import BadLog, read_log

HEADER = "at,direction,source_row,case_id,part,order_qty,process,resource,worker,report_type,rework\n"


def log(tmp_path: Path, *rows: str, header: str = HEADER) -> Path:
    path = tmp_path / "log.csv"
    path.write_text(header + "\n".join(rows) + "\n")
    return path


def row(
    at: str, direction: str, visit: str, process: str = "Milling", case: str = "Case 1", worker: str = "ID1"
) -> str:
    return f"2012-01-02 {at}:00,{direction},{visit},{case},Ring,10,{process},Bench,{worker},D,"


def seen(path: Path) -> list[tuple[str, str | None]]:
    return [(movement.direction, movement.visit) for movement in read_log(path)]


def test_rows_are_sorted_by_time(tmp_path: Path) -> None:
    assert seen(log(tmp_path, row("09:00", "out", "1"), row("08:00", "in", "1"))) == [
        ("in", "1"),
        ("out", "1"),
    ]


def test_at_one_instant_exits_come_before_entries(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        row("08:00", "in", "1"),
        row("09:00", "in", "2", "Packing"),
        row("09:00", "out", "1"),
        row("10:00", "out", "2", "Packing"),
    )
    assert seen(path) == [("in", "1"), ("out", "1"), ("in", "2"), ("out", "2")]


def test_a_visit_of_no_length_still_enters_before_it_leaves(tmp_path: Path) -> None:
    path = log(tmp_path, row("08:00", "out", "7"), row("08:00", "in", "7"), row("08:00", "in", "8", "Packing"))
    assert seen(path) == [("in", "7"), ("out", "7"), ("in", "8")]


def test_without_names_visits_are_paired_first_in_first_out(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        *(row(at, way, "") for at, way in [("08:00", "in"), ("09:00", "in"), ("10:00", "out"), ("11:00", "out")]),
    )
    assert seen(path) == [("in", "row 2"), ("in", "row 3"), ("out", "row 2"), ("out", "row 3")]


def test_an_exit_without_an_entry_belongs_to_no_visit(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        row("08:00", "in", "1"),
        row("09:00", "out", "1"),
        row("10:00", "out", "1"),
        row("11:00", "out", "9"),
    )
    assert seen(path) == [("in", "1"), ("out", "1"), ("out", None), ("out", None)]


def test_an_exit_from_another_process_does_not_close_the_visit(tmp_path: Path) -> None:
    assert seen(log(tmp_path, row("08:00", "in", "1"), row("09:00", "out", "1", "Packing")))[1] == (
        "out",
        None,
    )


@pytest.mark.parametrize(
    ("bad", "says"),
    [("yesterday,in,1,C,P,1,M,R,W,D,", "row 2"), ("2012-01-02,sideways,1,C,P,1,M,R,W,D,", "sideways")],
)
def test_the_error_names_the_row_that_cannot_be_read(tmp_path: Path, bad: str, says: str) -> None:
    with pytest.raises(BadLog, match=says):
        read_log(log(tmp_path, bad))


def test_the_error_names_the_missing_column(tmp_path: Path) -> None:
    with pytest.raises(BadLog, match="case_id"):
        read_log(log(tmp_path, "2012-01-02,in", header="at,direction\n"))


def test_the_error_names_a_missing_file(tmp_path: Path) -> None:
    missing = tmp_path / "log.csv"
    with pytest.raises(BadLog, match=f"{missing} cannot be read"):
        read_log(missing)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    latin = tmp_path / "log.csv"
    latin.write_bytes("at,part\n2012-01-02,Fundición\n".encode("latin-1"))
    with pytest.raises(BadLog, match=f"{latin} cannot be read"):
        read_log(latin)
