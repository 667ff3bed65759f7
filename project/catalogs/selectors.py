"""Reads of the catalogs. Constant in queries."""

from django.db.models import Prefetch, Q, QuerySet

from project.catalogs.models import (
    Company,
    Component,
    Customer,
    ExportTaxItem,
    Item,
    ItemComponent,
    Material,
    ProductionProcess,
)
from project.core.errors import NotFound
from project.core.pagination import Orderings
from project.core.versions import Versioned

BY_NAME = Orderings(columns={"id": "id", "name": "name", "status": "status"}, default="name")
BY_ORDER = Orderings(columns={**BY_NAME.columns, "order": "order", "price": "price"}, default="order")
BY_CODE = Orderings(columns={"id": "id", "code": "code"}, default="code")
BY_KEY = Orderings(
    columns={**BY_NAME.columns, "key": "key", "priority": "priority", "sellPrice": "sell_price"},
    default="key",
)


def companies() -> QuerySet[Company]:
    return Company.objects.all()


def export_tax_items() -> QuerySet[ExportTaxItem]:
    return ExportTaxItem.objects.all()


def customers() -> QuerySet[Customer]:
    return Customer.objects.all()


def materials() -> QuerySet[Material]:
    return Material.objects.all()


def components() -> QuerySet[Component]:
    return Component.objects.all()


def production_processes() -> QuerySet[ProductionProcess]:
    """Processes with their users; 2 queries."""
    return ProductionProcess.objects.prefetch_related("users")


def items() -> QuerySet[Item]:
    """Products with their component rows; 2 queries."""
    rows = ItemComponent.objects.select_related("component", "material").order_by("place")
    return Item.objects.select_related("tax_item").prefetch_related(Prefetch("components", queryset=rows))


def matching[Entry: Versioned](rows: QuerySet[Entry], fields: tuple[str, ...], search: str | None) -> QuerySet[Entry]:
    """Rows with `search` in one of `fields`, without case."""
    if not search:
        return rows
    found = Q()
    for field in fields:
        found |= Q(**{f"{field}__icontains": search})
    return rows.filter(found)


def entry_get[Entry: Versioned](rows: QuerySet[Entry], entry_id: int) -> Entry:
    """Raises `NotFound`."""
    found = rows.filter(pk=entry_id).first()
    if found is None:
        raise NotFound
    return found
