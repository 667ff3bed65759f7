"""Live events of entries in lists and of the shop-floor board, and the row in the audit of an entry's change."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from django.db.models import Model
from pydantic import Field

from project.access.permissions import Permission
from project.access.principal import Principal
from project.audit import services as audit
from project.core.schemas import Document
from realtime import outbox
from realtime.registry import Actor, Event

Change = Literal["created", "changed", "deleted"]


def _one_of_the_lists(schema: dict[str, Any]) -> None:
    schema["enum"] = list(_LISTS)


class CatalogData(Document):
    """Which entry of which list; the list by the name of its path. An import changes many entries: then `id` is 0."""

    id: int
    catalog: Annotated[str, Field(json_schema_extra=_one_of_the_lists)]
    change: Literal["created", "changed", "deleted", "imported"]


@dataclass(frozen=True)
class _List:
    """A list of entries: who receives its events, and the fields that the shop-floor board shows."""

    readers: frozenset[Permission]
    on_board: tuple[str, ...]


_LISTS: dict[str, _List] = {}


class CatalogChanged(Event):
    """An entry of a list was made, changed or deleted, or many came by an import."""

    type: Literal["catalog.changed"] = "catalog.changed"
    data: CatalogData

    def readers(self) -> frozenset[Permission]:
        return _LISTS[self.data.catalog].readers


class BoardData(Document):
    """Of the board's change no more is said: whoever may read it loads it again. It comes where no event of a line says
    what changed: an order was changed or deleted, or a name, picture or place that cards and lanes show."""


class BoardChanged(Event):
    """Something that the board and the stations show changed: for readers of them who receive no events of orders and
    catalogs, such as wall screens."""

    audience = frozenset({Permission.ShopFloor, Permission.Station})
    type: Literal["board.changed"] = "board.changed"
    data: BoardData = BoardData()


def list_published(name: str, readers: frozenset[Permission], *, on_board: tuple[str, ...] = ()) -> None:
    """Declare a list whose changes are published as `catalog.changed`, to the holders of one of `readers`."""
    _LISTS[name] = _List(readers, on_board)
    CatalogChanged.audience |= readers


list_published("users", frozenset({Permission.ListUsers}))
list_published("roles", frozenset({Permission.ListRoles}))
list_published("displays", frozenset({Permission.ManageDisplays}))
list_published("service-accounts", frozenset({Permission.ManageIntegrations}))
list_published("webhooks", frozenset({Permission.ManageIntegrations}))


def is_on_board(catalog: str) -> bool:
    """Whether the board shows anything of a list's entries."""
    return bool(_LISTS[catalog].on_board)


def record_and_publish(
    catalog: str,
    row: Model,
    change: Change,
    by: Principal | None,
    *,
    before: audit.Snapshot | None,
    after: audit.Snapshot | None,
) -> None:
    """Write the change of an entry into the audit and publish it to every screen that shows the list.

    `by` None is the command line.
    """
    audit.record(entity=catalog, entity_id=row.pk, label=str(row), action=change, before=before, after=after, by=by)
    event = CatalogChanged(data=CatalogData(id=row.pk, catalog=catalog, change=change))
    outbox.publish(event, by=Actor.of(by) if by else None)
    if _changes_board(catalog, change, before or {}, after or {}):
        outbox.publish(BoardChanged(), by=None)


def _changes_board(catalog: str, change: Change, before: audit.Snapshot, after: audit.Snapshot) -> bool:
    """Whether the board shows the change. A new entry, or one that was deleted because nothing used it, stands on no
    card; only a process has a lane of its own."""
    shown = change == "changed" or catalog == "production-processes"
    return shown and any(before.get(name) != after.get(name) for name in _LISTS[catalog].on_board)
