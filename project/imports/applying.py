"""Applies a preview that is still true: one transaction, all or nothing, through the catalogs' own rules."""

from itertools import batched

from django.db import IntegrityError, transaction

from project.access.principal import Principal
from project.catalogs import bulk
from project.core.errors import Refusal
from project.imports import jobs
from project.imports.columns import IMPORTABLE, Importable
from project.imports.judging import BATCH, Judge, Judged
from project.imports.models import APPLIED, APPLYING, CHANGED, NEW, READY, REFUSED, Import, ImportRow


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
    judge = Judge(catalog, by, lock=True)
    planned: list[bulk.Planned] = []
    rows = ImportRow.objects.filter(upload_id=import_id).exclude(outcome=REFUSED).order_by("number")
    for batch in batched(rows.iterator(BATCH), BATCH):
        for row, one in zip(batch, judge.batch((row.number, row.cells) for row in batch), strict=True):
            if not _same(row, one):
                raise ImportStale
            if one.outcome in (NEW, CHANGED):
                planned.append(bulk.Planned(one.row, catalog.stored(one.fields, judge.registers)))
    bulk.entries_write(catalog.shelf, planned, by=by)
    jobs.owned(import_id, APPLYING, state=APPLIED)
    bulk.tell(catalog.shelf, by=by)


def _same(row: ImportRow, one: Judged) -> bool:
    """Whether the row would do now what its preview said. A record that became what it was to become is no harm."""
    found = one.row.pk if one.row else None
    version = one.row.version if one.row else None
    return (row.outcome, row.record_id, row.version) == (one.outcome, found, version)


def still_true(upload: Import) -> bool:
    """A quick look before the work: are the records those that the preview saw, and are the new ones still new?"""
    shelf = IMPORTABLE[upload.catalog].shelf
    seen = ImportRow.objects.filter(upload=upload).exclude(outcome=REFUSED)
    versions = dict(seen.exclude(record_id=None).values_list("record_id", "version"))
    for batch in batched(versions, BATCH):
        now = dict(shelf.model._default_manager.filter(pk__in=batch).values_list("pk", "version"))
        if any(now.get(pk) != versions[pk] for pk in batch):
            return False
    return True
