"""Operators who name themselves at a station, for tests."""

from dataclasses import dataclass

from project.access.permissions import Permission
from tests.builders import Answer, Caller, Shop

MOVES = (Permission.SalesOrderPositionProcessIn, Permission.SalesOrderPositionProcessOut)
PIN = "271828"


def set_pin(shop: Shop, user: Caller, pin: str | None) -> Answer:
    return shop.ana.put(f"/identity/users/{user.id}/pin", {"pin": pin})


def make_badge(shop: Shop, user: Caller) -> str:
    answer = shop.ana.post(f"/identity/users/{user.id}/badge")
    assert answer.status == 201, answer
    return str(answer.json["code"])


def name_oneself(station: Caller, **body: object) -> Answer:
    return station.post("/api/station/operator", body)


@dataclass(frozen=True)
class Floor:
    """A shop with a signed-in tablet that may move nothing itself. Dora works in casting and polishing and has a
    PIN."""

    shop: Shop
    tablet: Caller
    dora: Caller

    def dora_stands_here(self, process: int | None = None) -> Caller:
        """Name Dora at the tablet and return a caller with her operator token."""
        body = {"pin": PIN} | ({"productionProcessId": process} if process else {})
        answer = name_oneself(self.tablet, **body)
        assert answer.status == 200, answer
        assert answer.json["user"] == {"id": self.dora.id, "fullName": "Dora Torres"}
        assert answer.json["expiresIn"] == 600
        return Caller(self.dora.user, bearer=answer.json["token"])
