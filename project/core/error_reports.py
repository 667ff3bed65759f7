"""Report the product's own errors to a Sentry-compatible service, if `SENTRY_DSN` is set.

A report contains the type of the error, lines of code, and the request's id, by which you find the details in the log.
It contains no values of variables, no exception texts, no addresses, and no person's name or id. The SDK's default
integrations send all of these, so they are disabled.
"""

import logging
from typing import TYPE_CHECKING, Any

import sentry_sdk
from django.conf import settings
from sentry_sdk.integrations.atexit import AtexitIntegration
from sentry_sdk.integrations.excepthook import ExcepthookIntegration
from sentry_sdk.integrations.logging import EventHandler

from project.core.logs import current_request_id, without_secrets

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

OUR_LOGGERS = ("project", "realtime")
_OF_EVENT = ("event_id", "timestamp", "platform", "level", "logger", "release", "environment", "server_name", "sdk")
_OF_FRAME = ("filename", "function", "lineno", "module", "in_app", "pre_context", "context_line", "post_context")


class ErrorReports(EventHandler):
    """Reports log records of errors. The SDK patches nothing in Django or in libraries."""

    def __init__(self) -> None:
        super().__init__(level=logging.ERROR)
        if not sentry_sdk.is_initialized():
            sentry_sdk.init(
                dsn=settings.SENTRY_DSN,
                release=settings.VERSION,
                default_integrations=False,
                auto_enabling_integrations=False,
                # Report commands that crash, and send pending reports when a process ends.
                integrations=[ExcepthookIntegration(), AtexitIntegration(callback=lambda pending, timeout: None)],
                include_local_variables=False,
                max_breadcrumbs=0,
                auto_session_tracking=False,
                send_client_reports=False,
                before_send=only_what_is_named,
            )


def only_what_is_named(event: "Event", hint: "Hint") -> Any:
    """Return the event with only the fields that this module names.

    None, so that nothing is reported, for an answer that Django logs without an exception.
    """
    record: logging.LogRecord | None = hint.get("log_record")
    if record is not None and record.name == "django.request" and not record.exc_info:
        return None
    given: dict[str, Any] = dict(event)
    kept: Any = {name: given[name] for name in _OF_EVENT if name in given}
    kept["tags"] = {"requestId": current_request_id.get()}
    if record is not None:
        kept["logentry"] = {"message": _template(record)}
    if "exception" in given:
        kept["exception"] = {"values": [_exception(one) for one in given["exception"]["values"]]}
    return kept


def _template(record: logging.LogRecord) -> str:
    """Return the text of a log message with placeholders instead of values.

    If another library has already put the values into its message, return a general text instead.
    """
    ours = record.name.split(".")[0] in OUR_LOGGERS
    return without_secrets(str(record.msg)) if ours or record.args else f"an error of {record.name}"


def _exception(given: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {name: given[name] for name in ("type", "module", "mechanism") if name in given}
    frames = (given.get("stacktrace") or {}).get("frames", [])
    kept["stacktrace"] = {"frames": [{name: one[name] for name in _OF_FRAME if name in one} for one in frames]}
    return kept
