"""What a write answers to one who may not read what it wrote: its id and version, and no more.

What a GET refuses nobody learns by changing nothing (contract, section 2). Which GET reads a record is known by the
shape of its answer; orders and lines go to who moves them, and their presenters leave out what he may not read.
"""

from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from ninja import Status

from project.core.schemas import Out

TOLD = ("id", "version")


class Guard(Protocol):
    """Who may call an operation; `access.guard.SignedIn` is one."""

    def lets_in(self, request: HttpRequest, principal: Any) -> bool: ...


_READERS: defaultdict[type, list[Guard]] = defaultdict(list)


def note_reader(shape: Any, guard: Any) -> None:
    """A GET answers `shape` to whom `guard` lets in. Lists, files and what anybody may ask for are not noted."""
    if isinstance(shape, type) and guard is not None:
        _READERS[shape].append(guard)


def as_far_as_read(shape: Any, view: Callable[..., Any]) -> Callable[..., Any]:
    """The view of a write, whose answer of `shape` is whole for who may read the record by GET, else `TOLD` alone.

    `shape` is as the operation declares it: a schema, or schemas by their status. `view` takes the response.
    """
    one = next(iter(shape.values())) if isinstance(shape, dict) and len(shape) == 1 else shape

    @wraps(view)
    def answering(request: HttpRequest, response: HttpResponse, **values: Any) -> Any:
        answer = view(request, response, **values)
        if isinstance(answer, HttpResponseBase) or _may_read(one, request):
            return answer
        status, whole = (answer.status_code, answer.value) if isinstance(answer, Status) else (200, answer)
        told = JsonResponse({name: getattr(whole, name) for name in TOLD}, status=status)
        for name, value in response.items():
            told.headers.setdefault(name, value)
        return told

    return answering


def _may_read(shape: Any, request: HttpRequest) -> bool:
    if not isinstance(shape, type) or (issubclass(shape, Out) and shape.leaves_out):
        return True
    principal = getattr(request, "auth", None)
    return all(guard.lets_in(request, principal) for guard in _READERS.get(shape, ()))
