"""Money: decimals rounded half up to cents, in a currency of ISO 4217."""

from decimal import ROUND_HALF_UP, Decimal
from functools import cache

from babel import Locale
from babel.numbers import get_territory_currencies
from django.conf import settings

CENT = Decimal("0.01")
MOST = Decimal("9999999999999.99")
"""More cents than these a JSON number does not carry exactly."""


def cents(amount: Decimal) -> Decimal:
    """`amount` rounded half up to two decimals, as invoices are."""
    return amount.quantize(CENT, ROUND_HALF_UP)


@cache
def currency_codes() -> frozenset[str]:
    """The codes of ISO 4217 that are legal tender somewhere today."""
    countries = [code for code in map(str, Locale("en").territories) if len(code) == 2]
    return frozenset(code for country in countries for code in get_territory_currencies(country))


def plant_currency() -> str:
    """What piece work is paid in, and the currency of a price that names none."""
    return str(settings.PLANT_CURRENCY)
