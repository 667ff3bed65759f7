"""Weigh the pieces of movements, and book their metal (infra/docs/rules.md#metal).

The caller has locked the line, and saves it. A line that was never weighed sends no query.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Q, Sum

from project.access.principal import Principal
from project.catalogs.models import Weighs
from project.core import clock
from project.core.errors import InvalidFields
from project.metal import closing, ledger, selectors
from project.metal.events import publish_entries
from project.metal.ledger import Accounts, Posting
from project.metal.models import Account, AccountKind, Balance, EntryKind, MetalEntry
from project.metal.rules import (
    NOT_WEIGHED,
    AtLine,
    WeighedLater,
    Weights,
    check_not_heavier,
    check_weights,
    loss_per_mille,
    shared,
    to_grams,
)
from project.orders.models import Line, ProcessRecord
from project.orders.rules import Side, Status
from project.orders.selectors import ShopProcess

WEIGHTS = (
    *("mg_in", "mg_out", "mg_other", "mg_scrap", "mg_added", "alloy"),
    *("weight_reason", "loss_to_sign", "loss_signed_at", "loss_signed_by"),
)
"""The columns of a record that hold its weights, and who signed for its loss."""


def check(line: Line, process: ShopProcess, weights: Weights, *, side: Side, needed: bool) -> None:
    """Check the weights of a movement. Raises `GramsRequired`, `InvalidFields`.

    `needed` False: grams may be missing, because the movement is reported later or the pieces are scrapped.
    """
    if side is Side.entry:
        for name, mg in (("scrapGrams", weights.scrap), ("addedGrams", weights.added)):
            if mg:
                raise InvalidFields.of(name, "only_at_exit")
    alloy = line.item.alloy_id is not None
    check_weights(
        weights,
        weighs=process.weighs != Weighs.no,
        required=needed and alloy and process.weighs == Weighs.required,
        alloy=alloy,
        process=process.name,
    )


def kept(weights: Weights) -> dict[str, Any]:
    """Return the weights of a movement as the audit keeps them."""
    grams = {"grams": weights.mg, "otherGrams": weights.other, "scrapGrams": weights.scrap, "addedGrams": weights.added}
    why = {"weightReason": weights.why} if weights.weighed and weights.why else {}
    return {name: float(to_grams(mg)) for name, mg in grams.items() if mg} | why


def given(line: Line, weights: Weights) -> dict[str, Any]:
    """Return the weight columns of a movement; empty if nothing was weighed."""
    if not weights.weighed:
        return {}
    return {
        "mg": weights.mg,
        "mg_other": weights.other or None,
        "mg_added": weights.added or None,
        "mg_scrap": weights.scrap or None,
        "alloy_id": line.item.alloy_id,
        "weight_reason": weights.why,
    }


def of_entry(line: Line, weights: Weights) -> dict[str, int | None]:
    """Return the weight columns of a new record; empty if its pieces were not weighed."""
    if not weights.weighed:
        return {}
    return {"mg_in": weights.metal, "mg_other": weights.other or None, "alloy_id": line.item.alloy_id}


def pieces_weighed(records: Iterable[ProcessRecord]) -> int:
    """Count the pieces outside of all processes that were weighed before: the line's own account holds their metal."""
    moves: list[tuple[datetime, bool, int, int]] = []
    for record in records:
        if record.released_at is not None or record.alloy_id is None:
            continue
        back = 0 if record.scrapped else record.quantity
        if record.output_at is not None and (record.mg_in is None or record.input_at == record.output_at):
            moves.append((record.output_at, False, record.quantity, back))  # weighed at the exit, or at one instant
        elif record.mg_in is not None:
            moves.append((record.input_at, True, record.quantity, 0))
            if record.output_at is not None:
                moves.append((record.output_at, False, 0, back))
    pieces = 0
    for _, _, entered, left in sorted(moves):  # at one instant pieces leave before others enter
        pieces += left - min(pieces, entered)
    return pieces


def enter(
    line: Line,
    others: Iterable[ProcessRecord],
    record: ProcessRecord,
    weights: Weights,
    *,
    by: Principal,
    made_at: datetime | None,
) -> None:
    """Book the metal of pieces that entered with their weight. `others`: the line's records without the new one."""
    if weights.weighed:
        book = _open_book(line, [record], pieces_weighed(others), by=by, made_at=made_at)
        book.enter(record, weights.metal)
        book.post()


def leave(
    line: Line,
    closed: Sequence[ProcessRecord],
    left_behind: Sequence[ProcessRecord],
    weights: Weights,
    *,
    pieces: int,
    by: Principal,
    made_at: datetime | None,
    scrapped: bool,
) -> Sequence[str]:
    """Book the metal of pieces that left or were scrapped, and write their weights on the records.

    `left_behind`: if the last closed record was split, the one record of the pieces that stay; else empty. `pieces`:
    the result of `pieces_weighed` before the exit. Returns the columns that changed. Raises `GramsHeavier`.
    """
    weighed_in = [record.mg_in for record in closed if record.mg_in is not None]
    by_share = scrapped and line.metal_mg and line.item.alloy_id is not None
    booked = [record for record in closed if weights.weighed or by_share or record.mg_in is not None]
    if not booked:
        return ()
    if weights.weighed and len(weighed_in) == len(closed):
        check_not_heavier(
            weights.metal + weights.scrap,
            sum(weighed_in) + weights.added,
            step=settings.SCALE_STEP_MG,
            why=weights.why,
        )
    book = _open_book(line, booked, pieces, by=by, made_at=made_at)
    if left_behind and closed[-1].mg_in is not None:
        _share(book, closed[-1], left_behind[0])
    book.leave_all(closed, booked, weights, scrapped=scrapped)
    _judge(booked, weights.why)
    book.post()
    if line.status == Status.Canceled:
        settle(line, by=by, canceled=True)
    return WEIGHTS


def share(record: ProcessRecord, left: ProcessRecord) -> None:
    """Divide the weights of a record that is split between `record` and `left`, the new record of the pieces that stay.

    `left` is not stored yet, and `record` still has the quantity of all pieces.
    """
    left.alloy_id = record.alloy_id
    going = record.quantity - left.quantity
    for name in ("mg_in", "mg_other"):
        mg = getattr(record, name)
        if mg is not None:
            own, stays = shared(mg, [going, left.quantity])
            setattr(record, name, own)
            setattr(left, name, stays)


def check_later(record: ProcessRecord, given: WeighedLater, *, weighs: bool, alloy: bool) -> None:
    """Raise `InvalidFields` for weights that the record cannot have.

    `weighs`: its process weighs pieces. `alloy`: its product has an alloy.
    """
    named = {"gramsIn": given.mg_in, "gramsOut": given.mg_out, "scrapGrams": given.scrap}
    first = next((name for name, mg in named.items() if mg is not None), None)
    least = min((mg for mg in (given.mg_in, given.mg_out) if mg is not None), default=None)
    lacks_exit = given.mg_out is None and record.mg_out is None
    refusals = (
        (bool(given.other) and least is None, "otherGrams", "grams_first"),
        (first is not None and not weighs, first or "", "not_weighed"),
        (first is not None and not alloy, first or "", "no_alloy"),
        (record.open and given.mg_out is not None, "gramsOut", "not_yet_out"),
        (record.open and given.scrap is not None, "scrapGrams", "not_yet_out"),
        (record.scrapped and given.mg_out is not None, "gramsOut", "all_is_scrap"),
        (given.scrap == 0 if record.scrapped else bool(given.scrap) and lacks_exit, "scrapGrams", "grams_first"),
        (least is not None and (given.other or 0) >= least, "otherGrams", "heavier_than_all"),
    )
    for refused, name, code in refusals:
        if refused:
            raise InvalidFields.of(name, code)


def _write_on(record: ProcessRecord, given: WeighedLater) -> None:
    """Write the weights on the record. Raises `GramsHeavier`."""
    other = given.other or 0
    if given.mg_in is not None:
        record.mg_in = given.mg_in - other
    if given.mg_out is not None:
        record.mg_out = given.mg_out - other
    if given.scrap is not None:
        record.mg_scrap = given.scrap or None
    elif record.scrapped and record.mg_scrap is None:
        record.mg_scrap = record.mg_in
    record.mg_other = given.other or record.mg_other
    if record.mg_in is not None and record.mg_left is not None:
        leaving = (record.mg_out or 0) + (record.mg_scrap or 0)
        check_not_heavier(leaving, record.mg_in + (record.mg_added or 0), step=settings.SCALE_STEP_MG, why=given.why)


def weigh_later(
    line: Line, records: Sequence[ProcessRecord], record: ProcessRecord, given: WeighedLater, *, by: Principal
) -> bool:
    """Write or correct the weights of a record after its movements, and book them.

    `records`: all records of the line. Returns whether a weight or the reason changed. Raises `GramsHeavier`.
    """
    before = [getattr(record, name) for name in _MG]
    _write_on(record, given)
    if before == [getattr(record, name) for name in _MG]:
        said, record.weight_reason = record.weight_reason, given.why or record.weight_reason
        return said != record.weight_reason
    record.alloy_id = _alloy(line, record)
    was_above, said = record.loss_to_sign or record.loss_signed_at is not None, record.weight_reason
    _judge([record], given.why)
    if was_above and record.loss_to_sign and not given.why:
        record.weight_reason = said  # the loss changed, its reason stays
    _book_again(line, records, record, why=given.why, by=by)
    return True


_MG = ("mg_in", "mg_out", "mg_other", "mg_scrap")


@dataclass(frozen=True)
class Weighed:
    """One of several lines that move together: the records that move, and the line's share of the weights.

    `pieces`: the result of `pieces_weighed` before the movement. `left_behind`: the record of the pieces that stay if
    the last record was split.
    """

    line: Line
    records: Sequence[ProcessRecord]
    weights: Weights
    pieces: int
    left_behind: ProcessRecord | None = None

    @property
    def booked(self) -> list[ProcessRecord]:
        """The records whose metal is booked.

        All records if the pieces are weighed at this movement. Else only the records that were weighed at their entry.
        """
        return [record for record in self.records if self.weights.weighed or record.mg_in is not None]


def enter_together(lines: Sequence[Weighed], *, by: Principal, batch_id: int) -> None:
    """Book the metal of several lines that entered with their weight. At most 8 queries."""
    books = _open_books(lines, by=by, batch_id=batch_id)
    for book, one in zip(books, lines, strict=True):
        for record in one.records:
            book.enter(record, one.weights.metal)
    _post_together(books, by=by)


def leave_together(lines: Sequence[Weighed], *, by: Principal, batch_id: int) -> Sequence[str]:
    """Book the metal of several lines that left, and write their weights on the records. At most 9 queries.

    Returns the columns that changed.
    """
    weighed = [one for one in lines if one.booked]
    if not weighed:
        return ()
    last = {
        one.records[-1].pk: one.left_behind for one in weighed if one.left_behind and one.records[-1].mg_in is not None
    }
    entries: defaultdict[int | None, list[MetalEntry]] = defaultdict(list)
    for entry in ledger.standing_of(list(last)):
        entries[entry.record_id].append(entry)
    books = _open_books(weighed, by=by, batch_id=batch_id)
    for book, one in zip(books, weighed, strict=True):
        record = one.records[-1]
        if left := last.get(record.pk):
            parts = [(record.pk, record.quantity), (left.pk, left.quantity)]
            book.postings += ledger.split(entries[record.pk], parts)
        book.leave_all(one.records, one.booked, one.weights)
    _judge([record for one in weighed for record in one.booked], weighed[0].weights.why)
    _post_together(books, by=by)
    for line in (one.line for one in weighed if one.line.status == Status.Canceled):
        settle(line, by=by, canceled=True)
    return WEIGHTS


def check_together(lines: Sequence[Weighed], weights: Weights) -> None:
    """Raise `GramsHeavier` if all of the lines together leave with more metal than they entered with."""
    weighed_in = [record.mg_in for one in lines for record in one.records]
    if weights.weighed and None not in weighed_in:
        check_not_heavier(
            weights.metal + weights.scrap,
            sum(mg or 0 for mg in weighed_in) + weights.added,
            step=settings.SCALE_STEP_MG,
            why=weights.why,
        )


def _post(
    postings: Sequence[Posting],
    *,
    by: Principal,
    made_at: datetime | None = None,
    cover: Account | None = None,
    held: ledger.Held | None = None,
) -> list[MetalEntry]:
    """Write entries as `ledger.post` does, and publish the accounts that they change. No query without postings."""
    entries = ledger.post(postings, by=by, at=clock.now(), made_at=made_at, cover=cover, held=held)
    publish_entries(entries, by=by)
    return entries


def _open_books(lines: Sequence[Weighed], *, by: Principal, batch_id: int) -> "list[_Book]":
    """Lock the balances that the movements of these lines may change. Return a book for each line.

    2 queries, 4 if an account is made.
    """
    accounts = ledger.accounts_of_lines(
        {(one.line.order_id, one.line.position): one.line.order.customer_sales_order_id for one in lines},
        dict.fromkeys(_holder(record) for one in lines for record in one.booked),
    )
    alloys = {_alloy(one.line, record) for one in lines for record in one.booked}
    held = ledger.lock((account for of_one in accounts for account in of_one.all), alloys)
    return [
        _Book(one.line, by, None, of_one, held, one.pieces, batch_id)
        for one, of_one in zip(lines, accounts, strict=True)
    ]


def _post_together(books: "Sequence[_Book]", *, by: Principal) -> None:
    """Write the entries of all books at once, and set `metal_mg` of each line, which the caller saves. 4 queries."""
    first = books[0]
    postings = [posting for book in books for posting in book.postings]
    entries = _post(postings, by=by, cover=first.accounts.lost, held=first.held)
    for book in books:
        _keep_on(book.line, entries)


@dataclass(frozen=True)
class TakenBack:
    """The records of a line that are taken back `whole`, and those with only their exit taken back (`exits`)."""

    line: Line
    whole: Sequence[ProcessRecord] = ()
    exits: Sequence[ProcessRecord] = ()


def take_back(parts: Sequence[TakenBack], *, by: Principal) -> None:
    """Reverse the metal entries of records that are taken back. A Done line gets its finished metal back.

    Call it before the records and the lines change. It is a no-op for lines that were never weighed. The metal that a
    Canceled line then has goes to the scrap box again.
    """
    weighed = [part for part in parts if part.line.metal_mg is not None]
    if not weighed:
        return
    stay = {record.pk for part in weighed for record in part.exits if record.mg_in is not None}
    entries = ledger.standing_of([record.pk for part in weighed for record in (*part.whole, *part.exits)])
    last_in: dict[int | None, int] = {
        one.record_id: one.pk for one in entries if one.record_id in stay and one.kind == EntryKind.enters
    }
    taken = [one for one in entries if one.pk > last_in.get(one.record_id, 0)]
    canceled = [part.line for part in weighed if part.line.status == Status.Canceled]
    for line in (part.line for part in weighed):
        if line.status in (Status.Done, Status.Canceled):
            taken += _settled(line)
    if taken:
        lost = ledger.lost()
        if canceled:
            # Lock what `settle` needs too, in the same statement: movements that lock in two steps could deadlock.
            ends = [end for one in taken for end in (one.source, one.target)]
            ledger.lock([*ends, lost, ledger.scrap_box()], {one.alloy_id for one in taken})
        reversed_ = ledger.reverse(taken, by=by, at=clock.now(), cover=lost)
        publish_entries(reversed_, by=by)
        for part in weighed:
            _keep_on(part.line, reversed_)
        for line in canceled:
            settle(line, by=by, canceled=True)


def forget_exit(record: ProcessRecord) -> None:
    """Empty the weights of an exit that was taken back. Those of the entry stay."""
    record.mg_out = record.mg_scrap = record.mg_added = None
    _judge([record], "")
    if record.mg_in is None:
        record.mg_other = record.alloy_id = None


def _judge(records: Sequence[ProcessRecord], why: str) -> None:
    """Mark the records of one weighing that lost more than their process allows: somebody must sign for them.

    Mark none if all records together did not lose more: the weight of one weighing is shared by pieces, but the entries
    may have been weighed one by one. A former signature becomes void. `why`: the reason to keep on each record.
    """
    known = [one for one in records if one.mg_lost is not None]
    together = loss_per_mille(sum(one.mg_lost or 0 for one in known), sum(one.mg_came for one in known))
    for record in records:
        lost, allowed = record.lost_per_mille, record.process_allowed_loss
        record.weight_reason = why
        record.loss_to_sign = lost is not None and allowed is not None and min(lost, together) > allowed
        record.loss_signed_at = record.loss_signed_by_id = record.loss_signed_by_name = None


def settle(line: Line, *, by: Principal, canceled: bool = False) -> None:
    """Move the metal of a Done line to the finished goods, or that of a canceled line to the scrap box.

    7 queries, none for a line without metal.
    """
    if not line.metal_mg:
        return
    account = _account(line)
    target, kind = (ledger.scrap_box(), EntryKind.scrap) if canceled else (ledger.finished(), EntryKind.finish)
    held = Balance.objects.filter(account=account, mg__gt=0).order_by("alloy").values_list("alloy", "mg")
    postings = [Posting(account, target, alloy_id, mg, kind, line_id=account.pk) for alloy_id, mg in held]
    _keep_on(line, _post(postings, by=by))


def ship(pieces: Mapping[Line, int], *, by: Principal) -> None:
    """Move the metal of pieces that are billed from the finished to the shipped goods. Negative numbers move it back.

    Call it before `quantity_billed` changes. 7 queries for any number of lines; no query if no line was weighed.
    """
    weighed = {(line.order_id, line.position): line for line in pieces if line.metal_mg is not None}
    if not weighed:
        return
    postings: list[Posting] = []
    finished, shipped = ledger.finished(), ledger.shipped()
    for (place, account_id, alloy_id), (ready, gone) in _finished_and_shipped([*weighed]).items():
        line = weighed[place]
        count, billed = pieces[line], line.quantity_billed
        whole, of, ends, kind = (
            (ready, line.quantity_good - billed, (finished, shipped), EntryKind.ship)
            if count > 0
            else (gone, billed, (shipped, finished), EntryKind.gives_back)
        )
        mg = whole if abs(count) == of else whole * abs(count) // of
        if mg:
            postings.append(Posting(*ends, alloy_id, mg, kind, line_id=account_id))
    _post(postings, by=by)


def handed_over(
    line: Line,
    records: Iterable[ProcessRecord],
    here: ShopProcess,
    there: ShopProcess,
    weights: Weights,
    *,
    by: Principal,
    made_at: datetime | None,
) -> tuple[Weights, Weights]:
    """Return the weights of the exit and of the entry of a hand-over. One weighing counts in each process that weighs.

    Lock all balances of the hand-over first, so that two hand-overs never wait for each other.
    """
    if not weights.weighed or line.item.alloy_id is None:
        return weights, weights
    inside = [record for record in records if record.open and record.process_id == here.id]
    people = [*map(_holder, inside), (by.user_id, there.id)]
    accounts, alloys = _accounts(line, people), {_alloy(line, record) for record in inside} | {_alloy_of(line)}
    _open_days(accounts, alloys, by=by, made_at=made_at)
    ledger.lock(accounts.all, alloys)
    if Weighs.no in (here.weighs, there.weighs) and here.weighs != there.weighs:
        return (NOT_WEIGHED, weights) if here.weighs == Weighs.no else (weights, NOT_WEIGHED)
    return weights, Weights(weights.mg, weights.other)


@dataclass
class _Book:
    """Collects the postings of one movement of a line."""

    line: Line
    by: Principal
    made_at: datetime | None
    accounts: Accounts
    held: ledger.Held
    pieces: int
    """The pieces outside of all processes that were weighed before."""
    batch_id: int | None = None
    postings: list[Posting] = field(default_factory=list)

    def at_line(self, alloy_id: int) -> AtLine:
        """Return what the line's own account will hold after the postings so far."""
        own = self.accounts.line
        mg = self.held[own.pk, alloy_id]
        for one in self.postings:
            if one.alloy_id == alloy_id:
                mg += one.mg * ((one.target.pk == own.pk) - (one.source.pk == own.pk))
        return AtLine(mg, self.pieces)

    def enter(self, record: ProcessRecord, mg: int) -> None:
        """Move metal from the line to the person. First issue what the line lacks, and correct its last weighing."""
        issued, corrected = self.at_line(_alloy(self.line, record)).weighed(record.quantity, mg)
        own, lost = self.accounts.line, self.accounts.lost
        self._add(record, EntryKind.issue, issued, self.accounts.vault, own)
        self._add(record, EntryKind.reweigh, corrected, lost, own)
        self._add(record, EntryKind.reweigh, -corrected, own, lost)
        self._take(record, mg)

    def leave_all(
        self,
        closed: Sequence[ProcessRecord],
        booked: Collection[ProcessRecord],
        weights: Weights,
        *,
        scrapped: bool = False,
    ) -> None:
        """Share the weights over the closed records, and move the metal of those that are `booked`."""
        for record, part in zip(closed, weights.shares([record.quantity for record in closed]), strict=True):
            if record not in booked:
                continue
            if scrapped:
                self.scrap(record, part)
            elif part.weighed:
                self.leave(record, part)
                record.mg_out, record.mg_scrap, record.mg_added = part.metal, part.scrap or None, part.added or None
                record.mg_other = part.other or record.mg_other
                record.alloy_id = _alloy(self.line, record)
            else:
                self.leave(record, Weights(record.mg_in))  # nobody weighed it: the books say what entered

    def leave(self, record: ProcessRecord, weights: Weights) -> None:
        """Move the metal of pieces that left from the person to the line, and cut-off metal to the scrap box."""
        entered = self._entered(record, weights.metal + weights.scrap - weights.added)
        person = self._person(record)
        self._add(record, EntryKind.added, weights.added, self.accounts.vault, person)
        more = weights.metal + weights.scrap - entered - weights.added
        self._add(record, EntryKind.reweigh, more, self.accounts.lost, person, reason=weights.why)
        self._add(record, EntryKind.scrap, weights.scrap, person, self.accounts.scrap)
        self._add(record, EntryKind.leaves, weights.metal, person, self.accounts.line)
        self.pieces += record.quantity

    def scrap(self, record: ProcessRecord, weights: Weights) -> None:
        """Move the metal of scrapped pieces to the scrap box.

        It is what was weighed now, else what was weighed at the entry, else the pieces' share of the line's metal.
        """
        alloy_id = _alloy(self.line, record)
        if weights.weighed:
            mg = weights.metal
            entered = self._entered(record, mg)
        elif record.mg_in is not None:
            mg = entered = record.mg_in
        else:
            mg = entered = self.at_line(alloy_id).expected(record.quantity)[1]
            if not mg:
                return
            self._take(record, mg)
        person = self._person(record)
        self._add(record, EntryKind.reweigh, mg - entered, self.accounts.lost, person, reason=weights.why)
        self._add(record, EntryKind.scrap, mg, person, self.accounts.scrap)
        record.mg_scrap, record.alloy_id = mg, alloy_id

    def post(self) -> None:
        """Write the entries, and set `metal_mg` of the line, which the caller saves."""
        entries = _post(self.postings, by=self.by, made_at=self.made_at, cover=self.accounts.lost, held=self.held)
        _keep_on(self.line, entries)

    def _entered(self, record: ProcessRecord, mg: int) -> int:
        """Return the metal that entered with the record. If the entry was not weighed, book it now with `mg`."""
        if record.mg_in is not None:
            return record.mg_in
        self.enter(record, max(0, mg))
        return max(0, mg)

    def _take(self, record: ProcessRecord, mg: int) -> None:
        self._add(record, EntryKind.enters, mg, self.accounts.line, self._person(record))
        self.pieces -= min(self.pieces, record.quantity)

    def _person(self, record: ProcessRecord) -> Account:
        return self.accounts.people[_holder(record)]

    def _add(
        self, record: ProcessRecord, kind: EntryKind, mg: int, source: Account, target: Account, *, reason: str = ""
    ) -> None:
        """Add a posting of a record, unless there is nothing to move."""
        if mg > 0:
            self.postings.append(
                Posting(
                    source,
                    target,
                    _alloy(self.line, record),
                    mg,
                    kind,
                    record_id=record.pk,
                    batch_id=self.batch_id,
                    person_id=record.input_by_id,
                    line_id=self.accounts.line.pk,
                    reason=reason,
                )
            )


def _open_book(
    line: Line, records: Sequence[ProcessRecord], pieces: int, *, by: Principal, made_at: datetime | None
) -> _Book:
    """Lock the balances that a movement of these records may change. Return an empty book.

    2 queries for the records of one person. More for other persons, for new accounts, and for a movement that is
    reported later.
    """
    accounts = _accounts(line, map(_holder, records))
    alloys = {_alloy(line, record) for record in records}
    _open_days(accounts, alloys, by=by, made_at=made_at)
    return _Book(line, by, made_at, accounts, ledger.lock(accounts.all, alloys), pieces)


def _open_days(accounts: Accounts, alloys: Collection[int], *, by: Principal, made_at: datetime | None) -> None:
    """Open the closed days again that a movement reported later belongs to. No query for other movements."""
    if made_at is not None:
        closing.days_reopen(accounts.people, made_at=made_at, by=by, beside=accounts.all, alloy_ids=alloys)


def _book_again(
    line: Line, records: Sequence[ProcessRecord], changed: ProcessRecord, *, why: str, by: Principal
) -> None:
    """Book the metal of a line as if all its weights had been known at the movements.

    Only the entries of records that differ are reversed and written again. They belong to the day of the movement; if
    that day is closed, it is opened again. `why`: the reason for the weights of `changed`.
    """
    weighed = [one for one in records if one.released_at is None and one.alloy_id is not None]
    accounts, made_at = _accounts(line, map(_holder, weighed)), changed.output_at or changed.input_at
    booked = ledger.standing_of([one.pk for one in weighed])
    ends = [end for entry in booked for end in (entry.source, entry.target)]
    ends += [*accounts.all, ledger.finished()]
    alloys = {_alloy(line, one) for one in weighed} | {entry.alloy_id for entry in booked}
    closing.days_reopen([_holder(changed)], made_at=made_at, by=by, beside=ends, alloy_ids=alloys)
    ledger.lock(ends, alloys)
    book = _Book(line, by, None, accounts, defaultdict(int), 0)
    _book_in_order(book, weighed, changed, why)
    postings: list[Posting] = []
    for record_id in (one.pk for one in weighed):
        old = [entry for entry in booked if entry.record_id == record_id]
        new = [posting for posting in book.postings if posting.record_id == record_id]
        if _sums(old) != _sums(new):  # all entries of the record: `take_back` goes by their order
            postings += [*map(ledger.reversal, old), *new]
    _keep_on(line, _post(postings, by=by, made_at=made_at, cover=accounts.lost))
    if line.status in (Status.Done, Status.Invoiced, Status.Canceled):
        settle(line, by=by, canceled=line.status == Status.Canceled)


def _sums(rows: Iterable[MetalEntry | Posting]) -> Counter[tuple[str, int, int, int]]:
    sums: Counter[tuple[str, int, int, int]] = Counter()
    for one in rows:
        sums[str(one.kind), one.source.pk, one.target.pk, one.alloy_id] += one.mg
    return sums


def _book_in_order(book: _Book, weighed: Sequence[ProcessRecord], changed: ProcessRecord, why: str) -> None:
    """Collect the postings of a line's records in the order of their movements. `why`: the reason for `changed`."""
    moves = [(one.input_at, True, one.pk, one) for one in weighed if one.mg_in is not None]
    moves += [(one.output_at, False, one.pk, one) for one in weighed if one.output_at is not None]
    at_once = {one.pk for one in weighed if one.input_at == one.output_at}
    for _, enters, pk, one in sorted(moves, key=lambda move: move[:3]):  # exits before entries of one instant
        if one.mg_in is not None and enters != (pk in at_once):
            book.enter(one, one.mg_in)
        if enters:
            continue
        reason = why if one is changed else ""
        if one.scrapped:
            if one.mg_scrap is not None:
                book.scrap(one, Weights(one.mg_scrap, why=reason))
        elif one.mg_out is not None:
            book.leave(one, Weights(one.mg_out, scrap=one.mg_scrap or 0, added=one.mg_added or 0, why=reason))
        elif one.mg_in is not None:
            book.leave(one, Weights(one.mg_in))


def _share(book: _Book, record: ProcessRecord, left: ProcessRecord) -> None:
    """Share the entries of a record that was split, so that each part can be taken back alone."""
    parts = [(record.pk, record.quantity), (left.pk, left.quantity)]
    book.postings += ledger.split(ledger.standing_of([record.pk]), parts)


def _accounts(line: Line, people: Iterable[tuple[int, int]]) -> Accounts:
    return ledger.accounts_of_movement(
        order_id=line.order_id,
        position=line.position,
        po=line.order.customer_sales_order_id,
        people=list(dict.fromkeys(people)),
    )


def _account(line: Line) -> Account:
    return ledger.line_account(line.order_id, line.position, line.order.customer_sales_order_id)


def _holder(record: ProcessRecord) -> tuple[int, int]:
    """Return the ids of the person who holds the metal of a record (who brought it in), and of the process."""
    return record.input_by_id, record.process_id


def _alloy(line: Line, record: ProcessRecord) -> int:
    """Return the alloy of a record: the alloy of its first weighing, else that of its product."""
    return _alloy_of(line) if record.alloy_id is None else record.alloy_id


def _alloy_of(line: Line) -> int:
    assert line.item.alloy_id is not None  # noqa: S101 - `check` refuses grams without an alloy
    return line.item.alloy_id


def _settled(line: Line) -> list[MetalEntry]:
    """Return the entries that `settle` wrote for a line and that were not reversed. 1 query."""
    entries = selectors.standing().filter(
        kind__in=[EntryKind.finish.value, EntryKind.scrap.value],
        record_id__isnull=True,
        source__sales_order_id=line.order_id,
        source__position=line.position,
    )
    return list(entries.select_related("source", "target").order_by("pk"))


Place = tuple[int, int]


def _finished_and_shipped(places: Sequence[Place]) -> dict[tuple[Place, int, int], tuple[int, int]]:
    """Return the finished and the shipped milligrams by place, account and alloy of lines. 1 query."""
    kinds = [AccountKind.finished.value, AccountKind.shipped.value]
    rows = (
        MetalEntry.objects.filter(Q(source__kind__in=kinds) | Q(target__kind__in=kinds))
        .filter(line__sales_order_id__in={order_id for order_id, _ in places})
        .order_by()
        .values_list("line__sales_order_id", "line__position", "line_id", "alloy_id", "source__kind", "target__kind")
        .annotate(total=Sum("mg"))
    )
    found: defaultdict[tuple[Place, int, int], list[int]] = defaultdict(lambda: [0, 0])
    for order_id, position, account_id, alloy_id, source, target, mg in rows:
        if (order_id, position) in places:
            sums = found[(order_id, position), account_id, alloy_id]
            for place, kind in enumerate(kinds):
                sums[place] += mg * ((target == kind) - (source == kind))
    return {key: (finished, shipped) for key, (finished, shipped) in found.items()}


def _keep_on(line: Line, entries: Iterable[MetalEntry]) -> None:
    """Add to `metal_mg` of the line what the entries moved to its own account, less what they moved from it."""

    def own(account: Account) -> bool:
        return (account.kind, account.sales_order_id, account.position) == ("line", line.order_id, line.position)

    moved = sum(one.mg * (own(one.target) - own(one.source)) for one in entries)
    line.metal_mg = (line.metal_mg or 0) + moved
