"""A change of permissions sends permissions.changed to the users it affects, and only to them."""

from collections.abc import Callable
from typing import Any

import pytest

from project.access import token
from project.access.permissions import ALL, Permission
from project.core.errors import PermissionDenied, Unauthenticated
from project.identity import services
from project.identity.models import Role, User
from project.identity.schemas import RoleChange
from project.identity.selectors import an_administrator_remains
from project.staffing.schemas import UserChange
from project.staffing.services import user_change
from realtime.models import OutboxEvent
from tests.builders import Answer, Caller, Shop, at_once, customer, person, somebody

USERS, ROLES = "/identity/users", "/identity/roles"

pytestmark = pytest.mark.usefixtures("quick_passwords")


def published_to(kind: str = "permissions.changed") -> list[int]:
    """The users who have been sent events of this type, in order."""
    return list(OutboxEvent.objects.filter(type=kind).order_by("id").values_list("to_user", flat=True))


def role(shop: Shop, *actions: str, name: str = "Piso") -> int:
    answer = shop.ana.post(ROLES, {"name": name, "permissions": actions})
    assert answer.status == 201, answer
    return int(answer.json["id"])


def gives(shop: Shop, caller: Caller, *roles: int) -> None:
    assert shop.ana.put(f"{USERS}/{caller.id}", {"roleIds": roles}).status == 200


def forget_events() -> None:
    OutboxEvent.objects.all().delete()


def actions_of(caller: Caller) -> set[str]:
    """The actions that the describe endpoint lists for the caller."""
    return {row["action"] for row in caller.post("/identity/permissions/describe", {"subjectId": caller.id}).json}


def test_changed_role_sends_an_event_only_to_its_users(shop: Shop) -> None:
    floor = role(shop, Permission.ShopFloor)
    gives(shop, shop.carla, floor)
    forget_events()
    for permissions in ([Permission.ShopFloor, Permission.ListOrders], [Permission.ListOrders], []):
        assert shop.ana.put(f"{ROLES}/{floor}", {"permissions": permissions}).status == 200
        assert published_to() == [shop.carla.id]
        assert actions_of(shop.carla) == set(permissions)
        forget_events()


def test_role_change_that_alters_no_users_permissions_sends_no_event(shop: Shop) -> None:
    floor, twin = (
        role(shop, Permission.ShopFloor),
        role(shop, Permission.ShopFloor, Permission.ListOrders, name="Gemelo"),
    )
    gives(shop, shop.carla, floor, twin)
    forget_events()
    shop.ana.put(f"{ROLES}/{floor}", {"name": "Taller", "permissions": [Permission.ShopFloor]})
    shop.ana.put(f"{ROLES}/{floor}", {"permissions": [Permission.ShopFloor, Permission.ListOrders]})
    shop.ana.delete(f"{ROLES}/{floor}")
    assert published_to() == []
    assert actions_of(shop.carla) == {Permission.ShopFloor, Permission.ListOrders}


def test_deleted_role_sends_an_event_to_users_who_lost_a_permission(shop: Shop) -> None:
    floor, twin = role(shop, Permission.ShopFloor), role(shop, Permission.ShopFloor, name="Gemelo")
    dora = somebody()
    gives(shop, shop.carla, floor)
    gives(shop, dora, floor, twin)
    forget_events()
    assert shop.ana.delete(f"{ROLES}/{floor}").status == 200
    assert published_to() == [shop.carla.id]


@pytest.mark.parametrize(
    "change",
    [
        lambda shop: {"roleIds": [role(shop, Permission.ShopFloor)]},
        lambda shop: {"productionProcessIds": [shop.casting.pk]},
        lambda shop: {"userType": "Customer"},
        lambda shop: {"userType": "Customer", "customerId": customer().pk},
    ],
    ids=["roles", "processes", "type", "customer"],
)
def test_changed_permissions_send_the_user_one_event_and_keep_their_session(
    shop: Shop, change: Callable[[Shop], dict[str, Any]]
) -> None:
    fields = change(shop)
    forget_events()
    for _ in range(2):  # the second time nothing changes
        assert shop.ana.put(f"{USERS}/{shop.carla.id}", fields).status == 200
        assert (published_to(), published_to("session.ended")) == ([shop.carla.id], [])
    assert shop.carla.get(f"{USERS}/{shop.carla.id}").status == 200


def test_change_without_effect_on_permissions_sends_no_event(shop: Shop) -> None:
    roles = [one.pk for one in shop.carla.user.roles.all()]  # type: ignore[union-attr]
    fields = {"firstName": "Carlota", "language": "en", "roleIds": roles, "userType": "Internal", "active": True}
    assert shop.ana.put(f"{USERS}/{shop.carla.id}", fields).status == 200
    assert published_to() == published_to("session.ended") == []


@pytest.mark.parametrize(
    "fields",
    [{"locked": True}, {"active": False}, {"password": "Nueva.2026"}, {"locked": True, "roleIds": []}],
    ids=str,
)
def test_change_that_ends_sessions_sends_only_session_ended(shop: Shop, fields: dict[str, Any]) -> None:
    assert shop.ana.put(f"{USERS}/{shop.beto.id}", fields).status == 200
    assert (published_to(), published_to("session.ended")) == ([], [shop.beto.id])


def test_account_that_cannot_sign_in_is_sent_no_event(shop: Shop) -> None:
    floor = role(shop, Permission.ShopFloor)
    gives(shop, shop.carla, floor)
    User.objects.filter(pk=shop.carla.id).update(locked=True)
    forget_events()
    shop.ana.put(f"{ROLES}/{floor}", {"permissions": []})
    assert published_to() == []


def test_refused_change_sends_no_event(shop: Shop) -> None:
    little = somebody(Permission.UpdateUser, Permission.UpdateRole)
    for path in (f"{USERS}/{shop.carla.id}", f"{USERS}/{little.id}"):
        everything = shop.ana.user.roles.get().pk  # type: ignore[union-attr]
        assert little.put(path, {"roleIds": [everything], "productionProcessIds": [shop.casting.pk]}).status == 403
    assert published_to() == []
    assert not User.objects.get(pk=little.id).workplaces.exists()


def test_reactivating_an_account_needs_every_permission_it_holds(shop: Shop) -> None:
    """The user who reactivates the account may know its password."""
    little = somebody(Permission.UpdateUser)
    for state in ({"active": False}, {"locked": True}):
        User.objects.filter(pk=shop.beto.id).update(active=True, locked=False)
        User.objects.filter(pk=shop.beto.id).update(**state)
        opening = {name: not value for name, value in state.items()}
        assert little.put(f"{USERS}/{shop.beto.id}", opening).code == "permission_denied"
        assert shop.ana.put(f"{USERS}/{shop.beto.id}", opening).status == 200


# Two administrators act at the same time, on real transactions.


def two_at_once(first: Callable[[], Answer], second: Callable[[], Answer]) -> list[int]:
    return sorted(answer.status for answer in at_once([first, second]))


def one_role(caller: Caller) -> Role:
    assert caller.user is not None
    return caller.user.roles.get()


@pytest.mark.parametrize("fields", [{"active": False}, {"locked": True}, {"roleIds": []}], ids=str)
def test_two_administrators_cannot_remove_each_other_at_once(busy_shop: Shop, fields: dict[str, Any]) -> None:
    ana, beto = busy_shop.ana, busy_shop.beto
    statuses = two_at_once(lambda: ana.put(f"{USERS}/{beto.id}", fields), lambda: beto.put(f"{USERS}/{ana.id}", fields))
    assert statuses[0] == 200
    assert statuses[1] in (401, 403, 409)
    assert an_administrator_remains()


def test_two_administrators_cannot_delete_each_other_at_once(busy_shop: Shop) -> None:
    ana, beto = busy_shop.ana, busy_shop.beto
    statuses = two_at_once(lambda: ana.delete(f"{USERS}/{beto.id}"), lambda: beto.delete(f"{USERS}/{ana.id}"))
    assert statuses[0] == 200
    assert statuses[1] in (401, 404, 409)
    assert an_administrator_remains()


def test_two_administrators_cannot_empty_each_others_roles_at_once(busy_shop: Shop) -> None:
    ana, beto = busy_shop.ana, busy_shop.beto
    of_ana, of_beto = one_role(ana).pk, one_role(beto).pk
    statuses = two_at_once(
        lambda: ana.put(f"{ROLES}/{of_beto}", {"permissions": []}), lambda: beto.delete(f"{ROLES}/{of_ana}")
    )
    assert statuses[0] == 200
    assert statuses[1] in (403, 409)
    assert an_administrator_remains()


def test_user_who_loses_a_permission_before_their_write_starts_cannot_grant_it(shop: Shop) -> None:
    """The guard has already let the request pass with the permissions held at that time."""
    assert shop.beto.bearer is not None
    waiting = token.verify(shop.beto.bearer)
    given = role(shop)
    kept = sorted(ALL - {Permission.DeleteUser})
    assert shop.ana.put(f"{ROLES}/{one_role(shop.beto).pk}", {"permissions": kept}).status == 200
    with pytest.raises(PermissionDenied):
        services.role_change(
            role_id=given, body=RoleChange.model_construct(permissions=[Permission.DeleteUser]), by=waiting
        )
    services.role_change(
        role_id=given, body=RoleChange.model_construct(permissions=[Permission.CreateUser]), by=waiting
    )


def test_user_who_is_locked_before_their_write_starts_changes_nothing(shop: Shop) -> None:
    assert shop.beto.bearer is not None
    waiting = token.verify(shop.beto.bearer)
    assert shop.ana.put(f"{USERS}/{shop.beto.id}", {"locked": True}).status == 200
    with pytest.raises(Unauthenticated):
        user_change(user_id=shop.ana.id, body=UserChange.model_construct(locked=True), by=waiting)


def test_user_created_while_their_role_changes_gets_the_new_permissions(busy_shop: Shop) -> None:
    ana = busy_shop.ana
    floor = role(busy_shop, Permission.ShopFloor)
    body = {"email": "nueva@obrador.test", "password": "Taller.2026", "firstName": "Nueva", "roleIds": [floor]}
    statuses = two_at_once(
        lambda: ana.post(USERS, body), lambda: ana.put(f"{ROLES}/{floor}", {"permissions": [Permission.ListOrders]})
    )
    assert statuses == [200, 201]
    made = Caller(User.objects.get(email="nueva@obrador.test"))
    assert actions_of(made) == {Permission.ListOrders}


def test_user_without_permissions_may_list_their_own(shop: Shop) -> None:
    nobody = Caller(person("nadia"))
    assert actions_of(nobody) == set()
