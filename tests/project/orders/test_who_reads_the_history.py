"""A line's history appears only in answers to users who may read it."""

from collections.abc import Callable

import pytest

from project.access.permissions import ALL, Permission
from tests.builders import Answer, Caller, Shop, line_path, move, release, somebody

NOTE = "Solo para el historial"
WITHOUT = ALL - {Permission.SalesOrderPositionRecord}
NAMELESS = WITHOUT - {Permission.ShopFloor}


@pytest.fixture
def order(shop: Shop) -> int:
    """An order with notes: Ana took 2 of 10 pieces through polishing and has 3 in casting."""
    order = shop.approved(10)
    for direction, process, quantity in (
        ("in", shop.polishing, 2),
        ("out", shop.polishing, 2),
        ("in", shop.casting, 3),
    ):
        assert shop.move(direction, order, process, quantity, notes=NOTE).status == 200
    return order


READS: dict[str, Callable[[int], str]] = {
    "line": line_path,
    "order": lambda order: f"/api/sales-order/{order}",
}
WRITES: dict[str, Callable[[Caller, Shop, int], Answer]] = {
    "edit line": lambda by, shop, order: by.put(f"{line_path(order)}/full", {"notes": "x"}),
    "edit order": lambda by, shop, order: by.put(f"/api/sales-order/{order}", {"notes": "x"}),
    "enter": lambda by, shop, order: move(by, "in", order, shop.casting, 1),
    "leave": lambda by, shop, order: move(by, "out", order, shop.casting, 1),
    "release": lambda by, shop, order: release(by, order, shop.polishing),
}


@pytest.mark.parametrize("read", READS)
def test_line_and_order_hide_the_history_without_its_permission(shop: Shop, order: int, read: str) -> None:
    for actions in ((Permission.ListOrders,), NAMELESS):
        answer = somebody(*actions).get(READS[read](order))
        assert answer.status == 200
        assert '"productionProcesses":[]' in answer.text
        assert NOTE not in answer.text
        assert "Ana Torres" not in answer.text
    assert NOTE in somebody(Permission.ListOrders, Permission.SalesOrderPositionRecord).get(READS[read](order)).text


@pytest.mark.parametrize("path", ["/api/sales-order", "/api/sales-order/positions"])
def test_lists_carry_no_history(shop: Shop, order: int, path: str) -> None:
    answer = shop.ana.get(path).text
    assert NOTE not in answer
    assert "productionProcesses" not in answer
    assert '"components"' not in answer


@pytest.mark.parametrize("write", WRITES)
def test_answers_to_changes_hide_the_history_without_its_permission(shop: Shop, order: int, write: str) -> None:
    caller = somebody(*NAMELESS, processes=[shop.casting, shop.polishing])
    answer = WRITES[write](caller, shop, order)
    assert answer.status == 200, answer
    assert '"productionProcesses":[]' in answer.text
    assert NOTE not in answer.text
    assert "Ana Torres" not in answer.text


def test_pieces_inside_are_shown_to_every_reader_of_the_line(shop: Shop, order: int) -> None:
    shop.move("in", order, shop.polishing, 1)
    one, other = somebody(Permission.ListOrders).get(line_path(order)).json["inside"]
    assert (one["productionProcessId"], one["quantity"], one["by"]) == (shop.casting.pk, 3, "")
    assert (other["productionProcessId"], other["quantity"]) == (shop.polishing.pk, 1)
    assert one["since"] < other["since"]


@pytest.mark.parametrize("names", [Permission.SalesOrderPositionRecord, Permission.ShopFloor])
def test_name_of_the_mover_is_shown_only_with_permission_for_history_or_board(
    shop: Shop, order: int, names: Permission
) -> None:
    (inside,) = somebody(Permission.ListOrders, names).get(line_path(order)).json["inside"]
    assert inside["by"] == "Ana Torres"


def test_release_offers_do_not_need_the_history_permission(shop: Shop, order: int) -> None:
    line = somebody(Permission.ListOrders, Permission.ReleaseProductionProccess).get(line_path(order)).json
    assert [one["productionProcessName"] for one in line["actions"]["release"]] == ["Fundición", "Pulido"]
