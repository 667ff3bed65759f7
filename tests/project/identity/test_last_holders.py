"""A user cannot change one who holds more permissions, and every permission keeps its last holder."""

from collections.abc import Callable
from typing import Any

import pytest

from project.access.permissions import ALL, Permission
from project.identity.models import RolePermission, User
from project.identity.selectors import held_by_anybody
from tests.builders import Answer, Caller, Shop, at_once, somebody

USERS, ROLES = "/identity/users", "/identity/roles"
IDENTITY = (
    Permission.ListUsers,
    Permission.CreateUser,
    Permission.UpdateUser,
    Permission.DeleteUser,
    Permission.ListRoles,
    Permission.CreateRole,
    Permission.UpdateRole,
    Permission.DeleteRole,
)

pytestmark = pytest.mark.usefixtures("quick_passwords")


def role_of(caller: Caller) -> int:
    assert caller.user is not None
    return int(caller.user.roles.get().pk)


ATTACKS: dict[str, Callable[[Caller, Caller], Answer]] = {
    "lock": lambda by, of: by.put(f"{USERS}/{of.id}", {"locked": True}),
    "deactivate": lambda by, of: by.put(f"{USERS}/{of.id}", {"active": False}),
    "strip": lambda by, of: by.put(f"{USERS}/{of.id}", {"roleIds": []}),
    "make a customer's": lambda by, of: by.put(f"{USERS}/{of.id}", {"userType": "Customer"}),
    "give a password": lambda by, of: by.put(f"{USERS}/{of.id}", {"password": "Robada.2026"}),
    "give an e-mail": lambda by, of: by.put(f"{USERS}/{of.id}", {"email": "ladron@obrador.test"}),
    "delete": lambda by, of: by.delete(f"{USERS}/{of.id}"),
    "empty the role": lambda by, of: by.put(f"{ROLES}/{role_of(of)}", {"permissions": []}),
    "take from the role": lambda by, of: by.put(
        f"{ROLES}/{role_of(of)}", {"permissions": sorted(ALL - {Permission.ListRoles})}
    ),
    "delete the role": lambda by, of: by.delete(f"{ROLES}/{role_of(of)}"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_on_a_user_who_holds_more_gets_403_and_lists_what_is_missing(shop: Shop, name: str) -> None:
    dora = somebody(*IDENTITY)
    answer = ATTACKS[name](dora, shop.beto)
    assert (answer.status, answer.code) == (403, "permission_denied")
    assert set(answer.json["params"]["missing"]) == ALL - set(IDENTITY)
    assert shop.beto.get(USERS).status == 200


@pytest.mark.parametrize("name", ATTACKS)
def test_user_may_change_another_who_holds_the_same_permissions(shop: Shop, name: str) -> None:
    assert ATTACKS[name](shop.ana, shop.beto).status == 200


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"firstName": "Alberto"},
        {"language": "en"},
        {"productionProcessIds": []},
        {"locked": False, "active": True, "userType": "Internal", "email": "ana@obrador.test"},
    ],
    ids=str,
)
def test_no_field_of_a_user_who_holds_more_can_be_changed(shop: Shop, fields: dict[str, Any]) -> None:
    dora = somebody(*IDENTITY)
    before = shop.ana.get(f"{USERS}/{shop.ana.id}").json
    answer = dora.put(f"{USERS}/{shop.ana.id}", fields)
    assert (answer.status, answer.code) == (403, "permission_denied")
    assert shop.ana.get(f"{USERS}/{shop.ana.id}").json == before
    assert dora.put(f"{USERS}/{dora.id}", {"firstName": "Dorotea", "language": "en"}).status == 200
    assert dora.put(f"{USERS}/{shop.carla.id}", {"firstName": "Carlota"}).status == 200


@pytest.mark.parametrize("name", ATTACKS)
def test_missing_permissions_are_hidden_from_callers_who_cannot_list_users_or_roles(shop: Shop, name: str) -> None:
    dora = somebody(Permission.UpdateUser, Permission.DeleteUser, Permission.UpdateRole, Permission.DeleteRole)
    answer = ATTACKS[name](dora, shop.beto)
    assert (answer.status, answer.json["params"]) == (403, {"missing": []})


def test_delete_of_a_user_who_holds_more_does_not_reveal_that_they_are_in_use(shop: Shop) -> None:
    shop.enter(shop.approved(2), shop.casting)
    little = somebody(Permission.DeleteUser)
    answer = little.delete(f"{USERS}/{shop.ana.id}")
    assert (answer.status, answer.code) == (403, "permission_denied")
    assert shop.beto.delete(f"{USERS}/{shop.ana.id}").code == "in_use"


def test_shared_permission_cannot_be_taken_when_one_holder_holds_more_than_the_caller(shop: Shop) -> None:
    """Dora holds everything in the role, but one user with this role holds more than she does."""
    dora = somebody(*IDENTITY)
    shared = dora.post(ROLES, {"name": "Lectura", "permissions": [Permission.ListUsers]}).json["id"]
    eva = somebody(Permission.ShopFloor)
    shop.ana.put(f"{USERS}/{eva.id}", {"roleIds": [role_of(eva), shared]})
    for answer in (dora.put(f"{ROLES}/{shared}", {"permissions": []}), dora.delete(f"{ROLES}/{shared}")):
        assert (answer.status, answer.json["params"]) == (403, {"missing": ["ShopFloor"]})
    shop.ana.put(f"{USERS}/{eva.id}", {"roleIds": [role_of(somebody()), shared]})
    assert dora.delete(f"{ROLES}/{shared}").status == 200


def test_making_a_customer_account_internal_needs_every_permission_it_will_hold(shop: Shop) -> None:
    dora, eva = somebody(*IDENTITY), somebody(Permission.ShopFloor)
    User.objects.filter(pk=eva.id).update(user_type="Customer")
    assert dora.put(f"{USERS}/{eva.id}", {"userType": "Internal"}).status == 403
    assert shop.ana.put(f"{USERS}/{eva.id}", {"userType": "Internal"}).status == 200


LAST: dict[str, dict[str, Any]] = {
    "locked": {"locked": True},
    "inactive": {"active": False},
    "a customer's": {"userType": "Customer"},
    "without roles": {"roleIds": []},
}


def only_eva_prints(shop: Shop) -> Caller:
    RolePermission.objects.filter(action=Permission.PrintWorkSheet).delete()
    eva = somebody()
    RolePermission.objects.create(role_id=role_of(eva), action=Permission.PrintWorkSheet)
    return eva


@pytest.mark.parametrize("state", LAST)
def test_last_holder_cannot_lose_a_permission(shop: Shop, state: str) -> None:
    """Other users get 403. The holder gets 409 if they give it up themselves."""
    eva = only_eva_prints(shop)
    RolePermission.objects.create(role_id=role_of(eva), action=Permission.UpdateUser)
    answer = shop.ana.put(f"{USERS}/{eva.id}", LAST[state])
    assert (answer.status, answer.code) == (403, "permission_denied")
    if "userType" in LAST[state] or "roleIds" in LAST[state]:
        answer = eva.put(f"{USERS}/{eva.id}", LAST[state])
        assert (answer.status, answer.code) == (409, "last_holder")
        assert answer.json["params"] == {"permissions": ["PrintWorkSheet"]}
        assert "PrintWorkSheet" in answer.json["message"]


def test_role_keeps_a_permission_that_no_active_internal_user_holds_elsewhere(shop: Shop) -> None:
    ana_role = role_of(shop.ana)
    eva = only_eva_prints(shop)
    RolePermission.objects.create(role_id=ana_role, action=Permission.PrintWorkSheet)
    User.objects.filter(pk=eva.id).update(user_type="Customer")  # accounts of customers do not count as holders
    answer = shop.ana.put(f"{ROLES}/{ana_role}", {"permissions": sorted(ALL - {Permission.PrintWorkSheet})})
    assert (answer.status, answer.code) == (409, "last_holder")
    User.objects.filter(pk=eva.id).update(user_type="Internal")
    assert shop.ana.put(f"{ROLES}/{ana_role}", {"permissions": sorted(ALL - {Permission.PrintWorkSheet})}).status == 200


def test_last_administrator_error_takes_precedence_over_last_holder(shop: Shop) -> None:
    shop.ana.put(f"{USERS}/{shop.beto.id}", {"active": False})
    answer = shop.ana.delete(f"{ROLES}/{role_of(shop.ana)}")
    assert (answer.status, answer.code) == (409, "last_administrator")
    answer = somebody(Permission.UpdateUser).put(f"{USERS}/{shop.ana.id}", {"locked": True})
    assert (answer.status, answer.code) == (409, "last_administrator")


def test_one_of_two_last_holders_who_give_up_a_permission_at_once_gets_409(busy_shop: Shop) -> None:
    """Runs on real transactions, so that the second request sees the change of the first."""
    ana, beto = busy_shop.ana, busy_shop.beto
    without = sorted(ALL - {Permission.PrintWorkSheet})
    answers = at_once(
        [
            lambda: ana.put(f"{ROLES}/{role_of(ana)}", {"permissions": without}),
            lambda: beto.put(f"{ROLES}/{role_of(beto)}", {"permissions": without}),
        ]
    )
    assert sorted(answer.status for answer in answers) == [200, 409]
    assert held_by_anybody() == ALL
