"""The API, `createadmin` and the sign-in page accept the same e-mail addresses."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from project.identity.models import User
from tests.builders import Shop

EMAILS = json.loads((Path(__file__).parents[2] / "contract" / "emails.json").read_text(encoding="utf-8"))
"""`emailRule.test.ts` checks the web client's pattern against the same table."""
PASSWORD = "Taller.2026"

pytestmark = pytest.mark.usefixtures("quick_passwords")


def user(email: str) -> dict[str, str]:
    return {"email": email, "password": PASSWORD, "firstName": "Dora"}


@pytest.mark.parametrize("email", EMAILS["valid"])
def test_account_accepts_the_addresses_that_the_page_accepts(shop: Shop, email: str) -> None:
    created = shop.ana.post("/identity/users", user(email))
    assert (created.status, created.json["email"]) == (201, email)
    assert shop.nobody.post("/identity/authentication/sign-in", {"username": email, "password": PASSWORD}).status == 200
    assert shop.ana.put(f"/identity/users/{shop.carla.id}", {"email": "x" + email}).status == 200


@pytest.mark.parametrize("email", EMAILS["invalid"], ids=ascii)
def test_account_refuses_the_addresses_that_the_page_refuses(shop: Shop, email: str) -> None:
    for answer in (
        shop.ana.post("/identity/users", user(email)),
        shop.ana.put(f"/identity/users/{shop.carla.id}", {"email": email}),
    ):
        assert (answer.status, answer.fields) == (422, {"email": "invalid_email"})
    with pytest.raises(CommandError, match="e-mail"):
        call_command("createadmin", email, "--password", PASSWORD)


def test_stored_address_that_is_no_longer_valid_still_signs_in(shop: Shop) -> None:
    shop.ana.post("/identity/users", user("oneil@obrador.test"))
    User.objects.filter(email="oneil@obrador.test").update(email="o'néil@obrador.test")
    assert (
        shop.nobody.post(
            "/identity/authentication/sign-in", {"username": "o'néil@obrador.test", "password": PASSWORD}
        ).status
        == 200
    )


@pytest.mark.parametrize("names", [{"first_name": "Ana\nBcc: x"}, {"first_name": " "}, {"last_name": "Ruiz\x1b[31m"}])
def test_createadmin_refuses_the_names_that_the_api_refuses(db: None, names: dict[str, str]) -> None:
    with pytest.raises(CommandError, match="name"):
        call_command("createadmin", "jefa@obrador.test", "--password", PASSWORD, **names)
    assert not User.objects.exists()
