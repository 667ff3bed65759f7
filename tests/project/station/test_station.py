"""The station: what a scan offers at a process, the queue, and the last movements."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.core.schemas import utc_z
from project.orders.offers import Offers
from project.printing.codes import Place, seal
from tests.builders import Answer, Caller, Shop, move, person, process, release, somebody, undo
from tests.project.batches.batching import batch_inside
from tests.project.station.standing import MOVES, Floor


def path(shop: Shop, process: int | None = None) -> str:
    return f"/api/station/{process or shop.casting.pk}"


def scan(shop: Shop, code: str, by: Caller | None = None, process: int | None = None) -> Answer:
    return (by or shop.ana).post(f"{path(shop, process)}/scan", {"code": code})


def meant(answer: Answer) -> tuple[Any, ...]:
    assert answer.status == 200, answer
    found = answer.json
    return found["direction"], found["maxIn"], found["maxOut"], found["why"] and found["why"]["code"]


def test_scan_offers_in_out_or_both_by_where_the_pieces_are(shop: Shop) -> None:
    order = shop.approved(10)
    code = seal(Place(order, 1))
    assert meant(scan(shop, code)) == ("in", 10, 0, None)
    shop.enter(order, shop.casting, 4)
    assert meant(scan(shop, code)) == ("choose", 6, 4, None)
    shop.enter(order, shop.casting, 6)
    assert meant(scan(shop, code)) == ("out", 0, 10, None)
    shop.leave(order, shop.casting, 10)
    assert meant(scan(shop, code)) == ("none", 0, 0, "already_completed")
    assert meant(scan(shop, code, process=shop.polishing.pk)) == ("in", 10, 0, None)


def test_scan_that_offers_nothing_says_why(shop: Shop) -> None:
    order = shop.order(10)
    answer = scan(shop, f"{order}-1")
    assert meant(answer) == ("none", 0, 0, "line_not_approved")
    assert answer.json["why"]["message"]
    shop.status(order, 1, "Approved")
    shop.enter(order, shop.polishing)
    answer = scan(shop, f"{order}-1")
    assert meant(answer) == ("none", 0, 0, "not_enough_pieces")
    assert answer.json["why"]["params"] == {"available": 0}


def inside(station: dict[str, Any]) -> list[dict[str, Any]]:
    """The pieces inside the station's process, oldest entry first."""
    process = station["process"]["productionProcessId"]
    pieces = [one for line in station["inside"] for one in line["inside"] if one["productionProcessId"] == process]
    return sorted(pieces, key=lambda one: one["since"])


def test_worker_needs_only_the_station_and_both_movement_permissions(shop: Shop) -> None:
    worker = Caller(person("dora", Permission.Station, *MOVES, processes=[shop.casting]))
    order = shop.approved(10)
    assert meant(scan(shop, f"{order}-1", worker)) == ("in", 10, 0, None)
    moved = move(worker, "in", order, shop.casting, 10)
    assert [one["side"] for one in moved.json["actions"]["undo"]] == ["in"]
    shown = worker.get(path(shop)).json
    (recent,) = shown["recent"]
    assert (recent["by"], recent["byId"], recent["pieces"]) == ("Dora Torres", worker.id, 10)
    assert [one["by"] for one in shown["names"]] == ["Dora Torres"]
    assert [(one["salesOrderId"], one["position"]) for one in shown["names"]] == [(order, 1)]
    assert undo(worker, order, recent["recordId"]).status == 200
    assert [one["type"] for one in worker.get(path(shop)).json["recent"]] == ["removed", "in"]


def test_last_movements_have_one_row_for_each_press_and_line(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting, 4)
    left = next(row["id"] for row in shop.history(order) if row["outputDate"])
    assert undo(shop.ana, order, left).status == 200
    rows = shop.ana.get(path(shop)).json["recent"]
    assert [(row["type"], row["pieces"], row["byId"] is None) for row in rows] == [
        ("returned", 4, True),
        ("out", 4, True),
        ("in", 10, False),
    ]
    assert {row["press"] for row in rows} >= {shop.history(order)[0]["press"]}
    assert [row["lines"] for row in rows] == [1, 1, 1]


def test_station_permission_shows_no_history_or_names_elsewhere(shop: Shop) -> None:
    worker = Caller(person("dora", Permission.Station, Permission.ListOrders, *MOVES, processes=[shop.casting]))
    order = shop.approved(10)
    line = move(worker, "in", order, shop.casting, 10).json
    assert (line["productionProcesses"], [one["by"] for one in line["inside"]]) == ([], [""])
    (row,) = worker.get("/api/sales-order/positions").json
    assert [one["by"] for one in row["inside"]] == [""]
    assert worker.get(f"/api/sales-order/{order}/position/1/history").status == 403


@pytest.mark.parametrize("code", ["{order}-1", " {order}-1 "])
def test_short_code_works_like_the_qr_code(shop: Shop, code: str) -> None:
    order = shop.approved(3)
    answer = scan(shop, code.format(order=order))
    assert meant(answer) == ("in", 3, 0, None)
    assert (answer.json["line"]["salesOrderId"], answer.json["line"]["position"]) == (order, 1)
    assert shop.ana.post("/api/scan", {"code": f"{order}-1"}).json == {"salesOrderId": order, "position": 1}


@pytest.mark.parametrize("code", ["", "0-1", "1-0", "99999-1", "1-99", "-1", "1-", "1-1-1", "٣-١", "hello", "A" * 300])
def test_unknown_code_gets_422(shop: Shop, code: str) -> None:
    shop.approved(3)
    answer = scan(shop, code)
    assert (answer.status, answer.code) == (422, "unknown_code")


def test_truncated_code_gets_422(shop: Shop) -> None:
    code = seal(Place(shop.approved(3), 1))
    assert scan(shop, code[:-4]).code == "unknown_code"


def test_station_needs_its_permission_and_an_existing_process(shop: Shop) -> None:
    order = shop.approved(3)
    assert scan(shop, f"{order}-1", somebody(Permission.ShopFloor, Permission.ListOrders)).status == 403
    assert somebody(Permission.ListOrders).get(path(shop)).status == 403
    assert scan(shop, f"{order}-1", shop.nobody).status == 401
    assert scan(shop, f"{order}-1", process=9_999).status == 404
    assert shop.ana.get(path(shop, 9_999)).status == 404


def test_station_without_other_permissions_shows_no_notes_and_no_history(shop: Shop) -> None:
    order = shop.order(3, notes="Cobrar antes")
    shop.status(order, 1, "Approved")
    shop.enter(order, shop.casting, 1)
    line = scan(shop, f"{order}-1", somebody(Permission.Station)).json["line"]
    assert (line["salesOrderNotes"], line["productionProcesses"], line["actions"]["movements"]) == ("", [], [])
    assert line["offers"]["out"]


def test_scan_offers_only_what_the_caller_may_do(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    brings, takes = Permission.SalesOrderPositionProcessIn, Permission.SalesOrderPositionProcessOut
    here, code = [shop.casting], f"{order}-1"

    def who(name: str, *actions: Permission, processes: list[Any]) -> Caller:
        return Caller(person(name, Permission.Station, *actions, processes=processes))

    assert meant(scan(shop, code, who("eva", brings, takes, processes=here))) == ("choose", 6, 4, None)
    assert meant(scan(shop, code, who("gil", brings, processes=here))) == ("in", 6, 0, None)
    assert meant(scan(shop, code, who("hugo", takes, processes=here))) == ("out", 0, 4, None)
    for stranger, why in (
        (who("ines", brings, takes, processes=[shop.polishing]), "not_your_process"),
        (who("julia", processes=here), "permission_denied"),
    ):
        answer = scan(shop, code, stranger)
        assert meant(answer) == ("none", 0, 0, why)
        assert answer.json["why"]["message"]
        assert answer.json["handOver"] == []
        refused = move(stranger, "out", order, shop.casting, 1)
        assert (refused.status, refused.code) == (403, why), "the scan and the movement give the same reason"


def test_caller_who_may_move_nothing_gets_the_reason_of_the_line(shop: Shop) -> None:
    assert meant(scan(shop, f"{shop.order(3)}-1", somebody(Permission.Station))) == ("none", 0, 0, "line_not_approved")


def test_tablet_offers_movements_only_to_a_named_operator(shop: Shop, floor: Floor) -> None:
    code = f"{shop.approved(3)}-1"
    assert meant(scan(shop, code, floor.tablet)) == ("none", 0, 0, "permission_denied")
    assert meant(scan(shop, code, floor.dora_stands_here())) == ("in", 3, 0, None)


def queue(shop: Shop) -> list[int]:
    return [row["salesOrderId"] for row in shop.ana.get(path(shop)).json["queue"]]


def test_queue_holds_lines_that_may_enter_with_late_ones_first(shop: Shop) -> None:
    today = clock.today()

    def due(days: int | None, quantity: int = 5) -> int:
        date = None if days is None else (today + timedelta(days=days)).isoformat()
        order = shop.order(1, items=[{"itemId": shop.item.pk, "quantity": quantity, "deliveryDate": date}])
        shop.status(order, 1, "Approved")
        return order

    undated, late, soon = due(None), due(-3), due(2)
    shop.order(4)  # not approved
    assert queue(shop) == [late, soon, undated]
    shop.enter(late, shop.casting, 2)
    assert queue(shop) == [late, soon, undated], "three pieces are left to enter"
    shop.enter(soon, shop.polishing)  # all its pieces are in another process
    assert queue(shop) == [late, undated]
    shop.leave(late, shop.casting, 2)
    shop.enter(late, shop.casting, 3)
    shop.leave(late, shop.casting, 3)
    assert queue(shop) == [undated]
    release(shop.ana, late, shop.casting)
    assert queue(shop) == [late, undated]


def test_lines_that_wait_for_an_earlier_process_come_later(shop: Shop) -> None:
    waits_for_casting, cast = shop.approved(5), shop.approved(5)
    shop.enter(cast, shop.casting)
    shop.leave(cast, shop.casting)

    def at(process: ProductionProcess) -> tuple[list[int], list[int]]:
        answer = shop.ana.get(f"/api/station/{process.pk}").json
        queue, later = ([row["salesOrderId"] for row in answer[part]] for part in ("queue", "later"))
        return queue, later

    assert at(shop.casting) == ([waits_for_casting], [])
    assert at(shop.polishing) == ([cast], [waits_for_casting])


def test_line_inside_two_processes_and_waiting_for_a_third_is_counted_right_at_each_station(shop: Shop) -> None:
    plating = process("Rodio", order=3)
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting, 8)
    shop.enter(order, shop.polishing, 6)
    shop.leave(order, shop.polishing, 3)

    def at(here: ProductionProcess) -> tuple[int, int, int]:
        """The pieces inside the process, those that wait for it, and those that may enter it."""
        answer = shop.ana.get(path(shop, here.pk)).json
        rows = [*answer["queue"], *answer["later"]]
        return (
            sum(one["quantity"] for one in inside(answer)),
            sum(one["quantity"] for row in rows for one in row["waiting"] if one["productionProcessId"] == here.pk),
            sum(Offers.model_validate(row["offers"]).may_enter(here.pk) for row in rows),
        )

    assert at(shop.casting) == (2, 0, 0)
    assert at(shop.polishing) == (3, 2, 4), "two have left casting; two more may enter before they were in it"
    assert at(plating) == (0, 3, 5)


def test_lines_in_the_queue_offer_an_entry_into_the_process(shop: Shop) -> None:
    for quantity in (1, 4):
        order = shop.approved(quantity)
        shop.enter(order, shop.casting, 1)
    rows = shop.ana.get(path(shop)).json["queue"]
    (row,) = rows
    assert Offers.model_validate(row["offers"]).may_enter(shop.casting.pk) == 3


def test_queue_of_an_inactive_process_is_empty(shop: Shop) -> None:
    order = shop.approved(3)
    shop.enter(order, shop.casting, 1)
    shop.ana.put(f"/api/production-processes/{shop.casting.pk}", {"status": False})
    answer = shop.ana.get(path(shop)).json
    assert (answer["process"]["active"], answer["queue"]) == (False, [])
    assert [pieces["quantity"] for pieces in inside(answer)] == [1]
    assert meant(scan(shop, f"{order}-1")) == ("out", 0, 1, None)


def test_pieces_inside_are_oldest_first_and_movements_newest_first(shop: Shop) -> None:
    start = clock.now() - timedelta(hours=2)
    orders = [shop.approved(3) for _ in range(3)]
    for minute, order in enumerate(orders):
        with clock.at(start + timedelta(minutes=minute)):
            shop.enter(order, shop.casting)
    with clock.at(start + timedelta(minutes=10)):
        shop.leave(orders[1], shop.casting, 2)
    with clock.at(start + timedelta(minutes=11)):
        release(shop.ana, orders[0], shop.casting, "in")
    answer = shop.ana.get(path(shop)).json
    assert [line["salesOrderId"] for line in answer["inside"]] == orders[1:]
    assert [pieces["quantity"] for pieces in inside(answer)] == [1, 3]
    moved = [(one["type"], one["salesOrderId"], one["pieces"]) for one in answer["recent"][:3]]
    assert moved[:2] == [("removed", orders[0], 3), ("out", orders[1], 2)]
    assert answer["recent"][0]["by"] == "Ana Torres"


def test_recent_movement_has_the_users_id_only_while_it_is_not_released(shop: Shop) -> None:
    order, other = shop.approved(3), shop.approved(2)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    shop.enter(other, shop.casting)
    release(shop.ana, order, shop.casting, "out")
    release(shop.ana, other, shop.casting, "in")
    recent = shop.ana.get(path(shop)).json["recent"]
    me = shop.ana.id
    assert [(one["type"], one["byId"]) for one in recent if one["salesOrderId"] == order] == [
        ("returned", None),
        ("out", None),
        ("in", me),
    ]
    assert {one["byId"] for one in recent if one["salesOrderId"] == other} == {None}


def test_station_returns_server_time_and_undo_seconds(shop: Shop) -> None:
    noon = clock.start_of(clock.today()) + timedelta(hours=12)
    with clock.at(noon):
        answer = shop.ana.get(path(shop)).json
    assert (answer["now"], answer["undoSeconds"]) == (utc_z(noon), 300)


def test_released_exit_is_recent_even_if_its_entry_is_old(shop: Shop) -> None:
    old = shop.approved(2)
    with clock.at(clock.now() - timedelta(hours=5)):
        shop.enter(old, shop.casting)
        shop.leave(old, shop.casting)
    for _ in range(20):
        shop.enter(shop.approved(1), shop.casting)
    release(shop.ana, old, shop.casting, "out")
    newest = shop.ana.get(path(shop)).json["recent"][0]
    assert (newest["type"], newest["salesOrderId"], newest["pieces"]) == ("returned", old, 2)


def test_recent_holds_the_last_20_movements(shop: Shop) -> None:
    for _ in range(12):
        order = shop.approved(1)
        shop.enter(order, shop.casting)
        shop.leave(order, shop.casting)
    recent = shop.ana.get(path(shop)).json["recent"]
    assert len(recent) == 20
    assert [one["at"] for one in recent] == sorted((one["at"] for one in recent), reverse=True)


def test_recent_holds_the_whole_press_of_a_batch(shop: Shop) -> None:
    batch_inside(shop, *(shop.approved(1) for _ in range(23)))
    recent = shop.ana.get(path(shop)).json["recent"]
    assert [one["lines"] for one in recent] == [23] * 23


def test_station_costs_a_constant_number_of_queries(shop: Shop) -> None:
    costs = []
    for orders in (1, 6):
        for _ in range(orders):
            order = shop.approved(4)
            shop.enter(order, shop.casting, 2)
        with CaptureQueriesContext(connection) as queries:
            assert shop.ana.get(path(shop)).status == 200
        costs.append(len(queries))
    assert costs[0] == costs[1] <= 14


def test_scan_costs_a_constant_number_of_queries(shop: Shop) -> None:
    costs = []
    for entries in (0, 1, 3):
        order = shop.approved(10)
        for _ in range(entries):
            shop.enter(order, shop.casting, 2)
        with CaptureQueriesContext(connection) as queries:
            assert scan(shop, f"{order}-1").json["maxIn"] == 10 - 2 * entries
        costs.append(len(queries))
    assert costs[0] == costs[1] == costs[2] <= 9
