"""Makes up what was forecast for the demo's lines on earlier mornings, so that its reports have a past."""

import random
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from math import exp, log
from statistics import NormalDist

from django.db.models import Count

from project.core import clock
from project.forecasts.models import KeptForecast
from project.orders.models import Line
from project.orders.rules import Status

MORNING = time(7)
STEP = timedelta(hours=16)
"""How long an open line of the demo still takes for each process of its way."""
SPREAD = NormalDist(0, 0.3)
"""How far off forecasts are: the logarithm of the forecast time over the time that it took."""
HURRY = -0.12
"""Added to that logarithm: a forecast names a day, and a line that is done by its end has kept it."""
LIKE = 24
"""The number of like lines that each forecast rests on."""


def keep_forecasts(now: datetime) -> None:
    """Store forecasts of each line: one for each morning from its start to its end, or to yesterday. 2 queries."""
    lines = Line.objects.exclude(status__in=(Status.New, Status.Canceled)).order_by("pk")
    counted = lines.annotate(
        steps=Count("item__way", distinct=True), entered=Count("records__process", distinct=True)
    ).values_list("pk", "creation_date", "done_at", "delivery_date", "steps", "entered")
    chance = random.Random(2026)
    KeptForecast.objects.bulk_create(
        forecast
        for pk, began, done, due, steps, entered in counted
        for forecast in _of_line(pk, began, done or now + STEP * (1 + steps - entered), due, now, chance)
    )


def _of_line(
    line: int, began: datetime, end: datetime, due: date | None, now: datetime, chance: random.Random
) -> Iterator[KeptForecast]:
    """Yield the forecasts of one line. `end`: when it was done, or will be."""
    day = clock.day_of(began) + timedelta(days=1)
    while day < clock.day_of(now):
        at = datetime.combine(day, MORNING, tzinfo=clock.plant())
        if at >= end:
            return
        half = (end - at) * exp(HURRY + SPREAD.inv_cdf(chance.uniform(0.02, 0.98)))

        def by(share: float, at: datetime = at, half: timedelta = half) -> date:
            return clock.day_of(at + half * exp(SPREAD.inv_cdf(share)))

        in_time = None if due is None else (clock.end_of(due) - at) / half
        yield KeptForecast(
            line_id=line,
            day=day,
            made_at=at,
            p50=by(0.5),
            p80=by(0.8),
            p90=by(0.9),
            due=due,
            on_time=in_time and (round(SPREAD.cdf(log(in_time)), 2) if in_time > 0 else 0),
            basis=LIKE,
        )
        day += timedelta(days=1)
