"""Makes up the last weeks of the demo workshop: thirty orders, as steps with their instants. Uses no database."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from project.demo.day import LEAVING_NOTES, LOST_IN, REWORK, SCRAPPED, STANDING_DAYS
from project.demo.goods import Product

Kind = Literal["new", "approved", "moving", "done", "canceled"]
HOUR = timedelta(hours=1)
BETWEEN_DONE = 10
"""Days between the ends of the done orders: the demo has a past of two months."""
LOSING, SPARE = 0.6, 5
"""How often a process that may lose pieces loses some, of lots of more than `SPARE` pieces."""


def _times(count: int, *kinds: Kind) -> list[tuple[Kind, ...]]:
    return [kinds] * count


# The kinds of each order's lines, oldest order first. Further lines of an order have the last kind.
ORDERS: tuple[tuple[Kind, ...], ...] = (
    *_times(5, "done"),
    *_times(1, "canceled"),
    *_times(7, "moving"),
    *_times(1, "moving", "done", "moving"),
    *_times(1, "moving", "canceled", "moving"),
    *_times(1, "moving", "approved"),
    *_times(1, "moving", "moving", "new"),
    *_times(1, "canceled"),
    *_times(4, "approved"),
    *_times(4, "approved", "new"),
    *_times(4, "new"),
)


@dataclass(frozen=True)
class Step:
    """A change of a line at an instant. `to`: a status, or the name of a process."""

    at: datetime
    what: Literal["status", "in", "out", "scrap", "release"]
    to: str
    quantity: int = 0
    notes: str = ""
    reason: str = ""


@dataclass
class LineStory:
    """A line and its steps, in order."""

    product: Product
    quantity: int
    kind: Kind
    steps: list[Step] = field(default_factory=list)


@dataclass
class OrderStory:
    """An order, created at `created` with the delivery date `delivery`."""

    number: int
    customer: int
    created: datetime
    delivery: date
    lines: list[LineStory]


def order_stories(products: Sequence[Product], *, customers: int, now: datetime, plant: ZoneInfo) -> list[OrderStory]:
    """Make up the orders, always the same for the same instant. The last steps are minutes old, so that the board shows
    activity."""
    chance = random.Random(2026)
    stages = _stages(chance)
    stories = [
        _order(number, kinds, products, customers, now, plant, stages, chance)
        for number, kinds in enumerate(ORDERS, start=1)
    ]
    for story in stories:
        story.created = working_hours(story.created, now, plant)
        for line in story.lines:
            line.steps = [replace(step, at=working_hours(step.at, now, plant)) for step in line.steps]
    return stories


def working_hours(instant: datetime, now: datetime, plant: ZoneInfo) -> datetime:
    """Move an instant of an earlier day into the hours from 7 to 19 of that day. Keeps the order of instants."""
    local = instant.astimezone(plant)
    if local.date() >= now.astimezone(plant).date():
        return instant
    midnight = datetime.combine(local.date(), time.min, tzinfo=plant)
    return midnight + 7 * HOUR + (local - midnight) / 2


def _stages(chance: random.Random) -> Iterator[float]:
    """Yield the progress of moving lines, from 0 to 0.9, spread evenly so that no lane of the board is empty."""
    while True:
        spread = [place / 10 for place in range(10)]
        chance.shuffle(spread)
        yield from spread


def _order(
    number: int,
    kinds: tuple[Kind, ...],
    products: Sequence[Product],
    customers: int,
    now: datetime,
    plant: ZoneInfo,
    stages: Iterator[float],
    chance: random.Random,
) -> OrderStory:
    count = max(len(kinds), chance.randint(1, 4))
    lines = []
    for place, product in enumerate(chance.sample(products, count)):
        kind = kinds[min(place, len(kinds) - 1)]
        quantity = chance.choice((6, 12, 18, 24, 30, 36, 48, 60, 100))
        line = LineStory(product, quantity, kind)
        line.steps = _movements(line, next(stages) if kind == "moving" else 1.0, number, chance)
        if place == 0 and number in SCRAPPED:
            reason, why = SCRAPPED[number]
            last = line.steps[-1]
            line.steps.append(Step(last.at + HOUR / 2, "scrap", last.to, 1, why, reason))
        lines.append(line)
    for place, line in enumerate(lines):
        if line.kind == "done":
            _shift(line, now - timedelta(days=3 + BETWEEN_DONE * max(0, 5 - number), hours=2 + 5 * place))
        else:
            days = STANDING_DAYS[(2 * number + place) % len(STANDING_DAYS)]
            _shift(line, now - timedelta(days=days, minutes=6 + (41 * number + 23 * place) % 400))
    first = min(
        (line.steps[0].at for line in lines if line.steps),
        default=now - timedelta(days=(len(ORDERS) - number) % 9, hours=3 + number % 5),
    )
    moving = any(line.kind == "moving" for line in lines)
    wanted = _wanted(number, moving=moving, done=all(line.kind == "done" for line in lines), chance=chance)
    if moving and number % 6 == 2:  # two orders are due before the week ends, on any day of the week
        wanted = timedelta(days=min(2, 6 - now.astimezone(plant).weekday()))
    created = min(first - timedelta(days=1 + number % 3, hours=5), now + wanted - timedelta(days=12))
    for line in lines:
        _decide(line, created, now, chance)
    delivery = (now.astimezone(plant) + wanted).date()
    return OrderStory(number, number % customers, created, delivery, lines)


def _wanted(number: int, *, moving: bool, done: bool, chance: random.Random) -> timedelta:
    """Return the time from now to the delivery date. A third of the moving orders are late."""
    if moving and number % 3 == 0:
        return -timedelta(days=chance.randint(1, 6))
    if done:
        return -timedelta(days=BETWEEN_DONE * max(0, 5 - number) + chance.randint(-3, 3))
    return timedelta(days=chance.randint(4, 35))


def _movements(line: LineStory, come: float, number: int, chance: random.Random) -> list[Step]:
    """Make up the movements of a moving or done line. They begin at an arbitrary instant, which `_shift` corrects."""
    if line.kind not in ("moving", "done"):
        return []
    route = line.product.route
    quantity, losses = line.quantity, random.Random(1_000 * number + int(line.product.key[3:]))
    passed = len(route) if line.kind == "done" else int(come * len(route))
    parts = number % 2 == 0 and line.quantity >= 12
    rework = passed - 2 if number % 4 == 1 and passed > 4 else None
    at = datetime.min.replace(year=2000, tzinfo=ZoneInfo("UTC"))
    steps: list[Step] = []
    for place, process in enumerate(route[:passed]):
        rounds = 2 if place == rework else 1
        for again in range(rounds):
            if again:
                at += HOUR
                reason, why = REWORK.get(process, ("other", ""))
                steps.append(Step(at, "release", process, notes=why, reason=reason))
                at += HOUR / 2
            stay = chance.uniform(1.5, 11) * HOUR
            first = quantity * 6 // 10 if parts and place % 2 else quantity
            steps.append(Step(at, "in", process, first))
            if first < quantity:
                steps.append(Step(at + stay * 0.4, "in", process, quantity - first))
                steps.append(Step(at + stay * 0.8, "out", process, first))
            left = quantity - first or quantity
            if rounds == 1 and left > SPARE and process in LOST_IN and losses.random() < LOSING:
                lost = losses.choice((1, 2, 2, 3))
                reason, why = losses.choice(LOST_IN[process])
                steps.append(Step(at + stay * 0.9, "scrap", process, lost, why, reason))
                quantity, left = quantity - lost, left - lost
            said = LEAVING_NOTES.get(process, "") if (number + place) % 4 == 0 else ""
            steps.append(Step(at + stay, "out", process, left, said))
            at += stay
        at += chance.uniform(0.3, 9) * HOUR
    waits = number % 5 == 3 and passed  # it left a process and has not entered the next one
    if line.kind == "moving" and not waits:
        inside = quantity * 6 // 10 if parts else quantity
        steps.append(Step(at, "in", route[passed], inside))
    return steps


def _shift(line: LineStory, last: datetime) -> None:
    """Move a line's steps in time so that the last one happens at `last`."""
    if line.steps:
        by = last - line.steps[-1].at
        line.steps = [replace(step, at=step.at + by) for step in line.steps]


def _decide(line: LineStory, created: datetime, now: datetime, chance: random.Random) -> None:
    """Add the changes of status: approved before the movements, done after them, or canceled instead."""
    decided = created + chance.uniform(1, 4) * HOUR
    if line.kind == "canceled":
        line.steps = [Step(min(decided + 20 * HOUR, now), "status", "Canceled")]
    elif line.kind != "new":
        line.steps.insert(0, Step(min(decided, now), "status", "Approved"))
    if line.kind == "done":
        line.steps.append(Step(line.steps[-1].at + HOUR, "status", "Done"))
