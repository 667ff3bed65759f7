"""Buy metal, move it between accounts, send it to be refined, and melt it (infra/docs/rules.md#metal-office)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.db.models import Max

from project.access.principal import Principal
from project.catalogs.models import Alloy, ProductionProcess
from project.core import clock
from project.core.errors import FieldError, InvalidFields, NotFound, Refusal
from project.core.grams import PURE, to_grams
from project.core.idempotency import unit_of_work
from project.identity.models import User, UserType
from project.metal import auditing, ledger, selectors
from project.metal.events import publish_entries
from project.metal.ledger import Posting
from project.metal.models import (
    NAMED,
    OF_PROCESS,
    Account,
    AccountKind,
    EntryKind,
    Lot,
    Melting,
    MetalEntry,
    Refining,
    RefiningShare,
)
from project.metal.rules import LotUsedUp, fine_mg

FROM = frozenset(AccountKind) - {
    AccountKind.line,
    AccountKind.batch,
    AccountKind.refinery,
    AccountKind.shipped,
    AccountKind.supplier,
}
"""The kinds of accounts from which metal may be transferred by hand. Other kinds have papers of their own."""
TO = FROM | {AccountKind.supplier}
FAR_TIMES = 20
"""A receipt of more than so many times the largest one of its alloy may be a typing error."""
FAR_FROM_MG = 1_000_000
"""A receipt up to this many milligrams is never asked about."""


class SameDocument(Refusal):
    """The supplier's lot `lotId` already has this document. The user must confirm that it is received a second time."""

    code = "same_document"


class ReceiptFar(Refusal):
    """The receipt (`grams`) is far larger than the `largest` one of its alloy so far. The user must confirm it."""

    code = "receipt_far"


class AlreadyReturned(Refusal):
    """The metal of this refining has already come back."""

    code = "already_returned"


@dataclass(frozen=True)
class Place:
    """An account as the request names it: by its id, or by its kind and other fields. `side`: `from` or `to`."""

    side: str
    account_id: int | None
    kind: str | None
    user_id: int | None
    process_id: int | None
    name: str | None


@dataclass(frozen=True)
class Melt:
    """Metal that is melted: from the vault, or from the scrap box."""

    alloy_id: int
    mg: int
    scrap: bool


@unit_of_work
def lot_create(
    *,
    alloy_id: int,
    mg: int,
    supplier: str,
    document: str,
    assay: int | None,
    day: date,
    confirm: bool = False,
    by: Principal,
) -> Lot:
    """Receive metal into the vault as a new lot.

    Raises `InvalidFields`. Without `confirm`, raises `SameDocument` if the supplier already has a lot with this
    document, and `ReceiptFar` if the receipt is far larger than any earlier receipt of the alloy.
    """
    if day > clock.today():
        raise InvalidFields.of("day", "in_the_future")
    if not _alloys({"alloyId": alloy_id})[alloy_id].status:
        raise InvalidFields.of("alloyId", "inactive")
    seller, vault = ledger.supplier(supplier), ledger.vault()
    held = ledger.lock([seller, vault], [alloy_id])  # two receipts of one document wait for each other here
    if document.strip() and not confirm:
        _check_new_document(supplier, document)
    if mg > FAR_FROM_MG and not confirm:
        _check_not_far(alloy_id, mg)
    lot = Lot.objects.create(
        alloy_id=alloy_id,
        received_mg=mg,
        supplier=supplier,
        document=document,
        assay=assay,
        day=day,
        created_at=clock.now(),
        by_id=by.user_id,
    )
    posting = Posting(
        source=seller,
        target=vault,
        alloy_id=alloy_id,
        mg=mg,
        kind=EntryKind.receive,
        lot_id=lot.pk,
    )
    _post([posting], by=by, held=held)
    auditing.record("metal-lot", lot, "created", by=by)
    return lot


def _check_new_document(supplier: str, document: str) -> None:
    """Raise `SameDocument` if a lot of the supplier has the document. 1 query."""
    same = Lot.objects.filter(supplier__name_key=supplier, document__name_key=document).order_by("pk").first()
    if same is not None:
        raise SameDocument(
            lotId=same.pk,
            supplier=same.supplier,
            document=same.document,
            day=str(same.day),
            grams=float(to_grams(same.received_mg)),
        )


def _check_not_far(alloy_id: int, mg: int) -> None:
    """Raise `ReceiptFar` for more than `FAR_TIMES` the largest receipt of the alloy so far. 1 query."""
    alloy = Alloy.objects.annotate(largest=Max("lots__received_mg")).get(pk=alloy_id)
    if alloy.largest and mg > FAR_TIMES * alloy.largest:
        raise ReceiptFar(
            alloy=alloy.name, grams=float(to_grams(mg)), largest=float(to_grams(alloy.largest)), times=FAR_TIMES
        )


@unit_of_work
def transfer(
    *, source: Place, target: Place, alloy_id: int, mg: int, lot_id: int | None, reason: str, notes: str, by: Principal
) -> MetalEntry:
    """Move metal between two accounts by hand. Each lot that gives metal gets an entry; returns the first entry.

    Raises `InvalidFields`, `NotEnoughMetal`, `LotUsedUp`.
    """
    _alloys({"alloyId": alloy_id})
    giver, taker = _account(source, FROM), _account(target, TO)
    if giver.pk == taker.pk:
        raise InvalidFields.of("toKind" if target.account_id is None else "toAccountId", "same_account")
    adjusts = AccountKind.lost in (giver.kind, taker.kind)
    if adjusts and not reason.strip():
        raise InvalidFields.of("reason", "required")
    held = ledger.lock([giver, taker], [alloy_id])
    lot = None if lot_id is None else Lot.objects.filter(pk=lot_id, alloy=alloy_id).first()
    if lot_id is not None and (lot is None or AccountKind.vault not in (giver.kind, taker.kind)):
        raise InvalidFields.of("lotId", "unknown")
    if lot is not None:
        _check_lot(lot, mg, leaves=giver.kind == AccountKind.vault)
    posting = Posting(
        source=giver,
        target=taker,
        alloy_id=alloy_id,
        mg=mg,
        kind=_kind(giver, taker),
        person_id=giver.user_id or taker.user_id,
        lot_id=lot_id,
        reason=reason,
        notes=notes,
    )
    entries = _post([posting], by=by, held=held)
    for entry in entries:
        auditing.record("metal-entry", entry, "created", by=by)
    return entries[0]


def _kind(giver: Account, taker: Account) -> EntryKind:
    if AccountKind.lost in (giver.kind, taker.kind):
        return EntryKind.adjust
    back = taker.kind in (AccountKind.vault, AccountKind.supplier)
    return EntryKind.gives_back if back else EntryKind.issue


def _check_lot(lot: Lot, mg: int, *, leaves: bool) -> None:
    """Check a lot before `mg` leave it or, without `leaves`, come back. The vault's balance is locked.

    Raises `LotUsedUp` if the lot has less, and `InvalidFields` if it would have more than was received.
    """
    if leaves and mg > lot.left_mg:
        raise LotUsedUp(grams=float(to_grams(mg)), left=float(to_grams(lot.left_mg)))
    if not leaves and mg > (limit := max(0, lot.received_mg - lot.left_mg)):
        raise InvalidFields.of("grams", "too_large", limit=float(to_grams(limit)))


def _account(place: Place, kinds: frozenset[AccountKind]) -> Account:
    """Return the account that a body names. Raises `InvalidFields`. At most 3 queries."""
    side = place.side
    if place.account_id is not None:
        if place.kind is not None:
            raise InvalidFields.of(f"{side}Kind", "named_twice")
        found = Account.objects.filter(pk=place.account_id).first()
        if found is None:
            raise InvalidFields.of(f"{side}AccountId", "unknown")
        if found.kind not in kinds:
            raise InvalidFields.of(f"{side}AccountId", "not_transferable")
        return found
    if place.kind is None:
        raise InvalidFields.of(f"{side}AccountId", "required")
    kind = AccountKind(place.kind)
    identity: dict[str, int] = {}
    if kind is AccountKind.person:
        if place.user_id is None:
            raise InvalidFields.of(f"{side}UserId", "required")
        if not User.objects.filter(pk=place.user_id, user_type=UserType.INTERNAL).exists():
            raise InvalidFields.of(f"{side}UserId", "unknown")
        identity["user_id"] = place.user_id
    if kind in (AccountKind.person, *OF_PROCESS):
        if place.process_id is None:
            raise InvalidFields.of(f"{side}ProductionProcessId", "required")
        if not ProductionProcess.objects.filter(pk=place.process_id).exists():
            raise InvalidFields.of(f"{side}ProductionProcessId", "unknown")
        identity["process_id"] = place.process_id
    if kind in NAMED and not place.name:
        raise InvalidFields.of(f"{side}Name", "required")
    return ledger.account(kind, name=place.name or "" if kind in NAMED else "", **identity)


@unit_of_work
def refining_send(
    *,
    partner: str,
    alloy_id: int,
    sources: Mapping[int | None, int],
    expected_fine_mg: int | None,
    notes: str,
    by: Principal,
) -> Refining:
    """Send metal to be refined. Raises `InvalidFields`, `NotEnoughMetal`.

    `sources`: milligrams by the id of the process that the dust comes from. The key None means the scrap box.
    """
    alloy = _alloys({"alloyId": alloy_id})[alloy_id]
    named = [process_id for process_id in sources if process_id is not None]
    known = ProductionProcess.objects.in_bulk(named)
    unknown = [place for place, process_id in enumerate(sources) if process_id is not None and process_id not in known]
    if unknown:
        raise InvalidFields(errors=[FieldError(f"sources.{place}.productionProcessId", "unknown") for place in unknown])
    sent = sum(sources.values())
    expected = fine_mg([(sent, alloy.fineness)]) if expected_fine_mg is None else expected_fine_mg
    if expected > sent:
        raise InvalidFields.of("expectedFineGrams", "too_large", limit=float(to_grams(sent)))
    row = Refining.objects.create(
        partner=partner,
        alloy=alloy,
        sent_at=clock.now(),
        by_id=by.user_id,
        sent_mg=sent,
        expected_fine_mg=expected,
        notes=notes,
    )
    RefiningShare.objects.bulk_create(
        RefiningShare(refining=row, process_id=process_id, mg=mg) for process_id, mg in sources.items()
    )
    refinery, boxes = ledger.refinery(), {one.process_id: one for one in _dust(named)}
    entries = _post(
        [
            Posting(
                source=ledger.scrap_box() if process_id is None else boxes[process_id],
                target=refinery,
                alloy_id=alloy_id,
                mg=mg,
                kind=EntryKind.refine,
                record_id=row.pk,
                notes=notes,
            )
            for process_id, mg in sources.items()
        ],
        by=by,
    )
    auditing.record("metal-refining", row, "created", by=by, sources=auditing.moved(entries))
    return row


def _dust(process_ids: Sequence[int]) -> list[Account]:
    """Return the dust accounts of these processes. Creates missing accounts. 2 queries."""
    Account.objects.bulk_create(
        [Account(kind=AccountKind.dust.value, process_id=process_id) for process_id in process_ids],
        ignore_conflicts=True,
    )
    return list(Account.objects.filter(kind=AccountKind.dust.value, process__in=process_ids))


@unit_of_work
def refining_return(
    *, refining_id: int, alloy_id: int, mg: int, assay: int | None, notes: str, by: Principal
) -> Refining:
    """Receive the metal that came back from the refinery into the vault.

    Raises `NotFound`, `AlreadyReturned`, `InvalidFields`.

    The sent metal moves from the refinery to `lost`, and the returned metal from `lost` to the vault. The fine grams
    that stay in `lost` are the refinery's loss.
    """
    row = Refining.objects.select_for_update().filter(pk=refining_id).first()
    if row is None:
        raise NotFound
    if row.returned_at is not None:
        raise AlreadyReturned
    alloy = _alloys({"alloyId": alloy_id})[alloy_id]
    before = auditing.snapshot(row)
    row.returned_at, row.returned_by_id = clock.now(), by.user_id
    row.returned_mg, row.returned_alloy = mg, alloy
    row.assay = alloy.fineness if assay is None else assay
    if fine_mg([(mg, row.assay)]) > row.sent_mg:
        raise InvalidFields.of("grams", "too_large", limit=float(to_grams(row.sent_mg * PURE // row.assay)))
    row.notes = notes or row.notes
    row.save(update_fields=["returned_at", "returned_by", "returned_mg", "returned_alloy", "assay", "notes"])
    lost = ledger.lost()
    sent = Posting(ledger.refinery(), lost, row.alloy_id, row.sent_mg, EntryKind.refine, record_id=row.pk)
    back = Posting(lost, ledger.vault(), alloy_id, mg, EntryKind.refine, record_id=row.pk, notes=notes)
    _post([sent, back], by=by)
    auditing.record("metal-refining", row, "changed", by=by, before=before)
    return row


@unit_of_work
def melting_create(*, inputs: Sequence[Melt], alloy_id: int, mg: int, reason: str, by: Principal) -> Melting:
    """Melt several alloys into one. Raises `InvalidFields`, `NotEnoughMetal`.

    The metal goes through `lost`, where the difference in fine grams stays. `reason` is required if this difference is
    more than a scale's step for each weighing.
    """
    if not inputs:
        raise InvalidFields.of("inputs", "required")
    alloys = _alloys({"alloyId": alloy_id} | {f"inputs.{n}.alloyId": one.alloy_id for n, one in enumerate(inputs)})
    seen: set[tuple[int, bool]] = set()
    for place, one in enumerate(inputs):
        if (one.alloy_id, one.scrap) in seen:
            raise InvalidFields.of(f"inputs.{place}.alloyId", "named_twice")
        seen.add((one.alloy_id, one.scrap))
    row = Melting.objects.create(at=clock.now(), by_id=by.user_id, alloy_id=alloy_id, mg=mg, reason=reason)
    vault, scrap, lost = ledger.vault(), ledger.scrap_box(), ledger.lost()
    # Post the inputs first: they must be there. Lock the balances of both postings at once, to avoid deadlocks.
    ledger.lock([vault, scrap, lost], alloys)
    entries = _post(
        [
            Posting(scrap if one.scrap else vault, lost, one.alloy_id, one.mg, EntryKind.melt, record_id=row.pk)
            for one in inputs
        ],
        by=by,
    )
    assays = selectors.finenesses(entries, alloys)
    fine_in = fine_mg([(one.mg, fineness) for one, fineness in zip(entries, assays, strict=True)])
    fine_out = fine_mg([(mg, alloys[alloy_id].fineness)])
    if abs(fine_in - fine_out) > settings.SCALE_STEP_MG * (len(inputs) + 1) and not reason.strip():
        raise InvalidFields.of("reason", "required")
    entries += _post([Posting(lost, vault, alloy_id, mg, EntryKind.melt, record_id=row.pk, reason=reason)], by=by)
    auditing.record("metal-melting", row, "created", by=by, metal=auditing.moved(entries))
    return row


def _alloys(asked: Mapping[str, int]) -> dict[int, Alloy]:
    """Return alloys by id. `asked`: alloy ids by the body's fields. Raises `InvalidFields` for unknown ids. 1 query."""
    found: dict[int, Alloy] = Alloy.objects.in_bulk(set(asked.values()))
    errors = [FieldError(field, "unknown") for field, alloy_id in asked.items() if alloy_id not in found]
    if errors:
        raise InvalidFields(errors=errors)
    return found


def _post(postings: Sequence[Posting], *, by: Principal, held: ledger.Held | None = None) -> list[MetalEntry]:
    entries = ledger.post(postings, by=by, at=clock.now(), held=held)
    publish_entries(entries, by=by)
    return entries
