"""Live events of list entries and of the shop-floor board, and the audit row of a change to an entry."""

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
    """The changed entry: its id, its list (`catalog`, the name in the list's path) and what happened to it.

    An import changes many entries and sends `id` 0.
    """

    id: int
    catalog: Annotated[str, Field(json_schema_extra=_one_of_the_lists)]
    change: Literal["created", "changed", "deleted", "imported"]


@dataclass(frozen=True)
class _List:
    """A published list: the permissions that receive its events, and the fields that the shop-floor board shows."""

    readers: frozenset[Permission]
    on_board: tuple[str, ...]


_LISTS: dict[str, _List] = {}


class CatalogChanged(Event):
    """An entry of a list was created, changed or deleted, or an import changed many entries."""

    webhook = ("Cambia un catálogo", "A catalog changes")
    type: Literal["catalog.changed"] = "catalog.changed"
    data: CatalogData

    def readers(self) -> frozenset[Permission]:
        return _LISTS[self.data.catalog].readers


class BoardData(Document):
    """Tells clients to load the whole board again. It names no record: `id` is always 0.

    Sent when no event of a line says what changed: an order was changed, approved or deleted, or a card or lane now
    shows another name, picture or place.
    """

    id: int = 0


class BoardChanged(Event):
    """Something shown on the board or at a station changed.

    For readers that receive no events of orders and catalogs, such as wall screens.
    """

    audience = frozenset({Permission.ShopFloor, Permission.Station})
    webhook = ("Cambia el tablero de piso", "The shop floor board changes")
    type: Literal["board.changed"] = "board.changed"
    data: BoardData = BoardData()


def list_published(name: str, readers: frozenset[Permission], *, on_board: tuple[str, ...] = ()) -> None:
    """Publish changes of the list `name` as `catalog.changed` to holders of any of `readers`.

    `on_board`: the fields that the shop-floor board shows.
    """
    _LISTS[name] = _List(readers, on_board)
    CatalogChanged.audience |= readers


list_published("users", frozenset({Permission.ListUsers}))
list_published("roles", frozenset({Permission.ListRoles}))
list_published("displays", frozenset({Permission.ManageDisplays}))
list_published("service-accounts", frozenset({Permission.ManageIntegrations}))
list_published("webhooks", frozenset({Permission.ManageIntegrations}))
list_published("parts", frozenset(Permission))
list_published("certificates", frozenset({Permission.ReportListBills}))
list_published("customer-links", frozenset({Permission.ManageCustomerLinks}))


def is_on_board(catalog: str) -> bool:
    """Return whether the board shows any field of this list's entries."""
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
    """Record an entry's change in the audit and publish it to every screen that shows the list.

    `by` is None for a change from the command line.
    """
    audit.record(entity=catalog, entity_id=row.pk, label=str(row), action=change, before=before, after=after, by=by)
    event = CatalogChanged(data=CatalogData(id=row.pk, catalog=catalog, change=change))
    outbox.publish(event, by=Actor.of(by) if by else None)
    if _changes_board(catalog, change, before or {}, after or {}):
        outbox.publish(BoardChanged(), by=None)


def _changes_board(catalog: str, change: Change, before: audit.Snapshot, after: audit.Snapshot) -> bool:
    """Return whether the change alters what the board shows.

    A new entry is not on a card yet, and an entry that a card shows cannot be deleted. But every process has a lane,
    also without pieces inside, so a new or deleted process changes the board.
    """
    shown = change == "changed" or catalog == "production-processes"
    return shown and any(before.get(name) != after.get(name) for name in _LISTS[catalog].on_board)
