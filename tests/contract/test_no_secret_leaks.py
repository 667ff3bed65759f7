"""Let every operation fail with its whole request in the exception: no secret reaches a log, and no value of the
request reaches an error report or a trace."""

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import sentry_sdk
from django.conf import LazySettings, settings
from django.http import HttpRequest
from ninja.operation import Operation as NinjaOperation
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from project.core import database, tracing
from project.core.error_reports import ErrorReports
from tests.builders import Shop
from tests.contract.operations import Operation, operations, schema
from tests.telemetry import written_lines

SECRETS = {"password", "newPassword", "confirmNewPassword", "currentPassword", "pin", "badge", "token"}
JSON_OPERATIONS = sorted((one for one in operations() if not one.takes_file), key=str)


def names_of(part: Any, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """The names of all fields below a part of the OpenAPI document."""
    if isinstance(part, list):
        for one in part:
            yield from names_of(one, seen)
    elif isinstance(part, dict):
        reference = part.get("$ref", "").rpartition("/")[2]
        if reference and reference not in seen:
            yield from names_of(schema()["components"]["schemas"][reference], seen | {reference})
        for name, one in part.get("properties", {}).items():
            yield name
            yield from names_of(one, seen)
        for name, one in part.items():
            if name != "properties":
                yield from names_of(one, seen)


def test_every_secret_field_of_the_document_is_in_the_list() -> None:
    named = {name for one in operations() for name in names_of(one.description.get("requestBody", {}))}
    like_a_secret = {name for name in named if any(word in name.lower() for word in ("password", "secret", "token"))}
    assert like_a_secret <= SECRETS <= named


@pytest.fixture
def reports(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """The error reports that are sent."""
    sent: list[dict[str, Any]] = []

    class Kept(Transport):
        def capture_envelope(self, envelope: Envelope) -> None:
            sent.extend(item.payload.json for item in envelope.items if item.type == "event")  # type: ignore[misc]

    settings.SENTRY_DSN = "http://key@localhost/1"
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # restores the hook that the SDK replaces
    monkeypatch.setattr(sentry_sdk, "init", partial(sentry_sdk.init, transport=Kept))
    handler = ErrorReports()
    logging.getLogger().addHandler(handler)
    yield sent
    logging.getLogger().removeHandler(handler)
    sentry_sdk.get_client().close()
    sentry_sdk.get_global_scope().set_client(None)


@pytest.fixture
def spans(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr(tracing, "_tracer", lambda: provider.get_tracer("tests"))
    settings.MIDDLEWARE = ["project.operations.tracing.traced", *settings.MIDDLEWARE]
    return kept


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every operation fail with its headers and body in the exception and in its variables."""

    def fails(self: NinjaOperation, request: HttpRequest, **values: Any) -> None:
        given = f"{dict(request.headers)} {request.body.decode()}"
        raise ArithmeticError(given)

    monkeypatch.setattr(NinjaOperation, "run", fails)


def shown(span: ReadableSpan) -> str:
    return span.to_json()


@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize("operation", JSON_OPERATIONS, ids=str)
def test_a_failing_operation_leaks_no_value_of_its_request(
    shop: Shop, operation: Operation, reports: list[dict[str, Any]], spans: InMemorySpanExporter
) -> None:
    fields = set(names_of(operation.description.get("requestBody", {}))) | SECRETS
    body = {name: f"canary-{name.lower()}-" for name in sorted(fields)}
    spans.clear()
    with written_lines() as lines:
        answer = shop.ana.call(
            operation.method,
            f"{operation.path}?search=canary-search",
            body,
            x_request_id="walk-1",
            cookie="known-browser=canary-cookie",
            idempotency_key="canary-key",
            user_agent="canary-agent",
        )
    assert (answer.status, answer.headers["X-Request-Id"]) == (500, "walk-1")
    assert "canary" not in answer.text

    (line,) = [one for one in lines if "ArithmeticError" in one.get("exception", "")]
    assert line["requestId"] == "walk-1"
    log = json.dumps(lines)
    assert not [name for name in (*SECRETS, "cookie") if f"canary-{name.lower()}-" in log or "canary-cookie" in log]
    assert shop.ana.bearer
    assert shop.ana.bearer not in log

    (report,) = reports
    assert report["exception"]["values"][-1]["type"] == "ArithmeticError"
    assert report["exception"]["values"][-1]["stacktrace"]["frames"][-1]["function"] == "fails"
    assert report["tags"] == {"requestId": "walk-1"}
    (span,) = [one for one in spans.get_finished_spans() if one.name == operation.name]
    assert (span.attributes or {})["obrador.request_id"] == "walk-1"
    assert (span.attributes or {})["http.response.status_code"] == 500
    for one in (json.dumps(report), *map(shown, spans.get_finished_spans())):
        assert "canary" not in one
        assert shop.ana.bearer not in one
        assert "ana" not in one.lower().replace("canary", "").split('"')


def test_a_trace_has_the_statements_of_its_request_without_their_values(
    shop: Shop, spans: InMemorySpanExporter
) -> None:
    shop.ana.get("/api/materials?search=canary")
    (whole,) = [one for one in spans.get_finished_spans() if one.name == "material_list"]
    statements = [one for one in spans.get_finished_spans() if one.parent and one is not whole]
    assert len(statements) >= 2
    assert whole.context
    assert {one.parent.span_id for one in statements if one.parent} == {whole.context.span_id}
    texts = [str((one.attributes or {})["db.query.text"]) for one in statements]
    assert any("catalogs_material" in text and "%s" in text for text in texts)
    assert "canary" not in "".join(map(shown, spans.get_finished_spans()))


def test_a_trace_continues_the_trace_of_the_caller(shop: Shop, spans: InMemorySpanExporter) -> None:
    shop.ana.get("/api/materials", traceparent="00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    (whole,) = [one for one in spans.get_finished_spans() if one.name == "material_list"]
    assert whole.parent
    assert whole.parent.span_id == 0xB7AD6B7169203331


def test_without_their_settings_sentry_and_opentelemetry_are_not_imported() -> None:
    program = "import sys, project.asgi; print({'sentry_sdk', 'opentelemetry'} & set(sys.modules))"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OTEL_", "SENTRY_"))}
    command = [sys.executable, "-c", program]
    printed = subprocess.run(
        command, env=environment, cwd=settings.BASE_DIR, capture_output=True, check=True, text=True
    )
    assert printed.stdout == "set()\n"


def test_a_503_while_the_database_is_away_sends_no_error_report(
    shop: Shop, reports: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    away = threading.Event()
    away.set()
    monkeypatch.setattr(database, "away", away)
    assert shop.ana.get("/api/materials").status == 503
    assert not reports


def test_probes_are_not_traced(shop: Shop, spans: InMemorySpanExporter) -> None:
    assert shop.nobody.get("/health/live").status == 200
    assert shop.nobody.get("/metrics").status == 200
    assert not spans.get_finished_spans()
