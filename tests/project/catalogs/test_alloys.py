"""Alloys, and the metal of processes and products: stored exactly, read from files as people write it."""

import pytest
from django.core.management import call_command

from project.audit.models import AuditEntry
from project.catalogs.models import Alloy, Item, ProductionProcess
from tests.builders import Shop, material, somebody
from tests.project.importing.uploads import XLSX, applied, csv_of, previewed, rows_of, xlsx_of

STERLING = {"name": "Ley 925", "fineness": 925, "waxRatio": 10.5}


def made(shop: Shop, **fields: object) -> dict[str, object]:
    answer = shop.ana.post("/api/alloys", STERLING | fields)
    assert answer.status == 201, answer
    found: dict[str, object] = answer.json
    return found


def test_new_database_has_the_usual_silver(shop: Shop) -> None:
    rows = shop.ana.get("/api/alloys?ordering=id").json
    assert {row["name"]: (row["fineness"], row["waxRatio"]) for row in rows} == {
        "Plata fina 999": (999, 10.6),
        "Plata 950": (950, 10.5),
        "Plata ley 925": (925, 10.5),
        "Liga": (0, None),
    }


def test_emptied_tables_have_their_first_rows_again(busy_shop: Shop) -> None:
    first = set(Alloy.objects.values_list("name", flat=True))
    Alloy.objects.all().delete()
    call_command("flush", interactive=False, verbosity=0)
    assert set(Alloy.objects.values_list("name", flat=True)) == first


def test_fineness_is_stored_in_tenths_of_a_per_mille(shop: Shop) -> None:
    silver = material()
    alloy = made(shop, fineness=999.9, materialId=silver.pk)
    assert (alloy["fineness"], alloy["materialId"], alloy["waxRatio"]) == (999.9, silver.pk, 10.5)
    assert Alloy.objects.get(pk=alloy["id"]).fineness == 9_999
    changed = shop.ana.put(f"/api/alloys/{alloy['id']}", {"fineness": 925}).json
    assert changed["fineness"] == 925
    assert AuditEntry.objects.latest("id").changes["fineness"] == {"before": 999.9, "after": 925}


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"fineness": 1_000.1}, {"fineness": "too_large"}),
        ({"fineness": 1_001}, {"fineness": "too_large"}),
        ({"fineness": -0.1}, {"fineness": "too_small"}),
        ({"fineness": 925.55}, {"fineness": "too_many_decimals"}),
        ({"fineness": "925"}, {"fineness": "invalid_type"}),
        ({"fineness": None}, {"fineness": "invalid_type"}),
        ({"waxRatio": 0}, {"waxRatio": "must_be_above"}),
        ({"waxRatio": 10.5555}, {"waxRatio": "too_many_decimals"}),
        ({"materialId": 999_999}, {"materialId": "unknown"}),
    ],
    ids=str,
)
def test_bad_field_of_an_alloy_is_named(shop: Shop, fields: dict[str, object], refused: dict[str, str]) -> None:
    alloy = made(shop)
    for answer in (
        shop.ana.post("/api/alloys", STERLING | {"name": "Otra"} | fields),
        shop.ana.put(f"/api/alloys/{alloy['id']}", fields),
    ):
        assert (answer.status, answer.fields) == (422, refused)


def test_alloys_are_for_their_readers_and_offered_to_all_staff(shop: Shop) -> None:
    assert somebody("ListMaterials").get("/api/alloys").code == "permission_denied"
    assert somebody("ListAlloys").get("/api/alloys").status == 200
    alloy = made(shop, name="Ley 935")
    assert alloy["id"] in {row["id"] for row in shop.carla.get("/api/alloys?fields=options").json}
    assert somebody("ListAlloys").post("/api/alloys", STERLING).code == "permission_denied"


def test_process_says_what_it_weighs_and_may_lose(shop: Shop) -> None:
    path = f"/api/production-processes/{shop.casting.pk}"
    before = shop.ana.get(path).json
    assert (before["weighs"], before["allowedLoss"], before["recovers"]) == ("no", None, False)
    sent = {"weighs": "required", "allowedLoss": 20.5, "recovers": True}
    assert shop.ana.put(path, sent).json.items() >= sent.items()
    assert shop.ana.put(path, {"allowedLoss": None}).json["allowedLoss"] is None
    for fields, code in (
        ({"weighs": "always"}, "not_a_choice"),
        ({"allowedLoss": 1_000.5}, "too_large"),
        ({"allowedLoss": 1.25}, "too_many_decimals"),
        ({"recovers": 1}, "invalid_type"),
    ):
        answer = shop.ana.put(path, fields)
        assert (answer.status, answer.fields) == (422, dict.fromkeys(fields, code))


def test_product_has_an_alloy_and_its_grams(shop: Shop) -> None:
    alloy = made(shop)
    path = f"/api/items/{shop.item.pk}"
    sent = {"alloyId": alloy["id"], "netGrams": 4.255, "otherGrams": 0}
    found = shop.ana.put(path, sent).json
    assert {name: found[name] for name in (*sent, "alloyName")} == sent | {"alloyName": "Ley 925"}
    stored = Item.objects.get(pk=shop.item.pk)
    assert (stored.net_mg, stored.other_mg) == (4_255, 0)
    assert AuditEntry.objects.latest("id").changes["netMg"] == {"before": None, "after": 4.255}
    assert shop.ana.put(path, {"netGrams": 0}).fields == {"netGrams": "must_be_above"}
    assert shop.ana.put(path, {"netGrams": 4.2551}).fields == {"netGrams": "too_many_decimals"}
    assert shop.ana.put(path, {"alloyId": 999_999}).fields == {"alloyId": "unknown"}
    assert shop.ana.put(path, {"netGrams": None}).json["netGrams"] is None
    assert shop.ana.delete(f"/api/alloys/{alloy['id']}").code == "in_use"


def test_file_of_alloys_is_read(shop: Shop, tasks_at_once: None) -> None:
    material("Plata .925")
    file = csv_of(
        ["Nombre", "Ley (‰)", "Material", "Metal por gramo de cera (g)"],
        ["Ley 900", "900", "Plata .925", "10,4"],
        ["Ley 925.5", "925.5", "", ""],
        ["Ley mil", "1001", "", ""],
    )
    found = previewed(shop.ana, "alloys", file)
    assert (found["counts"]["new"], found["counts"]["refused"]) == (2, 1)


def test_fineness_of_a_file_is_read_as_people_write_it_or_refused_in_words(shop: Shop, tasks_at_once: None) -> None:
    meant = {
        "92.5%": 925,
        "92,5 %": 925,
        ".925": 925,
        "0.925": 925,
        "0,925": 925,
        "925/1000": 925,
        "925 ‰": 925,
        "14k": 583.3,
        "18 kt": 750,
        "18 quilates": 750,
        "24K": 1_000,
        "0": 0,
        "925,0": 925,
        "50 ‰": "50 ‰",
        "92.5": None,
        "1": None,
        "100": None,
        "12 ct": None,
        "9250": None,
        "25k": None,
        "101%": None,
    }
    rows = [[f"Ley {place}", typed] for place, typed in enumerate(meant)]
    found = previewed(shop.ana, "alloys", csv_of(["Nombre", "Ley (‰)"], *rows))
    lines = {row["key"]: row for row in rows_of(shop.ana, found)}
    for place, (typed, share) in enumerate(meant.items()):
        row = lines[f"Ley {place}"]
        changes = {change["field"]: change["after"] for change in row["changes"]}
        if share is None:
            assert row["outcome"] == "refused", typed
        else:
            assert (row["outcome"], changes["fineness"]) == ("new", share), typed
    (refused,) = lines[f"Ley {[*meant].index('92.5')}"]["errors"]
    assert (refused["code"], refused["field"]) == ("fineness_unclear", "fineness")
    assert refused["message"] == "«92.5» puede ser ‰ o %: escriba 925 si son %, o «92.5 ‰»"


def test_percent_cell_of_a_workbook_is_a_fineness(shop: Shop, tasks_at_once: None) -> None:
    cells = [("Ley A", (0.925, "0.0%")), ("Ley B", 0.925), ("Ley C", 92.5)]
    found = previewed(shop.ana, "alloys", xlsx_of(["Nombre", "Ley (‰)"], *cells), XLSX)
    rows = {row["key"]: row for row in rows_of(shop.ana, found)}
    after = {key: [one["after"] for one in row["changes"] if one["field"] == "fineness"] for key, row in rows.items()}
    assert (after["Ley A"], after["Ley B"]) == ([925], [925])
    assert [error["code"] for error in rows["Ley C"]["errors"]] == ["fineness_unclear"]


def test_low_fineness_is_exported_with_its_unit_and_read_back(shop: Shop, tasks_at_once: None) -> None:
    alloy = Alloy.objects.create(name="Soldadura pobre", fineness=505)
    file = shop.ana.get("/api/alloys?format=csv").content
    assert "50.5 ‰" in file.decode("utf-8-sig")
    found = previewed(shop.ana, "alloys", file)
    assert (found["counts"]["changed"], found["counts"]["refused"], found["counts"]["new"]) == (0, 0, 0)
    assert Alloy.objects.get(pk=alloy.pk).fineness == 505


def test_files_of_products_and_processes_are_read_with_their_metal(shop: Shop, tasks_at_once: None) -> None:
    heads = ["Clave", "Nombre", "Aleación", "Metal por pieza (g)", "Piedras y esmalte por pieza (g)"]
    file = csv_of(heads, ["M-1", "Aro pesado", "plata LEY 925", "4,25", "0.5"], ["M-2", "Aro hueco", "", "", ""])
    applied(shop.ana, previewed(shop.ana, "items", file)["id"])
    rows = Item.objects.filter(key__startswith="M-").order_by("key").values_list("alloy__name", "net_mg", "other_mg")
    assert list(rows) == [("Plata ley 925", 4_250, 500), (None, None, None)]

    heads = ["Nombre", "Lugar", "Se pesa", "Merma permitida (‰)", "Se recupera la limadura"]
    file = csv_of(heads, ["Lijado", "5", "Obligatorio", "20", "Sí"], ["Armado", "6", "optional", "", "No"])
    applied(shop.ana, previewed(shop.ana, "production-processes", file)["id"])
    found = ProductionProcess.objects.filter(name__in=["Lijado", "Armado"]).order_by("name")
    assert [(row.weighs, row.allowed_loss, row.recovers) for row in found] == [
        ("optional", None, False),
        ("required", 20, True),
    ]


def test_unknown_word_for_the_weighing_is_refused(shop: Shop, tasks_at_once: None) -> None:
    file = csv_of(["Nombre", "Lugar", "Se pesa"], ["Lijado", "5", "siempre"])
    assert previewed(shop.ana, "production-processes", file)["counts"]["refused"] == 1
