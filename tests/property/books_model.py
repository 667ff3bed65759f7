"""An order with its bills as the contract has them: what the API is compared with."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.property.line_model import Line
from tests.specification import order_status

Pieces = Mapping[int, int]
"""Pieces to bill of each line, by position."""


@dataclass
class Draft:
    """A pre-bill: what it would bill, and to whom."""

    customer: int
    pieces: Pieces


@dataclass
class Books:
    """One order, its bills that stand and its pre-bills; verbs answer as those of `Line`."""

    customer: int
    lines: list[Line]
    bills: dict[int, Pieces] = field(default_factory=dict)
    drafts: dict[int, Draft] = field(default_factory=dict)
    was_named: bool = False
    """Whether any bill or pre-bill ever named a line of the order."""

    @property
    def status(self) -> str:
        return order_status([line.status for line in self.lines])

    def change_customer(self, customer: int) -> str | None:
        if customer != self.customer and any(line.billed for line in self.lines):
            return "already_billed"
        self.customer = customer
        return None

    def delete(self) -> str | None:
        touched = self.was_named or any(line.records or line.billed for line in self.lines)
        return "has_movements" if touched else None

    def billing(self, pieces: Pieces, customer: int) -> str | None:
        """Why these pieces cannot be billed to this customer."""
        if customer != self.customer:
            return "mixed_customers"
        if any(self.lines[place - 1].status not in ("Done", "Invoiced") for place in pieces):
            return "line_not_done"
        if any(count > self.lines[place - 1].left_to_bill for place, count in pieces.items()):
            return "quantity_exceeds_remaining"
        return None

    def billed(self, number: int, pieces: Pieces) -> None:
        self.bills[number], self.was_named = pieces, True
        for place, count in pieces.items():
            self.lines[place - 1].bill(count)

    def drafted(self, number: int, pieces: Pieces) -> None:
        self.drafts[number], self.was_named = Draft(self.customer, pieces), True

    def cancel(self, number: int) -> None:
        self.drafts.pop(number, None)
        for place, count in self.bills.pop(number, {}).items():
            self.lines[place - 1].bill(-count)
