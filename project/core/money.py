"""Money in the minor units of its currency, as ISO 4217 has them: no yen has cents, a dinar of Bahrain has 1,000 fils.

Amounts that are paid (taxes, shipping, totals) have as many decimals as their currency. A price of one piece may have
four more: only what many pieces come to is paid.
"""

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

from babel import Locale
from babel.numbers import get_territory_currencies
from django.conf import settings

from project.core.errors import FieldError

DIGITS = 15
"""A JSON number carries so many digits exactly."""
MINOR_UNITS = {
    **dict.fromkeys(
        (
            "BIF",
            "CLP",
            "DJF",
            "GNF",
            "ISK",
            "JPY",
            "KMF",
            "KRW",
            "PYG",
            "RWF",
            "UGX",
            "VND",
            "VUV",
            "XAF",
            "XOF",
            "XPF",
        ),
        0,
    ),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
}
"""The decimals of each currency that has not two.

From ISO 4217's list: Unicode's figures, which babel and browsers have, are what cash is rounded to in 13 countries.
"""
MOST_MINOR_UNITS = max(MINOR_UNITS.values())
MORE_IN_PRICES = 4


def minor_units(currency: str) -> int:
    """The decimals of an amount in `currency`."""
    return MINOR_UNITS.get(currency, 2)


def price_decimals(currency: str) -> int:
    """The most decimals of the price of one piece in `currency`."""
    return minor_units(currency) + MORE_IN_PRICES


def most(currency: str) -> Decimal:
    """The largest amount in `currency` that a JSON number carries exactly."""
    return Decimal(10**DIGITS - 1).scaleb(-minor_units(currency))


def rounded(amount: Decimal, currency: str) -> Decimal:
    """`amount` rounded half up to the decimals of `currency`, as invoices are."""
    return _with_decimals(amount, minor_units(currency))


def with_minor_units(amount: Decimal, currency: str) -> Decimal:
    """`amount`, unrounded, with the decimals of `currency` written out, and more only where it has more."""
    return _with_decimals(amount, max(minor_units(currency), decimals_of(amount)))


def money_text(amount: Decimal, currency: str) -> str:
    """`1,234.50 MXN`: as papers and messages have it."""
    return f"{with_minor_units(amount, currency):,f} {currency}"


def decimals_of(number: Decimal) -> int:
    """How many decimals a finite number has; zeros at its end are none."""
    exponent = number.normalize().as_tuple().exponent
    assert isinstance(exponent, int)  # noqa: S101 - finite
    return max(0, -exponent)


def too_many_decimals(field: str, number: Decimal, limit: int) -> Iterator[FieldError]:
    """The error of `field` where its number has more than `limit` decimals: what a person typed is never rounded."""
    if decimals_of(number) > limit:
        yield FieldError(field, "too_many_decimals", {"limit": limit})


def _with_decimals(amount: Decimal, decimals: int) -> Decimal:
    return amount.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


@cache
def currency_codes() -> frozenset[str]:
    """The codes of ISO 4217 that are legal tender somewhere today."""
    countries = [code for code in map(str, Locale("en").territories) if len(code) == 2]
    return frozenset(code for country in countries for code in get_territory_currencies(country))


def plant_currency() -> str:
    """What piece work is paid in, and the currency of a price that names none."""
    return str(settings.PLANT_CURRENCY)
