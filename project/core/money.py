"""Money in the minor units of its currency, by ISO 4217: a yen has no decimals, a Bahraini dinar has three.

Amounts that are paid (taxes, shipping, totals) have as many decimals as their currency. The price of one piece may have
four more, because only the total of many pieces is paid.
"""

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

from babel import Locale
from babel.numbers import get_territory_currencies
from django.conf import settings

from project.core.errors import FieldError

DIGITS = 15
"""Digits that a JSON number carries exactly."""
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
"""The decimals of each currency that does not have two, from the list of ISO 4217.

The figures of Unicode, which babel and browsers use, are not used: in 13 countries they are the decimals of cash.
"""
MOST_MINOR_UNITS = max(MINOR_UNITS.values())
MORE_IN_PRICES = 4


def minor_units(currency: str) -> int:
    """Return the decimals of an amount in `currency`."""
    return MINOR_UNITS.get(currency, 2)


def price_decimals(currency: str) -> int:
    """Return the most decimals that the price of one piece may have in `currency`."""
    return minor_units(currency) + MORE_IN_PRICES


def most(currency: str) -> Decimal:
    """Return the largest amount in `currency` that a JSON number carries exactly."""
    return Decimal(10**DIGITS - 1).scaleb(-minor_units(currency))


def rounded(amount: Decimal, currency: str) -> Decimal:
    """Round `amount` half up to the decimals of `currency`, as invoices do."""
    return _with_decimals(amount, minor_units(currency))


def with_minor_units(amount: Decimal, currency: str) -> Decimal:
    """Pad `amount` to the decimals of `currency`, without rounding; further decimals stay."""
    return _with_decimals(amount, max(minor_units(currency), decimals_of(amount)))


def money_text(amount: Decimal, currency: str) -> str:
    """Format as `1,234.50 MXN`, for papers and messages."""
    return f"{with_minor_units(amount, currency):,f} {currency}"


def decimals_of(number: Decimal) -> int:
    """Return how many decimals a finite number has, without trailing zeros."""
    exponent = number.normalize().as_tuple().exponent
    assert isinstance(exponent, int)  # noqa: S101 - finite
    return max(0, -exponent)


def too_many_decimals(field: str, number: Decimal, limit: int) -> Iterator[FieldError]:
    """Yield an error of `field` if `number` has more than `limit` decimals: input is never rounded."""
    if decimals_of(number) > limit:
        yield FieldError(field, "too_many_decimals", {"limit": limit})


def _with_decimals(amount: Decimal, decimals: int) -> Decimal:
    return amount.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


@cache
def currency_codes() -> frozenset[str]:
    """Return the ISO 4217 codes of all currencies that are legal tender somewhere today."""
    countries = [code for code in map(str, Locale("en").territories) if len(code) == 2]
    return frozenset(code for country in countries for code in get_territory_currencies(country))


def plant_currency() -> str:
    """Return the currency of piece work, and of prices that name no currency."""
    return str(settings.PLANT_CURRENCY)
