"""All that is kept of a person, as he may read it: no hash and no token is in it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, Q, QuerySet
from pydantic.alias_generators import to_camel

from project.access import throttle
from project.access.models import Operator
from project.audit.models import AuditEntry
from project.billing.models import Bill
from project.catalogs.models import ProcessPrice
from project.core import clock
from project.core.db_connections import give_connection_back
from project.core.models import IdempotentAnswer
from project.core.schemas import utc_z
from project.identity.models import User
from project.importing.models import Import
from project.notifications.models import ReadMark
from project.orders.models import ProcessRecord
from project.piecework.models import Payment, PaymentItem
from project.printing.models import PrintRun
from project.staffing.models import CustomerAccount, ProcessWorker
from realtime.models import LiveSeat, OutboxEvent

BATCH = 1_000
_NAMES = {"pk": "id"}


@dataclass(frozen=True)
class Section:
    """Rows that concern a person by one of `people`, columns with his id; `columns` are what is told of each."""

    name: str
    model: type[Model]
    people: tuple[str, ...]
    columns: tuple[str, ...]

    def rows(self, user_id: int) -> Iterator[dict[str, Any]]:
        """In the order of their keys."""
        his = reduce(or_, (Q(**{column: user_id}) for column in self.people))
        return _in_batches(self.model._default_manager.filter(his), self.columns)


_ENTRY = ("at", "user_id", "address", "entity", "entity_id", "label", "action", "changes")
SECTIONS = (
    Section("productionProcesses", ProcessWorker, ("user",), ("process", "process__name")),
    Section("customer", CustomerAccount, ("user",), ("customer", "customer__name")),
    Section(
        "stations",
        Operator,
        ("user", "station_user"),
        ("user", "station_user", "process_id", "since", "used_at", "station_expires_at"),
    ),
    Section("openSockets", LiveSeat, ("user_id",), ("number",)),
    Section("whatHeDid", AuditEntry, ("user_id",), _ENTRY),
    Section(
        "movements",
        ProcessRecord,
        ("input_by", "output_by", "released_by"),
        (
            "line__order",
            "line__position",
            "process__name",
            "quantity",
            "input_by",
            "input_at",
            "input_notes",
            "output_by",
            "output_at",
            "output_notes",
            "released_by",
            "released_at",
            "release_notes",
            "undone",
            "price",
            "quantity_paid",
        ),
    ),
    Section("pricesSet", ProcessPrice, ("user_id",), ("process__name", "price", "since")),
    Section("earnings", PaymentItem, ("earner",), ("payment", "record", "quantity", "price", "amount")),
    Section(
        "payments",
        Payment,
        ("payee", "created_by", "canceled_by"),
        (
            "date",
            "status",
            "total",
            "notes",
            "payee",
            "created_by",
            "created_at",
            "canceled_by",
            "canceled_at",
            "cancel_notes",
        ),
    ),
    Section(
        "bills",
        Bill,
        ("created_by", "billed_by", "canceled_by"),
        (
            "number",
            "pre_bill_number",
            "date",
            "status",
            "total",
            "currency",
            "created_by",
            "created_at",
            "billed_by",
            "billed_at",
            "canceled_by",
            "canceled_at",
        ),
    ),
    Section("notificationsRead", ReadMark, ("user",), ("announcement__kind", "announcement__order_id", "read_at")),
    Section("personalEvents", OutboxEvent, ("to_user",), ("type", "created_at", "payload")),
    Section("uploads", Import, ("user",), ("catalog", "file_name", "state", "created_at")),
    Section("printsUnderWay", PrintRun, ("user",), ("total", "done", "started_at")),
    Section("repeatableWrites", IdempotentAnswer, ("user",), ("kind", "ids", "created_at")),
)
"""Every table with a column that holds a person's id; a test walks the models for one that is left out."""


def told(user: User) -> Iterator[str]:
    """A JSON object in pieces: who he is, and a list for each section. `user` is loaded by `staffing.selectors`."""
    yield "{" + _member("madeAt", clock.now()) + ",\n" + _member("person", _person(user))
    for section in SECTIONS:
        yield from _list(section.name, section.rows(user.pk))
    yield from _list("whatWasChangedOfHim", _entries_about(user.pk))
    attempts = throttle.of_account(user.pk, [user.email])
    yield from _list("signInAttempts", _in_batches(attempts, ("purpose", "address", "at", "failed")))
    yield "}\n"


def _person(user: User) -> dict[str, Any]:
    return {
        "id": user.pk,
        "email": user.email,
        "firstName": user.first_name,
        "lastName": user.last_name,
        "secondLastName": user.second_last_name,
        "userType": user.user_type,
        "active": user.active,
        "locked": user.locked,
        "language": user.language,
        "roles": sorted(role.name for role in user.roles.all()),
        "hasPassword": user.has_usable_password(),
        "hasPin": user.pin_hash is not None,
        "hasBadge": user.badge_hash is not None,
        "createdAt": user.created_at,
        "erasedAt": user.erased_at,
    }


def _entries_about(user_id: int) -> Iterator[dict[str, Any]]:
    return _in_batches(AuditEntry.objects.filter(entity="users", entity_id=user_id), _ENTRY)


def _in_batches(found: QuerySet[Any], columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """The rows by their keys, `BATCH` a query: no connection is held while the caller receives them."""
    ordered = found.order_by("pk").values("pk", *columns)
    batch = list(ordered[:BATCH])
    while batch:
        give_connection_back()
        yield from batch
        batch = list(ordered.filter(pk__gt=batch[-1]["pk"])[:BATCH])


def _list(name: str, rows: Any) -> Iterator[str]:
    yield f",\n{json.dumps(name)}:["
    for number, row in enumerate(rows):
        named = {_NAMES.get(column) or to_camel(column.replace("__", "_")): value for column, value in row.items()}
        yield (",\n" if number else "\n") + json.dumps(named, ensure_ascii=False, cls=_Encoder)
    yield "]"


def _member(name: str, value: object) -> str:
    return f"{json.dumps(name)}:{json.dumps(value, ensure_ascii=False, cls=_Encoder)}"


class _Encoder(DjangoJSONEncoder):
    def default(self, value: Any) -> Any:
        return utc_z(value) if isinstance(value, datetime) else super().default(value)
