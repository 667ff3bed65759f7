"""The net weight of a bill's metal comes from the ledger: for its lines, its boxes and its papers."""

from decimal import Decimal
from typing import Any

import pytest

from project.access.permissions import Permission
from project.billing.models import BillLine
from project.billing.packing import Box, Content, Export, kilograms
from project.catalogs.models import ExportTaxItem, Item
from project.metal.models import MetalEntry
from tests.builders import Shop, buyer
from tests.project.billing.billing import PATH, billed, done, of, pre_billed, prepare
from tests.project.metal.grams import bench, weighed
from tests.project.printing.papers import read


@pytest.fixture(autouse=True)
def trade(shop: Shop, settings: Any, tmp_path: object) -> None:
    settings.MEDIA_ROOT = tmp_path
    prepare(shop)
    bench(shop)
    tariff = ExportTaxItem.objects.create(code="71131199", english_description="Articles of jewelry")
    Item.objects.filter(pk=shop.item.pk).update(tax_item=tariff)


def cast(shop: Shop, quantity: int = 10, grams: float = 50) -> int:
    """An order whose line of `quantity` pieces is Done and weighs `grams`."""
    order = shop.approved(quantity)
    weighed(shop, "in", order, shop.casting, grams)
    weighed(shop, "out", order, shop.casting, grams)
    shop.status(order, 1, "Done")
    return order


def boxed(shop: Shop, bill: dict[str, Any], *boxes: dict[str, Any]) -> dict[str, Any]:
    answer = shop.ana.put(f"{PATH}/{bill['id']}/export", {"incoterm": "FCA", "place": "Laredo", "boxes": list(boxes)})
    assert answer.status == 200, answer
    saved: dict[str, Any] = answer.json
    return saved


def box(order: int, quantity: int, **fields: Any) -> dict[str, Any]:
    return {"grossKg": 1, "lines": [{"salesOrderId": order, "position": 1, "quantity": quantity}], **fields}


def paper(shop: Shop, bill: dict[str, Any], name: str = "packing-list") -> str:
    answer = shop.ana.post("/pdf/create-export", {"deliveryId": bill["id"], "paper": name, "language": "es"})
    assert answer.status == 200, answer
    return " ".join(" ".join(page.text.split()) for page in read(answer.content))


def test_bill_and_pre_bill_say_the_grams_that_the_ledger_ships(shop: Shop) -> None:
    order = cast(shop)
    draft = pre_billed(shop, of(order, 1, 3))
    assert ([line["metalGrams"] for line in draft["lines"]], draft["metalGrams"]) == ([15], 15)
    bill = shop.ana.put(f"{PATH}/{draft['id']}", {"preBill": False, "guideNumber": "G-1"}).json
    assert bill["metalGrams"] == 15
    assert MetalEntry.objects.get(kind="ship").mg == 15_000 == BillLine.objects.get().metal_mg
    rest = billed(shop, of(order, 1, 7))
    assert rest["metalGrams"] == 35
    assert [row["metalGrams"] for row in shop.ana.get(f"{PATH}/search").json] == [35, 15]
    assert shop.ana.delete(f"{PATH}/{bill['id']}").json["metalGrams"] == 15, "the paper keeps what was shipped"


def test_pre_bill_of_more_pieces_than_are_left_takes_what_is_left(shop: Shop) -> None:
    order = cast(shop)
    drafts = [pre_billed(shop, of(order, 1, 8))["id"] for _ in range(2)]
    billed(shop, of(order, 1, 6))
    assert [shop.ana.get(f"{PATH}/{draft}").json["metalGrams"] for draft in drafts] == [20, 20]
    billed(shop, of(order, 1, 4))
    assert shop.ana.get(f"{PATH}/{drafts[0]}").json["metalGrams"] is None


def test_line_that_is_opened_again_has_no_finished_metal(shop: Shop) -> None:
    order = cast(shop)
    draft = pre_billed(shop, of(order, 1, 10))
    shop.status(order, 1, "InProcess")
    assert shop.ana.get(f"{PATH}/{draft['id']}").json["metalGrams"] is None


def test_line_without_metal_in_the_ledger_proposes_nothing(shop: Shop) -> None:
    order = done(shop, 10)
    bill = billed(shop, of(order, 1, 10))
    assert (bill["metalGrams"], bill["lines"][0]["metalGrams"]) == (None, None)
    answer = shop.ana.put(f"{PATH}/{bill['id']}/export", {"boxes": [box(order, 10)]})
    assert (answer.status, answer.fields) == (422, {"boxes.0.netKg": "required"})
    mixed = billed(shop, of(cast(shop), 1, 10), of(done(shop, 4), 1, 4))
    assert [line["metalGrams"] for line in mixed["lines"]] == [50, None]


def test_box_without_a_typed_weight_weighs_the_metal_of_the_ledger(shop: Shop) -> None:
    order = cast(shop, 10, 1234.5)
    bill = boxed(shop, billed(shop, of(order, 1, 10)), box(order, 3, grossKg=0.5), box(order, 7, netKg=0.9))
    assert [(one["netKg"], one["metalKg"]) for one in bill["export"]["boxes"]] == [(None, 0.37), (0.9, 0.865)]
    assert bill["export"]["netKg"] == 1.27
    said = paper(shop, bill)
    assert "0.370 kg metal" in said
    assert "0.900 kg 1.000 kg" in said
    assert "1.270 kg 1.500 kg" in said, "a sum with a typed weight is not of metal alone"
    bill = boxed(shop, bill, box(order, 10, grossKg=2))
    assert paper(shop, bill).count("1.235 kg metal") == 3


def test_gross_weight_is_not_below_the_metal_of_the_ledger(shop: Shop) -> None:
    order = cast(shop)
    bill = billed(shop, of(order, 1, 10))
    answer = shop.ana.put(f"{PATH}/{bill['id']}/export", {"boxes": [box(order, 10, grossKg=0.049)]})
    assert answer.fields == {"boxes.0.grossKg": "gross_below_net"}


def test_packing_list_of_a_box_that_lost_its_weight_is_refused(shop: Shop) -> None:
    order = cast(shop)
    draft = boxed(shop, pre_billed(shop, of(order, 1, 10)), box(order, 10))
    shop.status(order, 1, "InProcess")
    answer = shop.ana.post("/pdf/create-export", {"deliveryId": draft["id"], "paper": "packing-list", "language": "es"})
    assert (answer.status, answer.fields) == (422, {"boxes.0.netKg": "required"})


def test_commercial_invoice_without_boxes_says_the_metal_of_all_lines(shop: Shop) -> None:
    whole = boxed(shop, billed(shop, of(cast(shop), 1, 10)))
    assert "0.050 kg metal" in paper(shop, whole, "commercial-invoice")
    part = boxed(shop, billed(shop, of(cast(shop), 1, 10), of(done(shop, 4), 1, 4)))
    assert " kg" not in paper(shop, part, "commercial-invoice")


def test_customers_do_not_read_the_metal_of_the_ledger(shop: Shop) -> None:
    order = cast(shop)
    bill = boxed(shop, billed(shop, of(order, 1, 10)), box(order, 10))
    read = buyer(shop.customer, Permission.ReportListBills).get(f"{PATH}/{bill['id']}").json
    assert (read["metalGrams"], read["lines"][0]["metalGrams"]) == (None, None)
    assert read["export"]["boxes"][0]["metalKg"] is None


def test_boxes_of_a_line_add_up_to_its_metal() -> None:
    boxes = tuple(Box(None, Decimal(1), (Content(1, 1, pieces),)) for pieces in (3, 3, 1))
    weights = [one.metal_kg for one in Export(boxes=boxes).weighed({(1, 1): (7, 10_000_001)}).boxes]
    assert weights == [Decimal("4.286"), Decimal("4.285"), Decimal("1.429")]
    assert kilograms(1_234_500) == Decimal("1.235")
