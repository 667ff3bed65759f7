"""What lines forbid to change in the catalog of products."""

from collections.abc import Iterable, Sequence

from project.catalogs.definition import Fields
from project.catalogs.definitions import ITEMS
from project.catalogs.models import Item
from project.core.errors import FieldError
from project.orders.selectors import weighed_lines


def _other_alloy(changes: Sequence[tuple[Item, Fields]]) -> Iterable[tuple[int, FieldError]]:
    """Refuse another alloy of products with metal on their lines. 1 query, or none."""
    changed = {
        row.pk: place
        for place, (row, fields) in enumerate(changes)
        if fields.get("alloy_id", row.alloy_id) != row.alloy_id
    }
    return [
        (changed[item_id], FieldError("alloyId", "alloy_in_use", {"lines": lines}))
        for item_id, lines in (weighed_lines(changed).items() if changed else ())
    ]


ITEMS.in_use.append(_other_alloy)
