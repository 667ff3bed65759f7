"""Live events of entries in lists and of the shop-floor board, and the row in the audit of an entry's change."""

from typing import Literal

from django.db.models import Model

from project.access.permissions import Permission
from project.access.principal import Principal
from project.audit import services as audit
from project.core.schemas import Document
from realtime import outbox
from realtime.registry import Actor, Event

Change = Literal["created", "changed", "deleted"]

Catalog = Literal[
    "companies",
    "customers",
    "components",
    "materials",
    "export-tax-items",
    "production-processes",
    "items",
    "customer-types",
    "tax-sections",
    "release-reasons",
    "scrap-reasons",
    "users",
    "roles",
    "displays",
    "service-accounts",
    "webhooks",
]


class CatalogData(Document):
    """Which entry of which list; the list by the name of its path. An import changes many entries: then `id` is 0."""

    id: int
    catalog: Catalog
    change: Literal["created", "changed", "deleted", "imported"]


OF_CUSTOMER_FORMS = frozenset({Permission.ListCustomers, Permission.CreateCustomer, Permission.UpdateCustomer})
OF_REASONS = frozenset(
    {Permission.ListProductionProcesses, Permission.UpdateProductionProcess, Permission.ReleaseProductionProccess}
)
CATALOG_READERS: dict[Catalog, frozenset[Permission]] = {
    "companies": frozenset({Permission.ListCompanies}),
    "customers": frozenset({Permission.ListCustomers}),
    "components": frozenset({Permission.ListComponents}),
    "materials": frozenset({Permission.ListMaterials}),
    "export-tax-items": frozenset({Permission.ListExportTax}),
    "production-processes": frozenset({Permission.ListProductionProcesses}),
    "items": frozenset({Permission.ListItems}),
    "customer-types": OF_CUSTOMER_FORMS,
    "tax-sections": OF_CUSTOMER_FORMS,
    "release-reasons": OF_REASONS,
    "scrap-reasons": OF_REASONS,
    "users": frozenset({Permission.ListUsers}),
    "roles": frozenset({Permission.ListRoles}),
    "displays": frozenset({Permission.ManageDisplays}),
    "service-accounts": frozenset({Permission.ManageIntegrations}),
    "webhooks": frozenset({Permission.ManageIntegrations}),
}
"""Who receives that an entry changed. Any of the staff may read the short lists; the event goes to those whose screens
show them."""


class CatalogChanged(Event):
    """An entry of a list was made, changed or deleted, or many came by an import."""

    audience = frozenset().union(*CATALOG_READERS.values())
    type: Literal["catalog.changed"] = "catalog.changed"
    data: CatalogData

    def readers(self) -> frozenset[Permission]:
        return CATALOG_READERS[self.data.catalog]


class BoardData(Document):
    """Of the board's change no more is said: whoever may read it loads it again. It comes where no event of a line says
    what changed: an order was changed or deleted, or a name, picture or place that cards and lanes show."""


class BoardChanged(Event):
    """Something that the board and the stations show changed: for readers of them who receive no events of orders and
    catalogs, such as wall screens."""

    audience = frozenset({Permission.ShopFloor, Permission.Station})
    type: Literal["board.changed"] = "board.changed"
    data: BoardData = BoardData()


SHOWN_ON_BOARD: dict[str, tuple[str, ...]] = {
    "customers": ("name",),
    "items": ("name", "image", "nameImage"),
    "production-processes": ("name", "order", "status"),
}
"""The fields of a catalog's entries that the board shows."""


def record_and_publish(
    catalog: Catalog,
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


def _changes_board(catalog: Catalog, change: Change, before: audit.Snapshot, after: audit.Snapshot) -> bool:
    """Whether the board shows the change. A new entry, or one that was deleted because nothing used it, stands on no
    card; only a process has a lane of its own."""
    shown = change == "changed" or catalog == "production-processes"
    return shown and any(before.get(name) != after.get(name) for name in SHOWN_ON_BOARD.get(catalog, ()))
