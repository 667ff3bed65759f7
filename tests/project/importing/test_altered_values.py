"""Codes that a spreadsheet has altered are asked about, and a stray quote harms no other row."""

import pytest

from project.catalogs.definition import CATALOGS
from project.catalogs.models import Item
from project.importing.reading import wanted
from project.importing.sheets import Wanted
from tests.builders import Shop
from tests.project.importing.test_kinds import answered, doubts, marked, outcomes, read_order
from tests.project.importing.uploads import IMPORTABLE, applied, csv_of, imported, previewed, rows_of

ALTERED = ["7.50106E+12", "7,50106E+12", "12-MAY", "May-12", "12-may-26", "5/12/2026", "2026-05-12"]
WHOLE = ["1E5", "MAY-123", "12-MAYA", "00123", "1.0", "2026-05", "E+12", "AN-12"]


@pytest.mark.parametrize("key", ALTERED)
def test_key_that_a_spreadsheet_altered_is_doubtful_until_accepted(shop: Shop, key: str) -> None:
    raw = csv_of(["key", "name"], [key, "Anillo código"], ["AN-1", "Aro liso"])
    found = previewed(shop.ana, "items", raw)
    assert doubts(found) == {"altered_values": {"count": 1, "rows": [2], "sample": key}}
    assert outcomes(shop.ana, found) == {key: "doubtful", "AN-1": "new"}
    again = answered(shop.ana, found, "acceptAltered=true")
    assert (again["doubts"], again["counts"]["new"]) == ([], 2)
    assert again["choices"]["acceptAltered"] is True
    order = csv_of(["sku", "qty"], [key, "5"], ["AN-1", "2"])
    assert marked(read_order(shop.ana, order, "text/csv"), "altered_values") == [2]
    assert read_order(shop.ana, order, "text/csv", "acceptAltered=true")["doubts"] == []


def test_order_file_without_heads_begins_with_the_keys(shop: Shop) -> None:
    assert marked(read_order(shop.ana, csv_of(["7.5E+12", "5", "2026-05-12"]), "text/csv"), "altered_values") == [1]


@pytest.mark.parametrize("key", WHOLE)
def test_other_keys_are_not_doubtful(shop: Shop, key: str) -> None:
    assert previewed(shop.ana, "items", csv_of(["key", "name"], [key, "Aro liso"]))["doubts"] == []


def test_telephones_and_codes_of_every_list_are_asked_about(shop: Shop) -> None:
    customers = csv_of(["name", "phones", "taxId"], ["Norte", "5.25512E+11", ""], ["Sur", "", "1.2E+12"])
    assert doubts(previewed(shop.ana, "customers", customers))["altered_values"]["rows"] == [2, 3]
    companies = csv_of(["name", "phone"], ["Norte", "5.25512E+11"])
    assert doubts(previewed(shop.ana, "companies", companies))["altered_values"]["rows"] == [2]


@pytest.mark.parametrize("catalog", IMPORTABLE)
def test_key_of_every_list_is_compared(catalog: str) -> None:
    found: Wanted = wanted(CATALOGS[catalog].current())
    assert found.key in found.exact


@pytest.mark.parametrize("separator", [",", ";"])
def test_quote_inside_a_cell_is_read_as_excel_does(shop: Shop, separator: str) -> None:
    line = separator.join(["PU-8", '"Luna" anillo'])
    rows = ["key,name,descriptionSpanish", "PU-1,Uno", "", 'PU-2,Dos,"uno\ny dos"', 'PU-3,7" lisa', ""]
    raw = "\n".join(row.replace(",", separator) or line for row in rows[:-1]).encode()
    found = imported(shop.ana, "items", raw)
    assert (found["counts"]["new"], found["counts"]["refused"]) == (4, 0)
    names = dict(Item.objects.filter(key__startswith="PU-").values_list("key", "name"))
    assert (names["PU-8"], names["PU-3"]) == ("Luna anillo", '7" lisa')
    assert read_order(shop.ana, raw, "text/csv")["rows"][2]["cells"] == ["PU-8", "Luna anillo"]


@pytest.mark.parametrize(
    "raw",
    [
        b'key,name,measures\nPU-1,Uno,5\nPU-8,"Luna,5\nPU-2,Dos,5\n',
        b'key,name,measures\nPU-1,Uno,5\nPU-8,"Luna,5\nPU-2,"Dos",5\n',
        b'key,name,measures\nPU-1,Uno,5\nPU-2,Dos,5\nPU-8,"Luna,5',
    ],
    ids=["in the middle", "before another quote", "at the end"],
)
def test_quote_that_nothing_closes_refuses_its_row_alone(shop: Shop, raw: bytes) -> None:
    found = previewed(shop.ana, "items", raw)
    [row] = rows_of(shop.ana, found, outcome="refused")
    assert row["key"] == "PU-8"
    assert {(error["field"], error["code"]) for error in row["errors"]} == {
        ("name", "open_quote"),
        ("measures", "open_quote"),
    }
    assert found["counts"]["new"] == 2
    mended = shop.ana.post(f"/api/imports/{found['id']}/mend", {"number": row["number"], "cells": {"name": "Luna"}})
    assert mended.status == 200
    assert applied(shop.ana, found["id"])["counts"]["new"] == 3
    ordered = raw.replace(b"key,name,measures", b"sku,notes,qty")
    order = {one["cells"][0]: one["cells"][1:] for one in read_order(shop.ana, ordered, "text/csv")["rows"]}
    assert order["PU-8"] == [{"code": "open_quote"}, {"code": "open_quote"}]
    assert order["PU-2"] == ["Dos", "5"]


def test_text_with_an_open_quote_in_every_row_is_unreadable(shop: Shop) -> None:
    raw = b"key,name\n" + b'A,"""x\n' * 150
    assert shop.ana.call("POST", "/api/imports/items", raw=raw, content_type="text/csv").code == "unreadable_file"
