"""Pieces enter a process and leave it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.catalogs.models import ProductionProcess
from project.orders.models import Line
from tests.builders import Caller, Shop, line_path, move, person, process


def offers(line: dict, direction: str) -> dict[int, int]:
    """The movements offered in a direction: process id → how many pieces at most."""
    return {
        action["productionProcessId"]: action["maxQuantity"]
        for action in line["actions"]["movements"]
        if action["type"] == direction
    }


def test_the_first_entry_makes_an_approved_line_in_process(shop: Shop) -> None:
    order = shop.approved(10)
    line = shop.enter(order, shop.casting)
    assert (line["status"], line["orderStatus"]) == ("InProcess", "InProcess")
    assert (line["quantityInside"], line["quantityAvailable"]) == (10, 0)
    assert line["currentProductionProcess"]["productionProcessName"] == "Fundición"


def test_a_line_that_is_not_approved_cannot_enter(shop: Shop) -> None:
    order = shop.order(10)
    answer = shop.move("in", order, shop.casting)
    assert (answer.status, answer.code) == (409, "line_not_approved")


@pytest.mark.parametrize("status", ["Done", "Canceled"])
def test_a_finished_line_cannot_enter(shop: Shop, status: str) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    shop.status(order, 1, status)
    answer = shop.move("in", order, shop.polishing)
    assert (answer.status, answer.code) == (409, "line_not_approved")
    words = {"Done": "La línea está terminada", "Canceled": "La línea está cancelada"}
    assert answer.json["message"] == words[status]


def test_a_line_inside_a_process_only_leaves_it(shop: Shop) -> None:
    order = shop.approved(10)
    line = shop.enter(order, shop.casting)
    assert offers(line, "in") == {}
    assert offers(line, "out") == {shop.casting.pk: 10}
    again = shop.move("in", order, shop.casting)
    assert (again.status, again.code) == (409, "not_enough_pieces")
    assert shop.move("in", order, shop.polishing).code == "not_enough_pieces"


def test_a_completed_process_is_not_offered_and_not_entered_again(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    line = shop.leave(order, shop.casting)
    assert offers(line, "in") == {shop.polishing.pk: 10}
    assert offers(line, "out") == {}
    answer = shop.move("in", order, shop.casting)
    assert (answer.status, answer.code) == (409, "already_completed")


def test_the_record_of_a_movement_has_its_people_dates_and_notes(shop: Shop) -> None:
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


def test_eighty_of_a_hundred_go_ahead_while_twenty_wait(shop: Shop) -> None:
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


def test_more_pieces_than_are_free_are_refused_with_how_many_there_are(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 7)
    answer = shop.move("in", order, shop.polishing, 4)
    assert (answer.status, answer.code, answer.json["params"]) == (409, "not_enough_pieces", {"available": 3})
    answer = shop.move("out", order, shop.casting, 8)
    assert (answer.status, answer.code, answer.json["params"]) == (409, "not_enough_pieces", {"available": 7})
    assert shop.line(order)["quantityInside"] == 7


def test_pieces_leave_oldest_entry_first_and_those_left_behind_keep_their_entry(shop: Shop) -> None:
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


def test_leaving_a_process_where_nothing_is_inside_is_refused(shop: Shop) -> None:
    order = shop.approved(10)
    answer = shop.move("out", order, shop.casting)
    assert (answer.status, answer.code) == (409, "not_inside")


def test_a_process_that_is_not_ones_own_is_refused_both_ways(shop: Shop) -> None:
    order = shop.approved(10)
    answer = move(shop.beto, "in", order, shop.casting)
    assert (answer.status, answer.code) == (403, "not_your_process")
    shop.enter(order, shop.casting)
    answer = move(shop.beto, "out", order, shop.casting)
    assert (answer.status, answer.code) == (403, "not_your_process")


def test_nobody_enters_an_inactive_process_but_pieces_get_out_of_it(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(status=False)
    answer = shop.move("in", order, shop.casting)
    assert (answer.status, answer.code) == (403, "not_your_process")
    line = shop.line(order)
    assert shop.casting.pk not in offers(line, "in")
    assert offers(line, "out") == {shop.casting.pk: 4}
    shop.leave(order, shop.casting)


def test_a_process_that_does_not_exist_is_an_unknown_field(shop: Shop) -> None:
    order = shop.approved(10)
    answer = shop.ana.put(f"{line_path(order)}/production-process/in", {"productionProcessId": 999_999})
    assert (answer.status, answer.fields) == (422, {"productionProcessId": "unknown"})


def test_pieces_still_inside_a_canceled_line_can_leave(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    line = shop.status(order, 1, "Canceled")
    assert offers(line, "out") == {shop.casting.pk: 10}
    line = shop.leave(order, shop.casting)
    assert (line["status"], line["quantityInside"]) == ("Canceled", 0)


@pytest.mark.parametrize("quantity", [0, -1, True, "3", 1.5, 10_000_001])
def test_a_quantity_is_a_whole_positive_number(shop: Shop, quantity: object) -> None:
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


def test_a_movement_counts_the_lines_version_and_a_stale_one_is_refused(shop: Shop) -> None:
    order = shop.approved(10)
    before = shop.line(order)["version"]
    answer = move(shop.ana, "in", order, shop.casting, 5, if_match=f'"{before}"')
    assert answer.headers["ETag"] == f'"{before + 1}"'
    answer = move(shop.ana, "in", order, shop.casting, 5, if_match=f'"{before}"')
    assert (answer.status, answer.code) == (412, "stale_version")
    assert shop.line(order)["quantityInside"] == 5


@pytest.mark.parametrize("direction", ["in", "out"])
def test_a_line_that_does_not_exist_is_not_found(shop: Shop, direction: str) -> None:
    order = shop.approved(10)
    assert move(shop.ana, direction, order, shop.casting, position=2).status == 404
    assert move(shop.ana, direction, order + 1_000, shop.casting).status == 404


def test_a_movement_makes_no_more_queries_as_the_history_grows(shop: Shop) -> None:
    order = shop.approved(1_000)
    counts: dict[str, list[int]] = {"in": [], "out": []}
    for times in (1, 1, 30):
        for _ in range(times):
            for direction in ("in", "out"):
                with CaptureQueriesContext(connection) as queries:
                    answer = shop.move(direction, order, shop.casting, 3)
                assert answer.status == 200
                counts[direction].append(len(queries))
    assert max(counts["in"] + counts["out"]) <= 17, counts
    assert max(counts["in"][1:] + counts["out"]) <= 15, counts
    assert counts["in"][1] == counts["in"][-1]
    assert counts["out"][1] == counts["out"][-1]


def test_a_movement_in_the_middle_of_open_entries_makes_at_most_16_queries(shop: Shop) -> None:
    """A split exit with many open entries, by somebody with many processes."""
    many = [process() for _ in range(12)]
    worker = Caller(person("dora", *shop_floor_rights(), processes=[shop.casting, *many]))
    order = shop.approved(1_000)
    for _ in range(12):
        shop.enter(order, shop.casting, 10)
    with CaptureQueriesContext(connection) as queries:
        answer = move(worker, "out", order, shop.casting, 55)
    assert answer.status == 200
    assert len(queries) <= 16
    assert Line.objects.get(order=order).quantity_inside == 65


@pytest.mark.django_db(transaction=True)
def test_the_streams_counter_is_taken_last(busy_shop: Shop) -> None:
    """Until the commit every other change waits for it: nothing follows it but the events themselves."""
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


def test_an_order_and_its_lines_are_written_into_the_audit_at_once(shop: Shop) -> None:
    order = shop.order(1, 2)
    body = {"notes": "Urge", "items": [{"position": 1, "notes": "a"}, {"itemId": shop.item.pk, "quantity": 3}]}
    with CaptureQueriesContext(connection) as queries:
        assert shop.ana.put(f"/api/sales-order/{order}", body).status == 200
    assert sum('INTO "audit_auditentry"' in query["sql"] for query in queries) == 1


def shop_floor_rights() -> tuple[str, ...]:
    return ("ListOrders", "SalesOrderPositionProcessIn", "SalesOrderPositionProcessOut")
