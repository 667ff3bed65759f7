"""Wall screens for tests: pairings, paired displays, and callers that use a display's token."""

from typing import Any

from tests.builders import Caller, Shop

PAIRINGS = "/api/displays/pairings"
DISPLAYS = "/api/displays"


def waiting() -> dict[str, Any]:
    """Start a pairing: return its `code` and `secret`."""
    answer = Caller().post(PAIRINGS)
    assert answer.status == 201, answer
    answered: dict[str, Any] = answer.json
    return answered


def named(shop: Shop, name: str = "Entrada", **fields: Any) -> tuple[Caller, dict[str, Any]]:
    """Pair a screen as Ana. Return a caller that uses the display's token, and the display."""
    screen = waiting()
    answer = shop.ana.post(DISPLAYS, {"code": screen["code"], "name": name, **fields})
    assert answer.status == 201, answer
    answered = Caller().get(f"{PAIRINGS}/{screen['secret']}").json
    assert answered["status"] == "paired"
    return Caller(bearer=answered["token"]), answer.json


def revoke(shop: Shop, display: dict[str, Any]) -> None:
    answer = shop.ana.delete(f"{DISPLAYS}/{display['id']}")
    assert (answer.status, answer.json["active"]) == (200, False), answer
