"""Roles: create, read, change, delete, and who may grant their permissions."""

from typing import Any

import pytest

from project.access.permissions import ADMINISTRATOR, ALL, PERMISSIONS, Permission
from project.identity.models import Role, User
from tests.builders import Shop, somebody

ROLES = "/identity/roles"


def created(shop: Shop, **fields: Any) -> dict[str, Any]:
    answer = shop.ana.post(ROLES, {"name": "Piso"} | fields)
    assert answer.status == 201, answer
    made: dict[str, Any] = answer.json
    return made


def test_role_is_created_read_changed_and_deleted(shop: Shop) -> None:
    made = created(shop, description="Quien mueve piezas", permissions=["ShopFloor", "ListOrders"])
    assert made["permissions"] == ["ListOrders", "ShopFloor"]
    assert (made["usersCount"], made["version"]) == (0, 1)
    path = f"{ROLES}/{made['id']}"
    assert shop.ana.get(path).json == made
    changed = shop.ana.put(path, {"permissions": ["ShopFloor"]}).json
    assert changed == made | {"permissions": ["ShopFloor"], "version": 2}
    deleted = shop.ana.delete(path)
    assert (deleted.status, deleted.json) == (200, changed)
    assert shop.ana.get(path).status == 404


def test_role_name_is_unique_regardless_of_case(shop: Shop) -> None:
    made = created(shop)
    answer = shop.ana.post(ROLES, {"name": "PISO"})
    assert (answer.status, answer.code, answer.fields) == (409, "already_exists", {"name": "already_exists"})
    other = created(shop, name="Otra")
    assert shop.ana.put(f"{ROLES}/{other['id']}", {"name": "piso"}).code == "already_exists"
    assert shop.ana.put(f"{ROLES}/{made['id']}", {"name": "PISO"}).status == 200


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"name": ""}, {"name": "required"}),
        ({"name": None}, {"name": "invalid_type"}),
        ({"permissions": ["Fly"]}, {"permissions.0": "not_a_choice"}),
        ({"permissions": "Dashboard"}, {"permissions": "invalid_type"}),
        ({"usersCount": 5}, {"usersCount": "unknown_field"}),
        ({"version": 5}, {"version": "unknown_field"}),
    ],
    ids=str,
)
def test_bad_fields_are_named_in_the_422(shop: Shop, fields: dict[str, Any], refused: dict[str, str]) -> None:
    made = created(shop)
    for answer in (
        shop.ana.post(ROLES, {"name": "Nueva"} | fields),
        shop.ana.put(f"{ROLES}/{made['id']}", fields),
    ):
        assert (answer.status, answer.fields) == (422, refused)


def test_user_cannot_put_a_permission_they_lack_into_a_role(shop: Shop) -> None:
    little = somebody(Permission.CreateRole, Permission.UpdateRole, Permission.ListRoles)
    role = created(shop)
    for answer in (
        little.post(ROLES, {"name": "Mía", "permissions": [Permission.ListRoles, Permission.DeleteUser]}),
        little.put(f"{ROLES}/{role['id']}", {"permissions": [Permission.DeleteUser]}),
    ):
        assert (answer.status, answer.code) == (403, "permission_denied")
        assert answer.json["params"] == {"missing": ["DeleteUser"]}
    assert not Role.objects.filter(name="Mía").exists()
    assert little.post(ROLES, {"name": "Mía", "permissions": [Permission.ListRoles]}).status == 201


def test_user_may_edit_a_role_that_holds_more_but_not_add_what_they_lack(shop: Shop) -> None:
    """Only added permissions need to be held by the caller."""
    little = somebody(Permission.UpdateRole, Permission.ListRoles)
    role = created(shop, permissions=[Permission.DeleteUser])
    path = f"{ROLES}/{role['id']}"
    assert (
        little.put(path, {"name": "Otra", "permissions": [Permission.DeleteUser, Permission.ListRoles]}).status == 200
    )
    assert little.put(path, {"permissions": [Permission.DeleteUser, Permission.CreateUser]}).status == 403


@pytest.mark.parametrize("action", sorted(ADMINISTRATOR))
def test_last_administrator_keeps_every_administrator_permission(shop: Shop, action: str) -> None:
    beto_role, ana_role = (caller.user.roles.get() for caller in (shop.beto, shop.ana))  # type: ignore[union-attr]
    assert shop.ana.put(f"{ROLES}/{beto_role.pk}", {"permissions": [Permission.ListRoles]}).status == 200
    answer = shop.ana.put(f"{ROLES}/{ana_role.pk}", {"permissions": sorted(ALL - {action})})
    assert (answer.status, answer.code) == (409, "last_administrator")
    assert shop.ana.delete(f"{ROLES}/{ana_role.pk}").code == "last_administrator"
    assert shop.ana.get("/identity/users").status == 200


def test_administrator_permissions_may_come_from_several_roles(shop: Shop) -> None:
    """Once Ana and Beto are inactive, Dora is an administrator through two roles."""
    first = created(shop, name="A", permissions=[Permission.ListUsers, Permission.UpdateUser])
    second = created(shop, name="B", permissions=[Permission.UpdateRole, Permission.DeleteRole])
    dora = somebody()
    shop.ana.put(f"/identity/users/{dora.id}", {"roleIds": [first["id"], second["id"]]})
    User.objects.filter(pk__in=[shop.ana.id, shop.beto.id]).update(active=False)
    assert dora.delete(f"{ROLES}/{second['id']}").code == "last_administrator"


def test_users_count_of_a_role_counts_each_user_once(shop: Shop) -> None:
    role = created(shop, permissions=[Permission.ListRoles, Permission.ListUsers, Permission.Dashboard])
    for caller in (shop.beto, shop.carla):
        shop.ana.put(f"/identity/users/{caller.id}", {"roleIds": [role["id"]]})
    assert shop.ana.get(f"{ROLES}/{role['id']}").json["usersCount"] == 2
    listed = {row["name"]: row["usersCount"] for row in shop.ana.get(ROLES).json}
    assert listed["Piso"] == 2


def test_every_permission_is_listed_with_group_and_descriptions(shop: Shop) -> None:
    answer = shop.ana.get("/identity/permissions")
    assert answer.headers["X-Total-Count"] == str(len(Permission))
    assert [row["action"] for row in answer.json] == list(Permission)
    assert [row["id"] for row in answer.json] == list(range(1, len(Permission) + 1))
    assert all(row["group"] and row["descriptionEs"] and row["descriptionEn"] for row in answer.json)
    assert (
        len({row.description_es for row in PERMISSIONS})
        == len({row.description_en for row in PERMISSIONS})
        == len(Permission)
    )


def test_a_stale_version_is_refused(shop: Shop) -> None:
    role = created(shop)
    path = f"{ROLES}/{role['id']}"
    assert shop.ana.put(path, {"description": "a"}, if_match='"1"').headers["ETag"] == '"2"'
    assert shop.ana.put(path, {"description": "b"}, if_match='"1"').code == "stale_version"
