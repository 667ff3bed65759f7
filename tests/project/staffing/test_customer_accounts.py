"""The customer of an account: what the API and the database refuse."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from project.access.permissions import Permission
from project.identity.models import User, UserType
from project.staffing.models import CustomerAccount
from tests.builders import Shop, buyer, customer

USERS = "/identity/users"


def test_only_customer_accounts_have_a_customer(shop: Shop) -> None:
    buyer = customer().pk
    path = f"{USERS}/{shop.carla.id}"
    refused = shop.ana.put(path, {"customerId": buyer})
    assert (refused.status, refused.fields) == (422, {"customerId": "customers_only"})
    refused = shop.ana.put(path, {"customerId": buyer, "userType": "Internal"})
    assert refused.fields == {"customerId": "customers_only"}
    assert shop.ana.put(path, {"customerId": buyer, "userType": "Customer"}).json["customerId"] == buyer
    staff = shop.ana.put(path, {"userType": "Internal"}).json
    assert (staff["userType"], staff["customerId"]) == ("Internal", None)


def refused(change: Callable[[], object]) -> bool:
    """Return True if the database refuses `change`, at the latest when its transaction ends."""
    try:
        with transaction.atomic():
            change()
            connection.check_constraints()
    except IntegrityError:
        return True
    return False


def test_database_refuses_a_customer_for_an_internal_account(shop: Shop) -> None:
    """Both an internal account that gets a customer and a customer account that becomes internal."""
    account = User.objects.get(pk=buyer(shop.customer).id)
    assert refused(lambda: CustomerAccount.objects.create(user_id=shop.carla.id, customer=shop.customer))
    assert refused(lambda: CustomerAccount.objects.filter(user=account).update(user=shop.carla.id))
    assert refused(lambda: User.objects.filter(pk=account.pk).update(user_type=UserType.INTERNAL))
    CustomerAccount.objects.all().delete()
    assert not refused(lambda: User.objects.filter(pk=account.pk).update(user_type=UserType.INTERNAL))


def test_account_has_at_most_one_customer(shop: Shop) -> None:
    account = buyer(shop.customer)
    assert refused(lambda: CustomerAccount.objects.create(user_id=account.id, customer=customer()))


def test_customer_with_an_account_is_in_use_until_the_account_is_deleted(shop: Shop) -> None:
    account = buyer(shop.customer)
    answer = shop.ana.delete(f"/api/customers/{shop.customer.pk}", accept_language="en")
    assert (answer.status, answer.code) == (409, "in_use")
    assert "users (1)" in answer.json["message"]
    with pytest.raises(ProtectedError):
        shop.customer.delete()
    assert shop.ana.delete(f"{USERS}/{account.id}").json["customerId"] == shop.customer.pk
    assert shop.ana.delete(f"/api/customers/{shop.customer.pk}").status == 200


def test_customer_account_that_becomes_internal_loses_its_customer(shop: Shop) -> None:
    account = buyer(shop.customer, Permission.ListCustomers)
    assert account.get("/api/customers").status == 403
    assert shop.ana.put(f"{USERS}/{account.id}", {"userType": "Internal"}).json["customerId"] is None
    assert not CustomerAccount.objects.exists()
    assert account.get("/api/customers").status == 200
