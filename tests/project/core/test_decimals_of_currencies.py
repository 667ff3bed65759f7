"""Amounts have the decimals of their currency (ISO 4217). They are rounded half up, and typed ones never."""

from decimal import Decimal
from typing import Any

import pytest
from babel.numbers import get_currency_precision
from django.conf import LazySettings
from hypothesis import given, strategies as st
from pydantic import BaseModel, ValidationError

from project.core.money import (
    MINOR_UNITS,
    currency_codes,
    decimals_of,
    minor_units,
    most,
    plant_currency,
    price_decimals,
    rounded,
    too_many_decimals,
    with_minor_units,
)
from project.core.schemas import PriceIn
from project.core.validation import code_of


@pytest.mark.parametrize(
    ("amount", "currency", "expected"),
    [
        ("0.005", "MXN", "0.01"),
        ("0.0049", "USD", "0.00"),
        ("2.675", "EUR", "2.68"),
        ("2.665", "MXN", "2.67"),
        ("7", "MXN", "7.00"),
        ("-0.005", "MXN", "-0.01"),
        ("0.5", "JPY", "1"),
        ("1234.49", "CLP", "1234"),
        ("7.00", "KRW", "7"),
        ("0.0005", "BHD", "0.001"),
        ("2.6754", "KWD", "2.675"),
        ("7", "TND", "7.000"),
    ],
)
def test_half_a_minor_unit_is_rounded_up(amount: str, currency: str, expected: str) -> None:
    assert str(rounded(Decimal(amount), currency)) == expected


@pytest.mark.parametrize(
    ("amount", "currency", "expected"),
    [
        ("10.5000000", "MXN", "10.50"),
        ("10.5012000", "MXN", "10.5012"),
        ("1000.000", "JPY", "1000"),
        ("1000.2500", "JPY", "1000.25"),
        ("1E+3", "CLP", "1000"),
        ("0", "BHD", "0.000"),
        ("1.0000001", "BHD", "1.0000001"),
    ],
)
def test_amount_is_written_with_its_currencys_decimals_or_more(amount: str, currency: str, expected: str) -> None:
    assert str(with_minor_units(Decimal(amount), currency)) == expected


@pytest.mark.parametrize(
    ("currency", "decimals"),
    [("JPY", 0), ("CLP", 0), ("KRW", 0), ("PYG", 0), ("VND", 0), ("BHD", 3), ("IQD", 3), ("LYD", 3)]
    + [(code, 2) for code in ("MXN", "USD", "EUR", "CAD", "HUF", "COP", "RSD", "MGA")],
)
def test_decimals_are_those_of_iso_4217(currency: str, decimals: int) -> None:
    assert (minor_units(currency), price_decimals(currency)) == (decimals, decimals + 4)
    assert (len(str(most(currency)).replace(".", "")), decimals_of(most(currency))) == (15, decimals)


def test_unicode_figures_differ_only_for_currencies_with_rounded_cash() -> None:
    codes = currency_codes()
    assert codes >= MINOR_UNITS.keys()
    differ = {code for code in codes if get_currency_precision(code) != minor_units(code)}
    assert differ == {*["AFN", "ALL", "IQD", "IRR", "KPW", "LAK", "LBP", "MGA", "MMK", "RSD", "SOS", "SYP", "YER"]}
    assert all(get_currency_precision(code) == 0 for code in differ)


@given(st.sampled_from(["JPY", "MXN", "BHD"]), st.decimals(0, 10**9, places=8))
def test_number_has_too_many_decimals_if_rounding_changes_it(currency: str, number: Decimal) -> None:
    refused = [*too_many_decimals("price", number, minor_units(currency))]
    assert [error.params for error in refused] == (
        [{"limit": minor_units(currency)}] if _changes(number, currency) else []
    )
    assert with_minor_units(number, currency) == number


def _changes(number: Decimal, currency: str) -> bool:
    return rounded(number, currency) != number


class Priced(BaseModel):
    price: PriceIn


@pytest.mark.parametrize(
    ("number", "limit"),
    [
        (12_345_678.1234567, None),
        (9_999_999_999, None),
        (9_999_999_998.99999, None),
        (0.0000001, None),
        (0.00000001, 7),
        (123_456_789.1234567, 6),
        (1_234_567_890.123456, 5),
    ],
)
def test_number_has_at_most_the_digits_that_json_carries_exactly(number: float, limit: int | None) -> None:
    def asked() -> Any:
        return Priced(price=number).price  # type: ignore[arg-type]

    if limit is None:
        assert float(asked()) == number
        return
    with pytest.raises(ValidationError) as refused:
        asked()
    assert [code_of(error) for error in refused.value.errors()] == [("too_many_decimals", {"limit": limit})]


def test_currencies_are_those_in_use_today() -> None:
    codes = currency_codes()
    assert {"MXN", "USD", "EUR", "CAD", "JPY"} <= codes
    assert all(len(code) == 3 and code.isascii() and code.isupper() for code in codes)
    assert 140 < len(codes) < 180
    assert not {"ZZZ", "MEX", "DEM"} & codes


def test_plants_currency_comes_from_the_setting(settings: LazySettings) -> None:
    settings.PLANT_CURRENCY = "USD"
    assert plant_currency() == "USD"
