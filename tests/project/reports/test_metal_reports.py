"""The reports of metal: loss by process, product and alloy, what is to recover, and the refinery."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest

from project.access.permissions import Permission
from project.catalogs.models import Alloy, ProductionProcess
from project.core import clock
from project.orders.models import ProcessRecord
from tests.builders import Caller, Shop, item, release, somebody
from tests.project.metal.weighing import alloy, dust, receive, transfer

LOSS = "/api/reports/metal-loss"
TO_RECOVER = "/api/reports/metal-to-recover"
REFINERY = "/api/reports/metal-refinery"


def weighed(
    shop: Shop, process: ProductionProcess, of: Alloy, *mg: int, product: int | None = None, pieces: int = 5
) -> int:
    """Return an order whose pieces went through a process. `mg`: milligrams in, added, out and scrap."""
    order = shop.order(items=[{"itemId": product or shop.item.pk, "quantity": pieces}])
    shop.status(order, 1, "Approved")
    shop.enter(order, process)
    shop.leave(order, process)
    entered, added, left, scrap = mg
    ProcessRecord.objects.filter(line__order=order).update(
        alloy=of, mg_in=entered, mg_added=added, mg_out=left, mg_scrap=scrap
    )
    return order


def report(by: Caller, path: str) -> dict[str, Any]:
    answer = by.get(path)
    assert answer.status == 200, answer
    found: dict[str, Any] = answer.json
    return found


def test_loss_is_by_process_product_and_alloy_against_the_allowance(shop: Shop) -> None:
    ley, fine = alloy(), alloy("Fina", 9_990)
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(allowed_loss="10.0")
    weighed(shop, shop.casting, ley, 100_000, 0, 97_000, 1_000)
    weighed(shop, shop.casting, ley, 50_000, 1_000, 50_500, 0)
    weighed(shop, shop.polishing, ley, 50_500, 0, 50_000, 0)
    weighed(shop, shop.polishing, fine, 20_000, 0, 19_980, 0, product=item("Cadena").pk)
    found = report(shop.ana, LOSS)
    assert [
        (
            row["productionProcessName"],
            row["itemName"],
            row["alloyName"],
            row["records"],
            row["pieces"],
            row["lossGrams"],
        )
        for row in found["rows"]
    ] == [
        ("Fundición", "Anillo", "Ley 925", 2, 10, 2.5),
        ("Pulido", "Anillo", "Ley 925", 1, 5, 0.5),
        ("Pulido", "Cadena", "Fina", 1, 5, 0.02),
    ]
    first = found["rows"][0]
    assert (first["inGrams"], first["addedGrams"], first["outGrams"], first["scrapGrams"]) == (150, 1, 147.5, 1)
    assert (first["lossPerMille"], first["allowedLoss"], first["above"]) == (16.6, 10.0, True)
    assert [(row["allowedLoss"], row["above"]) for row in found["rows"][1:]] == [(None, False), (None, False)]
    assert found["total"] == {"fineGrams": 206.368, "fineLossGrams": 2.795, "lossPerMille": 13.5, "fineBetweenGrams": 0}


def test_loss_of_a_process_stands_together_if_another_one_has_the_same_place(shop: Shop) -> None:
    ley = alloy()
    ProductionProcess.objects.filter(pk=shop.polishing.pk).update(order=shop.casting.order)
    chain = item("Cadena").pk
    weighed(shop, shop.casting, ley, 100_000, 0, 99_000, 0)
    weighed(shop, shop.polishing, ley, 100_000, 0, 98_000, 0)
    weighed(shop, shop.casting, ley, 100_000, 0, 97_000, 0, product=chain)
    rows = report(shop.ana, LOSS)["rows"]
    assert [(row["productionProcessName"], row["lossGrams"]) for row in rows] == [
        ("Fundición", 3),
        ("Fundición", 1),
        ("Pulido", 2),
    ]


def test_loss_counts_only_weighed_exits_that_stand(shop: Shop) -> None:
    ley = alloy()
    weighed(shop, shop.casting, ley, 100_000, 0, 99_000, 0)
    taken_back = weighed(shop, shop.casting, ley, 100_000, 0, 50_000, 0)
    assert release(shop.ana, taken_back, shop.casting).status == 200
    order = shop.approved(5)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    assert [row["lossGrams"] for row in report(shop.ana, LOSS)["rows"]] == [1]


def test_loss_is_filtered_by_day_process_product_and_alloy(shop: Shop) -> None:
    ley = alloy()
    weighed(shop, shop.casting, ley, 10_000, 0, 9_900, 0)
    today = clock.today()
    before = (today - timedelta(days=1)).isoformat()
    for query, count in (
        (f"from={today}&to={today}", 1),
        (f"to={before}", 0),
        (f"productionProcessId={shop.casting.pk}", 1),
        (f"productionProcessId={shop.polishing.pk}", 0),
        (f"itemId={shop.item.pk}", 1),
        (f"customerId={shop.customer.pk}", 1),
        (f"alloyId={ley.pk}", 1),
        ("alloyId=999999", 0),
    ):
        assert len(report(shop.ana, f"{LOSS}?{query}")["rows"]) == count, query
    assert report(shop.ana, f"{LOSS}?to={before}")["total"] == {
        "fineGrams": 0,
        "fineLossGrams": 0,
        "lossPerMille": 0,
        "fineBetweenGrams": 0,
    }


def test_no_report_names_a_person(shop: Shop) -> None:
    ley = _dusty(shop)
    weighed(shop, shop.casting, ley, 10_000, 0, 9_900, 0)
    for path in (LOSS, TO_RECOVER, REFINERY):
        text = shop.ana.get(path).text
        assert "Torres" not in text
        assert "userId" not in text
        assert "person" not in text


def _dusty(shop: Shop) -> Alloy:
    """30 g of dust at casting and 10 g in the scrap box; 20 g of the dust came back from the refinery."""
    ley, fine = alloy(), alloy("Fina", 9_990)
    receive(shop.ana, ley, 100)
    assert transfer(shop.ana, ley, 50, fromKind="vault", **dust(shop.casting)).status == 201
    assert transfer(shop.ana, ley, 10, fromKind="vault", toKind="scrap").status == 201
    sources = [{"productionProcessId": shop.casting.pk, "grams": 20}]
    body = {"partner": "Afinadora Sur", "alloyId": ley.pk, "sources": sources}
    refining = shop.ana.post("/api/metal/refinings", body).json["id"]
    back = {"alloyId": fine.pk, "grams": 18}
    assert shop.ana.post(f"/api/metal/refinings/{refining}/return", back).status == 200
    return ley


def test_to_recover_is_dust_scrap_and_what_is_at_the_refinery(shop: Shop) -> None:
    ley = _dusty(shop)
    body = {"partner": "Afinadora Sur", "alloyId": ley.pk, "sources": [{"grams": 4}]}
    assert shop.ana.post("/api/metal/refinings", body).status == 201
    found = report(shop.ana, TO_RECOVER)
    assert [(row["kind"], row["productionProcessName"], row["grams"], row["fineGrams"]) for row in found["rows"]] == [
        ("dust", "Fundición", 30, 27.75),
        ("scrap", None, 6, 5.55),
        ("refinery", None, 4, 3.7),
    ]
    assert found["fineGrams"] == 37


def test_refinery_is_compared_with_the_books(shop: Shop) -> None:
    ley = _dusty(shop)
    body = {"partner": "Afinadora Norte", "alloyId": ley.pk, "sources": [{"grams": 4}]}
    assert shop.ana.post("/api/metal/refinings", body).status == 201
    found = report(shop.ana, REFINERY)
    assert [
        (row["partner"], row["productionProcessName"], row["expectedFineGrams"], row["differenceFineGrams"])
        for row in found["rows"]
    ] == [("Afinadora Norte", None, 3.7, None), ("Afinadora Sur", "Fundición", 18.5, 0.518)]
    assert (found["expectedFineGrams"], found["returnedFineGrams"], found["differenceFineGrams"]) == (
        18.5,
        17.982,
        0.518,
    )
    before = clock.today() - timedelta(days=1)
    assert report(shop.ana, f"{REFINERY}?to={before}")["rows"] == []


@pytest.mark.parametrize("path", [LOSS, TO_RECOVER, REFINERY])
def test_report_is_for_readers_of_metal_and_a_file(shop: Shop, path: str) -> None:
    weighed(shop, shop.casting, _dusty(shop), 10_000, 0, 9_900, 0)
    assert somebody(Permission.ViewMetal).get(path).status == 200
    for other in (shop.carla, somebody(Permission.ReportListSalesOrders), somebody(Permission.CloseMetalDay)):
        assert other.get(path).code == "permission_denied"
    for language, process in (("es", "Fundición"), ("en", "Fundición")):
        answer = shop.ana.get(f"{path}?format=csv", accept_language=language)
        heads, *rows = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")))
        assert not [head for head in heads if head.startswith("column_")]
        assert any(process in row for row in rows)
