"""Compute what pieces earn. No database and no clock (infra/docs/rules.md#piecework).

A record stores the price that its pieces earned when they left (`orders.movements`). `catalogs.ProcessPrice` stores
each price that a process has had.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from project.core.errors import FieldError, InvalidFields
from project.core.money import most, plant_currency, rounded
from project.orders.models import ProcessRecord


def price_of(record: ProcessRecord) -> Decimal:
    """Return what each piece of the record earns; 0 while the pieces are inside."""
    return record.price if record.price is not None else Decimal(0)


def amount(quantity: int, price: Decimal) -> Decimal:
    """Return what `quantity` pieces earn, rounded half up to the decimals of the plant's currency."""
    return rounded(quantity * price, plant_currency())


def total(amounts: Sequence[Decimal]) -> Decimal:
    """Return the sum of a payment's amounts.

    Raises `InvalidFields` for each amount above the limit of the plant's currency, or for the sum if it alone is above.
    """
    limit = most(plant_currency())
    too_large = [
        FieldError(f"items.{n}.price", "too_large", {"limit": limit}) for n, one in enumerate(amounts) if one > limit
    ]
    whole = sum(amounts, Decimal(0))
    if whole > limit and not too_large:
        too_large = [FieldError("items", "too_large", {"limit": limit})]
    if too_large:
        raise InvalidFields(errors=too_large)
    return whole


@dataclass
class Owed:
    """What is left to pay: records, pieces and money, and the oldest exit among the records."""

    records: int = 0
    pieces: int = 0
    amount: Decimal = Decimal(0)
    since: datetime | None = None

    def add(self, records: int, quantity: int, price: Decimal | None, since: datetime | None) -> None:
        """Add `records` records, each with `quantity` pieces left to pay at `price`."""
        self.records += records
        self.pieces += records * quantity
        self.amount += records * amount(quantity, price or Decimal(0))
        self.since = min(filter(None, (self.since, since)), default=None)


@dataclass(frozen=True)
class OwedProcess:
    """What a person is owed for a process."""

    process_id: int
    name: str
    owed: Owed


@dataclass(frozen=True)
class OwedPerson:
    """What a person is owed: for the days that were asked for (`asked`, by `processes`), and altogether (`whole`)."""

    user_id: int
    full_name: str
    asked: Owed
    whole: Owed
    processes: list[OwedProcess]
