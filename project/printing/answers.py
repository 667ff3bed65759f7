"""Answer a printed PDF over HTTP."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header

from project.core.queries import give_connection_back
from project.printing.services import Printed

PDF = {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}, "description": "The PDF"}
"""The OpenAPI description of the 200 of an operation that answers a PDF."""


XML_OR_PDF = {
    "content": {
        kind: {"schema": {"type": "string", "format": "binary"}} for kind in ("application/xml", "application/pdf")
    },
    "description": "The XML, or the PDF",
}
"""The OpenAPI description of the 200 of an operation that answers an electronic invoice."""


def elsewhere(request: HttpRequest) -> HttpResponse | None:
    """Return the answer of the service at `PDF_URL`; None if `PDF_URL` is not set."""
    if not settings.PDF_URL:
        return None
    from project.printing import remote  # imports an HTTP client that nothing else needs

    give_connection_back()
    return remote.ask(request)


def printed(request: HttpRequest, print_here: Callable[[], Printed]) -> HttpResponse:
    """Answer the PDF. The service at `PDF_URL` prints it if `PDF_URL` is set, else `print_here` does."""
    if (answer := elsewhere(request)) is not None:
        return answer
    made = print_here()
    response = HttpResponse(made.pdf, content_type="application/pdf")
    response["Content-Disposition"] = content_disposition_header(True, made.name)
    return response
