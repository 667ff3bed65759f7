"""Builds files in the caller's language: a catalog's template to fill in, and refused rows to mend."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from xlsxwriter import Workbook

from project.catalogs.cells import LONGEST_QUOTED
from project.catalogs.definition import CatalogDefinition
from project.core.exporting import Column
from project.core.texts import text
from project.importing.models import Import, ImportRow
from project.importing.tables import text_of

CONTENT_TYPES = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
}


WITH_THE_CELL = {
    "invalid": "cell_invalid",
    "invalid_type": "cell_invalid",
    "invalid_email": "cell_invalid_email",
    "already_exists": "cell_already_exists",
    "unknown": "cell_unknown",
}
"""For each code with a reason that quotes the refused cell: the key of the text."""


def reason(error: Mapping[str, Any], cells: Mapping[str, Any]) -> str:
    """Return the text that says why a row is refused. Some texts quote the cell with the error."""
    cell = text_of(cells.get(error["field"]))
    if cell and error["code"] in WITH_THE_CELL:
        return text(WITH_THE_CELL[error["code"]], {"text": cell[:LONGEST_QUOTED]})
    return text(error["code"], error["params"])


@dataclass(frozen=True)
class _FileHead(Column[ImportRow]):
    """A column of an uploaded file. Its heading is the heading in that file."""

    @property
    def head(self) -> str:
        return self.key


def refused_columns(upload: Import, width: int, read: Iterable[Column[Any]]) -> list[Column[ImportRow]]:
    """Return the columns of a file of refused rows: at least `width` columns of the uploaded file, and the reasons.

    `read`: the columns that the import reads. The reasons contain their names.
    """
    labels = {column.key: column.head for column in read}
    heads = [*upload.heads, *[{"head": "", "column": None}] * (width - len(upload.heads))]
    return [
        *(
            _FileHead(head["head"], partial(_cell_at, place=place, column=head["column"]))
            for place, head in enumerate(heads)
        ),
        Column("refusedBecause", partial(_reasons, labels=labels)),
    ]


def _cell_at(row: ImportRow, *, place: int, column: str | None) -> Any:
    cell = row.cells.get(column or "", row.cells.get(f"@{place}"))
    return text_of(cell) if isinstance(cell, dict) or cell is None else cell


def _reasons(row: ImportRow, *, labels: Mapping[str, str]) -> str:
    """Return the reasons why a row is refused, one per line, each with the name of its column."""
    said = []
    for error in row.errors:
        column, _, part = error["field"].partition(".")
        place = part.partition(".")[0]
        label = labels.get(column, column) + (f" {int(place) + 1}" if place.isdecimal() else "")
        said.append(f"{label}: {reason(error, row.cells)}")
    return "\n".join(dict.fromkeys(said))


def template(catalog: CatalogDefinition[Any], kind: str) -> bytes:
    """Build the template as an XLSX or CSV file."""
    return _workbook(catalog) if kind == "xlsx" else _text(catalog)


def _heads(catalog: CatalogDefinition[Any]) -> list[str]:
    return [column.head for column in catalog.read_columns]


def _text(catalog: CatalogDefinition[Any]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerow(_heads(catalog))
    return out.getvalue().encode("utf-8-sig")  # spreadsheets recognize UTF-8 by the byte order mark


def _workbook(catalog: CatalogDefinition[Any]) -> bytes:
    """Build the workbook. All cells are formatted as text, so that typed codes keep their leading zeros."""
    out = io.BytesIO()
    with Workbook(out, {"in_memory": True}) as book:
        plain, bold, wrapped = (
            book.add_format({"num_format": "@", "valign": "top", **more})
            for more in ({}, {"bold": True}, {"text_wrap": True})
        )
        for title, example in ((text(f"catalog_{catalog.name}"), ()), (text("example"), catalog.example())):
            sheet = book.add_worksheet(title)
            sheet.freeze_panes(1, 0)
            for place, head in enumerate(_heads(catalog)):
                sheet.set_column(place, place, max(14, len(head) + 4), plain)
                sheet.write_string(0, place, head, bold)
            for place, value in enumerate(example):
                sheet.write_string(1, place, value, wrapped if "\n" in value else plain)
    return out.getvalue()
