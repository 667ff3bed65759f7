"""An address that no mail server takes is refused wherever it is given, but a former one stays and signs in."""

import pytest
from django.core.management import CommandError, call_command

from project.access.permissions import ALL
from project.catalogs.models import Customer
from project.core.emails import is_deliverable
from tests.builders import Caller, Shop, person
from tests.project.customer_links.linking import LINKS, shared

PASSWORD = "Clave-larga-7"
BAD = ("a..b@c.com", ".a@c.com", "a.@c.com", "a@-c.com", "a@c-.com", f"{'a' * 65}@c.com", f"a@{'b' * 64}.com")


@pytest.mark.parametrize("address", BAD)
def test_no_mail_server_takes_these(address: str) -> None:
    assert not is_deliverable(address)


@pytest.mark.parametrize("address", ["a@c.com", "a.b@c-d.com.mx", "a_b+c@x.io", "o'neil@joyas.mx", "-a-@c.com"])
def test_mail_servers_take_these(address: str) -> None:
    assert is_deliverable(address)


@pytest.mark.parametrize("address", BAD[:4])
def test_every_write_refuses_them(shop: Shop, quick_passwords: None, address: str) -> None:
    user = {"firstName": "Eva", "lastName": "Luna", "email": address, "password": PASSWORD, "roleIds": []}
    company = {"name": "Taxco", "email": address}
    link = {"customerId": shop.customer.pk, "mailTo": address}
    made = shared(shop)
    for answer, field in (
        (shop.ana.post("/identity/users", user), "email"),
        (shop.ana.put(f"/identity/users/{shop.beto.id}", {"email": address}), "email"),
        (shop.ana.post("/api/companies", company), "email"),
        (shop.ana.put(f"/api/customers/{shop.customer.pk}", {"emails": ["b@c.com", address]}), "emails.1"),
        (shop.ana.post(LINKS, link), "mailTo"),
        (shop.ana.put(f"{LINKS}/{made['id']}", {"mailTo": address}), "mailTo"),
    ):
        assert (answer.status, answer.fields.get(field)) == (422, "invalid_email"), answer
    with pytest.raises(CommandError):
        call_command("createadmin", address, "--password", PASSWORD)


def test_a_former_address_stays_and_signs_in(shop: Shop, quick_passwords: None) -> None:
    user = person("eva", *ALL)
    user.set_password(PASSWORD)
    user.email = "e..va@c.com"
    user.save()
    Customer.objects.filter(pk=shop.customer.pk).update(emails=["a..b@c.com"])
    changed = shop.ana.put(f"/identity/users/{user.pk}", {"email": "e..va@c.com", "lastName": "Luna"})
    assert changed.status == 200, changed
    edited = shop.ana.put(f"/api/customers/{shop.customer.pk}", {"emails": ["a..b@c.com", "b@c.com"]})
    assert edited.status == 200, edited
    body = {"username": "e..va@c.com", "password": PASSWORD}
    assert Caller().post("/identity/authentication/sign-in", body).status == 200
