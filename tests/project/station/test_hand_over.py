"""A hand-over moves pieces out of a process and into the next one in one step: both or neither."""

from datetime import timedelta

import pytest

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.core.schemas import utc_z
from project.orders.models import Line, ProcessRecord
from realtime.models import OutboxEvent
from tests.builders import Answer, Shop, at_once, process, somebody, undo, usually
from tests.project.station.handing import hand_over, inside, offered, places, refusal
from tests.project.station.standing import MOVES


def test_pieces_move_into_the_next_process_with_both_movements_in_the_history(shop: Shop) -> None:
    order = inside(shop)
    before = OutboxEvent.objects.count(), AuditEntry.objects.count()
    answer = hand_over(shop, order, 6, notes="con cuidado")
    assert answer.status == 200, answer
    assert places(shop, order) == {"Fundición": 4, "Pulido": 6}
    rows = {(row["productionProcessName"], row["outputDate"] is None): row for row in shop.history(order)}
    left, entered = rows["Fundición", False], rows["Pulido", True]
    assert (left["quantity"], left["outputUsername"], left["outputNotes"]) == (6, "Ana Torres", "con cuidado")
    assert (entered["quantity"], entered["inputUsername"], entered["inputNotes"]) == (6, "Ana Torres", "con cuidado")
    assert left["outputDate"] == entered["inputDate"]
    events = OutboxEvent.objects.order_by("pk")[before[0] :]
    assert [event.type for event in events] == ["line.moved", "line.moved"]
    assert [row.action for row in AuditEntry.objects.order_by("pk")[before[1] :]] == ["out", "in"]
    line = shop.line(order)
    assert {name: answer.json[name] for name in ("inside", "version", "offers")} == {
        name: line[name] for name in ("inside", "version", "offers")
    }
    assert answer.headers["ETag"] == f'"{line["version"]}"'


def test_each_event_of_a_hand_over_has_its_own_version(shop: Shop) -> None:
    order = inside(shop)
    version = shop.line(order)["version"]
    hand_over(shop, order)
    assert shop.line(order)["version"] == version + 2


def test_hand_over_without_a_quantity_moves_all_that_may_enter(shop: Shop) -> None:
    order = inside(shop, 4)
    shop.move("in", order, shop.polishing, 6)
    shop.leave(order, shop.polishing)
    shop.enter(order, shop.casting, 6)
    assert offered(shop, order) == {"Pulido": 4}
    assert hand_over(shop, order).status == 200
    assert places(shop, order) == {"Fundición": 6, "Pulido": 4}


def test_too_many_pieces_get_409_and_move_nothing(shop: Shop) -> None:
    order = inside(shop, 4)
    assert refusal(hand_over(shop, order, 5)) == (409, "not_enough_pieces")
    shop.move("in", order, shop.polishing, 6)
    shop.leave(order, shop.polishing)
    shop.enter(order, shop.casting, 6)
    answer = hand_over(shop, order, 5)
    assert (refusal(answer), answer.json["params"]) == ((409, "not_enough_pieces"), {"available": 4})
    assert places(shop, order) == {"Fundición": 10}


def test_refusal_names_nothing_inside_or_already_completed(shop: Shop) -> None:
    order = shop.approved(10)
    assert refusal(hand_over(shop, order)) == (409, "not_inside")
    shop.enter(order, shop.polishing)
    shop.leave(order, shop.polishing)
    shop.enter(order, shop.casting)
    assert offered(shop, order) == {}
    for quantity in (None, 1):
        assert refusal(hand_over(shop, order, quantity)) == (409, "already_completed")
    assert places(shop, order) == {"Fundición": 10}


def test_pieces_of_a_canceled_line_cannot_be_handed_over_but_can_leave(shop: Shop) -> None:
    order = inside(shop)
    shop.status(order, 1, "Canceled")
    assert offered(shop, order) == {}
    assert refusal(hand_over(shop, order)) == (409, "line_not_approved")
    assert places(shop, order) == {"Fundición": 10}
    assert shop.move("out", order, shop.casting).status == 200


def test_pieces_cannot_enter_an_inactive_process_but_can_leave_one(shop: Shop) -> None:
    order = inside(shop)
    shop.ana.put(f"/api/production-processes/{shop.polishing.pk}", {"status": False})
    assert offered(shop, order) == {}
    assert refusal(hand_over(shop, order)) == (403, "not_your_process")
    shop.ana.put(f"/api/production-processes/{shop.polishing.pk}", {"status": True})
    shop.ana.put(f"/api/production-processes/{shop.casting.pk}", {"status": False})
    assert offered(shop, order) == {"Pulido": 10}
    assert hand_over(shop, order).status == 200


def test_hand_over_needs_permissions_and_processes_for_both_movements(shop: Shop) -> None:
    order = inside(shop)
    both = [shop.casting, shop.polishing]
    enters, leaves = Permission.SalesOrderPositionProcessIn, Permission.SalesOrderPositionProcessOut
    cases = {
        somebody(Permission.Station, enters, processes=both): "permission_denied",
        somebody(Permission.Station, leaves, processes=both): "permission_denied",
        somebody(enters, leaves, processes=both): "permission_denied",
        somebody(Permission.Station, enters, leaves, processes=[shop.casting]): "not_your_process",
        somebody(Permission.Station, enters, leaves, processes=[shop.polishing]): "not_your_process",
    }
    for by, code in cases.items():
        assert refusal(hand_over(shop, order, by=by)) == (403, code)
        if Permission.Station in {one.action for one in by.user.roles.get().permissions.all()}:  # type: ignore[union-attr]
            assert offered(shop, order, by) == {}
    assert places(shop, order) == {"Fundición": 10}
    assert Line.objects.get().quantity_inside == 10


def test_next_process_is_offered_first(shop: Shop) -> None:
    wax, plating = process("Cera", order=1), process("Rodio", order=3)
    shop.casting.order, shop.polishing.order = 2, 4
    shop.casting.save()
    shop.polishing.save()
    by = somebody(Permission.Station, *MOVES, processes=[wax, plating, shop.casting, shop.polishing])
    assert list(offered(shop, inside(shop, 7), by)) == ["Rodio", "Pulido", "Cera"]


def test_only_the_process_that_the_product_usually_takes_next_is_offered_as_usual(shop: Shop) -> None:
    wax, plating = process("Cera", order=1), process("Rodio", order=3)
    shop.casting.order, shop.polishing.order = 2, 4
    shop.casting.save()
    shop.polishing.save()

    def usual(order: int, *processes: ProductionProcess) -> list[str]:
        by = somebody(Permission.Station, *MOVES, processes=[shop.casting, *processes])
        offers = by.post(f"/api/station/{shop.casting.pk}/scan", {"code": f"{order}-1"}).json["handOver"]
        assert len(offers) == len(processes)
        return [one["productionProcessName"] for one in offers if one["usual"]]

    first = inside(shop, 7, 7)
    assert usual(first, wax, plating, shop.polishing) == ["Rodio"], (
        "of a product whose way is not known, the next in the plant's order"
    )
    assert usual(first, wax, shop.polishing) == [], "Rodio comes next, and they do not work there"
    usually(shop, shop.item, shop.casting, shop.polishing)
    assert usual(inside(shop, 7), wax, plating, shop.polishing) == ["Pulido"], "the finished lines skipped Rodio"


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        ({"toProcessId": 9_999}, {"toProcessId": "unknown"}),
        ({"quantity": 0}, {"quantity": "too_small"}),
        ({"quantity": True}, {"quantity": "invalid_type"}),
        ({"notes": "x" * 201}, {"notes": "too_long"}),
        ({"surprise": 1}, {"surprise": "unknown_field"}),
        ({"madeAt": "2020-01-01T00:00:00Z"}, {"madeAt": "made_at_out_of_range"}),
    ],
)
def test_invalid_field_gets_422(shop: Shop, body: dict[str, object], refused: dict[str, str]) -> None:
    order = inside(shop)
    answer = hand_over(shop, order, **body)
    assert (answer.status, list(answer.fields)) == (422, list(refused)), answer
    assert places(shop, order) == {"Fundición": 10}


def test_process_cannot_hand_over_to_itself(shop: Shop) -> None:
    answer = hand_over(shop, inside(shop), toProcessId=shop.casting.pk)
    assert answer.fields == {"toProcessId": "same_process"}


def test_unknown_line_gets_422_and_unknown_station_404(shop: Shop) -> None:
    assert hand_over(shop, 99_999).fields == {"salesOrderId": "unknown"}
    assert hand_over(shop, inside(shop), position=9).fields == {"position": "unknown"}
    assert shop.ana.post("/api/station/99999/hand-over", {}).status == 422
    body = {"salesOrderId": inside(shop), "position": 1, "toProcessId": shop.polishing.pk}
    assert shop.ana.post("/api/station/99999/hand-over", body).status == 404


def test_stale_version_moves_nothing(shop: Shop) -> None:
    order = inside(shop)
    assert refusal(hand_over(shop, order, if_match='"1"')) == (412, "stale_version")
    assert hand_over(shop, order, if_match=f'"{shop.line(order)["version"]}"').status == 200


def test_late_report_gives_both_movements_the_time_they_were_made(shop: Shop) -> None:
    start = clock.now() - timedelta(hours=3)
    with clock.at(start):
        order = inside(shop)
    made = utc_z(start + timedelta(hours=1))
    assert hand_over(shop, order, madeAt=made).status == 200
    entered, left = shop.history(order)
    assert left["outputDate"] == entered["inputDate"] == made
    assert left["outputReceivedAt"] is not None
    assert entered["inputReceivedAt"] is not None
    early = utc_z(start - timedelta(minutes=1))
    with clock.at(start):
        other = inside(shop)
    assert hand_over(shop, other, madeAt=early).code == "made_at_out_of_range"
    assert places(shop, other) == {"Fundición": 10}


def test_simultaneous_hand_overs_of_the_same_pieces_move_once(busy_shop: Shop) -> None:
    shop = busy_shop
    order = inside(shop)
    answers = at_once([lambda: hand_over(shop, order, 10)] * 12)
    assert sorted(answer.status for answer in answers) == [200] + [409] * 11
    assert {answer.code for answer in answers if answer.status == 409} == {"not_inside"}
    assert places(shop, order) == {"Pulido": 10}


def test_simultaneous_hand_overs_movements_and_undos_keep_counts_consistent(busy_shop: Shop) -> None:
    shop = busy_shop
    order = inside(shop, 30, 40)

    def hand_over_and_undo() -> Answer:
        answer = hand_over(shop, order, 2)
        if answer.status != 200:
            return answer
        (entered,) = ProcessRecord.objects.filter(process=shop.polishing).order_by("-pk")[:1]
        return undo(shop.ana, order, entered.pk)

    verbs = [
        lambda: hand_over(shop, order, 3),
        lambda: shop.move("out", order, shop.casting, 2),
        lambda: shop.move("in", order, shop.casting, 1),
        lambda: shop.move("out", order, shop.polishing, 1),
        hand_over_and_undo,
    ]
    answers = at_once(verbs * 4)
    assert {answer.status for answer in answers} <= {200, 409}, answers
    line = Line.objects.get()
    records = ProcessRecord.objects.filter(released_at__isnull=True)
    assert line.quantity_inside == sum(one.quantity for one in records if one.output_at is None)
    for one in (shop.casting, shop.polishing):
        assert sum(record.quantity for record in records if record.process_id == one.pk) <= 40
    assert 0 <= line.quantity_inside <= 40
