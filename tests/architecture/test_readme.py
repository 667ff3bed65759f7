"""The README names exactly the settings that are read."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_variable_of_the_settings_stands_in_the_readmes_table() -> None:
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', (ROOT / "project" / "settings.py").read_text()))
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert read
    assert read <= documented, f"missing in the README: {sorted(read - documented)}"
    assert documented - read <= {"HOST", "PORT", "PDF_PORT", "CHROMIUM"}, f"read nowhere: {sorted(documented - read)}"
