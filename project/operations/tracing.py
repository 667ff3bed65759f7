"""Middleware that traces each request by its operation. It is used only if `OTEL_EXPORTER_OTLP_ENDPOINT` is set."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from opentelemetry.trace import Status, StatusCode

from project.core.middleware import of_the_operator
from project.core.tracing import answering
from project.operations.metrics import operation_of


def traced(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Trace each request, except health probes and `/metrics`: they would be most of all traces."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if of_the_operator(request):
            return get_response(request)
        with answering(request.method or "", request.headers) as span:
            response = get_response(request)
            span.update_name(operation_of(request))
            span.set_attributes(
                {
                    "http.request.method": request.method or "",
                    "http.response.status_code": response.status_code,
                    "obrador.request_id": response["X-Request-Id"],
                }
            )
            if response.status_code >= 500:
                span.set_status(Status(StatusCode.ERROR))
        return response

    return middleware
