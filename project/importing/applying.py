"""Applies a preview that is still true: one transaction, all or nothing, through the catalogs' own rules."""

from itertools import batched

from django.db import IntegrityError, transaction

from project.access.principal import Principal
from project.catalogs import bulk
from project.core.errors import Refusal
from project.importing import jobs
from project.importing.importable import IMPORTABLE, Importable
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
from project.importing.validating import BATCH, RowValidator


class ImportStale(Refusal):
    """Records changed since the preview: it is not true any more, and is to be read again."""

    code = "import_stale"


def apply(import_id: int, catalog: str, *, by: Principal) -> None:
    """Write the new and changed rows, or put the import back to `ready` with `import_stale`."""
    try:
        _write(import_id, IMPORTABLE[catalog], by)
    except (ImportStale, IntegrityError):
        jobs.owned(import_id, APPLYING, state=READY, error_code=ImportStale.code)


@transaction.atomic
def _write(import_id: int, catalog: Importable, by: Principal) -> None:
    validator = RowValidator(catalog, by, lock=True)
    planned: list[bulk.Planned] = []
    rows = ImportRow.objects.filter(upload_id=import_id).exclude(outcome__in=(REFUSED, DOUBTFUL)).order_by("number")
    kept = rows.values_list("number", "cells", "outcome", "record_id", "version").iterator(BATCH)
    for batch in batched(kept, BATCH):
        results = validator.batch((number, cells) for number, cells, *_ in batch)
        if [one.outlook for one in results] != [(outcome, pk, version) for *_, outcome, pk, version in batch]:
            raise ImportStale
        planned += [
            bulk.Planned(one.row, catalog.stored(one.fields, validator.registers))
            for one in results
            if one.outcome in (NEW, CHANGED)
        ]
    bulk.entries_write(catalog.definition, planned, by=by)
    jobs.owned(import_id, APPLYING, state=APPLIED)
    ImportFile.objects.filter(upload_id=import_id).delete()
    bulk.publish_imported(catalog.definition, by=by)


def still_true(upload: Import) -> bool:
    """A quick look before the work: are the records those that the preview saw, and are the new ones still new?"""
    definition = IMPORTABLE[upload.catalog].definition
    seen = ImportRow.objects.filter(upload=upload).exclude(outcome__in=(REFUSED, DOUBTFUL))
    versions = dict(seen.exclude(record_id=None).values_list("record_id", "version"))
    for batch in batched(versions, BATCH):
        now = dict(definition.model._default_manager.filter(pk__in=batch).values_list("pk", "version"))
        if any(now.get(pk) != versions[pk] for pk in batch):
            return False
    return True
