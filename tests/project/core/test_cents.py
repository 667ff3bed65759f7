"""Amounts are rounded half up, as invoices are, and currencies are those of ISO 4217."""

from decimal import Decimal

import pytest
from django.conf import LazySettings

from project.core.money import cents, currency_codes, plant_currency


@pytest.mark.parametrize(
    ("amount", "rounded"),
    [("0.005", "0.01"), ("0.0049", "0.00"), ("2.675", "2.68"), ("2.665", "2.67"), ("7", "7.00"), ("-0.005", "-0.01")],
)
def test_half_a_cent_is_rounded_up(amount: str, rounded: str) -> None:
    assert str(cents(Decimal(amount))) == rounded


def test_the_currencies_are_those_that_are_tender_somewhere() -> None:
    codes = currency_codes()
    assert {"MXN", "USD", "EUR", "CAD", "JPY"} <= codes
    assert all(len(code) == 3 and code.isascii() and code.isupper() for code in codes)
    assert 140 < len(codes) < 180
    assert not {"ZZZ", "MEX", "DEM"} & codes


def test_the_plants_currency_is_the_settings(settings: LazySettings) -> None:
    settings.PLANT_CURRENCY = "USD"
    assert plant_currency() == "USD"
