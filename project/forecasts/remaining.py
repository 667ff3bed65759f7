"""How long a line still takes, as a distribution. Pure: no database and no clock. Times are seconds."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate
from math import exp, log

LEFT_OPEN = 1 / 3
"""The past may leave a part of the chance open. This share of that part counts as longer than all known times.

Then all chances are scaled up to 1.
"""
DAY = 86_400.0
FULL_SHIFT = 14 * DAY
"""A correction holds whole up to this time. Beyond it weakens: few outcomes that far ahead are known."""
SURE = 1e-9
"""Chances this near to 1 are certain: the sums of chances have rounding errors."""
BELOW_80 = 0.79
"""What is told instead of 80 % and more, up to the day of 80 %."""

Atom = tuple[float, float]
"""A time, and the chance that the line is done just then."""


class Remaining:
    """How long a line still takes: times after which it may be done, each with the chance that it is done by then."""

    def __init__(self, atoms: Iterable[Atom]) -> None:
        """Take atoms. Their chances add up to 1, or to less if the past leaves a part open."""
        ordered = sorted(atoms)
        sums = list(accumulate(chance for _, chance in ordered))
        whole = sums[-1] + LEFT_OPEN * max(0.0, 1.0 - sums[-1])
        self.times = [time for time, _ in ordered]
        self.chances = [chance / whole for chance in sums]

    def within(self, seconds: float) -> float:
        """Return the chance that the line is done within this time."""
        place = bisect_right(self.times, seconds)
        return min(1.0, self.chances[place - 1]) if place else 0.0

    def before(self, seconds: float) -> float:
        """Return the chance that the line is done earlier than this."""
        place = bisect_left(self.times, seconds)
        return min(1.0, self.chances[place - 1]) if place else 0.0

    def by_chance(self, chance: float) -> float:
        """Return the time within which the line is done with this chance, or the longest time that is known."""
        place = bisect_left(self.chances, chance - SURE)
        return self.times[min(place, len(self.times) - 1)]

    def corrected(self, shift: float, *, level: float) -> "Remaining":
        """Return a copy with the logit of each chance moved by `shift`, and with `level` as a chance of 80 %.

        No chance is below that of a shorter time.
        """
        found = Remaining.__new__(Remaining)
        found.times = self.times
        shifted = (shifted_chance(chance, time, shift) for time, chance in zip(self.times, self.chances, strict=True))
        found.chances = [calibrated(chance, level) for chance in accumulate(shifted, max)]
        return found


def logit(chance: float) -> float:
    return log(chance / (1.0 - chance))


def chance_of(logit: float) -> float:
    """Return the chance that has this logit."""
    return 1.0 / (1.0 + exp(-logit)) if logit >= 0 else exp(logit) / (1.0 + exp(logit))


def calibrated(chance: float, level: float) -> float:
    """Return the chance that is told. It is at least 80 % if `chance` is at least `level`, and below 80 % otherwise."""
    return max(chance, 0.8) if chance >= level - SURE else min(chance, BELOW_80)


def strength(time: float) -> float:
    """Return the factor, from 0 to 1, by which a correction's shift is multiplied at `time`."""
    return min(1.0, FULL_SHIFT / time) if time > 0 else 1.0


def shifted_chance(chance: float, time: float, shift: float) -> float:
    """Return the chance to be done by a time, its logit moved by `shift`. What is impossible or certain stays so."""
    if chance <= 0.0 or chance >= 1.0 - SURE:
        return chance
    return chance_of(logit(chance) + shift * strength(time))
