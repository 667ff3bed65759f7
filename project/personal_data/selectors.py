"""The export of all data about a person, without hashes and tokens."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet
from pydantic.alias_generators import to_camel

from project.access import throttle
from project.access.models import Operator
from project.audit.models import AuditEntry
from project.batches.models import Batch
from project.billing.models import Bill, OriginCertificate
from project.calendars.models import CalendarFeed
from project.catalogs.models import ProcessItemPrice, ProcessPrice
from project.core import clock
from project.core.models import IdempotentAnswer
from project.core.money import plant_currency, with_minor_units
from project.core.queries import give_connection_back
from project.core.schemas import utc_z
from project.customer_links.models import (
    AnswerReply,
    ApprovalRequest,
    CustomerAnswer,
    CustomerLink,
    HandledAnswer,
)
from project.doors.models import Authenticator, CompanyAccount, Passkey, RecoveryCode
from project.identity.models import User
from project.importing.models import Import
from project.metal.models import Account, Lot, Melting, MetalCount, MetalDay, MetalEntry, Refining
from project.notices.models import Device, Gathered, Notice, NoticeSettings, ReadMark
from project.orders.models import Press, ProcessRecord
from project.piecework.models import Payment, PaymentItem
from project.printing.models import PrintRun
from project.staffing.models import CustomerAccount, ProcessWorker
from project.talk.models import Coming, Message
from realtime.models import OutboxEvent

BATCH = 1_000
_NAMES = {
    "pk": "id",
    "entry__notes": "inputNotes",
    "exit__notes": "outputNotes",
    "released__notes": "releaseNotes",
    "released__press__kind": "releaseKind",
}


@dataclass(frozen=True)
class Section:
    """Rows about a person. `person`: the column with the person's id; `columns`: the columns that they may read.

    Columns about other people are left out: their names, addresses, pay, prices and amounts. One exception: if the
    person changed another person's account, the id of that account is included (`entity_id` in the section `actions`,
    `ids` in `repeatableWrites`).
    """

    name: str
    model: type[Model]
    person: str
    columns: tuple[str, ...]

    def rows(self, user_id: int) -> Iterator[dict[str, Any]]:
        """Yield the person's rows, ordered by primary key."""
        return _in_batches(self.model._default_manager.filter(**{self.person: user_id}), self.columns)


_PLACE = ("line__order", "line__position", "process__name", "quantity")
_RELEASE = ("released_at", "release_reason__key", "released__notes", "released__press__kind")
_STATION = ("process_id", "since", "used_at", "reported_at", "report_received_at", "station_expires_at")
_BILL = ("number", "pre_bill_number", "date", "status")
SECTIONS = (
    Section("productionProcesses", ProcessWorker, "user", ("process", "process__name")),
    Section("customer", CustomerAccount, "user", ("customer", "customer__name")),
    Section("stations", Operator, "user", _STATION),
    Section("stationsOfAccount", Operator, "station_user", _STATION),
    Section("authenticators", Authenticator, "user", ("confirmed_at", "used_at")),
    Section("recoveryCodes", RecoveryCode, "user", ("used_at",)),
    Section("passkeys", Passkey, "user", ("name", "created_at", "used_at", "synced")),
    Section("calendars", CalendarFeed, "user", ("created_at", "used_at")),
    Section("companyAccounts", CompanyAccount, "user", ("issuer", "created_at", "used_at")),
    Section("actions", AuditEntry, "user_id", ("at", "address", "entity", "entity_id", "action")),
    Section("presses", Press, "by", ("kind", "at", "received_at", "lines")),
    Section("pressesAtStation", Press, "station", ("kind", "at", "received_at", "lines")),
    Section("entries", ProcessRecord, "input_by", (*_PLACE, "input_at", "entry__notes")),
    Section("exits", ProcessRecord, "output_by", (*_PLACE, "output_at", "exit__notes")),
    Section("releases", ProcessRecord, "released_by", (*_PLACE, *_RELEASE)),
    Section("lossesSigned", ProcessRecord, "loss_signed_by", (*_PLACE, "loss_signed_at")),
    Section("pricesSet", ProcessPrice, "user_id", ("process__name", "since")),
    Section("itemPricesSet", ProcessItemPrice, "user_id", ("process__name", "item__key", "since")),
    Section("earnings", PaymentItem, "earner", ("payment", "record", "quantity", "mg", "price", "amount")),
    Section("paymentsReceived", Payment, "payee", ("date", "status", "total", "notes")),
    Section("paymentsMade", Payment, "created_by", ("date", "created_at")),
    Section("paymentsCanceled", Payment, "canceled_by", ("date", "canceled_at", "cancel_notes")),
    Section("billsPrepared", Bill, "created_by", (*_BILL, "created_at")),
    Section("billsIssued", Bill, "billed_by", (*_BILL, "billed_at")),
    Section("billsCanceled", Bill, "canceled_by", (*_BILL, "canceled_at")),
    Section("originCertificatesMade", OriginCertificate, "created_by", ("begins", "ends", "created_at")),
    Section("batchesMade", Batch, "created_by", ("number", "name", "process__name", "created_at", "notes")),
    Section("batchesClosed", Batch, "closed_by", ("number", "process__name", "closed_at")),
    Section("metalAccounts", Account, "user", ("process__name",)),
    Section("metalHeld", MetalEntry, "person", ("at", "kind", "alloy__name", "mg", "record_id")),
    Section("metalWritten", MetalEntry, "by", ("at", "kind", "alloy__name", "mg", "reason", "notes")),
    Section("metalDays", MetalDay, "person", ("day", "process__name", "closing", "closed_at", "notes")),
    Section("metalDaysClosed", MetalDay, "closed_by", ("day", "process__name", "closing", "closed_at")),
    Section("metalDaysReopened", MetalDay, "reopened_by", ("day", "process__name", "closing", "reopened_at")),
    Section("metalCounted", MetalCount, "counted_by", ("at", "notes")),
    Section("metalCountsWitnessed", MetalCount, "witness", ("at",)),
    Section("metalCountsWritten", MetalCount, "by", ("at", "notes")),
    Section("metalReceived", Lot, "by", ("day", "alloy__name", "received_mg", "created_at")),
    Section("refiningsSent", Refining, "by", ("sent_at", "alloy__name", "sent_mg")),
    Section("refiningsReturned", Refining, "returned_by", ("returned_at", "alloy__name", "returned_mg")),
    Section("meltings", Melting, "by", ("at", "alloy__name", "mg", "reason")),
    Section("linksMade", CustomerLink, "created_by", ("name", "customer__name", "order", "created_at")),
    Section("linksRevoked", CustomerLink, "revoked_by", ("name", "customer__name", "order", "revoked_at")),
    Section("customerAnswers", CustomerAnswer, "account", ("line__order", "line__position", "kind", "text", "at")),
    Section("approvalsAsked", ApprovalRequest, "by", ("line__order", "line__position", "text", "at")),
    Section("customerReplies", AnswerReply, "by", ("answer__line__order", "answer__line__position", "text", "at")),
    Section("answersHandled", HandledAnswer, "by", ("answer__line__order", "answer__line__position", "at")),
    Section("messages", Message, "by", ("line__order", "line__position", "kind", "text", "process__name", "at")),
    Section("callsAnswered", Coming, "by", ("message__line__order", "message__line__position", "message__kind", "at")),
    Section("notificationsRead", ReadMark, "user", ("announcement__kind", "announcement__order_id", "read_at")),
    Section("noticeSettings", NoticeSettings, "user", ("channels", "quiet_from", "quiet_until", "digest", "digest_on")),
    Section("noticeDevices", Device, "user", ("label", "created_at", "sent_at")),
    Section("noticesWaiting", Gathered, "user", ("kind", "channel", "since", "sent_at")),
    Section("notices", Notice, "user", ("kind", "params", "path", "created_at", "read_at")),
    Section("personalEvents", OutboxEvent, "to_user", ("type", "created_at")),
    Section("uploads", Import, "user", ("catalog", "file_name", "state", "created_at")),
    Section("printsUnderWay", PrintRun, "user", ("total", "done", "started_at")),
    Section("repeatableWrites", IdempotentAnswer, "user", ("kind", "ids", "created_at")),
)
"""One section for every column that holds a person's id. A test checks all models for a missing one."""
_CHANGES, _ATTEMPTS = "changesOfAccount", "signInAttempts"
LISTS = (*(section.name for section in SECTIONS), _CHANGES, _ATTEMPTS)
"""The members of `json_of` that are lists of objects."""


def json_of(user: User) -> Iterator[str]:
    """Yield a JSON object as pieces of text. Its members: `madeAt`, `person` and LISTS.

    Load `user` by `staffing.selectors`.
    """
    yield "{" + _member("madeAt", clock.now()) + ",\n" + _member("person", _person(user))
    for section in SECTIONS:
        yield from _list(section.name, section.rows(user.pk))
    yield from _list(_CHANGES, _changes(user.pk))
    attempts = throttle.of_account(user.pk, {user.email} - {""})
    yield from _list(_ATTEMPTS, _in_batches(attempts, ("purpose", "address", "at", "failed")))
    yield "}\n"


def _changes(user_id: int) -> Iterator[dict[str, Any]]:
    """Yield the audit rows about an account, without the name of a station, which is another person's account."""
    for row in _in_batches(AuditEntry.objects.filter(entity="users", entity_id=user_id), ("at", "action", "changes")):
        changes = {field: change for field, change in row["changes"].items() if field != "station"}
        yield {**row, "changes": changes}


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


def _in_batches(found: QuerySet[Any], columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield rows by primary key, `BATCH` per query. Holds no database connection while the caller receives rows."""
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
    """Encodes instants in UTC, and decimals as amounts of the plant's currency: all decimals here are of piece work."""

    def default(self, value: Any) -> Any:
        match value:
            case datetime():
                return utc_z(value)
            case Decimal():
                return f"{with_minor_units(value, plant_currency()):f}"
            case _:
                return super().default(value)
