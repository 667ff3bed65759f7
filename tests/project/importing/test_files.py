"""Which files are accepted, and that their texts are read exactly."""

import io
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from project.catalogs.cells import erases
from project.catalogs.compact import pack, unpack
from project.catalogs.definition import CATALOGS
from project.catalogs.models import ExportTaxItem
from project.core.spreadsheets import as_meant, harmless
from project.importing import reading, sheets
from project.importing.tables import filled
from tests.builders import Answer, Shop
from tests.project.importing.uploads import XLSX, csv_of, imported, previewed, refusals, upload, xlsx_of

TARIFF = "export-tax-items"
HEADS = ["code", "spanishDescription"]


# A blank cell keeps the record's value and a dash empties it, so neither is read as a text.
STORABLE = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=1_511).filter(
    lambda text: text == "" or (filled(text) and not erases(text))
)
# In CSV an apostrophe before a text that looks like a formula is not part of the text.
IN_CSV = STORABLE.filter(lambda text: as_meant(text) == text)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(IN_CSV, min_size=1, max_size=8), separator=st.sampled_from(",;"), mark=st.booleans())
def test_texts_are_read_exactly_from_csv(shop: Shop, texts: list[str], separator: str, mark: bool) -> None:
    come_back_exactly(shop, texts, csv_of(HEADS, *coded(texts), separator=separator, mark=mark), "text/csv")


# A workbook is XML: it holds no control characters, and a carriage return only as _x000D_.
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(
        st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn"), include_characters="\t\n"), max_size=1_511).filter(
            lambda text: text == "" or (filled(text) and not erases(text))
        ),
        min_size=1,
        max_size=8,
    )
)
def test_texts_are_read_exactly_from_a_workbook(shop: Shop, texts: list[str]) -> None:
    come_back_exactly(shop, texts, xlsx_of(HEADS, *coded(texts)), XLSX)


@pytest.mark.parametrize("separator", [",", ";"])
def test_every_cell_may_be_quoted_heads_included(shop: Shop, separator: str) -> None:
    rows = [HEADS, ["0711311401", f'con {separator} y "comillas"']]
    raw = "\r\n".join(separator.join(f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row) for row in rows)
    assert imported(shop.ana, TARIFF, raw.encode(), "text/csv")["counts"]["new"] == 1
    assert ExportTaxItem.objects.get(code="0711311401").spanish_description == f'con {separator} y "comillas"'


def test_unclosed_quote_is_unreadable(shop: Shop) -> None:
    raw = b'"code,spanishDescription\r\n' + b"x" * 140_000
    assert upload(shop.ana, TARIFF, raw, "text/csv").code == "unreadable_file"


def coded(texts: list[str]) -> list[list[str]]:
    return [[f"{number:010}", text] for number, text in enumerate(texts)]


def come_back_exactly(shop: Shop, texts: list[str], raw: bytes, content_type: str) -> None:
    ExportTaxItem.objects.all().delete()
    assert imported(shop.ana, TARIFF, raw, content_type)["counts"]["new"] == len(texts)
    assert list(ExportTaxItem.objects.order_by("code").values_list("code", "spanish_description")) == [
        (code, text) for code, text in coded(texts)
    ]
    assert previewed(shop.ana, TARIFF, raw, content_type)["counts"]["unchanged"] == len(texts)


@given(st.lists(st.lists(st.text().map(str.strip), min_size=1, max_size=9).filter(lambda parts: any(parts))))
def test_packed_cell_holds_any_records(records: list[list[str]]) -> None:
    def whole(parts: list[str]) -> list[str]:
        kept = [*parts]
        while len(kept) > 1 and not kept[-1]:
            kept.pop()
        return kept

    assert unpack(pack(records)) == [whole(parts) for parts in records]


def test_number_that_lost_its_zeros_is_refused_unless_its_format_shows_them(shop: Shop) -> None:
    raw = xlsx_of(HEADS, [711311401, "a"], [(711311402, "0000000000"), "b"], ["0711311403", 925], ["0711311404", True])
    result = imported(shop.ana, TARIFF, raw, XLSX)
    assert refusals(shop.ana, result) == {
        2: {"code": "text_expected"},
        5: {"spanishDescription": "text_expected"},
    }
    assert dict(ExportTaxItem.objects.values_list("code", "spanish_description")) == {
        "0711311402": "b",
        "0711311403": "925",
    }


def test_formulas_are_refused_and_texts_that_look_like_one_accepted(shop: Shop) -> None:
    raw = xlsx_of(HEADS, ["0711311401", "=SUM(1;2)"], ["0711311402", "=1+1"], ["0711311403", "@x"])
    result = imported(shop.ana, TARIFF, raw, XLSX)
    assert refusals(shop.ana, result) == {2: {"spanishDescription": "formula_not_read"}}
    imported(shop.ana, TARIFF, csv_of(HEADS, ["0711311404", "=1+1"]))
    assert set(ExportTaxItem.objects.values_list("spanish_description", flat=True)) == {"=1+1", "@x"}


@given(STORABLE)
def test_escaped_formula_is_read_as_the_original_text(text: str) -> None:
    assert as_meant(harmless(text)) == text
    assert not harmless(text).startswith(("=", "+", "-", "@", "\t", "\r"))


def test_escaped_carriage_return_of_a_workbook_is_read(shop: Shop) -> None:
    imported(shop.ana, TARIFF, xlsx_of(HEADS, ["0711311401", "a_x000D_\nb"]), XLSX)
    assert ExportTaxItem.objects.get().spanish_description == "a\r\nb"


def test_heads_of_the_tax_authority_are_understood(shop: Shop) -> None:
    raw = csv_of(
        ["fraccion", "texto", "vigencia_desde", "vigencia_hasta", "unidad"],
        ["0101210100", "Reproductores", "2024-01-18", "", "07"],
    )
    imported(shop.ana, TARIFF, raw)
    row = ExportTaxItem.objects.get()
    assert (row.code, row.spanish_description) == ("0101210100", "Reproductores")


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_file_without_heads_is_refused(shop: Shop, kind: str) -> None:
    raw = csv_of([], ["x"]) if kind == "csv" else xlsx_of([], ["x"])
    answer = upload(shop.ana, TARIFF, raw, XLSX if kind == "xlsx" else "text/csv")
    assert (answer.status, answer.code, answer.fields) == (422, "key_column_missing", {"code": "missing_column"})
    assert "{" not in answer.json["message"]


def multipart(shop: Shop, name: str, raw: bytes, count: int = 1) -> Answer:
    part = (
        f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: text/csv\r\n\r\n'
    ).encode()
    body = b"".join(part.replace(b'"file"', b'"file%d"' % n) + raw + b"\r\n" for n in range(count)) + b"--b--\r\n"
    return upload(shop.ana, TARIFF, body, "multipart/form-data; boundary=b")


def test_one_multipart_file_is_accepted_and_keeps_its_name(shop: Shop) -> None:
    answer = multipart(shop, "fracciones.CSV", csv_of(HEADS, ["0711311401", "ñandú"]))
    assert (answer.status, answer.json["fileName"]) == (201, "fracciones.CSV")
    assert multipart(shop, "virus.exe", b"MZ").code == "unsupported_file"
    assert multipart(shop, "a.csv", b"code\r\n", count=2).code == "unsupported_file"


@pytest.mark.parametrize(
    ("raw", "content_type", "status", "code"),
    [
        (b"{}", "application/json", 415, "unsupported_file"),
        (b"code\n", "text/html", 415, "unsupported_file"),
        (b"\xd0\xcf\x11\xe0old", "application/vnd.ms-excel", 415, "unsupported_file"),
        (b"%PDF-1.7", "text/csv", 415, "unsupported_file"),
        (b"PK\x03\x04broken", XLSX, 422, "unreadable_file"),
        (xlsx_of(HEADS, ["0711311401", "a"])[:-200], XLSX, 422, "unreadable_file"),
        ("code\nкод".encode("cp1251"), "text/csv", 422, "unreadable_file"),
        (b"code\n\x81", "text/csv", 422, "unreadable_file"),
        (b'code\n"open' + b'\n"open""' * 200, "text/csv", 422, "unreadable_file"),
        (b" \n", "text/csv", 422, "unreadable_file"),
        (b"code\n" + b"0711311401\n" * 1_000_000, "text/csv", 413, "file_too_large"),
        (b"code\n" + b"0711311401\n" * 50_001, "text/csv", 422, "too_many_rows"),
    ],
)
def test_unsupported_unreadable_or_large_file_is_refused(
    shop: Shop, raw: bytes, content_type: str, status: int, code: str
) -> None:
    answer = upload(shop.ana, TARIFF, raw, content_type)
    assert (answer.status, answer.code) == (status, code), answer


def test_windows_1252_is_read(shop: Shop) -> None:
    text = "Anillo de 3½” «ñandú» – 5 €"
    imported(shop.ana, TARIFF, f"code;spanishDescription\r\n0711311401;{text}\r\n".encode("cp1252"))
    assert ExportTaxItem.objects.get(code="0711311401").spanish_description == text


def packed(**parts: bytes) -> bytes:
    out = io.BytesIO(xlsx_of(HEADS))
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(f"xl/{name}.xml", content)
    return out.getvalue()


def test_zip_bomb_is_refused_before_it_is_unpacked(shop: Shop) -> None:
    bomb = packed(padding=b"\0" * (sheets.MOST_TEXTS + 1))
    assert len(bomb) < 100_000
    assert upload(shop.ana, TARIFF, bomb, XLSX).code == "file_too_large"
    many = packed(**{f"part{number}": b"" for number in range(sheets.MOST_PARTS + 1)})
    assert upload(shop.ana, TARIFF, many, XLSX).code == "file_too_large"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_of_a_workbook_are_not_expanded(shop: Shop, encoding: str) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
    bomb = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE sst [<!ENTITY e0 "boom">{entities}]><sst>&e8;</sst>'
    raw = packed(sharedStrings=bomb.encode(encoding))
    assert upload(shop.ana, TARIFF, raw, XLSX).code == "unreadable_file"


def test_row_with_too_many_cells_is_refused_and_one_with_too_few_read(shop: Shop) -> None:
    result = previewed(shop.ana, TARIFF, b"code,spanishDescription\n0711311401,a,b\n0711311402\n0711311403,c\n\n")
    assert result["counts"] == {"new": 2, "changed": 0, "unchanged": 0, "refused": 1}
    assert {code for row in refusals(shop.ana, result).values() for code in row.values()} == {"wrong_number_of_cells"}


def test_sheet_with_the_catalogs_name_is_read() -> None:
    sheet = sheets.opened(xlsx_of(["name"], ["Oro"], title="materials"), reading.wanted(CATALOGS["materials"]))
    assert (sheet.columns, [*sheet.rows]) == (["name"], [(2, ["Oro"])])
