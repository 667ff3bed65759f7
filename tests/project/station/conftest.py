"""What the tests of stations share."""

import pytest

from project.access.permissions import Permission
from tests.builders import Caller, Shop, person, somebody
from tests.project.station.standing import MOVES, PIN, Floor, set_pin


@pytest.fixture
def floor(shop: Shop) -> Floor:
    dora = Caller(person("dora", *MOVES, processes=[shop.casting, shop.polishing]))
    assert set_pin(shop, dora, PIN).status == 200
    return Floor(shop, somebody(Permission.Station), dora)
