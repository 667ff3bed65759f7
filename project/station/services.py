"""Names the person who stands at a station, by PIN or badge, within the station's session.

See infra/docs/rules.md#operators.
"""

from django.db import transaction

from project.access import operators
from project.access.principal import Principal
from project.access.token import current
from project.audit import services as audit
from project.catalogs.models import ProductionProcess
from project.core.errors import InvalidFields, PermissionDenied
from project.identity import pins
from project.identity.models import User
from project.identity.sessions import Account
from project.orders import rules
from project.orders.documents import MOVERS
from project.orders.rules import Side
from project.staffing.selectors import processes_of


def operator_begin(*, pin: str | None, badge: str | None, process_id: int | None, by: Principal) -> tuple[str, User]:
    """Return a token at this station for the person with the PIN or badge, and the person.

    Raises `InvalidFields` unless exactly one of PIN and badge is given, and for an unknown process. Raises
    `TooManyAttempts` and `UnknownOperator`. Raises `NotYourProcess` or `PermissionDenied` if the person may move
    nothing at the given process. Not atomic as a whole, so that a wrong PIN or badge stays counted.
    """
    process = None
    if process_id is not None:
        process = ProductionProcess.objects.filter(pk=process_id).first()
        if process is None:
            raise InvalidFields.of("productionProcessId", "unknown")
    found = pins.identified(pin=pin, badge=badge, by=by)
    if process is not None:
        _check_may_move(found, process, by)
    with transaction.atomic():
        audit.record(
            entity="users",
            entity_id=found.pk,
            label=found.full_name,
            action="named-at-station",
            before={},
            after={**audit.at_station(by), "productionProcessName": process and process.name},
            by=Account(found.pk, found.full_name),
        )
        return operators.issue(found, station=by, process_id=process_id), found


def _check_may_move(person: User, process: ProductionProcess, station: Principal) -> None:
    """Raise `PermissionDenied` or `NotYourProcess` if the person may move no pieces at the process.

    Without this check, the station would refuse each of their movements.
    """
    rights = current(user_id=person.pk, jti=station.jti, expires_at=station.expires_at)
    if rights is None or not rights.holds(*MOVERS):
        raise PermissionDenied
    # Check an exit: they may take pieces out even of an inactive process.
    rules.check_mover(Side.exit, works_there=process.pk in processes_of(person.pk), active=process.status)
