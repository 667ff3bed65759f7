"""Draw infra/docs/architecture.md from the code: the processes of the Procfile, and which modules import which.

The optional argument is the folder to write into, infra/docs by default.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from string import Template
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "infra" / "docs" / "architecture.md"
IN_SEVERAL = 3
"""A file name is drawn as a role if at least this many domains have it."""

Edges = set[tuple[str, str]]

TEXT = Template("""\
# Architecture

<!-- Made by `make docs`. -->

Four pictures, from the whole to the file. An arrow from A to B says that A calls or imports B. Arrows that follow from
others are left out. `make check` refuses an import against the arrows (`import-linter` by `pyproject.toml`, and
`web/tools/structure.mjs`), and a picture that is not the code's.

## An installation

One process is enough: without Redis and a PDF service the web process does both.
[Installing and growing](../deploy/README.md) says what to add when.

$installation

A change travels like this: `api.py` translates the call, `services.py` locks, asks `rules.py` and writes. The unit of
work stores audit rows and events last and commits. Each web process has one hub. It reads new events in the order of
commits, makes each frame once, and hands the same bytes to every socket that may receive them. The browser applies the
event to what is on screen.

## The packages

`project/` is the Django project. `realtime/` is the live engine, which imports nothing of `project/`: `project/apps.py`
gives it what it needs of the product. `access` holds permissions, guards and tokens; `core` holds what knows no domain.

$packages

## Inside a domain

The same file names in every domain. A domain reads another one by its `selectors` and `documents`, and changes it by
its `services`.

$domain

| File | What it does |
|---|---|
| `api` | translates HTTP into calls, and results into answers; holds no rule |
| `services`, or a module for each verb | decides and writes, each function in one transaction |
| `selectors` | reads, with a fixed number of queries |
| `documents`, `schemas` | the shapes that HTTP and events carry |
| `events` | event types with their audience |
| `auditing` | what the audit keeps of a change |
| `models` | tables, constraints, indexes |
| `rules` | tables and arithmetic: no database, no clock |

## The web client

A feature imports no other feature.

$web
""")


def imported(path: Path) -> Iterator[str]:
    """Yield the modules that a Python file imports at run time, as dotted names."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        waiting.extend(ast.iter_child_nodes(node))


def edges(root: str, node_of: Callable[[str], str | None]) -> Edges:
    """Return the imports between the nodes of a package.

    `node_of`: returns the node of a dotted name, or None if the module is not drawn.
    """
    found: Edges = set()
    for path in (ROOT / root).rglob("*.py"):
        if "migrations" in path.parts:
            continue
        source = node_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        targets = {node_of(name) for name in imported(path)} if source else ()
        found |= {(source, target) for target in targets if source and target and target != source}
    return found


def reduced(found: Edges) -> list[tuple[str, str]]:
    """Return the edges, sorted. Omit an edge if a longer path joins its nodes."""
    below: dict[str, set[str]] = {}
    for source, target in found:
        below.setdefault(source, set()).add(target)

    def reaches(source: str, wanted: str, seen: set[str]) -> bool:
        for target in below.get(source, set()) - seen:
            seen.add(target)
            if target == wanted or reaches(target, wanted, seen):
                return True
        return False

    return sorted(
        (source, target)
        for source, target in found
        if not any(reaches(other, target, {source}) for other in below[source] - {target})
    )


def mermaid(groups: Iterable[tuple[str, Iterable[str]]], found: Edges, *, direction: str = "TB") -> str:
    """Return the Mermaid text of a picture: groups of nodes from top to bottom, each with a title or ""."""
    lines = ["```mermaid", f"flowchart {direction}"]
    for number, (title, nodes) in enumerate(groups):
        lines.append(f'  subgraph layer{number}["{title or " "}"]')
        lines += [f'    {_id(node)}["{node}"]' for node in nodes]
        lines.append("  end")
    lines += [f"  {_id(source)} --> {_id(target)}" for source, target in reduced(found)]
    return "\n".join([*lines, "```"])


def _id(node: str) -> str:
    return "n_" + re.sub(r"\W", "_", node)


def contracts() -> list[dict[str, Any]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return found


def first_layers(*, of_containers: bool) -> dict[str, Any]:
    """Return the first contract of type `layers`.

    `of_containers`: the first one for modules inside containers, else the first one for whole packages.
    """
    found = (one for one in contracts() if one["type"] == "layers")
    return next(one for one in found if bool(one["containers"]) == of_containers)


def rows_of(contract: dict[str, Any]) -> list[list[str]]:
    """Return the layers of a contract, from the top, without the parentheses around optional names."""
    return [[name.strip(" ()") for name in re.split(r"[|:]", row)] for row in contract["layers"]]


def packages() -> str:
    rows = [[name for name in row if _exists(name)] for row in rows_of(first_layers(of_containers=False))]
    names = {name for row in rows for name in row} | {"realtime"}

    def node_of(dotted: str) -> str | None:
        return next((name for name in names if dotted == name or dotted.startswith(name + ".")), None)

    found = edges("project", node_of) | edges("realtime", node_of)
    drawn = {(_short(source), _short(target)) for source, target in found}
    groups = [("", [_short(name) for name in row]) for row in rows if row]
    return mermaid([*groups, ("", ["realtime"])], drawn)


def _short(name: str) -> str:
    return name.removeprefix("project.")


def _exists(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").exists()


def domain() -> str:
    contract = first_layers(of_containers=True)
    containers, rows = contract["containers"], rows_of(contract)
    often = {
        name
        for row in rows
        for name in row
        if sum(_exists(f"{container}.{name}") for container in containers) >= IN_SEVERAL
    }
    found: Edges = set()
    for container in containers:

        def node_of(dotted: str, container: str = container) -> str | None:
            name = dotted.removeprefix(f"{container}.").split(".")[0]
            return name if dotted.startswith(f"{container}.") and name in often else None

        found |= edges(container.replace(".", "/"), node_of)
    return mermaid([("", [name for name in row if name in often]) for row in rows if often & {*row}], found)


def web() -> str:
    text = (ROOT / "web" / "tools" / "structure.mjs").read_text(encoding="utf-8")
    declared = re.findall(r"const LAYERS = \[(.*?)\]", text, re.DOTALL)[0]
    rows = re.findall(r'"(\w+)"', declared)[::-1]
    source = ROOT / "web" / "src"
    features = sorted(path.name for path in (source / "features").iterdir() if path.is_dir())
    found: Edges = set()
    for path in source.rglob("*.ts*"):
        own = path.relative_to(source).parts[0]
        if own in rows and ".test." not in path.name:
            others = {other for other in re.findall(r'"@/(\w+)', path.read_text(encoding="utf-8")) if other in rows}
            found |= {(own, other) for other in others if other != own}
    titles = {"features": f"features: {', '.join(features)}"}
    return mermaid([(titles.get(name, " "), [name]) for name in rows], found)


def installation() -> str:
    """Return the picture of the Procfile's processes, and of the browsers, programs and servers around them."""
    text = (ROOT / "Procfile").read_text(encoding="utf-8")
    runs = {
        name: "manage.py worker" if "worker" in rest else "daphne"
        for name, rest in re.findall(r"^(\w+): (.+)$", text, re.M)
    }
    said = {
        "web": "web process: API, client, live sockets",
        "worker": "worker: alerts, webhooks, clean-up",
        "pdf": "PDF service",
    }
    lines = [
        "```mermaid",
        "flowchart LR",
        '  browser["browsers, stations, wall screens"]',
        '  programs["other programs"]',
    ]
    lines += [f'  {name}["{said.get(name, name)}<br/>{command}"]' for name, command in runs.items()]
    lines += [
        '  database[("PostgreSQL or SQLite")]',
        '  redis["Redis: wakes hubs"]',
        '  storage[("pictures: folder or bucket")]',
    ]
    lines += [
        "  browser -- HTTP --> web",
        "  browser -- WebSocket --> web",
        "  programs -- HTTP --> web",
        "  web --> database",
        "  web --> storage",
        "  web -. prints .-> pdf",
        "  pdf --> database",
        "  worker --> database",
        "  worker -- webhooks --> programs",
        "  web -.-> redis",
        "  worker -.-> redis",
    ]
    return "\n".join([*lines, "```"])


def page() -> str:
    return TEXT.substitute(installation=installation(), packages=packages(), domain=domain(), web=web())


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE.parent
    (folder / PAGE.name).write_text(page(), encoding="utf-8")
