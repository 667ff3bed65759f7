"""The routers of the domains, and additions to Ninja's OpenAPI document."""

from collections.abc import Callable
from functools import wraps
from inspect import unwrap
from typing import Any, get_args

from django.http import HttpRequest
from ninja import NinjaAPI, Router
from pydantic import BaseModel

from project.core.answers import as_far_as_read, note_reader, taking_response, with_headers, written_once
from project.core.errors import InvalidFields
from project.core.exporting import CONTENT_TYPES
from project.core.idempotency import LONGEST_KEY, REPEATS, answers_repeats
from project.core.versions import if_match

REFUSALS = {
    "400": "malformed_json",
    "401": "unauthenticated",
    "403": "permission_denied",
    "404": "not_found",
    "409": "a conflict's own code",
    "412": "stale_version",
    "413": "body_too_large",
    "415": "unsupported_image",
    "422": "invalid_fields",
    "429": "too_many_attempts",
    "503": "unavailable",
}
VERSIONED: set[str] = set()
"""The operations that read `If-Match`."""
LICENSE = {"name": "All rights reserved", "identifier": "LicenseRef-Obrador"}
"""The owner has not chosen a license yet, so nobody else has a right to use the product."""
FILES = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in CONTENT_TYPES.values()}
"""The OpenAPI content of an answer for lists that are also answered as a file."""
ERROR_SCHEMA = {
    "title": "Error",
    "type": "object",
    "required": ["code", "message", "params", "errors"],
    "properties": {
        "code": {"type": "string"},
        "message": {"type": "string"},
        "params": {"type": "object", "additionalProperties": True},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "code", "message"],
                "properties": {
                    "field": {"type": "string"},
                    "code": {"type": "string"},
                    "message": {"type": "string"},
                },
            },
        },
    },
}


class DomainRouter(Router):
    """A router that adds the common behavior of all operations.

    Writes answer a repeated `Idempotency-Key`, and reveal no record that the caller may not read. Operations without
    files refuse `format`. Answers get their `ETag` or `X-Total-Count`, and are serialized once.
    """

    def add_api_operation(self, path: str, methods: list[str], view_func: Callable[..., Any], **options: Any) -> None:
        shape = options.get("response")
        if if_match.__name__ in unwrap(view_func).__code__.co_names:
            VERSIONED.add(options["operation_id"])
        view = taking_response(view_func if _takes_format(view_func) else _without_format(view_func))
        if methods == ["GET"]:
            note_reader(shape, options["auth"])
            view = with_headers(view)
        else:
            view = as_far_as_read(shape, with_headers(answers_repeats(options["operation_id"], view)))
        super().add_api_operation(path, methods, written_once(shape, view), **options)


def _takes_format(view: Callable[..., Any]) -> bool:
    """Return whether a parameter of the view declares `format`."""
    asked = [one for annotation in view.__annotations__.values() for one in (annotation, *get_args(annotation))]
    return any(isinstance(one, type) and issubclass(one, BaseModel) and "format" in one.model_fields for one in asked)


def _without_format(view: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse `format` in an operation that answers no file. Raises `InvalidFields` (422)."""

    @wraps(view)
    def answering(request: HttpRequest, *given: Any, **values: Any) -> Any:
        if "format" in request.GET:
            raise InvalidFields.of("format", "not_a_file")
        return view(request, *given, **values)

    return answering


def domain_router(tag: str) -> Router:
    """Return a router with camelCase answers, listed under `tag` in the API's documentation."""
    return DomainRouter(by_alias=True, tags=[tag])


def documented(schema: Any, api: NinjaAPI) -> Any:
    """Add to the OpenAPI document what Ninja leaves out.

    These are the server, the license, the refusals, the headers of writes, the permissions needed, and which operations
    are public. `Idempotency-Key` is listed only for writes that store the key: any other write would be done twice if
    the caller repeated it.
    """
    schema["info"]["license"] = LICENSE
    schema["servers"] = [{"url": "/", "description": "The installation that serves this document"}]
    schema.setdefault("components", {}).setdefault("schemas", {})["Error"] = ERROR_SCHEMA
    guards = _guards(api)
    for methods in schema["paths"].values():
        for method, operation in methods.items():
            for status, meaning in REFUSALS.items():
                operation["responses"].setdefault(
                    status,
                    {
                        "description": meaning,
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
                    },
                )
            operation["x-permissions"] = guards.get(operation["operationId"], [])
            operation.setdefault("security", [])
            if any(parameter["name"] == "format" for parameter in operation.get("parameters", ())):
                operation["responses"][200]["content"] |= FILES
            if method in ("post", "put", "delete"):
                headers = operation.setdefault("parameters", [])
                if operation["operationId"] in REPEATS:
                    headers.append(_header("Idempotency-Key", minLength=1, maxLength=LONGEST_KEY))
                if method == "put" or operation["operationId"] in VERSIONED:
                    headers.append(_header("If-Match"))
    _drop_unused(schema)
    return schema


def _drop_unused(schema: Any) -> None:
    """Drop schemas that nothing references: Ninja lists the model of a query in addition to the query's fields."""
    schemas = schema["components"]["schemas"]
    used: set[str] = set()
    open_parts: list[Any] = [schema["paths"]]
    while open_parts:
        match open_parts.pop():
            case {"$ref": reference}:
                name = reference.removeprefix("#/components/schemas/")
                if name not in used:
                    used.add(name)
                    open_parts.append(schemas[name])
            case dict() as part:
                open_parts += part.values()
            case list() as part:
                open_parts += part
    schema["components"]["schemas"] = {name: one for name, one in schemas.items() if name in used}


def _guards(api: NinjaAPI) -> dict[str, list[str]]:
    return {
        operation.operation_id: sorted(str(action) for action in getattr(callback, "actions", ()))
        for bound in api._get_bound_routers()
        for view in bound.path_operations.values()
        for operation in view.operations
        for callback in operation.auth_callbacks
        if operation.operation_id
    }


def _header(name: str, **bounds: int) -> dict[str, Any]:
    return {"in": "header", "name": name, "required": False, "schema": {"type": "string", **bounds}}
