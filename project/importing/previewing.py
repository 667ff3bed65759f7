"""Validates an upload row by row and stores the outcome of each row."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import batched
from typing import Any

from django.db import transaction

from project.access.principal import Principal
from project.catalogs.cells import Cell, Cells
from project.catalogs.definition import CatalogDefinition
from project.core.errors import FieldError, InvalidFields, NotFound
from project.core.folding import name_key
from project.core.validation import unstorable_texts
from project.importing import jobs
from project.importing.models import (
    CHANGED,
    DOUBTFUL,
    NEW,
    OUTCOMES,
    READING,
    READY,
    REFUSED,
    Import,
    ImportFile,
    ImportRow,
    error_kept,
)
from project.importing.reading import MarkedRow, Upload, done, wanted
from project.importing.refusals import ImportFileGone
from project.importing.registry import IMPORTS
from project.importing.sheets import WHOLE_FILE, Choices, plain_code
from project.importing.tables import FOOTER, HIDDEN, UNSURE_CELLS, text_of
from project.importing.validating import BATCH, RowResult, RowValidator

LETTERS_AT_ONCE = 2_000_000
BLANK = {"rows_done": 0, **dict.fromkeys(OUTCOMES, 0)}
Mended = Mapping[int, dict[str, str]]
"""The cells that the uploader typed, by row number."""


def kept_file(import_id: int, choices: dict[str, Any] | None = None, *, by: Principal) -> Upload:
    """Return the uploaded file, ready to be read. Raises `ImportFileGone`.

    `choices`: how to read it; None: by the choices that the import stores.
    """
    kept = ImportFile.objects.select_related("upload").filter(pk=import_id).first()
    if kept is None:
        raise ImportFileGone
    catalog = IMPORTS[kept.upload.catalog].current()
    chosen = kept.upload.choices if choices is None else choices
    return Upload(bytes(kept.raw), wanted(catalog), Choices(**chosen), whose=by.user_id)


def preview(import_id: int, catalog: str, *, same_rows: bool = True, by: Principal) -> None:
    """Read and validate the rows of the uploaded file.

    `same_rows`: row numbers mean the same rows as before, so cells that the uploader mended are kept. Raises
    `jobs.Overtaken`, `ImportFileGone`, and what `reading.done` raises.
    """
    jobs.owned(import_id, READING)
    with kept_file(import_id, by=by) as upload:
        work = upload.read()
        with jobs.stopped_by(import_id, work.cancel):
            read = done(work)
        doubts = [asdict(doubt) for doubt in read.doubts]
        mended = _mended(import_id) if same_rows else {}
        with transaction.atomic():
            jobs.owned(import_id, READING, rows_total=read.rows, doubts=doubts)
            ImportRow.objects.filter(upload_id=import_id).delete()
        _read(import_id, catalog, upload.rows(), {doubt.code for doubt in read.doubts}, mended, by=by)


def preview_again(import_id: int, catalog: str, *, by: Principal) -> None:
    """Validate the stored rows again, without reading the file. Raises `jobs.Overtaken`."""
    kept = ImportRow.objects.filter(upload_id=import_id).order_by("number").values_list("number", "cells", "marks")
    rows = [MarkedRow(*row) for row in kept]
    doubts = Import.objects.filter(pk=import_id).values_list("doubts", flat=True).first() or []
    mended = _mended(import_id)
    with transaction.atomic():
        jobs.owned(import_id, READING, rows_total=len(rows))
        ImportRow.objects.filter(upload_id=import_id).delete()
    _read(import_id, catalog, rows, {doubt["code"] for doubt in doubts}, mended, by=by)


def _mended(import_id: int) -> Mended:
    return dict(ImportRow.objects.filter(upload_id=import_id).exclude(mended={}).values_list("number", "mended"))


def _read(
    import_id: int, catalog: str, rows: Iterable[MarkedRow], doubts: set[str], mended: Mended, *, by: Principal
) -> None:
    """Store the outcome of each row. `doubts`: the codes of the open doubts."""
    validator = RowValidator(IMPORTS[catalog].current(), by)
    counts = dict.fromkeys(OUTCOMES, 0)
    done = 0
    for batch in _batches(_mend_cells(row, mended.get(row.number, {})) for row in rows):
        results = _results(validator, batch, doubts)
        marks = {row.number: row.marks for row in batch}
        done += len(results)
        for one in results:
            counts[one.outcome] += 1
        with transaction.atomic():
            ImportRow.objects.bulk_create(
                (_stored(import_id, one, marks[one.number], mended.get(one.number, {})) for one in results),
                batch_size=BATCH,
            )
            for first, error in _earlier_duplicates(results):
                before = ImportRow.objects.get(upload_id=import_id, number=first)
                if before.outcome != REFUSED:
                    counts[before.outcome] -= 1
                    counts[REFUSED] += 1
                    before.refuse(error)
                    before.save(update_fields=["outcome", "changes", "errors"])
            jobs.owned(import_id, READING, rows_done=done, **counts)
    jobs.owned(import_id, READING, state=READY, rows_total=done)


def _results(validator: RowValidator, batch: list[MarkedRow], doubts: set[str]) -> list[RowResult]:
    """Return the results of a batch. A new or changed row that waits for an answer is doubtful.

    Hidden rows and footers do not belong to the list until the uploader says so: they are doubtful, they are not
    validated, and no other row is a duplicate of them. No row is validated before the column of the key is known.
    """
    open_doubts = {row.number: doubts & {*row.marks} for row in batch}
    is_out = {
        row.number
        for row in batch
        if open_doubts[row.number] & {HIDDEN, FOOTER} or validator.catalog.key not in row.cells
    }
    results = validator.batch((row.number, row.cells) for row in batch if row.number not in is_out)
    for one in results:
        if one.outcome in (NEW, CHANGED) and (open_doubts[one.number] or doubts & WHOLE_FILE):
            one.outcome = DOUBTFUL
    return [*results, *(validator.left_out(row.number, row.cells) for row in batch if row.number in is_out)]


def _batches(rows: Iterable[MarkedRow]) -> Iterator[list[MarkedRow]]:
    """Yield batches of at most `BATCH` rows.

    Batches of long rows have fewer rows, because memory holds several copies of a batch.
    """
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


def _earlier_duplicates(results: Iterable[RowResult]) -> Iterator[tuple[int, FieldError]]:
    """Yield, for each duplicate in this batch, the number of the earlier row and an error for that row."""
    for one in results:
        for error in one.errors:
            if error.code == "duplicate_row":
                yield error.params["row"], FieldError(error.field, error.code, {"row": one.number})


def mend(upload: Import, number: int, cells: dict[str, str], *, by: Principal) -> None:
    """Write the cells that the uploader typed into a row of the preview, and validate the row again.

    Also validates again all rows that share a unique value with the row, before or after the change. Call it in a
    transaction. Raises `NotFound` for an unknown row, and `InvalidFields` for an unknown column.
    """
    catalog = IMPORTS[upload.catalog].current()
    if {*cells} - {*catalog.heads}:
        raise InvalidFields.of("cells", "not_a_choice")
    cells = {name: str(plain_code(cell)) if name in catalog.codes else cell for name, cell in cells.items()}
    mended = ImportRow.objects.filter(upload=upload, number=number).first()
    if mended is None:
        raise NotFound
    validator = RowValidator(catalog, by)
    doubts = {doubt["code"] for doubt in upload.doubts}
    written: dict[int, ImportRow] = {}
    for numbers in batched(sorted(_concerned(upload, number, cells, catalog)), BATCH):
        before = {row.number: row for row in ImportRow.objects.filter(upload=upload, number__in=numbers)}
        if number in before:
            before[number].mended |= cells
        batch = [
            _mend_cells(MarkedRow(row.number, row.cells, row.marks), row.mended) for _, row in sorted(before.items())
        ]
        results = _results(validator, batch, doubts)
        for one in results:
            row = before[one.number]
            written[one.number] = _stored(upload.pk, one, row.marks, row.mended)
        for earlier, error in _earlier_duplicates(results):
            row = written[earlier]
            if row.outcome != REFUSED:
                row.refuse(error)
    ImportRow.objects.filter(upload=upload, number__in=[*written]).delete()
    ImportRow.objects.bulk_create(written.values(), batch_size=BATCH)


def _concerned(upload: Import, number: int, cells: Mapping[str, str], catalog: CatalogDefinition[Any]) -> set[int]:
    """Return the numbers of the rows with outcomes that may change if `cells` are typed into row `number`.

    These are the row itself, and all rows that equal unique values connect with it, directly or through other rows.
    """
    unique = (*catalog.unique_fields.values(), *catalog.once_in_file)
    values: dict[int, set[tuple[str, str]]] = {}
    holders: dict[tuple[str, str], set[int]] = {}
    for at, read in ImportRow.objects.filter(upload=upload).values_list("number", "cells").iterator(BATCH):
        versions = (read, cells) if at == number else (read,)
        values[at] = {(name, key) for row in versions for name in unique if (key := _key(row.get(name)))}
        for value in values[at]:
            holders.setdefault(value, set()).add(at)
    concerned, waiting = {number}, [number]
    while waiting:
        others = {at for value in values[waiting.pop()] for at in holders[value]} - concerned
        concerned |= others
        waiting += others
    return concerned


def _key(cell: Cell) -> str:
    """Normalize a cell of a unique column, to compare it. Returns an empty text for a cell that cannot be read."""
    return name_key(text_of(cell))


def _mend_cells(row: MarkedRow, typed: dict[str, str]) -> MarkedRow:
    """Return the row with the cells that the uploader typed.

    Drops the errors of `UNSURE_CELLS`, because the uploader has now looked at the row.
    """
    if not typed:
        return row
    cells: Cells = {
        name: cell.get("text", "") if isinstance(cell, dict) and cell["code"] in UNSURE_CELLS else cell
        for name, cell in row.cells.items()
    }
    return row._replace(cells={**cells, **typed})


def _stored(import_id: int, one: RowResult, marks: list[str], mended: dict[str, str]) -> ImportRow:
    return ImportRow(
        upload_id=import_id,
        number=one.number,
        outcome=one.outcome,
        key=one.key,
        label=one.label,
        marks=marks,
        mended=mended,
        cells={
            name: {"code": "invalid_text"} if [*unstorable_texts(cell)] else cell for name, cell in one.cells.items()
        },
        record_id=one.row.pk if one.row else None,
        version=one.row.version if one.row else None,
        changes=one.changes,
        errors=[*map(error_kept, one.errors)],
    )
