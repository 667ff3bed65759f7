"""Texts of other records that a pay slip shows, as they were when the payment was made."""

from dataclasses import dataclass
from typing import Self

from project.orders.models import ProcessRecord


@dataclass(frozen=True)
class PaymentTexts:
    """The company that pays, and the currency of all amounts."""

    payer: str
    currency: str


@dataclass(frozen=True)
class ItemTexts:
    """The product and the process of a record; `process_order` is the place of the process in production."""

    item_name: str
    process_name: str
    process_order: int

    @classmethod
    def of(cls, record: ProcessRecord) -> Self:
        """Read the texts from the records as they are now."""
        return cls(
            item_name=record.line.item.name, process_name=record.process.name, process_order=record.process.order
        )
