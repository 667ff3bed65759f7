"""The OpenAPI document: Ninja's, with what Ninja leaves out, and with the frames of live events."""

import inspect
import json
from collections import Counter, defaultdict
from typing import Any

from ninja import NinjaAPI

from project.core.exporting import CONTENT_TYPES
from project.core.idempotency import LONGEST_KEY, REPEATS
from project.core.routing import VERSIONED
from realtime import registry

Schema = dict[str, Any]

_SCHEMAS = "#/components/schemas/"
_LICENSE = {"name": "All rights reserved", "identifier": "LicenseRef-Obrador"}
"""The owner has not chosen a license yet, so nobody else has a right to use the product."""
_FILES = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in CONTENT_TYPES.values()}
"""The content of an answer for lists that are also answered as a file."""
_TEXT = {"type": "string"}
_ERROR = {
    "type": "object",
    "required": ["code", "message", "params", "errors"],
    "properties": {
        "code": _TEXT,
        "message": _TEXT,
        "params": {"type": "object", "additionalProperties": True},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "code", "message"],
                "properties": {"field": _TEXT, "code": _TEXT, "message": _TEXT},
            },
        },
    },
}
_REFUSAL = {
    "description": (
        "Refused, and nothing was changed. `code` says why: 400 `malformed_json`, 401 `unauthenticated`, 403 "
        "`permission_denied`, 404 `not_found`, 409 a conflict's own code, 412 `stale_version`, 413 `body_too_large`, "
        "415 `unsupported_image`, 422 `invalid_fields`, 429 `too_many_attempts`, 503 `unavailable`."
    ),
    "content": {"application/json": {"schema": {"$ref": _SCHEMAS + "Error"}}},
}


_WEBHOOK_HEADERS = {
    "webhook-id": "The same when the message is sent again.",
    "webhook-timestamp": "When it was sent, in seconds since 1970.",
    "webhook-signature": "Signatures by the webhook's secrets, as Standard Webhooks says: `v1,` and base64, by blanks.",
}


def documented(document: Schema, api: NinjaAPI) -> Schema:
    """Add to Ninja's document what Ninja leaves out, and write what recurs once.

    Added are the server, the license, the refusal, the headers of writes, the permissions needed, the security of
    public operations, the frames of live events (`LiveFrame`), and what webhooks are sent. `Idempotency-Key` is listed
    only for writes that store the key: any other write would be done twice if the caller repeated it.
    """
    document["info"]["license"] = _LICENSE
    document["servers"] = [{"url": "/", "description": "The installation that serves this document"}]
    guards = _guards(api)
    operations = [one for methods in document["paths"].values() for one in methods.items()]
    for method, operation in operations:
        operation["responses"]["default"] = {"$ref": "#/components/responses/Refusal"}
        operation["x-permissions"] = guards.get(operation["operationId"], [])
        operation.setdefault("security", [])
        if any(parameter["name"] == "format" for parameter in operation.get("parameters", ())):
            operation["responses"][200]["content"] |= _FILES
        if method != "get":
            headers = operation.setdefault("parameters", [])
            if operation["operationId"] in REPEATS:
                headers.append(_header("Idempotency-Key", minLength=1, maxLength=LONGEST_KEY))
            if method == "put" or operation["operationId"] in VERSIONED:
                headers.append(_header("If-Match"))
    components = document["components"]
    components["responses"] = {"Refusal": _REFUSAL}
    components["schemas"] |= live_frames() | {"Error": _ERROR}
    document["paths"] = _plain(document["paths"])
    components["schemas"] = _plain(components["schemas"])
    components["parameters"] = _shared_parameters([operation for _, operation in _operations(document)])
    components["parameters"] |= {name: _webhook_header(name, says) for name, says in _WEBHOOK_HEADERS.items()}
    document["webhooks"] = _webhooks()
    _drop_unused(document)
    return document


def _webhooks() -> Schema:
    """Return what a webhook is sent: each type of event that a webhook may name, as the frame of a live socket."""
    return {
        name: {
            "post": {
                "description": inspect.cleandoc(event.__doc__ or "").replace("\n", " "),
                "security": [],
                "parameters": [{"$ref": f"#/components/parameters/{one}"} for one in _WEBHOOK_HEADERS],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": _SCHEMAS + registry.frame_of(event).__name__}}},
                },
                "responses": {
                    "2XX": {"description": "Received. After any other answer the message is sent again, later."},
                    "410": {"description": "Gone: the webhook is stopped."},
                },
            }
        }
        for name, event in registry.webhook_types().items()
    }


def _webhook_header(name: str, says: str) -> Schema:
    return {"in": "header", "name": name, "required": True, "description": says, "schema": _TEXT}


def live_frames() -> dict[str, Schema]:
    """Return the schema of every frame of a live socket, by name. `LiveFrame` is any of them."""
    described = registry.schema()
    frames = described.pop("$defs") | {"LiveFrame": described}
    moved: dict[str, Schema] = json.loads(json.dumps(frames).replace("#/$defs/", _SCHEMAS))
    return moved


def _operations(document: Schema) -> list[tuple[str, Schema]]:
    return [one for methods in document["paths"].values() for one in methods.items()]


def _plain(part: Any) -> Any:
    """Drop what says nothing: titles made from names, a null default, `allOf` around a single reference."""
    if isinstance(part, list):
        return [_plain(one) for one in part]
    if not isinstance(part, dict):
        return part
    kept = {
        name: _plain(value)
        for name, value in part.items()
        if not (name == "title" and isinstance(value, str)) and not (name == "default" and value is None)
    }
    match kept:
        case {"allOf": [{"$ref": reference}], **rest}:
            return {"$ref": reference, **rest}
    return kept


def _shared_parameters(operations: list[Schema]) -> dict[str, Schema]:
    """Move the most frequent definition of each parameter's name into the components, if several operations have it."""
    uses: dict[str, Counter[str]] = defaultdict(Counter)
    for operation in operations:
        for parameter in operation.get("parameters", ()):
            uses[parameter["name"]][json.dumps(parameter, sort_keys=True)] += 1
    shared = {
        name: definition
        for name, definitions in sorted(uses.items())
        for definition, count in [max(definitions.items(), key=lambda one: (one[1], one[0]))]
        if count > 1
    }
    for operation in operations:
        parameters = operation.pop("parameters", ())
        operation |= (
            {
                "parameters": [
                    {"$ref": f"#/components/parameters/{parameter['name']}"}
                    if shared.get(parameter["name"]) == json.dumps(parameter, sort_keys=True)
                    else parameter
                    for parameter in parameters
                ]
            }
            if parameters
            else {}
        )
    return {name: json.loads(definition) for name, definition in shared.items()}


def _drop_unused(document: Schema) -> None:
    """Drop schemas that nothing references: Ninja lists the model of a query in addition to the query's fields."""
    schemas = document["components"]["schemas"]
    used = {"LiveFrame"}
    open_parts: list[Any] = [document["paths"], document["components"]["responses"], schemas["LiveFrame"]]
    while open_parts:
        match open_parts.pop():
            case {"$ref": str(reference)} if reference.startswith(_SCHEMAS):
                name = reference.removeprefix(_SCHEMAS)
                if name not in used:
                    used.add(name)
                    open_parts.append(schemas[name])
            case dict() as part:
                open_parts += part.values()
            case list() as part:
                open_parts += part
    document["components"]["schemas"] = {name: one for name, one in sorted(schemas.items()) if name in used}


def _guards(api: NinjaAPI) -> dict[str, list[str]]:
    return {
        operation.operation_id: sorted(str(action) for action in getattr(callback, "actions", ()))
        for bound in api._get_bound_routers()
        for view in bound.path_operations.values()
        for operation in view.operations
        for callback in operation.auth_callbacks
        if operation.operation_id
    }


def _header(name: str, **bounds: int) -> Schema:
    return {"in": "header", "name": name, "required": False, "schema": {"type": "string", **bounds}}
