"""Heads, kinds of addresses, yes and no are read in Spanish and English and written in the user's language."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from openpyxl import load_workbook

from project.catalogs.definition import CATALOGS
from project.catalogs.models import Company, Customer, Item, Material, ProductionProcess
from project.core.texts import LANGUAGES, texts
from project.importing.registry import IMPORTS
from project.importing.sheets import compared
from realtime.models import OutboxEvent
from tests import builders
from tests.builders import Caller, Shop, buyer, process, somebody
from tests.project.importing.uploads import (
    IMPORTABLE,
    XLSX,
    csv_of,
    imported,
    previewed,
    refusals,
    rows_of,
    upload,
    xlsx_of,
)

LOCALES = Path(__file__).parents[3] / "web/src/locales"
SPEAKS = {"es": "es-MX", "en": "en-US"}


def ana(shop: Shop, language: str) -> Caller:
    return Caller(shop.ana.user, accept_language=SPEAKS[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_file_and_form_use_the_same_words(language: str) -> None:
    words = json.loads((LOCALES / language / "catalogs.json").read_text(encoding="utf-8"))
    ours = texts(language)
    for catalog, definition in CATALOGS.items():
        for column in definition.columns:
            assert ours[f"field_{column.key}"] == words["field"][column.key], (catalog, column.key)
    for catalog in IMPORTS:
        assert ours[f"catalog_{catalog}"] == words[catalog]["title"]
    for kind in ("Commercial", "Shipping"):
        assert ours[f"address_{kind}"] == words["address"][kind]
    assert (ours["yes"], ours["no"]) == (words["import"]["yes"], words["import"]["no"])


@pytest.mark.parametrize("catalog", IMPORTS)
def test_head_means_only_one_column(catalog: str) -> None:
    meant: dict[str, str] = {}
    for name in IMPORTS[catalog].heads:
        for word in (name, *(texts(language)[f"field_{name}"] for language in LANGUAGES)):
            assert meant.setdefault(compared(word), name) == name


@pytest.mark.parametrize("catalog", IMPORTABLE)
@pytest.mark.parametrize("language", LANGUAGES)
def test_example_in_a_template_can_be_imported(shop: Shop, catalog: str, language: str) -> None:
    for name in ("Aro", "Engaste", "Band", "Setting"):
        builders.component(name)
    for name in ("Plata .925", "Silver .925"):
        Material.objects.get_or_create(name=name)
    for name in ("Casting", "Polishing"):
        builders.process(name)
    by = ana(shop, language)
    book = load_workbook(io.BytesIO(by.raw(f"/api/imports/{catalog}/template.xlsx")))
    assert book.sheetnames == [texts(language)[f"catalog_{catalog}"], texts(language)["example"]]
    blank, example = ([*sheet.values] for sheet in book.worksheets)
    heads = [texts(language)[f"field_{name}"] for name in CATALOGS[catalog].heads]
    assert (blank, example[0], len(example)) == ([tuple(heads)], tuple(heads), 2)
    result = previewed(by, catalog, xlsx_of(*example), XLSX)
    assert (result["rowsTotal"], result["counts"]["refused"]) == (1, 0), rows_of(by, result)


@pytest.mark.parametrize(
    "heads",
    [
        ["Clave", "Nombre", "Precio de venta", "Antigüedad", "Descripción en español"],
        ["Key", "Name", "Sell price", "Antique", "Spanish description"],
        ["CLAVE", " nombre", "PRECIO  DE VENTA ", "antiguedad", "descripcion en espanol"],
        ["key", "Nombre", "sellPrice", "antique", "Descripción en español"],
    ],
)
@pytest.mark.parametrize("yes", ["Sí", "SI", "yes", "true"])
def test_heads_in_either_language_are_understood(shop: Shop, heads: list[str], yes: str) -> None:
    imported(shop.ana, "items", csv_of(heads, ["A-1", "Aro", "12.5", yes, "Liso"], separator=";"))
    row = Item.objects.get(key="A-1")
    assert (row.name, row.sell_price, row.antique, row.description_spanish) == ("Aro", 12.5, True, "Liso")


def test_two_heads_of_one_column_are_named_as_written(shop: Shop) -> None:
    raw = csv_of(["Clave", "Key", "Nombre", "Peso"], ["A-1", "A-2", "Aro", "3"])
    found = previewed(shop.ana, "items", raw)
    assert found["doubts"][0]["params"] == {
        "missing": [],
        "duplicate": ["Clave", "Key"],
        "proposed": [],
        "unknown": ["Peso"],
    }


@pytest.mark.parametrize(("language", "word"), [("es", "Clave"), ("en", "Key")])
def test_missing_column_is_named_in_the_users_language(shop: Shop, language: str, word: str) -> None:
    found = previewed(ana(shop, language), "items", csv_of(["Nombre"], ["Aro"]))
    assert found["doubts"][0]["params"]["missing"] == [word]


def test_address_kinds_are_read_in_both_languages_and_shown_in_the_callers(shop: Shop) -> None:
    raw = csv_of(
        ["Nombre", "Domicilios"],
        ["Joyas", "COMERCIAL | Calle | 1\nde envio | Otra | 2\nshipping | Tercera"],
        ["Nadie", "Casa | Calle"],
    )
    result = imported(shop.ana, "customers", raw)
    assert refusals(shop.ana, result) == {3: {"addresses.0.kind": "not_a_choice"}}
    assert [one["kind"] for one in Customer.objects.get(name="Joyas").addresses] == [
        "Commercial",
        "Shipping",
        "Shipping",
    ]
    for language, before in (("es", "Comercial | Calle | 1"), ("en", "Commercial | Calle | 1")):
        by = ana(shop, language)
        (row,) = rows_of(by, previewed(by, "customers", csv_of(["name", "addresses"], ["Joyas", "-"])))
        assert row["changes"][0]["before"].splitlines()[0] == before


def test_companies_are_imported_with_their_address(shop: Shop) -> None:
    heads = ["Nombre", "Razón social", "Correo", "Domicilio comercial", "Activo"]
    raw = csv_of(
        heads,
        ["Platería", "Platería, S.A.", "v@example.com", "Av. Juárez | 12 | | Centro | Taxco | Gro | 40200 | MX", "Sí"],
        ["Otra", "", "", "", "No"],
        ["Dos", "", "", "Calle | 1\nCalle | 2", ""],
        ["Larga", "", "", "a | b | c | d | e | f | g | h | i", ""],
        ["Correo", "", "no es", "", ""],
    )
    result = imported(shop.ana, "companies", raw)
    assert refusals(shop.ana, result) == {
        4: {"commercialAddress": "too_many"},
        5: {"commercialAddress.8": "unknown_field"},
        6: {"email": "invalid"},
    }
    first, other = Company.objects.get(name="Platería"), Company.objects.get(name="Otra")
    assert first.commercial_address["postalCode"] == "40200"
    assert (first.legal_name, other.commercial_address, other.status) == ("Platería, S.A.", None, False)
    assert previewed(shop.ana, "companies", raw)["counts"]["unchanged"] == 2
    imported(shop.ana, "companies", csv_of(["Name", "Commercial address"], ["Platería", "vacío"]))
    first.refresh_from_db()
    assert first.commercial_address is None


def test_processes_are_imported_with_their_price_and_its_history(shop: Shop) -> None:
    kept = process("Limado", order=2, price="3.5")
    raw = csv_of(
        ["Orden", "Nombre", "Precio por pieza", "Moneda", "Activo"],
        ["2", "limado", "4.25", "MXN", "Sí"],
        ["7", "Grabado", "", "MXN", "no"],
        ["0", "Sin lugar", "1", "", ""],
        ["", "Sin orden", "1", "", ""],
        ["3", "Caro", "-1", "", ""],
    )
    result = imported(shop.ana, "production-processes", raw)
    assert {number: {*fields} for number, fields in refusals(shop.ana, result).items()} == {
        4: {"order"},
        6: {"price"},
    }
    kept.refresh_from_db()
    assert ProductionProcess.objects.get(name="Sin orden").order == 8
    made = ProductionProcess.objects.get(name="Grabado")
    assert (kept.name, kept.price, made.order, made.price, made.status) == ("limado", 4.25, 7, 0, False)
    assert [float(one.price) for one in kept.prices.order_by("id")][-1] == 4.25
    assert made.prices.count() == 1


def test_imported_processes_without_order_come_last_in_file_order(shop: Shop) -> None:
    rows = (["Limado", "12"], ["Niel", ""], ["Remache", ""], [shop.polishing.name, "30"])
    upload = imported(shop.ana, "production-processes", csv_of(["Nombre", "Orden"], *rows))
    assert upload["counts"]["refused"] == 0
    orders = dict(ProductionProcess.objects.values_list("name", "order"))
    assert [orders[name] for name, _ in rows] == [12, 31, 32, 30]


def test_workers_of_a_process_closed_by_an_import_get_an_event(shop: Shop) -> None:
    place = process("Limado", order=2)
    worker = somebody("SalesOrderPositionProcessIn", processes=[place])
    imported(shop.ana, "production-processes", csv_of(["Nombre", "Activo"], ["Limado", "No"]))
    events = OutboxEvent.objects.filter(type="permissions.changed").values_list("payload", flat=True)
    assert [json.loads(payload)["data"]["id"] for payload in events] == [worker.id]
    assert [one.user_id for one in place.workers.all()] == [worker.id]


@pytest.mark.parametrize("catalog", ["companies", "production-processes"])
def test_import_needs_permission_to_write_the_catalog(shop: Shop, catalog: str) -> None:
    raw = csv_of(["Nombre"], ["Uno"])
    for other in (somebody("CreateMaterial", "ListCompanies", "ListProductionProcesses"), buyer(shop.customer)):
        assert upload(other, catalog, raw).status == 403
        assert other.get(f"/api/imports/{catalog}/template.csv").status == 403


def test_reading_process_does_not_load_django_db() -> None:
    code = "import sys, project.importing.sheets; sys.exit('django.db' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
