"""Scrap at a station: who may scrap, and how the recent movements, the queue and a scan show it."""

from typing import Any

from project.access.permissions import Permission
from tests.builders import Answer, Caller, Shop, line_path, person, undo
from tests.project.station.standing import MOVES, Floor, name_oneself, set_pin


def scrap(by: Caller, order: int, process: int, quantity: int) -> Answer:
    body = {"productionProcessId": process, "quantity": quantity, "reason": "broken"}
    return by.post(f"{line_path(order)}/scrap", body)


def station(shop: Shop, process: int) -> dict[str, Any]:
    answer = shop.ana.get(f"/api/station/{process}")
    assert answer.status == 200, answer
    found: dict[str, Any] = answer.json
    return found


def orders(rows: list[dict[str, Any]]) -> list[int]:
    return [row["salesOrderId"] for row in rows]


def test_operator_scraps_in_their_own_name_with_their_own_permission(floor: Floor) -> None:
    shop = floor.shop
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    assert scrap(floor.dora_stands_here(), order, shop.casting.pk, 1).status == 403
    eva = Caller(person("eva", *MOVES, Permission.ScrapPieces, processes=[shop.casting]))
    assert set_pin(shop, eva, "314159").status == 200
    standing = Caller(eva.user, bearer=name_oneself(floor.tablet, pin="314159").json["token"])
    answer = scrap(standing, order, shop.casting.pk, 2)
    assert answer.status == 200
    (latest, *_) = station(shop, shop.casting.pk)["recent"]
    assert (latest["type"], latest["by"], latest["byId"], latest["pieces"]) == ("scrap", "Eva Torres", eva.id, 2)
    assert undo(standing, order, latest["recordId"]).status == 200
    assert station(shop, shop.casting.pk)["recent"][0]["type"] == "returned"
    assert scrap(standing, order, shop.polishing.pk, 1).code == "other_station"


def test_person_who_may_only_scrap_may_name_themselves_at_the_station(floor: Floor) -> None:
    inspector = Caller(person("ines", Permission.ScrapPieces, processes=[floor.shop.casting]))
    assert set_pin(floor.shop, inspector, "314159").status == 200
    answer = name_oneself(floor.tablet, pin="314159", productionProcessId=floor.shop.casting.pk)
    assert answer.status == 200, answer


def test_replaced_pieces_wait_at_the_first_station_again(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting, 8)
    scrap(shop.ana, order, shop.casting.pk, 2)
    assert orders(station(shop, shop.casting.pk)["queue"]) == []
    assert orders(station(shop, shop.casting.pk)["later"]) == [], "nothing may enter, though only 8 came out well"
    shop.ana.post(f"{line_path(order)}/replace", {"quantity": 2})
    here = station(shop, shop.casting.pk)
    assert orders(here["queue"]) == [order]
    waits = {one["productionProcessId"]: one["quantity"] for one in here["queue"][0]["waiting"]}
    assert waits == {shop.casting.pk: 2, shop.polishing.pk: 8}


def test_scan_of_a_line_whose_pieces_were_all_scrapped_says_so(shop: Shop) -> None:
    order = shop.approved(3)
    shop.enter(order, shop.casting)
    scrap(shop.ana, order, shop.casting.pk, 3)
    for process in (shop.casting, shop.polishing):
        found = shop.ana.post(f"/api/station/{process.pk}/scan", {"code": f"{order}-1"}).json
        assert (found["direction"], found["why"]["code"]) == ("none", "all_scrapped")
