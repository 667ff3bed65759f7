"""The tasks of the process that writes electronic invoices, and its answers. Each imports the writer when it runs."""

from dataclasses import dataclass
from datetime import datetime

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


class AgainstSchema(Refusal):
    """The SAT's schema refuses the invoice, though it breaks none of the rules. `reason` says what is wrong."""

    status = 422
    code = "against_schema"


class OtherInvoice(Exception):
    """The stamped file is not that of the sealed invoice, or it has no stamp."""


def prepare() -> None:
    """Nothing is loaded before the first task: most workshops write no electronic invoice."""


def invoice(shipment: Shipment, at: datetime, write: bool, csd: tuple[bytes, bytes] | None) -> Written:
    """See `cfdi_writer.invoice`."""
    from project.printing import cfdi_writer

    return cfdi_writer.invoice(shipment, at, write=write, csd=csd)


def stamp_of(sealed: bytes, stamped: bytes) -> Stamp:
    """See `cfdi_writer.stamp_of`."""
    from project.printing import cfdi_writer

    return cfdi_writer.stamp_of(sealed, stamped)
