"""infra/bench/replay.py sends a small log to a running server, and finds the histories equal."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from served import EMAIL, PASSWORD, ROOT

from project.access.permissions import ALL
from tests.builders import person
from tests.realtime import daphnes

REPLAY = ROOT / "infra" / "bench" / "replay.py"
LOG = """\
at,direction,source_row,case_id,part,order_qty,process,resource,worker,report_type,rework
2012-01-02 07:30:00,in,1,Case 1,Ring,10,Casting,B1,ID1,D,
2012-01-02 08:00:00,out,1,Case 1,Ring,10,Casting,B1,ID1,D,
2012-01-02 08:00:00,in,2,Case 1,Ring,10,Polish,B2,ID2,D,
2012-01-02 08:10:00,in,10,Case 2,Pendant,3,Casting,B1,ID1,D,
2012-01-02 08:30:00,in,11,Case 2,Pendant,3,Casting,B1,ID3,D,
2012-01-02 08:40:00,out,11,Case 2,Pendant,3,Casting,B1,ID3,D,
2012-01-02 09:00:00,out,2,Case 1,Ring,10,Polish,B2,ID2,D,
2012-01-02 09:10:00,out,10,Case 2,Pendant,3,Casting,B1,ID1,D,
2012-01-02 09:20:00,in,3,Case 1,Ring,10,Casting,B1,ID1,S,Y
2012-01-02 09:30:00,in,4,Case 1,Ring,10,Polish,B2,ID2,S,Y
2012-01-02 09:40:00,out,3,Case 1,Ring,10,Casting,B1,ID1,S,Y
2012-01-02 09:50:00,out,4,Case 1,Ring,10,Polish,B2,ID2,S,Y
2012-01-02 10:00:00,in,12,Case 2,Pendant,3,Packing,B3,ID2,D,
2012-01-02 10:00:00,out,12,Case 2,Pendant,3,Packing,B3,ID2,D,
2012-01-02 10:10:00,in,13,Case 2,Pendant,3,Packing,B3,ID2,D,
2012-01-02 10:20:00,out,13,Case 2,Pendant,3,Packing,B3,ID2,D,
2012-01-02 10:30:00,out,99,Case 2,Pendant,3,Packing,B3,ID2,D,
2012-01-02 10:40:00,in,5,Case 1,Ring,10,Packing,B3,ID2,D,
2012-01-02 10:50:00,out,5,Case 1,Ring,10,Packing,B3,ID2,D,
2012-01-02 11:00:00,in,6,Case 1,Ring,10,Shipping,B3,ID2,D,
"""


@pytest.fixture
def url(transactional_db: None) -> str:
    """The URL of a server that has the account of the benches."""
    administrator = person(EMAIL.partition("@")[0], *ALL)
    administrator.set_password(PASSWORD)
    administrator.save()
    return daphnes.shared().url


@pytest.mark.parametrize("options", [[], ["--concurrency", "2"]], ids=["in time order", "two cases at once"])
def test_a_small_log_replays_without_a_mismatch(tmp_path: Path, url: str, options: list[str]) -> None:
    (tmp_path / "log.csv").write_text(LOG)
    admin = ["--username", EMAIL, "--password", PASSWORD]
    done = subprocess.run(
        [sys.executable, REPLAY, tmp_path / "log.csv", "--url", url, *admin, *options],
        capture_output=True,
        text=True,
        timeout=120,
    )
    printed = dict(re.findall(r"^(\S.*?)  +(.+)$", done.stdout, re.MULTILINE))
    assert done.returncode == 0, done.stdout + done.stderr
    assert (printed["rows"], printed["accepted"]) == ("20", "19")
    assert printed["refused"] == "1  not_inside 1"  # the exit without an entry
    assert printed["released"] == "3 for rework"
    assert (printed["mismatches"], printed["server errors"]) == ("0", "0")
