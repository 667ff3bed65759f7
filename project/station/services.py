"""Who stands at a station: a person names himself by PIN or badge in the station's session.

See infra/docs/rules.md#operators.
"""

from django.db import transaction

from project.access import operators, throttle
from project.access.models import SignInAttempt
from project.access.permissions import Permission
from project.access.principal import Principal
from project.access.token import current
from project.audit import services as audit
from project.catalogs.models import ProductionProcess
from project.core.errors import InvalidFields, PermissionDenied, Refusal
from project.identity import pins
from project.identity.models import User
from project.identity.sessions import Account
from project.orders import rules
from project.orders.rules import Side
from project.staffing.selectors import processes_of


class UnknownOperator(Refusal):
    """One answer for a PIN or a badge that nobody has, and for that of somebody who may not sign in."""

    status = 422
    code = "unknown_operator"


def operator_begin(*, pin: str | None, badge: str | None, process_id: int | None, by: Principal) -> tuple[str, User]:
    """A token for whom the PIN or badge names, at this station. Raises `InvalidFields` unless exactly one is given,
    `TooManyAttempts`, `UnknownOperator`, and, where a process is given, `NotYourProcess` or `PermissionDenied` for one
    who may move nothing there. Not atomic as a whole, so that a wrong one stays counted."""
    if (pin is None) == (badge is None):
        raise InvalidFields.of("pin", "required")
    process = None
    if process_id is not None:
        process = ProductionProcess.objects.filter(pk=process_id).first()
        if process is None:
            raise InvalidFields.of("productionProcessId", "unknown")
    purpose = SignInAttempt.BADGE if pin is None else SignInAttempt.OPERATOR
    attempt = throttle.begin(by.jti, f"account {by.user_id}", purpose=purpose)
    found = pins.holder(pin=pin, badge=badge)
    if found is None:
        if throttle.failed(attempt):
            audit.record_guessing("badge" if pin is None else "pin", entity_id=by.user_id, label=by.full_name, by=by)
        raise UnknownOperator
    throttle.withdraw(attempt)
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
    """Raises `PermissionDenied` or `NotYourProcess` for one who may neither bring pieces into the process nor take them
    out: every press of his would be refused."""
    rights = current(user_id=person.pk, jti=station.jti, expires_at=station.expires_at)
    if rights is None or not rights.holds(
        Permission.SalesOrderPositionProcessIn, Permission.SalesOrderPositionProcessOut
    ):
        raise PermissionDenied
    # He takes out what is inside, even of an inactive process.
    rules.check_mover(Side.exit, works_there=process.pk in processes_of(person.pk), active=process.status)
