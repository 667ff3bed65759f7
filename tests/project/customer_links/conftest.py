"""Fixtures of the tests of customers' pages."""

import pytest

from project.access.pace import Pace
from project.customer_links import services
from project.customer_links.services import MOST_READS


@pytest.fixture(autouse=True)
def _reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count the calls of each test from zero: links of different tests may have the same id."""
    monkeypatch.setattr(services, "reads", Pace(MOST_READS))
