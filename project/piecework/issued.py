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
    item_name_english: str = ""

    @classmethod
    def of(cls, record: ProcessRecord) -> Self:
        """Read the texts from the records as they are now."""
        item, process = record.line.item, record.process
        return cls(
            item_name=item.name,
            process_name=process.name,
            process_order=process.order,
            item_name_english=item.name_english,
        )
