"""`Idempotency-Key`: a request that repeats an earlier one, with the same key and body, changes nothing.

The key is stored in the transaction of the write, with the ids of the record: for 24 hours, or for ever if the write
declares it. The first answer is not stored: a repeat is answered with the record's current state. The key is inserted
without a query before, and is looked up only if the insert fails or the write is refused. The operation's guard runs
first on every call.
See infra/docs/rules.md#repeated-writes.
"""

import hashlib
import hmac
import inspect
import re
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from ninja import Status

from project.core import clock, sealing
from project.core.errors import IdempotencyKeyReused, InvalidFields, Refusal
from project.core.models import IdempotentAnswer
from project.core.written_last import one_change

KEPT = timedelta(hours=24)
LONGEST_KEY = 200
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)

View = Callable[..., Any]


@dataclass(frozen=True)
class Repeat:
    """How to answer a repeated write: with the first answer's `status`, and with what the view `read` answers now.

    `read` takes the request and the ids from the write's path. `made` is set if the write creates a record or a list of
    records: the new id, or the list of new ids, is stored under this name and passed to `read`. `lasting`: no later
    write may use the key again. `contract.repeats` sets `status` and `lasting` from the operation.
    """

    read: View
    made: str = ""
    status: int = 200
    lasting: bool = False


@dataclass(frozen=True)
class NotKept:
    """Declares that a write stores no `Idempotency-Key`, and why."""

    why: str


REPEATS: dict[str, Repeat] = {}
"""How to answer a repeat of each write that stores its key, by operation id.

The routers add what operations declare with `repeat`. `project.api` adds the others.
"""
NOT_KEPT: dict[str, str] = {}
"""Why a write stores no key, by operation id, as its `repeat` declares."""
RECORD_STAYS: set[str] = set()
"""The DELETEs that declare `record_stays`: a repeat reads the record."""
LASTING: set[str] = set()
"""The operations that declare `lasting`: the key of such a write is never free again."""


@dataclass(frozen=True)
class Key:
    """The key of the current write, and the ids in its path."""

    user_id: int
    key: str
    request_hashes: list[str]
    """One hash for each of the installation's secrets, so that a repeat is recognized after SECRET_KEY was changed."""
    operation: str
    ids: dict[str, Any]

    @property
    def repeat(self) -> Repeat:
        return REPEATS[self.operation]

    def kept(self) -> IdempotentAnswer | None:
        """Return the row that the first request with this key stored; None if there is no row.

        A row older than `KEPT` is deleted and counts as none, unless it is lasting. Raises `IdempotencyKeyReused` if
        the first request had another method, address or body, or if another person's lasting key is the same UUID.
        """
        found = IdempotentAnswer.objects.filter(user_id=self.user_id, key=self.key).first()
        if found is None:
            if self.once is not None and IdempotentAnswer.objects.filter(once=self.once).exists():
                raise IdempotencyKeyReused
            return None
        if not found.lasting and found.created_at < clock.now() - KEPT:
            found.delete()
            return None
        if found.request_hash not in self.request_hashes:
            raise IdempotencyKeyReused
        return found

    @property
    def once(self) -> UUID | None:
        """The key as a UUID, if the write is lasting and the key is one; else None. No other user may use this UUID."""
        return UUID(self.key) if self.repeat.lasting and _UUID.fullmatch(self.key) else None

    def keep(self) -> IdempotentAnswer:
        """Store the key in the current transaction. Raises `KeyTaken` if the key is stored already.

        A simultaneous repeat of the request waits here until the transaction ends.
        """
        try:
            return IdempotentAnswer.objects.create(
                user_id=self.user_id,
                key=self.key,
                request_hash=self.request_hashes[0],
                status=self.repeat.status,
                kind=self.operation,
                ids=self.ids,
                created_at=clock.now(),
                lasting=self.repeat.lasting,
                once=self.once,
            )
        except IntegrityError as error:
            raise KeyTaken from error


class KeyTaken(Refusal):
    """An earlier request stored this key. `answers_repeats` then checks whether it was the same request."""


_current: ContextVar[Key | None] = ContextVar("idempotency_key", default=None)
_kept: ContextVar[IdempotentAnswer | None] = ContextVar("kept_key", default=None)


def kept_key() -> IdempotentAnswer | None:
    """Return the row with the key of the current unit of work, or of the write that this call repeats; else None."""
    return _kept.get()


def unit_of_work[**P, R](write: Callable[P, R]) -> Callable[P, R]:
    """Run `write` in one transaction, which also stores the request's `Idempotency-Key` and the id of the result.

    Audit rows and events that `write` collects are written directly before the commit. Nested units of work join the
    outer one.
    """

    @wraps(write)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        key = _current.get()
        with one_change():
            if key is None:
                return write(*args, **kwargs)
            row = key.keep()
            outer, none = _current.set(None), _kept.set(row)
            try:
                result = write(*args, **kwargs)
            finally:
                _current.reset(outer)
                _kept.reset(none)
            if made := key.repeat.made:
                ids = [_id_of(one, made) for one in result] if isinstance(result, list) else _id_of(result, made)
                row.ids = {**key.ids, made: ids}
                row.save(update_fields=["ids"])
            return result

    return run


def _id_of(result: Any, name: str) -> int:
    """Return a line's position, or any other record's primary key."""
    return int(result.position if name == "position" else result.pk)


def answers_repeats(operation: str, view: View) -> View:
    """Wrap the view of a write. If an earlier request had the same key, the answer shows what that request wrote.

    `view` must have a parameter `response`.
    """

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
            # If the same request already succeeded, answer with its result instead of a refusal caused by that success.
            kept = key.kept()
            if kept is not None:
                return _again(key, kept, request, response)
            if not isinstance(refusal, KeyTaken):
                raise
            return write()  # the stored key was too old, and is deleted now
        finally:
            _current.reset(outer)

    return answering


def gone(request: HttpRequest, **ids: Any) -> HttpResponse:
    """Answer a repeated deletion with the id of the deleted record."""
    return JsonResponse({"id": next(iter(ids.values()))})


def _key_of(request: HttpRequest, operation: str, values: dict[str, Any]) -> Key | None:
    """Return the request's key; None if it sends none or the operation stores none. Raises `InvalidFields`."""
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
    """Return hashes of the request, one for each of the installation's secrets.

    They are keyed because the body may hold a password, which could be guessed from a plain hash.
    """
    what = f"{request.method}\n{request.get_full_path()}\n".encode() + request.body
    keys = sealing.own_keys(b"obrador answers").values()
    return [hmac.new(key, what, hashlib.sha256).hexdigest() for key in keys]


def _again(key: Key, kept: IdempotentAnswer, request: HttpRequest, response: HttpResponse) -> Any:
    """Answer with the current state of the stored record. Raises `NotFound` if it was deleted since."""
    response["Idempotent-Replayed"] = "true"
    read = key.repeat.read
    taken = inspect.signature(read).parameters
    ids = {name: value for name, value in kept.ids.items() if name in taken or "ids" in taken}
    none = _kept.set(kept)
    try:
        answer = read(request, **ids)
    finally:
        _kept.reset(none)
    if isinstance(answer, HttpResponse):
        answer["Idempotent-Replayed"] = "true"
        return answer
    return Status(kept.status, answer)
