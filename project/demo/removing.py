"""Remove the sample workshop again, while nothing else was written (infra/docs/rules.md#first-day).

The sample goes into an empty installation. So everything in the tables of the workshop is the sample's, as long as the
audit names no change by anybody else.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction
from django.db.models import F, Max, Q

from project.access.principal import Principal
from project.audit import services as audit
from project.audit.models import AuditEntry
from project.catalogs.models import Alloy, Customer, Item, ProductionProcess, ShortList
from project.core import pictures
from project.core.errors import Refusal
from project.core.idempotency import unit_of_work
from project.core.operations import deletable
from project.core.queries import Turn, take_turn
from project.demo.people import PEOPLE, ROLES
from project.identity.models import Role, User
from project.notices.models import Device, NoticeSettings, Position
from project.orders.models import SalesOrder
from realtime import outbox

ENTITY = "sample"
THE_SAMPLE = 1
"""The id of the one record of this entity in the audit."""
SINCE = "since"
"""The change in the audit of the last entry that is older than the sample."""
WORKSHOP = (
    "batches",
    "billing",
    "catalogs",
    "customer_links",
    "forecasts",
    "metal",
    "notices",
    "orders",
    "parts",
    "piecework",
    "printing",
    "reports",
    "staffing",
    "talk",
)
"""The apps with what a workshop writes. They hold nothing before the sample but lists that migrations fill."""
KEPT = (Alloy, Device, NoticeSettings, Position)
PICTURES = frozenset({"image", "logo", "photo"})
READS = ("printed", "exported")


class SampleInUse(Refusal):
    """The sample workshop cannot be removed: it was not loaded, or other data were written since."""

    code = "sample_in_use"


@dataclass(frozen=True)
class Held:
    """How many records the sample workshop has, for the five kinds that the user is shown."""

    orders: int
    products: int
    customers: int
    processes: int
    people: int


def last_entry() -> int:
    """Return the id of the newest audit entry, 0 if there is none. 1 query."""
    return AuditEntry.objects.aggregate(newest=Max("id"))["newest"] or 0


def note_loaded(*, since: int, by: Principal | None) -> None:
    """Record who loaded the sample. `since`: `last_entry` before it was loaded."""
    _note("created", after={SINCE: since}, by=by)


def held() -> Held | None:
    """Return what a removal would remove; None if there is no sample, or something else was written. 7 queries."""
    if not _is_removable():
        return None
    return Held(
        orders=SalesOrder.objects.count(),
        products=Item.objects.count(),
        customers=Customer.objects.count(),
        processes=ProductionProcess.objects.count(),
        people=_people().count(),
    )


@unit_of_work
def remove(by: Principal) -> Held:
    """Remove the sample workshop with its people, roles, pictures and audit. All clients then load everything again.

    Raises `SampleInUse`. About 100 queries.
    """
    take_turn(Turn.LOADING_SAMPLE)
    tables: list[type[models.Model]] = [AuditEntry, *_tables()]
    # Before the check: on PostgreSQL a write of somebody else now waits before it stores its audit entry.
    with deletable(connection, [model._meta.db_table for model in tables]):
        gone = held()
        if gone is None:
            raise SampleInUse
        names = {name for model in tables for name in _pictures(model)}
        AuditEntry.objects.filter(_by_the_sample(), id__gt=_since(_loaded()))._raw_delete(connection.alias)
        Alloy.objects.update(material=None, version=F("version") + 1)  # as they were: migrations make them
        for model in _tables():
            model._default_manager.all()._raw_delete(connection.alias)
        _people().delete()
        Role.objects.filter(name__in=ROLES).delete()
    _note("deleted", before=asdict(gone), by=by)
    outbox.renew_epoch()
    for name in names:
        transaction.on_commit(partial(pictures.discard, name), robust=True)
    return gone


def _note(action: str, *, by: Principal | None, **changes: dict[str, int]) -> None:
    change = {"before": None, "after": None, **changes}
    audit.record(entity=ENTITY, entity_id=THE_SAMPLE, label="", action=action, by=by, **change)


def _loaded() -> AuditEntry | None:
    """Return the entry of the sample that was loaded last; None if it was removed."""
    last = AuditEntry.objects.filter(entity=ENTITY).order_by("-id").first()
    return last if last and last.action == "created" else None


def _since(loaded: AuditEntry | None) -> int:
    return loaded.changes[SINCE]["after"] if loaded else 0


def _is_removable() -> bool:
    loaded = _loaded()
    if loaded is None:
        return False
    others = AuditEntry.objects.filter(id__gt=_since(loaded)).exclude(_by_the_sample()).exclude(pk=loaded.pk)
    own_account = Q(entity="users", entity_id=F("user_id"))
    return not others.exclude(own_account).exclude(action__in=READS).exists()


def _by_the_sample() -> Q:
    """Select the audit entries that were written while the sample was built: by its people, or by nobody."""
    return Q(user_id=0) | Q(user_id__in=_people().values("pk")) | Q(entity="parts", user_id=None)


def _people() -> models.QuerySet[User]:
    return User.objects.filter(email__in=[one.email for one in PEOPLE])


def _tables() -> list[type[models.Model]]:
    found = [model for app in WORKSHOP for model in apps.get_app_config(app).get_models(include_auto_created=True)]
    return [model for model in found if model not in KEPT and not issubclass(model, ShortList)]


def _pictures(model: type[Any]) -> Iterator[str]:
    for column in PICTURES.intersection(field.name for field in model._meta.concrete_fields):
        yield from model._default_manager.exclude(**{column: ""}).values_list(column, flat=True).distinct()
