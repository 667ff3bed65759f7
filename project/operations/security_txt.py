"""`/.well-known/security.txt`: who takes reports of weaknesses (RFC 9116)."""

from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from project.core import clock

GOOD_FOR = timedelta(days=180)
"""The file is made for each request, so it never expires while the site is up."""


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Answer `/.well-known/security.txt` with the contact `SECURITY_CONTACT`. 404 if the setting is empty."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = datetime.combine((clock.now() + GOOD_FOR).date(), time(), UTC)
    lines = {
        "Contact": settings.SECURITY_CONTACT,
        "Expires": f"{expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages": "es, en",
        "Canonical": f"{settings.PUBLIC_URL}/.well-known/security.txt",
    }
    text = "".join(f"{name}: {value}\n" for name, value in lines.items())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
