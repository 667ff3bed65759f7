"""The routers of the domains."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, get_args

from django.http import HttpRequest
from ninja import Router
from ninja.constants import NOT_SET
from pydantic import BaseModel

from project.core.answers import (
    Guard,
    as_far_as_read,
    note_reader,
    response_of,
    taking_response,
    with_headers,
    written_once,
)
from project.core.errors import InvalidFields
from project.core.idempotency import LASTING, NOT_KEPT, RECORD_STAYS, REPEATS, NotKept, Repeat, View, answers_repeats

VERSIONED: set[str] = set()
"""The operations other than PUT that read `If-Match`."""
PUBLIC: dict[str, str] = {}
"""Why an operation needs no token, by operation id, as its `Public` declares."""


@dataclass(frozen=True)
class Public:
    """The `auth` of an operation that everyone may call without a token. `why`: the reason."""

    why: str


class DomainRouter(Router):
    """A router that adds the common behavior of all operations.

    A write answers a repeated `Idempotency-Key`, and reveals no record that the caller may not read. An operation that
    answers no file refuses `format`. An answer gets its `ETag` or `X-Total-Count`, and is serialized once. The
    annotation of the view says what the operation answers: see `response_of`.

    An operation takes these arguments. `auth`: a guard or `Public`. `repeat`: what answers a repeated write, if not the
    GET of its path, or why the write stores no key. `record_stays`: the record can still be read after its DELETE.
    `lasting`: no later write may use the key again. `versioned`: the POST or DELETE reads `If-Match`, as every PUT
    does.
    """

    def post[V: View](
        self,
        path: str,
        *,
        repeat: Repeat | NotKept | None = None,
        lasting: bool = False,
        versioned: bool = False,
        **options: Any,
    ) -> Callable[[V], V]:
        if versioned:
            VERSIONED.add(options["operation_id"])
        return self._write("POST", path, repeat, lasting, options)

    def put[V: View](
        self, path: str, *, repeat: Repeat | NotKept | None = None, lasting: bool = False, **options: Any
    ) -> Callable[[V], V]:
        return self._write("PUT", path, repeat, lasting, options)

    def delete[V: View](
        self,
        path: str,
        *,
        repeat: Repeat | NotKept | None = None,
        record_stays: bool = False,
        lasting: bool = False,
        versioned: bool = False,
        **options: Any,
    ) -> Callable[[V], V]:
        if record_stays:
            RECORD_STAYS.add(options["operation_id"])
        if versioned:
            VERSIONED.add(options["operation_id"])
        return self._write("DELETE", path, repeat, lasting, options)

    def _write[V: View](
        self, method: str, path: str, repeat: Repeat | NotKept | None, lasting: bool, options: dict[str, Any]
    ) -> Callable[[V], V]:
        if lasting:
            LASTING.add(options["operation_id"])
        if isinstance(repeat, NotKept):
            NOT_KEPT[options["operation_id"]] = repeat.why
        elif repeat:
            REPEATS[options["operation_id"]] = repeat
        return self.api_operation([method], path, **options)

    def add_api_operation(self, path: str, methods: list[str], view_func: Callable[..., Any], **options: Any) -> None:
        match options["auth"]:
            case Public(why):
                PUBLIC[options["operation_id"]] = why
                options["auth"] = None
            case Guard():
                pass
            case _:
                raise TypeError(f"{options['operation_id']}: `auth` is neither a guard nor Public")
        if options.get("response", NOT_SET) is not NOT_SET:
            raise TypeError(
                f"{options['operation_id']}: the annotation of its view says what it answers, not `response`"
            )
        shape = options["response"] = response_of(view_func)
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


def domain_router(tag: str) -> DomainRouter:
    """Return a router with camelCase answers, listed under `tag` in the API's documentation."""
    return DomainRouter(by_alias=True, tags=[tag])
