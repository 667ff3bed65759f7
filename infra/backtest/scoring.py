"""Score forecasts against what happened later.

Each open line is forecast every morning, only from what was known then, and corrected by what was known of the
forecasts of the mornings before. These functions are pure, like `project.forecasts.method`: no database and no clock.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Literal, NamedTuple

from project.forecasts.correction import LEARNS_FROM, Correction, Example, fitted, is_sampled
from project.forecasts.histories import LineHistory, State, known_at, visits_of
from project.forecasts.method import FEWEST, Past, Row, examples_at, forecast, kaplan_meier

DAY = 86_400.0
MORNING = 6 * 3_600.0
HORIZONS = (3, 7, 14, 28)
"""Days ahead. A forecast says how likely the line is done within each of them."""
BINS = (0.2, 0.4, 0.6, 0.8)
"""The chances at which one bin of forecasts ends and the next begins."""
ENOUGH = 20
"""A bin counts if it holds forecasts of at least this many lines."""
METHODS = (
    "the mean of the three, corrected",
    "base rate of finished lines",
    "base rate that counts open lines",
    "sum of the processes' medians",
)
FORECAST = METHODS[0]


Weight = Literal["forecast", "line"]
"""Each forecast weighs the same, as for who reads a list every morning; or each line, however long it was open."""
WEIGHTS: tuple[Weight, ...] = ("forecast", "line")


@dataclass
class Score:
    """The scores of one line. `errors`: the squared error of each morning, by method and horizon.

    `said`: for each forecast and horizon, the chance and whether the line was done by then. `kept80`: for each forecast
    that came out, whether the line was done by the day of 80 %. `reached80`: the same, without forecasts whose day of
    80 % lies beyond the end of the log. Of those days, only kept ones are known, so they make `kept80` too high.
    """

    errors: defaultdict[tuple[str, int], list[float]] = field(default_factory=lambda: defaultdict(list))
    said: list[tuple[float, bool]] = field(default_factory=list)
    kept80: list[bool] = field(default_factory=list)
    reached80: list[bool] = field(default_factory=list)


@dataclass(frozen=True)
class Bounds:
    """What a long log must keep. `kept80`: the share of kept days of 80 %. `off`: how far a bin may be off.

    `enough`: how many forecasts, or lines, a bin must hold to be judged.
    """

    kept80: tuple[float, float]
    off: float
    enough: int


BOUNDS: Mapping[Weight, Bounds] = {
    "forecast": Bounds((0.75, 0.85), 0.12, 100),
    "line": Bounds((0.72, 0.90), 0.15, 20),
}


@dataclass
class Result:
    """All scores, by the number of the line."""

    forecasts: int = 0
    lines: dict[int, Score] = field(default_factory=dict)

    def brier(self, method: str, horizon: int, by: Weight) -> float | None:
        """Return the Brier score, 0 for a perfect method; None if nothing was scored."""
        return _mean([score.errors[method, horizon] for score in self.lines.values()], by)

    def kept80(self, by: Weight) -> float | None:
        """Return how often lines were done by the day of 80 %, from 0 to 1; None if no forecast came out."""
        return _mean([score.kept80 for score in self.lines.values()], by)

    def reached80(self, by: Weight) -> float | None:
        """Return `kept80` without forecasts whose day of 80 % lies beyond the end of the log."""
        return _mean([score.reached80 for score in self.lines.values()], by)

    def bins(self, by: Weight) -> list["Bin"]:
        """Group the forecasts by their chance, lowest first. Empty bins are left out."""
        groups: defaultdict[int, list[tuple[float, bool, float]]] = defaultdict(list)
        lines: defaultdict[int, set[int]] = defaultdict(set)
        for line_id, score in self.lines.items():
            for chance, was in score.said:
                place = bisect_right(BINS, chance)
                groups[place].append((chance, was, 1.0 if by == "forecast" else 1 / len(score.said)))
                lines[place].add(line_id)
        return [_bin(group, len(lines[place])) for place, group in sorted(groups.items())]

    def judged(self, by: Weight) -> list["Bin"]:
        """Return the bins that hold enough forecasts, or lines, to be judged."""
        enough = BOUNDS[by].enough
        return [one for one in self.bins(by) if (one.said_times if by == "forecast" else one.lines) >= enough]

    def verdicts(self, by: Weight) -> list[tuple[str, bool]]:
        """Return each bound that a long log must keep, in words, and whether the bound holds."""
        found, bounds = [], BOUNDS[by]
        for base in METHODS[1:3]:
            for horizon in HORIZONS[1:]:
                own, other = self.brier(FORECAST, horizon, by), self.brier(base, horizon, by)
                if own is not None and other is not None:
                    found.append((f"Brier at {horizon} days is at most that of the {base}", own <= other))
        (least, most), kept = bounds.kept80, self.kept80(by)
        if kept is not None:
            text = f"the day of 80 % is kept by {100 * least:.0f} to {100 * most:.0f} % of the {by}s"
            found.append((text, least <= kept <= most))
        if counted := self.judged(by):
            text = f"each bin of {bounds.enough} {by}s or more is within {bounds.off}"
            found.append((text, all(abs(one.said - one.was) <= bounds.off for one in counted)))
        return found


def _mean(of_lines: Sequence[Sequence[float]], by: Weight) -> float | None:
    """Return the mean of all figures together, or of the means of the lines. None if there is no figure."""
    scored = [of_line for of_line in of_lines if of_line]
    if not scored:
        return None
    return fmean(one for of_line in scored for one in of_line) if by == "forecast" else fmean(map(fmean, scored))


@dataclass(frozen=True)
class Bin:
    """Forecasts with similar chances. `said`: the mean chance. `was`: the share that came true.

    `lines`: how many lines the forecasts are about. `said_times`: how many chances were said.
    """

    said: float
    was: float
    lines: int
    said_times: int


def _bin(group: Sequence[tuple[float, bool, float]], lines: int) -> Bin:
    weights = [weight for *_, weight in group]
    said, was = [chance for chance, *_ in group], [float(was) for _, was, _ in group]
    return Bin(fmean(said, weights), fmean(was, weights), lines, len(group))


def score(lines: Sequence[LineHistory]) -> Result:
    """Score every morning between the first movement of the log and the last one."""
    result = Result()
    if not lines:
        return result
    first = min(line.began for line in lines)
    last = max((move.at for line in lines for move in line.moves), default=first)
    truths = {line.id: _truth(line) for line in lines}
    examples: list[Example] = []
    morning = first // DAY * DAY + MORNING
    while morning <= last:
        known = known_at(lines, morning)
        _score_morning(known, truths, learned(examples, known, morning), morning, last, result)
        examples += examples_at(known, morning)
        morning += DAY
    return result


def learned(examples: Sequence[Example], known: Sequence[LineHistory], at: float) -> Correction:
    """Return a correction fitted to the forecasts of earlier mornings and to the lines that are done by `at`."""
    recent = [one for one in examples if one.at >= at - LEARNS_FROM]
    sample = [one for one in recent if is_sampled(one.line, one.at, of=len(recent))]
    return fitted(sample, {line.id: line.done for line in known if line.done is not None}, at)


class Truth(NamedTuple):
    """What the whole log says about a line. `done`: when the line was done, or None.

    `unfinished_until`: the last instant at which the line was surely unfinished, if its later state is unknown.
    """

    done: float | None
    unfinished_until: float | None


def _truth(line: LineHistory) -> Truth:
    """Return what became of a line. A line with nothing inside that does not count as done may be done or may wait."""
    is_inside = visits_of(line)[-1].state.where == "in"
    is_known = line.done is not None or is_inside or not line.moves
    return Truth(line.done, None if is_known else max(move.at for move in line.moves))


def _score_morning(
    known: Sequence[LineHistory],
    truths: Mapping[int, Truth],
    correction: Correction,
    morning: float,
    last: float,
    result: Result,
) -> None:
    past = Past(known, morning)
    if past.finished < FEWEST:
        return
    for line in known:
        if line.done is not None:
            continue
        made = forecast(past, line, correction)
        if made is None:
            continue
        truth = truths[line.id]
        left = None if truth.done is None else truth.done - morning
        # Score nothing beyond the end of the log: there only quick lines are known to be done.
        known_until = (truth.unfinished_until or last) - morning
        outcomes = {
            horizon: left is not None and left <= horizon * DAY for horizon in HORIZONS if horizon * DAY <= known_until
        }
        if not outcomes:
            continue
        result.forecasts += 1
        scored = result.lines.setdefault(line.id, Score())
        offered = made.remaining.by_chance(0.8)
        if offered <= known_until or left is not None:
            scored.kept80.append(left is not None and left <= offered)
        if offered <= known_until:
            scored.reached80.append(left is not None and left <= offered)
        bases = _bases(past, line)
        for horizon, was in outcomes.items():
            chances = {FORECAST: made.remaining.within(horizon * DAY)}
            chances |= {method: base.within(horizon * DAY) for method, base in bases.items()}
            scored.said.append((chances[FORECAST], was))
            for method, chance in chances.items():
                scored.errors[method, horizon].append((chance - was) ** 2)


@dataclass(frozen=True)
class Base:
    """The forecast of a method to compare with: the times at which the line may be done, each with its chance."""

    atoms: Sequence[tuple[float, float]]

    def within(self, seconds: float) -> float:
        return min(1.0, sum(chance for time, chance in self.atoms if time <= seconds))


def _bases(past: Past, line: LineHistory) -> dict[str, Base]:
    age = past.here(line).age
    as_old: list[Row] = [
        (one.lasted - age, one.is_done, 1.0) for one in past.wholes if one.line != line.id and one.lasted >= age
    ]
    finished = [row for row in as_old if row[1]]
    everything: list[Row] = [(one.lasted, True, 1.0) for one in past.wholes if one.is_done]
    return {
        METHODS[1]: Base(kaplan_meier(finished or everything)),
        METHODS[2]: Base(kaplan_meier(as_old or everything)),
        METHODS[3]: Base([(_sum_of_medians(past, line), 1.0)]),
    }


def _sum_of_medians(past: Past, line: LineHistory) -> float:
    """Return the sum of the median times in the processes ahead of the line, as a workshop would estimate by hand.

    The line is expected to go through the same processes as the last finished line of its product, else as the last
    finished line.
    """
    finished = sorted((one for one in past.lines.values() if one.done is not None), key=lambda one: one.done or 0.0)
    same = [one for one in finished if one.item == line.item] or finished
    way = {visit.state for visit in past.visits[same[-1].id] if visit.state.where == "in"}
    here = past.here(line)
    gone = _left_of(past, line)
    ahead = sum(_median_stay(past, state) for state in way - gone - {here.state})
    inside = max(0.0, _median_stay(past, here.state) - here.waited) if here.state.where == "in" else 0.0
    return inside + ahead


def _left_of(past: Past, line: LineHistory) -> set[State]:
    visits = past.visits.get(line.id, [])
    return {visit.state for visit in visits if visit.state.where == "in" and visit.end is not None}


def _median_stay(past: Past, state: State) -> float:
    lasted = [one for _, one in past.steps.get(state, ())]
    return median(lasted) if lasted else 0.0


def table(result: Result) -> Iterable[str]:
    """Yield the tables of both weights, as decision 14 shows them."""
    for by in WEIGHTS:
        yield from _table(result, by)


def _table(result: Result, by: Weight) -> Iterable[str]:
    days = " / ".join(map(str, HORIZONS))
    yield (
        f"| Brier at {days} days, every morning, {result.forecasts:,} forecasts, {len(result.lines)} lines, "
        f"each {by} weighs the same | |"
    )
    yield "|---|---|"
    for method in METHODS:
        figures = " / ".join(_figure(result.brier(method, horizon, by)) for horizon in HORIZONS)
        name, shown = (f"**{method}**", f"**{figures}**") if method == FORECAST else (method, figures)
        yield f"| {name} | {shown} |"
    yield ""
    yield "| Said | Was | Chances said | Lines |"
    yield "|---|---|---|---|"
    for one in result.bins(by):
        yield f"| {_figure(one.said)} | {_figure(one.was)} | {one.said_times} | {one.lines} |"
    kept, reached = result.kept80(by), result.reached80(by)
    if kept is not None:
        yield ""
        yield f"Done by the day that was forecast with 80 %: {100 * kept:.1f} % of the {by}s that came out." + (
            "" if reached is None else f" Where that day is in the log: {100 * reached:.1f} %."
        )
    verdicts = result.verdicts(by)
    yield ""
    yield from (f"{'holds' if holds else 'does NOT hold'}: {text}" for text, holds in verdicts)
    yield ""


def rows(result: Result) -> dict[str, str]:
    """Return the figures for the page of measurements, by label."""
    days, found = " / ".join(map(str, HORIZONS)), dict[str, str]()
    for by in WEIGHTS:
        of = f"{result.forecasts:,} forecasts of {len(result.lines)} lines, each {by} weighs the same"
        found[f"{of}: Brier at {days} days, beside the base rates of finished lines and of all"] = "; ".join(
            " / ".join(_figure(result.brier(method, horizon, by)) for horizon in HORIZONS) for method in METHODS[:3]
        )
        if (kept := result.kept80(by)) is not None:
            found[f"{of}: the day of 80 % is kept by"] = f"{100 * kept:.1f} %"
        judged = result.judged(by)
        if judged:
            worst = max(judged, key=lambda one: abs(one.said - one.was))
            found[f"{of}: the bin that is most off, said and was"] = f"{_figure(worst.said)}, {_figure(worst.was)}"
    return found


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}".removeprefix("0")
