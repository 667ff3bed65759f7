"""The list of orders has figures of each order's lines, but not the lines."""

from datetime import timedelta
from typing import Any

from project.access.permissions import Permission
from project.core import clock
from project.orders.models import Line
from tests.builders import Shop, buyer, item, process, release, somebody, usually

ORDERS = "/api/sales-order"


def summary(shop: Shop, order: int) -> dict[str, Any]:
    (found,) = [row for row in shop.ana.get(ORDERS).json if row["id"] == order]
    row: dict[str, Any] = found
    return row


def finish(shop: Shop, order: int, position: int = 1) -> None:
    shop.status(order, position, "Done")


def test_row_has_exactly_the_columns_of_the_list(shop: Shop) -> None:
    order = shop.order(3, notes="Con cuidado", customerSalesOrderId="PO-77", salesOrderDate="2026-02-03")
    row = summary(shop, order)
    assert row.pop("creationDate").endswith("Z")
    assert row == {
        "kind": "order",
        "id": order,
        "revision": 2,
        "customerSalesOrderId": "PO-77",
        "customerId": shop.customer.pk,
        "customerName": "Platería del Sur",
        "salesOrderDate": "2026-02-03",
        "notes": "Con cuidado",
        "status": "New",
        "version": 1,
        "linesCount": 1,
        "openLinesCount": 1,
        "lateLinesCount": 0,
        "quantity": 3,
        "quantityDone": 0,
        "progress": 0.0,
        "firstDeliveryDate": None,
        "forecast": None,
        "offers": {"delete": True},
    }


def test_canceled_lines_count_as_lines_but_not_by_their_pieces(shop: Shop) -> None:
    order = shop.order(6, 10, 99)
    shop.status(order, 3, "Canceled")
    shop.status(order, 1, "Approved")
    finish(shop, order)
    row = summary(shop, order)
    assert (row["linesCount"], row["openLinesCount"]) == (3, 1)
    assert (row["quantity"], row["quantityDone"], row["progress"]) == (16, 6, 0.375)


def test_first_delivery_date_is_of_open_lines_or_else_of_done_ones(shop: Shop) -> None:
    today = clock.today()
    order = shop.order(1, 1, 1)
    for position, days in ((1, -9), (2, 5), (3, 2)):
        Line.objects.filter(order=order, position=position).update(delivery_date=today + timedelta(days=days))
        if position != 2:
            shop.status(order, position, "Approved")
    assert (summary(shop, order)["lateLinesCount"], summary(shop, order)["firstDeliveryDate"]) == (
        1,
        (today - timedelta(days=9)).isoformat(),
    )
    finish(shop, order)
    assert summary(shop, order)["firstDeliveryDate"] == (today + timedelta(days=2)).isoformat()
    assert summary(shop, order)["lateLinesCount"] == 0
    finish(shop, order, 3)
    shop.status(order, 2, "Canceled")
    assert summary(shop, order)["firstDeliveryDate"] == (today - timedelta(days=9)).isoformat()


def test_delete_is_not_offered_once_pieces_moved(shop: Shop) -> None:
    order = shop.approved(4)
    assert summary(shop, order)["offers"]["delete"] is True
    shop.enter(order, shop.casting, 1)
    assert summary(shop, order)["offers"]["delete"] is False


def test_progress_of_a_piece_counts_the_processes_its_product_usually_takes(shop: Shop) -> None:
    usually(shop, shop.item, shop.casting, shop.polishing)
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    assert summary(shop, order)["progress"] == 0.0
    shop.leave(order, shop.casting, 5)
    assert summary(shop, order)["progress"] == 0.25
    shop.leave(order, shop.casting)
    shop.enter(order, shop.polishing)
    shop.leave(order, shop.polishing)
    assert summary(shop, order)["progress"] == 1.0


def test_process_that_the_product_does_not_usually_take_is_no_progress(shop: Shop) -> None:
    usually(shop, shop.item, shop.casting)
    order = shop.approved(4)
    shop.enter(order, shop.casting, 1)
    shop.leave(order, shop.casting)
    assert summary(shop, order)["progress"] == 0.25
    shop.enter(order, shop.polishing, 1)
    shop.leave(order, shop.polishing)
    assert summary(shop, order)["progress"] == 0.25


def test_released_records_are_no_progress(shop: Shop) -> None:
    usually(shop, shop.item, shop.casting, shop.polishing)
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    assert summary(shop, order)["progress"] == 0.5
    assert release(shop.ana, order, shop.casting).status == 200
    assert summary(shop, order)["progress"] == 0.0


def test_list_stays_small_with_many_lines(shop: Shop) -> None:
    big = shop.order(items=[{"itemId": item().pk, "quantity": 1, "notes": "x" * 200}] * 300)
    process("Otro", order=9)
    answer = shop.ana.get(ORDERS)
    assert summary(shop, big)["linesCount"] == 300
    assert len(answer.text) < 1_000


def test_order_has_the_figures_of_its_list_row_also_when_deleted(shop: Shop) -> None:
    order = shop.approved(4, 6)
    row = summary(shop, order)
    for whole in (shop.ana.get(f"{ORDERS}/{order}").json, shop.ana.delete(f"{ORDERS}/{order}").json):
        assert len(whole.pop("items")) == 2
        assert whole.pop("actions") == {"edit": True, "delete": True}
        assert whole == row


def test_waiting_pieces_are_shown_to_staff_alone_and_their_person_to_readers_of_histories_or_the_board(
    shop: Shop,
) -> None:
    """Waiting pieces reveal which processes the product usually takes, learned from the orders of all customers."""
    order = shop.approved(4)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    ana = shop.ana.user.full_name
    for rights, by in (
        ([Permission.ListOrders], ""),
        ([Permission.ListOrders, Permission.SalesOrderPositionRecord], ana),
        ([Permission.ListOrders, Permission.ShopFloor], ana),
    ):
        (line,) = somebody(*rights).get(f"{ORDERS}/{order}").json["items"]
        (waits,) = line["waiting"]
        assert (waits["productionProcessId"], waits["quantity"], waits["by"]) == (shop.polishing.pk, 4, by)
        (where,) = line["standing"]["processes"]
        assert (where["productionProcessId"], where["quantity"], where["by"]) == (shop.polishing.pk, 4, by)
    customer = buyer(shop.customer, Permission.ListOrders, Permission.SalesOrderPositionRecord)
    (line,) = customer.get(f"{ORDERS}/{order}").json["items"]
    assert line["waiting"] == []
    nothing = {"processes": [], "nextProcesses": None, "hereSince": None}
    assert line["standing"] == {"kind": "waiting", **nothing, "lateDays": 0}


def test_revision_grows_with_every_change_of_the_order_or_a_line(shop: Shop) -> None:
    order = shop.approved(4, 6)
    revisions = [summary(shop, order)["revision"]]
    version = summary(shop, order)["version"]
    for change in (
        lambda: shop.enter(order, shop.casting, 1),
        lambda: shop.enter(order, shop.casting, 1),
        lambda: shop.ana.put(f"{ORDERS}/{order}", {"notes": "Urgente"}),
    ):
        change()
        revisions.append(summary(shop, order)["revision"])
    assert revisions == sorted(set(revisions))
    assert summary(shop, order)["version"] > version


def test_list_row_has_the_figures_of_the_order(shop: Shop) -> None:
    first = shop.order(6, 10, 4, 8)
    for position in (1, 2, 3):
        shop.status(first, position, "Approved")
    finish(shop, first, 3)
    shop.status(first, 4, "Canceled")
    Line.objects.filter(order=first, position=2).update(delivery_date=clock.today() - timedelta(days=3))
    shop.enter(first, shop.casting, 5)
    shop.leave(first, shop.casting, 3)
    second = shop.approved(4)
    shop.enter(second, shop.polishing)
    for order in (first, second):
        whole = shop.ana.get(f"{ORDERS}/{order}").json
        del whole["items"], whole["actions"]
        assert whole == summary(shop, order)
