"""What the ledger forbids to change in the catalog of alloys."""

from collections.abc import Iterable, Sequence

from project.catalogs.definition import Fields
from project.catalogs.definitions import ALLOYS
from project.catalogs.models import Alloy
from project.core.errors import FieldError
from project.metal.models import MetalEntry


def _other_fineness(changes: Sequence[tuple[Alloy, Fields]]) -> Iterable[tuple[int, FieldError]]:
    """Refuse another fineness of alloys with entries: the fine grams of papers would change. 1 query, or none."""
    changed = {
        row.pk: n for n, (row, fields) in enumerate(changes) if fields.get("fineness", row.fineness) != row.fineness
    }
    used = MetalEntry.objects.filter(alloy__in=changed).order_by().values_list("alloy", flat=True).distinct()
    return [(changed[alloy_id], FieldError("fineness", "fineness_in_use")) for alloy_id in (used if changed else ())]


ALLOYS.in_use.append(_other_fineness)
