"""`Idempotency-Key`: the same key and body again answers what the first one answered and does nothing.

The key is stored in the transaction of the effect: either both are there or neither, so a client that lost the
answer to a crash can ask again (contract, section 1; kept 24 hours for each user).
"""

import hashlib
import hmac
import re
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse

from project.access.guard import principal_of
from project.access.principal import Principal
from project.core import clock
from project.core.errors import IdempotencyKeyReused, InvalidFields, Unauthenticated
from project.core.middleware import refusal_of, refused
from project.core.models import IdempotentAnswer

KEPT = timedelta(hours=24)
LONGEST_KEY = 200
WRITES = frozenset({"POST", "PUT", "DELETE", "PATCH"})
# These say nothing about the write itself: the same call may fare better once rights or load have changed.
NOT_KEPT = frozenset({401, 403, 429})
# Answers with a token are not stored, a wrong password must stay counted when its answer is an error, and a print
# writes nothing: no transaction is held while it lasts.
NEVER_KEPT = re.compile(r"/identity/(authentication/|users/\d+/change-password/)|/pdf/")
KEPT_HEADERS = ("Content-Type", "ETag", "Location")

Handler = Callable[[HttpRequest], HttpResponse]


def answer_repeats(get_response: Handler) -> Handler:
    """The middleware; requests without a key, without a caller or that write nothing pass untouched."""

    def middleware(request: HttpRequest) -> HttpResponse:
        key = request.headers.get("Idempotency-Key")
        if key is None or request.method not in WRITES or NEVER_KEPT.match(request.path):
            return get_response(request)
        try:
            principal = _caller(request)
            if principal is None:
                return get_response(request)
            if not (1 <= len(key) <= LONGEST_KEY and key.isprintable()):
                raise InvalidFields.of("Idempotency-Key", "invalid")
            return _once(request, principal.user_id, key, get_response)
        except Exception as error:  # a middleware's exception would miss the one shape of errors
            return refused(refusal_of(error))

    return middleware


def _caller(request: HttpRequest) -> Principal | None:
    """The caller; a token that is over is the guard's to refuse."""
    try:
        return principal_of(request)
    except Unauthenticated:
        return None


@transaction.atomic
def _once(request: HttpRequest, user_id: int, key: str, get_response: Handler) -> HttpResponse:
    fingerprint = _fingerprint(request)
    IdempotentAnswer.objects.filter(user_id=user_id, key=key, created_at__lt=clock.now() - KEPT).delete()
    try:
        with transaction.atomic():  # a racing twin waits here until the first one has committed
            answer = IdempotentAnswer.objects.create(
                user_id=user_id, key=key, request_hash=fingerprint, created_at=clock.now()
            )
    except IntegrityError:
        return _repeated(IdempotentAnswer.objects.get(user_id=user_id, key=key), fingerprint)
    effect = transaction.savepoint_create()
    response = get_response(request)
    if response.status_code >= 400:
        transaction.savepoint_rollback(effect)
    if response.status_code >= 500 or response.status_code in NOT_KEPT or not _is_json(response):
        answer.delete()
        return response
    answer.status = response.status_code
    answer.headers = {name: response[name] for name in KEPT_HEADERS if name in response}
    answer.body = response.content.decode()
    answer.save(update_fields=["status", "headers", "body"])
    return response


def _is_json(response: HttpResponse) -> bool:
    return not response.streaming and response.headers.get("Content-Type", "").startswith("application/json")


def _repeated(answer: IdempotentAnswer, fingerprint: str) -> HttpResponse:
    if answer.request_hash != fingerprint:
        raise IdempotencyKeyReused
    response = HttpResponse(answer.body, status=answer.status)
    for name, value in answer.headers.items():
        response[name] = value
    response["Idempotent-Replayed"] = "true"
    return response


def _fingerprint(request: HttpRequest) -> str:
    """Keyed: a body may hold a password, and whoever reads the table must not be able to try passwords on it."""
    what = f"{request.method}\n{request.get_full_path()}\n".encode() + request.body
    return hmac.new(b"obrador answers:" + settings.SECRET_KEY.encode(), what, hashlib.sha256).hexdigest()
