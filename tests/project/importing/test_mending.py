"""Refused rows are mended in the preview, or downloaded with the reasons."""

import csv
import io
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from project.catalogs.models import ExportTaxItem, Item, Material
from project.importing.models import ImportRow
from tests.builders import Answer, Caller, Shop
from tests.project.importing.test_kinds import answered, outcomes
from tests.project.importing.test_words import SPEAKS
from tests.project.importing.uploads import XLSX, applied, csv_of, previewed, refusals, rows_of, xlsx_of

HEADS = ["Clave", "Nombre", "Precio de venta"]


def mend(by: Caller, found: dict[str, Any], number: int, **cells: str) -> Answer:
    return by.post(f"/api/imports/{found['id']}/mend", {"number": number, "cells": cells})


def row(by: Caller, found: dict[str, Any], number: int) -> dict[str, Any]:
    return next(one for one in rows_of(by, found) if one["number"] == number)


def test_refused_cell_says_its_value_and_is_mended_in_place(shop: Shop) -> None:
    ana = shop.ana
    found = previewed(ana, "items", csv_of(HEADS, ["M-1", "Uno", "doce"], ["M-2", "Dos", "5"]))
    refused = row(ana, found, 2)
    assert refused["cells"] == {"sellPrice": "doce"}
    assert [error["message"] for error in refused["errors"]] == ["«doce» no es un número"]
    answer = mend(ana, found, 2, sellPrice="$12.50")
    assert (answer.status, answer.json["counts"]) == (200, {"new": 2, "changed": 0, "unchanged": 0, "refused": 0})
    mended = row(ana, found, 2)
    assert (mended["outcome"], mended["mended"], mended["cells"]) == ("new", ["sellPrice"], {"sellPrice": "$12.50"})
    assert [one["number"] for one in rows_of(ana, found, outcome="refused")] == [2], "it stays in view"
    applied(ana, found["id"])
    assert float(Item.objects.get(key="M-1").sell_price) == 12.5


@pytest.mark.parametrize(
    ("catalog", "heads", "cells", "message"),
    [
        ("items", HEADS, ["M-1", "Uno", "1,250"], "«1,250» se puede leer de más de una forma"),
        ("items", ["Clave", "Nombre", "Moneda"], ["M-1", "Uno", "conchas"], "No existe «conchas»"),
        ("materials", ["Nombre", "Activo"], ["Oro", "quizá"], "«quizá» no es Sí ni No"),
        ("export-tax-items", ["Código"], ["7113"], "«7113» no es válido"),
        ("companies", ["Nombre", "Correo"], ["Uno", "no es"], "«no es» no es válido"),
    ],
)
def test_refusal_repeats_the_cell(shop: Shop, catalog: str, heads: list[str], cells: list[str], message: str) -> None:
    found = previewed(shop.ana, catalog, csv_of(heads, cells))
    assert row(shop.ana, found, 2)["errors"][0]["message"].startswith(message)


def test_mending_one_of_two_equal_rows_frees_the_other(shop: Shop) -> None:
    ana = shop.ana
    found = previewed(ana, "items", csv_of(HEADS, ["D-1", "Uno", "1"], ["D-1", "Dos", "2"], ["D-3", "Tres", "3"]))
    assert refusals(ana, found) == {2: {"key": "duplicate_row"}, 3: {"key": "duplicate_row"}}
    counts = mend(ana, found, 3, key="D-2").json["counts"]
    assert (counts["new"], counts["refused"]) == (3, 0)
    mend(ana, found, 3, key="d-3")
    assert {row["number"] for row in rows_of(ana, found) if row["outcome"] == "refused"} == {3, 4}
    errors = {one["number"]: one["errors"][0]["message"][-1] for one in rows_of(ana, found) if one["errors"]}
    assert errors == {3: "4", 4: "3"}, "each error names the other row"


def test_rows_connected_by_several_unique_values_are_all_judged_again(shop: Shop) -> None:
    ana = shop.ana
    rows = ["C-1", "Uno", "1"], ["C-1", "Dos", "1"], ["C-3", "Dos", "1"]
    found = previewed(ana, "items", csv_of(HEADS, *rows))
    assert {*refusals(ana, found)} == {2, 3, 4}
    mend(ana, found, 2, key="C-0")
    assert {one["number"] for one in rows_of(ana, found) if one["outcome"] == "refused"} == {3, 4}
    mend(ana, found, 4, name="Tres")
    assert outcomes(ana, found) == {"C-0": "new", "C-1": "new", "C-3": "new"}
    assert applied(ana, found["id"])["state"] == "applied"


def test_mended_cells_stay_when_the_file_is_read_again(shop: Shop) -> None:
    ana = shop.ana
    found = previewed(ana, "materials", csv_of(["Nombre", "Activo"], ["Oro", "quizá"], ["TOTAL", ""]))
    assert mend(ana, found, 2, status="no").json["counts"]["new"] == 1
    again = answered(ana, found, "includeFooter=true")
    assert outcomes(ana, again) == {"Oro": "new", "TOTAL": "new"}
    assert row(ana, answered(ana, found, ""), 2)["mended"] == ["status"]
    applied(ana, found["id"])
    assert Material.objects.get(name="Oro").status is False


def test_row_with_too_many_cells_keeps_them_to_be_mended(shop: Shop) -> None:
    ana = shop.ana
    found = previewed(ana, "materials", b"name,description\nOro,x,de mas\n")
    assert row(ana, found, 2)["cells"] == {"description": "x", "name": "Oro"}
    assert list(csv.reader(io.StringIO(ana.raw(f"/api/imports/{found['id']}/refused.csv").decode("utf-8-sig"))))[1][
        :3
    ] == ["Oro", "x", "de mas"]
    assert mend(ana, found, 2, description="x, de más").json["counts"]["new"] == 1
    applied(ana, found["id"])
    assert Material.objects.get(name="Oro").description == "x, de más"


def test_typed_tariff_code_may_have_dots(shop: Shop) -> None:
    found = previewed(shop.ana, "export-tax-items", csv_of(["code"], ["7113"]))
    assert mend(shop.ana, found, 2, code="7113.11.99").json["counts"]["new"] == 1
    applied(shop.ana, found["id"])
    assert ExportTaxItem.objects.get().code == "71131199"


def test_only_the_uploader_mends_known_cells_of_an_unapplied_preview(shop: Shop) -> None:
    ana = shop.ana
    found = previewed(ana, "materials", csv_of(["name"], ["Oro"], [" -"]))
    assert mend(shop.beto, found, 3, name="x").status == 404
    assert mend(ana, found, 9, name="x").status == 404
    assert mend(ana, found, 3, peso="x").fields == {"cells": "not_a_choice"}
    assert mend(ana, found, 3).status == 422
    applied(ana, found["id"])
    assert mend(ana, found, 3, name="x").code == "import_applied"


REASONS = {
    "es": ("Motivos", "Precio de venta: «doce» no es un número", "Nombre: El campo es obligatorio"),
    "en": ("Reasons", "Sell price: “doce” is not a number", "Name: The field is required"),
}


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_refused_rows_are_downloaded_under_the_same_heads_with_reasons(shop: Shop, language: str, kind: str) -> None:
    by = Caller(shop.ana.user, accept_language=SPEAKS[language])
    heads = ["Clave", "Proveedor", "Nombre", "Precio de venta"]
    rows = ["007", "=Taxco", "Uno", "doce"], ["008", "", "Dos", "2"], ["009", "x", "", "3"]
    raw = csv_of(heads, *rows) if kind == "csv" else xlsx_of(heads, *rows)
    found = previewed(by, "items", raw, "text/csv" if kind == "csv" else XLSX)
    answered(by, found, "columns=key,,name,sellPrice")
    applied(by, found["id"])
    file = by.raw(f"/api/imports/{found['id']}/refused.{kind}")
    if kind == "csv":
        read = [*csv.reader(io.StringIO(file.decode("utf-8-sig")))]
    else:
        read = [[cell or "" for cell in each] for each in load_workbook(io.BytesIO(file)).worksheets[0].values]
    word, price, name = REASONS[language]
    supplier = "'=Taxco" if kind == "csv" else "=Taxco"
    assert read == [
        [*heads, word],
        ["007", supplier, "Uno", "doce", price],
        ["009", "x", "", "3", name],
    ]


def test_mended_file_of_refused_rows_can_be_imported(shop: Shop) -> None:
    ana = shop.ana
    found = previewed(ana, "items", csv_of(HEADS, ["F-1", "Uno", "doce"], ["F-2", "Dos", "2"]))
    applied(ana, found["id"])
    file = ana.raw(f"/api/imports/{found['id']}/refused.csv").replace(b"doce", b"12", 1)
    again = previewed(ana, "items", file)
    assert (again["doubts"], again["counts"]["new"]) == ([], 1)


def test_refused_rows_of_another_user_are_not_found(shop: Shop) -> None:
    found = previewed(shop.ana, "materials", csv_of(["name"], ["-"]))
    assert shop.beto.get(f"/api/imports/{found['id']}/refused.csv").status == 404


def test_mending_one_of_5000_rows_sends_as_many_statements_as_one_of_five(shop: Shop) -> None:
    ana = shop.ana

    def statements(rows: int, wrong: int) -> int:
        cells = ([f"Z{rows}-{n}", f"Aro {rows} {n}", "x" if n % 16 == 3 else "1"] for n in range(rows))
        found = previewed(ana, "items", csv_of(HEADS, *cells))
        assert found["counts"]["refused"] == wrong
        first = rows_of(ana, found, outcome="refused", limit="25")
        assert {one["outcome"] for one in first} == {"refused"}
        with CaptureQueriesContext(connection) as captured:
            assert mend(ana, found, first[0]["number"], sellPrice="2").json["counts"]["refused"] == wrong - 1
        return len(captured)

    assert statements(5_000, 313) == statements(5, 1)
    assert ImportRow.objects.filter(outcome="refused").count() == 312
