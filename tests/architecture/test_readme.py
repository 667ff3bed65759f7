"""The pages list every setting, and name commands, files, tests and packages that exist."""

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_settings_lists_every_variable_that_is_read() -> None:
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z0-9_]+)"', (ROOT / "project" / "settings.py").read_text()))
    page = (ROOT / "infra" / "docs" / "settings.md").read_text()
    documented = set(re.findall(r"^\| `([A-Z0-9_]+)` \|", page, re.MULTILINE))
    assert read
    assert read <= documented, f"missing in infra/docs/settings.md: {sorted(read - documented)}"
    assert documented - read <= {"HOST", "PORT", "PDF_PORT", "CHROMIUM"}, f"read nowhere: {sorted(documented - read)}"


def test_every_command_and_file_that_a_page_names_exists() -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named: set[str] = set()
    for page in (*ROOT.glob("*.md"), *(ROOT / "infra").rglob("*.md")):
        text = page.read_text()
        named |= set(re.findall(r"(?:`|^)make ([a-z0-9-]+)(?=`| +#| [A-Z]|$)", text, re.MULTILINE))
        linked = {link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link}
        programs = {ROOT / program for program in re.findall(r"infra/\w+/\w+\.(?:sh|py)", text)}
        assert {path for path in {page.parent / link for link in linked} | programs if not path.exists()} == set()
    assert named <= targets, f"no target of the Makefile: {sorted(named - targets)}"
    assert {target for target in targets if target.startswith("bench-")} <= named


def test_every_file_in_the_table_of_proofs_exists() -> None:
    text = (ROOT / "tests" / "proofs.md").read_text()
    named = set(re.findall(r"`([a-z0-9_/]+\.(?:py|spec\.ts|sh))`", text))
    assert len(named) > 50
    missing = {name for name in named if not (ROOT / "tests" / name).exists() and not (ROOT / name).exists()}
    assert missing == set()


def test_the_page_of_licences_names_every_package_that_is_shipped() -> None:
    licences = runpy.run_path(str(ROOT / "infra" / "setup" / "licenses.py"))
    page = set(re.findall(r"[@\w./-]+", licences["PAGE"].read_text()))
    shipped = licences["locked"]() | {name for name, _ in licences["web_packages"]()}
    assert {"django", "react", "d3-array", "workbox-core"} <= shipped
    assert shipped - page == set(), "run make licenses"
