"""Reads of imports. Only the uploader may read an import."""

from django.db.models import Count, Q, QuerySet

from project.access.principal import Principal
from project.core.errors import NotFound, PermissionDenied
from project.core.leases import run_out
from project.core.pagination import Orderings
from project.core.spanish import matching
from project.importing.models import HELD, OUTCOMES, REFUSED, UNDER_WAY, Import, ImportRow
from project.importing.registry import IMPORTS

BY_NUMBER = Orderings(columns={"number": "number"}, default="number")


def import_get(import_id: int, *, by: Principal) -> Import:
    """Return an import of the caller. Raises `NotFound`, also for another user's import, and `PermissionDenied` if the
    caller may no longer create or update entries of the catalog."""
    found = Import.objects.filter(pk=import_id, user_id=by.user_id).first()
    if found is None:
        raise NotFound
    catalog = IMPORTS[found.catalog]
    if not by.holds(catalog.needed("Create"), catalog.needed("Update")):
        raise PermissionDenied
    return found


def import_rows(upload: Import, *, outcome: str | None, search: str | None) -> QuerySet[ImportRow]:
    """Return the rows read so far. The outcome `refused` also includes all rows that the uploader has mended."""
    rows = ImportRow.objects.filter(upload=upload)
    if outcome == REFUSED:
        rows = rows.filter(Q(outcome=REFUSED) | ~Q(mended={}))
    elif outcome:
        rows = rows.filter(outcome=outcome)
    return matching(rows, search, "key", "label")


def places(rows: QuerySet[ImportRow]) -> int:
    """Return the number of columns up to the last one with a cell that no column of the catalog reads; else 0."""
    named = (name for cells in rows.values_list("cells", flat=True).iterator() for name in cells)
    return max((int(name[1:]) + 1 for name in named if name.startswith("@")), default=0)


def counts(import_id: int) -> dict[str, int]:
    """Count the rows of each outcome. 1 query."""
    rows = ImportRow.objects.filter(upload=import_id).values_list("outcome").annotate(Count("pk"))
    return dict.fromkeys(OUTCOMES, 0) | dict(rows)


def abandoned() -> QuerySet[Import]:
    """Return the imports under way with an expired lease: their process has died."""
    return Import.objects.filter(run_out("held_until", HELD), state__in=UNDER_WAY)
