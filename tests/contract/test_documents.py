"""An event carries the document that HTTP answers. An answer adds only what depends on the caller."""

import json
from typing import Any

import pytest

from realtime.models import OutboxEvent
from tests.builders import Shop, line_path
from tests.project.billing.billing import PATH, billed, done, of, prepare
from tests.project.piecework.paying import PAYMENTS, item, left, paid

CALLER_FIELDS = {"actions"}
LINES_OF_AN_ORDER = {"items", "lines"}


def newest(kind: str) -> dict[str, Any]:
    payload = OutboxEvent.objects.filter(type=kind).order_by("-id").values_list("payload", flat=True)[0]
    data: dict[str, Any] = json.loads(payload)["data"]
    return data


def without(answer: dict[str, Any], *left_out: str) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name not in {*CALLER_FIELDS, *left_out}}


def test_an_order_is_the_same_in_an_event_its_list_and_its_page(shop: Shop) -> None:
    order = shop.approved(4, 6)
    shop.enter(order, shop.casting, 4)
    shop.leave(order, shop.casting, 4)
    shop.ana.put(f"/api/sales-order/{order}", {"notes": "Urgente"})
    (row,) = shop.ana.get("/api/sales-order").json
    page = shop.ana.get(f"/api/sales-order/{order}").json
    assert without(newest("order.changed"), *LINES_OF_AN_ORDER) == without(row)
    assert without(page, *LINES_OF_AN_ORDER) == without(row)


def test_a_line_is_the_same_in_an_event_its_list_its_page_the_board_and_the_station(shop: Shop) -> None:
    order = shop.approved(4)
    shop.enter(order, shop.casting, 4)
    document = newest("line.moved")["line"]
    (row,) = shop.ana.get("/api/sales-order/positions").json
    assert shop.ana.get("/api/shop-floor").json["lines"] == [document]
    assert shop.ana.get(f"/api/station/{shop.casting.pk}").json["inside"] == [row]
    page = shop.ana.get(line_path(order)).json
    assert {name: row[name] for name in document} == document
    assert {name: page[name] for name in document} == document


def test_the_head_of_an_order_is_the_same_in_a_line_s_event_and_in_its_list(shop: Shop) -> None:
    order = shop.approved(4, 6)
    shop.enter(order, shop.casting, 4)
    head = newest("line.moved")["order"]
    (row,) = shop.ana.get("/api/sales-order").json
    assert head == {name: row[name] for name in head}
    assert {"kind", "id", "version", "revision", "progress"} <= head.keys()


def test_a_bill_is_the_same_in_an_event_and_its_page(shop: Shop) -> None:
    prepare(shop)
    bill = billed(shop, of(done(shop, 4)))
    assert newest("delivery.changed")["bill"] == without(shop.ana.get(f"{PATH}/{bill['id']}").json)


def test_a_payment_is_the_same_in_an_event_and_its_page(shop: Shop) -> None:
    payment = paid(shop.ana, item(left(shop), 4))
    assert newest("payment.changed")["payment"] == without(shop.ana.get(f"{PAYMENTS}/{payment['id']}").json)


@pytest.mark.parametrize(
    ("path", "kind"), [("items", "item"), ("customers", "customer"), ("production-processes", "process")]
)
def test_products_customers_and_processes_name_themselves(shop: Shop, path: str, kind: str) -> None:
    row, *_ = shop.ana.get(f"/api/{path}").json
    assert row["kind"] == kind
    assert {"id", "version"} <= row.keys()
    assert shop.ana.get(f"/api/{path}/{row['id']}").json["kind"] == kind
