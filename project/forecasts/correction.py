"""Correct forecasts by how earlier ones came out (infra/docs/rules.md#forecast).

Pure: no database and no clock. One logistic regression behind the three views of `method`: the logit of their mean is
the offset, and six coefficients move it by how long the line has waited, its age, its pieces, its progress, and whether
it is inside a process. A ridge draws the coefficients to nothing, so that few lines correct nothing. Then the chance
that is told as 80 % moves half way to the one that 80 % of the forecasts would have kept so far. Each line weighs the
same in both, however many mornings it was open: its mornings are not independent.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from random import Random
from statistics import fmean, pstdev
from typing import NamedTuple

from project.forecasts.remaining import DAY, Remaining, chance_of, logit, shifted_chance, strength

HORIZONS = (1, 3, 7, 14, 28)
"""Days ahead. An earlier forecast teaches whether the line was done within each of them, once that is over."""
RIDGE = 0.5
"""The pull of each coefficient to nothing, in lines: as strong as the outcome of half a line."""
STEPS, CLOSE = 25, 1e-4
"""Newton's method takes at most this many steps, and stops when a step is as small as `CLOSE`."""
DOUBT = 0.05
"""Offsets count as at least this far from impossible and certain: to be sure and wrong is only one outcome."""
LOWEST, HIGHEST = 0.65, 0.9
"""The level that would have kept 80 % is looked for between these. P80 lies between P50 and P90."""
FEWEST_LINES = 8
"""The level stays at 80 % before forecasts of this many lines came out."""
LEARNS_FROM = 180 * DAY
"""Only forecasts of this time teach, and at most about `MOST_EXAMPLES` of them, chosen by chance."""
MOST_EXAMPLES = 1_000


class Traits(NamedTuple):
    """What a correction knows of a line at an instant. `waited` and `age`: seconds. `pieces`: None if not known yet.

    `progress`: the share of its usual processes that the line has been through, from 0 to 1.
    """

    waited: float
    age: float
    pieces: int | None
    progress: float
    is_inside: bool

    def values(self) -> tuple[float | None, ...]:
        return (
            log(1.0 + self.waited / DAY),
            log(1.0 + self.age / DAY),
            None if self.pieces is None else log(max(1, self.pieces)),
            self.progress,
            float(self.is_inside),
        )


@dataclass(frozen=True)
class Example:
    """An earlier forecast of a line, before any correction. `at`: when it was made."""

    line: int
    at: float
    remaining: Remaining
    traits: Traits


@dataclass(frozen=True)
class Correction:
    """A fitted correction. `coefficients`: the intercept, then one for each value of the traits.

    `means` and `spreads`: the mean and the standard deviation of each value in the examples; an unknown value counts as
    the mean. Without coefficients it corrects nothing. `level`: the computed chance that is told as 80 %.
    """

    coefficients: tuple[float, ...] = ()
    means: tuple[float, ...] = ()
    spreads: tuple[float, ...] = ()
    level: float = 0.8

    def shift(self, traits: Traits) -> float:
        return _dot(self.coefficients, self._row(traits)) if self.coefficients else 0.0

    def corrected(self, remaining: Remaining, traits: Traits) -> Remaining:
        return remaining.corrected(self.shift(traits), level=self.level) if self.coefficients else remaining

    def _row(self, traits: Traits) -> list[float]:
        return [1.0, *_standard(traits, self.means, self.spreads)]


NOTHING = Correction()

Row = tuple[float, list[float], bool, float]
"""An outcome: the offset, the values, whether the line was done, and the weight."""


def fitted(examples: Sequence[Example], done: Mapping[int, float], at: float) -> Correction:
    """Fit a correction to what is known at an instant. `done`: line → when it was done, of the lines that are done."""
    rows: list[Row] = []
    counts = Counter(example.line for example in examples)
    values = [example.traits.values() for example in examples]
    known = [[value for value in of_trait if value is not None] or [0.0] for of_trait in zip(*values, strict=True)]
    means, spreads = tuple(map(fmean, known)), tuple(pstdev(of_trait) or 1.0 for of_trait in known)
    for example in examples:
        standard = [1.0, *_standard(example.traits, means, spreads)]
        weight = 1 / counts[example.line] / len(HORIZONS)
        for horizon in HORIZONS:
            time = horizon * DAY
            if example.at + time <= at:
                offset = logit(min(1.0 - DOUBT, max(DOUBT, example.remaining.within(time))))
                was = done.get(example.line, at + 1.0) <= example.at + time
                rows.append((offset, [value * strength(time) for value in standard], was, weight))
    if not rows:
        return NOTHING
    coefficients = _newton(rows)
    correction = Correction(tuple(coefficients), means, spreads)
    return Correction(tuple(coefficients), means, spreads, level=_level(examples, counts, correction, done, at))


def _standard(traits: Traits, means: Sequence[float], spreads: Sequence[float]) -> list[float]:
    """Return the values as distances from their means, in spreads."""
    return [
        0.0 if value is None else (value - mean) / spread
        for value, mean, spread in zip(traits.values(), means, spreads, strict=True)
    ]


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _newton(rows: Sequence[Row]) -> list[float]:
    """Return the coefficients of the logistic regression with a ridge."""
    size = len(rows[0][1])
    found = [0.0] * size
    for _ in range(STEPS):
        slope = [-RIDGE * one for one in found]
        bend = [[RIDGE * (row == column) for column in range(size)] for row in range(size)]
        for offset, values, was, weight in rows:
            chance = chance_of(offset + _dot(found, values))
            off, curved = weight * (was - chance), weight * chance * (1.0 - chance)
            for row, value in enumerate(values):
                slope[row] += off * value
                bent, part = bend[row], curved * value
                for column in range(row + 1):
                    bent[column] += part * values[column]
        for row in range(size):
            for column in range(row):
                bend[column][row] = bend[row][column]
        step = _solved(bend, slope)
        found = [one + more for one, more in zip(found, step, strict=True)]
        if max(map(abs, step)) < CLOSE:
            break
    return found


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a system of equations with a symmetric, positive definite matrix by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for pivot in range(size):
        for below in range(pivot + 1, size):
            factor = rows[below][pivot] / rows[pivot][pivot]
            rows[below] = [one - factor * other for one, other in zip(rows[below], rows[pivot], strict=True)]
    found = [0.0] * size
    for row in reversed(range(size)):
        rest = sum(rows[row][column] * found[column] for column in range(row + 1, size))
        found[row] = (rows[row][size] - rest) / rows[row][row]
    return found


def _level(
    examples: Sequence[Example],
    counts: Mapping[int, int],
    correction: Correction,
    done: Mapping[int, float],
    at: float,
) -> float:
    """Return the level half way between 80 % and the one whose days 80 % of the forecasts would have kept.

    A forecast that is not over yet, because the line is open and its day has not passed, counts neither way.
    """
    reached = []
    for example in examples:
        is_done = example.line in done
        took = done.get(example.line, at) - example.at
        shift = correction.shift(example.traits)
        chance = shifted_chance(example.remaining.before(took), took, shift)
        reached.append((chance, is_done, 1 / counts[example.line]))
    if (
        len({example.line for example, (*_, is_done, _) in zip(examples, reached, strict=True) if is_done})
        < FEWEST_LINES
    ):
        return 0.8
    level = LOWEST
    while level < HIGHEST:
        kept = sum(weight for chance, is_done, weight in reached if is_done and chance < level)
        missed = sum(weight for chance, _, weight in reached if chance >= level)
        if kept >= 0.8 * (kept + missed):
            break
        level += 0.01
    return (0.8 + min(level, HIGHEST)) / 2


def is_sampled(line: int, at: float, *, of: int) -> bool:
    """Say whether a forecast is in the sample: about `MOST_EXAMPLES` of `of`, the same ones each time."""
    return of <= MOST_EXAMPLES or Random(f"{line} {at}").random() < MOST_EXAMPLES / of
