"""Other programs for tests: service accounts that Ana made, and callers that show their tokens."""

from typing import Any

from project.core import clock
from tests.builders import Answer, Caller, Shop

ACCOUNTS = "/api/service-accounts"


def account_of(shop: Shop, *actions: str, name: str = "Contabilidad", **fields: Any) -> dict[str, Any]:
    """A service account that may do `actions`."""
    answer = shop.ana.post(ACCOUNTS, {"name": name, "permissions": actions, **fields})
    assert answer.status == 201, answer
    made: dict[str, Any] = answer.json
    return made


def make_token(by: Caller, account: dict[str, Any], expires_on: object = None, **headers: str) -> Answer:
    """A token of the account, good to the end of today where nothing else is said."""
    body = {"expiresOn": str(expires_on or clock.today())}
    return by.post(f"{ACCOUNTS}/{account['id']}/token", body, **headers)


def program(shop: Shop, *actions: str, name: str = "Contabilidad", **fields: Any) -> tuple[Caller, dict[str, Any]]:
    """A program that may do `actions`, and its account: it calls with its own token."""
    account = account_of(shop, *actions, name=name, **fields)
    answer = make_token(shop.ana, account)
    assert answer.status == 201, answer
    return Caller(bearer=answer.json["token"]), account
