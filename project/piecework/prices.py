"""Computes what pieces earn. No database and no clock (infra/docs/rules.md#piecework).

A record stores the price that its pieces earned when they left (`orders.movements`): for each piece, or for each gram
of its weight. `catalogs.ProcessPrice` and `catalogs.ProcessItemPrice` store each price that has been set.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from project.catalogs.models import PriceUnit
from project.core.errors import FieldError, InvalidFields
from project.core.money import most, plant_currency, rounded
from project.orders.models import ProcessRecord


def price_of(record: ProcessRecord) -> Decimal:
    """Return what each piece or gram of the record earns; 0 while the pieces are inside."""
    return record.price if record.price is not None else Decimal(0)


def is_unweighed(record: ProcessRecord) -> bool:
    """Return whether the record earns by the gram and has no weight yet. Then its pay is unknown, not 0."""
    return record.price_unit == PriceUnit.gram and record.mg_left is None


def mg_to_pay(record: ProcessRecord, quantity: int) -> int | None:
    """Return the milligrams to pay with `quantity` of the pieces left to pay.

    None if the record earns by the piece, or has no weight yet. The last pieces take the remainder, so that the parts
    of a record add up to its weight.
    """
    if record.price_unit != PriceUnit.gram or record.mg_left is None:
        return None
    return (record.mg_left - record.mg_paid) * quantity // (record.quantity - record.quantity_paid)


def amount(quantity: int, price: Decimal, mg: int | None = None) -> Decimal:
    """Return what pieces earn, rounded half up to the decimals of the plant's currency.

    `mg`: the milligrams of the pieces if `price` is of a gram; None if `price` is of a piece.
    """
    return rounded((quantity if mg is None else Decimal(mg) / 1_000) * price, plant_currency())


def total(amounts: Sequence[Decimal]) -> Decimal:
    """Return the sum of a payment's amounts.

    Raises `InvalidFields` for each amount above the limit of the plant's currency. If only the sum is above the limit,
    raises it for the sum.
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
    """What is left to pay: records, pieces and money, and the oldest exit among the records.

    `unweighed`: further pieces, which earn by the gram and have no weight yet. `since` includes their exits.
    """

    records: int = 0
    pieces: int = 0
    amount: Decimal = Decimal(0)
    since: datetime | None = None
    unweighed: int = 0

    def add(
        self,
        records: int,
        quantity: int,
        price: Decimal | None,
        since: datetime | None,
        unit: str = PriceUnit.piece,
        mg: int | None = None,
    ) -> None:
        """Add `records` equal records, each with `quantity` pieces left to pay at `price`, with a weight of `mg`."""
        self.since = min(filter(None, (self.since, since)), default=None)
        by_gram = unit == PriceUnit.gram
        if by_gram and mg is None:
            self.unweighed += records * quantity
            return
        self.records += records
        self.pieces += records * quantity
        self.amount += records * amount(quantity, price or Decimal(0), mg if by_gram else None)


@dataclass(frozen=True)
class OwedProcess:
    """What a person is owed for a process."""

    process_id: int
    name: str
    owed: Owed


@dataclass(frozen=True)
class OwedPerson:
    """What a person is owed. `asked`: for the days asked for. `processes`: `asked` by process. `whole`: for any day."""

    user_id: int
    full_name: str
    asked: Owed
    whole: Owed
    processes: list[OwedProcess]
