"""Pictures over HTTP: an `<img>` sends no token, so its address carries a signed pass of the reader's session."""

import logging

from django.core.files.storage import default_storage
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from project.access.token import current
from project.core.errors import NotFound, Unavailable
from project.core.middleware import refused
from project.core.pictures import claims_of, rights_mark, stored_name
from project.core.queries import give_connection_back

log = logging.getLogger(__name__)


@require_safe
def picture_view(request: HttpRequest, place: str) -> HttpResponse:
    """Serve a picture to the holder of a pass; else 404.

    The pass is valid while its session lasts and the session's permissions stay the same. The pass of a page by link
    opens only one picture. 503 if the file storage fails.
    """
    try:
        claims = claims_of(request.META["QUERY_STRING"])
        name = stored_name(place)
        session = current(
            user_id=claims.user_id, jti=claims.jti, expires_at=claims.expires_at, version=claims.token_version
        )
        if session is None:
            return refused(NotFound())
        opened = place if session.page is not None else ""
        if rights_mark(session.permissions, session.customer_id, opened) != claims.rights:
            return refused(NotFound())
        give_connection_back()
        with default_storage.open(name) as file:
            response = HttpResponse(file.read(), content_type="image/jpeg")
    except (NotFound, ValueError, FileNotFoundError):
        return refused(NotFound())
    except OSError:
        log.exception("the file storage failed")
        return refused(Unavailable())
    response["Cache-Control"] = "private, max-age=3600, immutable"
    return response
