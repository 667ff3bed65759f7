"""Writes the reference pages from the code: live events, headers of answers, and the operations in the API's tour."""

import inspect
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from project.api import api
from project.contract import headers
from project.core.errors import Refusal
from project.core.texts import texts
from realtime import registry
from realtime.privacy import Private
from realtime.registry import Event

FOLDER = settings.BASE_DIR / "infra" / "docs"
_HEAD = """\
# Live events

<!-- Made by `make docs`. -->

Each change of something that a person may see is an event. It is stored with the change. After the commit it is sent to
every open socket of a person who may read the same over HTTP. The [tour of the API](api.md#live) opens a socket.

Every event is one JSON text frame. `id` grows in the order of commits; a gap between two ids is not a loss. `type` is
one of those below. `at` is the time of the change. `by` is the person who made it, or `null` if nobody did or the
reader may not know. `data` is what changed. A client keeps the last `id` and the `epoch` of the `hello`, and reconnects
with both as `since` and `epoch`. It then receives the events that it missed, or a `reset`, after which it loads
everything again. A client ignores types that it does not know.
"""
_TAIL = """\
## Frames that are not events

| Frame | What it says |
|---|---|
{frames}
| `presence` | The people who view the same line. Sent to clients that view it, and never stored. |

A client sends `{{"viewing": {{"salesOrderId": 1, "position": 1}}}}` when its user opens a line, and
`{{"viewing": null}}` when they leave it.

## Why a socket is closed

| Code | Reason | What to do |
|---|---|---|
| 4401 | before the `hello`: the ticket was used, is unknown or is older than 30 seconds | ask for another ticket |
| 4401 | after the `hello`: the session is over | sign in again |
| 4403 | reserved: the server never sends it | ask again after some minutes |
| 4408 | the client reads too slowly | reconnect with `since` |
| 4429 | the user has 20 sockets open in this server process | close another one |
| 1008 | the client sent more than 60 messages within a minute | send fewer |
| 1009 | the client sent a message of more than 4,096 characters | send shorter ones |
| 1012 | the server restarts | reconnect with `since` |
| 1013 | the database did not answer within 10 seconds | reconnect with `since`, later |

A page of an origin that `LIVE_ORIGINS` does not allow is answered 403 and gets no socket.
"""

EXAMPLES: dict[str, Any] = {
    "at": "2026-03-02T18:00:00.000Z",
    "by": "Ana Torres",
    "createdAt": "2026-03-02T18:00:00.000Z",
    "createdBy": "Ana Torres",
    "creationDate": "2026-03-01T16:20:00.000Z",
    "currency": "MXN",
    "companyName": "Platería Taxco",
    "customRegime": "A1",
    "customerName": "Casa Morales",
    "customerSalesOrderId": "PO-1042",
    "date": "2026-03-02",
    "day": "2026-03-02",
    "deliveryDate": "2026-03-09",
    "epoch": "5f0c9a4e7b1d4c2f9e3a8d6b1c0f2e47",
    "firstDeliveryDate": "2026-03-09",
    "fullName": "Ana Torres",
    "guideNumber": "1Z-204",
    "incoterm": "FCA",
    "inputDate": "2026-03-02T18:00:00.000Z",
    "inputNotes": "",
    "inputUsername": "Ana Torres",
    "invoiceNumber": "A-771",
    "itemKey": "AN-018",
    "itemName": "Anillo liso",
    "lastSeen": "2026-03-02T18:00:00.000Z",
    "notes": "",
    "number": "F-0001",
    "orderStatus": "InProcess",
    "outputUsername": "Ana Torres",
    "p50": "2026-03-05",
    "p80": "2026-03-06",
    "p90": "2026-03-09",
    "place": "Taxco",
    "productionProcessName": "Fundición",
    "salesOrderDate": "2026-03-01",
    "releasedExits": [],
    "screens": 40,
    "since": "2026-03-02T18:00:00.000Z",
    "tariffItem": "7113119900",
    "until": "2026-03-02T18:05:00.000Z",
    "username": "Ana Torres",
}
"""Example values by field name. Any other field that may be null is null in the examples."""
_STATUS = {
    "LineData": "InProcess",
    "LineDocument": "InProcess",
    "DeliveryData": "Billed",
}
"""Example values, by the name of the shape, for text fields that have no value in EXAMPLES."""

Schema = dict[str, Any]


def documents() -> dict[str, str]:
    """Return the text of each page, by file name. The same code always gives the same bytes.

    The prose of the tour is read from the existing `api.md`; only its descriptions of operations are written again.
    """
    return {
        "events.md": events_page(),
        "api.md": with_operations((FOLDER / "api.md").read_text(encoding="utf-8")),
        "headers.md": headers.page(),
    }


def export(folder: Path) -> None:
    for name, text in documents().items():
        (folder / name).write_text(text, encoding="utf-8")


# The catalogue of events.


def events_page() -> str:
    """Return the page of all event types: when each is sent, who receives it, what it carries, and an example."""
    schema = registry.schema()
    return "\n".join([_HEAD, *_types(schema), "", "## What they carry", "", *_shapes(schema), *_frames()])


def example(event: type[Event]) -> Any:
    """Return an example frame of this event type."""
    schema = registry.schema()
    return _example(schema["$defs"][registry.frame_of(event).__name__], "", "", schema["$defs"])


def _types(schema: Schema) -> Iterator[str]:
    types = registry.event_types()
    yield "| Type | When | Who receives it |"
    yield "|---|---|---|"
    for name, event in types.items():
        yield f"| [`{name}`](#{_anchor(name)}) | {_words(event)} | {_receivers(event)} |"
    for name, event in types.items():
        data = event.model_fields["data"].annotation
        yield f"\n## `{name}`\n"
        yield _words(event)
        yield f"\n- Goes to {_receivers(event)}."
        for field in event.private:
            yield f"- `{field.path}` is {_instead(field.instead)} for {_kept_from(field)}."
        for part in event.scoped:
            rest = f", and the other entries with an empty `{part.empties}`" if part.empties else ""
            yield f"- `{part.path}`: a display that shows only some processes receives what belongs to those{rest}."
        yield f"- `data` is a [{getattr(data, '__name__', '')}](#{_anchor(getattr(data, '__name__', ''))}).\n"
        yield "```json"
        yield json.dumps(example(event), ensure_ascii=False, indent=2)
        yield "```"


def _words(described: type) -> str:
    """Return the docstring of a type in one line. Raises `ValueError` if the type has no docstring."""
    own = described.__doc__
    if not own:
        raise ValueError(f"{described.__name__} does not say when it comes")
    return " ".join(inspect.cleandoc(own).split())


def _receivers(event: type[Event]) -> str:
    if not event.audience:
        accounts = ", also with a customer's account" if event.for_every_account else ""
        return f"the person concerned alone{accounts}"
    customers = " and the accounts of its customer" if event.customer is not Event.customer else ""
    return f"holders of {_one_of(event.audience)}{customers}"


def _one_of(permissions: Iterable[str]) -> str:
    named = [f"`{one}`" for one in sorted(permissions)]
    return named[0] if len(named) == 1 else f"one of {', '.join(named)}"


def _instead(value: object) -> str:
    return f"`{json.dumps(value)}`" if value != () else "`[]`"


def _kept_from(field: Private) -> str:
    of_customers = "customers' accounts"
    if not field.needs:
        return of_customers
    without = f"everybody who does not hold {_one_of(field.needs)}"
    return f"{of_customers} and {without}" if field.staff else without


def _shapes(schema: Schema) -> Iterator[str]:
    """Yield the lines of a table of fields for each schema that the frames of events carry."""
    frames = {one.__name__ for one in map(registry.frame_of, registry.event_types().values())}
    for name, shape in sorted(schema["$defs"].items()):
        if name not in frames and "properties" in shape and name not in ("Hello", "Reset", "Presence"):
            yield f"### {name}\n"
            if text := shape.get("description"):
                yield " ".join(text.split()) + "\n"
            yield "| Field | Type |"
            yield "|---|---|"
            for field, kind in shape["properties"].items():
                yield f"| `{field}` | {_type(kind, schema['$defs'])} |"
            yield ""


def _frames() -> Iterator[str]:
    """Yield the part of the page that describes the frames that are not events, and the close codes."""
    said = [f"| `{one.model_fields['type'].default}` | {_words(one)} |" for one in (registry.Hello, registry.Reset)]
    yield _TAIL.format(frames="\n".join(said))


def _anchor(heading: str) -> str:
    return heading.replace(".", "").lower()


def _type(kind: Schema, shapes: Schema) -> str:
    if "$ref" in kind:
        name = kind["$ref"].rsplit("/", 1)[-1]
        shape = shapes[name]
        return f"[{name}](#{_anchor(name)})" if shape.get("properties") else _type(shape, shapes)
    if "anyOf" in kind:
        return " or ".join(_type(one, shapes) for one in kind["anyOf"])
    if "enum" in kind:
        return " or ".join(f"`{one}`" for one in kind["enum"])
    if "const" in kind:
        return f"`{kind['const']}`"
    if kind.get("type") == "array":
        return f"list of {_type(kind['items'], shapes)}"
    return "day" if kind.get("format") == "date" else str(kind.get("type", "anything"))


def _example(kind: Schema, name: str, owner: str, shapes: Schema) -> Any:
    if "$ref" in kind:
        owner = kind["$ref"].rsplit("/", 1)[-1]
        return _example(shapes[owner], name, owner, shapes)
    if "anyOf" in kind:
        filled = name in EXAMPLES or any("$ref" in one for one in kind["anyOf"])
        return _example(kind["anyOf"][0], name, owner, shapes) if filled else None
    if "properties" in kind:
        owner = owner or kind["title"]
        return {field: _example(one, field, owner, shapes) for field, one in kind["properties"].items()}
    if "const" in kind:
        return kind["const"]
    if "enum" in kind:
        return kind["enum"][0]
    match kind.get("type"):
        case "array":
            return EXAMPLES.get(name, [_example(kind["items"], name, owner, shapes)])
        case "integer" | "number":
            return found if isinstance(found := EXAMPLES.get(name, 1), int) else 1
        case "boolean":
            return False
        case _:
            return EXAMPLES.get(name, _STATUS.get(owner, "text"))


# The operations in the tour.

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
