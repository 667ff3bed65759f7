"""Applies a preview that is still valid in one transaction, by the catalogs' own rules."""

from collections.abc import Iterable, Iterator
from itertools import batched
from typing import Any

from django.db import IntegrityError, transaction

from project.access.principal import Principal
from project.catalogs import bulk
from project.catalogs.definition import CATALOGS, CatalogDefinition
from project.core.errors import Refusal
from project.importing import jobs
from project.importing.models import (
    APPLIED,
    APPLYING,
    CHANGED,
    DOUBTFUL,
    NEW,
    READY,
    REFUSED,
    Import,
    ImportFile,
    ImportRow,
)
from project.importing.validating import BATCH, RowResult, RowValidator

MOST_NAMED = 20


class ImportStale(Refusal):
    """Records changed since the preview, so the user must preview again. `rows`: numbers of the first affected rows."""

    code = "import_stale"

    def __init__(self, rows: Iterable[int]) -> None:
        super().__init__(rows=sorted(rows)[:MOST_NAMED] or ["?"])


def apply(import_id: int, catalog: str, *, by: Principal) -> None:
    """Write the new and changed rows, or set the import back to `ready` with `import_stale`."""
    try:
        try:
            _write(import_id, CATALOGS[catalog], by)
        except IntegrityError as error:  # a concurrent request has stored a name of one of the rows
            raise ImportStale(_changed(import_id, CATALOGS[catalog], by)) from error
    except ImportStale as stale:
        jobs.owned(import_id, APPLYING, state=READY, error_code=stale.code, error_params=stale.params)


@transaction.atomic
def _write(import_id: int, catalog: CatalogDefinition[Any], by: Principal) -> None:
    validator = RowValidator(catalog, by, lock=True)
    planned: list[bulk.Planned] = []
    for results, stale in _compared(import_id, validator):
        if stale:
            raise ImportStale(stale)
        planned += [
            bulk.Planned(one.row, catalog.stored(one.fields, validator.registers))
            for one in results
            if one.outcome in (NEW, CHANGED)
        ]
    bulk.entries_write(catalog, planned, by=by)
    jobs.owned(import_id, APPLYING, state=APPLIED)
    ImportFile.objects.filter(upload_id=import_id).delete()
    bulk.publish_imported(catalog, by=by)


def _compared(import_id: int, validator: RowValidator) -> Iterator[tuple[list[RowResult], list[int]]]:
    """Validate the accepted rows of the preview again. Yields each batch's results and the numbers of the rows with a
    different outlook than in the preview."""
    rows = ImportRow.objects.filter(upload_id=import_id).exclude(outcome__in=(REFUSED, DOUBTFUL)).order_by("number")
    kept = rows.values_list("number", "cells", "outcome", "record_id", "version").iterator(BATCH)
    for batch in batched(kept, BATCH):
        results = validator.batch((number, cells) for number, cells, *_ in batch)
        previewed = [(outcome, pk, version) for *_, outcome, pk, version in batch]
        pairs = zip(results, previewed, strict=True)
        yield results, [one.number for one, outlook in pairs if one.outlook != outlook]


def _changed(import_id: int, catalog: CatalogDefinition[Any], by: Principal) -> list[int]:
    """Return the numbers of the rows with a different outlook than in the preview."""
    return [number for _, stale in _compared(import_id, RowValidator(catalog, by)) for number in stale]


def stale_rows(upload: Import) -> list[int]:
    """Return the numbers of the rows that refer to another version of their record. A quick check before applying."""
    definition = CATALOGS[upload.catalog]
    seen = ImportRow.objects.filter(upload=upload).exclude(outcome__in=(REFUSED, DOUBTFUL)).exclude(record_id=None)
    stale: list[int] = []
    for batch in batched(seen.values_list("number", "record_id", "version"), BATCH):
        records = definition.model._default_manager.filter(pk__in=[pk for _, pk, _ in batch])
        now = dict(records.values_list("pk", "version"))
        stale += [number for number, pk, version in batch if now.get(pk) != version]
    return stale
