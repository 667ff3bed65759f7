"""A line keeps its alloy while metal stands on it, and an alloy keeps its fineness once it has entries."""

from typing import Any

from project.catalogs.models import Alloy, Item
from project.orders.models import SalesOrder
from tests.builders import Answer, Shop, item, line_path
from tests.project.importing.uploads import csv_of, previewed, refusals
from tests.project.metal.grams import bench, sterling, weigh, weighed


def change_item(shop: Shop, alloy: Alloy | None, **fields: Any) -> Answer:
    return shop.ana.put(f"/api/items/{shop.item.pk}", {"alloyId": alloy and alloy.pk} | fields)


def of_alloy(alloy: Alloy | None) -> Item:
    other = item()
    Item.objects.filter(pk=other.pk).update(alloy=alloy)
    return other


def change_line(shop: Shop, order: int, to: Item) -> Answer:
    return shop.ana.put(f"{line_path(order, 1)}/full", {"itemId": to.pk})


def po(order: int, position: int = 1) -> str:
    return f"{SalesOrder.objects.get(pk=order).customer_sales_order_id} · {position}"


def test_product_keeps_its_alloy_while_metal_stands_on_one_of_its_lines(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    for step in ("pieces are inside", "metal is on the line"):
        for alloy in (sterling("Plata 950"), None):
            answer = change_item(shop, alloy)
            assert (answer.status, answer.code, answer.fields) == (409, "in_use", {"alloyId": "alloy_in_use"}), step
            assert answer.json["params"] == {"lines": [po(order)]}
            assert po(order) in answer.json["message"]
        if step == "pieces are inside":
            weighed(shop, "out", order, shop.casting, 49)
    assert change_item(shop, sterling(), name="Otro nombre").status == 200


def test_product_may_change_its_alloy_when_its_lines_are_done_or_not_weighed(shop: Shop) -> None:
    bench(shop)
    shop.approved(10)
    done = shop.approved(10)
    weighed(shop, "in", done, shop.casting, 50)
    weighed(shop, "out", done, shop.casting, 49)
    assert change_item(shop, None).status == 409
    shop.status(done, 1, "Done")
    assert change_item(shop, sterling("Plata 950")).status == 200


def test_line_keeps_its_alloy_when_it_gets_another_product(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    assert change_line(shop, order, of_alloy(sterling("Plata 950"))).status == 200
    assert change_line(shop, order, shop.item).status == 200
    weighed(shop, "in", order, shop.casting, 50)
    for other in (of_alloy(sterling("Plata 950")), of_alloy(None)):
        answer = change_line(shop, order, other)
        assert (answer.status, answer.code, answer.fields) == (409, "in_use", {"itemId": "alloy_in_use"})
        assert answer.json["params"] == {"lines": [po(order)]}
    assert change_line(shop, order, of_alloy(sterling())).status == 200
    assert weigh(shop, "out", order, shop.casting, 49).status == 200


def test_lines_of_an_order_are_checked_together(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10, 10, 10)
    for position in (1, 2):
        weighed(shop, "in", order, shop.casting, 50, position=position)
    same, other = of_alloy(sterling()), of_alloy(None)

    def change(to: Item) -> Answer:
        items = [{"position": position, "itemId": to.pk} for position in (1, 2, 3)]
        return shop.ana.put(f"/api/sales-order/{order}", {"items": items})

    answer = change(other)
    assert (answer.status, answer.fields) == (409, {"items.0.itemId": "alloy_in_use"})
    assert answer.json["params"] == {"lines": [po(order), po(order, 2)]}
    assert change(same).status == 200


def test_alloy_with_entries_keeps_its_fineness(shop: Shop) -> None:
    alloy = bench(shop)
    path = f"/api/alloys/{alloy.pk}"
    answer = shop.ana.put(path, {"fineness": 800})
    assert (answer.status, answer.code, answer.fields) == (409, "in_use", {"fineness": "fineness_in_use"})
    assert shop.ana.put(path, {"fineness": 925, "name": "Ley"}).status == 200
    assert shop.ana.put(f"/api/alloys/{sterling('Plata 950').pk}", {"fineness": 951}).status == 200


def test_import_refuses_the_rows_that_change_what_is_in_use(shop: Shop, tasks_at_once: None) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    other = of_alloy(sterling())
    file = csv_of(["Clave", "Aleación"], [shop.item.key, "Plata 950"], [other.key, "Plata 950"])
    assert refusals(shop.ana, previewed(shop.ana, "items", file)) == {2: {"alloy": "alloy_in_use"}}
    file = csv_of(["Nombre", "Ley (‰)"], ["Plata ley 925", "800"], ["Plata 950", "951"])
    assert refusals(shop.ana, previewed(shop.ana, "alloys", file)) == {2: {"fineness": "fineness_in_use"}}
