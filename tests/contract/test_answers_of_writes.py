"""The answer of a write reveals nothing that a GET refuses to the same caller."""

import pytest

from project.access.permissions import Permission
from project.catalogs.models import ItemComponent
from project.identity.models import Role, RolePermission
from project.orders.models import Line, SalesOrder
from tests.builders import Shop, component, line_path, somebody
from tests.contract.operations import Operation, operations
from tests.project.audit.test_every_write import DEEDS, media

__all__ = ["media"]

BY_NAME = {operation.name: operation for operation in operations()}
OWN_ACCOUNT = {"user_change_language"}
"""Writes of the caller's own account, which everyone may read."""
PICTURES = {name for name in DEEDS if name.endswith("_picture_put")}
"""Writes that answer with the picture, without any field of its record."""
ALSO_NEEDED = {
    "role_update": (Permission.ShopFloor,),
    "display_create": (Permission.ShopFloor,),
    "station_hand_over": (Permission.SalesOrderPositionProcessIn, Permission.SalesOrderPositionProcessOut),
}
"""Further permissions that a write needs: those it grants, or those of the writes it consists of."""
CHANGES_NOTES = {Permission.UpdateSalesOrder, Permission.UpdateSalesOrderPosition}
READS_LINE_NOTES = CHANGES_NOTES | {Permission.Station}
"""Permissions of writes whose holders read how a line is made."""


def reader_of(name: str) -> Operation:
    """The GET of the record that a write changes."""
    others = {"press_undo": "sales_order_position_get", "part_put": "part_list"}
    others |= dict.fromkeys(("settlement_create", "settlement_cancel"), "settlement_list")
    if name in others:
        return BY_NAME[others[name]]
    entities = [one.removesuffix("_get") for one in BY_NAME if one.endswith("_get") and name.startswith(one[:-3])]
    return BY_NAME[f"{max(entities, key=len)}_get"]


def hold(shop: Shop, *actions: str) -> None:
    """Reduce Ana's permissions to `actions`."""
    role = Role.objects.get(users=shop.ana.id)
    role.permissions.all().delete()
    RolePermission.objects.bulk_create(RolePermission(role=role, action=action) for action in actions)


@pytest.mark.parametrize("name", sorted(set(DEEDS) - OWN_ACCOUNT - PICTURES))
def test_with_its_own_permission_alone_a_write_reveals_no_more_than_a_get(
    shop: Shop, quick_passwords: None, media: None, name: str
) -> None:
    ItemComponent.objects.create(item=shop.item, place=1, component=component(), notes="secreto")
    write = DEEDS[name](shop)
    SalesOrder.objects.update(notes="reservado")
    Line.objects.update(notes="secreto")
    needed = BY_NAME[name].permissions
    hold(shop, *needed, *ALSO_NEEDED.get(name, ()))
    refused = shop.ana.get(reader_of(name).path).status == 403
    shop.ana.headers["idempotency_key"] = "k1"
    for answer in (write(), write()):
        assert answer.status in (200, 201), answer
        if name.startswith(("sales_order", "station", "press")):
            assert refused == name.startswith(("sales_order", "press"))
            assert ("reservado" in answer.text) <= bool(needed & CHANGES_NOTES)
            assert ("secreto" in answer.text) <= bool(needed & READS_LINE_NOTES)
        elif refused:
            rows = answer.json if isinstance(answer.json, list) else [answer.json]
            assert all(row.keys() <= {"id", "version"} for row in rows)


def test_only_short_lists_are_readable_without_any_permission(shop: Shop) -> None:
    whole = {name for name in DEEDS if shop.carla.get(reader_of(name).path).status != 403}
    lists = ("customer_type", "tax_section", "release_reason", "scrap_reason", "tray", "part")
    assert {name for name in whole if not name.startswith(lists)} == set()


def test_a_caller_who_may_read_the_record_gets_it_whole_from_a_write(shop: Shop) -> None:
    keeper = somebody(Permission.UpdateCustomer, Permission.ListCustomers)
    path = f"/api/customers/{shop.customer.pk}"
    answer = keeper.put(path, {"quinto": "Q-9"})
    assert answer.json == keeper.get(path).json
    only = somebody(Permission.UpdateCustomer).put(path, {"quinto": "Q-8"})
    assert (only.json, only.headers["ETag"]) == ({"id": shop.customer.pk, "version": 3}, '"3"')
    worker = somebody(Permission.UpdateUser)
    assert worker.put(f"/identity/users/{worker.id}", {"language": "en"}).json["language"] == "en"


def test_filter_by_user_does_not_open_a_single_process(shop: Shop) -> None:
    path = f"/api/production-processes/{shop.casting.pk}?filterByUser=true"
    assert shop.carla.get(path).status == 403
    answer = somebody(Permission.UpdateProductionProcess).put(path, {"price": 2})
    assert answer.json.keys() == {"id", "version"}


def test_filter_by_user_hides_the_other_workers_of_a_process(shop: Shop) -> None:
    path = "/api/production-processes?filterByUser=true"
    shop.casting.workers.create(user_id=shop.carla.id)
    (row,) = shop.carla.get(path).json
    assert (row["id"], row["userIds"]) == (shop.casting.pk, [shop.carla.id])
    assert shop.ana.get(path).json[0]["userIds"] == [shop.ana.id, shop.carla.id]


@pytest.mark.parametrize("action", [Permission.SalesOrderPositionProcessIn, Permission.UpdateSalesOrderPositionStatus])
def test_a_write_answers_the_notes_only_to_a_caller_who_may_list_orders(shop: Shop, action: Permission) -> None:
    body = {"productionProcessId": shop.casting.pk}
    for reads, notes in ((Permission.ListOrders, "urgente"), (Permission.Dashboard, "")):
        caller = somebody(action, reads, processes=[shop.casting])
        changes = action == Permission.UpdateSalesOrderPositionStatus
        order = shop.order(5) if changes else shop.approved(5)
        Line.objects.update(notes="urgente")
        path = line_path(order)
        answer = (
            caller.put(f"{path}/update-status/Approved")
            if changes
            else caller.put(f"{path}/production-process/in", body)
        )
        assert (answer.status, answer.json["notes"]) == (200, notes)
