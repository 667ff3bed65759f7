"""The routers of the domains."""

from collections.abc import Callable
from functools import wraps
from inspect import unwrap
from typing import Any, get_args

from django.http import HttpRequest
from ninja import Router
from pydantic import BaseModel

from project.core.answers import as_far_as_read, note_reader, taking_response, with_headers, written_once
from project.core.errors import InvalidFields
from project.core.idempotency import answers_repeats
from project.core.versions import if_match

VERSIONED: set[str] = set()
"""The operations that read `If-Match`."""


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
