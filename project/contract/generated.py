"""Exports the contract that the web client is built on.

The contract is the API (OpenAPI), the live events, the permissions, the catalogs, the column heads of order files, and
the decimals of currencies.
"""

import json
from pathlib import Path
from typing import Any

from project.access.permissions import OF_SERVICES, OF_THE_OFFICE, Permission
from project.api import api
from project.catalogs.definition import CATALOGS, CatalogDefinition
from project.core.money import MINOR_UNITS
from project.importing.order_files import HEADS
from realtime import registry


def documents() -> dict[str, str]:
    """Return the text of each file, by file name. The same code always gives the same bytes."""
    openapi = json.loads(json.dumps(api.get_openapi_schema(path_prefix=""), default=str))
    union = "\n".join(f'  | "{action}"' for action in Permission)
    office, services = (
        "\n".join(f'  "{action}",' for action in Permission if action in some) for some in (OF_THE_OFFICE, OF_SERVICES)
    )
    permissions = (
        f"// Generated from project/access/permissions.py by `make contract`.\nexport type Permission =\n{union};\n\n"
        f"/** Who holds one of these is of the office. */\n"
        f"export const OF_THE_OFFICE: readonly Permission[] = [\n{office}\n];\n\n"
        f"/** What a service account may be given. */\n"
        f"export const OF_SERVICES: readonly Permission[] = [\n{services}\n];\n\n"
        f"/** The events that a webhook may be sent, and the permissions of which its account needs one. */\n"
        f"export const EVENT_READERS = {{\n{_event_readers()}\n}} as const satisfies "
        f"Record<string, readonly Permission[]>;\n"
    )
    units = "\n".join(f"  {currency}: {decimals}," for currency, decimals in MINOR_UNITS.items())
    currencies = (
        f"// Generated from project/core/money.py by `make contract`.\n"
        f"/** The decimals of each currency that has not two (ISO 4217). */\n"
        f"export const MINOR_UNITS: Readonly<Record<string, number>> = {{\n{units}\n}};\n"
    )
    return {
        "openapi.json": json.dumps(openapi, indent=2, ensure_ascii=False, sort_keys=True) + "\n",
        "events.json": json.dumps(registry.schema(), indent=2, ensure_ascii=False, sort_keys=True) + "\n",
        "permissions.ts": permissions,
        "catalogs.ts": _catalogs(),
        "orderHeads.ts": _order_heads(),
        "currencies.ts": currencies,
    }


def _catalogs() -> str:
    rows = "\n".join(f"  {json.dumps(name)}: {_catalog(catalog)}," for name, catalog in CATALOGS.items())
    return (
        "// Generated from the catalogs' definitions by `make contract`.\n"
        "/** The permissions of each catalog (null: any of the staff), and the field that says whether an entry can be "
        "chosen. */\n"
        f"export const CATALOGS = {{\n{rows}\n}} as const;\n"
    )


def _catalog(catalog: CatalogDefinition[Any]) -> str:
    said = {
        "reads": catalog.reads,
        **{verb: catalog.needed(verb) for verb in ("Create", "Update", "Delete")},
        "flag": catalog.flag,
        "importable": catalog.importable,
    }
    return "{ " + ", ".join(f"{name}: {json.dumps(value)}" for name, value in said.items()) + " }"


def _order_heads() -> str:
    rows = "\n".join(f"  {column}: {json.dumps(heads)}," for column, heads in HEADS.items())
    return (
        "// Generated from project/importing/order_files.py by `make contract`.\n"
        f"/** What a customer's order file calls its columns. */\nexport const ORDER_HEADS = {{\n{rows}\n}} as const;\n"
    )


def _event_readers() -> str:
    rows = []
    for name, event in registry.event_types().items():
        if needed := [f'"{action}"' for action in Permission if action in event.audience & OF_SERVICES]:
            rows.append(f'  "{name}": [{", ".join(needed)}],')
    return "\n".join(rows)


def export(folder: Path) -> list[Path]:
    """Write the documents into `folder`. Returns the paths of those that changed."""
    folder.mkdir(parents=True, exist_ok=True)
    changed = []
    for name, text in documents().items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed
