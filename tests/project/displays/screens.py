"""Wall screens for tests: what they ask before they are named, and callers that show their tokens."""

from typing import Any

from tests.builders import Caller, Shop

PAIRINGS = "/api/displays/pairings"
DISPLAYS = "/api/displays"


def waiting() -> dict[str, Any]:
    """A screen that shows a code: `code` and `secret`."""
    answer = Caller().post(PAIRINGS)
    assert answer.status == 201, answer
    answered: dict[str, Any] = answer.json
    return answered


def named(shop: Shop, name: str = "Entrada", **fields: Any) -> tuple[Caller, dict[str, Any]]:
    """A screen that Ana named, and its display: it calls with its own token."""
    screen = waiting()
    answer = shop.ana.post(DISPLAYS, {"code": screen["code"], "name": name, **fields})
    assert answer.status == 201, answer
    answered = Caller().get(f"{PAIRINGS}/{screen['secret']}").json
    assert answered["status"] == "paired"
    return Caller(bearer=answered["token"]), answer.json


def revoke(shop: Shop, display: dict[str, Any]) -> None:
    answer = shop.ana.delete(f"{DISPLAYS}/{display['id']}")
    assert (answer.status, answer.json["active"]) == (200, False), answer
