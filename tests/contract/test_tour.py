"""Run the commands of the API's tour."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from project.contract import reference
from tests import builders
from tests.project.billing.billing import prepare
from tests.realtime.daphnes import Server, shared

PAGE = (Path(reference.FOLDER) / "api.md").read_text(encoding="utf-8")
PASSWORD = "Taller.2026"
BLOCKS = re.findall(r"```bash\n(.*?)```\n(?:```text\n(.*?)```\n)?", PAGE, re.DOTALL)
"""Each command and its output."""
NEXT = "--- the next command ---"


@pytest.fixture(scope="module")
def server(django_db_setup: None, django_db_blocker: pytest.FixtureDef[object]) -> Server:
    return shared()


@pytest.mark.django_db(transaction=True)
def test_every_command_of_the_tour_prints_what_the_page_shows(server: Server) -> None:
    shop = builders.shop()
    prepare(shop)
    assert shop.ana.user is not None
    shop.ana.user.set_password(PASSWORD)
    shop.ana.user.save()

    script = f"\necho '{NEXT}'\n".join(commands for commands, _ in BLOCKS)
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        env=os.environ | {"HOST": server.url, "EMAIL": shop.ana.user.email, "PASSWORD": PASSWORD},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert run.stderr == ""
    printed = run.stdout.split(f"{NEXT}\n")
    assert len(BLOCKS) > 10
    assert printed == [expected for _, expected in BLOCKS]
    assert run.returncode == 0
