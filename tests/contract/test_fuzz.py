"""Schemathesis over the whole OpenAPI against a running server (reliability, row 20).

`OBRADOR_FUZZ_SECONDS` sets how long each of the runs may take.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests import builders
from tests.realtime import daphnes

SECONDS = int(os.environ.get("OBRADOR_FUZZ_SECONDS", "8"))
# They can end the caller's own session or take his rights: the other calls would go on as nobody's.
OF_THE_CALLERS_OWN = ["sign_out", "user_update", "user_delete", "role_update", "role_delete"]
FOR_AN_ADMINISTRATOR = "not_a_server_error,content_type_conformance,status_code_conformance,response_schema_conformance"


@pytest.fixture
def server(busy_shop: builders.Shop) -> tuple[daphnes.Server, builders.Shop]:
    """A server with a workshop that has something to read and to change."""
    order = busy_shop.approved(10, 5)
    busy_shop.enter(order, busy_shop.casting, 4)
    return daphnes.shared(), busy_shop


def fuzz(server: daphnes.Server, folder: Path, *options: str, checks: str, seconds: int = SECONDS) -> None:
    """Every operation with good and bad data, and sequences of them; no check may fail."""
    run = subprocess.run(
        [
            Path(sys.executable).with_name("schemathesis"),
            "--no-color",
            "run",
            f"{server.url}/api/openapi.json",
            f"--checks={checks}",
            f"--max-time={seconds}",
            "--max-examples=5",
            "--generation-database=none",
            "--suppress-health-check=all",
            "--request-timeout=30",
            "--warnings=off",
            "--no-shrink",
            *options,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds * 3 + 120,
    )
    output = run.stdout[-6_000:] + run.stderr[-2_000:]
    assert "Test cases:" in run.stdout, output
    # A request line over 16 KB is cut off by the server itself, without an answer of any kind.
    assert set(re.findall(r"^ +(?:❌|🚫) (.+): \d+$", run.stdout, re.MULTILINE)) <= {"Network Error"}, output
    assert httpx.get(f"{server.url}/health/ready").status_code == 200


def test_an_administrator_gets_no_answer_of_5xx(server: tuple[daphnes.Server, builders.Shop], tmp_path: Path) -> None:
    running, shop = server
    ana = f"--header=Authorization: Bearer {shop.ana.bearer}"
    others = [f"--exclude-operation-id={name}" for name in OF_THE_CALLERS_OWN]
    fuzz(running, tmp_path, ana, *others, checks=FOR_AN_ADMINISTRATOR)
    assert shop.ana.get("/api/sales-order").status == 200, "the session ended on the way: the rest was all 401"
    own = [f"--include-operation-id={name}" for name in OF_THE_CALLERS_OWN[1:]]
    fuzz(running, tmp_path, ana, *own, checks=FOR_AN_ADMINISTRATOR, seconds=SECONDS // 3)


def test_nobody_gets_no_answer_of_5xx_and_passes_no_guard(
    server: tuple[daphnes.Server, builders.Shop], tmp_path: Path
) -> None:
    running, _ = server
    fuzz(running, tmp_path, checks="not_a_server_error,ignored_auth,content_type_conformance")
