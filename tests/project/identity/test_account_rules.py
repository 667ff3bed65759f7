"""Passwords, and who may grant or take what, case by case."""

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
    return Holdings(frozenset(permissions), works=True)


@pytest.mark.parametrize("password", ["Taller.1", "Aa1!aaaaaaaaaaa", "ñÑ Aa1_x", "Aa1\n.xyz"])
def test_a_strong_password_is_taken(password: str) -> None:
    rules.check_password_pattern(password, "password")


@pytest.mark.parametrize(
    "password", ["Taller1", "taller.1", "TALLER.1", "Taller..", "Taller12", "Aa1!aaaaaaaaaaaa", "Taller 1", ""]
)
def test_a_weak_password_is_refused_by_its_field(password: str) -> None:
    with pytest.raises(InvalidFields) as refused:
        rules.check_password_pattern(password, "newPassword")
    assert [(error.field, error.code) for error in refused.value.errors] == [("newPassword", "weak_password")]


@pytest.mark.parametrize("typed", ["Ana  María Ruiz", " ana maría RUIZ ", "ANA MARÍA RUIZ"])
def test_the_name_of_who_is_erased_is_typed_without_minding_case_and_blanks(typed: str) -> None:
    rules.check_name(typed, "Ana María Ruiz")


@pytest.mark.parametrize("typed", ["", "Ana Ruiz", "AnaMaría Ruiz", "Ana Maria Ruiz"])
def test_another_name_than_that_of_who_is_erased_is_refused(typed: str) -> None:
    with pytest.raises(InvalidFields) as refused:
        rules.check_name(typed, "Ana María Ruiz")
    assert [(error.field, error.code) for error in refused.value.errors] == [("name", "name_differs")]
    assert [error.params for error in refused.value.errors] == [{"fullName": "Ana María Ruiz"}]


def test_nobody_grants_more_than_he_holds() -> None:
    by = holder(Permission.ListOrders, Permission.ListRoles)
    rules.check_grant(by, [Permission.ListOrders])
    rules.check_grant(by, [])
    with pytest.raises(PermissionDenied) as refused:
        rules.check_grant(by, [Permission.UpdateRole, Permission.ListOrders, Permission.CreatePay])
    assert refused.value.params == {"missing": sorted([Permission.CreatePay, Permission.UpdateRole])}


@pytest.mark.parametrize(
    ("named_to", "named"), [(Permission.ListRoles, []), (Permission.ListOrders, [Permission.CreatePay])]
)
def test_what_is_missing_is_named_to_who_may_read_it(named_to: Permission, named: list[Permission]) -> None:
    with pytest.raises(PermissionDenied) as refused:
        rules.check_grant(holder(Permission.ListOrders), [Permission.CreatePay], named_to=named_to)
    assert refused.value.params == {"missing": named}
    with pytest.raises(PermissionDenied) as as_usual:
        rules.check_grant(holder(Permission.ListOrders), [Permission.CreatePay])
    assert as_usual.value.params == {"missing": []}


def test_nobody_changes_one_who_holds_more_than_himself() -> None:
    by = holder(Permission.ListOrders, Permission.ListUsers)
    rules.check_above(by, [])
    rules.check_above(by, [held(), held(Permission.ListOrders)])
    with pytest.raises(PermissionDenied) as refused:
        rules.check_above(by, [held(Permission.ListOrders), held(Permission.ListOrders, Permission.CreatePay)])
    assert refused.value.params == {"missing": [Permission.CreatePay]}
    with pytest.raises(PermissionDenied) as unnamed:
        rules.check_above(holder(Permission.ListOrders, Permission.ListRoles), [held(Permission.CreatePay)])
    assert unnamed.value.params == {"missing": []}


def test_nobody_takes_from_one_who_holds_more_than_himself() -> None:
    by = holder(Permission.ListOrders, Permission.ListUsers)
    before = {1: held(Permission.ListOrders), 2: held(Permission.ListOrders, Permission.CreatePay)}
    rules.check_taking(by, before, {1: held(), 2: held(Permission.ListOrders, Permission.CreatePay)})
    rules.check_taking(
        by, before, before | {2: held(Permission.ListOrders, Permission.CreatePay, Permission.CancelPay)}
    )
    with pytest.raises(PermissionDenied) as refused:
        rules.check_taking(by, before, before | {2: held(Permission.CreatePay)})
    assert refused.value.params == {"missing": [Permission.CreatePay]}


def test_the_last_holder_is_told_of_what() -> None:
    assert rules.LastHolder([Permission.UpdateRole, Permission.CreatePay]).params == {
        "permissions": ["CreatePay", "UpdateRole"]
    }


def test_nobody_gives_a_process_in_which_he_does_not_work_unless_it_is_his_to_say() -> None:
    check_processes(holder(), given={1, 2}, own={1, 2, 3})
    check_processes(holder(), given=set(), own=set())
    check_processes(holder(Permission.UpdateProductionProcess), given={1, 2}, own={1})
    with pytest.raises(PermissionDenied) as refused:
        check_processes(holder(Permission.ListOrders), given={1, 2}, own={1})
    assert refused.value.params == {"missing": [Permission.UpdateProductionProcess]}
