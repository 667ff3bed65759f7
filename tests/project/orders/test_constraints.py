"""The database itself refuses impossible rows."""

from datetime import timedelta
from typing import Any

import pytest

from project.core import clock
from project.orders.models import Line, ProcessRecord, SalesOrder
from tests.builders import Shop, person
from tests.constraints import refused


@pytest.mark.parametrize(
    "values",
    [
        {"quantity_inside": 11},
        {"quantity_inside": -1},
        {"quantity": 0},
        {"quantity": 3},
        {"quantity_billed": 11},
        {"quantity_billed": -1},
        {"position": 0},
        {"status": "Done"},
        {"status": "Invoiced", "quantity_billed": 10},
        {"quantity_billed": 4},
    ],
    ids=str,
)
def test_impossible_line_is_refused(shop: Shop, values: dict[str, Any]) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    assert refused(Line.objects.filter(order=order), **values)


def test_possible_line_is_written(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    assert not refused(Line.objects.filter(order=order), quantity_inside=10)


@pytest.mark.parametrize(
    ("values", "possible"),
    [
        ({"status": "Done", "quantity_billed": 4}, True),
        ({"status": "Invoiced", "quantity_billed": 10}, True),
        ({"status": "Done", "quantity_billed": 10}, False),
        ({"status": "Invoiced", "quantity_billed": 9}, False),
        ({"status": "Invoiced"}, False),
        *(({"status": status, "quantity_billed": 4}, False) for status in ("New", "Approved", "InProcess", "Canceled")),
    ],
    ids=str,
)
def test_only_a_done_line_has_billed_pieces_and_a_fully_billed_one_is_invoiced(
    shop: Shop, values: dict[str, Any], possible: bool
) -> None:
    assert refused(Line.objects.filter(order=shop.order(10)), **values) is not possible


def test_impossible_record_is_refused(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    record = ProcessRecord.objects.filter(line__order=order)
    somebody, now = person("dora"), clock.now()
    for values in (
        {"quantity": 0},
        {"output_at": now - timedelta(days=1), "output_by": somebody},
        {"output_at": now},
        {"output_by": somebody},
        {"released_at": now},
        {"released_by": somebody},
        {"quantity_paid": 5},
        {"quantity_paid": -1},
    ):
        assert refused(record, **values), values
    assert not refused(record, output_at=now, output_by=somebody)


def test_two_lines_cannot_share_a_position(shop: Shop) -> None:
    order = shop.order(1, 1)
    assert refused(Line.objects.filter(order=order, position=2), position=1)


def test_two_orders_of_a_customer_cannot_share_a_po(shop: Shop) -> None:
    shop.order(1, customerSalesOrderId="PO-A")
    other = shop.order(1, customerSalesOrderId="PO-B")
    assert refused(SalesOrder.objects.filter(pk=other), customer_sales_order_id="po-a")
