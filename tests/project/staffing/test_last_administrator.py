"""At least one active administrator always remains."""

from typing import Any

import pytest

from project.access.permissions import ALL, Permission
from project.identity.models import User
from tests.builders import Caller, Shop, somebody

USERS = "/identity/users"

pytestmark = pytest.mark.usefixtures("quick_passwords")


def one_administrator(shop: Shop) -> Caller:
    """Make Ana the only administrator and return Beto, who may still change users and roles but not list users."""
    role = shop.beto.user.roles.get()  # type: ignore[union-attr]
    role.permissions.filter(action=Permission.ListUsers).delete()
    return shop.beto


@pytest.mark.parametrize("change", [{"active": False}, {"locked": True}, {"roleIds": []}], ids=str)
def test_last_administrator_cannot_be_locked_deactivated_or_stripped_of_roles(
    shop: Shop, change: dict[str, Any]
) -> None:
    beto = one_administrator(shop)
    answer = beto.put(f"{USERS}/{shop.ana.id}", change)
    assert (answer.status, answer.code) == (409, "last_administrator")
    assert shop.ana.get(USERS).status == 200


def test_last_administrator_cannot_be_deleted(shop: Shop) -> None:
    beto = one_administrator(shop)
    assert beto.delete(f"{USERS}/{shop.ana.id}").code == "last_administrator"
    assert User.objects.filter(pk=shop.ana.id).exists()


def test_locked_user_does_not_count_as_an_administrator(shop: Shop) -> None:
    User.objects.filter(pk=shop.beto.id).update(locked=True)
    dora = somebody(*(ALL - {Permission.ListUsers}))
    assert dora.put(f"{USERS}/{shop.ana.id}", {"active": False}).code == "last_administrator"


def test_one_of_two_administrators_may_be_deactivated(shop: Shop) -> None:
    assert shop.ana.put(f"{USERS}/{shop.beto.id}", {"active": False}).status == 200


def test_customer_account_does_not_count_as_an_administrator(shop: Shop) -> None:
    User.objects.filter(pk=shop.beto.id).update(user_type="Customer")
    answer = shop.ana.put(f"{USERS}/{shop.ana.id}", {"userType": "Customer"})
    assert (answer.status, answer.code) == (409, "last_administrator")
