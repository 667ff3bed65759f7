"""The customer and the products that a written order names: known, and in use where they are newly chosen."""

from collections.abc import Mapping, Sequence
from typing import Any

from project.catalogs.models import Customer, Item
from project.core.errors import FieldError, InvalidFields
from project.orders.models import Line, SalesOrder

Named = tuple[str, Mapping[str, Any], Line | None]
"""Where the fields of a line stand in the body, the fields, and the line as it is; None for a new one."""


def check_references(header: Mapping[str, Any], items: Sequence[Named], *, order: SalesOrder | None = None) -> None:
    """Raise `InvalidFields` for each id that does not exist (`unknown`), or is newly chosen and no longer in use
    (`inactive`). At most 2 queries."""
    chosen: dict[str, int] = {}
    if "customer_id" in header and not (order and order.customer_id == header["customer_id"]):
        chosen["customerId"] = header["customer_id"]
    errors = _refused(chosen, Customer)
    chosen = {
        f"{path}itemId": fields["item_id"]
        for path, fields, line in items
        if "item_id" in fields and not (line and line.item_id == fields["item_id"])
    }
    errors += _refused(chosen, Item)
    if errors:
        raise InvalidFields(errors=errors)


def _refused(chosen: Mapping[str, int], model: type[Customer | Item]) -> list[FieldError]:
    if not chosen:
        return []
    active = dict(model._default_manager.filter(pk__in=set(chosen.values())).values_list("pk", "status"))
    return [
        FieldError(path, "inactive" if one in active else "unknown")
        for path, one in chosen.items()
        if not active.get(one)
    ]
