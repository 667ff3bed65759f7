"""A change of rights reaches exactly those it concerns; the end of a session too."""

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
    """Who has been sent events of this type, in order."""
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
    """What the describe endpoint says he may do."""
    return {row["action"] for row in caller.post("/identity/permissions/describe", {"subjectId": caller.id}).json}


def test_a_role_that_gains_or_loses_a_permission_tells_its_users_and_nobody_else(shop: Shop) -> None:
    floor = role(shop, Permission.ShopFloor)
    gives(shop, shop.carla, floor)
    forget_events()
    for permissions in ([Permission.ShopFloor, Permission.ListOrders], [Permission.ListOrders], []):
        assert shop.ana.put(f"{ROLES}/{floor}", {"permissions": permissions}).status == 200
        assert published_to() == [shop.carla.id]
        assert actions_of(shop.carla) == set(permissions)
        forget_events()


def test_a_role_that_changes_nothing_of_anybody_s_rights_tells_nobody(shop: Shop) -> None:
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


def test_a_deleted_role_tells_whoever_lost_something_by_it(shop: Shop) -> None:
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
def test_a_change_of_what_a_user_may_do_tells_him_once_and_keeps_his_session(
    shop: Shop, change: Callable[[Shop], dict[str, Any]]
) -> None:
    fields = change(shop)
    forget_events()
    for _ in range(2):  # the second time nothing changes
        assert shop.ana.put(f"{USERS}/{shop.carla.id}", fields).status == 200
        assert (published_to(), published_to("session.ended")) == ([shop.carla.id], [])
    assert shop.carla.get(f"{USERS}/{shop.carla.id}").status == 200


def test_a_change_that_touches_no_right_tells_nobody(shop: Shop) -> None:
    roles = [one.pk for one in shop.carla.user.roles.all()]  # type: ignore[union-attr]
    fields = {"firstName": "Carlota", "language": "en", "roleIds": roles, "userType": "Internal", "active": True}
    assert shop.ana.put(f"{USERS}/{shop.carla.id}", fields).status == 200
    assert published_to() == published_to("session.ended") == []


@pytest.mark.parametrize(
    "fields",
    [{"locked": True}, {"active": False}, {"password": "Nueva.2026"}, {"locked": True, "roleIds": []}],
    ids=str,
)
def test_what_ends_a_session_says_so_instead(shop: Shop, fields: dict[str, Any]) -> None:
    assert shop.ana.put(f"{USERS}/{shop.beto.id}", fields).status == 200
    assert (published_to(), published_to("session.ended")) == ([], [shop.beto.id])


def test_who_may_not_sign_in_is_told_nothing(shop: Shop) -> None:
    floor = role(shop, Permission.ShopFloor)
    gives(shop, shop.carla, floor)
    User.objects.filter(pk=shop.carla.id).update(locked=True)
    forget_events()
    shop.ana.put(f"{ROLES}/{floor}", {"permissions": []})
    assert published_to() == []


def test_a_refused_change_tells_nobody(shop: Shop) -> None:
    little = somebody(Permission.UpdateUser, Permission.UpdateRole)
    for path in (f"{USERS}/{shop.carla.id}", f"{USERS}/{little.id}"):
        everything = shop.ana.user.roles.get().pk  # type: ignore[union-attr]
        assert little.put(path, {"roleIds": [everything], "productionProcessIds": [shop.casting.pk]}).status == 403
    assert published_to() == []
    assert not User.objects.get(pk=little.id).workplaces.exists()


def test_opening_an_account_again_needs_what_it_holds(shop: Shop) -> None:
    """Its password may be known to whoever opens it."""
    little = somebody(Permission.UpdateUser)
    for state in ({"active": False}, {"locked": True}):
        User.objects.filter(pk=shop.beto.id).update(active=True, locked=False)
        User.objects.filter(pk=shop.beto.id).update(**state)
        opening = {name: not value for name, value in state.items()}
        assert little.put(f"{USERS}/{shop.beto.id}", opening).code == "permission_denied"
        assert shop.ana.put(f"{USERS}/{shop.beto.id}", opening).status == 200


# Two administrators at once, on real transactions.


def two_at_once(first: Callable[[], Answer], second: Callable[[], Answer]) -> list[int]:
    return sorted(answer.status for answer in at_once([first, second]))


def one_role(caller: Caller) -> Role:
    assert caller.user is not None
    return caller.user.roles.get()


@pytest.mark.parametrize("fields", [{"active": False}, {"locked": True}, {"roleIds": []}], ids=str)
def test_two_administrators_cannot_take_each_other_away(busy_shop: Shop, fields: dict[str, Any]) -> None:
    ana, beto = busy_shop.ana, busy_shop.beto
    statuses = two_at_once(lambda: ana.put(f"{USERS}/{beto.id}", fields), lambda: beto.put(f"{USERS}/{ana.id}", fields))
    assert statuses[0] == 200
    assert statuses[1] in (401, 403, 409)
    assert an_administrator_remains()


def test_two_administrators_cannot_delete_each_other(busy_shop: Shop) -> None:
    ana, beto = busy_shop.ana, busy_shop.beto
    statuses = two_at_once(lambda: ana.delete(f"{USERS}/{beto.id}"), lambda: beto.delete(f"{USERS}/{ana.id}"))
    assert statuses[0] == 200
    assert statuses[1] in (401, 404, 409)
    assert an_administrator_remains()


def test_two_administrators_cannot_empty_each_other_s_roles(busy_shop: Shop) -> None:
    ana, beto = busy_shop.ana, busy_shop.beto
    of_ana, of_beto = one_role(ana).pk, one_role(beto).pk
    statuses = two_at_once(
        lambda: ana.put(f"{ROLES}/{of_beto}", {"permissions": []}), lambda: beto.delete(f"{ROLES}/{of_ana}")
    )
    assert statuses[0] == 200
    assert statuses[1] in (403, 409)
    assert an_administrator_remains()


def test_who_loses_a_right_while_he_waits_for_his_turn_cannot_grant_it_any_more(shop: Shop) -> None:
    """The guard has let him pass with what he held then."""
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


def test_who_is_locked_while_he_waits_for_his_turn_changes_nothing(shop: Shop) -> None:
    assert shop.beto.bearer is not None
    waiting = token.verify(shop.beto.bearer)
    assert shop.ana.put(f"{USERS}/{shop.beto.id}", {"locked": True}).status == 200
    with pytest.raises(Unauthenticated):
        user_change(user_id=shop.ana.id, body=UserChange.model_construct(locked=True), by=waiting)


def test_a_role_s_holder_is_counted_among_the_rights_of_a_person_made_in_between(busy_shop: Shop) -> None:
    """A user made with a role while that role is widened hears of it or is born with it, never neither."""
    ana = busy_shop.ana
    floor = role(busy_shop, Permission.ShopFloor)
    body = {"email": "nueva@obrador.test", "password": "Taller.2026", "firstName": "Nueva", "roleIds": [floor]}
    statuses = two_at_once(
        lambda: ana.post(USERS, body), lambda: ana.put(f"{ROLES}/{floor}", {"permissions": [Permission.ListOrders]})
    )
    assert statuses == [200, 201]
    made = Caller(User.objects.get(email="nueva@obrador.test"))
    assert actions_of(made) == {Permission.ListOrders}


def test_a_person_without_any_right_describes_himself(shop: Shop) -> None:
    nobody = Caller(person("nadia"))
    assert actions_of(nobody) == set()
