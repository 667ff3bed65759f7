"""Exports the contract: the OpenAPI document for people and for the client's types, and small tables for the client."""

import json
from pathlib import Path
from typing import Any

from pydantic.alias_generators import to_camel

from project.access.permissions import OF_SERVICES, OF_THE_OFFICE, Permission
from project.api import api
from project.catalogs.definition import CATALOGS, CatalogDefinition
from project.core.money import MINOR_UNITS
from project.importing.order_files import HEADS
from project.orders.fields import FIELDS, TEXTS
from realtime import registry

CONTRACT = "infra/docs/contract.json"
TABLES = "web/src/contract/tables.json"


def documents() -> dict[str, str]:
    """Return the text of each file, by its path in the repository. The same code always gives the same bytes."""
    document = json.loads(json.dumps(api.get_openapi_schema(path_prefix=""), default=str))
    return {CONTRACT: _one_line_each(document), TABLES: _one_line_each(_tables())}


def export(root: Path) -> list[Path]:
    """Write the files below `root`. Returns the paths of those that changed."""
    changed = []
    for name, text in documents().items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed


def _one_line_each(document: dict[str, Any]) -> str:
    """Return the document as JSON with one line for each operation, each component and each row of a table."""
    return _rows({name: _part(name, part) for name, part in document.items()})


def _part(name: str, part: Any) -> str:
    match name:
        case "paths":
            return _rows({path: _rows(_texts(methods), "") for path, methods in part.items()})
        case "components":
            return _rows({kind: _rows(_texts(rows)) for kind, rows in part.items()})
    return _rows(_texts(part)) if isinstance(part, dict) else _text(part)


def _texts(part: dict[str, Any]) -> dict[str, str]:
    return {name: _text(value) for name, value in part.items()}


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _rows(rows: dict[str, str], around: str = "\n") -> str:
    return "{" + around + ",\n".join(f"{_text(name)}: {row}" for name, row in rows.items()) + around + "}"


def _tables() -> dict[str, Any]:
    """Return the tables that the built client needs. `web/src/contract/tables.ts` says what each holds."""
    return {
        "ofTheOffice": [action for action in Permission if action in OF_THE_OFFICE],
        "ofServices": [action for action in Permission if action in OF_SERVICES],
        "webhookEvents": {
            name: {
                "readers": [action for action in Permission if action in event.audience & OF_SERVICES],
                **dict(zip(("es", "en"), event.webhook, strict=True)),
            }
            for name, event in registry.webhook_types().items()
        },
        "catalogs": {name: _catalog(catalog) for name, catalog in CATALOGS.items()},
        "lineFields": _line_fields(),
        "orderHeads": HEADS,
        "minorUnits": MINOR_UNITS,
    }


def _line_fields() -> dict[str, Any]:
    return {
        "days": [to_camel(name) for name in FIELDS if name not in TEXTS],
        "texts": {to_camel(name): most for name, most in TEXTS.items()},
        "sheet": [to_camel(name) for name, field in FIELDS.items() if field.sheet],
    }


def _catalog(catalog: CatalogDefinition[Any]) -> dict[str, Any]:
    return {
        "reads": catalog.reads,
        **{verb: catalog.needed(verb) for verb in ("Create", "Update", "Delete")},
        "flag": catalog.flag,
        "importable": catalog.importable,
    }
