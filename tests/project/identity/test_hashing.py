"""No password or PIN is hashed inside a transaction.

A hash takes a tenth of a second, and other writers would wait for it.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.tokens import default_token_generator
from django.db import connection

from project.access.permissions import Permission
from project.identity import bootstrap, pins
from tests.builders import Answer, Caller, Shop, somebody

OLD, NEW = "Vieja.2026", "Nueva.2026"


def created(shop: Shop, eva: Caller) -> Answer:
    person = {"email": "iris@obrador.test", "firstName": "Iris", "password": NEW}
    return shop.ana.post("/identity/users", person)


def changed(shop: Shop, eva: Caller) -> Answer:
    return shop.ana.put(f"/identity/users/{eva.id}", {"password": NEW})


def changed_by_himself(shop: Shop, eva: Caller) -> Answer:
    body = {"currentPassword": OLD, "newPassword": NEW, "confirmNewPassword": NEW}
    return eva.put(f"/identity/users/{eva.id}/change-password/by-user", body)


def reset(shop: Shop, eva: Caller) -> Answer:
    assert eva.user is not None
    token = f"{eva.id}-{default_token_generator.make_token(eva.user)}"
    body = {"token": token, "newPassword": NEW, "confirmNewPassword": NEW}
    return Caller().post("/identity/authentication/reset-password", body)


def signed_in(shop: Shop, eva: Caller) -> Answer:
    assert eva.user is not None
    return Caller().post("/identity/authentication/sign-in", {"username": eva.user.email, "password": OLD})


def given_a_pin(shop: Shop, eva: Caller) -> Answer:
    return shop.ana.put(f"/identity/users/{eva.id}/pin", {"pin": "271828"})


@pytest.mark.parametrize("write", [created, changed, changed_by_himself, reset, signed_in, given_a_pin])
def test_no_hash_is_made_while_a_transaction_is_open(
    busy_shop: Shop, settings: LazySettings, monkeypatch: pytest.MonkeyPatch, write: Callable[[Shop, Caller], Answer]
) -> None:
    settings.SECRET_KEY_FALLBACKS = ["the secret before this one, which PINs may still be made with"]
    eva = somebody(Permission.ChangePassword)
    assert eva.user is not None
    eva.user.set_password(OLD)
    eva.user.save()
    held = watched(monkeypatch)
    assert write(busy_shop, eva).status in (200, 201)
    assert held
    assert not any(held)


@pytest.mark.django_db(transaction=True)
def test_createadmin_hashes_outside_a_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    held = watched(monkeypatch)
    bootstrap.administrator_ensure(email="ana@obrador.test", password=NEW, first_name="Ana")
    assert held == [False]


def watched(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Record for each later hash whether a transaction is open; return that list."""
    held: list[bool] = []

    def watch(owner: object, name: str) -> None:
        hash_of = getattr(owner, name)

        def watching(*args: Any, **kwargs: Any) -> Any:
            held.append(connection.in_atomic_block)
            return hash_of(*args, **kwargs)

        monkeypatch.setattr(owner, name, watching)

    watch(Argon2PasswordHasher, "encode")
    watch(Argon2PasswordHasher, "verify")
    watch(pins, "hash_secret_raw")
    return held
