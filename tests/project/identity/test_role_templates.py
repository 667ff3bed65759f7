"""The roles of a usual workshop, from which new roles start, and what a permission needs to be of use."""

import pytest

from project.access.permissions import ALL, PERMISSIONS, Permission
from project.identity.templates import TEMPLATES, RoleTemplate
from tests.builders import Shop, somebody

ROLES = "/identity/roles"
NEEDS = {row.action: row.needs for row in PERMISSIONS}


@pytest.mark.parametrize(
    ("language", "name"), [("es", "Jefatura de taller"), ("en", "Workshop lead")], ids=["Spanish", "English"]
)
def test_templates_are_offered_in_the_language_of_the_request(shop: Shop, language: str, name: str) -> None:
    offered = shop.ana.get(f"{ROLES}/templates", accept_language=language).json
    assert [row["key"] for row in offered] == ["administration", "sales", "lead", "floor", "billing"]
    assert offered[2]["name"] == name
    assert set(offered[0]["permissions"]) == ALL


def test_who_may_create_no_role_reads_no_template(shop: Shop) -> None:
    assert somebody(Permission.ListRoles).get(f"{ROLES}/templates").code == "permission_denied"


def test_template_becomes_a_role_once(shop: Shop) -> None:
    floor = shop.ana.get(f"{ROLES}/templates").json[3]
    body = {name: floor[name] for name in ("name", "description", "permissions")}
    made = shop.ana.post(ROLES, body)
    assert (made.status, made.json["permissions"]) == (201, floor["permissions"])
    again = shop.ana.post(ROLES, body)
    assert (again.status, again.code, again.fields) == (409, "already_exists", {"name": "already_exists"})


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda one: one.key)
def test_template_holds_what_its_permissions_need(template: RoleTemplate) -> None:
    assert {action: NEEDS[action] - template.permissions for action in template.permissions if NEEDS[action]} == {
        action: frozenset() for action in template.permissions if NEEDS[action]
    }


def test_station_needs_movements_their_undo_and_no_sign_out(shop: Shop) -> None:
    rows = {row["action"]: row["needs"] for row in shop.ana.get("/identity/permissions").json}
    assert rows["Station"] == [
        "NoAutoLogoutInactivity",
        "SalesOrderPositionProcessIn",
        "SalesOrderPositionProcessOut",
        "SalesOrderPositionRecord",
    ]
    assert rows["UpdateCustomer"] == ["ListCustomers"]
    assert rows["Dashboard"] == []


@pytest.mark.parametrize(
    ("permissions", "administrator"),
    [
        ([], False),
        (["ListUsers", "UpdateUser"], False),
        (["ListUsers", "UpdateUser", "UpdateRole"], True),
        (sorted(ALL), True),
    ],
    ids=["none", "two of three", "all three", "every permission"],
)
def test_role_says_whether_it_makes_an_administrator(shop: Shop, permissions: list[str], administrator: bool) -> None:
    made = shop.ana.post(ROLES, {"name": "Piso", "permissions": permissions}).json
    assert made["administrator"] is administrator
