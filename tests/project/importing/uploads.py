"""Files to import, and their upload, preview and application over the API."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from openpyxl import Workbook

from project.catalogs.definition import CATALOGS
from project.importing import jobs
from tests import builders
from tests.builders import Answer, Caller

IMPORTABLE = [name for name, catalog in CATALOGS.items() if catalog.importable]
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def csv_of(*rows: Sequence[object], separator: str = ",", mark: bool = False) -> bytes:
    """A CSV file in UTF-8, with a byte order mark if `mark`."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator).writerows(rows)
    return out.getvalue().encode("utf-8-sig" if mark else "utf-8")


def xlsx_of(*rows: Iterable[Any], title: str = "Sheet") -> bytes:
    """A workbook with one sheet. A value may be `(value, number format)`. Texts stay texts, except "=SUM(…"."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    for number, row in enumerate(rows, start=1):
        for place, value in enumerate(row, start=1):
            plain, number_format = value if isinstance(value, tuple) else (value, "General")
            cell = sheet.cell(number, place, plain)
            cell.number_format = number_format
            if isinstance(plain, str) and not plain.startswith("=SUM("):
                cell.data_type = "s"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def upload(by: Caller, catalog: str, raw: bytes, content_type: str = "text/csv", **headers: str) -> Answer:
    return by.call("POST", f"/api/imports/{catalog}", raw=raw, content_type=content_type, **headers)


def settled(by: Caller, answer: Answer) -> dict[str, Any]:
    """The import after its job has ended."""
    assert answer.status in (200, 201), answer
    number = answer.json["id"]
    builders.tasks_ended()
    assert not jobs.here(number)
    found = by.get(f"/api/imports/{number}")
    assert found.status == 200, found
    result: dict[str, Any] = found.json
    return result


def previewed(by: Caller, catalog: str, raw: bytes, content_type: str = "text/csv") -> dict[str, Any]:
    result = settled(by, upload(by, catalog, raw, content_type))
    assert result["state"] == "ready", result
    return result


def applied(by: Caller, number: int) -> dict[str, Any]:
    """The import after an attempt to apply it."""
    return settled(by, by.post(f"/api/imports/{number}/apply"))


def imported(by: Caller, catalog: str, raw: bytes, content_type: str = "text/csv") -> dict[str, Any]:
    result = applied(by, previewed(by, catalog, raw, content_type)["id"])
    assert result["state"] == "applied", result
    return result


def rows_of(by: Caller, result: dict[str, Any], **query: str) -> list[dict[str, Any]]:
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    rows: list[dict[str, Any]] = by.get(f"/api/imports/{result['id']}/rows?{asked}").json
    return rows


def refusals(by: Caller, result: dict[str, Any]) -> dict[int, dict[str, str]]:
    """Code of each refused column, by row number."""
    return {
        row["number"]: {error["field"]: error["code"] for error in row["errors"]}
        for row in rows_of(by, result, outcome="refused")
    }
