"""Validates an upload row by row and stores the outcome of each row."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from django.db import transaction

from project.access.principal import Principal
from project.catalogs.definition import CATALOGS
from project.core.validation import unstorable_texts
from project.importing import jobs
from project.importing.models import CHANGED, DOUBTFUL, NEW, READING, READY, REFUSED, UNCHANGED, Import, ImportRow
from project.importing.reading import MarkedRow, Upload, done
from project.importing.sheets import WHOLE_FILE
from project.importing.tables import FOOTER, HIDDEN
from project.importing.validating import BATCH, RowResult, RowValidator

LETTERS_AT_ONCE = 2_000_000
OUTCOMES = (NEW, CHANGED, UNCHANGED, REFUSED, DOUBTFUL)
BLANK = {"rows_done": 0, **dict.fromkeys(OUTCOMES, 0)}


def preview(import_id: int, catalog: str, upload: Upload, *, by: Principal) -> None:
    """Read and validate a file's rows. Raises `jobs.Overtaken`, and what `reading.done` does."""
    with upload:
        jobs.owned(import_id, READING)
        work = upload.read()
        with jobs.stopped_by(import_id, work.cancel):
            read = done(work)
        doubts = [asdict(doubt) for doubt in read.doubts]
        with transaction.atomic():
            jobs.owned(import_id, READING, rows_total=read.rows, doubts=doubts)
            ImportRow.objects.filter(upload_id=import_id).delete()
        _read(import_id, catalog, upload.rows(), {doubt.code for doubt in read.doubts}, by=by)


def preview_again(import_id: int, catalog: str, *, by: Principal) -> None:
    """Validate the stored rows again, without reading the file. Raises `jobs.Overtaken`."""
    kept = ImportRow.objects.filter(upload_id=import_id).order_by("number").values_list("number", "cells", "marks")
    rows = [MarkedRow(*row) for row in kept]
    doubts = Import.objects.filter(pk=import_id).values_list("doubts", flat=True).first() or []
    with transaction.atomic():
        jobs.owned(import_id, READING, rows_total=len(rows))
        ImportRow.objects.filter(upload_id=import_id).delete()
    _read(import_id, catalog, rows, {doubt["code"] for doubt in doubts}, by=by)


def _read(import_id: int, catalog: str, rows: Iterable[MarkedRow], doubts: set[str], *, by: Principal) -> None:
    """Store the outcome of each row. `doubts`: the codes of the open doubts."""
    validator = RowValidator(CATALOGS[catalog], by)
    counts = dict.fromkeys(OUTCOMES, 0)
    done = 0
    for batch in _batches(rows):
        results = _results(validator, batch, doubts)
        marks = {row.number: row.marks for row in batch}
        done += len(results)
        for one in results:
            counts[one.outcome] += 1
        with transaction.atomic():
            ImportRow.objects.bulk_create(
                (_stored(import_id, one, marks[one.number]) for one in results), batch_size=BATCH
            )
            for first, errors in _earlier_duplicates(results):
                before = ImportRow.objects.get(upload_id=import_id, number=first)
                if before.outcome != REFUSED:
                    counts[before.outcome] -= 1
                    counts[REFUSED] += 1
                    before.outcome, before.changes, before.errors = REFUSED, [], errors
                    before.save(update_fields=["outcome", "changes", "errors"])
            jobs.owned(import_id, READING, rows_done=done, **counts)
    jobs.owned(import_id, READING, state=READY, rows_total=done)


def _results(validator: RowValidator, batch: list[MarkedRow], doubts: set[str]) -> list[RowResult]:
    """Return the results of a batch. A row that waits for an answer is doubtful.

    Hidden rows and footers do not belong to the list until the uploader says so: they are not validated, and no other
    row is a duplicate of them.
    """
    open_doubts = {row.number: doubts & {*row.marks} for row in batch}
    is_out = {number for number, codes in open_doubts.items() if codes & {HIDDEN, FOOTER}}
    results = validator.batch((row.number, row.cells) for row in batch if row.number not in is_out)
    for one in results:
        if one.outcome in (NEW, CHANGED) and (open_doubts[one.number] or doubts & WHOLE_FILE):
            one.outcome = DOUBTFUL
    return [*results, *(validator.left_out(row.number, row.cells) for row in batch if row.number in is_out)]


def _batches(rows: Iterable[MarkedRow]) -> Iterator[list[MarkedRow]]:
    """Yield at most `BATCH` rows at once, fewer if they are long: memory holds several copies of a batch."""
    batch: list[MarkedRow] = []
    letters = 0
    for row in rows:
        batch.append(row)
        letters += sum(len(cell) for cell in row.cells.values() if isinstance(cell, str))
        if len(batch) == BATCH or letters > LETTERS_AT_ONCE:
            yield batch
            batch, letters = [], 0
    if batch:
        yield batch


def _earlier_duplicates(results: Iterable[RowResult]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield the number of each earlier row that has a duplicate in this batch, and the errors to store for it."""
    for one in results:
        for error in one.errors:
            if error.code == "duplicate_row":
                yield error.params["row"], [{"field": error.field, "code": error.code, "params": {"row": one.number}}]


def _stored(import_id: int, one: RowResult, marks: list[str]) -> ImportRow:
    storable = not [*unstorable_texts(one.cells)]
    return ImportRow(
        upload_id=import_id,
        number=one.number,
        outcome=one.outcome,
        key=one.key,
        label=one.label,
        marks=marks,
        cells=one.cells if storable else {name: {"code": "invalid_text"} for name in one.cells},
        record_id=one.row.pk if one.row else None,
        version=one.row.version if one.row else None,
        changes=one.changes,
        errors=[{"field": error.field, "code": error.code, "params": error.params} for error in one.errors],
    )
