"""Arithmetic of grams: milligrams, fine metal, shares, and the loss of a weighing (infra/docs/rules.md#metal).

Uses no database and no clock.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
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


class GramsRequired(Refusal):
    """The process requires the weight of pieces that enter or leave."""

    status = 422
    code = "grams_required"


class GramsHeavier(Refusal):
    """More metal leaves than entered and was added: `grams` leave, and at most `limit` may leave."""

    status = 422
    code = "grams_heavier"


def fine_mg(mg_by_fineness: Sequence[tuple[int, int]]) -> int:
    """Sum the fine metal of weights, each with its fineness in tenths of a per mille. Rounds only the sum, half up."""
    exact = sum(mg * fineness for mg, fineness in mg_by_fineness)
    return int((Decimal(exact) / PURE).quantize(Decimal(1), ROUND_HALF_UP))


def shared(mg: int, weights: Sequence[int]) -> list[int]:
    """Share whole milligrams by `weights`, such as pieces, by largest remainder; of equal remainders the last one.

    If all weights are 0, the last share takes all.
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
    the vault. `why`: the reason why the weight differs.
    """

    mg: int | None = None
    other: int = 0
    scrap: int = 0
    added: int = 0
    why: str = ""

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
            Weights(metal + other, other, scrap, added, self.why)
            for metal, other, scrap, added in zip(*columns, strict=True)
        ]


NOT_WEIGHED = Weights()


@dataclass(frozen=True)
class WeighedLater:
    """The weights of a record, in milligrams, that a person enters afterwards. None keeps the stored weight.

    `other`: stones within each given weight.
    """

    mg_in: int | None
    mg_out: int | None
    other: int | None
    scrap: int | None
    why: str


def loss(mg_in: int | None, mg_out: int | None, *, scrap: int = 0, added: int = 0) -> int | None:
    """Return what a record lost: in + added − out − scrap. None unless both ends were weighed."""
    return None if mg_in is None or mg_out is None else mg_in + added - mg_out - scrap


def loss_per_mille(loss_mg: int, weighed_in: int) -> Decimal:
    """Return the loss in per mille of `weighed_in`, with one decimal. 0 if nothing was weighed in."""
    if weighed_in <= 0:
        return Decimal(0)
    return (Decimal(loss_mg) * 1_000 / weighed_in).quantize(Decimal("0.1"), ROUND_HALF_UP)


ASKS_FROM_MG = 5_000
"""A loss at a closing up to this many milligrams is never asked about."""


def allowed_mg(allowed: Decimal | None, received_mg: int) -> int:
    """Return the milligrams that a process may lose of what was received. `allowed`: per mille; None allows nothing."""
    return int((allowed * received_mg / 1_000).to_integral_value(ROUND_HALF_UP)) if allowed else 0


def is_far(*, difference_mg: int, loss_mg: int, allowed: int, step: int) -> bool:
    """Say whether a count is so far from the books that it may be a typing error.

    It is if more metal and dust was weighed than expected, by more than two steps of the scale. It is also if the loss
    is above `ASKS_FROM_MG` and above twice the `allowed` milligrams.
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


def check_not_heavier(leaving: int, entered: int, *, step: int, why: str) -> None:
    """Raise `GramsHeavier` if more metal leaves than entered and was added, unless `why` explains it.

    A scale shows weights in steps, so a difference of two steps is allowed.
    """
    limit = entered + 2 * step
    if leaving > limit and not why:
        raise GramsHeavier(grams=float(to_grams(leaving)), limit=float(to_grams(limit)))


@dataclass(frozen=True)
class AtLine:
    """What a line's own account holds: `mg` milligrams of metal, in `pieces` that were weighed before."""

    mg: int
    pieces: int

    def expected(self, entering: int) -> tuple[int, int]:
        """Return how many of the `entering` pieces were weighed before, and their milligrams by the books."""
        known = min(entering, self.pieces)
        if not known:
            return 0, 0
        return known, self.mg if known == self.pieces else self.mg * known // self.pieces

    def weighed(self, entering: int, mg: int) -> tuple[int, int]:
        """Return the milligrams to issue to the line, and the difference from the last weighing.

        `entering` pieces weigh `mg` now. Pieces that were weighed before differ from the books by the second value.
        Metal is issued for pieces that were not weighed before, less the metal on the line's account that belongs to no
        piece.
        """
        known, expected = self.expected(entering)
        of_known, of_new = shared(mg, [known, entering - known])
        stray = self.mg if not self.pieces else 0
        return max(0, of_new - stray), of_known - expected if known else 0
