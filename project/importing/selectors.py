"""Reads of imports. Only the uploader may read an import."""

from django.db.models import QuerySet

from project.access.principal import Principal
from project.catalogs.definition import CATALOGS
from project.core.errors import NotFound, PermissionDenied
from project.core.leases import run_out
from project.core.pagination import Orderings
from project.core.spanish import matching
from project.importing.models import HELD, UNDER_WAY, Import, ImportRow

BY_NUMBER = Orderings(columns={"number": "number"}, default="number")


def import_get(import_id: int, *, by: Principal) -> Import:
    """Return an import of the caller. Raises `NotFound`, also for another user's import, and `PermissionDenied` if the
    caller may no longer create or update entries of the catalog."""
    found = Import.objects.filter(pk=import_id, user_id=by.user_id).first()
    if found is None:
        raise NotFound
    catalog = CATALOGS[found.catalog]
    if not by.holds(catalog.needed("Create"), catalog.needed("Update")):
        raise PermissionDenied
    return found


def import_rows(upload: Import, *, outcome: str | None, search: str | None) -> QuerySet[ImportRow]:
    """Return the rows read so far."""
    rows = ImportRow.objects.filter(upload=upload)
    if outcome:
        rows = rows.filter(outcome=outcome)
    return matching(rows, search, "key", "label")


def abandoned() -> QuerySet[Import]:
    """Return the imports under way with an expired lease: their process has died."""
    return Import.objects.filter(run_out("held_until", HELD), state__in=UNDER_WAY)
