"""REST API of personal data: its export as a file, and its erasure."""

from typing import Annotated, Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from ninja import Path

from project.access.guard import Requires, RequiresOrSelf, caller
from project.access.permissions import Permission
from project.audit.exporting import exported
from project.core.exporting import download
from project.core.routing import Public, domain_router
from project.core.schemas import Id
from project.personal_data import schemas, selectors, services
from project.staffing import documents
from project.staffing.schemas import UserOut
from project.staffing.selectors import user_get

router = domain_router("personal data")

privacy = domain_router("personal data")

PathId = Annotated[Id, Path()]
MEMBERS: dict[str, dict[str, Any]] = {
    "madeAt": {"type": "string", "format": "date-time"},
    "person": {"type": "object"},
    **{name: {"type": "array", "items": {"type": "object"}} for name in selectors.LISTS},
}
FILE = {
    "content": {
        "application/json": {"schema": {"type": "object", "properties": MEMBERS, "required": list(MEMBERS)}},
    },
    "description": "OK",
}


@router.get(
    "/{int:user_id}/personal-data",
    auth=RequiresOrSelf(Permission.ManagePersonalData, customers="the data kept about themselves", services=False),
    operation_id="personal_data_get",
    openapi_extra={"responses": {200: FILE}},
)
def personal_data(request: HttpRequest, user_id: PathId) -> HttpResponseBase:
    """Export all data about a person as a JSON file. Every user may export their own."""
    user = user_get(user_id)
    name = f"personal-data-{user_id}.json"
    exported(name, filters={"userId": user_id}, rows=1, by=caller(request))
    return download(request, (piece.encode() for piece in selectors.json_of(user)), name, "application/json")


@router.post(
    "/{int:user_id}/erase",
    auth=Requires(Permission.ManagePersonalData),
    operation_id="user_erase",
)
def erase(request: HttpRequest, user_id: PathId, body: schemas.ErasureIn) -> UserOut:
    """Erase a person for good: records keep the person's id, and the person's names are removed. Idempotent."""
    user = services.person_erase(user_id=user_id, name=body.name, by=caller(request))
    return documents.user(user)


@privacy.get("", auth=Public("everyone may read the privacy notice"), operation_id="privacy_get")
def privacy_get(request: HttpRequest) -> schemas.PrivacyOut:
    """Return for how long personal data is kept. Public, for the privacy notice."""
    return schemas.PrivacyOut(
        audit_days=settings.AUDIT_KEEP.days or None,
        events_days=settings.EVENTS_KEEP.days,
        uploads_days=settings.UPLOADS_KEEP.days,
    )
