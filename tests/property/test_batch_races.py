"""When many people press one batch at once, it moves once; and no piece is on two batches."""

from collections import Counter

from project.batches.models import Batch, BatchLine
from project.orders.models import ProcessRecord
from realtime.models import OutboxEvent
from tests.builders import Answer, Shop, at_once
from tests.project.batches.batching import BATCHES, batch_inside, batch_of, batch_path, move_batch, new_batch, put_on

MANY = 20


def outcomes(answers: list[Answer]) -> Counter[object]:
    return Counter(answer.status if answer.status < 400 else answer.code for answer in answers)


def test_one_of_many_presses_moves_the_batch_in_and_one_out(busy_shop: Shop) -> None:
    shop = busy_shop
    orders = [shop.approved(3) for _ in range(5)]
    batch = batch_of(shop, *orders)
    answers = at_once([lambda: move_batch(shop, "in", batch)] * MANY)
    assert outcomes(answers) == {200: 1, "batch_inside": MANY - 1}
    assert ProcessRecord.objects.count() == len(orders)
    answers = at_once([lambda: move_batch(shop, "out", batch)] * MANY)
    assert outcomes(answers) == {200: 1, "batch_is_out": MANY - 1}
    assert ProcessRecord.objects.filter(output_at__isnull=False).count() == len(orders)
    assert OutboxEvent.objects.filter(type="line.moved").count() == 2 * len(orders)


def test_a_batch_and_single_movements_of_its_lines_never_move_a_piece_twice(busy_shop: Shop) -> None:
    shop = busy_shop
    orders = [shop.approved(3) for _ in range(4)]
    batch = batch_inside(shop, *orders)
    singles = [lambda order=order: shop.move("out", order, shop.casting) for order in orders]
    answers = at_once([lambda: move_batch(shop, "out", batch), *singles])
    whole, *alone = answers
    if whole.status == 200:
        assert outcomes(alone) == {"not_inside": len(orders)}
    else:
        assert outcomes(alone) == {200: len(orders)}
        assert whole.code == "batch_refused"
        assert {one["code"] for one in whole.json["params"]["lines"]} == {"not_inside"}
    assert [shop.line(order)["quantityInside"] for order in orders] == [0] * len(orders)
    assert sum(ProcessRecord.objects.values_list("quantity", flat=True)) == 3 * len(orders)


def test_two_batches_of_the_same_lines_in_another_order_wait_for_each_other(busy_shop: Shop) -> None:
    shop = busy_shop
    orders = [shop.approved(10) for _ in range(4)]
    one, other = new_batch(shop), new_batch(shop)
    for order, back in zip(orders, reversed(orders), strict=True):
        put_on(shop, one, order, 5)
        put_on(shop, other, back, 5)
    answers = at_once([lambda batch=batch: move_batch(shop, "in", batch) for batch in (one, other)])
    assert outcomes(answers) == {200: 2}
    assert [shop.line(order)["quantityInside"] for order in orders] == [10] * 4


def test_pieces_put_on_two_batches_at_once_are_on_one(busy_shop: Shop) -> None:
    shop = busy_shop
    order = shop.approved(10)
    batches = [new_batch(shop) for _ in range(8)]
    answers = at_once([lambda batch=batch: put_on(shop, batch, order, 4) for batch in batches])
    assert outcomes(answers) == {200: 2, "not_enough_pieces": 6}
    assert sum(BatchLine.objects.values_list("quantity", flat=True)) == 8


def test_batches_made_at_once_get_distinct_numbers(busy_shop: Shop) -> None:
    shop = busy_shop
    body = {"productionProcessId": shop.casting.pk}
    answers = at_once([lambda: shop.ana.post(BATCHES, body)] * MANY)
    assert outcomes(answers) == {201: MANY}
    assert sorted(Batch.objects.values_list("number", flat=True)) == list(range(1, MANY + 1))


def test_a_line_taken_off_while_the_batch_moves_is_either_off_or_moved(busy_shop: Shop) -> None:
    shop = busy_shop
    kept, off = shop.approved(3), shop.approved(3)
    batch = batch_of(shop, kept, off)
    row = batch["lines"][1]["id"]
    moved, taken = at_once(
        [lambda: move_batch(shop, "in", batch), lambda: shop.ana.delete(f"{batch_path(batch)}/lines/{row}")]
    )
    assert (moved.status, taken.status) == (200, 200)
    assert shop.line(kept)["quantityInside"] == 3
    was_on = row in {line["id"] for line in moved.json["lines"]}
    assert shop.line(off)["quantityInside"] == (3 if was_on else 0)
