"""What a pay slip says of the records that it names, as they were on the day it was paid."""

from dataclasses import dataclass


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
