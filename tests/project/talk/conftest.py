"""Fixtures of the tests of talk: the station's floor."""

from tests.project.station.conftest import _quick_pins, floor

__all__ = ["_quick_pins", "floor"]
