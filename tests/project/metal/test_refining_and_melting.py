"""Refining and melting: what moves, how the difference is shared, and what is refused."""

from typing import Any

import pytest

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.catalogs.models import Alloy
from project.metal import selectors
from project.metal.models import MetalEntry
from tests.builders import Answer, Caller, Shop, somebody
from tests.project.metal.weighing import METAL, alloy, dust, held, receive, transfer

REFININGS = f"{METAL}/refinings"


@pytest.fixture
def ley(shop: Shop) -> Alloy:
    """Sterling: 300 g in the vault, 100 g of dust at casting, 50 g of dust at polishing, 50 g in the scrap box."""
    of = alloy()
    receive(shop.ana, of, 500)
    for grams, fields in ((100, dust(shop.casting)), (50, dust(shop.polishing)), (50, {"toKind": "scrap"})):
        assert transfer(shop.ana, of, grams, fromKind="vault", **fields).status == 201
    return of


@pytest.fixture
def fine(shop: Shop) -> Alloy:
    return alloy("Fina", 9_990)


def sources(shop: Shop) -> list[dict[str, Any]]:
    return [
        {"productionProcessId": shop.casting.pk, "grams": 100},
        {"productionProcessId": shop.polishing.pk, "grams": 50},
        {"productionProcessId": None, "grams": 50},
    ]


def send(by: Caller, of: Alloy, rows: list[dict[str, Any]], **fields: Any) -> Answer:
    return by.post(REFININGS, {"partner": "Afinadora Sur", "alloyId": of.pk, "sources": rows, **fields})


def come_back(by: Caller, refining: int, of: Alloy, grams: Any, **fields: Any) -> Answer:
    return by.post(f"{REFININGS}/{refining}/return", {"alloyId": of.pk, "grams": grams, **fields})


def test_no_more_fine_metal_comes_back_than_was_sent_in_all(shop: Shop, ley: Alloy, fine: Alloy) -> None:
    sent = send(shop.ana, ley, sources(shop)).json
    answer = come_back(shop.ana, sent["id"], fine, 5_000)
    assert (answer.status, answer.fields) == (422, {"grams": "too_large"})
    assert answer.json["errors"][0]["message"] == "El valor no debe ser mayor que 200.2"
    assert held(shop.ana, kind="refinery") == {"refinery": 200}
    assert come_back(shop.ana, sent["id"], fine, 200.2).status == 200


def test_refining_goes_to_the_refinery_and_comes_back_by_its_assay(shop: Shop, ley: Alloy, fine: Alloy) -> None:
    sent = send(shop.ana, ley, sources(shop), notes="caja 3").json
    assert (sent["sentGrams"], sent["expectedFineGrams"], sent["returnedGrams"]) == (200, 185, None)
    assert held(shop.ana, kind="refinery") == {"refinery": 200}
    assert held(shop.ana, kind="dust") == held(shop.ana, kind="scrap") == {}
    assert shop.ana.get(f"{REFININGS}?pending=true").json == [sent]
    answer = come_back(shop.ana, sent["id"], fine, 180, assay=999.9)
    assert answer.status == 200, answer
    back = answer.json
    assert (back["returnedGrams"], back["assay"], back["returnedAlloyName"]) == (180, 999.9, "Fina")
    assert (back["returnedFineGrams"], back["differenceFineGrams"]) == (179.982, 5.018)
    assert [(row["productionProcessName"], row["differenceFineGrams"]) for row in back["shares"]] == [
        ("Fundición", 2.509),
        ("Pulido", 1.254),
        (None, 1.255),
    ]
    assert round(sum(row["differenceFineGrams"] for row in back["shares"]), 3) == back["differenceFineGrams"]
    assert shop.ana.get(f"{REFININGS}?pending=true").json == []
    assert shop.ana.get(f"{REFININGS}/{sent['id']}").json == back
    assert held(shop.ana, kind="refinery") == {}
    assert set(selectors.sums_by_alloy().values()) == {0}
    assert selectors.differing_balances() == []
    lost = next(row for row in shop.ana.get(f"{METAL}/summary").json if row["kind"] == "lost")
    assert lost["fineGrams"] == 5.18, "185 in sterling less 179.82 in fine silver of 999: the books go by the alloy"
    actions = AuditEntry.objects.filter(entity="metal-refining").order_by("id").values_list("action", flat=True)
    assert list(actions) == ["created", "changed"]


@pytest.mark.parametrize(
    ("grams", "shared"),
    [(90.904, [0.479, 0.159, 0.958]), (90.906, [0.478, 0.159, 0.957]), (94.096, [-0.479, -0.159, -0.958])],
)
def test_difference_is_shared_by_largest_remainder(
    shop: Shop, ley: Alloy, fine: Alloy, grams: float, shared: list[float]
) -> None:
    rows = [(shop.casting.pk, 30), (shop.polishing.pk, 10), (None, 60)]
    sent = [{"productionProcessId": process, "grams": weight} for process, weight in rows]
    assert transfer(shop.ana, ley, 10, fromKind="vault", toKind="scrap").status == 201
    refining = send(shop.ana, ley, sent, expectedFineGrams=92.5).json["id"]
    found = come_back(shop.ana, refining, fine, grams, assay=1_000).json["shares"]
    assert [row["differenceFineGrams"] for row in found] == shared
    assert round(sum(row["returnedFineGrams"] for row in found), 3) == grams


def test_refining_comes_back_once(shop: Shop, ley: Alloy, fine: Alloy) -> None:
    refining = send(shop.ana, ley, sources(shop)).json["id"]
    assert come_back(shop.ana, refining, fine, 180).status == 200
    answer = come_back(shop.ana, refining, fine, 180)
    assert (answer.status, answer.code) == (409, "already_returned")
    assert come_back(shop.ana, 999_999, fine, 1).code == "not_found"
    assert held(shop.ana, kind="refinery") == {}


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        ({"sources": []}, {"sources": "required"}),
        ({"sources": [{"grams": 1}, {"grams": 1}]}, {"sources.1.productionProcessId": "named_twice"}),
        ({"sources": [{"productionProcessId": 999_999, "grams": 1}]}, {"sources.0.productionProcessId": "unknown"}),
        ({"sources": [{"grams": -1}]}, {"sources.0.grams": "must_be_above"}),
        ({"alloyId": 999_999}, {"alloyId": "unknown"}),
        ({"expectedFineGrams": 200.001}, {"expectedFineGrams": "too_large"}),
        ({"partner": "  "}, {"partner": "required"}),
    ],
)
def test_wrong_refining_is_refused(shop: Shop, ley: Alloy, change: dict[str, Any], refused: dict[str, str]) -> None:
    body = {"partner": "Afinadora Sur", "alloyId": ley.pk, "sources": sources(shop)} | change
    answer = shop.ana.post(REFININGS, body)
    assert (answer.status, answer.fields) == (422, refused)
    assert held(shop.ana, kind="refinery") == {}


def test_more_dust_than_there_is_is_not_sent(shop: Shop, ley: Alloy) -> None:
    answer = send(shop.ana, ley, [{"productionProcessId": shop.casting.pk, "grams": 100.001}])
    assert (answer.status, answer.code) == (409, "not_enough_metal")
    assert shop.ana.get(REFININGS).json == []


@pytest.mark.parametrize("assay", [-0.1, 1_000.1, 999.99, "999"])
def test_assay_that_is_no_fineness_is_refused(shop: Shop, ley: Alloy, fine: Alloy, assay: Any) -> None:
    refining = send(shop.ana, ley, sources(shop)).json["id"]
    answer = come_back(shop.ana, refining, fine, 180, assay=assay)
    assert (answer.status, list(answer.fields)) == (422, ["assay"])
    for least in (0, 1_000):
        assert receive(shop.ana, ley, 1, assay=least).json["assay"] == least


def melt(by: Caller, inputs: list[dict[str, Any]], of: Alloy, grams: float, **fields: Any) -> Answer:
    return by.post(f"{METAL}/meltings", {"inputs": inputs, "alloyId": of.pk, "grams": grams, **fields})


def test_alloys_become_one_with_the_same_fine_metal(shop: Shop, ley: Alloy, fine: Alloy) -> None:
    liga = alloy("Cobre", 0)
    receive(shop.ana, fine, 100)
    receive(shop.ana, liga, 100)
    inputs = [
        {"alloyId": fine.pk, "grams": 92.5},
        {"alloyId": liga.pk, "grams": 7.4},
        {"alloyId": ley.pk, "grams": 50, "scrap": True},
    ]
    answer = melt(shop.ana, inputs, ley, 149.9)
    assert answer.status == 201, answer
    made = answer.json
    assert [(row["alloyName"], row["grams"]) for row in made["inputs"]] == [
        ("Fina", 92.5),
        ("Cobre", 7.4),
        ("Ley 925", 50),
    ]
    assert (made["fineGrams"], made["differenceFineGrams"]) == (138.658, 0.0)
    assert shop.ana.get(f"{METAL}/meltings").json == [made]
    assert shop.ana.get(f"{METAL}/meltings/{made['id']}").json == made
    assert held(shop.ana, kind="scrap") == {}
    vault = next(row for row in shop.ana.get(f"{METAL}/summary").json if row["kind"] == "vault")
    assert {one["alloyName"]: one["grams"] for one in vault["balances"]} == {
        "Ley 925": 449.9,
        "Fina": 7.5,
        "Cobre": 92.6,
    }
    assert set(selectors.sums_by_alloy().values()) == {0}


def test_melting_that_loses_fine_metal_needs_a_reason(shop: Shop, ley: Alloy) -> None:
    inputs = [{"alloyId": ley.pk, "grams": 50}]
    answer = melt(shop.ana, inputs, ley, 49.5)
    assert (answer.status, answer.fields) == (422, {"reason": "required"})
    assert MetalEntry.objects.filter(kind="melt").count() == 0
    made = melt(shop.ana, inputs, ley, 49.5, reason="crisol nuevo").json
    assert (made["differenceFineGrams"], made["reason"]) == (0.462, "crisol nuevo")


@pytest.mark.parametrize(
    ("inputs", "refused"),
    [
        ([], {"inputs": "required"}),
        ([{"alloyId": 999_999, "grams": 1}], {"inputs.0.alloyId": "unknown"}),
    ],
)
def test_wrong_melting_is_refused(
    shop: Shop, ley: Alloy, inputs: list[dict[str, Any]], refused: dict[str, str]
) -> None:
    assert melt(shop.ana, inputs, ley, 1).fields == refused
    twice = [{"alloyId": ley.pk, "grams": 1}, {"alloyId": ley.pk, "grams": 1}]
    assert melt(shop.ana, twice, ley, 2).fields == {"inputs.1.alloyId": "named_twice"}
    much = melt(shop.ana, [{"alloyId": ley.pk, "grams": 300.001}], ley, 300)
    assert (much.status, much.code) == (409, "not_enough_metal")


def test_only_managers_refine_and_melt(shop: Shop, ley: Alloy) -> None:
    viewer, manager = somebody(Permission.ViewMetal), somebody(Permission.ManageMetal)
    refining = send(manager, ley, sources(shop)).json["id"]
    for by in (viewer, shop.carla, somebody(Permission.CloseMetalDay)):
        assert send(by, ley, sources(shop)).code == "permission_denied"
        assert come_back(by, refining, ley, 1).code == "permission_denied"
        assert melt(by, [{"alloyId": ley.pk, "grams": 1}], ley, 1).code == "permission_denied"
    assert viewer.get(f"{REFININGS}/{refining}").status == 200
    assert shop.carla.get(f"{REFININGS}/{refining}").code == "permission_denied"
