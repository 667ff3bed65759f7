"""Fixtures of the tests of stations."""

from typing import Any

import pytest
from argon2.low_level import hash_secret_raw

from project.access.permissions import Permission
from project.identity import pins
from tests.builders import Caller, Shop, person, somebody
from tests.project.station.standing import MOVES, PIN, Floor, set_pin


@pytest.fixture(autouse=True)
def _quick_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash PINs with low costs. `test_hashing.py` and `test_guessing.py` use the real costs."""

    def quick(secret: bytes, salt: bytes, **costs: Any) -> bytes:
        return hash_secret_raw(secret, salt, **costs | {"time_cost": 1, "memory_cost": 8})

    monkeypatch.setattr(pins, "hash_secret_raw", quick)


@pytest.fixture
def floor(shop: Shop) -> Floor:
    dora = Caller(person("dora", *MOVES, processes=[shop.casting, shop.polishing]))
    assert set_pin(shop, dora, PIN).status == 200
    return Floor(shop, somebody(Permission.Station), dora)
