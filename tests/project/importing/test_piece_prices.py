"""The grid of piece prices as a file: it is read back as it was written, and a wrong row changes nothing."""

import csv
import io
from decimal import Decimal
from typing import Any

import pytest
from openpyxl import load_workbook

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.catalogs.models import Item, ProcessItemPrice, ProductionProcess
from project.catalogs.selectors import piece_prices
from project.core.texts import LANGUAGES
from tests import builders
from tests.builders import Caller, Shop, somebody
from tests.project.importing.test_words import SPEAKS
from tests.project.importing.uploads import (
    XLSX,
    applied,
    csv_of,
    imported,
    previewed,
    rows_of,
    settled,
    upload,
    xlsx_of,
)

PRICES = "process-item-prices"
PATH = f"/api/{PRICES}"


@pytest.fixture
def necklace(shop: Shop) -> Item:
    """A necklace without a price. The shop's ring earns 7 a piece in casting and 3.20 a gram in polishing."""
    shop = shop
    made = builders.item("Collar")
    cells = [
        {"productionProcessId": shop.casting.pk, "itemId": shop.item.pk, "price": 7},
        {"productionProcessId": shop.polishing.pk, "itemId": shop.item.pk, "unit": "gram", "price": 3.2},
    ]
    assert shop.ana.put(PATH, {"cells": cells}).status == 200
    return made


def outcomes(by: Caller, result: dict[str, Any]) -> list[tuple[str, str, list[tuple[str, Any, Any]]]]:
    return [
        (row["key"], row["outcome"], [(one["field"], one["before"], one["after"]) for one in row["changes"]])
        for row in rows_of(by, result)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_grid_is_written_and_read_back_without_a_change(
    shop: Shop, necklace: Item, language: str, kind: str
) -> None:
    by = Caller(shop.ana.user, accept_language=SPEAKS[language])
    raw = by.raw(f"{PATH}/grid?format={kind}")
    if kind == "csv":
        rows = list(csv.reader(io.StringIO(raw.decode("utf-8-sig"))))
    else:
        sheet = load_workbook(io.BytesIO(raw)).active
        assert sheet is not None
        rows = [[str(cell) if cell is not None else "" for cell in row] for row in sheet.iter_rows(values_only=True)]
    assert rows[0] == [*{"es": ("Clave", "Nombre"), "en": ("Key", "Name")}[language], "Fundición", "Pulido"]
    (ring,) = (row for row in rows if row[1] == "Anillo")
    assert (Decimal(ring[2]), ring[3]) == (7, "3.20/g")
    assert next(row for row in rows if row[1] == "Collar")[2:] == ["", ""]
    result = previewed(shop.ana, PRICES, raw, XLSX if kind == "xlsx" else "text/csv")
    assert {outcome for _, outcome, _ in outcomes(shop.ana, result)} == {"unchanged"}


def test_a_file_sets_and_ends_prices_and_keeps_the_rest(shop: Shop, necklace: Item) -> None:
    shop = shop
    raw = xlsx_of(["Clave", "Fundición", "Pulido"], [shop.item.key, "-", None], [necklace.key, "2,5 / gr", 1.5])
    found = previewed(shop.ana, PRICES, raw, XLSX)
    casting, polishing = f"process{shop.casting.pk}", f"process{shop.polishing.pk}"
    assert outcomes(shop.ana, found) == [
        (shop.item.key, "changed", [(casting, 7, "")]),
        (necklace.key, "changed", [(casting, "", "2.50/g"), (polishing, "", 1.5)]),
    ]
    assert {field["name"]: field["label"] for field in found["fields"]}[casting] == "Fundición"
    assert applied(shop.ana, found["id"])["state"] == "applied"
    assert piece_prices(shop.casting.pk, [shop.item.pk], None) == {}
    assert piece_prices(shop.polishing.pk, [shop.item.pk], None) == {shop.item.pk: (Decimal("3.2"), "gram")}
    assert piece_prices(shop.casting.pk, [necklace.pk], None) == {necklace.pk: (Decimal("2.5"), "gram")}
    assert piece_prices(shop.polishing.pk, [necklace.pk], None) == {necklace.pk: (Decimal("1.5"), "piece")}
    assert AuditEntry.objects.filter(entity=PRICES).count() == 5
    assert settled(shop.ana, upload(shop.ana, PRICES, raw, XLSX))["counts"]["unchanged"] == 2


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("-1", "too_small"),
        ("-1/g", "too_small"),
        ("1.23456789", "too_many_decimals"),
        ("mucho", "not_a_number"),
        ("3 oz", "not_a_number"),
        ("1.250", "ambiguous_number"),
        ("USD 12", "other_currency"),
        ("9999999999999/g", "too_large"),
    ],
)
def test_a_wrong_cell_refuses_its_row_alone(shop: Shop, necklace: Item, cell: str, code: str) -> None:
    shop = shop
    raw = csv_of(["Clave", "Fundición"], [shop.item.key, cell], [necklace.key, "5"])
    found = previewed(shop.ana, PRICES, raw)
    assert (found["counts"]["refused"], found["counts"]["changed"]) == (1, 1)
    (refused,) = rows_of(shop.ana, found, outcome="refused")
    assert [(error["field"], error["code"]) for error in refused["errors"]] == [(f"process{shop.casting.pk}", code)]


def test_two_rows_of_one_product_and_an_unknown_product_are_refused(shop: Shop, necklace: Item) -> None:
    shop = shop
    raw = csv_of(
        ["Clave", "Fundición"], [necklace.key, "5"], [necklace.key.lower(), "6"], ["NO-HAY", "7"], [shop.item.key, "8"]
    )
    found = previewed(shop.ana, PRICES, raw)
    codes = {
        row["number"]: {error["code"] for error in row["errors"]} for row in rows_of(shop.ana, found, outcome="refused")
    }
    assert codes == {2: {"duplicate_row"}, 3: {"duplicate_row"}, 4: {"unknown_name"}}
    kinds = shop.ana.raw(f"/api/imports/{found['id']}/refused.csv").decode("utf-8-sig")
    assert "NO-HAY" in kinds
    assert not Item.objects.filter(key="NO-HAY").exists()


def test_processes_are_found_by_either_name_and_a_new_one_has_a_column(shop: Shop, necklace: Item) -> None:
    shop = shop
    made = ProductionProcess.objects.create(name="Esmalte", name_english="Enamel", order=3)
    imported(shop.ana, PRICES, csv_of(["key", "Enamel"], [necklace.key, "4"]))
    assert piece_prices(made.pk, [necklace.pk], None) == {necklace.pk: (4, "piece")}
    template = shop.ana.raw(f"/api/imports/{PRICES}/template.csv").decode("utf-8-sig")
    assert template.strip() == "Clave,Fundición,Pulido,Esmalte"
    ProductionProcess.objects.filter(pk=made.pk).update(status=False)
    assert "Esmalte" not in shop.ana.raw(f"/api/imports/{PRICES}/template.csv").decode("utf-8-sig")


def test_the_import_needs_the_permission_to_set_prices(shop: Shop, necklace: Item) -> None:
    raw = csv_of(["Clave", "Fundición"], [necklace.key, "5"])
    assert upload(somebody(Permission.ListPiecePrices, Permission.UpdateItem), PRICES, raw).status == 403
    assert imported(somebody(Permission.UpdatePiecePrices), PRICES, raw)["counts"]["changed"] == 1
    assert ProcessItemPrice.objects.filter(item=necklace).get().user_name != ""
