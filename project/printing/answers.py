"""Answer a printed PDF over HTTP."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header

from project.core.queries import give_connection_back
from project.printing.services import Printed

PDF = {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}, "description": "The PDF"}
"""The OpenAPI description of the 200 of an operation that answers a PDF."""


def printed(request: HttpRequest, print_here: Callable[[], Printed]) -> HttpResponse:
    """Answer the PDF. The service at `PDF_URL` prints it if `PDF_URL` is set, else `print_here` does."""
    if settings.PDF_URL:
        from project.printing import remote  # imports an HTTP client that nothing else needs

        give_connection_back()
        return remote.ask(request)
    made = print_here()
    response = HttpResponse(made.pdf, content_type="application/pdf")
    response["Content-Disposition"] = content_disposition_header(True, made.name)
    return response
