"""Defines the import of people: names, an e-mail or a PIN, roles and processes. It adds people and changes none."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from project.access.permissions import Permission
from project.access.principal import Principal
from project.catalogs import heads
from project.catalogs.cells import LONGEST_QUOTED, BadCell, Cell, Cells, Names, Registers, as_email, as_text
from project.catalogs.columns import CatalogColumn, plain, several_named
from project.catalogs.definition import CatalogDefinition, Fields
from project.catalogs.models import ProductionProcess
from project.core.emails import undeliverable
from project.core.errors import AlreadyExists, FieldError, InvalidFields, PermissionDenied, TooManyAttempts
from project.core.texts import either
from project.identity import pins, rules as accounts
from project.identity.models import Role, RolePermission, User
from project.staffing import rules, schemas, selectors, services

HIDDEN = "••••••"
_PIN = re.compile(pins.PIN)


def as_pin(cell: Cell, registers: Registers) -> Any:
    """Read a PIN. Refuses a number without six digits, which may have lost leading zeros. Raises `BadCell`."""
    text = as_text(cell, registers).strip()
    if isinstance(cell, (int, float)) and not _PIN.fullmatch(text):
        raise BadCell("text_expected")
    if not _PIN.fullmatch(text):
        raise BadCell("not_a_pin", text=text[:LONGEST_QUOTED])
    return text


def _errors(row: User, fields: Fields) -> Iterable[FieldError]:
    """Refuse a person who already has an account, who has neither e-mail nor PIN, or whose PIN is weak."""
    yield from undeliverable("email", fields.get("email"), None)
    if row.pk:
        yield FieldError("email", "already_exists")
    elif not (fields.get("email") or fields.get("pin")):
        yield FieldError("email", "email_or_pin")
    elif fields.get("pin"):
        try:
            pins.check_pin(fields["pin"])
        except InvalidFields as weak:
            yield from weak.errors


def _beyond(rows: Sequence[Fields], by: Principal) -> Iterable[tuple[int, FieldError]]:
    """Refuse rows with a role that holds more than `by`, or with a process that `by` may not assign. 2 queries."""
    actions: dict[int, set[str]] = {}
    named = {pk for fields in rows for pk in fields.get("role_ids", [])}
    for role_id, action in RolePermission.objects.filter(role__in=named).values_list("role", "action"):
        actions.setdefault(role_id, set()).add(action)
    own = selectors.processes_of(by.user_id)
    for index, fields in enumerate(rows):
        try:
            accounts.check_grant(by, (one for pk in fields.get("role_ids", []) for one in actions.get(pk, ())))
        except PermissionDenied:
            yield index, FieldError("roles", "permission_denied")
        try:
            rules.check_processes(by, given={*fields.get("production_process_ids", [])}, own=own)
        except PermissionDenied:
            yield index, FieldError("processes", "permission_denied")


def _taken_pins(rows: Iterable[tuple[int, Cells]], by: Principal) -> Mapping[int, FieldError]:
    """Find the rows with a PIN that another person has. Each such row counts as an attempt.

    Raises `TooManyAttempts` if the caller has no attempts left and no such row was found. If some were found, returns
    these without checking the other rows.
    """
    taken: dict[int, FieldError] = {}
    for number, cells in rows:
        if not cells.get("pin"):
            continue
        pin = as_pin(cells["pin"], {})
        try:
            with pins.attempt(by):
                if User.objects.filter(pin_hash__in=[pins.hash_of_pin(pin), *pins.former_hashes(pin)]).exists():
                    raise AlreadyExists("pin")
        except pins.PinTaken as refusal:
            taken[number] = refusal.errors[0]
        except TooManyAttempts:
            if not taken:
                raise
            break
    return taken


@dataclass(frozen=True, kw_only=True)
class PeopleDefinition(CatalogDefinition[User]):
    """Defines the import of people. People are not a catalog: their list, form and events belong to `staffing`."""

    def __post_init__(self) -> None:
        """Do not register people among the catalogs."""

    @property
    def key(self) -> str:
        return "firstName"

    def rows(self) -> QuerySet[User]:
        return User.objects.all()


PEOPLE = PeopleDefinition(
    name="users",
    model=User,
    body=schemas.UserIn,
    answer=schemas.UserOut,
    reads=Permission.ListUsers,
    columns=(
        plain("firstName"),
        plain("lastName"),
        plain("secondLastName"),
        plain("email", as_email),
        CatalogColumn("pin", lambda row: "", field="pin", read=as_pin, proposed=lambda fields, _: HIDDEN),
        several_named("roles", "roleIds", "roles"),
        several_named("processes", "productionProcessIds", "processes"),
    ),
    label="lastName",
    errors=_errors,
    registers=lambda: {"roles": Names(Role), "processes": Names(ProductionProcess)},
    proposed=heads.PEOPLE,
    once_in_file=("pin",),
    import_errors=_beyond,
    last_errors=_taken_pins,
    write_imported=lambda rows, by: services.people_create(rows, by=by),
    example=lambda: (
        "Guadalupe",
        "Nava",
        "Ortiz",
        "",
        "482913",
        "",
        either("Limado\nPulido", "Filing\nPolishing"),
    ),
)
