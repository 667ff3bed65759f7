"""The README names exactly the settings that are read, and that of the tests files that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_variable_of_the_settings_stands_in_the_readmes_table() -> None:
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z0-9_]+)"', (ROOT / "project" / "settings.py").read_text()))
    documented = set(re.findall(r"^\| `([A-Z0-9_]+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert read
    assert read <= documented, f"missing in the README: {sorted(read - documented)}"
    assert documented - read <= {"HOST", "PORT", "PDF_PORT", "CHROMIUM"}, f"read nowhere: {sorted(documented - read)}"


def test_every_proof_that_is_named_is_there() -> None:
    text = (ROOT / "tests" / "README.md").read_text()
    named = set(re.findall(r"`([a-z0-9_/]+\.(?:py|spec\.ts|sh))`", text))
    assert len(named) > 50
    missing = {name for name in named if not (ROOT / "tests" / name).exists() and not (ROOT / name).exists()}
    assert missing == set()
