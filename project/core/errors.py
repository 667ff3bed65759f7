"""Refusals: a stable code, its parameters and the fields concerned. Their texts are in `texts/`.

A refusal is sent as `{"code", "message", "params", "errors": [{"field", "code", "message"}]}`
(infra/docs/rules.md#errors). Domains declare subclasses. Code that raises one passes parameters, never prose.
"""

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from project.core.texts import text


@dataclass(frozen=True)
class FieldError:
    """One refused field: its path (`items.0.quantity`), a code, and the code's parameters."""

    field: str
    code: str
    params: dict[str, Any] = dataclasses.field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {"field": self.field, "code": self.code, "message": text(self.code, self.params)}


MOST_ERRORS = 100
"""The most fields that a refusal names."""


class Refusal(Exception):
    """An expected error: the request is refused. `status` is the HTTP status, `code` the public code."""

    status: ClassVar[int] = 409
    code: ClassVar[str] = "conflict"

    def __init__(self, *, errors: tuple[FieldError, ...] | list[FieldError] = (), **params: Any) -> None:
        super().__init__(self.code)
        self.params = params
        self.errors = tuple(errors[:MOST_ERRORS])

    def __reduce__(self) -> Any:
        """Pickle the error for another process. The default `__reduce__` would call `__init__` with the code alone."""
        return Exception.__new__, (type(self), self.code), self.__dict__

    def as_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "message": text(self.code, self.params),
            "params": self.params,
            "errors": [error.as_json() for error in self.errors],
        }


class MalformedJson(Refusal):
    status = 400
    code = "malformed_json"


class BadRequest(Refusal):
    status = 400
    code = "bad_request"


class UnknownHost(Refusal):
    """The request's `Host` is none of `ALLOWED_HOSTS`, as when somebody opens the product by an IP address."""

    status = 400
    code = "unknown_host"


class Unauthenticated(Refusal):
    status = 401
    code = "unauthenticated"


class PermissionDenied(Refusal):
    status = 403
    code = "permission_denied"


class NotFound(Refusal):
    status = 404
    code = "not_found"


class MethodNotAllowed(Refusal):
    status = 405
    code = "method_not_allowed"


class AlreadyExists(Refusal):
    """Another record has this name, key, number or e-mail; `field` says which."""

    code = "already_exists"

    def __init__(self, name: str) -> None:
        super().__init__(errors=[FieldError(name, "already_exists")], field=name)


class AlreadyCanceled(Refusal):
    """The record to change, bill or cancel is already canceled, which is final."""

    code = "already_canceled"


class InUse(Refusal):
    """Other records use the record to delete, or the part to switch off. `by` maps their kinds to their counts."""

    code = "in_use"

    def __init__(self, by: dict[str, int]) -> None:
        super().__init__(by=by)

    def as_json(self) -> dict[str, Any]:
        named = {text(f"in_use_by_{name}"): count for name, count in self.params["by"].items()}
        return {**super().as_json(), "message": text(self.code, {"by": named})}


class ChangeInUse(Refusal):
    """The caller wants to change a field that records in use rely on. `error`: the field, and why it must stay."""

    code = "in_use"

    def __init__(self, error: FieldError) -> None:
        super().__init__(errors=[error], **error.params)

    def as_json(self) -> dict[str, Any]:
        (error,) = self.errors
        return {**super().as_json(), "message": text(error.code, error.params)}


class StaleVersion(Refusal):
    status = 412
    code = "stale_version"


class BodyTooLarge(Refusal):
    status = 413
    code = "body_too_large"


class InvalidFields(Refusal):
    status = 422
    code = "invalid_fields"

    @classmethod
    def of(cls, name: str, code: str, **params: Any) -> "InvalidFields":
        return cls(errors=[FieldError(name, code, params)])


@contextmanager
def named_by(field: str) -> Iterator[None]:
    """Turn a `NotFound` into 422 `unknown` for `field`, the field of the body that named the record.

    A 404 is only for records that the path names.
    """
    try:
        yield
    except NotFound as error:
        raise InvalidFields.of(field, "unknown") from error


class IdempotencyKeyReused(Refusal):
    status = 422
    code = "idempotency_key_reused"


class TooManyAttempts(Refusal):
    """Too many attempts, for example to sign in. `retryAfter` is in seconds."""

    status = 429
    code = "too_many_attempts"


class TooManyCalls(Refusal):
    """Too many calls through one secret address in a minute, or too many answers of one customer in an hour."""

    status = 429
    code = "too_many_calls"


class ServerError(Refusal):
    status = 500
    code = "server_error"


class Unavailable(Refusal):
    status = 503
    code = "unavailable"
