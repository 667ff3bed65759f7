"""Pieces move into a process and out of it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.catalogs.models import ProductionProcess
from project.orders.models import Line
from tests.builders import Caller, Shop, line_path, move, person, process


def offers(line: dict, direction: str) -> dict[int, int]:
    """The movements offered in a direction: process id to the most pieces."""
    return {
        action["productionProcessId"]: action["maxQuantity"]
        for action in line["actions"]["movements"]
        if action["type"] == direction
    }


def test_first_entry_puts_an_approved_line_in_process(shop: Shop) -> None:
    order = shop.approved(10)
    line = shop.enter(order, shop.casting)
    assert (line["status"], line["orderStatus"]) == ("InProcess", "InProcess")
    assert (line["quantityInside"], line["quantityAvailable"]) == (10, 0)
    assert line["currentProductionProcess"]["productionProcessName"] == "Fundición"


def test_pieces_of_an_unapproved_line_cannot_enter(shop: Shop) -> None:
    order = shop.order(10)
    answer = shop.move("in", order, shop.casting)
    assert (answer.status, answer.code) == (409, "line_not_approved")


@pytest.mark.parametrize("status", ["Done", "Canceled"])
def test_pieces_of_a_finished_line_cannot_enter(shop: Shop, status: str) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    shop.status(order, 1, status)
    answer = shop.move("in", order, shop.polishing)
    assert (answer.status, answer.code) == (409, "line_not_approved")
    words = {"Done": "La línea está terminada", "Canceled": "La línea está cancelada"}
    assert answer.json["message"] == words[status]


def test_line_with_all_pieces_inside_offers_only_exits(shop: Shop) -> None:
    order = shop.approved(10)
    line = shop.enter(order, shop.casting)
    assert offers(line, "in") == {}
    assert offers(line, "out") == {shop.casting.pk: 10}
    again = shop.move("in", order, shop.casting)
    assert (again.status, again.code) == (409, "not_enough_pieces")
    assert shop.move("in", order, shop.polishing).code == "not_enough_pieces"


def test_completed_process_is_not_offered_and_cannot_be_entered_again(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    line = shop.leave(order, shop.casting)
    assert offers(line, "in") == {shop.polishing.pk: 10}
    assert offers(line, "out") == {}
    answer = shop.move("in", order, shop.casting)
    assert (answer.status, answer.code) == (409, "already_completed")


def test_record_has_people_dates_and_notes_of_entry_and_exit(shop: Shop) -> None:
    order = shop.approved(10)
    move(shop.ana, "in", order, shop.casting, notes="molde nuevo")
    line = move(shop.ana, "out", order, shop.casting, notes="sin poros").json
    (record,) = shop.history(order)
    assert line["productionProcesses"] == [record]
    assert record["inputUsername"] == record["outputUsername"] == "Ana Torres"
    assert (record["inputNotes"], record["outputNotes"]) == ("molde nuevo", "sin poros")
    assert record["inputDate"] <= record["outputDate"]
    assert record["outputDate"].endswith("Z")
    assert (record["released"], record["active"], record["deletedDate"]) == (False, True, None)
    assert line["currentProductionProcess"] is None
    assert line["lastProductionProcess"]["productionProcessId"] == shop.casting.pk


def test_80_of_100_pieces_move_on_while_20_wait(shop: Shop) -> None:
    order = shop.approved(100)
    line = shop.enter(order, shop.casting, 80)
    assert (line["quantityInside"], line["quantityAvailable"]) == (80, 20)
    assert offers(line, "in") == {shop.casting.pk: 20, shop.polishing.pk: 20}
    line = shop.leave(order, shop.casting)
    assert offers(line, "in") == {shop.casting.pk: 20, shop.polishing.pk: 100}
    shop.enter(order, shop.casting)
    line = shop.enter(order, shop.polishing, 80)
    assert {row["productionProcessId"]: row["quantity"] for row in shop.history(order) if not row["outputDate"]} == {
        shop.casting.pk: 20,
        shop.polishing.pk: 80,
    }
    assert offers(line, "in") == {}


def test_too_many_pieces_get_409_with_the_number_available(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 7)
    answer = shop.move("in", order, shop.polishing, 4)
    assert (answer.status, answer.code, answer.json["params"]) == (409, "not_enough_pieces", {"available": 3})
    answer = shop.move("out", order, shop.casting, 8)
    assert (answer.status, answer.code, answer.json["params"]) == (409, "not_enough_pieces", {"available": 7})
    assert shop.line(order)["quantityInside"] == 7


def test_pieces_of_the_oldest_entry_leave_first_and_the_rest_keep_their_entry(shop: Shop) -> None:
    order = shop.approved(100)
    move(shop.ana, "in", order, shop.casting, 50, notes="primera")
    move(shop.ana, "in", order, shop.casting, 50, notes="segunda")
    shop.leave(order, shop.casting, 70)
    rows = [(row["quantity"], row["inputNotes"], row["outputDate"] is not None) for row in shop.history(order)]
    assert sorted(rows) == [(20, "segunda", True), (30, "segunda", False), (50, "primera", True)]
    entered = {row["inputDate"] for row in shop.history(order) if row["inputNotes"] == "segunda"}
    assert len(entered) == 1
    line = shop.leave(order, shop.casting)
    assert line["quantityInside"] == 0
    assert sum(row["quantity"] for row in shop.history(order)) == 100


def test_exit_from_a_process_with_nothing_inside_gets_409(shop: Shop) -> None:
    order = shop.approved(10)
    answer = shop.move("out", order, shop.casting)
    assert (answer.status, answer.code) == (409, "not_inside")


def test_mover_who_does_not_work_in_the_process_gets_403(shop: Shop) -> None:
    order = shop.approved(10)
    answer = move(shop.beto, "in", order, shop.casting)
    assert (answer.status, answer.code) == (403, "not_your_process")
    shop.enter(order, shop.casting)
    answer = move(shop.beto, "out", order, shop.casting)
    assert (answer.status, answer.code) == (403, "not_your_process")


def test_inactive_process_allows_exits_but_no_entries(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(status=False)
    answer = shop.move("in", order, shop.casting)
    assert (answer.status, answer.code) == (403, "not_your_process")
    line = shop.line(order)
    assert shop.casting.pk not in offers(line, "in")
    assert offers(line, "out") == {shop.casting.pk: 4}
    shop.leave(order, shop.casting)


def test_unknown_process_gets_422(shop: Shop) -> None:
    order = shop.approved(10)
    answer = shop.ana.put(f"{line_path(order)}/production-process/in", {"productionProcessId": 999_999})
    assert (answer.status, answer.fields) == (422, {"productionProcessId": "unknown"})


def test_pieces_inside_a_canceled_line_can_leave(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    line = shop.status(order, 1, "Canceled")
    assert offers(line, "out") == {shop.casting.pk: 10}
    line = shop.leave(order, shop.casting)
    assert (line["status"], line["quantityInside"]) == ("Canceled", 0)


@pytest.mark.parametrize("quantity", [0, -1, True, "3", 1.5, 10_000_001])
def test_quantity_must_be_a_positive_whole_number(shop: Shop, quantity: object) -> None:
    order = shop.approved(10)
    body = {"productionProcessId": shop.casting.pk, "quantity": quantity}
    answer = shop.ana.put(f"{line_path(order)}/production-process/in", body)
    assert answer.status == 422
    assert set(answer.fields) == {"quantity"}


def test_movement_notes_are_at_most_200_characters(shop: Shop) -> None:
    order = shop.approved(10)
    answer = move(shop.ana, "in", order, shop.casting, notes="n" * 201)
    assert (answer.status, answer.fields) == (422, {"notes": "too_long"})
    assert move(shop.ana, "in", order, shop.casting, notes="ñ" * 200).status == 200


def test_movement_raises_the_lines_version_and_a_stale_one_gets_412(shop: Shop) -> None:
    order = shop.approved(10)
    before = shop.line(order)["version"]
    answer = move(shop.ana, "in", order, shop.casting, 5, if_match=f'"{before}"')
    assert answer.headers["ETag"] == f'"{before + 1}"'
    answer = move(shop.ana, "in", order, shop.casting, 5, if_match=f'"{before}"')
    assert (answer.status, answer.code) == (412, "stale_version")
    assert shop.line(order)["quantityInside"] == 5


@pytest.mark.parametrize("direction", ["in", "out"])
def test_unknown_line_gets_404(shop: Shop, direction: str) -> None:
    order = shop.approved(10)
    assert move(shop.ana, direction, order, shop.casting, position=2).status == 404
    assert move(shop.ana, direction, order + 1_000, shop.casting).status == 404


def test_movement_costs_a_constant_number_of_queries_as_the_history_grows(shop: Shop) -> None:
    order = shop.approved(1_000)
    counts: dict[str, list[int]] = {"in": [], "out": []}
    for times in (1, 1, 30):
        for _ in range(times):
            for direction in ("in", "out"):
                with CaptureQueriesContext(connection) as queries:
                    answer = shop.move(direction, order, shop.casting, 3)
                assert answer.status == 200
                counts[direction].append(len(queries))
    assert max(counts["in"] + counts["out"]) <= 18, counts
    assert max(counts["in"][1:]) <= 16, counts
    assert max(counts["out"]) <= 17, counts  # one of them finds the price
    assert counts["in"][1] == counts["in"][-1]
    assert counts["out"][1] == counts["out"][-1]


def test_exit_that_splits_one_of_many_open_entries_costs_at_most_18_queries(shop: Shop) -> None:
    """The mover works in 13 processes, and 12 entries are open."""
    many = [process() for _ in range(12)]
    worker = Caller(person("dora", *shop_floor_rights(), processes=[shop.casting, *many]))
    order = shop.approved(1_000)
    for _ in range(12):
        shop.enter(order, shop.casting, 10)
    with CaptureQueriesContext(connection) as queries:
        answer = move(worker, "out", order, shop.casting, 55)
    assert answer.status == 200
    assert len(queries) <= 18
    assert Line.objects.get(order=order).quantity_inside == 65


@pytest.mark.django_db(transaction=True)
def test_stream_counter_is_locked_last(busy_shop: Shop) -> None:
    """Other changes wait for it until the commit, so only the events may follow it."""
    order = busy_shop.approved(10)
    with CaptureQueriesContext(connection) as queries:
        assert move(busy_shop.ana, "in", order, busy_shop.casting, 4, idempotency_key="k1").status == 200
    statements = [query["sql"] for query in queries]
    taken = next(number for number, sql in enumerate(statements) if "realtime_outboxcounter" in sql)
    after = statements[taken + 1 : statements.index("COMMIT")]
    if connection.vendor == "postgresql":
        assert after == []
    else:
        assert [sql.split('"')[1] for sql in after] == ["realtime_outboxevent"]


def test_an_idempotency_key_costs_one_statement(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 1)
    counts = []
    for key in ({}, {"idempotency_key": "k1"}):
        with CaptureQueriesContext(connection) as queries:
            assert move(shop.ana, "in", order, shop.casting, 1, **key).status == 200
        counts.append(len(queries))
    assert counts[1] == counts[0] + 1


def test_audit_rows_of_an_order_and_its_lines_are_written_in_one_statement(shop: Shop) -> None:
    order = shop.order(1, 2)
    body = {"notes": "Urge", "items": [{"position": 1, "notes": "a"}, {"itemId": shop.item.pk, "quantity": 3}]}
    with CaptureQueriesContext(connection) as queries:
        assert shop.ana.put(f"/api/sales-order/{order}", body).status == 200
    assert sum('INTO "audit_auditentry"' in query["sql"] for query in queries) == 1


def shop_floor_rights() -> tuple[str, ...]:
    return ("ListOrders", "SalesOrderPositionProcessIn", "SalesOrderPositionProcessOut")
