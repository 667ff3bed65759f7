"""The database stores grams as whole milligrams, and a fineness in tenths of a per mille: 925 is stored as 9250."""

from decimal import Decimal

MG = 1_000
"""Milligrams in a gram."""
PURE = 10_000
"""The fineness of pure metal, in tenths of a per mille."""


def to_mg(grams: Decimal | None) -> int:
    """Convert grams with at most three decimals to milligrams. None becomes 0."""
    return int((grams or 0) * MG)


def to_grams(mg: int) -> Decimal:
    return Decimal(mg) / MG


def mg_or_none(grams: Decimal | None) -> int | None:
    return None if grams is None else to_mg(grams)


def grams_or_none(mg: int | None) -> Decimal | None:
    return None if mg is None else to_grams(mg)


def per_mille(fineness: int) -> Decimal:
    """Return a fineness as people write it: 9250 is 925."""
    return Decimal(fineness) / 10


def tenths(fineness: Decimal) -> int:
    """Return a fineness as it is stored: 925 is 9250."""
    return int(fineness * 10)
