"""Nobody takes away from one who holds more than himself, and the last holder of each permission stays."""

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
def test_nobody_takes_away_from_one_who_holds_more(shop: Shop, name: str) -> None:
    dora = somebody(*IDENTITY)
    answer = ATTACKS[name](dora, shop.beto)
    assert (answer.status, answer.code) == (403, "permission_denied")
    assert set(answer.json["params"]["missing"]) == ALL - set(IDENTITY)
    assert shop.beto.get(USERS).status == 200


@pytest.mark.parametrize("name", ATTACKS)
def test_who_holds_as_much_may(shop: Shop, name: str) -> None:
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
def test_nothing_of_one_who_holds_more_is_changed(shop: Shop, fields: dict[str, Any]) -> None:
    dora = somebody(*IDENTITY)
    before = shop.ana.get(f"{USERS}/{shop.ana.id}").json
    answer = dora.put(f"{USERS}/{shop.ana.id}", fields)
    assert (answer.status, answer.code) == (403, "permission_denied")
    assert shop.ana.get(f"{USERS}/{shop.ana.id}").json == before
    assert dora.put(f"{USERS}/{dora.id}", {"firstName": "Dorotea", "language": "en"}).status == 200
    assert dora.put(f"{USERS}/{shop.carla.id}", {"firstName": "Carlota"}).status == 200


@pytest.mark.parametrize("name", ATTACKS)
def test_what_another_holds_is_not_told_to_who_may_not_read_it(shop: Shop, name: str) -> None:
    dora = somebody(Permission.UpdateUser, Permission.DeleteUser, Permission.UpdateRole, Permission.DeleteRole)
    answer = ATTACKS[name](dora, shop.beto)
    assert (answer.status, answer.json["params"]) == (403, {"missing": []})


def test_what_one_who_holds_more_has_done_is_not_told_to_who_would_delete_him(shop: Shop) -> None:
    shop.enter(shop.approved(2), shop.casting)
    little = somebody(Permission.DeleteUser)
    answer = little.delete(f"{USERS}/{shop.ana.id}")
    assert (answer.status, answer.code) == (403, "permission_denied")
    assert shop.beto.delete(f"{USERS}/{shop.ana.id}").code == "in_use"


def test_a_permission_that_many_share_is_not_taken_from_one_of_them_who_holds_more(shop: Shop) -> None:
    """The role holds no more than Dora; one of those who have it does."""
    dora = somebody(*IDENTITY)
    shared = dora.post(ROLES, {"name": "Lectura", "permissions": [Permission.ListUsers]}).json["id"]
    eva = somebody(Permission.ShopFloor)
    shop.ana.put(f"{USERS}/{eva.id}", {"roleIds": [role_of(eva), shared]})
    for answer in (dora.put(f"{ROLES}/{shared}", {"permissions": []}), dora.delete(f"{ROLES}/{shared}")):
        assert (answer.status, answer.json["params"]) == (403, {"missing": ["ShopFloor"]})
    shop.ana.put(f"{USERS}/{eva.id}", {"roleIds": [role_of(somebody()), shared]})
    assert dora.delete(f"{ROLES}/{shared}").status == 200


def test_a_customer_s_account_is_made_staff_s_by_one_who_holds_what_it_will_hold(shop: Shop) -> None:
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
def test_the_last_holder_of_a_permission_stays(shop: Shop, state: str) -> None:
    """Whoever holds it is not robbed of it by others; he himself cannot leave it to nobody either."""
    eva = only_eva_prints(shop)
    RolePermission.objects.create(role_id=role_of(eva), action=Permission.UpdateUser)
    answer = shop.ana.put(f"{USERS}/{eva.id}", LAST[state])
    assert (answer.status, answer.code) == (403, "permission_denied")
    if "userType" in LAST[state] or "roleIds" in LAST[state]:
        answer = eva.put(f"{USERS}/{eva.id}", LAST[state])
        assert (answer.status, answer.code) == (409, "last_holder")
        assert answer.json["params"] == {"permissions": ["PrintWorkSheet"]}
        assert "PrintWorkSheet" in answer.json["message"]


def test_the_last_holder_s_role_keeps_what_only_it_holds(shop: Shop) -> None:
    ana_role = role_of(shop.ana)
    eva = only_eva_prints(shop)
    RolePermission.objects.create(role_id=ana_role, action=Permission.PrintWorkSheet)
    User.objects.filter(pk=eva.id).update(user_type="Customer")  # who only reads holds nothing
    answer = shop.ana.put(f"{ROLES}/{ana_role}", {"permissions": sorted(ALL - {Permission.PrintWorkSheet})})
    assert (answer.status, answer.code) == (409, "last_holder")
    User.objects.filter(pk=eva.id).update(user_type="Internal")
    assert shop.ana.put(f"{ROLES}/{ana_role}", {"permissions": sorted(ALL - {Permission.PrintWorkSheet})}).status == 200


def test_the_last_administrator_is_still_named_as_such(shop: Shop) -> None:
    shop.ana.put(f"{USERS}/{shop.beto.id}", {"active": False})
    answer = shop.ana.delete(f"{ROLES}/{role_of(shop.ana)}")
    assert (answer.status, answer.code) == (409, "last_administrator")
    answer = somebody(Permission.UpdateUser).put(f"{USERS}/{shop.ana.id}", {"locked": True})
    assert (answer.status, answer.code) == (409, "last_administrator")


def test_of_two_last_holders_who_lay_it_down_at_once_one_keeps_it(busy_shop: Shop) -> None:
    """On real transactions: the second is judged by what the first left."""
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
