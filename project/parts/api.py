"""REST of the parts of the product (infra/docs/rules.md#parts)."""

from typing import Annotated

from django.http import HttpRequest
from ninja import Path

from project.access.guard import Requires, SignedIn, caller
from project.access.permissions import Permission
from project.core.idempotency import Repeat
from project.core.routing import domain_router
from project.parts import services
from project.parts.contents import PartKey
from project.parts.schemas import PartIn, PartOut

router = domain_router("parts")


def _out(state: services.PartState) -> PartOut:
    return PartOut(key=state.key, on=state.on, since=state.since)


@router.get("", auth=SignedIn("the menu of all staff depends on it"), operation_id="part_list")
def part_list(request: HttpRequest) -> list[PartOut]:
    """Return all parts."""
    return [_out(state) for state in services.part_list()]


def part_now(request: HttpRequest, key: PartKey) -> PartOut:
    """Answer a repeated PUT with the part as it is now."""
    return next(part for part in part_list(request) if part.key == key)


@router.put("/{key}", auth=Requires(Permission.UpdateCompany), operation_id="part_put", repeat=Repeat(part_now))
def part_put(request: HttpRequest, key: Annotated[PartKey, Path()], body: PartIn) -> PartOut:
    """Switch a part on or off. 409 `in_use` if a part with records is to be switched off."""
    return _out(services.part_put(key, on=body.on, by=caller(request)))
