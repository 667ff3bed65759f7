"""Writes the audit. Call it in the transaction of the change. A unit of work writes the rows at its end
(`core.written_last`).
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any, Protocol

from django.db import models, transaction
from prometheus_client import Counter
from pydantic.alias_generators import to_camel

from project.audit.models import AuditEntry, Exemption
from project.core import clock
from project.core.requests import current_address
from project.core.schemas import utc_z
from project.core.written_last import write_last

# Columns without information, and secrets that must never be recorded.
LEFT_OUT = frozenset({"id", "version", "token_version", "last_login", "created_at", "search_text"}) | {
    "password",
    "pin_hash",
    "badge_hash",
}
LEFT_OUT |= {"metal_mg"}  # the ledger of metal has it, with the reasons
LEFT_OUT |= {"done_at"}  # the change of the status has it
LEFT_OUT |= {"call_id", "call_kind", "call_at"}  # the message that calls has its own entry
LEFT_OUT |= {"promised_date"}  # the first delivery date that was written has it
# Copies that a bill or payment keeps of other records. Its id columns are recorded and identify the same records.
LEFT_OUT |= {"issued", "logo", "created_by_name", "billed_by_name", "canceled_by_name", "payee_name"}
HIDDEN = "•••"
GUESSED = Counter("obrador_guessed", "Times that too many wrong secrets were tried.", ("what",))
"""An alert of infra/deploy/prometheus-rules.yml watches this counter."""
FORGOTTEN_AT_ONCE = 1_000

log = logging.getLogger(__name__)

AFTER_WRITES: dict[str, Callable[[], None]] = {}
"""What else a recorded change of an entity does in its transaction, by the entity. A domain above says so."""

Snapshot = Mapping[str, Any]


class Person(Protocol):
    """The user who acts: a `Principal`, or a user who is just signing in."""

    @property
    def user_id(self) -> int: ...

    @property
    def full_name(self) -> str: ...


def snapshot(row: models.Model, **beside: Any) -> Snapshot:
    """Return the columns of `row` by their public names, plus `beside` (lists of ids, nested rows)."""
    columns = {
        _public(field.attname): _plain(field.value_from_object(row))
        for field in row._meta.concrete_fields
        if field.attname not in LEFT_OUT and not field.generated
    }
    return columns | {to_camel(name): value for name, value in beside.items()}


def at_station(station: Person) -> Snapshot:
    """Return the station's name and id, for the `after` of a change that was made there."""
    return {"station": station.full_name, "stationUserId": station.user_id}


@dataclass(frozen=True)
class Change:
    """One change of a record. `before` is None for a creation; `after` is None for a deletion."""

    entity_id: int
    label: str
    action: str
    before: Snapshot | None
    after: Snapshot | None

    def differences(self) -> dict[str, dict[str, Any]]:
        """Return the fields that changed: `{field: {before, after}}`."""
        before, after = self.before or {}, self.after or {}
        return {
            name: {"before": before.get(name), "after": after.get(name)}
            for name in dict.fromkeys([*before, *after])
            if before.get(name) != after.get(name)
        }


def record(
    *,
    entity: str,
    entity_id: int,
    label: str,
    action: str,
    before: Snapshot | None,
    after: Snapshot | None,
    by: Person | None,
) -> None:
    record_all(entity, [Change(entity_id, label, action, before, after)], by=by)


def record_all(entity: str, changes: Iterable[Change], *, by: Person | None) -> None:
    """Record many changes of one kind of record, one row each. 1 query per 1,000 rows of a unit of work."""
    changes = list(changes)
    now, address = clock.now(), current_address.get()
    write_last(
        _store,
        (
            AuditEntry(
                at=now,
                user_id=by.user_id if by else None,
                user_name=by.full_name if by else "",
                address=address,
                entity=entity,
                entity_id=change.entity_id,
                label=change.label[:400],
                action=change.action,
                changes=change.differences(),
            )
            for change in changes
        ),
    )
    if entity in AFTER_WRITES and any(change.action != "guessed" for change in changes):
        AFTER_WRITES[entity]()


def record_guessing(
    what: str, *, entity: str = "users", entity_id: int = 0, label: str = "", by: Person | None = None
) -> None:
    """Record that somebody tried too many wrong passwords, PINs, badges or codes (`what`), and alarm the operator.

    `entity_id` 0: the account does not exist.
    """
    GUESSED.labels(what).inc()
    log.warning("too many wrong guesses of a %s: %s %d", what, entity, entity_id)
    record(
        entity=entity,
        entity_id=entity_id,
        label=label,
        action="guessed",
        before=None,
        after={what: HIDDEN},
        by=by,
    )


def _store(rows: Sequence[AuditEntry]) -> None:
    AuditEntry.objects.bulk_create(rows, batch_size=1_000)


_public = cache(to_camel)


def _plain(value: Any) -> Any:
    match value:
        case datetime():
            return utc_z(value)
        case date():
            return value.isoformat()
        case Decimal():
            return float(value)
        case _:
            return value


OF_A_PERSON = frozenset({"email", "firstName", "lastName", "secondLastName"})
"""Fields of a user's audit rows that identify the person."""


@contextmanager
def exemption(*, erases: bool = False, forgets_before: datetime | None = None) -> Iterator[None]:
    """Inside the block, let this transaction change audit rows as `Exemption` allows."""
    row = Exemption.objects.create(erases=erases, forgets_before=forgets_before)
    yield
    row.delete()


def names_of(user_id: int) -> set[str]:
    """Return every name and e-mail under which the audit knows a user, including former ones. 2 queries."""
    found = set(AuditEntry.objects.filter(user_id=user_id).values_list("user_name", flat=True).distinct().order_by())
    for label, changes in _about(user_id).values_list("label", "changes"):
        found |= {label, *changes.get("email", {}).values()}
    return found - {"", None, HIDDEN}


def former_values(user_id: int, fields: Collection[str]) -> list[dict[str, str]]:
    """Return earlier values of a user's `fields`: one dict for each change of some of these fields, newest first.

    1 query.
    """
    rows = _about(user_id).order_by("-id").values_list("changes", flat=True)
    found = ({name: row[name]["before"] for name in fields if name in row} for row in rows)
    known = ({name: text for name, text in one.items() if text not in (None, HIDDEN)} for one in found)
    return [one for one in known if one]


def erase_person(user_id: int, name: str) -> None:
    """Replace a user's names by `name` in the audit, and remove their e-mails and network addresses.

    The audit still says what the user did and when, and which of their names changed. Call it inside an `exemption`.
    """
    AuditEntry.objects.filter(user_id=user_id).update(user_name=name, address="")
    hidden = {"before": HIDDEN, "after": HIDDEN}
    for row in _about(user_id).iterator():
        changes = {field: hidden if field in OF_A_PERSON else change for field, change in row.changes.items()}
        AuditEntry.objects.filter(pk=row.pk).update(label=name, changes=changes)
    for row in AuditEntry.objects.filter(changes__stationUserId__after=user_id).iterator():
        station = {**row.changes["station"], "after": name}
        AuditEntry.objects.filter(pk=row.pk).update(changes={**row.changes, "station": station})


def _about(user_id: int) -> models.QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(entity="users", entity_id=user_id)


def forget(before: datetime) -> None:
    """Delete entries older than `before`, `FORGOTTEN_AT_ONCE` per transaction, so that other changes wait briefly."""
    old = AuditEntry.objects.filter(at__lt=before).order_by("at", "id").values_list("pk", flat=True)
    while batch := list(old[:FORGOTTEN_AT_ONCE]):
        with transaction.atomic(), exemption(forgets_before=before):
            AuditEntry.objects.filter(pk__in=batch).delete()
