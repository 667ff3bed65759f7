"""Service accounts made by Ana, and callers that use their tokens, for tests."""

from typing import Any

from project.core import clock
from tests.builders import Answer, Caller, Shop

ACCOUNTS = "/api/service-accounts"


def account_of(shop: Shop, *actions: str, name: str = "Contabilidad", **fields: Any) -> dict[str, Any]:
    """Create a service account with the permissions `actions`."""
    answer = shop.ana.post(ACCOUNTS, {"name": name, "permissions": actions, **fields})
    assert answer.status == 201, answer
    made: dict[str, Any] = answer.json
    return made


def make_token(by: Caller, account: dict[str, Any], expires_on: object = None, **headers: str) -> Answer:
    """Make a token of the account, valid to the end of `expires_on`, today by default."""
    body = {"expiresOn": str(expires_on or clock.today())}
    return by.post(f"{ACCOUNTS}/{account['id']}/token", body, **headers)


def program(shop: Shop, *actions: str, name: str = "Contabilidad", **fields: Any) -> tuple[Caller, dict[str, Any]]:
    """Create a service account with the permissions `actions`. Return a caller with its token, and the account."""
    account = account_of(shop, *actions, name=name, **fields)
    answer = make_token(shop.ana, account)
    assert answer.status == 201, answer
    return Caller(bearer=answer.json["token"]), account
