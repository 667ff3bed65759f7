"""Small files that cost much memory or time are refused with a code, and later files are still read."""

import io
import threading
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from project.importing import jobs, reading, sheets
from project.importing.models import Import
from tests import builders
from tests.builders import Caller, Shop
from tests.memory import grows_by_at_most
from tests.project import mishaps
from tests.project.importing.uploads import XLSX, csv_of, previewed, settled, upload, xlsx_of

FILE = csv_of(["name", "description"], ["Plata", "Nueva"])
HEADS = '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>'
BRIEF = 2.0
"""Seconds after which the tests give up a costly file; the product allows twenty."""
SHEET, STYLES, STRINGS = "xl/worksheets/sheet1.xml", "xl/styles.xml", "xl/sharedStrings.xml"
STRINGS_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def workbook(**parts: bytes) -> bytes:
    """A workbook with `sheet`, `styles` or `strings` as the content of these parts."""
    names = {"sheet": SHEET, "styles": STYLES, "strings": STRINGS}
    given = {names[part]: content for part, content in parts.items()}
    types = f'<Override PartName="/{STRINGS}" ContentType="{STRINGS_TYPE}"/></Types>'.encode()
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(xlsx_of(["name"], ["Oro"]))) as plain,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        written = {part: plain.read(part) for part in plain.namelist()}
        if "strings" in parts:
            written["[Content_Types].xml"] = written["[Content_Types].xml"].replace(b"</Types>", types)
        for part, content in (written | given).items():
            made.writestr(part, content)
    return out.getvalue()


def sheet(rows: str) -> bytes:
    return f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'.encode()


def strings(count: int, text: str) -> bytes:
    return f'<sst xmlns="{MAIN}">{f"<si><t>{text}</t></si>" * count}</sst>'.encode()


def refusal_of(by: Caller, raw: bytes, kind: str) -> str | None:
    """The code that refuses the file, at once or once it is read; None if it is accepted."""
    answer = upload(by, "materials", raw, kind)
    if answer.status != 201:
        assert 400 <= answer.status < 500, answer
        return answer.code
    code: str | None = settled(by, answer)["errorCode"]
    return code


def read_as(rows: str, **more: bytes) -> bytes:
    """A workbook with one column, `name`, and these rows below its head."""
    return workbook(sheet=sheet(HEADS + rows), **more)


ATTACKS: dict[str, tuple[Callable[[], bytes], str | None]] = {
    "a far row": (lambda: read_as('<row r="1000000000000"><c><v>1</v></c></row>'), "too_many_rows"),
    "many rows": (lambda: read_as("<row><c><v>1</v></c></row>" * 60_000), "too_many_rows"),
    "a wide row": (lambda: read_as(f"<row>{'<c><v>1</v></c>' * 3_000_000}</row>"), "file_too_large"),
    "a wide head": (lambda: workbook(sheet=sheet(f"<row>{'<c/>' * 8_000_000}</row>")), "file_too_large"),
    "a far column": (lambda: read_as('<row r="2"><c r="ZZZZZ2"><v>1</v></c></row>'), "unreadable_file"),
    "deep": (lambda: workbook(sheet=sheet("<a>" * 50_000 + "</a>" * 50_000)), "key_column_missing"),
    "a text that many cells share": (
        lambda: read_as('<row><c t="s"><v>0</v></c></row>' * 40_000, strings=strings(1, "x" * 32_000)),
        "file_too_large",
    ),
    "a long text": (lambda: read_as(f'<row><c t="inlineStr"><is><t>{"x" * 9_000_000}</t></is></c></row>'), None),
    "many columns": (lambda: csv_of(["name"] + ["x"] * 200), "too_many_columns"),
    "a wide line": (lambda: b"name\n" + b"," * 9_000_000, None),
    "a wide line of heads": (lambda: b"name" + b",name" * 1_900_000, "unreadable_file"),
    "a long field": (lambda: b"name\n" + b"x" * 9_000_000, "unreadable_file"),
    "many lines": (lambda: b"name\n" + b"x\n" * 4_000_000, "too_many_rows"),
    "many empty lines": (lambda: b"name\n" + b"\n" * 9_000_000, None),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_file_is_refused_and_the_next_one_is_read(
    busy_shop: Shop, monkeypatch: pytest.MonkeyPatch, attack: str
) -> None:
    make, code = ATTACKS[attack]
    if code == "file_too_large":
        monkeypatch.setattr(reading, "LOOK_SECONDS", BRIEF)
    raw = make()
    assert len(raw) < sheets.MOST_BYTES
    with grows_by_at_most(100):
        found = refusal_of(busy_shop.ana, raw, XLSX if raw.startswith(b"PK") else "text/csv")
    assert found == code
    assert previewed(busy_shop.ana, "materials", FILE)["counts"]["new"] == 1


@pytest.mark.parametrize(
    "parts",
    [
        {"styles": f'<styleSheet xmlns="{MAIN}"><cellXfs>{"<xf/>" * 7_000_000}</cellXfs></styleSheet>'.encode()},
        {"strings": strings(2_500_000, "")},
    ],
    ids=["many styles", "many texts"],
)
def test_costly_parts_harm_only_their_own_process(
    busy_shop: Shop, monkeypatch: pytest.MonkeyPatch, parts: dict[str, bytes]
) -> None:
    monkeypatch.setattr(reading, "LOOK_SECONDS", BRIEF)
    raw = workbook(**parts)
    with grows_by_at_most(100):
        assert refusal_of(busy_shop.ana, raw, XLSX) in (None, "file_too_large", "unreadable_file")
    assert previewed(busy_shop.ana, "materials", FILE)["counts"]["new"] == 1


@pytest.mark.parametrize("number", ["1e999", "-1e300", "9" * 4_000])
def test_number_beyond_every_column_refuses_only_its_row(shop: Shop, number: str) -> None:
    rows = f'<row r="2"><c r="A2"><v>{number}</v></c></row><row r="3"><c r="A3"><v>7</v></c></row>'
    found = previewed(shop.ana, "materials", workbook(sheet=sheet(HEADS + rows)), XLSX)
    assert (found["counts"]["new"], found["counts"]["refused"]) == (1, 1)


@pytest.mark.parametrize(
    ("mishap", "seconds", "code"),
    [
        (mishaps.never_ends, 0.2, "file_too_large"),
        (mishaps.takes_too_much, 1.0, "file_too_large"),
        (mishaps.ends_itself, 1.0, "unreadable_file"),
    ],
)
@pytest.mark.parametrize("step", ["look", "read"])
def test_file_that_ends_its_process_is_refused_and_the_next_one_is_read(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, step: str, mishap: Any, seconds: float, code: str
) -> None:
    assert previewed(shop.ana, "materials", FILE)
    with monkeypatch.context() as patched:
        patched.setattr(sheets, step, mishap)
        patched.setattr(reading, f"{step.upper()}_SECONDS", seconds)
        assert refusal_of(shop.ana, FILE, "text/csv") == code
    assert previewed(shop.ana, "materials", FILE)


@pytest.mark.parametrize("elsewhere", [False, True])
def test_discarding_an_import_stops_its_reading(
    busy_shop: Shop, monkeypatch: pytest.MonkeyPatch, elsewhere: bool
) -> None:
    """Also if another process deletes the import. The test calls `jobs.stop` in place of the heartbeat."""
    begun = threading.Event()
    started = reading.Upload.read

    def watched(file: reading.Upload) -> Any:
        work = started(file)
        begun.set()
        return work

    with monkeypatch.context() as patched:
        patched.setattr(sheets, "read", mishaps.never_ends)
        patched.setattr(reading.Upload, "read", watched)
        number = upload(busy_shop.ana, "materials", FILE).json["id"]
        assert begun.wait(60)
        if elsewhere:
            Import.objects.filter(pk=number).delete()
            jobs.stop(number)
        else:
            assert busy_shop.ana.delete(f"/api/imports/{number}").status == 200
        builders.tasks_ended()
    assert busy_shop.ana.get(f"/api/imports/{number}").status == 404
    assert previewed(busy_shop.ana, "materials", FILE)


def test_upload_gets_503_when_the_user_has_too_many_files_in_progress(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading._processes, "_each", 0)
    answer = upload(shop.ana, "materials", FILE)
    assert (answer.status, answer.code, answer.headers["Retry-After"]) == (503, "unavailable", "5")
