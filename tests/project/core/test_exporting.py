"""Exported lists are complete, in order, in the caller's language, and safe to open in a spreadsheet."""

import csv
import gc
import io
import tempfile
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.http import StreamingHttpResponse
from django.test import AsyncRequestFactory, RequestFactory
from django.utils import translation
from openpyxl import load_workbook
from openpyxl.utils.escape import unescape
from xlsxwriter import Workbook

from project.catalogs.models import Customer
from project.catalogs.selectors import BY_NAME
from project.core import exporting, requests
from project.core.errors import InvalidFields
from project.core.exporting import Column, ExportQuery, export, export_table
from project.core.texts import text
from tests.builders import customer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_mexico_city")]

AT = datetime(2026, 3, 2, 5, 30, 0, 123, tzinfo=UTC)  # 23:30 on the day before in the plant
COLUMNS = [
    Column[Customer]("customerName", lambda row: row.name),
    Column[Customer]("quantity", lambda row: row.pk),
    Column[Customer]("date", lambda row: AT),
]


def exported(kind: str, request: Any = None, **query: Any) -> StreamingHttpResponse:
    asked = ExportQuery.model_validate({"format": kind, **query})
    answer = export(request or RequestFactory().get("/"), Customer.objects.all(), asked, BY_NAME, COLUMNS, "clientes")
    assert isinstance(answer, StreamingHttpResponse)
    return answer


def csv_rows(answer: StreamingHttpResponse) -> list[list[str]]:
    return list(csv.reader(io.StringIO(answer.getvalue().decode("utf-8-sig"), newline="")))


def sheet_rows(answer: StreamingHttpResponse) -> list[tuple[Any, ...]]:
    return list(load_workbook(io.BytesIO(answer.getvalue())).worksheets[0].values)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """More customers than fit in a batch."""
    monkeypatch.setattr(exporting, "BATCH", 3)
    found = [f"Cliente {number:02}" for number in range(10)]
    for name in reversed(found):
        customer(name)
    return found


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_file_has_every_row_in_the_requested_order(names: list[str], kind: str) -> None:
    rows = {"csv": csv_rows, "xlsx": sheet_rows}[kind]
    assert [row[0] for row in rows(exported(kind))] == ["Cliente", *names]
    assert [row[0] for row in rows(exported(kind, ordering="-name", limit=1))] == ["Cliente", *reversed(names)]


def test_heads_are_in_the_callers_language(names: list[str]) -> None:
    with translation.override("en"):
        answer = exported("csv")
    assert csv_rows(answer)[0] == ["Customer", "Quantity", "Date"]
    assert answer.headers["Content-Disposition"] == 'attachment; filename="clientes.csv"'
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_every_batch_is_in_the_language_of_the_request(names: list[str], kind: str) -> None:
    """The rows are made batch by batch after the request's language was reset."""
    columns = [Column[Customer]("status", lambda row: text("yes"))]
    asked = ExportQuery.model_validate({"format": kind})
    with translation.override("en"):
        answer = export(RequestFactory().get("/"), Customer.objects.all(), asked, BY_NAME, columns, "clientes")
    assert isinstance(answer, StreamingHttpResponse)
    found = {"csv": csv_rows, "xlsx": sheet_rows}[kind](answer)
    assert [row[0] for row in found[1:]] == ["Yes"] * len(names)


def test_sheet_has_typed_cells_in_the_plants_time(names: list[str]) -> None:
    first = sheet_rows(exported("xlsx"))[1]
    assert first == (names[0], Customer.objects.get(name=names[0]).pk, datetime.fromisoformat("2026-03-01T23:30"))
    assert csv_rows(exported("csv"))[1][2] == "2026-03-01 23:30:00"


def test_no_text_becomes_a_formula() -> None:
    for name in ("=1+1", "+1", "-1", "@A1"):
        customer(name)
    assert {row[0] for row in csv_rows(exported("csv"))[1:]} == {"'=1+1", "'+1", "'-1", "'@A1"}
    book = load_workbook(io.BytesIO(exported("xlsx").getvalue()))
    assert {cell.data_type for cell in book.worksheets[0]["A"]} == {"s"}


def test_sheet_accepts_every_type_of_value() -> None:
    row = ["ñ\x07\r\n#N/A", True, False, 0, 1.5, Decimal("12.345"), date(2026, 3, 1), None]
    columns = [Column[list[Any]]("notes", lambda values, place=place: values[place]) for place in range(len(row))]
    answer = export_table(RequestFactory().get("/"), [row], "xlsx", columns, "tipos")
    assert isinstance(answer, StreamingHttpResponse)
    notes, *others = sheet_rows(answer)[1]
    assert unescape(notes) == row[0]
    assert others == [True, False, 0, 1.5, 12.345, datetime(2026, 3, 1), None]  # noqa: DTZ001 - sheets know no zones


def test_file_of_an_empty_list_has_only_heads() -> None:
    assert csv_rows(exported("csv")) == [["Cliente", "Cantidad", "Fecha"]]
    assert sheet_rows(exported("xlsx")) == [("Cliente", "Cantidad", "Fecha")]


def test_more_rows_than_a_sheet_holds_get_422(names: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "MOST_SHEET_ROWS", 9)
    with pytest.raises(InvalidFields) as refused:
        exported("xlsx")
    assert [(error.field, error.code) for error in refused.value.errors] == [("format", "too_many_rows")]
    assert len(csv_rows(exported("csv"))) == 11


def test_unknown_ordering_is_refused_before_the_file_begins() -> None:
    with pytest.raises(InvalidFields):
        exported("csv", ordering="colour")


def test_rows_are_read_while_they_are_sent(names: list[str], django_assert_num_queries: Any) -> None:
    """Collecting the whole list before the first byte would need memory for all of it."""

    async def first_chunks() -> list[bytes]:
        body = aiter(exported("csv", AsyncRequestFactory().get("/")))
        return [await anext(body) for _ in range(3)]

    with django_assert_num_queries(1):
        mark, heads, batch = async_to_sync(first_chunks)()
    assert (mark, heads.count(b"\n"), batch.count(b"\n")) == ("\ufeff".encode(), 1, 3)


def test_file_is_not_read_further_after_the_caller_disconnects(
    names: list[str], django_assert_num_queries: Any
) -> None:
    asking = requests.Caller()

    async def pieces() -> tuple[int, int]:
        with requests.answering(asking):
            body = aiter(exported("csv", AsyncRequestFactory().get("/")))
            begun = [await anext(body) for _ in range(3)]
            asking.leave()
            return len(begun), len([piece async for piece in body])

    with django_assert_num_queries(1):
        assert async_to_sync(pieces)() == (3, 0)


@pytest.mark.parametrize("when", ["while it is read", "while it is packed"])
def test_workbook_of_a_disconnected_caller_leaves_no_files(
    names: list[str], when: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A workbook is sent only once it is complete, so until then only the disconnect can end it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    asking, batches = requests.Caller(), 0
    read, close = exporting.give_connection_back, Workbook.close

    def leaves_while_read() -> None:
        nonlocal batches
        batches += 1
        if when == "while it is read" and batches == 2:
            asking.leave()
        read()

    def leaves_while_packed(book: Workbook) -> None:
        asking.leave()
        close(book)

    monkeypatch.setattr(exporting, "give_connection_back", leaves_while_read)
    monkeypatch.setattr(Workbook, "close", leaves_while_packed)
    with requests.answering(asking):
        assert exported("xlsx").getvalue() == b""
    gc.collect()
    assert batches == (2 if when == "while it is read" else 4)
    assert [*tmp_path.iterdir()] == []
