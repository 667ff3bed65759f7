"""The rules of accounts: password patterns and who may grant or take permissions."""

from datetime import UTC, datetime

import pytest

from project.access.permissions import Permission
from project.access.principal import Principal
from project.core.errors import InvalidFields, PermissionDenied
from project.identity import rules
from project.identity.rules import Holdings
from project.staffing.rules import check_processes


def holder(*permissions: Permission) -> Principal:
    return Principal(1, "Ana", frozenset(permissions), "one", datetime(2026, 3, 10, tzinfo=UTC), 1)


def held(*permissions: Permission) -> Holdings:
    return frozenset(permissions)


@pytest.mark.parametrize("password", ["Taller.1", "Aa1!aaaaaaaaaaa", "ñÑ Aa1_x", "Aa1\n.xyz"])
def test_strong_password_is_accepted(password: str) -> None:
    rules.check_new_password(password, "password")


@pytest.mark.parametrize(
    "password", ["Taller1", "taller.1", "TALLER.1", "Taller..", "Taller12", "Aa1!aaaaaaaaaaaa", "Taller 1", ""]
)
def test_weak_password_is_refused_and_the_error_names_its_field(password: str) -> None:
    with pytest.raises(InvalidFields) as refused:
        rules.check_new_password(password, "newPassword")
    assert [(error.field, error.code) for error in refused.value.errors] == [("newPassword", "weak_password")]


@pytest.mark.parametrize("password", ["P@ssw0rd", "Password1!", "1qaz@WSX", "Pa$$w0rd"])
def test_common_password_is_refused_although_it_has_the_pattern(password: str) -> None:
    assert rules.PASSWORD.fullmatch(password)
    with pytest.raises(InvalidFields) as refused:
        rules.check_new_password(password, "newPassword")
    assert [(error.field, error.code) for error in refused.value.errors] == [("newPassword", "weak_password")]


@pytest.mark.parametrize("typed", ["Ana  María Ruiz", " ana maría RUIZ ", "ANA MARÍA RUIZ"])
def test_typed_name_of_the_erased_person_may_differ_in_case_and_spaces(typed: str) -> None:
    rules.check_name(typed, "Ana María Ruiz")


@pytest.mark.parametrize("typed", ["", "Ana Ruiz", "AnaMaría Ruiz", "Ana Maria Ruiz"])
def test_erasure_is_refused_when_the_typed_name_differs(typed: str) -> None:
    with pytest.raises(InvalidFields) as refused:
        rules.check_name(typed, "Ana María Ruiz")
    assert [(error.field, error.code) for error in refused.value.errors] == [("name", "name_differs")]
    assert [error.params for error in refused.value.errors] == [{"fullName": "Ana María Ruiz"}]


def test_user_cannot_grant_permissions_they_do_not_hold() -> None:
    by = holder(Permission.ListOrders, Permission.ListRoles)
    rules.check_grant(by, [Permission.ListOrders])
    rules.check_grant(by, [])
    with pytest.raises(PermissionDenied) as refused:
        rules.check_grant(by, [Permission.UpdateRole, Permission.ListOrders, Permission.CreatePay])
    assert refused.value.params == {"missing": sorted([Permission.CreatePay, Permission.UpdateRole])}


@pytest.mark.parametrize(
    ("named_to", "named"), [(Permission.ListRoles, []), (Permission.ListOrders, [Permission.CreatePay])]
)
def test_missing_permissions_are_listed_only_if_the_caller_may_read_them(
    named_to: Permission, named: list[Permission]
) -> None:
    with pytest.raises(PermissionDenied) as refused:
        rules.check_grant(holder(Permission.ListOrders), [Permission.CreatePay], named_to=named_to)
    assert refused.value.params == {"missing": named}
    with pytest.raises(PermissionDenied) as as_usual:
        rules.check_grant(holder(Permission.ListOrders), [Permission.CreatePay])
    assert as_usual.value.params == {"missing": []}


def test_user_cannot_change_a_user_who_holds_more_permissions() -> None:
    by = holder(Permission.ListOrders, Permission.ListUsers)
    rules.check_above(by, [])
    rules.check_above(by, [held(), held(Permission.ListOrders)])
    with pytest.raises(PermissionDenied) as refused:
        rules.check_above(by, [held(Permission.ListOrders), held(Permission.ListOrders, Permission.CreatePay)])
    assert refused.value.params == {"missing": [Permission.CreatePay]}
    with pytest.raises(PermissionDenied) as unnamed:
        rules.check_above(holder(Permission.ListOrders, Permission.ListRoles), [held(Permission.CreatePay)])
    assert unnamed.value.params == {"missing": []}


def test_user_cannot_take_permissions_from_a_user_who_holds_more() -> None:
    by = holder(Permission.ListOrders, Permission.ListUsers)
    before = {1: held(Permission.ListOrders), 2: held(Permission.ListOrders, Permission.CreatePay)}
    rules.check_taking(by, before, {1: held(), 2: held(Permission.ListOrders, Permission.CreatePay)})
    rules.check_taking(
        by, before, before | {2: held(Permission.ListOrders, Permission.CreatePay, Permission.CancelPay)}
    )
    with pytest.raises(PermissionDenied) as refused:
        rules.check_taking(by, before, before | {2: held(Permission.CreatePay)})
    assert refused.value.params == {"missing": [Permission.CreatePay]}


def test_last_holder_error_lists_the_permissions() -> None:
    assert rules.LastHolder([Permission.UpdateRole, Permission.CreatePay]).params == {
        "permissions": ["CreatePay", "UpdateRole"]
    }


def test_user_assigns_only_their_own_processes_without_permission_to_update_processes() -> None:
    check_processes(holder(), given={1, 2}, own={1, 2, 3})
    check_processes(holder(), given=set(), own=set())
    check_processes(holder(Permission.UpdateProductionProcess), given={1, 2}, own={1})
    with pytest.raises(PermissionDenied) as refused:
        check_processes(holder(Permission.ListOrders), given={1, 2}, own={1})
    assert refused.value.params == {"missing": [Permission.UpdateProductionProcess]}
