"""GET /api/shop-floor/own: the pieces inside the caller's processes."""

from datetime import timedelta

from project.core import clock
from tests.builders import Shop, move


def test_each_own_process_has_its_pieces_and_lines_inside(shop: Shop) -> None:
    late = (clock.today() - timedelta(days=1)).isoformat()
    first = shop.approved(10)
    second = shop.order(items=[{"itemId": shop.item.pk, "quantity": 5, "deliveryDate": late}])
    shop.status(second, 1, "Approved")
    shop.enter(first, shop.casting, 6)
    shop.enter(second, shop.casting)
    rows = {row["productionProcessName"]: row for row in shop.ana.get("/api/shop-floor/own").json}
    assert rows["Fundición"] | {"productionProcessId": 0} == {
        "productionProcessId": 0,
        "productionProcessName": "Fundición",
        "piecesInside": 11,
        "linesInside": 2,
        "lateLinesInside": 1,
    }
    assert rows["Pulido"]["piecesInside"] == 0


def test_pieces_that_left_are_not_counted_as_inside(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting, 4)
    assert shop.ana.get("/api/shop-floor/own").json[0]["piecesInside"] == 6
    move(shop.ana, "out", order, shop.casting)
    assert shop.ana.get("/api/shop-floor/own").json[0]["piecesInside"] == 0


def test_user_without_processes_gets_an_empty_list(shop: Shop) -> None:
    assert shop.carla.get("/api/shop-floor/own").json == []
    assert shop.nobody.get("/api/shop-floor/own").status == 401
