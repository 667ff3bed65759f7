"""Writes the reference pages from the code: headers of answers, and the operations in the API's tour."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.conf import settings

from project.api import api
from project.contract import headers
from project.core.errors import Refusal
from project.core.texts import texts

FOLDER = settings.BASE_DIR / "infra" / "docs"


def documents() -> dict[str, str]:
    """Return the text of each page, by file name. The same code always gives the same bytes.

    The prose of the tour is read from the existing `api.md`; only its descriptions of operations are written again.
    """
    return {
        "api.md": with_operations((FOLDER / "api.md").read_text(encoding="utf-8")),
        "headers.md": headers.page(),
    }


def export(folder: Path) -> None:
    for name, text in documents().items():
        (folder / name).write_text(text, encoding="utf-8")


_OPERATION = re.compile(r"(<!-- operation: (\w+) -->\n).*?\n\n", re.DOTALL)
_REFUSALS = re.compile(r"(<!-- refusals -->\n).*?(<!-- end -->)", re.DOTALL)


def with_operations(page: str) -> str:
    """Return the tour with a description after each `<!-- operation: ID -->` mark, and with the table of refusals."""
    operations = {
        operation["operationId"]: (method, path, operation)
        for path, methods in api.get_openapi_schema(path_prefix="")["paths"].items()
        for method, operation in methods.items()
    }

    def said(found: re.Match[str]) -> str:
        method, path, operation = operations[found[2]]
        first = operation["description"].split("\n\n")[0] if operation.get("description") else operation["summary"]
        words = " ".join(first.split())
        needs = f", for holders of {_one_of(held)}" if (held := operation["x-permissions"]) else ""
        return f"{found[1]}`{method.upper()} {path}`{needs}: {words}\n\n"

    page = _OPERATION.sub(said, page)
    return _REFUSALS.sub(lambda found: found[1] + "\n".join([*_refusals(), found[2]]), page)


def _one_of(permissions: Iterable[str]) -> str:
    named = [f"`{one}`" for one in sorted(permissions)]
    return named[0] if len(named) == 1 else f"one of {', '.join(named)}"


def _refusals() -> Iterator[str]:
    yield "| Status | Code | Says |"
    yield "|---|---|---|"
    english = texts("en")
    for status, code in sorted({(one.status, one.code) for one in _kinds(Refusal)}):
        yield f"| {status} | `{code}` | {english[code]} |"


def _kinds(kind: type[Refusal]) -> Iterator[type[Refusal]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from _kinds(narrower)
