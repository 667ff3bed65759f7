"""OpenTelemetry traces, if `OTEL_EXPORTER_OTLP_ENDPOINT` names a collector.

A span contains only what this module and its callers name: no address, no body, no parameter of a statement and no text
of an exception. OpenTelemetry's instrumentation of Django sends whole addresses, so it is not used.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connection

if TYPE_CHECKING:
    from opentelemetry.trace import Span, SpanKind, Tracer

LONGEST_STATEMENT = 2_000


@cache
def _tracer() -> "Tracer":
    """Import OpenTelemetry only here, so that installations without a collector do not load it."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    names = {"service.version": settings.VERSION} | (
        {} if "OTEL_SERVICE_NAME" in os.environ else {"service.name": "obrador"}
    )
    provider = TracerProvider(resource=Resource.create(names))  # it flushes when the process ends
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider.get_tracer("obrador", settings.VERSION)


@contextmanager
def _span(name: str, kind: "SpanKind", headers: Mapping[str, str]) -> Iterator["Span"]:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    above = TraceContextTextMapPropagator().extract({key.lower(): value for key, value in headers.items()})
    with _tracer().start_as_current_span(
        name, above or None, kind=kind, record_exception=False, set_status_on_exception=False
    ) as span:
        yield span


@contextmanager
def answering(method: str, headers: Mapping[str, str]) -> Iterator["Span"]:
    """Trace a request that is being answered, with a child span for each SQL statement of this thread."""
    from opentelemetry.trace import SpanKind

    with _span(method, SpanKind.SERVER, headers) as span, connection.execute_wrapper(_statement):
        yield span


@contextmanager
def asking(name: str) -> Iterator[dict[str, str]]:
    """Trace a request to another process of the product. Yields the headers that continue the trace there."""
    headers: dict[str, str] = {}
    if not settings.TRACED:
        yield headers
        return
    from opentelemetry.trace import SpanKind
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    with _span(name, SpanKind.CLIENT, {}):
        TraceContextTextMapPropagator().inject(headers)
        yield headers


def _statement(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
    """Trace a statement (a Django execute wrapper). Its SQL has placeholders instead of values."""
    from opentelemetry.trace import SpanKind

    text = str(sql)
    with _span(text.partition(" ")[0], SpanKind.CLIENT, {}) as span:
        span.set_attributes({"db.system.name": connection.vendor, "db.query.text": text[:LONGEST_STATEMENT]})
        return execute(sql, params, many, context)
