"""Product files that write SQL or look at the vendor of the database are tested on both databases."""

import re
from pathlib import Path

import pytest

from tests.on_servers import ROOMS, SQL, is_on_servers, is_tested_on_servers

ROOT = Path(__file__).resolve().parents[2]
SPEAKS_SQL = re.compile(r"\.vendor\b|\b(?:RawSQL|RunSQL|WrittenOnce)\(|\.raw\(|\.extra\(|\bcursor\(\)|\bexecute\(")


def speakers() -> list[str]:
    """The paths of the product's files that write SQL or ask for the vendor."""
    files = [file for part in ("project", "realtime") for file in (ROOT / part).rglob("*.py")]
    return [file.relative_to(ROOT).as_posix() for file in files if SPEAKS_SQL.search(file.read_text(encoding="utf-8"))]


def test_no_other_file_of_the_product_writes_sql_or_looks_at_the_vendor() -> None:
    found = speakers()
    assert len(found) > 10
    assert [path for path in found if not is_tested_on_servers(path)] == [], "name its room in tests/on_servers.py"


@pytest.mark.parametrize("place", SQL)
def test_each_place_with_sql_is_tested_by_a_room_that_runs_on_servers(place: str) -> None:
    assert any(path == place or path.startswith(f"{place}/") for path in speakers()), "it writes no SQL any more"
    assert is_on_servers(SQL[place])


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_exists(room: str) -> None:
    assert (ROOT / room).exists()
