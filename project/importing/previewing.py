"""Reads an upload row by row and stores what each one would do."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import transaction

from project.access.principal import Principal
from project.core.parser import unstorable_texts
from project.importing import jobs
from project.importing.cells import Cells
from project.importing.importable import IMPORTABLE
from project.importing.models import READING, READY, REFUSED, ImportRow
from project.importing.reading import Upload, done
from project.importing.validating import BATCH, RowResult, RowValidator

LETTERS_AT_ONCE = 2_000_000
BLANK = {"rows_done": 0, "new": 0, "changed": 0, "unchanged": 0, "refused": 0}


def preview(import_id: int, catalog: str, upload: Upload, *, by: Principal) -> None:
    """Read and validate a file's rows. Raises `UnreadableFile`, `TooManyRows` and the like."""
    with upload:
        jobs.owned(import_id, READING)
        work = upload.read()
        with jobs.stopped_by(import_id, work.cancel):
            rows = done(work)
        jobs.owned(import_id, READING, rows_total=rows)
        _read(import_id, catalog, upload.rows(), by=by)


def preview_again(import_id: int, catalog: str, *, by: Principal) -> None:
    """Validate the rows that were read before."""
    rows = list(ImportRow.objects.filter(upload_id=import_id).order_by("number").values_list("number", "cells"))
    with transaction.atomic():
        jobs.owned(import_id, READING, rows_total=len(rows))
        ImportRow.objects.filter(upload_id=import_id).delete()
    _read(import_id, catalog, rows, by=by)


def _read(import_id: int, catalog: str, rows: Iterable[tuple[int, Cells]], *, by: Principal) -> None:
    validator = RowValidator(IMPORTABLE[catalog], by)
    counts = dict.fromkeys(("new", "changed", "unchanged", "refused"), 0)
    done = 0
    for batch in _batches(rows):
        results = validator.batch(batch)
        done += len(results)
        for one in results:
            counts[one.outcome] += 1
        with transaction.atomic():
            ImportRow.objects.bulk_create((_stored(import_id, one) for one in results), batch_size=BATCH)
            for first, twins in _twins(results):
                before = ImportRow.objects.get(upload_id=import_id, number=first)
                if before.outcome != REFUSED:
                    counts[before.outcome] -= 1
                    counts[REFUSED] += 1
                    before.outcome, before.changes, before.errors = REFUSED, [], twins
                    before.save(update_fields=["outcome", "changes", "errors"])
            jobs.owned(import_id, READING, rows_done=done, **counts)
    jobs.owned(import_id, READING, state=READY, rows_total=done)


def _batches(rows: Iterable[tuple[int, Cells]]) -> Iterator[list[tuple[int, Cells]]]:
    """At most `BATCH` rows, and fewer where they are long: a batch is in memory several times."""
    batch: list[tuple[int, Cells]] = []
    letters = 0
    for number, cells in rows:
        batch.append((number, cells))
        letters += sum(len(cell) for cell in cells.values() if isinstance(cell, str))
        if len(batch) == BATCH or letters > LETTERS_AT_ONCE:
            yield batch
            batch, letters = [], 0
    if batch:
        yield batch


def _twins(results: Iterable[RowResult]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """The earlier rows that have a duplicate in this batch, and what is to be said of them."""
    for one in results:
        for error in one.errors:
            if error.code == "duplicate_row":
                yield error.params["row"], [{"field": error.field, "code": error.code, "params": {"row": one.number}}]


def _stored(import_id: int, one: RowResult) -> ImportRow:
    storable = not [*unstorable_texts(one.cells)]
    return ImportRow(
        upload_id=import_id,
        number=one.number,
        outcome=one.outcome,
        key=one.key,
        label=one.label,
        cells=one.cells if storable else {name: {"code": "invalid_text"} for name in one.cells},
        record_id=one.row.pk if one.row else None,
        version=one.row.version if one.row else None,
        changes=one.changes,
        errors=[{"field": error.field, "code": error.code, "params": error.params} for error in one.errors],
    )
