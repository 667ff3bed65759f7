"""Applies a preview in one transaction, by the catalogs' own rules. A stale preview is refused."""

from collections.abc import Iterable, Iterator
from itertools import batched
from typing import Any, Literal

from django.db import IntegrityError, transaction

from project.access.principal import Principal
from project.catalogs import bulk
from project.catalogs.definition import CatalogDefinition
from project.core.errors import Refusal, TooManyAttempts
from project.importing import jobs, selectors
from project.importing.events import ImportFinished, ImportFinishedData
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
from project.importing.registry import IMPORTS
from project.importing.validating import BATCH, RowResult, RowValidator
from realtime import outbox
from realtime.registry import Actor

MOST_NAMED = 20


class ImportStale(Refusal):
    """Records changed since the preview, so the user must preview again. `rows`: numbers of the first affected rows."""

    code = "import_stale"

    def __init__(self, rows: Iterable[int]) -> None:
        super().__init__(rows=sorted(rows)[:MOST_NAMED] or ["?"])


class RowsRefused(Refusal):
    """Nothing was written: applying found errors that the preview could not find. `rows`: the refused rows."""

    code = "import_rows_refused"


def apply(import_id: int, catalog: str, *, by: Principal) -> None:
    """Write the new and changed rows, or set the import back to `ready` with the reason."""
    definition = IMPORTS[catalog].current()
    try:
        _refuse_at_last(import_id, definition, by)
        try:
            _write(import_id, definition, by)
        except IntegrityError as error:  # a concurrent request has stored a name of one of the rows
            raise ImportStale(_changed(import_id, definition, by)) from error
    except (ImportStale, RowsRefused, TooManyAttempts) as refusal:
        with transaction.atomic():
            jobs.owned(import_id, APPLYING, state=READY, error_code=refusal.code, error_params=refusal.params)
            _publish_end(import_id, catalog, "ready", by)


def _refuse_at_last(import_id: int, catalog: CatalogDefinition[Any], by: Principal) -> None:
    """Refuse the rows with errors that only applying finds. Raises `RowsRefused`, and what `last_errors` raises."""
    rows = ImportRow.objects.filter(upload_id=import_id, outcome__in=(NEW, CHANGED)).order_by("number")
    wrong = catalog.last_errors(rows.values_list("number", "cells"), by)
    if not wrong:
        return
    with transaction.atomic():
        for row in rows.filter(number__in=[*wrong]):
            row.refuse(wrong[row.number])
            row.save(update_fields=["outcome", "changes", "errors"])
        jobs.owned(import_id, APPLYING, **selectors.counts(import_id))
    raise RowsRefused(rows=sorted(wrong)[:MOST_NAMED])


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
    if catalog.write_imported:
        catalog.write_imported([one.fields for one in planned], by)
        ImportRow.objects.filter(upload_id=import_id, outcome=NEW).delete()  # these rows contain PINs in plain text
    else:
        bulk.entries_write(catalog, planned, by=by)
    jobs.owned(import_id, APPLYING, state=APPLIED)
    ImportFile.objects.filter(upload_id=import_id).delete()
    bulk.publish_imported(catalog, by=by)
    _publish_end(import_id, catalog.name, "applied", by)


def _publish_end(import_id: int, catalog: str, state: Literal["applied", "ready"], by: Principal) -> None:
    """Publish to the uploader that the import has ended. Call it last."""
    finished = ImportFinished(data=ImportFinishedData(id=import_id, catalog=catalog, state=state))
    outbox.publish(finished, by=Actor.of(by), to_user=by.user_id)


def _compared(import_id: int, validator: RowValidator) -> Iterator[tuple[list[RowResult], list[int]]]:
    """Validate the accepted rows of the preview again.

    Yields, for each batch, the results, and the numbers of the rows with another `outlook` than in the preview.
    """
    rows = ImportRow.objects.filter(upload_id=import_id).exclude(outcome__in=(REFUSED, DOUBTFUL)).order_by("number")
    kept = rows.values_list("number", "cells", "outcome", "record_id", "version").iterator(BATCH)
    for batch in batched(kept, BATCH):
        results = validator.batch((number, cells) for number, cells, *_ in batch)
        previewed = [(outcome, pk, version) for *_, outcome, pk, version in batch]
        pairs = zip(results, previewed, strict=True)
        yield results, [one.number for one, outlook in pairs if one.outlook != outlook]


def _changed(import_id: int, catalog: CatalogDefinition[Any], by: Principal) -> list[int]:
    """Return the numbers of the rows with another `outlook` than in the preview."""
    return [number for _, stale in _compared(import_id, RowValidator(catalog, by)) for number in stale]


def stale_rows(upload: Import) -> list[int]:
    """Return the numbers of the rows with records that changed since the preview. A quick check before applying."""
    definition = IMPORTS[upload.catalog]
    seen = ImportRow.objects.filter(upload=upload).exclude(outcome__in=(REFUSED, DOUBTFUL)).exclude(record_id=None)
    stale: list[int] = []
    for batch in batched(seen.values_list("number", "record_id", "version"), BATCH):
        records = definition.model._default_manager.filter(pk__in=[pk for _, pk, _ in batch])
        now = dict(records.values_list("pk", "version"))
        stale += [number for number, pk, version in batch if now.get(pk) != version]
    return stale
