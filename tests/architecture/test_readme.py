"""The README names exactly the settings that are read, and commands that are there; the page of proofs names files."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_variable_of_the_settings_stands_in_the_readmes_table() -> None:
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z0-9_]+)"', (ROOT / "project" / "settings.py").read_text()))
    documented = set(re.findall(r"^\| `([A-Z0-9_]+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert read
    assert read <= documented, f"missing in the README: {sorted(read - documented)}"
    assert documented - read <= {"HOST", "PORT", "PDF_PORT", "CHROMIUM"}, f"read nowhere: {sorted(documented - read)}"


def test_every_command_and_file_that_the_readme_and_the_list_of_commands_name_is_there() -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named: set[str] = set()
    for page in (ROOT / "README.md", ROOT / "infra" / "docs" / "commands.md"):
        text = page.read_text()
        named |= set(re.findall(r"^(?:\| `)?make ([a-z0-9-]+)", text, re.MULTILINE))
        linked = {link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link}
        programs = {ROOT / program for program in re.findall(r"infra/\w+/\w+\.(?:sh|py)", text)}
        assert {path for path in {page.parent / link for link in linked} | programs if not path.exists()} == set()
    assert named <= targets, f"no target of the Makefile: {sorted(named - targets)}"
    assert {target for target in targets if target.startswith("bench-")} <= named


def test_every_proof_that_is_named_is_there() -> None:
    text = (ROOT / "tests" / "proofs.md").read_text()
    named = set(re.findall(r"`([a-z0-9_/]+\.(?:py|spec\.ts|sh))`", text))
    assert len(named) > 50
    missing = {name for name in named if not (ROOT / "tests" / name).exists() and not (ROOT / name).exists()}
    assert missing == set()
