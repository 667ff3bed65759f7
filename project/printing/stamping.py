"""Stamp and cancel electronic papers at the PAC of the settings (infra/docs/rules.md#stamping).

A paper that a PAC was sent without an answer is asked for before it is sent again, and its seal cannot be taken back:
no bill gets two stamps.
"""

from collections.abc import Mapping
from uuid import UUID

from project.access.principal import Principal
from project.billing import cfdi as stored, csd
from project.billing.cfdi import RESENT_AFTER, StampExpired
from project.billing.models import CancelReason
from project.billing.selectors import bill_get
from project.core import clock
from project.core.queries import give_connection_back
from project.printing import cfdi, cfdi_tasks
from project.printing.pac import PacRefused, PacUnavailable, PacUnreached, Read, pac, status

RETRY_SECONDS = int(RESENT_AFTER.total_seconds())


def stamp(*, bill_id: int, by: Principal, settlement_id: int | None = None) -> None:
    """Let the PAC stamp the sealed paper, and store the stamped paper.

    Raises `NotFound`, `NotSealed`, `PacRequired`, `PacRefused`, `StampExpired`, what `cfdi.stamp` raises, and
    `PacUnavailable` if the PAC does not answer, or was sent this paper a moment ago.
    """
    bill_get(bill_id, by)
    at, row = pac(_reader(by)), stored.waiting(bill_id, settlement_id)
    sealed, found = row.xml.encode(), None
    give_connection_back()
    if row.sent_at:
        found = at.ask(sealed)
        if found is None and row.sealed_at + stored.STAMPED_WITHIN < clock.now():
            stored.unsend(bill_id=bill_id, settlement_id=settlement_id)
            raise StampExpired
    if found is None:
        if not stored.send(bill_id=bill_id, settlement_id=settlement_id):
            raise PacUnavailable(retryAfter=RETRY_SECONDS)
        give_connection_back()
        try:
            found = at.stamp(sealed)
        except (PacRefused, PacUnreached):
            # An earlier sending that was not answered may have been stamped.
            if not row.sent_at:
                stored.unsend(bill_id=bill_id, settlement_id=settlement_id)
            raise
    cfdi.stamp(bill_id=bill_id, stamped=found, by=by, settlement_id=settlement_id)


def cancel(
    *, bill_id: int, reason: CancelReason, replaced_by: UUID | None, by: Principal, settlement_id: int | None = None
) -> None:
    """Ask the SAT through the PAC to cancel a stamped paper. It is noted as canceled once the SAT says so.

    Raises `NotFound`, `NotStamped`, `NotCancelable`, `InvalidFields`, `CsdRequired`, `CsdOfOtherRfc`, `PacRequired`,
    `PacRefused`, `PacUnavailable`.
    """
    read = _reader(by)
    at, bill = pac(read), bill_get(bill_id, by)
    row = stored.cancelable(bill_id, settlement_id)
    folio = stored.replacing(row, reason, replaced_by)
    keys = csd.keys_for(bill.company_id, seller=cfdi.seller_rfc(bill))
    signed = cfdi.worked(cfdi_tasks.cancelation, row.uuid, reason.value, folio, cfdi.now(), keys, by=by)
    at.cancel(signed)
    stored.ask_cancel(bill_id=bill_id, settlement_id=settlement_id, reason=reason, folio=folio, by=by)
    _follow(bill_id, settlement_id, by, read)


def follow(*, bill_id: int, by: Principal, settlement_id: int | None = None) -> None:
    """Ask the SAT about a requested cancellation, and store that the paper is canceled, or that the buyer refused.

    Raises `NotFound`, `NotStamped` if no cancellation was requested, `PacRequired`, `PacUnavailable`.
    """
    bill_get(bill_id, by)
    read = _reader(by)
    pac(read)
    _follow(bill_id, settlement_id, by, read)


def _follow(bill_id: int, settlement_id: int | None, by: Principal, read: Read) -> None:
    row = stored.canceling(bill_id, settlement_id)
    expression = cfdi.worked(cfdi_tasks.expression_of, row.xml.encode(), by=by)
    found = status(expression, read)
    if found.is_canceled:
        stored.cancel_asked(bill_id=bill_id, settlement_id=settlement_id, by=by)
    elif found.was_refused:
        stored.keep(bill_id=bill_id, settlement_id=settlement_id, by=by)


def _reader(by: Principal) -> Read:
    def read(xml: bytes, names: tuple[str, ...]) -> Mapping[str, str]:
        try:
            return cfdi.worked(cfdi_tasks.texts_of, xml, names, by=by)
        except cfdi_tasks.OtherInvoice as error:
            raise PacUnavailable from error

    return read
