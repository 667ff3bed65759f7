"""Arithmetic of grams: milligrams, fine metal, shares, and the loss of a weighing (infra/docs/rules.md#metal).

Uses no database and no clock.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Decimal
from itertools import chain
from typing import Any

from project.core.errors import InvalidFields, Refusal
from project.core.grams import (
    PURE as PURE,
    grams_or_none as grams_or_none,
    mg_or_none as mg_or_none,
    per_mille as per_mille,
    tenths as tenths,
    to_grams as to_grams,
    to_mg as to_mg,
)
from project.core.texts import text


class NotEnoughMetal(Refusal):
    """An account holds less metal than was requested: `missing` of the `grams` are not there.

    `account`: the account's kind. `name`: the name of a supplier or partner, or the PO# of a line.
    """

    code = "not_enough_metal"

    def as_json(self) -> dict[str, Any]:
        where = f"{text('metal_account_' + self.params['account'])} {self.params['name']}".strip()
        return {**super().as_json(), "message": text(self.code, {**self.params, "where": where})}


class LotUsedUp(Refusal):
    """The lot has less metal left than was requested: only `left` of the requested `grams`."""

    code = "lot_used_up"


class GramsRequired(Refusal):
    """The process requires the weight of pieces that enter or leave, and the call sent none."""

    status = 422
    code = "grams_required"


class GramsHeavier(Refusal):
    """More metal (`grams`) enters or leaves than the pieces can have. The user must check the weight, or send a reason.

    `side` `out`: more leaves than the `limit`, which is the metal inside plus what was `added`; `entered`: what these
    pieces weighed at their entry. `side` `in`: far more enters than the `limit`, which the pieces weighed before.
    `side` `tree`: far more enters than the `limit`, which their wax suggests.
    """

    status = 422
    code = "grams_heavier"

    def as_json(self) -> dict[str, Any]:
        what = "added" if self.params.get("added") else self.params["side"]
        said = self.code if what == "out" else f"{self.code}_{what}"
        return {**super().as_json(), "message": text(said, self.params)}


def fine_mg(mg_by_fineness: Sequence[tuple[int, int]]) -> int:
    """Sum the fine metal of weights, each with its fineness in tenths of a per mille. Rounds only the sum, half up."""
    exact = sum(mg * fineness for mg, fineness in mg_by_fineness)
    return int((Decimal(exact) / PURE).quantize(Decimal(1), ROUND_HALF_UP))


def shared(mg: int, weights: Sequence[int]) -> list[int]:
    """Divide whole milligrams in proportion to `weights`, such as pieces, by largest remainder.

    Of equal remainders, the last one counts as the largest. If all weights are 0, the last share takes all.
    """
    if not weights:
        return []
    total = sum(weights)
    if not total:
        return [*[0] * (len(weights) - 1), mg]
    shares = [mg * one // total for one in weights]
    by_remainder = sorted(range(len(weights)), key=lambda place: (mg * weights[place] % total, place), reverse=True)
    for place in by_remainder[: mg - sum(shares)]:
        shares[place] += 1
    return shares


@dataclass(frozen=True)
class Weights:
    """The weights of a movement, in milligrams. `mg` None: nothing was weighed.

    `other`: stones and enamel within `mg`. `scrap`: metal that went to the scrap box. `added`: solder and findings from
    the vault. `added_alloy_id`: the alloy of `added`; None: the product's alloy. `lot_id`: the lot that metal from the
    vault is taken from; None: the oldest. `tray_id`: the tray that `mg` was weighed with. `why`: the reason why the
    weight differs. `selectors.looked_up` sets `lot_alloy_id` and `tare`, and subtracts the tray from `mg`.
    """

    mg: int | None = None
    other: int = 0
    scrap: int = 0
    added: int = 0
    why: str = ""
    added_alloy_id: int | None = None
    lot_id: int | None = None
    tray_id: int | None = None
    lot_alloy_id: int | None = None
    tare: int = 0

    @property
    def weighed(self) -> bool:
        return self.mg is not None

    @property
    def metal(self) -> int:
        """The weight of the metal alone, without stones and enamel."""
        return (self.mg or 0) - self.other

    def shares(self, by: Sequence[int]) -> "list[Weights]":
        """Share the weights in proportion to `by`, such as pieces. Returns one share for each number."""
        if self.mg is None:
            return [self] * len(by)
        columns = (shared(one, by) for one in (self.metal, self.other, self.scrap, self.added))
        return [
            replace(self, mg=metal + other, other=other, scrap=scrap, added=added, tare=0)
            for metal, other, scrap, added in zip(*columns, strict=True)
        ]


NOT_WEIGHED = Weights()


@dataclass(frozen=True)
class WeighedLater:
    """The weights of a record, in milligrams, that a person enters afterwards. None keeps the stored weight.

    `other`: stones within each given weight. `added_alloy_id`: the alloy of `added`; None: the product's.
    """

    mg_in: int | None
    mg_out: int | None
    other: int | None
    scrap: int | None
    why: str
    added: int | None = None
    added_alloy_id: int | None = None


def loss(mg_in: int | None, mg_out: int | None, *, scrap: int = 0, added: int = 0) -> int | None:
    """Return what a record lost: in + added − out − scrap. None unless both ends were weighed."""
    return None if mg_in is None or mg_out is None else mg_in + added - mg_out - scrap


def loss_per_mille(loss_mg: int, weighed_in: int) -> Decimal:
    """Return the loss in per mille of `weighed_in`, with one decimal. 0 if nothing was weighed in."""
    if weighed_in <= 0:
        return Decimal(0)
    return (Decimal(loss_mg) * 1_000 / weighed_in).quantize(Decimal("0.1"), ROUND_HALF_UP)


def is_above(loss_mg: int, weighed_in: int, allowed: Decimal | None) -> bool:
    """Whether a loss is above the allowance, in per mille of `weighed_in`. Nothing is rounded."""
    return allowed is not None and weighed_in > 0 and loss_mg * 1_000 > allowed * weighed_in


ASKS_FROM_MG = 5_000
"""A loss at a closing, or more metal than expected at an entry, is never asked about up to this many milligrams."""


def allowed_mg(allowed: Decimal | None, received_mg: int) -> int:
    """Return how many of the received milligrams a process may lose. `allowed`: per mille; None allows nothing."""
    return int((allowed * received_mg / 1_000).to_integral_value(ROUND_HALF_UP)) if allowed else 0


def is_far(*, difference_mg: int, loss_mg: int, allowed: int, step: int) -> bool:
    """Say whether a count is so far from the books that it may be a typing error.

    True if more metal and dust was weighed than expected, by more than two steps of the scale. Also true if the loss is
    above `ASKS_FROM_MG` and above twice the `allowed` milligrams.
    """
    return difference_mg < -2 * step or (loss_mg > ASKS_FROM_MG and loss_mg > 2 * allowed)


def check_weights(weights: Weights, *, weighs: bool, required: bool, alloy: bool, process: str) -> None:
    """Check the weights of a movement. Raises `GramsRequired`, and `InvalidFields` for grams that are not allowed here.

    `weighs`: the process weighs pieces. `required`: the movement needs grams. `alloy`: the product has an alloy.
    """
    if weights == NOT_WEIGHED:
        if required:
            raise GramsRequired(process=process)
        return
    if not weights.weighed:
        raise InvalidFields.of("grams", "grams_first")
    if not weighs:
        raise InvalidFields.of("grams", "not_weighed")
    if not alloy:
        raise InvalidFields.of("grams", "no_alloy")
    if weights.other >= (weights.mg or 0):
        raise InvalidFields.of("otherGrams", "heavier_than_all")
    if weights.added_alloy_id is not None and weights.added > weights.metal:
        raise InvalidFields.of("addedGrams", "more_than_leaves")


def check_not_heavier(
    leaving: int, entered: int, *, step: int, why: str, added: int = 0, inside: int | None = None
) -> None:
    """Raise `GramsHeavier` if more metal leaves than `inside` plus `added`, unless `why` explains it.

    `entered`: what the leaving pieces weighed at their entry. `inside`: the most that they may weigh; None: `entered`.
    A scale shows weights in steps, so a difference of two steps is allowed.
    """
    limit = (entered if inside is None else inside) + added
    if leaving > limit + 2 * step and not why:
        grams, came, more, most = (float(to_grams(mg)) for mg in (leaving, entered, added, limit))
        raise GramsHeavier(side="out", grams=grams, entered=came, added=more, limit=most)


def check_expected(mg: int, expected: int, *, side: str, why: str) -> None:
    """Raise `GramsHeavier` if pieces enter with far more metal than is expected of them, unless `why` explains it.

    Far more: more than twice `expected`, and more than `ASKS_FROM_MG` above it. `side`: as in `GramsHeavier`.
    `expected` is 0 for pieces that were never weighed; they are not checked.
    """
    if expected > 0 and mg > 2 * expected and mg - expected > ASKS_FROM_MG and not why:
        raise GramsHeavier(side=side, grams=float(to_grams(mg)), limit=float(to_grams(expected)))


@dataclass
class _Group:
    """Pieces of a line that have been through the same processes, and their metal.

    `solder`: their metal of other alloys than the product's, by alloy id.
    """

    passed: frozenset[int]
    pieces: int
    mg: int
    solder: Counter[int] = field(default_factory=Counter)

    def fit(self) -> None:
        """Take away solder that cannot be within the pieces, because they weigh less."""
        for alloy_id in list(self.solder):
            self.solder[alloy_id] = max(0, self.solder[alloy_id] + min(0, self.own_mg))

    @property
    def own_mg(self) -> int:
        """The metal of the product's alloy."""
        return self.mg - self.solder.total()

    def part(self, pieces: int) -> "_Group":
        """Take some of the pieces out of the group, with their share of the metal. Returns them as a new group."""
        mg = self.mg * pieces // self.pieces
        solder = Counter({alloy_id: of * pieces // self.pieces for alloy_id, of in self.solder.items()})
        self.pieces -= pieces
        self.mg -= mg
        self.solder -= solder
        return _Group(self.passed, pieces, mg, solder)


class WeighedPieces:
    """The pieces of a line that were weighed before: what they have been through, and their metal by the books.

    Pieces have no identity. A process takes only pieces that have not been through it, first those that have been
    through the most processes. `stay`: an id for the pieces that are inside a process together. Weights are in
    milligrams.
    """

    def __init__(self) -> None:
        self._outside: dict[frozenset[int], _Group] = {}
        self._inside: dict[int, list[_Group]] = {}
        self._weighed: set[int] = set()
        """The stays with metal that is no longer on the line's account."""

    @property
    def mg(self) -> int:
        """The metal of the product's alloy on the line's account that belongs to these pieces."""
        waiting = (groups for stay, groups in self._inside.items() if stay not in self._weighed)
        return sum(group.own_mg for group in chain(self._outside.values(), *waiting))

    @property
    def solders(self) -> set[int]:
        """The other alloys that are within the pieces."""
        return {one for group in chain(self._outside.values(), *self._inside.values()) for one in group.solder}

    def solder_of(self, stay: int) -> Counter[int]:
        """Return the metal of other alloys within the pieces of a stay, by alloy id."""
        return _solder(self._inside.get(stay, []))

    def enter(self, stay: int, process: int, pieces: int) -> None:
        """Let pieces enter a process. Their metal stays on the line's account until `weigh` takes it."""
        able = [group for group in self._outside.values() if process not in group.passed]
        self._weighed.discard(stay)
        self._inside[stay] = _first(sorted(able, key=lambda group: len(group.passed), reverse=True), pieces)

    def compared(self, stay: int, pieces: int, mg: int) -> tuple[int, int]:
        """Return the part of `mg` that belongs to the pieces weighed before, and what they weighed then.

        `pieces` and `mg`: all pieces of the stay, and their metal.
        """
        groups = self._inside.get(stay, [])
        known = sum(group.pieces for group in groups)
        of_known = shared(mg, [known, pieces - known])[0] if known else 0
        return of_known, sum(group.mg for group in groups)

    def weigh(self, stay: int, pieces: int, mg: int, *, at_entry: bool) -> tuple[int, int]:
        """Weigh the pieces of a stay, and take their metal off the line's account.

        Returns the metal to issue for pieces that were not weighed before, and by how much the other pieces differ from
        the books. `at_entry`: if the pieces weigh more or less than their share of a group, the rest of the group,
        which is still outside, gives or keeps the difference.
        """
        groups = self._inside.setdefault(stay, [])
        known = sum(group.pieces for group in groups)
        of_known, by_books = self.compared(stay, pieces, mg)
        of_new, more = mg - of_known, of_known - by_books
        waited_with = self._outside.get(groups[-1].passed) if groups and at_entry else None
        if waited_with is not None and waited_with.pieces:
            given = min(more, waited_with.mg)
            waited_with.mg -= given
            groups[-1].mg += given
            more -= given
        if pieces > known:
            groups.append(_Group(frozenset(), pieces - known, of_new))
        self._weighed.add(stay)
        return of_new, more

    def metal_of(self, stay: int, pieces: int) -> int:
        """Return the metal of `pieces` pieces of a stay. 0 if `weigh` has taken it off the line's account."""
        groups = [] if stay in self._weighed else self._inside.get(stay, [])
        known = sum(group.pieces for group in groups)
        return sum(group.mg for group in groups) * min(pieces, known) // known if known else 0

    def leave(
        self, stay: int, process: int | None, pieces: int, mg: int | None, added: Mapping[int, int] | None = None
    ) -> Counter[int]:
        """Let pieces of a stay leave. Returns the solder of other alloys within them, by alloy id.

        `process`: the process that they have been through; None: they go back without it. `mg`: their metal; None if it
        was weighed neither now nor at the entry. `added`: the solder of other alloys that was added inside; `mg`
        includes it.
        """
        left = _first(self._inside.get(stay, []), pieces)
        if mg is not None:
            for group, own in zip(left, shared(mg, [group.mg for group in left]), strict=True):
                group.mg = own
        for alloy_id, more in (added or {}).items():
            for group, own in zip(left, shared(more, [group.pieces for group in left]), strict=True):
                group.solder[alloy_id] += own
        for group in left:
            group.fit()
            self._put(group, group.passed if process is None else group.passed | {process})
        return _solder(left)

    def scrap(self, stay: int, pieces: int) -> Counter[int]:
        """Let pieces of a stay leave for ever. Returns the solder within them, by alloy id."""
        return _solder(_first(self._inside.get(stay, []), pieces))

    def send_back(self, process: int, pieces: int) -> None:
        """Let pieces that have been through a process go through it again, wherever they are now."""
        outside = sorted(self._outside.values(), key=lambda group: len(group.passed))
        for back in _first([group for group in outside if process in group.passed], pieces):
            pieces -= back.pieces
            self._put(back, back.passed - {process})
        for groups in self._inside.values():
            for back in _first([group for group in groups if process in group.passed], pieces):
                pieces -= back.pieces
                groups.append(replace(back, passed=back.passed - {process}))

    def _put(self, group: _Group, passed: frozenset[int]) -> None:
        outside = self._outside.setdefault(passed, _Group(passed, 0, 0))
        outside.pieces += group.pieces
        outside.mg += group.mg
        outside.solder += group.solder


def _solder(groups: Iterable[_Group]) -> Counter[int]:
    """Add up the metal of other alloys within groups of pieces."""
    found: Counter[int] = Counter()
    for group in groups:
        found += group.solder
    return found


def by_alloy(mg: int, alloy_id: int, solder: Mapping[int, int]) -> list[tuple[int, int]]:
    """Divide a weight of pieces into alloys: their solder, and for the rest the product's alloy.

    Returns pairs of alloy id and milligrams, without zeros. Pieces that weigh less than their solder are all solder.
    """
    rest, parts = mg, []
    for other, of in solder.items():
        part = min(of, rest)
        parts.append((other, part))
        rest -= part
    return [(one, of) for one, of in [(alloy_id, rest), *parts] if of > 0]


def _first(groups: Iterable[_Group], pieces: int) -> list[_Group]:
    """Take the first pieces away from groups."""
    taken = []
    for group in groups:
        if part := min(pieces, group.pieces):
            taken.append(group.part(part))
            pieces -= part
    return taken
