"""`Idempotency-Key`: the same key and body again answers with what the first one made, and does nothing.

The key is kept in the transaction of the effect, with the ids of what the effect made and no word of the answer: a
repeat reads that record as it is now. Nobody asks for the key first: it is inserted, and looked at where that fails or
the write is refused. The operation's guard decides at each call, before anything here.
See infra/docs/rules.md#repeated-writes.
"""

import hashlib
import hmac
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from typing import Any

from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from ninja import Status

from project.core import clock, sealing
from project.core.errors import IdempotencyKeyReused, InvalidFields, Refusal
from project.core.models import IdempotentAnswer
from project.core.written_last import one_change

KEPT = timedelta(hours=24)
LONGEST_KEY = 200

View = Callable[..., Any]


@dataclass(frozen=True)
class Repeat:
    """How a repeated write is answered: with the first answer's `status`, and what the view `read` says now.

    `read` takes the request and the ids in the write's own path. Where the write makes a record, `made` is the name of
    the id that the record was given.
    """

    read: View
    status: int = 200
    made: str = ""


REPEATS: dict[str, Repeat] = {}
"""Each write that keeps its key, by its operation id; filled by `project.contract.repeats`, in `project.api`."""


@dataclass(frozen=True)
class Key:
    """The key of the write that is being answered, and the ids in its path."""

    user_id: int
    key: str
    request_hashes: list[str]
    """As each of the installation's secrets makes it: a station may repeat what it sent before a new one came."""
    operation: str
    ids: dict[str, Any]

    @property
    def repeat(self) -> Repeat:
        return REPEATS[self.operation]

    def kept(self) -> IdempotentAnswer | None:
        """What the first request with this key left behind. Raises `IdempotencyKeyReused`."""
        found = IdempotentAnswer.objects.filter(user_id=self.user_id, key=self.key).first()
        if found is not None and found.created_at < clock.now() - KEPT:
            found.delete()
            return None
        if found is not None and found.request_hash not in self.request_hashes:
            raise IdempotencyKeyReused
        return found

    def keep(self) -> IdempotentAnswer:
        """Keep the key in the present transaction. The same request, sent again meanwhile, waits here until that ends.
        Raises `KeyTaken`."""
        try:
            return IdempotentAnswer.objects.create(
                user_id=self.user_id,
                key=self.key,
                request_hash=self.request_hashes[0],
                status=self.repeat.status,
                kind=self.operation,
                ids=self.ids,
                created_at=clock.now(),
            )
        except IntegrityError as error:
            raise KeyTaken from error


class KeyTaken(Refusal):
    """An earlier request has kept the same key, for this body or for another one."""


_current: ContextVar[Key | None] = ContextVar("idempotency_key", default=None)


def unit_of_work[**P, R](write: Callable[P, R]) -> Callable[P, R]:
    """Run `write` in one transaction, and keep the request's `Idempotency-Key` in it with the id of what it returns.

    Audit rows and events are written last, directly before the commit: `write` only collects them. A unit of work
    inside another one is part of it.
    """

    @wraps(write)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        key = _current.get()
        with one_change():
            if key is None:
                return write(*args, **kwargs)
            row = key.keep()
            outer = _current.set(None)
            try:
                result = write(*args, **kwargs)
            finally:
                _current.reset(outer)
            if made := key.repeat.made:
                row.ids = {**key.ids, made: _id_of(result, made)}
                row.save(update_fields=["ids"])
            return result

    return run


def _id_of(result: Any, name: str) -> int:
    """A line is known by its position in its order, everything else by its own id."""
    return int(result.position if name == "position" else result.pk)


def answers_repeats(operation: str, view: View) -> View:
    """The view of a write, answering repeated keys from what the first request left behind. It takes the response."""

    @wraps(view)
    def answering(request: HttpRequest, response: HttpResponse, **values: Any) -> Any:
        def write() -> Any:
            return view(request, response, **values)

        key = _key_of(request, operation, values)
        if key is None:
            return write()
        outer = _current.set(key)
        try:
            return write()
        except Refusal as refusal:
            # What the same request did before, or faster, is the answer, not the refusal that follows from it.
            kept = key.kept()
            if kept is not None:
                return _again(key, kept, request, response)
            if not isinstance(refusal, KeyTaken):
                raise
            return write()  # the key was one of yesterday's, and is forgotten now
        finally:
            _current.reset(outer)

    return answering


def gone(request: HttpRequest, **ids: Any) -> HttpResponse:
    """What a repeated deletion is answered with: of what was deleted nothing is left but its id."""
    return JsonResponse({"id": next(iter(ids.values()))})


def _key_of(request: HttpRequest, operation: str, values: dict[str, Any]) -> Key | None:
    """The key of a write that keeps one; None where none is sent or kept. Raises `InvalidFields`."""
    key = request.headers.get("Idempotency-Key")
    if key is None or operation not in REPEATS:
        return None
    if not (1 <= len(key) <= LONGEST_KEY and key.isprintable()):
        raise InvalidFields.of("Idempotency-Key", "invalid")
    path = request.resolver_match.kwargs if request.resolver_match else {}
    return Key(
        user_id=request.auth.user_id,  # type: ignore[attr-defined]
        key=key,
        request_hashes=_hashes(request),
        operation=operation,
        ids={name: values[name] for name in path},
    )


def _hashes(request: HttpRequest) -> list[str]:
    """Keyed: a body may hold a password, and whoever reads the table must not be able to try passwords on it."""
    what = f"{request.method}\n{request.get_full_path()}\n".encode() + request.body
    keys = sealing.own_keys(b"obrador answers").values()
    return [hmac.new(key, what, hashlib.sha256).hexdigest() for key in keys]


def _again(key: Key, kept: IdempotentAnswer, request: HttpRequest, response: HttpResponse) -> Any:
    """What `kept` stands for, as it is now. Raises `NotFound` where it is gone since."""
    response["Idempotent-Replayed"] = "true"
    read = key.repeat.read
    taken = inspect.signature(read).parameters
    ids = {name: value for name, value in kept.ids.items() if name in taken or "ids" in taken}
    answer = read(request, **ids)
    if isinstance(answer, HttpResponse):
        answer["Idempotent-Replayed"] = "true"
        return answer
    return Status(kept.status, answer)
