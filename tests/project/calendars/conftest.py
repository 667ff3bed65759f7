"""Readings of calendars are counted from the start of each test."""

import pytest

from project.access.pace import Pace
from project.calendars import services


@pytest.fixture(autouse=True)
def readings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "reads", Pace(services.MOST_READS))
