"""A product may say its way: the processes that its pieces go through, in order."""

from typing import Any

from project.catalogs.models import ItemProcess, ProductionProcess
from tests.builders import Shop, process, usually

ITEMS = "/api/items"


def say(shop: Shop, *processes: ProductionProcess) -> dict[str, Any]:
    answer = shop.ana.put(f"{ITEMS}/{shop.item.pk}", {"processIds": [one.pk for one in processes]})
    assert answer.status == 200, answer
    found: dict[str, Any] = answer.json
    return found


def waits(shop: Shop, order: int) -> list[int]:
    return [one["productionProcessId"] for one in shop.line(order)["waiting"]]


def test_product_keeps_its_way_in_order(shop: Shop) -> None:
    assert shop.ana.get(f"{ITEMS}/{shop.item.pk}").json["processIds"] == []
    assert say(shop, shop.polishing, shop.casting)["processIds"] == [shop.polishing.pk, shop.casting.pk]
    answer = shop.ana.put(f"{ITEMS}/{shop.item.pk}", {"measures": "18 mm"})
    assert answer.json["processIds"] == [shop.polishing.pk, shop.casting.pk], "what is omitted stays"
    assert say(shop)["processIds"] == []


def test_same_way_is_no_change_and_another_order_is_one(shop: Shop) -> None:
    version = say(shop, shop.casting, shop.polishing)["version"]
    assert say(shop, shop.casting, shop.polishing)["version"] == version
    assert say(shop, shop.polishing, shop.casting)["version"] == version + 1


def test_unknown_process_and_one_that_is_named_twice_are_refused(shop: Shop) -> None:
    path = f"{ITEMS}/{shop.item.pk}"
    answer = shop.ana.put(path, {"processIds": [shop.casting.pk, 999_999]})
    assert (answer.status, answer.fields) == (422, {"processIds.1": "unknown"})
    answer = shop.ana.put(path, {"processIds": [shop.casting.pk, shop.polishing.pk, shop.casting.pk]})
    assert (answer.status, answer.fields) == (422, {"processIds.2": "duplicate"})
    assert not ItemProcess.objects.exists()


def test_process_that_stands_in_a_way_cannot_be_deleted(shop: Shop) -> None:
    plating = process("Rodio", order=9)
    say(shop, shop.casting, plating)
    answer = shop.ana.delete(f"/api/production-processes/{plating.pk}")
    assert (answer.status, answer.code) == (409, "in_use")
    say(shop, shop.casting)
    assert shop.ana.delete(f"/api/production-processes/{plating.pk}").status == 200


def test_inactive_process_stays_in_the_way_and_is_passed_over(shop: Shop) -> None:
    say(shop, shop.polishing, shop.casting)
    ProductionProcess.objects.filter(pk=shop.polishing.pk).update(status=False)
    assert shop.ana.get(f"{ITEMS}/{shop.item.pk}").json["processIds"] == [shop.polishing.pk, shop.casting.pk]
    assert waits(shop, shop.approved(3)) == [shop.casting.pk]


def test_pieces_follow_the_way_of_their_product_and_not_the_usual_processes(shop: Shop) -> None:
    usually(shop, shop.item, shop.casting)
    say(shop, shop.polishing, shop.casting)
    order = shop.approved(4)
    assert waits(shop, order) == [shop.polishing.pk]
    assert shop.line(order)["standing"]["nextProcesses"] == [shop.polishing.pk, shop.casting.pk]
    shop.enter(order, shop.polishing)
    shop.leave(order, shop.polishing)
    assert waits(shop, order) == [shop.casting.pk]
    (row,) = [one for one in shop.ana.get("/api/sales-order").json if one["id"] == order]
    assert row["progress"] == 0.5
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    assert waits(shop, order) == []


def test_way_refuses_no_movement(shop: Shop) -> None:
    say(shop, shop.polishing)
    order = shop.approved(4)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    assert waits(shop, order) == [shop.polishing.pk]
