"""Serialize answers. A write answers only `id` and `version` to a caller who may not read the record.

A no-op write must not reveal a record that the caller may not GET. A caller may read the record if the guard of each
GET that answers the same schema admits them. Schemas with `leaves_out` (orders and lines) are always answered in full,
because their presenters leave out what the caller may not read.

See infra/docs/rules.md#http.
"""

from collections import defaultdict
from collections.abc import Callable
from functools import reduce, wraps
from inspect import Parameter, signature
from operator import or_
from types import UnionType
from typing import Any, Protocol, get_args, get_origin, runtime_checkable

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from ninja import Status
from ninja.constants import NOT_SET
from pydantic import BaseModel, TypeAdapter

from project.core.schemas import Out

REFERENCE_FIELDS = ("id", "version")
View = Callable[..., Any]


@runtime_checkable
class Guard(Protocol):
    """Decides who may call an operation; `access.guard.SignedIn` implements it."""

    def lets_in(self, request: HttpRequest, principal: Any) -> bool: ...


class Created[Made](Status[Made]):
    """An answer with status 201. A view that returns it is annotated `-> Created[PieceOut]`."""

    __slots__ = ()

    def __init__(self, value: Made) -> None:
        super().__init__(201, value)


def response_of(view: View) -> Any:
    """Return Ninja's `response` for the annotation of the view: a schema, a list, or `{201: …}` for `Created`.

    Files are left out; a view that answers only files has no `response`. Raises `TypeError` if the annotation says
    nothing.
    """
    returned = view.__annotations__.get("return", Any)
    one_of = get_args(returned) if isinstance(returned, UnionType) else (returned,)
    shapes = [one for one in one_of if not (isinstance(one, type) and issubclass(one, HttpResponseBase))]
    if Any in one_of:
        raise TypeError(f"{view.__qualname__} does not say what it answers")
    if not shapes:
        return NOT_SET
    if get_origin(shapes[0]) is Created:
        return {201: get_args(shapes[0])[0]}
    return reduce(or_, shapes)


_READERS: defaultdict[type, list[Guard]] = defaultdict(list)


def note_reader(shape: Any, guard: Any) -> None:
    """Remember that a GET with this guard answers `shape`, for `as_far_as_read`.

    Lists, files and public answers are not remembered.
    """
    if isinstance(shape, type) and guard is not None:
        _READERS[shape].append(guard)


def taking_response(view: View) -> View:
    """Return the view with a `response` parameter; Ninja passes the response if the signature asks for it."""
    asked = signature(view)
    if "response" in asked.parameters:
        return view

    @wraps(view)
    def answering(request: HttpRequest, response: HttpResponse, **values: Any) -> Any:
        return view(request, **values)

    request_, *others = asked.parameters.values()
    response_ = Parameter("response", Parameter.POSITIONAL_OR_KEYWORD, annotation=HttpResponse)
    answering.__signature__ = asked.replace(parameters=[request_, response_, *others])  # type: ignore[attr-defined]
    return answering


def with_headers(view: View) -> View:
    """Wrap a view: set the `ETag` of an answer with a version, or the `X-Total-Count` of a list without pages.

    `view` must take the response.
    """

    @wraps(view)
    def answering(request: HttpRequest, response: HttpResponse, **values: Any) -> Any:
        answer = view(request, response, **values)
        made = answer.value if isinstance(answer, Status) else answer
        version = getattr(made, "version", None)
        if isinstance(version, int):
            response["ETag"] = f'"{version}"'
        if isinstance(made, list) and "Link" not in response:
            response.headers.setdefault("X-Total-Count", str(len(made)))
        return answer

    return answering


def written_once(shape: Any, view: View) -> View:
    """Wrap a view: write its answer directly as JSON if the answer is an instance of `shape`.

    Ninja writes all other answers. It would validate and copy such an instance a second time. `shape` is the
    operation's `response`: a schema, a list of schemas, or a dict of these by status. `view` must take the response.
    """
    shapes = shape if isinstance(shape, dict) else {200: shape}
    writers = {status: _Writer(one) for status, one in shapes.items() if _Writer.knows(one)}
    only = next(iter(shapes))

    @wraps(view)
    def answering(request: HttpRequest, response: HttpResponse, **values: Any) -> Any:
        answer = view(request, response, **values)
        status, made = (answer.status_code, answer.value) if isinstance(answer, Status) else (only, answer)
        writer = writers.get(status)
        if writer is None or not writer.fits(made):
            return answer
        response.status_code = status
        response.content = writer.write(made, request)
        return response

    return answering


class _Writer:
    """Writes a schema instance, or a list of them, as JSON. The rows of a list may be of several schemas."""

    def __init__(self, shape: Any) -> None:
        self.list = get_origin(shape) is list
        self.schema: type[BaseModel] | UnionType = get_args(shape)[0] if self.list else shape
        self.adapter = TypeAdapter[Any](shape)

    @staticmethod
    def knows(shape: Any) -> bool:
        one = get_args(shape)[0] if get_origin(shape) is list else shape
        schemas = get_args(one) if isinstance(one, UnionType) else (one,)
        return all(isinstance(each, type) and issubclass(each, BaseModel) for each in schemas)

    def fits(self, made: Any) -> bool:
        if not self.list:
            return isinstance(made, self.schema)
        return isinstance(made, list) and all(isinstance(one, self.schema) for one in made)

    def write(self, made: Any, request: HttpRequest) -> bytes:
        """Serialize for the caller of `request`: picture addresses are signed for that caller."""
        return self.adapter.dump_json(made, by_alias=True, context={"request": request})


def as_far_as_read(shape: Any, view: View) -> View:
    """Wrap the view of a write: a caller who may not GET the record gets only its `REFERENCE_FIELDS`.

    `shape` is the operation's `response`: a schema, or schemas by status. `view` must take the response.
    """
    one = next(iter(shape.values())) if isinstance(shape, dict) and len(shape) == 1 else shape

    @wraps(view)
    def answering(request: HttpRequest, response: HttpResponse, **values: Any) -> Any:
        answer = view(request, response, **values)
        if isinstance(answer, HttpResponseBase) or _may_read(one, request):
            return answer
        status, whole = (answer.status_code, answer.value) if isinstance(answer, Status) else (200, answer)
        reference = JsonResponse({name: getattr(whole, name) for name in REFERENCE_FIELDS}, status=status)
        for name, value in response.items():
            reference.headers.setdefault(name, value)
        return reference

    return answering


def _may_read(shape: Any, request: HttpRequest) -> bool:
    if not isinstance(shape, type) or (issubclass(shape, Out) and shape.leaves_out):
        return True
    principal = getattr(request, "auth", None)
    return all(guard.lets_in(request, principal) for guard in _READERS.get(shape, ()))
