"""When clerks pay, cancel and release at once, the first wins, and no record is paid beyond its pieces."""

from collections.abc import Callable

from project.orders.models import ProcessRecord
from project.piecework.models import Payment, PaymentItem
from tests.builders import Answer, Shop, at_once, person, release
from tests.project.piecework.paying import cancel, item, left, order_of, paid, pay, pay_people


def codes(answers: list[Answer]) -> list[str]:
    return sorted(str(answer.status) if answer.status < 400 else answer.code for answer in answers)


def test_one_of_two_clerks_who_pay_the_same_last_pieces_wins(busy_shop: Shop) -> None:
    shop = busy_shop
    for _ in range(5):
        record = left(shop, 10)
        answers = at_once([lambda by=by, record=record: pay(by, item(record)) for by in (shop.ana, shop.beto)])
        assert codes(answers) == ["201", "exceeds_remaining"]
        assert ProcessRecord.objects.get(pk=record).quantity_paid == 10


def test_concurrent_partial_payments_never_exceed_the_pieces(busy_shop: Shop) -> None:
    shop = busy_shop
    record = left(shop, 10)
    answers = at_once([lambda: pay(shop.ana, item(record, 3)) for _ in range(8)])
    assert codes(answers) == ["201"] * 3 + ["exceeds_remaining"] * 5
    assert ProcessRecord.objects.get(pk=record).quantity_paid == 9


def test_payments_that_list_the_same_records_in_opposite_order_do_not_deadlock(
    busy_shop: Shop,
) -> None:
    shop = busy_shop
    records = [left(shop, 40) for _ in range(4)]
    orders = [records, records[::-1]] * 4
    answers = at_once([lambda order=order: pay(shop.ana, *(item(record, 5) for record in order)) for order in orders])
    assert codes(answers) == ["201"] * 8
    assert {record.quantity_paid for record in ProcessRecord.objects.filter(pk__in=records)} == {40}


def test_everybody_is_paid_once_when_clerks_pay_all_and_one_person_at_once(busy_shop: Shop) -> None:
    shop = busy_shop
    beto = person("beto2").pk
    for _ in range(4):
        records = [left(shop, 10) for _ in range(4)]
        ProcessRecord.objects.filter(pk__in=records[2:]).update(output_by=beto)
        people = [{"userId": user, "records": 2, "pieces": 20, "amount": 185} for user in (shop.ana.id, beto)]
        calls: list[Callable[[], Answer]] = [
            lambda by=by, people=people: pay_people(by, *people)  # type: ignore[misc]
            for by, people in ((shop.ana, people), (shop.beto, people[::-1]), (shop.ana, people))
        ]
        calls.append(lambda records=records: pay(shop.beto, *(item(record) for record in records[1:3])))  # type: ignore[misc]
        answers = at_once(calls)
        assert codes(answers) in (
            ["201", "exceeds_remaining", "owed_changed", "owed_changed"],
            ["201", "owed_changed", "owed_changed", "owed_changed"],
        )
        for record in records:
            standing = PaymentItem.objects.filter(record=record, payment__status="Paid")
            paid_pieces = sum(row.quantity for row in standing)
            assert paid_pieces == ProcessRecord.objects.get(pk=record).quantity_paid <= 10
        ProcessRecord.objects.filter(pk__in=records).update(quantity_paid=10)


def test_a_record_is_either_paid_or_released_never_both(busy_shop: Shop) -> None:
    shop = busy_shop
    for movement in ["", "out"] * 3:
        record = left(shop, 10)
        order = order_of(record)
        paying, releasing = at_once(
            [
                lambda record=record: pay(shop.ana, item(record)),
                lambda order=order, movement=movement: release(shop.beto, order, shop.casting, movement),
            ]
        )
        refused = {"": "record_released", "out": "still_inside"}[movement]
        assert codes([paying, releasing]) in (sorted(["201", "already_paid"]), sorted(["200", refused]))
        row = ProcessRecord.objects.get(pk=record)
        stands = row.output_at is not None and row.released_at is None
        assert (row.quantity_paid == 10) == stands == (paying.status == 201)


def test_one_of_six_concurrent_cancellations_of_a_payment_succeeds(busy_shop: Shop) -> None:
    shop = busy_shop
    record = left(shop, 10)
    payment = paid(shop.ana, item(record, 6))["id"]
    paid(shop.ana, item(record, 4))
    answers = at_once([lambda by=by: cancel(by, payment) for by in (shop.ana, shop.beto) * 3])
    assert codes(answers) == ["200"] + ["already_canceled"] * 5
    assert ProcessRecord.objects.get(pk=record).quantity_paid == 4


def test_the_paid_quantity_is_right_when_a_record_is_paid_while_its_payment_is_canceled(busy_shop: Shop) -> None:
    shop = busy_shop
    for _ in range(5):
        record = left(shop, 10)
        payment = paid(shop.ana, item(record, 10))["id"]
        canceling, paying = at_once(
            [
                lambda payment=payment: cancel(shop.ana, payment),
                lambda record=record: pay(shop.beto, item(record, 10)),
            ]
        )
        assert canceling.status == 200
        standing = PaymentItem.objects.filter(record=record, payment__status="Paid")
        assert sum(row.quantity for row in standing) == ProcessRecord.objects.get(pk=record).quantity_paid
        assert Payment.objects.filter(items__record=record, status="Paid").count() == (paying.status == 201)
