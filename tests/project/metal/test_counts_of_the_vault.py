"""Counts of the vault (infra/docs/rules.md#metal-counts)."""

import json
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.catalogs.models import Alloy
from project.metal import selectors
from project.metal.models import EntryKind, MetalCount, MetalCountRow, MetalEntry
from realtime.models import OutboxEvent
from tests.builders import Answer, Shop, at_once, buyer, somebody
from tests.project.metal.weighing import METAL, alloy, held, issue, receive, transfer, vault_count
from tests.project.printing.papers import read

COUNTS = f"{METAL}/counts"


@pytest.fixture
def ley(shop: Shop) -> Alloy:
    """Sterling: two lots of 100 g and 50 g are in the vault, and 10 g of no lot."""
    of = alloy()
    receive(shop.ana, of, 100, supplier="Casa Fina", document="F-1", day="2026-01-05")
    receive(shop.ana, of, 50, supplier="Platería Norte", day="2026-02-05")
    transfer(shop.ana, of, 10, fromKind="lost", toKind="vault", reason="inicio")
    return of


def counted(shop: Shop, body: dict[str, Any]) -> Answer:
    return shop.ana.post(COUNTS, body)


def expected(shop: Shop) -> list[tuple[str, float]]:
    return [(row["supplier"], row["expectedGrams"]) for row in shop.ana.get(f"{COUNTS}/expected").json]


def test_expected_is_what_the_vault_holds_by_alloy_and_lot(shop: Shop, ley: Alloy) -> None:
    first = shop.ana.get(f"{COUNTS}/expected").json[0]
    assert (first["alloyName"], first["document"], first["day"]) == ("Ley 925", "F-1", "2026-01-05")
    assert expected(shop) == [("Casa Fina", 100), ("Platería Norte", 50), ("", 10)]


def test_expected_adds_up_to_the_vault_if_metal_left_without_naming_its_lot(shop: Shop, ley: Alloy) -> None:
    issue(shop.ana, ley, 30, shop.carla.id, shop.casting)
    assert sum(grams for _, grams in expected(shop)) == 130


def test_count_books_each_difference_with_its_reason(shop: Shop, ley: Alloy) -> None:
    answer = counted(shop, vault_count(shop, ley, -2.5, 0.5, notes="fin de mes"))
    assert answer.status == 201, answer
    count = answer.json
    assert (count["countedBy"], count["witness"], count["writtenBy"]) == ("Ana Torres", "Beto Torres", "Ana Torres")
    (of,) = count["alloys"]
    assert (of["alloyName"], of["reason"], of["fineDifferenceGrams"]) == ("Ley 925", "Pesado dos veces", 1.85)
    assert (of["expectedGrams"], of["countedGrams"], of["differenceGrams"]) == (160, 158, 2)
    assert [row["differenceGrams"] for row in of["lots"]] == [2.5, -0.5, 0]
    assert held(shop.ana, kind="vault") == {"vault": 158}
    assert expected(shop) == [("Casa Fina", 97.5), ("Platería Norte", 50.5), ("", 10)]
    rows = MetalEntry.objects.filter(kind=EntryKind.adjust, record_id=count["id"])
    assert {row.reason for row in rows} == {"Pesado dos veces"}
    assert set(selectors.sums_by_alloy().values()) == {0}
    assert selectors.differing_balances() == []
    assert shop.ana.get(f"{COUNTS}/{count['id']}").json == count
    assert shop.ana.get(COUNTS).json == [count]


def test_count_of_ten_times_as_much_is_asked_about(shop: Shop, ley: Alloy) -> None:
    body = vault_count(shop, ley, 900)
    answer = counted(shop, body)
    assert (answer.status, answer.code) == (409, "count_far")
    assert (answer.json["params"]["expected"], answer.json["params"]["counted"]) == (100, 1_000)
    assert "1000 g" in answer.json["message"]
    assert held(shop.ana, kind="vault") == {"vault": 160}
    assert counted(shop, {**body, "confirm": True}).status == 201
    assert held(shop.ana, kind="vault") == {"vault": 1_060}


def test_count_that_matches_needs_no_reason_and_moves_nothing(shop: Shop, ley: Alloy) -> None:
    before = MetalEntry.objects.count()
    assert counted(shop, vault_count(shop, ley)).status == 201
    assert MetalEntry.objects.count() == before


def test_count_is_in_the_audit_and_reaches_readers(shop: Shop, ley: Alloy) -> None:
    count = counted(shop, vault_count(shop, ley, -1)).json
    row = AuditEntry.objects.get(entity="metal-count", entity_id=count["id"])
    assert (row.action, row.user_name) == ("created", "Ana Torres")
    event = OutboxEvent.objects.filter(type="metal.changed").latest("pk")
    assert {one["kind"] for one in json.loads(event.payload)["data"]["accounts"]} == {"vault", "lost"}


def test_count_is_refused_if_metal_moved_since_it_was_looked_at(shop: Shop, ley: Alloy) -> None:
    body = vault_count(shop, ley, -1)
    issue(shop.ana, ley, 120, shop.carla.id, shop.casting)
    answer = counted(shop, body)
    assert (answer.status, answer.code, answer.json["params"]) == (409, "expected_changed", {"alloyIds": [ley.pk]})
    assert not MetalCount.objects.exists()


def test_wrong_counts_are_refused(shop: Shop, ley: Alloy) -> None:
    body = vault_count(shop, ley, -1)
    (of,) = body["alloys"]
    other = alloy("Ley 950", 9_500)
    for change, fields in (
        ({"witnessId": shop.ana.id}, {"witnessId": "named_twice"}),
        ({"witnessId": 999_999}, {"witnessId": "unknown"}),
        ({"witnessId": buyer(shop.customer).id}, {"witnessId": "unknown"}),
        ({"alloys": []}, {"alloys": "required"}),
        ({"alloys": [of | {"reason": " "}]}, {"alloys.0.reason": "required"}),
        ({"alloys": [of | {"lots": of["lots"][:2]}]}, {"alloys.0.lots": "not_all_counted"}),
        ({"alloys": [of | {"lots": [*of["lots"], of["lots"][0]]}]}, {"alloys.0.lots.3.lotId": "named_twice"}),
        ({"alloys": [of, of]}, {"alloys.1.alloyId": "named_twice"}),
        ({"alloys": [of | {"alloyId": 999_999, "lots": []}]}, {"alloys.0.alloyId": "unknown"}),
        ({"alloys": [of | {"alloyId": other.pk, "lots": of["lots"][:1]}]}, {"alloys.0.lots.0.lotId": "unknown"}),
    ):
        answer = counted(shop, body | change)
        assert (answer.status, answer.fields) == (422, fields)
    assert not MetalCount.objects.exists()


def test_repeated_count_is_one(shop: Shop, ley: Alloy) -> None:
    body = vault_count(shop, ley, -1)
    shop.ana.headers["idempotency_key"] = "c1"
    first, again = (counted(shop, body) for _ in range(2))
    assert (first.status, again.status, again.json) == (201, 201, first.json)
    assert MetalCount.objects.count() == 1


def test_of_two_counts_at_once_one_is_refused(busy_shop: Shop) -> None:
    shop, of = busy_shop, alloy()
    receive(shop.ana, of, 100)
    body = vault_count(shop, of, -1)
    answers = at_once([partial(counted, shop, body) for _ in range(3)])
    assert sorted(one.status for one in answers) == [201, 409, 409]
    assert held(shop.ana, kind="vault") == {"vault": 99}


def test_count_is_never_changed(shop: Shop, ley: Alloy) -> None:
    counted(shop, vault_count(shop, ley, -1))
    for rows in (MetalCount.objects.all(), MetalCountRow.objects.all()):
        with pytest.raises(DatabaseError), transaction.atomic():
            rows.update(id=77)
        with pytest.raises(DatabaseError), transaction.atomic():
            rows._raw_delete(rows.db)


def test_count_keeps_the_alloy_as_it_was(shop: Shop, ley: Alloy) -> None:
    count = counted(shop, vault_count(shop, ley, -1)).json
    Alloy.objects.filter(pk=ley.pk).update(name="Otra", fineness=8_000)
    assert shop.ana.get(f"{COUNTS}/{count['id']}").json == count


def test_readers_read_counts_and_managers_write_them(shop: Shop, ley: Alloy) -> None:
    body = vault_count(shop, ley)
    viewer = somebody(Permission.ViewMetal)
    for path in (COUNTS, f"{COUNTS}/expected"):
        assert viewer.get(path).status == 200
        for other in (somebody(Permission.CloseMetalDay), shop.carla, buyer(shop.customer)):
            assert other.get(path).code == "permission_denied"
    assert viewer.post(COUNTS, body).code == "permission_denied"
    assert somebody(Permission.ManageMetal).post(COUNTS, body).status == 201
    assert shop.ana.get(f"{COUNTS}/999999").status == 404


def test_slip_shows_what_was_expected_and_counted(shop: Shop, ley: Alloy, settings: Any, tmp_path: object) -> None:
    settings.MEDIA_ROOT = tmp_path
    count = counted(shop, vault_count(shop, ley, -2.5, notes="fin de mes")).json
    answer = shop.ana.post("/pdf/create-metal-count", {"id": count["id"]})
    assert answer.status == 200, answer
    said = "\n".join(page.text for page in read(answer.content))
    for words in (
        *("Conteo de la bóveda", f"#{count['id']}", "Ana Torres", "Beto Torres", "Ley 925 · Casa Fina · F-1"),
        *("sin lote", "97.500 g", "2.500 g", "2.313 g", "Ley 925: Pesado dos veces", "fin de mes"),
    ):
        assert words in said, said
    assert answer.headers["Content-Disposition"] == f'attachment; filename="Conteo_{count["id"]}.pdf"'
    english = shop.ana.post("/pdf/create-metal-count", {"id": count["id"], "language": "en"})
    assert "Count of the vault" in "\n".join(page.text for page in read(english.content))
    assert AuditEntry.objects.filter(entity="metal-count").latest("pk").action == "printed"
    assert shop.ana.post("/pdf/create-metal-count", {"id": 999_999}).fields == {"id": "unknown"}
    assert shop.carla.post("/pdf/create-metal-count", {"id": count["id"]}).code == "permission_denied"
