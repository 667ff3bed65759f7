"""A press is undone whole: by its id, or by the key that came with it."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.core import clock
from project.core.models import IdempotentAnswer
from project.core.schemas import utc_z
from project.orders.models import Movement, Press, ProcessRecord
from project.orders.rules import MovementSide
from project.worker.jobs import forget_answers
from tests.builders import Answer, Caller, Shop, line_path, move, release, somebody, undo
from tests.project.batches.batching import batch_inside, batch_of, batch_path, move_batch, read
from tests.project.station.conftest import floor  # noqa: F401
from tests.project.station.handing import hand_over, inside, places
from tests.project.station.standing import MOVES, Floor

SECOND = timedelta(seconds=1)


def press_undo(by: Caller, **body: Any) -> Answer:
    headers = {name: body.pop(name) for name in ("idempotency_key",) if name in body}
    return by.post("/api/presses/undo", body, **headers)


def last_press(shop: Shop, order: int) -> str:
    return str(shop.history(order)[0]["press"])


def test_separate_press_with_an_earlier_made_at_is_undone_alone(shop: Shop) -> None:
    """Pieces leave, and others enter elsewhere by a press of a station with a slow clock."""
    order, now = shop.approved(10), clock.now()
    with clock.at(now - 60 * SECOND):
        shop.enter(order, shop.casting, 3)
    with clock.at(now):
        shop.leave(order, shop.casting, 3)
    with clock.at(now + 10 * SECOND):
        made_at = utc_z(now - 30 * SECOND)
        entered = move(shop.ana, "in", order, shop.polishing, 3, made_at=made_at).json
        (offer,) = (one for one in entered["actions"]["undo"] if one["side"] == "in")
        answer = shop.ana.post(f"{line_path(order)}/records/{offer['recordId']}/undo?side=in")
    assert answer.status == 200, answer
    assert places(shop, order) == {}
    assert [row["undone"] for row in shop.history(order)] == [True, False]


def test_two_presses_reported_at_one_instant_are_undone_one_by_one(shop: Shop) -> None:
    order, now = inside(shop), clock.now()
    with clock.at(now + 8 * SECOND):
        for pieces in (1, 2):
            assert move(shop.ana, "out", order, shop.casting, pieces, made_at=utc_z(now)).status == 200
        offers = shop.line(order)["actions"]["undo"]
        assert sorted(one["quantity"] for one in offers if one["side"] == "out") == [1, 2]
        first = next(one for one in offers if one["quantity"] == 1)
        assert press_undo(shop.ana, press=first["press"]).status == 200
    assert places(shop, order) == {"Fundición": 8}


def test_one_press_of_a_batch_is_undone_by_one(shop: Shop) -> None:
    orders = [shop.approved(10) for _ in range(5)]
    batch = batch_of(shop, *orders)
    moved = move_batch(shop, "in", batch).json
    assert moved["state"] == "inside"
    offer = shop.line(orders[0])["actions"]["undo"][0]
    assert (offer["press"], offer["lines"], offer["quantity"]) == (moved["press"], 5, 10)
    answer = press_undo(shop.ana, press=moved["press"])
    assert answer.status == 200, answer
    assert (answer.json["undoes"], answer.json["batch"]["state"]) == (moved["press"], "open")
    assert [line["quantityInside"] for line in answer.json["lines"]] == [0] * 5
    assert [shop.line(order)["status"] for order in orders] == ["Approved"] * 5
    assert move_batch(shop, "in", batch).status == 200


def test_undone_exit_of_a_batch_leaves_it_inside(shop: Shop) -> None:
    orders = [shop.approved(10), shop.approved(6)]
    batch = batch_inside(shop, *orders)
    left = move_batch(shop, "out", batch).json
    assert undo(shop.ana, orders[1], shop.history(orders[1])[0]["id"]).status == 200
    assert (read(shop, left)["state"], read(shop, left)["leftAt"]) == ("inside", None)
    assert [shop.line(order)["quantityInside"] for order in orders] == [10, 6]


def test_batch_goes_back_whole_or_not_at_all(shop: Shop) -> None:
    orders = [shop.approved(10), shop.approved(6)]
    moved = move_batch(shop, "out", batch_inside(shop, *orders)).json
    shop.enter(orders[1], shop.polishing, 2)
    answer = press_undo(shop.ana, press=moved["press"])
    assert (answer.status, answer.code) == (409, "not_enough_pieces")
    record = next(row["id"] for row in shop.history(orders[1]) if row["productionProcessName"] == "Fundición")
    place = {"salesOrderId": orders[1], "position": 1, "recordId": record}
    assert answer.json["params"] == {"available": 4, **place}
    assert [shop.line(order)["quantityInside"] for order in orders] == [0, 2]


def test_closed_batch_is_not_undone(shop: Shop) -> None:
    moved = move_batch(shop, "out", batch_inside(shop, shop.approved(10))).json
    assert shop.ana.post(f"{batch_path(moved)}/close").status == 200
    assert press_undo(shop.ana, press=moved["press"]).code == "batch_closed"


def test_undo_of_200_lines_costs_as_many_queries_as_of_2(shop: Shop) -> None:
    counts = []
    for lines in (2, 20):
        order = shop.approved(*[3] * lines)
        batch = shop.ana.post("/api/batches", {"productionProcessId": shop.casting.pk}).json
        for position in range(1, lines + 1):
            shop.ana.post(f"{batch_path(batch)}/lines", {"salesOrderId": order, "position": position})
        press = move_batch(shop, "in", batch).json["press"]
        with CaptureQueriesContext(connection) as queries:
            assert press_undo(shop.ana, press=press).status == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_station_undoes_by_the_key_that_it_sent(shop: Shop) -> None:
    order, key = shop.approved(10), str(uuid4())
    assert press_undo(shop.ana, key=key).status == 404, "the press has not come yet"
    assert move(shop.ana, "in", order, shop.casting, 4, idempotency_key=key).status == 200
    assert press_undo(shop.beto, key=key).status == 404, "a key is its author's own"
    answer = press_undo(shop.ana, key=key)
    assert (answer.status, answer.json["lines"][0]["quantityInside"]) == (200, 0)
    assert answer.json["batch"] is None
    again = press_undo(shop.ana, key=key)
    assert (again.status, again.code) == (409, "already_undone")
    assert set(again.json["params"]) == {"salesOrderId", "position", "recordId"}


def test_repeated_undo_answers_as_the_first(shop: Shop) -> None:
    order = inside(shop, 4)
    press = last_press(shop, order)
    first, second = (press_undo(shop.ana, press=press, idempotency_key="once-and-once-only") for _ in range(2))
    assert (first.status, first.json) == (second.status, second.json)
    assert second.headers["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize("body", [{}, {"press": str(UUID(int=1)), "key": "x"}, {"press": "no uuid"}, {"key": ""}])
def test_neither_or_both_of_press_and_key_is_422(shop: Shop, body: dict[str, str]) -> None:
    assert press_undo(shop.ana, **body).status == 422


def test_unknown_press_is_404(shop: Shop) -> None:
    assert press_undo(shop.ana, press=str(uuid4())).status == 404


def test_release_and_undo_are_not_undoable(shop: Shop) -> None:
    order = inside(shop, 4)
    entry = last_press(shop, order)
    assert release(shop.ana, order, shop.casting, "in").status == 200
    shop.enter(order, shop.casting, 4)
    undone = press_undo(shop.ana, press=last_press(shop, order)).json["press"]
    released = str(Press.objects.get(kind="release").pk)
    assert [press_undo(shop.ana, press=one).code for one in (released, undone, entry)] == [
        *["not_undoable"] * 2,
        "already_undone",
    ]


def test_pieces_made_again_are_undone(shop: Shop) -> None:
    order = inside(shop)
    body = {"productionProcessId": shop.casting.pk, "quantity": 4, "reason": "broken"}
    assert shop.ana.post(f"{line_path(order)}/scrap", body).status == 200
    replaced = shop.ana.post(f"{line_path(order)}/replace", {"quantity": 3}).json
    shop.enter(order, shop.polishing, 2)
    refused = press_undo(shop.ana, press=replaced["press"])
    assert (refused.code, refused.json["params"]["available"]) == ("not_enough_pieces", 1)
    undo(shop.ana, order, shop.history(order)[0]["id"])
    line = press_undo(shop.ana, press=replaced["press"]).json["lines"][0]
    assert (line["quantityReplaced"], line["quantityScrapped"]) == (0, 4)
    assert press_undo(shop.ana, press=replaced["press"]).code == "already_undone"


def test_hand_over_goes_back_whole_or_not_at_all(shop: Shop) -> None:
    order = inside(shop)
    press = hand_over(shop, order, 6).json["press"]
    shop.leave(order, shop.polishing, 1)
    assert press_undo(shop.ana, press=press).json["params"]["available"] == 5
    undo(shop.ana, order, next(row["id"] for row in shop.history(order) if row["quantity"] == 1))
    assert press_undo(shop.ana, press=press).status == 200
    assert places(shop, order) == {"Fundición": 10}


def test_undo_needs_the_rights_of_the_press(shop: Shop) -> None:
    order = inside(shop, 4)
    leaves = somebody(Permission.SalesOrderPositionProcessOut, processes=[shop.casting])
    assert press_undo(leaves, press=last_press(shop, order)).status == 403
    enters = somebody(Permission.SalesOrderPositionProcessIn, processes=[shop.casting])
    assert press_undo(enters, press=last_press(shop, order)).code == "not_yours"
    assert press_undo(shop.carla, press=last_press(shop, order)).status == 403


def test_five_minutes_end_at_the_made_at_of_the_undo(shop: Shop, noon: datetime) -> None:
    order = inside(shop, 4)
    press = last_press(shop, order)
    with clock.at(noon + timedelta(minutes=30)):
        by = Caller(shop.ana.user)
        assert press_undo(by, press=press).code == "too_late"
        assert press_undo(by, press=press, madeAt=utc_z(noon + timedelta(minutes=5, seconds=1))).code == "too_late"
        answer = press_undo(by, press=press, madeAt=utc_z(noon + timedelta(minutes=5)))
        assert answer.status == 200, answer
        long_ago = press_undo(by, press=press, madeAt=utc_z(noon - timedelta(days=2)))
        assert long_ago.code == "made_at_out_of_range"
    row = Press.objects.get(pk=answer.json["press"])
    assert (row.at, row.received_at) == (noon + timedelta(minutes=5), noon + timedelta(minutes=30))


def test_operator_undoes_a_press_that_touched_their_process(floor: Floor) -> None:  # noqa: F811
    shop = floor.shop
    order = inside(shop)
    key = str(uuid4())
    dora = floor.dora_stands_here(shop.casting.pk)
    assert hand_over(shop, order, 6, by=dora, idempotency_key=key).status == 200
    answer = press_undo(floor.dora_stands_here(shop.polishing.pk), key=key)
    assert answer.status == 200, answer
    assert (answer.json["press"], answer.json["undoes"]) == (None, None), "Dora may not read the history"
    assert places(shop, order) == {"Fundición": 10}
    assert move(dora, "out", order, shop.casting, 1, idempotency_key="a-second-press").status == 200
    assert press_undo(floor.dora_stands_here(shop.polishing.pk), key="a-second-press").code == "other_station"


def test_only_readers_of_the_history_learn_of_presses(shop: Shop) -> None:
    order = shop.approved(10)
    worker = somebody(*MOVES, processes=[shop.casting])
    line = move(worker, "in", order, shop.casting).json
    assert line["press"] is None
    assert [one["press"] for one in (*line["offers"]["undo"], *line["actions"]["undo"])] == [None, None]
    assert shop.line(order)["offers"]["undo"][0]["press"] == last_press(shop, order)


def test_key_of_a_press_is_never_free_again(shop: Shop) -> None:
    order, key, now = shop.approved(10), str(uuid4()), clock.now()
    first = move(shop.ana, "in", order, shop.casting, 4, idempotency_key=key)
    with clock.at(now + timedelta(days=40)):
        forget_answers()
        by = Caller(shop.ana.user)
        second = move(by, "in", order, shop.casting, 4, idempotency_key=key)
        assert (second.status, second.headers["Idempotent-Replayed"]) == (200, "true")
        assert second.json["press"] == first.json["press"]
        other = move(by, "in", order, shop.casting, 1, idempotency_key=key)
        assert (other.status, other.code) == (422, "idempotency_key_reused")
    assert shop.line(order)["quantityInside"] == 4


def test_uuid_of_another_persons_press_moves_nothing(shop: Shop) -> None:
    order, key = shop.approved(10), str(uuid4())
    worker = somebody(*MOVES, processes=[shop.casting])
    assert move(shop.ana, "in", order, shop.casting, 4, idempotency_key=key).status == 200
    stolen = move(worker, "in", order, shop.casting, 4, idempotency_key=key)
    assert (stolen.status, stolen.code) == (422, "idempotency_key_reused")
    assert move(shop.ana, "in", order, shop.casting, 1, idempotency_key="monday-1").status == 200
    assert move(worker, "in", order, shop.casting, 1, idempotency_key="monday-1").status == 200
    assert shop.line(order)["quantityInside"] == 6


def test_other_keys_are_forgotten_after_a_day(shop: Shop) -> None:
    shop.ana.post("/api/customers", {"name": "Uno"}, idempotency_key=str(uuid4()))
    move(shop.ana, "in", shop.approved(1), shop.casting, idempotency_key=str(uuid4()))
    with clock.at(clock.now() + timedelta(days=2)):
        forget_answers()
    assert list(IdempotentAnswer.objects.values_list("kind", flat=True)) == ["sales_order_position_process_in"]


def test_every_press_has_its_movements(shop: Shop) -> None:
    order = inside(shop)
    hand_over(shop, order, 6, notes="con cuidado")
    release(shop.ana, order, shop.polishing)
    shop.leave(order, shop.casting)
    release(shop.ana, order, shop.casting)
    found = [
        (one.press.kind, one.side, one.pieces, one.takes_back_id is not None)
        for one in Movement.objects.select_related("press").order_by("pk")
    ]
    assert found == [
        ("move", "in", 10, False),
        ("handOver", "out", 6, False),
        ("handOver", "in", 6, False),
        ("release", "in", 6, True),
        ("move", "out", 4, False),
        ("release", "out", 4, True),
        ("release", "in", 4, True),
    ]


def test_split_record_keeps_the_exits_that_it_had(shop: Shop) -> None:
    order = inside(shop)
    shop.leave(order, shop.casting)
    undo(shop.ana, order, shop.history(order)[0]["id"])
    shop.leave(order, shop.casting, 4)
    past = [[one.movement_id for one in record.past_exits.all()] for record in ProcessRecord.objects.all()]
    (exit_,) = Movement.objects.filter(side=MovementSide.exit, pieces=10, takes_back=None)
    assert past == [[exit_.pk], [exit_.pk]]


@pytest.mark.parametrize("change", ["update", "delete"])
@pytest.mark.parametrize("model", [Press, Movement])
def test_database_refuses_to_change_what_happened(shop: Shop, model: Any, change: str) -> None:
    inside(shop)
    rows = model.objects.all()
    with pytest.raises(DatabaseError, match="what happened"), transaction.atomic():
        rows.update(at=clock.now()) if change == "update" else rows._raw_delete(rows.db)


def test_entry_is_meant_by_its_side_though_its_first_pieces_have_left(shop: Shop) -> None:
    order = inside(shop)
    first = shop.history(order)[0]["id"]
    shop.leave(order, shop.casting, 4)
    path = f"{line_path(order)}/records/{first}/undo?side=in"
    assert shop.ana.post(path).json["quantityInside"] == 0
    assert shop.ana.post(path).code == "not_enough_pieces"


def test_batch_of_which_all_lines_are_left_out_makes_no_press(shop: Shop) -> None:
    batch = batch_inside(shop, shop.approved(10))
    answer = move_batch(shop, "out", batch, leaveOut=[line["id"] for line in batch["lines"]])
    assert (answer.status, answer.json["press"]) == (200, None)
    assert Press.objects.count() == 1


def test_undone_entry_opens_a_batch_that_left_without_pieces(shop: Shop) -> None:
    entered = batch_inside(shop, shop.approved(10))
    assert move_batch(shop, "out", entered, leaveOut=[line["id"] for line in entered["lines"]]).json["state"] == "out"
    batch = press_undo(shop.ana, press=entered["press"]).json["batch"]
    assert (batch["state"], batch["enteredAt"], batch["leftAt"]) == ("open", None, None)
