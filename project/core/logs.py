"""Structured logging: one JSON object per line, with the id of the request or job and without secrets."""

import json
import logging
import re
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings

from project.core.environment import addresses_in
from project.core.sealing import own_secrets

current_request_id: ContextVar[str] = ContextVar("current_request_id", default="")
"""Id of the current request, socket or job; empty outside of one."""
current_user_id: ContextVar[int | None] = ContextVar("current_user_id", default=None)
"""User id of the current request's caller: negative for a display, None if nobody is signed in."""

HIDDEN = "[hidden]"
_SECRETS = re.compile(
    r"""
    (?P<before>
        \b(?:ticket|access_token|token|\w*password|secret|pin|badge|authorization|cookie|x-known-browser)
            ["']?\s*[=:]\s*["']?(?:bearer\s+)?
      | \bbearer\s+
      | Restablecer/
      | (?:/api|\#)/c/
      | /api/calendar/
      | ://[^\s/:@]*:(?=[^\s/]*@)
    )
    [^\s"'&,;}\])@]+
    | (?P<alone>\beyJ[\w-]{10,}\.[\w-]+\.[\w-]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)


@contextmanager
def own_id(name: str = "") -> Iterator[None]:
    """Give the log lines of a job an id: `name`, or a new random one."""
    token = current_request_id.set(name or secrets.token_hex(8))
    try:
        yield
    finally:
        current_request_id.reset(token)


def without_secrets(text: str) -> str:
    """Remove this installation's secrets from `text`, and whatever looks like a password, token or ticket."""
    for secret in _own_secrets():
        text = text.replace(secret, HIDDEN)
    return _SECRETS.sub(lambda found: (found["before"] or "") + HIDDEN, text)


@cache
def _own_secrets() -> tuple[str, ...]:
    mailer: Any = settings.MAILERS["default"]
    storage: Any = settings.STORAGES["default"]
    redis = [urlsplit(one).password or "" for one in addresses_in(settings.REDIS_URL)]
    found = {
        *own_secrets(),
        *settings.QR_KEYS,
        *settings.BACKUP_KEY,
        settings.BACKUP_S3["aws_secret_access_key"],
        settings.DATABASES["default"].get("PASSWORD"),
        mailer.get("OPTIONS", {}).get("password"),
        storage.get("OPTIONS", {}).get("secret_key"),
        *redis,
        *map(unquote, redis),
        urlsplit(settings.SENTRY_DSN).username,
        (settings.PAC or {}).get("password"),
    }
    # Longest first, because one secret may contain another. Skip very short ones: they occur inside ordinary words.
    return tuple(sorted((one for one in found if one and len(one) >= 6), key=len, reverse=True))


class WithRequestId(logging.Filter):
    """Adds to each record the id of the current request and of its caller."""

    def filter(self, record: logging.LogRecord) -> bool:
        answered = getattr(record, "request", None)  # Django logs an answer after all middleware
        record.request_id = current_request_id.get() or getattr(answered, "id", "")
        record.user_id = current_user_id.get() or getattr(getattr(answered, "principal", None), "user_id", None)
        return True


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON; line breaks in a message are escaped."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            "requestId": getattr(record, "request_id", ""),
            "userId": getattr(record, "user_id", None),
        }
        if record.exc_info:
            line["exception"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def log_what_python_prints() -> None:
    """Log Python's warnings, and exceptions that end a thread, like all other lines."""
    logging.captureWarnings(True)
    threading.excepthook = _thread_died


def _thread_died(args: threading.ExceptHookArgs) -> None:
    if args.exc_type is not SystemExit and args.exc_value is not None:
        name = args.thread.name if args.thread else ""
        logging.getLogger(__name__).error("the thread %s ended by an exception", name, exc_info=args.exc_value)
