"""The workshop of the tests of imports."""

import pytest

from tests.builders import Shop


@pytest.fixture
def shop(shop: Shop, tasks_at_once: None) -> Shop:
    """The workshop, where the job of an import ends before the call that asks for it returns.

    Take `busy_shop` for races, for dying jobs, and for files that are read for long: PostgreSQL ends a transaction that
    is idle for a minute.
    """
    return shop
