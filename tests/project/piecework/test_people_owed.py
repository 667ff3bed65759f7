"""The amount owed to each person, for a range of days and in total."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.orders.models import ProcessRecord
from tests.builders import Caller, Shop, person, release, somebody
from tests.project.piecework.paying import PAYABLES, cancel, item, left, order_of, paid

PLANT = clock.plant()
PEOPLE = f"{PAYABLES}/people"


def owed(by: Caller, query: str = "") -> list[dict[str, Any]]:
    answer = by.get(f"{PEOPLE}?{query}")
    assert answer.status == 200, answer
    rows: list[dict[str, Any]] = answer.json
    return rows


def left_at(shop: Shop, instant: datetime, quantity: int = 10, **fields: Any) -> int:
    record = left(shop, quantity)
    ProcessRecord.objects.filter(pk=record).update(input_at=instant - timedelta(hours=1), output_at=instant, **fields)
    return record


def test_owed_amount_equals_the_payment_of_its_records(shop: Shop) -> None:
    oldest = left_at(shop, datetime(2026, 3, 2, 9, tzinfo=PLANT), 3, price="1.005")
    left_at(shop, datetime(2026, 3, 3, 9, tzinfo=PLANT), 3, price="1.005")
    paid(shop.beto, item(left_at(shop, datetime(2026, 3, 4, 9, tzinfo=PLANT), 10, price="2"), 4))
    (row,) = owed(shop.beto)
    since = f"{ProcessRecord.objects.get(pk=oldest).output_at:%Y-%m-%dT%H:%M:%S.000Z}"
    assert row == {
        "userId": shop.ana.id,
        "fullName": "Ana Torres",
        "currency": "MXN",
        "records": 3,
        "pieces": 12,
        "amount": 18.04,
        "unweighed": 0,
        "since": since,
        "owedRecords": 3,
        "owedPieces": 12,
        "owedAmount": 18.04,
        "owedSince": since,
        "processes": [
            {
                "productionProcessId": shop.casting.pk,
                "productionProcessName": "Fundición",
                "records": 3,
                "pieces": 12,
                "amount": 18.04,
            }
        ],
    }
    records = shop.beto.get(f"{PAYABLES}?pending=true").json
    whole = paid(shop.beto, *(item(one["id"], one["remainingQuantity"], one["price"]) for one in records))
    assert whole["total"] == 18.04
    assert owed(shop.beto) == []


@pytest.mark.usefixtures("in_mexico_city")
def test_week_begins_and_ends_at_the_plants_midnight(shop: Shop) -> None:
    """23:30 on Sunday in the plant is already Monday in UTC."""
    for day, hour, quantity in ((1, 23, 1), (2, 0, 10), (8, 23, 100), (9, 0, 1_000)):
        left_at(shop, datetime(2026, 3, day, hour, 30, tzinfo=clock.plant()), quantity, price="1")
    (row,) = owed(shop.ana, "from=2026-03-02&to=2026-03-08")
    assert (row["records"], row["pieces"], row["amount"], row["since"]) == (2, 110, 110, "2026-03-02T06:30:00.000Z")
    assert (row["owedPieces"], row["owedAmount"], row["owedSince"]) == (1_111, 1_111, "2026-03-02T05:30:00.000Z")


def test_person_owed_only_for_other_days_is_listed(shop: Shop) -> None:
    left_at(shop, datetime(2026, 3, 1, 12, tzinfo=PLANT))
    (row,) = owed(shop.ana, "from=2026-03-02&to=2026-03-08")
    assert (row["records"], row["pieces"], row["amount"], row["since"]) == (0, 0, 0, None)
    assert row["owedAmount"] == 92.5


def test_processes_of_the_days_are_in_the_order_of_production(shop: Shop) -> None:
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(order=9)
    for process, quantity in ((shop.casting, 3), (shop.polishing, 4), (shop.casting, 5)):
        ProcessRecord.objects.filter(pk=left(shop, quantity, process)).update(price="1.5")
    left_at(shop, datetime(2026, 3, 2, 12, tzinfo=PLANT), 100)
    (row,) = owed(shop.ana, f"from={clock.today()}")
    assert [
        (one["productionProcessName"], one["records"], one["pieces"], one["amount"]) for one in row["processes"]
    ] == [
        ("Pulido", 1, 4, 6),
        ("Fundición", 2, 8, 12),
    ]
    assert (row["records"], row["pieces"], row["amount"], row["owedPieces"]) == (3, 12, 18, 112)


def test_people_are_sorted_by_amount_of_the_days_then_in_total(shop: Shop) -> None:
    dora, elsa = person("dora").pk, person("elsa").pk
    left_at(shop, datetime(2026, 3, 2, 12, tzinfo=PLANT), 5)
    left_at(shop, datetime(2026, 3, 2, 12, tzinfo=PLANT), 7, output_by=dora)
    left_at(shop, datetime(2026, 2, 2, 12, tzinfo=PLANT), 99, output_by=elsa)
    assert [row["userId"] for row in owed(shop.ana, "from=2026-03-01")] == [dora, shop.ana.id, elsa]
    assert [row["userId"] for row in owed(shop.ana)] == [elsa, dora, shop.ana.id]


def test_released_records_are_not_owed_and_canceled_payments_are_again(shop: Shop) -> None:
    released, record = left(shop), left(shop)
    release(shop.ana, order_of(released), shop.casting)
    made = paid(shop.ana, item(record))
    assert owed(shop.ana) == []
    cancel(shop.ana, made["id"])
    assert [row["records"] for row in owed(shop.ana)] == [1]


def test_list_costs_a_constant_number_of_queries(shop: Shop) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            owed(shop.ana)
        return len(seen)

    left(shop)
    owed(shop.ana)
    one = queries()
    for number in range(5):
        left_at(shop, datetime(2026, 3, 2, 12, tzinfo=PLANT), output_by=person(f"worker{number}").pk)
    assert queries() == one


def test_owed_amounts_need_permission_to_see_payables(shop: Shop) -> None:
    assert shop.carla.get(PEOPLE).status == 403
    assert somebody(Permission.ReportPaidOrders).get(PEOPLE).status == 403
    assert somebody(Permission.ReportPayOrders).get(PEOPLE).status == 200
