"""The price of pieces and what they earn, no database and no clock (infra/docs/rules.md#piecework).

A record keeps the price that its process had when its pieces left (`orders.movements`); each price that a process ever
had is kept in `catalogs.ProcessPrice`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from project.core.errors import FieldError, InvalidFields
from project.core.money import most, plant_currency, rounded
from project.orders.models import ProcessRecord


def price_of(record: ProcessRecord) -> Decimal:
    """What one of the record's pieces earns; nothing while they are inside."""
    return record.price if record.price is not None else Decimal(0)


def amount(quantity: int, price: Decimal) -> Decimal:
    """What `quantity` pieces earn, rounded half up to the decimals of the plant's currency."""
    return rounded(quantity * price, plant_currency())


def total(amounts: Sequence[Decimal]) -> Decimal:
    """What a payment of these amounts comes to. Raises `InvalidFields` for each that nobody can mean, or for all."""
    limit = most(plant_currency())
    absurd = [
        FieldError(f"items.{n}.price", "too_large", {"limit": limit}) for n, one in enumerate(amounts) if one > limit
    ]
    whole = sum(amounts, Decimal(0))
    if whole > limit and not absurd:
        absurd = [FieldError("items", "too_large", {"limit": limit})]
    if absurd:
        raise InvalidFields(errors=absurd)
    return whole


@dataclass
class Owed:
    """Records, pieces and money that are left to pay, and the oldest exit among them."""

    records: int = 0
    pieces: int = 0
    amount: Decimal = Decimal(0)
    since: datetime | None = None

    def add(self, records: int, quantity: int, price: Decimal | None, since: datetime | None) -> None:
        """So many records, of each of which `quantity` pieces are left to pay at `price`."""
        self.records += records
        self.pieces += records * quantity
        self.amount += records * amount(quantity, price or Decimal(0))
        self.since = min(filter(None, (self.since, since)), default=None)


@dataclass(frozen=True)
class OwedPerson:
    """What somebody is owed of the days asked for, and altogether."""

    user_id: int
    full_name: str
    asked: Owed
    whole: Owed
