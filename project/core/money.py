"""Money: decimals, rounded half up to cents."""

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
MOST = Decimal("9999999999999.99")
"""More cents than these a JSON number does not carry exactly."""


def cents(amount: Decimal) -> Decimal:
    """`amount` rounded half up to two decimals, as invoices are."""
    return amount.quantize(CENT, ROUND_HALF_UP)
