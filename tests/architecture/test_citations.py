"""Every citation in a comment or a page resolves inside this repository: pages, headings and decisions."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DECISIONS = ROOT / "infra" / "decisions"
CITED = re.compile(r"(?:infra/docs/)([\w-]+\.md)(?:#([\w-]+))?")
LINKED = re.compile(r"\]\(([^)\s#]*\.md)?#([\w-]+)\)")
ELSEWHERE = re.compile(
    r"(?<![._\w])[Ss]pecification(?!\.py)\b"
    r"|(?<!RFC \d{4}, )\bsections? \d|\breliability, |\bhouse, rule|[( ]issue \d"
)
NUMBERED = re.compile(r"\bdecisions? (\d+)\b|decisions/(\d{4})")


@cache
def texts() -> dict[str, str]:
    """Name → text of each file that people write sentences in, unless Git ignores it."""
    patterns = ["*.py", "*.ts", "*.tsx", "*.mjs", "*.sh", "*.css", "*.md", "Makefile", "*.toml", "*.yaml", "*.yml"]
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in names if name and (ROOT / name).is_file()}


@cache
def headings(page: Path) -> set[str]:
    """The anchors of a page, as hosted Git services make them."""
    found = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", one).strip().lower() for one in found)
    return {one.replace(" ", "-") for one in plain}


def test_every_cited_page_and_heading_exists() -> None:
    wrong = []
    for name, text in texts().items():
        for page, anchor in CITED.findall(text):
            path = ROOT / "infra" / "docs" / page
            if not path.exists() or (anchor and anchor not in headings(path)):
                wrong.append(f"{name}: {page}#{anchor}")
        for page, anchor in LINKED.findall(text) if name.endswith(".md") else ():
            path = (ROOT / name).parent / page if page else ROOT / name
            if path.exists() and anchor not in headings(path):
                wrong.append(f"{name}: {page}#{anchor}")
    assert wrong == []


def test_every_cited_decision_exists() -> None:
    numbers = {int(path.name[:4]) for path in DECISIONS.glob("[0-9]*.md")}
    own = "tests/architecture/test_citations.py"
    cited = {
        (name, int(short or long))
        for name, text in texts().items()
        if not name.startswith("infra/decisions/") and name != own
        for short, long in NUMBERED.findall(text)
    }
    assert cited
    assert {(name, number) for name, number in cited if number not in numbers} == set()


def test_the_index_of_decisions_lists_each_with_its_date_and_status() -> None:
    index = (DECISIONS / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\d+)\]\((\S+\.md)\) \| .+ \| \d{4}-\d\d-\d\d \| (\w+)", index, re.MULTILINE)
    assert [name for _, name, _ in rows] == sorted(path.name for path in DECISIONS.glob("[0-9]*.md"))
    assert all(int(number) == int(name[:4]) for number, name, _ in rows)


@pytest.mark.parametrize("part", ["project", "realtime", "web", "tests", "infra", ""])
def test_no_file_cites_a_document_outside_the_repository(part: str) -> None:
    wrong = [
        f"{name}:{number}: {line.strip()}"
        for name, text in texts().items()
        if (name.split("/")[0] if "/" in name else "") == part and name != "tests/architecture/test_citations.py"
        for number, line in enumerate(text.splitlines(), 1)
        if ELSEWHERE.search(line)
    ]
    assert wrong == []


@pytest.mark.parametrize("page", ["infra/docs/rules.md", "CONTRIBUTING.md"])
def test_every_file_that_the_rules_and_the_recipes_name_exists(page: str) -> None:
    """A path is named from the root, from `project/` or from `tests/`; `{es,en}` stands for both languages."""
    named = {
        path
        for path in re.findall(r"`([A-Za-z_.{][\w.{},-]*/[\w./{},-]*)`", texts()[page])
        for path in (path.replace("{es,en}", "es"), path.replace("{es,en}", "en"))
        if "{" not in path
    }
    assert len(named) > 30
    assert [
        path for path in sorted(named) if not any((ROOT / at / path).exists() for at in ("", "project", "tests"))
    ] == []
