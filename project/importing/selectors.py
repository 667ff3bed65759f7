"""Reads of the import: its uploader's own, and nobody else's."""

from datetime import timedelta

from django.db.models import QuerySet

from project.access.principal import Principal
from project.catalogs.definition import CATALOGS
from project.core import clock
from project.core.errors import NotFound, PermissionDenied
from project.core.pagination import Orderings
from project.core.spanish import matching
from project.importing.models import UNDER_WAY, Import, ImportRow

BY_NUMBER = Orderings(columns={"number": "number"}, default="number")
SILENT = timedelta(seconds=30)
"""A job that gave no sign for so long is dead: it gives one every few seconds."""


def import_get(import_id: int, *, by: Principal) -> Import:
    """Raises `NotFound` for somebody else's, `PermissionDenied` for who may no longer write the catalog at all."""
    found = Import.objects.filter(pk=import_id, user_id=by.user_id).first()
    if found is None:
        raise NotFound
    catalog = CATALOGS[found.catalog]
    if not by.holds(catalog.needed("Create"), catalog.needed("Update")):
        raise PermissionDenied
    return found


def import_rows(upload: Import, *, outcome: str | None, search: str | None) -> QuerySet[ImportRow]:
    """The rows read so far."""
    rows = ImportRow.objects.filter(upload=upload)
    if outcome:
        rows = rows.filter(outcome=outcome)
    return matching(rows, search, "key", "label")


def silent() -> QuerySet[Import]:
    """Under way, but nobody has been heard to work on them for a while."""
    return Import.objects.filter(state__in=UNDER_WAY, beat_at__lt=clock.now() - SILENT)
