"""The tasks of the process that writes electronic invoices, and its answers. Each imports the writer when it runs."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from project.billing.customs_rules import Gap, Shipment
from project.core.errors import Refusal


@dataclass(frozen=True)
class Written:
    """What an invoice lacks, and its XML if it lacks nothing."""

    gaps: list[Gap]
    xml: bytes | None


@dataclass(frozen=True)
class Stamp:
    """What a stamped invoice says: the folio that the SAT gave it, and when.

    `at` is in the time of central Mexico, and has no time zone, unless the stamp names one.
    """

    folio: str
    at: datetime


@dataclass(frozen=True)
class Settled:
    """A payment or a credit note for its paper. `at`: in plant time. `number`, `folio`: counted for each kind.

    `amount` is in `currency`; `settled`, `before` and `after` are in the invoice's currency. `rate`: pesos for a
    dollar.
    """

    is_payment: bool
    number: int
    folio: str
    at: datetime
    payment_form: str
    currency: str
    amount: Decimal
    rate: Decimal | None
    settled: Decimal
    before: Decimal
    after: Decimal
    notes: str


class AgainstSchema(Refusal):
    """The SAT's schema refuses the invoice, though it breaks none of the rules. `reason` says what is wrong."""

    status = 422
    code = "against_schema"


class OtherInvoice(Exception):
    """The stamped file has no whole stamp of the sealed invoice, or differs from it in more than the stamp."""


def prepare() -> None:
    """Load nothing, because most workshops write no electronic invoice. The first task loads what it needs."""


def invoice(shipment: Shipment, at: datetime, write: bool, csd: tuple[bytes, bytes] | None) -> Written:
    """Run `cfdi_writer.invoice`."""
    from project.printing import cfdi_writer

    return cfdi_writer.invoice(shipment, at, write=write, csd=csd)


def settlement(settled: Settled, stamped: bytes, at: datetime, csd: tuple[bytes, bytes] | None) -> bytes:
    """Run `cfdi_writer.settlement`."""
    from project.printing import cfdi_writer

    return cfdi_writer.settlement(settled, stamped, at, csd=csd)


def stamp_of(sealed: bytes, stamped: bytes) -> Stamp:
    """Run `cfdi_writer.stamp_of`."""
    from project.printing import cfdi_writer

    return cfdi_writer.stamp_of(sealed, stamped)


def texts_of(xml: bytes, names: tuple[str, ...]) -> dict[str, str]:
    """Run `cfdi_writer.texts_of`."""
    from project.printing import cfdi_writer

    return cfdi_writer.texts_of(xml, names)


def cancelation(folio: str, reason: str, replaced_by: str, at: datetime, csd: tuple[bytes, bytes]) -> bytes:
    """Run `cfdi_writer.cancelation`."""
    from project.printing import cfdi_writer

    return cfdi_writer.cancelation(folio, reason, replaced_by, at, csd)


def markup_of(stamped: bytes) -> str:
    """See `cfdi_writer.markup_of`."""
    from project.printing import cfdi_writer

    return cfdi_writer.markup_of(stamped)


def expression_of(stamped: bytes) -> str:
    """Run `cfdi_writer.expression_of`."""
    from project.printing import cfdi_writer

    return cfdi_writer.expression_of(stamped)
