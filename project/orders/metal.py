"""Weigh the pieces of movements, and book their metal (infra/docs/rules.md#metal).

The caller has locked the line, and saves it. A line that was never weighed sends no query.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

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
    WeighedLater,
    WeighedPieces,
    Weights,
    by_alloy,
    check_expected,
    check_not_heavier,
    check_weights,
    is_above,
    shared,
    to_grams,
)
from project.orders.models import Line, Movement, ProcessRecord
from project.orders.rules import MovementSide, Side, Status, is_rework
from project.orders.selectors import ShopProcess

WEIGHTS = (
    *("mg_in", "mg_out", "mg_other", "mg_scrap", "mg_added", "added_alloy", "mg_between", "alloy"),
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
    if weights.lot_id is not None and weights.lot_alloy_id not in (line.item.alloy_id, weights.added_alloy_id):
        raise InvalidFields.of("lotId", "lot_of_other_alloy")


def kept(weights: Weights) -> dict[str, Any]:
    """Return the weights of a movement as the audit keeps them."""
    grams = {"grams": weights.mg, "otherGrams": weights.other, "scrapGrams": weights.scrap, "addedGrams": weights.added}
    grams["tareGrams"] = weights.tare
    named = {
        "weightReason": weights.why if weights.weighed else "",
        "addedAlloyId": weights.added_alloy_id,
        "lotId": weights.lot_id,
    }
    return {name: float(to_grams(mg)) for name, mg in grams.items() if mg} | {
        name: value for name, value in named.items() if value
    }


def given(line: Line, weights: Weights) -> dict[str, Any]:
    """Return the weight columns of a movement; empty if nothing was weighed."""
    if not weights.weighed:
        return {}
    return {
        "mg": weights.mg,
        "mg_other": weights.other or None,
        "mg_added": weights.added or None,
        "mg_scrap": weights.scrap or None,
        "mg_tare": weights.tare or None,
        "alloy_id": line.item.alloy_id,
        "added_alloy_id": weights.added_alloy_id,
        "lot_id": weights.lot_id,
        "weight_reason": weights.why,
    }


def of_entry(line: Line, weights: Weights) -> dict[str, int | None]:
    """Return the weight columns of a new record; empty if its pieces were not weighed."""
    if not weights.weighed:
        return {}
    return {"mg_in": weights.metal, "mg_other": weights.other or None, "alloy_id": line.item.alloy_id}


Solder = Mapping[int, int]
"""Metal of other alloys than the product's, by alloy id, in milligrams."""
_NONE: Solder = {}


class NamedLot(NamedTuple):
    """The lot that a movement names. Metal of the lot's alloy comes from this lot instead of the oldest lots."""

    id: int
    alloy_id: int


class Step(StrEnum):
    """What happened with the pieces of a record, for the books of its line."""

    enters = "enters"
    leaves = "leaves"
    leaves_for_now = "leaves for now"
    """By an exit that was taken back later."""
    sent_back = "sent back"
    released = "released"


@dataclass(frozen=True)
class RecordStep:
    """A step of a record's pieces. `solder`: what this step added of other alloys, in milligrams by alloy id."""

    step: Step
    record: ProcessRecord
    solder: Solder = field(default_factory=dict)


def steps(records: Iterable[ProcessRecord], *, twice: bool = True) -> list[RecordStep]:
    """Return the steps of the pieces of all records of a line, in order. Leaves out movements undone as mistakes.

    `twice`: an exit that was taken back for rework is a step, and the following entry is another one. Without `twice`
    such pieces stay inside from their first entry on, as the weights of the record say.
    """
    found: list[tuple[datetime, int, int, int, RecordStep]] = []

    def add(at: datetime, movement_id: int | None, step: Step, record: ProcessRecord, solder: Solder = _NONE) -> None:
        found.append((at, movement_id or 0, record.pk, len(found), RecordStep(step, record, solder)))

    for record in filter(_booked, records):
        add(record.input_at, record.entry_id, Step.enters, record)
        for past in record.past if twice else ():
            reason = past.taken_back.release_reason
            if past.movement.side == MovementSide.exit and is_rework(reason.key if reason else None):
                solder = _added(record, past.movement, past.movement.mg_added, of=past.movement.pieces)
                add(past.movement.at, past.movement_id, Step.leaves_for_now, record, solder)
                add(past.taken_back.at, past.taken_back_id, Step.sent_back, record)
                add(past.taken_back.at, past.taken_back_id, Step.enters, record)
        if record.output_at is not None:
            add(record.output_at, record.exit_id, Step.leaves, record, _added(record, record, record.mg_added))
        if record.released_at is not None:
            add(record.released_at, record.released_id, Step.released, record)
    return [one[4] for one in sorted(found, key=lambda one: one[:4])]


def _added(record: ProcessRecord, given: ProcessRecord | Movement, mg: int | None, *, of: int | None = None) -> Solder:
    """Return the metal of another alloy that was added to the pieces of a record at an exit.

    `given`: the row with the added alloy. `of`: the number of pieces of the exit, if it had pieces of other records.
    """
    if not mg or given.added_alloy_id in (None, record.alloy_id):
        return _NONE
    return {given.added_alloy_id: mg if of is None else mg * record.quantity // of}


def pieces_weighed(records: Iterable[ProcessRecord]) -> WeighedPieces:
    """Return what is known of the weights of a line's pieces. `records`: all records of the line."""
    pieces = WeighedPieces()
    for happened in steps(records):
        _follow(pieces, happened)
    return pieces


def _follow(pieces: WeighedPieces, happened: RecordStep) -> None:
    """Let the pieces of a record go through a step, with the weights that the record has."""
    step, record = happened.step, happened.record
    if step is Step.enters:
        pieces.enter(record.pk, record.process_id, record.quantity)
        if record.mg_in is not None:
            pieces.weigh(record.pk, record.quantity, record.mg_in, at_entry=True)
    elif step is Step.released and record.output_at is None:
        pieces.leave(record.pk, None, record.quantity, record.mg_in)
    elif step is Step.sent_back or (step is Step.released and not record.scrapped):
        pieces.send_back(record.process_id, record.quantity)
    elif step is Step.leaves_for_now:
        pieces.leave(record.pk, record.process_id, record.quantity, record.mg_in, happened.solder)
    elif step is Step.leaves:
        if record.mg_in is None and record.mg_left is not None:
            entered = (record.mg_out or 0) + (record.mg_scrap or 0) - (record.mg_added or 0)
            pieces.weigh(record.pk, record.quantity, max(0, entered), at_entry=False)
        if record.scrapped:
            pieces.scrap(record.pk, record.quantity)
        else:
            mg = record.mg_in if record.mg_out is None else record.mg_out
            pieces.leave(record.pk, record.process_id, record.quantity, mg, happened.solder)


def _booked(record: ProcessRecord) -> bool:
    """Whether the entries of a record stand: it was not released, or for rework, which reverses none."""
    return record.released_at is None or record.reworked


def _weighed_and_booked(record: ProcessRecord) -> bool:
    return record.alloy_id is not None and _booked(record)


@dataclass(frozen=True)
class Weighed:
    """Pieces of one line that move: their records, and the line's share of the weights.

    `pieces`: the result of `pieces_weighed` before the movement. At an exit, `others` are the line's other records of
    the process. If the last record was split, `split` is the new record of the pieces that stay; it is also in
    `others`.
    """

    line: Line
    records: Sequence[ProcessRecord]
    weights: Weights
    pieces: WeighedPieces
    others: Sequence[ProcessRecord] = ()
    split: ProcessRecord | None = None
    scrapped: bool = False

    @property
    def stay(self) -> list[ProcessRecord]:
        """The records of the pieces that stay inside."""
        return [one for one in self.others if one.open]

    @property
    def lost_before(self) -> list[ProcessRecord]:
        """Records of the same entries, with pieces that left earlier and lost metal.

        Each loss may be too high, because the weight at entry was shared by the number of pieces.
        """
        entries = {one.entry_id for one in self.records}
        return [
            one
            for one in self.others
            if not one.open and one.entry_id in entries and _booked(one) and (one.mg_lost or 0) > 0
        ]

    @property
    def lots(self) -> dict[int, NamedLot]:
        """The lot that the movement names, in a dict by the movement's id; empty if it names none."""
        movement_id = _left_by(self.records[0]) or self.records[0].entry_id
        lot_id, alloy_id = self.weights.lot_id, self.weights.lot_alloy_id
        return {movement_id: NamedLot(lot_id, alloy_id)} if lot_id and alloy_id and movement_id else {}

    @property
    def booked(self) -> list[ProcessRecord]:
        """The records for which this movement books metal.

        All records if the pieces are weighed at this movement, or are scrapped while the line has metal. Else only the
        records that were weighed at their entry.
        """
        by_share = self.scrapped and self.line.metal_mg and self.line.item.alloy_id is not None
        return [one for one in self.records if self.weights.weighed or by_share or one.mg_in is not None]


def enter(
    moves: Sequence[Weighed], *, by: Principal, made_at: datetime | None = None, batch_id: int | None = None
) -> list[ProcessRecord]:
    """Book the metal of pieces that entered with their weight. At most 8 queries for any number of lines.

    Returns the records with metal missing since the last weighing, which the caller must store. Raises `GramsHeavier`.
    """
    weighed = [one for one in moves if one.weights.weighed]
    if not weighed:
        return []
    books = _open_books(weighed, by=by, made_at=made_at, batch_id=batch_id)
    for book, one in zip(books, weighed, strict=True):
        for record in one.records:
            book.enter(record, one.weights.metal)
    _check_entries(books, weighed[0].weights.why)
    _post_together(books, by=by, made_at=made_at)
    differ = [
        record
        for book, one in zip(books, weighed, strict=True)
        for record in one.records
        if _note_between(record, book.postings)
    ]
    for record in differ:
        _judge([record], weighed[0].weights.why)
    return differ


def leave(
    moves: Sequence[Weighed], *, by: Principal, made_at: datetime | None = None, batch_id: int | None = None
) -> list[ProcessRecord]:
    """Book the metal of pieces that left or were scrapped, and write their weights on the records.

    At most 9 queries for any number of lines, except for canceled ones. Returns the records with other weights, which
    the caller must store. Some may be of pieces that stay. Raises `GramsHeavier`.
    """
    weighed = [one for one in moves if one.booked]
    if not weighed:
        return []
    _check_together(weighed, of_batch=batch_id is not None)
    last = {one.records[-1].pk: one.split for one in weighed if one.split and one.records[-1].mg_in is not None}
    entries: defaultdict[int | None, list[MetalEntry]] = defaultdict(list)
    for entry in ledger.unreversed_of(list(last)) if last else ():
        entries[entry.record_id].append(entry)
    books = _open_books(weighed, by=by, made_at=made_at, batch_id=batch_id)
    changed: list[ProcessRecord] = []
    for book, one in zip(books, weighed, strict=True):
        record, booked, mg_of_rest = one.records[-1], one.booked, {rest.pk: rest.mg_in for rest in one.others}
        if left := last.get(record.pk):
            book.split(record, left, entries[record.pk])
        book.leave_all(one, booked)
        others = [rest for rest in one.others if rest.mg_in != mg_of_rest[rest.pk]]
        for lost_less in others:
            _judge([lost_less], lost_less.weight_reason)
        changed += [*booked, *others]
    _check_entries(books, weighed[0].weights.why)
    _judge([record for one in weighed for record in one.booked], weighed[0].weights.why)
    _post_together(books, by=by, made_at=made_at)
    for line in (one.line for one in weighed if one.line.status == Status.Canceled):
        settle(line, by=by, canceled=True)
    return changed


def _check_together(moves: Sequence[Weighed], *, of_batch: bool) -> None:
    """Raise `GramsHeavier` if more metal leaves than all that is inside of these lines at the process.

    What earlier parts of the same pieces seemed to lose counts as inside: they may have been the lighter ones.
    `of_batch`: the pieces are those of a batch. Then only what stays of its own pieces counts.
    """
    weighed = [one for one in moves if one.weights.weighed]
    leaving = [record for one in weighed for record in one.records]
    entered = [record.mg_in for record in leaving]
    if not weighed or None in entered or any(record.process_gains for record in leaving):
        return
    entries = {record.entry_id for record in leaving}
    stays = [record for one in weighed for record in one.stay if not of_batch or record.entry_id in entries]
    lost_before = [record.mg_lost or 0 for one in weighed for record in one.lost_before]
    came = sum(mg or 0 for mg in entered)
    check_not_heavier(
        sum(one.weights.metal + one.weights.scrap for one in weighed),
        came,
        inside=came + sum(record.mg_in or 0 for record in stays) + sum(lost_before),
        added=sum(one.weights.added for one in weighed),
        step=settings.SCALE_STEP_MG,
        why=weighed[0].weights.why,
    )


def _check_entries(books: "Sequence[_Book]", why: str) -> None:
    """Raise `GramsHeavier` if pieces were weighed into a process with far more than they weighed before."""
    check_expected(
        sum(mg for book in books for mg, _ in book.weighed_again),
        sum(mg for book in books for _, mg in book.weighed_again),
        side="in",
        why=why,
    )


def share(record: ProcessRecord, left: ProcessRecord) -> None:
    """Divide the weights of a split record between `record` and `left`, the new record of the pieces that stay.

    `left` is not stored yet, and `record` still has the quantity of all pieces.
    """
    left.alloy_id = record.alloy_id
    going = record.quantity - left.quantity
    left.weight_reason, left.loss_to_sign = record.weight_reason, record.loss_to_sign
    left.loss_signed_at, left.loss_signed_by_id = record.loss_signed_at, record.loss_signed_by_id
    left.loss_signed_by_name = record.loss_signed_by_name
    for name in ("mg_in", "mg_other", "mg_between"):
        mg = getattr(record, name)
        if mg is not None:
            own, stays = shared(mg, [going, left.quantity])
            setattr(record, name, own)
            setattr(left, name, stays)


def check_later(record: ProcessRecord, given: WeighedLater, *, weighs: bool, alloy: bool) -> None:
    """Raise `InvalidFields` for weights that the record cannot have, and for an unknown alloy.

    `weighs`: the record's process weighs pieces. `alloy`: the line's product has an alloy.
    """
    selectors.check_added(given.added, given.added_alloy_id)
    named = {
        "gramsIn": given.mg_in,
        "gramsOut": given.mg_out,
        "scrapGrams": given.scrap,
        "addedGrams": given.added,
    }
    first = next((name for name, mg in named.items() if mg is not None), None)
    least = min((mg for mg in (given.mg_in, given.mg_out) if mg is not None), default=None)
    left = record.mg_out if given.mg_out is None else given.mg_out
    lacks_exit = left is None
    refusals = (
        (bool(given.other) and least is None, "otherGrams", "grams_first"),
        (first is not None and not weighs, first or "", "not_weighed"),
        (first is not None and not alloy, first or "", "no_alloy"),
        (record.open and given.mg_out is not None, "gramsOut", "not_yet_out"),
        (record.open and given.scrap is not None, "scrapGrams", "not_yet_out"),
        (record.open and given.added is not None, "addedGrams", "not_yet_out"),
        (record.scrapped and given.added is not None, "addedGrams", "all_is_scrap"),
        (bool(given.added) and lacks_exit, "addedGrams", "grams_first"),
        (given.added_alloy_id is not None and (given.added or 0) > (left or 0), "addedGrams", "more_than_leaves"),
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
    if given.added is not None:
        record.mg_added, record.added_alloy_id = given.added or None, given.added_alloy_id
    record.mg_other = given.other or record.mg_other
    if record.mg_in is not None and record.mg_left is not None and not record.process_gains:
        leaving = (record.mg_out or 0) + (record.mg_scrap or 0)
        added = record.mg_added or 0
        check_not_heavier(leaving, record.mg_in, added=added, step=settings.SCALE_STEP_MG, why=given.why)


def weigh_later(line: Line, record: ProcessRecord, given: WeighedLater) -> bool:
    """Write or correct the weights of a record after its movements. `book_later` books them.

    Returns whether a weight or the reason changed. Raises `GramsHeavier`.
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
    return True


_MG = ("mg_in", "mg_out", "mg_other", "mg_scrap", "mg_added", "added_alloy_id")


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


def _open_books(
    moves: Sequence[Weighed], *, by: Principal, made_at: datetime | None = None, batch_id: int | None = None
) -> "list[_Book]":
    """Lock the balances that the movements of these lines may change. Return a book for each line.

    2 queries, 4 if an account is made, and more for a movement that is reported later.
    """
    records = [record for one in moves for record in one.booked]
    records += [record for one in moves if one.weights.weighed for record in one.stay if record.mg_in is not None]
    accounts = _accounts([one.line for one in moves], map(_holder, records))
    alloys = {_alloy(one.line, record) for one in moves for record in one.booked}
    alloys |= {alloy_id for one in moves for alloy_id in (*one.pieces.solders, one.weights.added_alloy_id) if alloy_id}
    _open_days(accounts, alloys, by=by, made_at=made_at)
    baths = _baths(records)
    held = ledger.lock([*(account for of_one in accounts for account in of_one.all), *baths.values()], alloys)
    return [
        _Book(one.line, of_one, held, one.pieces, batch_id, baths, one.lots)
        for one, of_one in zip(moves, accounts, strict=True)
    ]


def _baths(records: Iterable[ProcessRecord]) -> dict[int, Account]:
    """Return the bath of each process of the records that gains. 1 query for each, none for other processes."""
    gaining = {record.process_id for record in records if record.process_gains}
    return {process_id: ledger.bath(process_id) for process_id in gaining}


def _lots_of(records: Iterable[ProcessRecord]) -> dict[int, NamedLot]:
    """Return the lots that the movements of these records name, by the id of the movement. 1 query."""
    ids = {movement_id for one in records for movement_id in (one.entry_id, one.exit_id) if movement_id}
    named = Movement.objects.filter(pk__in=ids, lot__isnull=False).values_list("pk", "lot_id", "lot__alloy_id")
    return {movement_id: NamedLot(lot_id, alloy_id) for movement_id, lot_id, alloy_id in named}


def _post_together(books: "Sequence[_Book]", *, by: Principal, made_at: datetime | None = None) -> None:
    """Write the entries of all books at once, and set `metal_mg` of each line, which the caller saves. 4 queries."""
    first = books[0]
    postings = [posting for book in books for posting in book.postings]
    entries = _post(postings, by=by, made_at=made_at, cover=first.accounts.lost, held=first.held)
    for book in books:
        _keep_on(book.line, entries)


@dataclass(frozen=True)
class TakenBack:
    """What is taken back of one line, for its metal.

    `whole`: records that are taken back with their entry. `exits`: records with only their exit taken back.
    `movements`: the stored movements that take them back. `records`: all records of the line.
    """

    line: Line
    whole: Sequence[ProcessRecord] = ()
    exits: Sequence[ProcessRecord] = ()
    movements: Sequence[Movement] = ()
    records: Sequence[ProcessRecord] = ()

    @cached_property
    def exit_ids(self) -> set[int]:
        """The ids of the exits that are taken back from every record that has them."""
        taken = {record.pk for record in (*self.whole, *self.exits)}
        kept = {record.exit_id for record in self.records if record.pk not in taken}
        return {one.exit_id for one in (*self.whole, *self.exits) if one.exit_id is not None} - kept

    @property
    def ids(self) -> set[int]:
        """The ids of the records in `whole` and `exits`."""
        return {one.pk for one in (*self.whole, *self.exits)}

    @property
    def is_followed(self) -> bool:
        """Whether other weighed pieces of the line moved later: they may hold the metal that is taken back."""
        instants = [one.input_at for one in self.whole] + [one.output_at for one in self.exits if one.output_at]
        return bool(instants) and any(
            one.pk not in self.ids and _weighed_and_booked(one) and (one.output_at or one.input_at) >= min(instants)
            for one in self.records
        )

    @property
    def rest(self) -> list[ProcessRecord]:
        """The line's records as they are afterwards: without `whole`, and with `exits` open again."""
        inside = {one.pk: copy(one) for one in self.exits}
        for one in inside.values():
            one.output_at = one.exit = None
            one.scrapped = False
            one.mg_out = one.mg_scrap = one.mg_added = one.added_alloy_id = None
        return [inside.get(one.pk, one) for one in self.records if one not in self.whole]

    def has(self, entry: MetalEntry) -> bool:
        """Whether a metal entry belongs to what is taken back."""
        return (
            entry.movement_id in self.exit_ids
            or any(entry.record_id == one.pk for one in self.whole)
            or any((entry.record_id, entry.movement_id) == (one.pk, one.exit_id) for one in self.exits)
        )

    def reversals(self, entries: Iterable[MetalEntry]) -> list[Posting]:
        """Return the postings that reverse the entries, each with the id of the movement that takes back."""
        by = {(one.record_id, one.takes_back_id): one.pk for one in self.movements}
        first = self.movements[0].pk if self.movements else None
        return [ledger.reversal(one, movement_id=by.get((one.record_id, one.movement_id), first)) for one in entries]


def take_back(parts: Sequence[TakenBack], *, by: Principal, rework: bool = False) -> list[ProcessRecord]:
    """Reverse the metal entries of the movements that are taken back. A Done line gets its finished metal back.

    `rework`: reverse none. The metal follows the pieces from where it is, and a loss that was made stays. Call it
    before the records and the lines change, with one part if it is rework. It is a no-op for lines that were never
    weighed. Metal that returns to a Canceled line goes to the scrap box again. Returns the other records with other
    weights now, which the caller must store.
    """
    weighed = [part for part in parts if part.line.metal_mg is not None]
    if not weighed:
        return []
    postings: list[Posting] = []
    others: list[ProcessRecord] = []
    if rework:
        for part in weighed:
            postings += _followed(part)
    elif taken_back := {record.pk for part in weighed for record in (*part.whole, *part.exits)}:
        entries = ledger.unreversed_of(taken_back, {pk for part in weighed for pk in part.exit_ids})
        for part in weighed:
            own = [one for one in entries if part.has(one)]
            postings += part.reversals(own)
            if part.is_followed:
                again = _BookedAgain.of(part.line, part.records, part.rest, part.movements[0], left_out=part.ids)
                postings += again.postings
                others += again.missing_noted()
            others += [one for one in _given_back(part, own) if one not in others]
    canceled = [part.line for part in weighed if part.line.status == Status.Canceled]
    for part in weighed:
        if part.line.status in (Status.Done, Status.Canceled):
            postings += map(ledger.reversal, _settled(part.line))
    if postings:
        lost = ledger.lost()
        if canceled:
            # Lock what `settle` needs too, in the same statement: movements that lock in two steps could deadlock.
            ends = [end for one in postings for end in (one.source, one.target)]
            ledger.lock([*ends, lost, ledger.scrap_box()], {one.alloy_id for one in postings})
        written = _post(postings, by=by, cover=lost)
        for part in weighed:
            _keep_on(part.line, written)
        for line in canceled:
            settle(line, by=by, canceled=True)
    return others


def _given_back(part: TakenBack, entries: Iterable[MetalEntry]) -> list[ProcessRecord]:
    """Give back the metal that a part took from other records because it left heavier than it entered.

    `entries`: the reversed entries, which say how much. Changes `mg_in` of the other records that stay. Returns the
    changed records outside of `part`.
    """
    records = {record.pk: record for record in part.records}
    changed: dict[int, ProcessRecord] = {}
    for record_id, mg in _taken_from_rest(entries).items():
        record = records.get(record_id)
        if record is not None and record.mg_in is not None and record not in part.whole:
            record.mg_in -= mg
            changed[record_id] = record
    others = [record for record in changed.values() if record not in part.exits]
    for record in others:
        _judge([record], record.weight_reason)
    return others


def _is_taken(entry: MetalEntry) -> bool:
    """Whether an entry moves metal that a heavier part took from others, through the account of the line."""
    ends = {entry.source.kind, entry.target.kind}
    return entry.kind == EntryKind.reweigh and ends == {AccountKind.person, AccountKind.line}


def _taken_from_rest(entries: Iterable[MetalEntry]) -> Counter[int]:
    """Return the milligrams that each record took from others, by its id; negative if it gave them."""
    taken: Counter[int] = Counter()
    for entry in entries:
        if _is_taken(entry) and entry.record_id is not None:
            taken[entry.record_id] += entry.mg if entry.target.kind == AccountKind.person else -entry.mg
    return taken


def _followed(part: TakenBack) -> list[Posting]:
    """Return the postings of the metal of pieces that are released for rework. Sets `mg_in` of open records.

    Released pieces that are inside leave with the weight that entered. Released exits enter with the weight that left.
    """
    going = [record for record in part.whole if record.open and record.mg_in is not None]
    back = [record for record in part.exits if record.mg_in is not None or record.mg_left is not None]
    if not (going or back):
        return []
    pieces = pieces_weighed(part.records)
    accounts = _accounts([part.line], map(_holder, [*going, *back]))[0]
    alloys = {_alloy(part.line, record) for record in (*going, *back)} | pieces.solders
    book = _Book(part.line, accounts, ledger.lock(accounts.all, alloys), pieces)
    by_record = {one.record_id: one.pk for one in part.movements}
    line, scrap = book.accounts.line, book.accounts.scrap
    for record in going:
        within = pieces.leave(record.pk, None, record.quantity, record.mg_in)
        book.move(record, by_record[record.pk], EntryKind.leaves, record.mg_in or 0, book.person(record), line, within)
    for record in back:
        left, lost = record.mg_left, record.mg_lost
        if left is None:
            left = record.mg_in or 0
        source = scrap if record.scrapped else line
        if not record.scrapped:
            pieces.send_back(record.process_id, record.quantity)
            pieces.enter(record.pk, record.process_id, record.quantity)
        within = pieces.solder_of(record.pk)
        book.move(record, by_record[record.pk], EntryKind.enters, left, source, book.person(record), within)
        record.mg_in = left + max(0, lost or 0)
    return book.postings


def forget_exit(record: ProcessRecord) -> None:
    """Empty the weights of an exit that was taken back. Those of the entry stay."""
    record.mg_out = record.mg_scrap = record.mg_added = record.added_alloy_id = None
    if record.mg_in is None:
        record.mg_between = None
    _judge([record], "")
    if record.mg_in is None:
        record.mg_other = record.alloy_id = None


def _judge(records: Sequence[ProcessRecord], why: str) -> None:
    """Mark the records of one weighing that somebody must sign for.

    They lost more than their process allows, or metal was missing when they entered. No loss is marked if all records
    together did not lose more: the weight of one weighing is shared by pieces, but the entries may have been weighed
    one by one. A former signature becomes void, but that of missing metal. `why`: the reason to keep on each record.
    """
    known = [one for one in records if one.mg_lost is not None]
    together = sum(one.mg_lost or 0 for one in known), sum(one.mg_came for one in known)
    for record in records:
        lost, allowed = record.mg_lost, record.process_allowed_loss
        above = lost is not None and is_above(lost, record.mg_came, allowed) and is_above(*together, allowed)
        if record.mg_between is None or above:
            record.loss_signed_at = record.loss_signed_by_id = record.loss_signed_by_name = None
        record.weight_reason = why if record.mg_between is None else why or record.weight_reason
        record.loss_to_sign = above or (record.mg_between is not None and record.loss_signed_at is None)


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


def ship(pieces: Mapping[Line, int], *, by: Principal) -> Counter[Line]:
    """Move the metal of pieces that are billed from the finished to the shipped goods. Negative numbers move it back.

    Call it before `quantity_billed` changes. 7 queries for any number of lines; no query if no line was weighed.
    Returns the milligrams that moved, by line.
    """
    moved: Counter[Line] = Counter()
    weighed = {(line.order_id, line.position): line for line in pieces if line.metal_mg is not None}
    if not weighed:
        return moved
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
            moved[line] += mg
    _post(postings, by=by)
    return moved


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
    accounts = _accounts([line], [*map(_holder, inside), (by.user_id, there.id)])
    alloys = {_alloy(line, record) for record in inside} | {_alloy_of(line)}
    _open_days(accounts, alloys, by=by, made_at=made_at)
    ledger.lock(accounts[0].all, alloys)
    if Weighs.no in (here.weighs, there.weighs) and here.weighs != there.weighs:
        return (NOT_WEIGHED, weights) if here.weighs == Weighs.no else (weights, NOT_WEIGHED)
    return weights, Weights(weights.mg, weights.other)


@dataclass
class _Book:
    """Collects the postings of movements of a line."""

    line: Line
    accounts: Accounts
    held: ledger.Held
    pieces: WeighedPieces = field(default_factory=WeighedPieces)
    """The pieces that were weighed before."""
    batch_id: int | None = None
    baths: Mapping[int, Account] = field(default_factory=dict)
    """The baths that pieces gain metal from, by process."""
    lots: Mapping[int, NamedLot] = field(default_factory=dict)
    """The lots that movements name, by the id of the movement."""
    postings: list[Posting] = field(default_factory=list)
    weighed_again: list[tuple[int, int]] = field(default_factory=list)
    """The weights of pieces that were weighed before, each with what they weighed then."""

    def at_line(self, alloy_id: int) -> int:
        """Return the milligrams that the line's own account will hold after the postings so far."""
        own = self.accounts.line
        mg = self.held[own.pk, alloy_id]
        for one in self.postings:
            if one.alloy_id == alloy_id:
                mg += one.mg * ((one.target.pk == own.pk) - (one.source.pk == own.pk))
        return mg

    def enter(self, record: ProcessRecord, mg: int, movement_id: int | None = None) -> None:
        """Move metal from the line to the person. First issue what the line lacks, and correct the former weighing.

        Metal on the line's account beyond that of its pieces is used before any of the vault. `movement_id`: the exit,
        if the pieces are weighed only there. None: book the record's entry.
        """
        at_entry = movement_id is None
        if at_entry:
            self.pieces.enter(record.pk, record.process_id, record.quantity)
        movement_id = movement_id or record.entry_id
        beside = self.at_line(_alloy(self.line, record)) - self.pieces.mg
        self.weighed_again.append(self.pieces.compared(record.pk, record.quantity, mg))
        new, corrected = self.pieces.weigh(record.pk, record.quantity, mg, at_entry=at_entry)
        own, lost = self.accounts.line, self.accounts.lost
        self.add(record, movement_id, EntryKind.issue, new - max(0, beside), self.accounts.vault, own)
        self.add(record, movement_id, EntryKind.reweigh, corrected, lost, own)
        self.add(record, movement_id, EntryKind.reweigh, -corrected, own, lost)
        self.move(record, movement_id, EntryKind.enters, mg, own, self.person(record), self.pieces.solder_of(record.pk))

    def split(self, record: ProcessRecord, left: ProcessRecord, entries: Iterable[MetalEntry]) -> None:
        """Divide the entries of a record that is split, so that each part can be taken back alone.

        `left`: the record of the pieces that stay. Sets `mg_in` of both to the sums of their entries.
        """
        made = ledger.split(entries, [(record.pk, record.quantity), (left.pk, left.quantity)])
        self.postings += made
        person, total = self.person(record).pk, (record.mg_in or 0) + (left.mg_in or 0)
        of_left = [one for one in made if one.record_id == left.pk]
        left.mg_in = sum(one.mg * ((one.target.pk == person) - (one.source.pk == person)) for one in of_left)
        record.mg_in = total - left.mg_in

    def leave_all(self, one: Weighed, booked: Collection[ProcessRecord]) -> None:
        """Share the weights over the records that leave, and move the metal of those that are `booked`.

        The shares follow the weights at entry. If a record was not weighed at entry, they follow the pieces.
        """
        weighed_in = [record.mg_in or 0 for record in one.records if record.mg_in is not None]
        all_weighed = len(weighed_in) == len(one.records) and any(weighed_in)
        parts = one.weights.shares(weighed_in if all_weighed else [record.quantity for record in one.records])
        for record, part in zip(one.records, parts, strict=True):
            if record not in booked:
                continue
            if part.weighed:
                self._take_from_rest(record, part.metal + part.scrap - part.added, one)
            if part.weighed:
                record.mg_other = part.other or record.mg_other
            if one.scrapped:
                self.scrap(record, part)
            elif part.weighed:
                self.leave(record, part)
                record.mg_out, record.mg_scrap, record.mg_added = part.metal, part.scrap or None, part.added or None
                record.alloy_id, record.added_alloy_id = _alloy(self.line, record), part.added_alloy_id
            else:
                self.leave(record, Weights(record.mg_in))  # nobody weighed it: the books say what entered

    def _take_from_rest(self, record: ProcessRecord, mg: int, move: Weighed) -> None:
        """Take metal from other records for a record that leaves with `mg`, if it leaves heavier than it entered.

        These give, in order: pieces of the same entry that stay, the loss of its earlier parts, other pieces of the
        same person that stay, the loss of that person's earlier parts, all other pieces that stay, all other losses.
        Records of one group give in proportion to what they have.
        """
        if record.mg_in is None or mg <= record.mg_in:
            return
        movement_id, before = _left_by(record), record.mg_in
        stay = [one for one in move.stay if one.alloy_id == record.alloy_id]
        own = [one for one in stay if one.input_by_id == record.input_by_id]
        entry = [one for one in own if one.entry_id == record.entry_id]
        parts = [one for one in move.lost_before if one.entry_id == record.entry_id]
        own_parts = [one for one in move.lost_before if one.input_by_id == record.input_by_id]
        for group in (entry, parts, own, own_parts, stay, move.lost_before):
            held = [(one.mg_in if one.open else one.mg_lost) or 0 for one in group]
            for one, given in zip(group, shared(min(mg - record.mg_in, sum(held)), held), strict=True):
                one.mg_in = (one.mg_in or 0) - given
                record.mg_in += given
                self.add(one, movement_id, EntryKind.reweigh, given, self.person(one), self.accounts.line)
        taken = record.mg_in - before
        self.add(record, movement_id, EntryKind.reweigh, taken, self.accounts.line, self.person(record))

    def leave(self, record: ProcessRecord, weights: Weights) -> None:
        """Move the metal of pieces that left from the person to the line, and cut-off metal to the scrap box."""
        entered = self._entered(record, weights.metal + weights.scrap - weights.added)
        person, movement_id = self.person(record), _left_by(record)
        added_alloy = weights.added_alloy_id or _alloy(self.line, record)
        solder = {} if added_alloy == _alloy(self.line, record) else {added_alloy: weights.added}
        within = self.pieces.leave(record.pk, record.process_id, record.quantity, weights.metal, solder)
        self.add(record, movement_id, EntryKind.added, weights.added, self.accounts.vault, person, alloy_id=added_alloy)
        more = weights.metal + weights.scrap - entered - weights.added
        found_in = self.baths.get(record.process_id, self.accounts.lost)
        self.add(record, movement_id, EntryKind.reweigh, more, found_in, person, reason=weights.why)
        self.add(record, movement_id, EntryKind.scrap, weights.scrap, person, self.accounts.scrap)
        self.move(record, movement_id, EntryKind.leaves, weights.metal, person, self.accounts.line, within)

    def scrap(self, record: ProcessRecord, weights: Weights) -> None:
        """Move the metal of scrapped pieces to the scrap box.

        It is the weight that was weighed now, else the weight at entry, else a share of the line's metal.
        """
        alloy_id, movement_id, person = _alloy(self.line, record), _left_by(record), self.person(record)
        if weights.weighed:
            mg = weights.metal
            entered = self._entered(record, mg)
        elif record.mg_in is not None:
            mg = entered = record.mg_in
        else:
            mg = entered = self.pieces.metal_of(record.pk, record.quantity)
            if not mg:
                return
        is_booked = weights.weighed or record.mg_in is not None
        within = self.pieces.scrap(record.pk, record.quantity)
        if not is_booked:
            self.move(record, movement_id, EntryKind.enters, mg, self.accounts.line, person, within)
        self.add(record, movement_id, EntryKind.reweigh, mg - entered, self.accounts.lost, person, reason=weights.why)
        self.move(record, movement_id, EntryKind.scrap, mg, person, self.accounts.scrap, within)
        record.mg_scrap, record.alloy_id = mg, alloy_id

    def _entered(self, record: ProcessRecord, mg: int) -> int:
        """Return the metal that entered with the record. If the entry was not weighed, book it now with `mg`."""
        if record.mg_in is not None:
            return record.mg_in
        self.enter(record, max(0, mg), _left_by(record))
        return max(0, mg)

    def person(self, record: ProcessRecord) -> Account:
        return self.accounts.people[_holder(record)]

    def move(
        self,
        record: ProcessRecord,
        movement_id: int | None,
        kind: EntryKind,
        mg: int,
        source: Account,
        target: Account,
        solder: Solder,
    ) -> None:
        """Add the postings of pieces that move: one for each alloy in them. `solder`: the milligrams of other alloys.

        The line gives at most the solder that its account holds: some may have stayed with a person.
        """
        if source.pk == self.accounts.line.pk:
            solder = {alloy_id: min(within, self.at_line(alloy_id)) for alloy_id, within in solder.items()}
        for alloy_id, part in by_alloy(mg, _alloy(self.line, record), solder):
            self.add(record, movement_id, kind, part, source, target, alloy_id=alloy_id)

    def add(
        self,
        record: ProcessRecord,
        movement_id: int | None,
        kind: EntryKind,
        mg: int,
        source: Account,
        target: Account,
        *,
        reason: str = "",
        alloy_id: int | None = None,
    ) -> None:
        """Add a posting of a movement and a record, unless there is nothing to move.

        `alloy_id`: the alloy, if it is not the record's.
        """
        if mg > 0:
            alloy_id = alloy_id or _alloy(self.line, record)
            lot = self.lots.get(movement_id or 0)
            takes_lot = lot is not None and lot.alloy_id == alloy_id and source.pk == self.accounts.vault.pk
            self.postings.append(
                Posting(
                    source,
                    target,
                    alloy_id,
                    mg,
                    kind,
                    record_id=record.pk,
                    movement_id=movement_id,
                    batch_id=self.batch_id,
                    person_id=record.input_by_id,
                    lot_id=lot.id if lot is not None and takes_lot else None,
                    line_id=self.accounts.line.pk,
                    reason=reason,
                )
            )


def _note_between(record: ProcessRecord, postings: Iterable[Posting]) -> bool:
    """Store on a record how much metal was missing at its entry, unless the steps of the scale explain it.

    `postings`: the postings of its weighing. Returns whether anything is stored.
    """
    missing = 0
    for one in postings:
        ends = (one.source.kind, one.target.kind)
        if one.record_id == record.pk and set(ends) == {AccountKind.line, AccountKind.lost}:
            missing += one.mg if ends[1] == AccountKind.lost else -one.mg
    record.mg_between = missing if abs(missing) > 2 * settings.SCALE_STEP_MG else None
    return record.mg_between is not None


def _left_by(record: ProcessRecord) -> int | None:
    """Return the id of the movement that took the pieces out. Also works if that movement has only just been saved."""
    return record.exit_id or (record.exit.pk if record.exit else record.released_id)


def _open_days(
    accounts: Sequence[Accounts], alloys: Collection[int], *, by: Principal, made_at: datetime | None
) -> None:
    """Open the closed days again that a movement reported later belongs to. No query for other movements."""
    if made_at is not None:
        every = [account for of_one in accounts for account in of_one.all]
        closing.days_reopen(accounts[0].people, made_at=made_at, by=by, beside=every, alloy_ids=alloys)


def book_later(
    line: Line,
    records: Sequence[ProcessRecord],
    former: ProcessRecord,
    changed: ProcessRecord,
    weighing: Movement,
    *,
    by: Principal,
) -> list[ProcessRecord]:
    """Book a later weight as if it had been known at the movements of its record. No query if no weight changed.

    `records`: all records of the line, with `changed` among them. `former`: a copy of `changed` with the weights
    before. `weighing`: the stored movement. Only entries that the weight changes are reversed and written again, on the
    day of the movement; if that day is closed, it is opened again. Returns the other records with another amount of
    missing metal, which the caller must store.
    """
    if all(getattr(former, name) == getattr(changed, name) for name in _MG):
        return []
    before = [former if one.pk == changed.pk else one for one in records]
    again = _BookedAgain.of(line, before, records, weighing, changed)
    ends = [end for one in again.postings for end in (one.source, one.target)]
    ends += [*again.accounts.all, ledger.finished(), ledger.shipped(), *again.baths.values()]
    alloys = {_alloy(line, one) for one in again.weighed} | {one.alloy_id for one in again.postings}
    made_at = changed.output_at or changed.input_at
    closing.days_reopen([_holder(changed)], made_at=made_at, by=by, beside=ends, alloy_ids=alloys)
    held = ledger.lock(ends, alloys)
    postings = [*again.postings, *_settled_again(line, again.accounts, held, again.postings)]
    _keep_on(line, _post(postings, by=by, made_at=made_at, cover=again.accounts.lost))
    return [record for record in again.missing_noted() if record.pk != changed.pk]


@dataclass(frozen=True)
class _BookedAgain:
    """The weighed records of a line whose entries are no longer what their history says, and the postings that mend it.

    `new`: the postings that the records should have, by the id of the record.
    """

    accounts: Accounts
    baths: Mapping[int, Account]
    weighed: Sequence[ProcessRecord]
    differ: Sequence[ProcessRecord]
    new: Mapping[int, Sequence[Posting]]
    postings: Sequence[Posting]

    @classmethod
    def of(
        cls,
        line: Line,
        before: Sequence[ProcessRecord],
        after: Sequence[ProcessRecord],
        by: Movement,
        changed: ProcessRecord | None = None,
        *,
        left_out: Collection[int] = (),
    ) -> "_BookedAgain":
        """Compare the postings that the records of a line need `before` and `after` a movement. 4 queries and more.

        `changed`: the record that the movement weighed. `left_out`: the ids of records whose entries the caller takes
        back.
        """
        weighed = [*filter(_weighed_and_booked, after)]
        accounts = _accounts([line], map(_holder, {*weighed, *filter(_weighed_and_booked, before)}))[0]
        entries = ledger.unreversed_of([one.pk for one in weighed])
        taken, baths, lots = _taken_from_rest(entries), _baths(weighed), _lots_of(weighed)
        if changed is not None and (changed.mg_in or 0) < taken[changed.pk]:
            del taken[changed.pk]
        old, new = (_booked_in_order(line, accounts, one, taken, baths, lots, changed, by) for one in (before, after))
        differ = [one for one in weighed if one.pk not in left_out and _sums(old[one.pk]) != _sums(new[one.pk])]
        pks = {one.pk for one in differ}
        booked = [one for one in entries if one.record_id in pks and not (_is_taken(one) and taken[one.record_id])]
        postings = [ledger.reversal(entry, movement_id=by.pk) for entry in booked]
        postings += [posting for one in differ for posting in new[one.pk]]
        return cls(accounts, baths, weighed, differ, new, postings)

    def missing_noted(self) -> list[ProcessRecord]:
        """Write on the records how much metal is missing at their entry now. Returns the records that changed."""
        changed = []
        for record in (one for one in self.differ if one.mg_in is not None):
            missing = record.mg_between
            _note_between(record, self.new[record.pk])
            if record.mg_between != missing:
                _judge([record], record.weight_reason)
                changed.append(record)
        return changed


def _settled_again(line: Line, accounts: Accounts, held: ledger.Held, postings: Sequence[Posting]) -> list[Posting]:
    """Return the postings that settle the metal of a Done or Canceled line again after its weights were corrected.

    Reverses the former settlement, then settles the metal that the line holds after `postings`. If more metal was
    shipped than is finished now, the difference comes back. If all pieces are billed and less was shipped, the
    difference is shipped. 2 queries; none for lines with another status.
    """
    if line.status not in (Status.Done, Status.Invoiced, Status.Canceled):
        return []
    canceled = line.status == Status.Canceled
    target, kind = (accounts.scrap, EntryKind.scrap) if canceled else (ledger.finished(), EntryKind.finish)
    own, before = accounts.line, _settled(line)
    made = [ledger.reversal(entry) for entry in before]
    on_line: Counter[int] = Counter()
    for one in [*postings, *made]:
        on_line[one.alloy_id] += one.mg * ((one.target.pk == own.pk) - (one.source.pk == own.pk))
    for alloy_id in on_line:
        on_line[alloy_id] += held[own.pk, alloy_id]
    made += [Posting(own, target, one, mg, kind, line_id=own.pk) for one, mg in on_line.items() if mg > 0]
    if canceled:
        return made
    ready = Counter(
        {alloy_id: mg for (_, _, alloy_id), (mg, _) in _finished_and_shipped([(line.order_id, line.position)]).items()}
    )
    for alloy_id in on_line:
        more = ready[alloy_id] + max(0, on_line[alloy_id]) - sum(one.mg for one in before if one.alloy_id == alloy_id)
        if more < 0:
            made.append(Posting(ledger.shipped(), target, alloy_id, -more, EntryKind.gives_back, line_id=own.pk))
        elif more > 0 and line.quantity_billed >= line.quantity_good:
            made.append(Posting(target, ledger.shipped(), alloy_id, more, EntryKind.ship, line_id=own.pk))
    return made


def _sums(rows: Iterable[Posting]) -> Counter[tuple[str, int, int, int]]:
    sums: Counter[tuple[str, int, int, int]] = Counter()
    for one in rows:
        sums[str(one.kind), one.source.pk, one.target.pk, one.alloy_id] += one.mg
    return sums


def _booked_in_order(
    line: Line,
    accounts: Accounts,
    records: Sequence[ProcessRecord],
    taken: Mapping[int, int],
    baths: Mapping[int, Account],
    lots: Mapping[int, NamedLot],
    changed: ProcessRecord | None,
    movement: Movement,
) -> dict[int, list[Posting]]:
    """Return the postings of each record of a line, made in the order of the movements.

    `taken`: what each record took from others when it left, by its id. It did not enter with that. `changed`: the
    record that `movement` weighed, for its reason.
    """
    book = _Book(line, accounts, defaultdict(int), baths=baths, lots=lots)
    for happened in steps(records, twice=False):
        step, one = happened.step, happened.record
        reason = movement.weight_reason if changed is not None and one.pk == changed.pk else ""
        if step is Step.enters and one.mg_in is not None:
            book.enter(one, one.mg_in - taken.get(one.pk, 0))
        elif step is Step.leaves and one.scrapped and one.mg_scrap is not None:
            book.scrap(one, Weights(one.mg_scrap, why=reason))
        elif step is Step.leaves and not one.scrapped and one.mg_out is not None:
            left = Weights(one.mg_out, scrap=one.mg_scrap or 0, added=one.mg_added or 0, why=reason)
            book.leave(one, replace(left, added_alloy_id=one.added_alloy_id))
        elif step is Step.leaves and not one.scrapped and one.mg_in is not None:
            book.leave(one, Weights(one.mg_in))
        else:
            _follow(book.pieces, happened)
    found: defaultdict[int, list[Posting]] = defaultdict(list)
    for posting in book.postings:
        found[posting.record_id or 0].append(posting)
    return found


def _accounts(lines: Sequence[Line], people: Iterable[tuple[int, int]]) -> list[Accounts]:
    return ledger.accounts_of_lines(
        {(line.order_id, line.position): line.order.customer_sales_order_id for line in lines},
        list(dict.fromkeys(people)),
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
    entries = selectors.unreversed().filter(
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
    """Change `metal_mg` of the line by the entries: metal into its own account is added, metal out of it subtracted."""

    def own(account: Account) -> bool:
        return (account.kind, account.sales_order_id, account.position) == ("line", line.order_id, line.position)

    moved = sum(one.mg * (own(one.target) - own(one.source)) for one in entries)
    line.metal_mg = (line.metal_mg or 0) + moved
