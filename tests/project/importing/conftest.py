"""The workshop of the tests of imports."""

import pytest

from tests.builders import Shop


@pytest.fixture
def shop(shop: Shop, tasks_at_once: None) -> Shop:
    """The workshop, where the job of an import ends before the call that asks for it returns. See `busy_shop`."""
    return shop
