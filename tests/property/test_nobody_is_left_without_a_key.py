"""After any sequence of identity calls, staff who may sign in still hold every permission."""

from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from project.access.permissions import ALL, Permission
from project.identity.models import Role, RolePermission, User
from project.identity.selectors import held_by_anybody
from tests.builders import Caller, person
from tests.property.walking import walk

USERS, ROLES = "/identity/users", "/identity/roles"
IDENTITY = (
    Permission.ListUsers,
    Permission.CreateUser,
    Permission.UpdateUser,
    Permission.DeleteUser,
    Permission.CreateRole,
    Permission.UpdateRole,
    Permission.DeleteRole,
)
REST = sorted(ALL - set(IDENTITY))


class Administrators(RuleBasedStateMachine):
    """Administrators who change accounts and roles, their own too. At first at least two hold each permission."""

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        User.objects.all().delete()
        Role.objects.all().delete()
        half = data.draw(st.integers(0, len(REST)))
        person("ana", *ALL)
        person("beto", *IDENTITY, *REST[:half])
        person("dora", *IDENTITY, *REST[half:])
        person("eva", *IDENTITY)
        self.made = 0

    def callers(self, data: st.DataObject) -> Caller:
        """A random account that may sign in."""
        return Caller(data.draw(st.sampled_from(list(User.objects.filter(active=True, locked=False).order_by("pk")))))

    def someone(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from(list(User.objects.order_by("pk").values_list("pk", flat=True))))

    def roles(self, data: st.DataObject) -> list[int]:
        known = list(Role.objects.order_by("pk").values_list("pk", flat=True))
        return data.draw(st.lists(st.sampled_from(known), unique=True, max_size=3)) if known else []

    @rule(
        data=st.data(),
        fields=st.fixed_dictionaries(
            {},
            optional={
                "active": st.booleans(),
                "locked": st.booleans(),
                "userType": st.sampled_from(["Internal", "Customer"]),
            },
        ),
        roles=st.booleans(),
    )
    def change_a_user(self, data: st.DataObject, fields: dict[str, Any], roles: bool) -> None:
        if roles:
            fields["roleIds"] = self.roles(data)
        answer = self.callers(data).put(f"{USERS}/{self.someone(data)}", fields)
        assert answer.status in (200, 403, 409), answer

    @rule(data=st.data())
    def delete_a_user(self, data: st.DataObject) -> None:
        assert self.callers(data).delete(f"{USERS}/{self.someone(data)}").status in (200, 403, 409)

    @rule(data=st.data(), permissions=st.lists(st.sampled_from(sorted(ALL)), unique=True))
    def make_a_role(self, data: st.DataObject, permissions: list[str]) -> None:
        self.made += 1
        body = {"name": f"R{self.made}", "permissions": permissions}
        assert self.callers(data).post(ROLES, body).status in (201, 403)

    @rule(data=st.data(), taken=st.lists(st.sampled_from(sorted(ALL)), unique=True, min_size=1))
    def take_from_a_role(self, data: st.DataObject, taken: list[str]) -> None:
        for role in self.roles(data)[:1]:
            kept = set(RolePermission.objects.filter(role=role).values_list("action", flat=True)) - set(taken)
            answer = self.callers(data).put(f"{ROLES}/{role}", {"permissions": sorted(kept)})
            assert answer.status in (200, 403, 409), answer

    @rule(data=st.data())
    def delete_a_role(self, data: st.DataObject) -> None:
        for role in self.roles(data)[:1]:
            assert self.callers(data).delete(f"{ROLES}/{role}").status in (200, 403, 409)

    @invariant()
    def every_permission_is_held(self) -> None:
        assert held_by_anybody() == ALL


@pytest.mark.usefixtures("db", "quick_passwords")
def test_every_permission_is_held_after_any_sequence_of_identity_calls() -> None:
    walk(Administrators, steps=200, a_life=20)
