"""When many people act on one record at once, the allowed number succeeds and the others are refused."""

from collections import Counter
from functools import partial

import pytest
from django.db import IntegrityError

from project.core.models import IdempotentAnswer
from project.identity.models import User
from project.orders.models import Line, ProcessRecord, SalesOrder
from realtime.models import OutboxEvent
from tests.builders import Answer, Caller, Shop, at_once, customer, item, line_path, move, release

MANY = 50


def outcomes(answers: list[Answer]) -> Counter[object]:
    """Count the answers by status, or by code if they are refusals."""
    return Counter(answer.status if answer.status < 400 else answer.code for answer in answers)


def test_one_of_fifty_entries_with_all_pieces_succeeds(busy_shop: Shop) -> None:
    shop = busy_shop
    order = shop.approved(10)
    answers = at_once([lambda: shop.move("in", order, shop.casting)] * MANY)
    assert outcomes(answers) == {200: 1, "not_enough_pieces": MANY - 1}
    assert shop.line(order)["quantityInside"] == 10
    assert ProcessRecord.objects.count() == 1


def test_thirty_three_of_fifty_entries_with_three_pieces_succeed_in_a_line_of_100(busy_shop: Shop) -> None:
    shop = busy_shop
    order = shop.approved(100)
    answers = at_once([lambda: shop.move("in", order, shop.casting, 3)] * MANY)
    assert outcomes(answers) == {200: 33, "not_enough_pieces": MANY - 33}
    assert Line.objects.get().quantity_inside == 99
    assert sum(ProcessRecord.objects.values_list("quantity", flat=True)) == 99
    assert OutboxEvent.objects.filter(type="line.moved").count() == 33


def test_fourteen_of_fifty_exits_with_seven_pieces_succeed_in_a_line_of_100(busy_shop: Shop) -> None:
    shop = busy_shop
    order = shop.approved(100)
    shop.enter(order, shop.casting)
    answers = at_once([lambda: shop.move("out", order, shop.casting, 7)] * MANY)
    counted = outcomes(answers)
    assert counted[200] == 14
    assert counted["not_enough_pieces"] == MANY - 14
    line = shop.line(order)
    assert line["quantityInside"] == 2
    left = [row["quantity"] for row in line["productionProcesses"] if row["outputDate"]]
    assert sum(left) == 98


def test_pieces_can_enter_while_the_customer_of_the_order_changes(busy_shop: Shop) -> None:
    """A movement that waited for the lock reads the newest order, which may have another customer than before."""
    shop = busy_shop
    order = shop.approved(100)
    customers = [shop.customer.pk, customer().pk]

    def to_customer(number: int) -> Answer:
        return shop.beto.put(f"/api/sales-order/{order}", {"customerId": customers[number % 2]})

    changes = [partial(to_customer, number) for number in range(1, 17)]
    entries = [lambda: shop.move("in", order, shop.casting, 1)] * 16
    answers = at_once([call for pair in zip(changes, entries, strict=True) for call in pair])
    assert outcomes(answers) == {200: 32}
    assert shop.line(order)["quantityInside"] == 16


def test_quantity_inside_is_right_after_concurrent_entries_exits_and_releases(busy_shop: Shop) -> None:
    shop = busy_shop
    order = shop.approved(40)
    shop.enter(order, shop.casting, 20)
    verbs = [
        lambda: shop.move("in", order, shop.casting, 4),
        lambda: shop.move("out", order, shop.casting, 3),
        lambda: shop.move("in", order, shop.polishing, 5),
        lambda: release(shop.ana, order, shop.casting),
        lambda: shop.ana.put(f"{line_path(order)}/update-status/Done"),
    ]
    answers = at_once(verbs * (MANY // len(verbs)))
    assert {answer.status for answer in answers} <= {200, 409}
    line = shop.line(order)
    open_now = [r["quantity"] for r in line["productionProcesses"] if not r["outputDate"] and not r["released"]]
    assert line["quantityInside"] == sum(open_now) <= 40


def test_one_idempotency_key_sent_fifty_times_creates_one_order_and_gets_one_answer(busy_shop: Shop) -> None:
    shop = busy_shop
    body = {
        "customerId": shop.customer.pk,
        "customerSalesOrderId": "PO-50",
        "items": [{"itemId": shop.item.pk, "quantity": 1}],
    }
    answers = at_once([lambda: shop.ana.post("/api/sales-order", body, idempotency_key="once")] * MANY)
    assert SalesOrder.objects.count() == 1
    assert {(answer.status, answer.text, answer.headers["ETag"]) for answer in answers} == {
        (201, answers[0].text, '"1"')
    }
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1
    assert IdempotentAnswer.objects.count() == 1


def test_one_of_fifty_orders_with_the_same_po_is_created(busy_shop: Shop) -> None:
    shop = busy_shop
    body = {
        "customerId": shop.customer.pk,
        "customerSalesOrderId": "PO-50",
        "items": [{"itemId": shop.item.pk, "quantity": 1}],
    }
    answers = at_once([lambda: shop.ana.post("/api/sales-order", body)] * MANY)
    assert outcomes(answers) == {201: 1, "already_exists": MANY - 1}


def test_lines_added_at_once_get_distinct_positions(busy_shop: Shop) -> None:
    shop = busy_shop
    order = shop.order(1)
    body = {"itemId": shop.item.pk, "quantity": 1}
    answers = at_once([lambda: shop.ana.post(f"/api/sales-order/{order}/position", body)] * 20)
    assert outcomes(answers) == {201: 20}
    assert sorted(answer.json["position"] for answer in answers) == list(range(2, 22))


def test_one_of_twenty_edits_of_the_same_version_succeeds(busy_shop: Shop) -> None:
    shop = busy_shop
    order = shop.order(1)
    version = f'"{shop.line(order)["version"]}"'
    full = f"{line_path(order)}/full"
    answers = at_once([lambda n=n: shop.ana.put(full, {"notes": f"de {n}"}, if_match=version) for n in range(20)])
    assert outcomes(answers) == {200: 1, "stale_version": 19}


def test_two_administrators_cannot_deactivate_each_other_at_once(busy_shop: Shop) -> None:
    shop = busy_shop
    both = [shop.ana.id, shop.beto.id]
    for _ in range(5):
        User.objects.filter(pk__in=both).update(active=True)
        ana, beto = map(Caller, User.objects.filter(pk__in=both).order_by("pk"))
        answers = at_once(
            [
                lambda by=by, other=other: by.put(f"/identity/users/{other.id}", {"active": False})
                for by, other in ((ana, beto), (beto, ana))
            ]
        )
        succeeded, refused = sorted(answer.status for answer in answers)
        assert (succeeded, refused in (401, 403, 409)) == (200, True), answers
        assert User.objects.filter(pk__in=both, active=True).count() == 1


def test_the_database_refuses_more_pieces_inside_than_the_line_has(busy_shop: Shop) -> None:
    shop = busy_shop
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    with pytest.raises(IntegrityError):
        Line.objects.filter(order=order).update(quantity_inside=11)


def test_an_order_is_either_deleted_or_moved_never_both(busy_shop: Shop) -> None:
    shop = busy_shop
    for _ in range(5):
        order = shop.approved(10)
        moved, deleted = at_once(
            [
                lambda order=order: move(shop.ana, "in", order, shop.casting),
                lambda order=order: shop.ana.delete(f"/api/sales-order/{order}"),
            ]
        )
        assert (moved.status, deleted.status) in {(200, 409), (404, 200)}
        assert SalesOrder.objects.filter(pk=order).exists() == (moved.status == 200)


def test_a_product_is_either_deleted_or_ordered_never_both(busy_shop: Shop) -> None:
    shop = busy_shop
    for _ in range(10):
        ring = item()
        body = {
            "customerId": shop.customer.pk,
            "customerSalesOrderId": ring.key,
            "items": [{"itemId": ring.pk, "quantity": 1}],
        }
        ordered, deleted = at_once(
            [
                lambda body=body: shop.ana.post("/api/sales-order", body),
                lambda ring=ring: shop.ana.delete(f"/api/items/{ring.pk}"),
            ]
        )
        assert (ordered.status, deleted.status) in {(201, 409), (409, 200), (422, 200)}, (ordered, deleted)
