"""Pages for programmers: run the commands of the API's tour, and check the examples of live events."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from project.contract import reference
from realtime import registry
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


def test_the_pages_of_the_tour_and_the_events_are_up_to_date() -> None:
    for name, text in reference.documents().items():
        assert (reference.FOLDER / name).read_text(encoding="utf-8") == text, f"{name}: run make docs"


@pytest.mark.parametrize("name", registry.event_types())
def test_the_example_of_an_event_is_valid(name: str) -> None:
    event = registry.event_types()[name]
    example = reference.example(event)
    frame = registry.frame_of(event).model_validate(example, by_alias=True, by_name=False)
    assert set(frame.model_dump(by_alias=True, mode="json")) == set(example)
    assert f"## `{name}`" in reference.events_page()


def test_an_event_without_a_docstring_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.event_types()["line.moved"], "__doc__", None)
    with pytest.raises(ValueError, match="LineMoved"):
        reference.events_page()
