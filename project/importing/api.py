"""REST of imports: template, upload, preview, apply, discard."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal
from urllib.parse import unquote

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from ninja import Path, Query

from project.access.guard import Requires, SignedIn, caller
from project.access.permissions import Permission
from project.catalogs.cells import Cell, Cells
from project.catalogs.definition import CatalogDefinition
from project.core.answers import Created
from project.core.errors import InvalidFields
from project.core.exporting import ExportQuery, FileFormat, export
from project.core.idempotency import NotKept, Repeat
from project.core.pagination import announce, paginate
from project.core.routing import DomainRouter, domain_router
from project.core.schemas import Id
from project.core.texts import text
from project.importing import selectors, services
from project.importing.models import REFUSED, Import, ImportRow
from project.importing.refusals import FileTooLarge, UnsupportedFile
from project.importing.registry import IMPORTS
from project.importing.schemas import (
    ImportChange,
    ImportChoices,
    ImportChoicesOut,
    ImportCounts,
    ImportDoubt,
    ImportField,
    ImportHead,
    ImportMend,
    ImportOut,
    ImportRowError,
    ImportRowOut,
    ImportRowQuery,
    ImportSheet,
    OrderFile,
    OrderFileRow,
    UnreadCell,
)
from project.importing.sheets import MOST_BYTES
from project.importing.tables import text_of
from project.importing.templates import CONTENT_TYPES, reason, refused_columns, template

router = domain_router("imports")

PathId = Annotated[Id, Path()]
ENDINGS = (".xlsx", ".xlsm", ".csv", ".tsv", ".txt")
RAW = frozenset(
    {
        "text/csv",
        "text/plain",  # Excel's "Unicode text"
        "text/tab-separated-values",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.ms-excel",  # some systems send it for CSV files
        "application/octet-stream",
    }
)
BINARY = {"schema": {"type": "string", "format": "binary"}}
FILE_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "text/csv": BINARY,
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": BINARY,
            "multipart/form-data": {
                "schema": {"type": "object", "required": ["file"], "properties": {"file": BINARY["schema"]}}
            },
        },
    }
}


def uploaded(request: HttpRequest) -> tuple[bytes, str]:
    """Return a request's file and its name: the raw body, or the only multipart file.

    Raises `UnsupportedFile`, `FileTooLarge`, and `InvalidFields` for the file's name.
    """
    if request.content_type == "multipart/form-data":
        files: list[Any] = [file for _, file in request.FILES.items()]
        if len(files) != 1 or not str(files[0].name).lower().endswith(ENDINGS):
            raise UnsupportedFile
        raw, name = files[0].read(MOST_BYTES + 1), str(files[0].name)
    elif request.content_type in RAW:
        raw, name = request.body, unquote(request.headers.get("X-File-Name", ""))
    else:
        raise UnsupportedFile
    if len(raw) > MOST_BYTES:
        raise FileTooLarge(limit=MOST_BYTES)
    if not (name.isprintable() and len(name) <= 200):
        raise InvalidFields.of("fileName", "invalid_text")
    return raw, name


def present(upload: Import) -> ImportOut:
    catalog = IMPORTS[upload.catalog].current()
    return ImportOut(
        id=upload.pk,
        catalog=upload.catalog,
        file_name=upload.file_name,
        state=upload.state,  # type: ignore[arg-type]
        rows_total=upload.rows_total,
        rows_done=upload.rows_done,
        counts=ImportCounts(new=upload.new, changed=upload.changed, unchanged=upload.unchanged, refused=upload.refused),
        doubtful=upload.doubtful,
        encoding=upload.encoding or None,  # type: ignore[arg-type]
        sheet=upload.sheet or None,
        sheets=[ImportSheet(**one) for one in upload.sheets],
        doubts=[ImportDoubt(**one) for one in upload.doubts],
        heads=[ImportHead(**one) for one in upload.heads],
        fields=[
            ImportField(name=column.key, label=column.head, required=column.key == catalog.key)
            for column in catalog.read_columns
        ],
        choices=ImportChoicesOut(**upload.choices),
        error_code=upload.error_code or None,
        error_message=text(upload.error_code, upload.error_params) if upload.error_code else None,
        created_at=upload.created_at,
    )


def present_row(row: ImportRow, heads: Sequence[str]) -> ImportRowOut:
    shown = {*row.mended, *(error["field"].partition(".")[0] for error in row.errors)} & {*heads}
    return ImportRowOut(
        number=row.number,
        outcome=row.outcome,  # type: ignore[arg-type]
        key=row.key,
        label=row.label,
        marks=row.marks,
        changes=[ImportChange(**change) for change in row.changes],
        errors=[
            ImportRowError(field=one["field"], code=one["code"], message=reason(one, row.cells)) for one in row.errors
        ],
        cells={name: text_of(row.cells.get(name)) for name in sorted(shown)},
        mended=sorted(row.mended),
    )


LONGEST_OF_AN_ORDER = 500
"""Maximum number of characters of a cell in an order file. A longer text is no key, quantity or note of a line."""


def present_order_row(number: int, cells: Cells, marks: list[Any]) -> OrderFileRow:
    def shown(cell: Cell) -> str | int | float | bool | UnreadCell | None:
        if isinstance(cell, dict):
            return UnreadCell(code=cell["code"])
        if isinstance(cell, str) and len(cell) > LONGEST_OF_AN_ORDER:
            return UnreadCell(code="too_long")
        return cell

    last = max(map(int, cells), default=-1)
    return OrderFileRow(number=number, cells=[shown(cells.get(str(place))) for place in range(last + 1)], marks=marks)


@router.post(
    "/order-lines",
    auth=Requires(Permission.CreateSalesOrder, Permission.UpdateSalesOrder),
    operation_id="order_file_read",
    repeat=NotKept("reads"),
    openapi_extra=FILE_BODY,
)
def order_file_read(request: HttpRequest, choices: Query[ImportChoices]) -> OrderFile:
    """Read the rows of a customer's order file, XLSX or CSV, for the form of an order. Nothing is stored.

    To answer a doubt, send the file again with the answer.
    """
    raw, _ = uploaded(request)
    read = services.order_file_read(raw=raw, choices=choices.given(), by=caller(request))
    return OrderFile(
        encoding=read.looked.encoding,
        sheet=read.looked.sheet,
        sheets=[ImportSheet(name=one.name, hidden=one.hidden) for one in read.looked.sheets],
        doubts=[ImportDoubt(code=one.code, params=one.params) for one in read.doubts],
        rows=[present_order_row(*row) for row in read.rows],
    )


def _catalog_operations(router: DomainRouter, catalog: CatalogDefinition[Any]) -> None:
    """Add the operations that upload a catalog's file and download its template.

    Each catalog has its own operations, because their permissions differ.
    """
    writes = Requires(catalog.needed("Create"), catalog.needed("Update"))

    def import_create(request: HttpRequest, choices: Query[ImportChoices]) -> Created[ImportOut]:
        """Upload a file and begin its preview. `X-File-Name`: the file's name, percent-encoded, for a raw body."""
        raw, file_name = uploaded(request)
        upload = services.import_create(
            catalog, raw=raw, file_name=file_name, choices=choices.given(), by=caller(request)
        )
        return Created(present(upload))

    def import_template(request: HttpRequest, kind: Literal["xlsx", "csv"]) -> HttpResponse:
        """Download an empty file with the catalog's headings. The workbook has an example on a second sheet."""
        response = HttpResponse(template(catalog.current(), kind), content_type=CONTENT_TYPES[kind])
        response["Content-Disposition"] = f'attachment; filename="{catalog.name}.{kind}"'
        return response

    router.post(
        f"/{catalog.name}",
        auth=writes,
        operation_id=f"{catalog.slug}_import_create",
        repeat=Repeat(import_get, made="import_id"),
        summary=f"Upload {catalog.name} as XLSX or CSV, raw or as one multipart file",
        openapi_extra=FILE_BODY,
    )(import_create)
    router.get(
        f"/{catalog.name}/template.{{kind}}",
        auth=writes,
        operation_id=f"{catalog.slug}_import_template",
        summary=f"Template of {catalog.name}",
    )(import_template)


@router.get(
    "/{int:import_id}",
    auth=SignedIn("their own uploads only", services=True),
    operation_id="import_get",
    summary="Read one",
)
def import_get(request: HttpRequest, import_id: PathId) -> ImportOut:
    """Read an import and its progress. Only the uploader may read it."""
    return present(services.looked_at(import_id, by=caller(request)))


@router.get(
    "/{int:import_id}/rows",
    auth=SignedIn("their own uploads only", services=True),
    operation_id="import_rows",
    summary="Rows",
)
def import_rows(
    request: HttpRequest, response: HttpResponse, import_id: PathId, query: Query[ImportRowQuery]
) -> list[ImportRowOut]:
    """List the outcomes of the rows, by row number."""
    upload = selectors.import_get(import_id, by=caller(request))
    rows = selectors.import_rows(upload, outcome=query.outcome, search=query.search)
    heads = IMPORTS[upload.catalog].current().heads
    return [present_row(row, heads) for row in announce(paginate(rows, query, selectors.BY_NUMBER), request, response)]


@router.get(
    "/{int:import_id}/refused.{kind}",
    auth=SignedIn("their own uploads only", services=True),
    operation_id="import_refused",
    summary="Refused rows",
)
def import_refused(request: HttpRequest, import_id: PathId, kind: FileFormat) -> HttpResponseBase:
    """Download the refused rows, to mend them. The file keeps its headings, and gets a column with the reasons."""
    upload = selectors.import_get(import_id, by=caller(request))
    rows = selectors.import_rows(upload, outcome=REFUSED, search=None).filter(outcome=REFUSED)
    width = selectors.places(rows)
    name = f"{upload.catalog}-refused"
    columns = refused_columns(upload, width, IMPORTS[upload.catalog].current().read_columns)
    return export(request, rows, ExportQuery(format=kind), selectors.BY_NUMBER, columns, name)


@router.post(
    "/{int:import_id}/mend",
    auth=SignedIn("their own uploads only", services=True),
    operation_id="import_mend",
    summary="Mend a row",
)
def import_mend(request: HttpRequest, import_id: PathId, body: ImportMend) -> ImportOut:
    """Write cells into a row of the preview, and validate the row again. The uploaded file does not change."""
    return present(services.import_mend(import_id, number=body.number, cells=body.cells, by=caller(request)))


@router.post(
    "/{int:import_id}/apply",
    auth=SignedIn("their own uploads; each row needs the permission to write it", services=True),
    operation_id="import_apply",
    summary="Apply",
)
def import_apply(request: HttpRequest, import_id: PathId) -> ImportOut:
    """Write the new and changed rows, all or none. 409 `import_stale` if records changed since the preview."""
    return present(services.import_apply(import_id, by=caller(request)))


@router.post(
    "/{int:import_id}/preview",
    auth=SignedIn("their own uploads only", services=True),
    operation_id="import_refresh",
    summary="Read again",
)
def import_refresh(request: HttpRequest, import_id: PathId, choices: Query[ImportChoices]) -> ImportOut:
    """Preview the same rows again: after `import_stale`, or after adding a record that a refused row refers to.

    If the call answers a doubt, the file is read again.
    """
    return present(services.import_refresh(import_id, choices=choices.given(), by=caller(request)))


@router.delete(
    "/{int:import_id}",
    auth=SignedIn("their own uploads only", services=True),
    operation_id="import_discard",
    summary="Discard",
)
def import_discard(request: HttpRequest, import_id: PathId) -> ImportOut:
    """Delete the upload. Applied changes remain."""
    return present(services.import_discard(import_id, by=caller(request)))


for _catalog in IMPORTS.values():
    _catalog_operations(router, _catalog)
