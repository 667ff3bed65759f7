"""Paying people together: each gets a payment of their own for all that they are owed, or nobody is paid."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.orders.models import ProcessRecord
from project.piecework import services
from project.piecework.models import Payment
from realtime.models import OutboxEvent
from tests.builders import Caller, Shop, buyer, person, release, somebody
from tests.project.piecework.paying import PAYABLES, PAYMENTS, cancel, item, left, order_of, owed_for, paid, pay_people

DAY = datetime(2026, 3, 4, 12, tzinfo=clock.plant())


def left_by(user_id: int, shop: Shop, quantity: int = 10, at: datetime = DAY, **fields: Any) -> int:
    record = left(shop, quantity)
    ProcessRecord.objects.filter(pk=record).update(
        input_at=at - timedelta(hours=1), output_at=at, output_by=user_id, **fields
    )
    return record


def owed(by: Caller, query: str = "") -> list[dict[str, Any]]:
    """The people owed something for the days, as the body of a payment names them."""
    rows = by.get(f"{PAYABLES}/people?{query}").json
    return [{name: row[name] for name in ("userId", "records", "pieces", "amount")} for row in rows if row["records"]]


def payments(by: Caller) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = by.get(f"{PAYMENTS}?ordering=id").json
    return rows


def test_each_person_gets_a_payment_of_all_their_records(shop: Shop) -> None:
    zeno = person("zeno").pk
    mine = [left_by(shop.ana.id, shop, 3, price="1.005"), left_by(shop.ana.id, shop, 3, price="1.005")]
    partly = left_by(zeno, shop, 10, price="2")
    paid(shop.ana, item(partly, 4))
    before = len(payments(shop.ana))
    people = owed(shop.beto)
    answer = pay_people(shop.beto, *people, notes="semana 10", date="2026-03-07")
    assert answer.status == 201, answer
    made = payments(shop.ana)[before:]
    assert answer.json == [{"id": row["id"], "version": 1} for row in made]
    assert [(row["userId"], row["total"], row["date"], row["notes"], row["createdBy"]) for row in made] == [
        (one["userId"], one["amount"], "2026-03-07", "semana 10", "Beto Torres") for one in people
    ]
    records = {row["userId"]: sorted(one["processRecordId"] for one in row["items"]) for row in made}
    assert records == {shop.ana.id: mine, zeno: [partly]}
    assert {row["userId"]: row["total"] for row in made} == {shop.ana.id: 6.04, zeno: 12}
    assert owed(shop.beto) == []


def test_only_the_days_are_paid(shop: Shop) -> None:
    left_by(shop.ana.id, shop, 5)
    other = left_by(shop.ana.id, shop, 7, DAY - timedelta(days=7))
    days = {"from": "2026-03-02", "to": "2026-03-08"}
    people = owed(shop.ana, "from=2026-03-02&to=2026-03-08")
    assert pay_people(shop.ana, *people, **days).status == 201
    assert [row["pieces"] for row in owed(shop.ana)] == [7]
    assert ProcessRecord.objects.get(pk=other).quantity_paid == 0


def test_items_are_in_the_order_of_production_then_of_exits(shop: Shop) -> None:
    late, early = left_by(shop.ana.id, shop, 1), left_by(shop.ana.id, shop, 2, DAY - timedelta(hours=5))
    polished = left(shop, 3, shop.polishing)
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(order=9)
    assert pay_people(shop.ana, *owed(shop.ana)).status == 201
    (made,) = payments(shop.ana)
    assert [row["processRecordId"] for row in made["items"]] == [polished, early, late]


@pytest.mark.parametrize("change", ["paid", "released", "new", "price"])
def test_nobody_is_paid_if_what_one_is_owed_has_changed(shop: Shop, change: str) -> None:
    zeno = person("zeno").pk
    mine = left_by(shop.ana.id, shop)
    left_by(zeno, shop)
    people = owed(shop.beto)
    before = Payment.objects.count()
    if change == "paid":
        paid(shop.ana, item(mine, 4))
        before += 1
    elif change == "released":
        release(shop.ana, order_of(mine), shop.casting)
    elif change == "new":
        left_by(shop.ana.id, shop, 1)
    else:
        ProcessRecord.objects.filter(pk=mine).update(price="9.26")
    events = OutboxEvent.objects.count()
    answer = pay_people(shop.beto, *people)
    assert (answer.status, answer.code) == (409, "owed_changed")
    assert answer.json["params"] == {"userIds": [shop.ana.id]}
    assert (Payment.objects.count(), OutboxEvent.objects.count()) == (before, events)
    assert pay_people(shop.beto, *owed(shop.beto)).status == 201
    assert owed(shop.beto) == []


def test_a_payment_among_several_can_be_canceled_and_paid_again(shop: Shop) -> None:
    left_by(shop.ana.id, shop)
    left_by(person("zeno").pk, shop)
    people = owed(shop.ana)
    made = pay_people(shop.ana, *people).json
    assert cancel(shop.ana, made[0]["id"]).status == 200
    assert owed(shop.ana) == [people[0]]
    assert pay_people(shop.ana, people[0]).status == 201


def test_a_person_with_too_many_records_gets_several_payments(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "ITEMS", 2)
    for quantity in range(1, 6):
        left_by(shop.ana.id, shop, quantity)
    (one,) = owed(shop.ana)
    assert len(pay_people(shop.ana, one).json) == 3
    made = payments(shop.ana)
    assert [len(row["items"]) for row in made] == [2, 2, 1]
    assert round(sum(row["total"] for row in made), 2) == one["amount"]


def test_too_many_records_are_refused(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "TOGETHER", 1)
    left_by(shop.ana.id, shop)
    left_by(shop.ana.id, shop)
    answer = pay_people(shop.ana, *owed(shop.ana))
    assert (answer.status, answer.fields) == (422, {"people": "too_many"})


def test_invalid_people_are_named_in_the_422(shop: Shop) -> None:
    one = owed_for(shop, left(shop))
    unknown, customer = one | {"userId": 999_999}, one | {"userId": buyer(shop.customer).id}
    for people, fields in (
        ([], {"people": "required"}),
        ([one, one], {"people.1.userId": "named_twice"}),
        ([one, unknown], {"people.1.userId": "unknown"}),
        ([customer], {"people.0.userId": "unknown"}),
        ([one | {"records": 0}], {"people.0.records": "too_small"}),
        ([one | {"amount": -1}], {"people.0.amount": "too_small"}),
        ([one | {"price": 1}], {"people.0.price": "unknown_field"}),
    ):
        answer = pay_people(shop.ana, *people)
        assert (answer.status, answer.fields) == (422, fields)
    assert Payment.objects.count() == 0


def test_paying_people_needs_the_permission_to_pay(shop: Shop) -> None:
    one = owed_for(shop, left(shop))
    readers = somebody(Permission.ReportPayOrders, Permission.ReportPaidOrders, Permission.CancelPay)
    assert pay_people(readers, one).status == 403
    assert pay_people(somebody(Permission.CreatePay), one).status == 201


def test_paying_many_costs_as_many_queries_as_paying_few(shop: Shop) -> None:
    def queries() -> int:
        people = owed(shop.ana)
        with CaptureQueriesContext(connection) as captured:
            assert pay_people(shop.ana, *people).status == 201
        return len(captured)

    for name in ("zeno", "yago"):
        left_by(person(name).pk, shop)
    few = queries()
    for number in range(8):
        left_by(person(f"worker{number}").pk, shop)
        left_by(shop.ana.id, shop)
    assert queries() == few
