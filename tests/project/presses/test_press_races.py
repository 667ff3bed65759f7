"""Presses, and undos of them, that come at the same time."""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from uuid import uuid4

from tests.builders import Answer, Shop, at_once, move, somebody
from tests.project.batches.batching import batch_inside, move_batch
from tests.project.presses.test_press_undo import last_press, press_undo
from tests.project.station.handing import hand_over, inside
from tests.project.station.standing import MOVES
from tests.property.test_records_follow_movements import compare


def outcomes(answers: Iterable[Answer]) -> Counter[object]:
    return Counter(200 if answer.status == 200 else answer.code for answer in answers)


def test_press_undone_by_many_calls_at_once_is_undone_once(busy_shop: Shop) -> None:
    shop = busy_shop
    order = inside(shop)
    press = hand_over(shop, order, 6).json["press"]
    answers = at_once([partial(press_undo, shop.ana, press=press)] * 8)
    assert outcomes(answers) == {200: 1, "already_undone": 7}
    compare()


def test_undo_of_an_entry_and_an_exit_at_once_leave_no_piece_in_two_places(busy_shop: Shop) -> None:
    shop = busy_shop
    for _ in range(3):
        order = inside(shop)
        press = last_press(shop, order)
        undone, left = at_once(
            [partial(press_undo, shop.ana, press=press), partial(shop.move, "out", order, shop.casting, 4)]
        )
        if left.status == 200:
            assert undone.status == 200, "the pieces that are still inside go back"
        else:
            assert (undone.status, left.code) == (200, "not_inside")
        assert shop.line(order)["quantityInside"] == 0
    compare()


def test_undo_of_a_batch_and_a_movement_of_one_of_its_lines_at_once(busy_shop: Shop) -> None:
    shop = busy_shop
    orders = [shop.approved(3) for _ in range(4)]
    press = move_batch(shop, "out", batch_inside(shop, *orders)).json["press"]
    undone, went_on = at_once(
        [partial(press_undo, shop.ana, press=press), partial(shop.move, "in", orders[2], shop.polishing)]
    )
    places = [shop.line(order)["quantityInside"] for order in orders]
    if undone.status == 200:
        assert (went_on.code, places) == ("not_enough_pieces", [3, 3, 3, 3])
    else:
        assert (undone.code, went_on.status, places) == ("not_enough_pieces", 200, [0, 0, 3, 0])
    compare()


def test_one_key_sent_by_two_tablets_at_once_moves_once(busy_shop: Shop) -> None:
    shop = busy_shop
    order, key = shop.approved(10), str(uuid4())
    answers = at_once([lambda: move(shop.ana, "in", order, shop.casting, 4, idempotency_key=key)] * 8)
    assert outcomes(answers) == {200: 8}
    assert len({answer.json["press"] for answer in answers}) == 1
    assert shop.line(order)["quantityInside"] == 4
    compare()


def test_one_uuid_sent_by_two_people_at_once_moves_once(busy_shop: Shop) -> None:
    shop = busy_shop
    order, key = shop.approved(10), str(uuid4())
    other = somebody(*MOVES, processes=[shop.casting])
    answers = at_once(
        [partial(move, by, "in", order, shop.casting, 4, idempotency_key=key) for by in (shop.ana, other)]
    )
    assert outcomes(answers) == {200: 1, "idempotency_key_reused": 1}
    assert shop.line(order)["quantityInside"] == 4
    compare()
