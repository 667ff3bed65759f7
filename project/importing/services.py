"""Writes of imports: what a user may request. `jobs` runs the work in the background."""

from dataclasses import asdict, dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.tasks import Task

from project.access.principal import Principal
from project.catalogs.definition import CatalogDefinition
from project.core import clock
from project.core.errors import NotFound, PermissionDenied, Refusal
from project.core.idempotency import unit_of_work
from project.importing import applying, jobs, previewing, selectors, tasks
from project.importing.applying import ImportStale
from project.importing.models import APPLIED, APPLYING, FAILED, HELD, READING, READY, UNDER_WAY, Import, ImportFile
from project.importing.order_files import WANTED as ORDER_FILE
from project.importing.reading import MarkedRow, Upload, wanted
from project.importing.refusals import FileTooLarge
from project.importing.registry import IMPORTS
from project.importing.sheets import MOST_BYTES, Choices, Doubt, Looked

MOST_AT_ONCE = 5


class ImportNotReady(Refusal):
    """The import is still being read or applied, or it failed."""

    code = "import_not_ready"


class ImportApplied(Refusal):
    """The import has been applied already."""

    code = "import_applied"


class ImportDoubtful(Refusal):
    """Every row that would change something waits for the answer to a doubt."""

    code = "import_doubtful"


class ImportEmpty(Refusal):
    """No row would change anything."""

    code = "import_empty"


class TooManyImports(Refusal):
    """The user has the maximum of imports under way."""

    code = "too_many_imports"


def import_create(
    catalog: CatalogDefinition[Any], *, raw: bytes, file_name: str, by: Principal, choices: dict[str, Any] | None = None
) -> Import:
    """Check a file's headings, store the upload and begin its preview.

    Raises what `Upload.look` raises, and `TooManyImports`.
    """
    if len(raw) > MOST_BYTES:
        raise FileTooLarge(limit=MOST_BYTES)
    chosen = choices or {}
    with Upload(raw, wanted(catalog.current()), Choices(**chosen), whose=by.user_id) as file:
        facts = _facts(file.look(), chosen)
    return _keep(catalog, raw, facts, file_name, by)


def _facts(looked: Looked, choices: dict[str, Any]) -> dict[str, Any]:
    """Return the facts known before a file's rows are read, as columns of `Import`."""
    return {
        "rows_total": looked.total,
        "encoding": looked.encoding or "",
        "sheet": looked.sheet or "",
        "sheets": [asdict(one) for one in looked.sheets],
        "choices": choices,
        "heads": [asdict(head) for head in looked.heads],
    }


@unit_of_work
def _keep(catalog: CatalogDefinition[Any], raw: bytes, facts: dict[str, Any], file_name: str, by: Principal) -> Import:
    if Import.objects.filter(user_id=by.user_id, state__in=UNDER_WAY).count() >= MOST_AT_ONCE:
        raise TooManyImports(limit=MOST_AT_ONCE)
    upload = Import.objects.create(
        user_id=by.user_id,
        catalog=catalog.name,
        file_name=file_name,
        **facts,
        runner=jobs.RUNNER,
        held_until=clock.now() + HELD,
        created_at=clock.now(),
    )
    ImportFile.objects.create(upload=upload, raw=raw)
    jobs.start(upload.pk, tasks.preview, catalog=catalog.name, by=by)
    return upload


@dataclass(frozen=True)
class OrderFileRead:
    """A customer's order file as it was read. The cells of a row are keyed by the column's number, from "0"."""

    looked: Looked
    doubts: list[Doubt]
    rows: list[MarkedRow]


def order_file_read(*, raw: bytes, choices: dict[str, Any], by: Principal) -> OrderFileRead:
    """Read the rows of a customer's order file and store nothing. Raises what `Upload.read_at_once` raises."""
    with Upload(raw, ORDER_FILE, Choices(**choices), whose=by.user_id) as file:
        looked, read = file.read_at_once()
        return OrderFileRead(looked, read.doubts, list(file.rows()))


def import_apply(import_id: int, *, by: Principal) -> Import:
    """Begin to apply a preview.

    Raises `NotFound`, `ImportApplied`, `ImportNotReady`, `ImportDoubtful`, `ImportEmpty`, `ImportStale`,
    `PermissionDenied` if the caller has lost a right since the preview.
    """
    upload = selectors.import_get(import_id, by=by)
    _refuse_unless_ready(upload)
    catalog = IMPORTS[upload.catalog]
    if (upload.new and not by.holds(catalog.needed("Create"))) or (
        upload.changed and not by.holds(catalog.needed("Update"))
    ):
        raise PermissionDenied
    if not upload.new and not upload.changed:
        raise ImportDoubtful if upload.doubtful else ImportEmpty
    if stale := applying.stale_rows(upload):
        raise ImportStale(stale)
    return _claim(upload, READY, APPLYING, {}, tasks.apply, by=by)


def import_refresh(import_id: int, *, by: Principal, choices: dict[str, Any] | None = None) -> Import:
    """Preview the stored rows again. With `choices`, which are answers to the file's doubts, read the file again.

    Raises `NotFound`, `ImportApplied`, `ImportNotReady`, `ImportFileGone`, and what `Upload.look` raises.
    """
    upload = selectors.import_get(import_id, by=by)
    _refuse_unless_ready(upload)
    if choices:
        return _read_again(upload, choices, by)
    return _claim(upload, READY, READING, previewing.BLANK, tasks.preview_again, by=by)


def _read_again(upload: Import, more: dict[str, Any], by: Principal) -> Import:
    """Read the file again. If another sheet is chosen, drop the columns that were chosen for the former sheet."""
    same = more.get("sheet", upload.sheet) == upload.sheet
    choices = {name: choice for name, choice in upload.choices.items() if same or name != "columns"} | more
    with previewing.kept_file(upload.pk, choices, by=by) as file:
        facts = previewing.BLANK | _facts(file.look(), choices)
    return _claim(upload, READY, READING, facts, tasks.preview, by=by, same_rows=same)


@unit_of_work
def import_mend(import_id: int, *, number: int, cells: dict[str, str], by: Principal) -> Import:
    """Write the cells that the user typed into a row of a preview, and validate the row again.

    Raises `NotFound`, `ImportApplied`, `ImportNotReady`, and `InvalidFields` for an unknown column.
    """
    _refuse_unless_ready(selectors.import_get(import_id, by=by))
    upload = Import.objects.select_for_update().filter(pk=import_id, state=READY).first()
    if upload is None:
        raise ImportNotReady
    previewing.mend(upload, number, cells, by=by)
    stays = {} if upload.error_code == ImportStale.code else {"error_code": "", "error_params": {}}
    Import.objects.filter(pk=import_id).update(**selectors.counts(import_id), **stays)
    upload.refresh_from_db()
    return upload


def forget_files() -> None:
    """Delete the uploaded files, but not their rows. Answering a doubt then needs a new upload."""
    ImportFile.objects.all().delete()


@unit_of_work
def import_discard(import_id: int, *, by: Principal) -> Import:
    """Delete an upload and its rows. Applied changes remain. Raises `NotFound`, and `ImportNotReady` while applying."""
    upload = selectors.import_get(import_id, by=by)
    gone, _ = Import.objects.filter(pk=import_id).exclude(state=APPLYING).delete()
    if not gone:
        raise ImportNotReady if Import.objects.filter(pk=import_id).exists() else NotFound
    transaction.on_commit(partial(jobs.stop, import_id))
    return upload


def give_up_abandoned() -> int:
    """Mark the imports of dead jobs as interrupted. None of their rows was applied. Returns the number of imports."""
    return sum(_interrupted(upload) for upload in selectors.abandoned())


def forget(*, older_than: timedelta) -> int:
    """Delete uploads older than `older_than`, except those being applied. Returns the number of deleted rows, of all
    tables."""
    old = Import.objects.filter(created_at__lt=clock.now() - older_than).exclude(state=APPLYING)
    gone, _ = old.delete()
    return gone


def looked_at(import_id: int, *, by: Principal) -> Import:
    """Return the current import. Marks it as interrupted if its job has died. Raises what `import_get` does."""
    upload = selectors.import_get(import_id, by=by)
    if upload.state in UNDER_WAY:
        lost = upload.runner == jobs.RUNNER and not jobs.here(import_id)
        if lost or selectors.abandoned().filter(pk=import_id).exists():
            _interrupted(upload, even_here=lost)
        return selectors.import_get(import_id, by=by)
    return upload


def _interrupted(upload: Import, *, even_here: bool = False) -> int:
    if not even_here and jobs.here(upload.pk):
        return 0
    return Import.objects.filter(pk=upload.pk, state=upload.state, held_until=upload.held_until).update(
        state=FAILED, error_code="interrupted"
    )


def _refuse_unless_ready(upload: Import) -> None:
    if upload.state == APPLIED:
        raise ImportApplied
    if upload.state != READY:
        raise ImportNotReady


@unit_of_work
def _claim(
    upload: Import,
    before: str,
    after: str,
    facts: dict[str, Any],
    job: "Task[..., None]",
    *,
    by: Principal,
    **options: object,
) -> Import:
    """Move an import to another state and begin the job after the commit. Only one of two concurrent callers succeeds.

    `facts`: values of its columns. `options`: those of the job. Raises `ImportApplied`, `ImportNotReady`.
    """
    taken = Import.objects.filter(pk=upload.pk, state=before).update(
        **{
            "error_code": "",
            "error_params": {},
            **facts,
            "state": after,
            "runner": jobs.RUNNER,
            "held_until": clock.now() + HELD,
        }
    )
    upload.refresh_from_db()
    if not taken:
        _refuse_unless_ready(upload)
        raise ImportNotReady
    jobs.start(upload.pk, job, catalog=upload.catalog, by=by, **options)
    return upload
