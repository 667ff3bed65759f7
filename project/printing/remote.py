"""Forwards print requests to the PDF service at `PDF_URL`, which checks the caller and reads the data itself."""

import logging

import httpx
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from project.core import tracing
from project.core.logs import current_request_id
from project.printing.render_pool import PdfUnavailable

CONNECT_SECONDS = 3.0
ANSWER_SECONDS = 300.0
PASSED_ON = ("Authorization", "Accept-Language", "Content-Type", "X-Forwarded-For")
"""The headers to forward. `X-Forwarded-For` lets the service's audit record the client's address."""
PASSED_BACK = ("Content-Type", "Content-Disposition", "Content-Language")

logger = logging.getLogger(__name__)


def ask(request: HttpRequest) -> HttpResponse:
    """Send the request to the service and return its answer. Raises `PdfUnavailable` if the service does not answer or
    answers 5xx."""
    headers = {name: request.headers[name] for name in PASSED_ON if name in request.headers}
    headers["X-Request-Id"] = current_request_id.get()
    url, timeout = settings.PDF_URL + request.get_full_path(), httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS)
    try:
        with tracing.asking("the PDF service") as trace:
            answer = httpx.request(
                request.method or "POST",
                url,
                content=request.body,
                headers=headers | trace,
                timeout=timeout,
                trust_env=False,
            )
    except httpx.HTTPError as error:
        logger.warning("the PDF service does not answer: %s", error)
        raise PdfUnavailable from error
    if answer.status_code >= 500:
        raise PdfUnavailable
    response = HttpResponse(answer.content, status=answer.status_code)
    for name in PASSED_BACK:
        if name in answer.headers:
            response[name] = answer.headers[name]
    return response
