"""Answer what a forecast rests on, how much sooner a line is done if it goes first, and which days are offered."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal

from django.db.models import F
from django.db.models.functions import Left

from project.core import clock
from project.core.schemas import LONGEST_NAME, Day, Instant, Out
from project.forecasts import method, selectors
from project.forecasts.correction import Correction
from project.forecasts.days import chance_by, day_after, days_of
from project.forecasts.histories import LineHistory, State
from project.forecasts.method import Past, Spent, Stay
from project.forecasts.models import KeptForecast
from project.orders.board import lines_on_board
from project.orders.documents import LineDocument
from project.orders.forecast import ForecastWhy, LineForecast, forecast_of
from project.orders.models import Line
from project.orders.rules import FINISHED
from project.orders.selectors import ShopProcess
from project.orders.situation import still_to_come
from project.orders.summaries import ways_of_lines

DAY = 86_400
MOST_LIKE = 12
MOST_SPENT = 8
MOST_DELAYED = 12

Where = Literal["start", "in", "out", "done"]


class LikeLineOut(Out):
    """A finished line that was in the same state for at least as long. `days`: how long it took from then on."""

    sales_order_id: int
    position: int
    customer_sales_order_id: str
    item_name: str
    item_name_english: str
    same_product: bool
    days: float
    done_at: Instant | None


class SpentOut(Out):
    """How many days similar lines spent in a state, on average.

    `where`: `start` before their first process, `in` inside the process, `out` after it, waiting for the next one.
    """

    where: Where
    production_process_id: int | None
    production_process_name: str
    days: float


class KeptForecastOut(Out):
    """The first forecast of a line on a day."""

    day: Day
    p50: Day
    p80: Day
    p90: Day
    due: Day | None
    on_time: float | None


class ForecastReasonsOut(Out):
    """What the forecast of a line rests on.

    `where` and the fields of the process: where the line is now. `days`: for how many days. `like`: at most 12 finished
    lines that were in the same state for at least as long, those of the same product first. `likeCount`: the number of
    all lines that were in that state for at least as long, finished or not. `spent`: where the finished ones spent
    their time after that. `finished`: how many finished lines the workshop can learn from. `needed`: how many a
    forecast needs. `kept`: the first forecast that was made on each day, the oldest day first.
    """

    forecast: LineForecast | None
    forecast_why: ForecastWhy | None
    where: Where
    production_process_id: int | None
    production_process_name: str
    days: float
    like_count: int
    like: list[LikeLineOut]
    spent: list[SpentOut]
    finished: int
    needed: int
    kept: list[KeptForecastOut]


class DelayedLineOut(Out):
    """A line that would wait longer if this line went first. `days`: how much longer."""

    sales_order_id: int
    position: int
    customer_sales_order_id: str
    item_name: str
    item_name_english: str
    delivery_date: Day | None
    forecast: LineForecast | None
    days: float


class GoesFirstOut(Out):
    """What happens if a line goes before all others from now on.

    `p50`, `p80`: the days by which the line is then done with a chance of 50 and 80 %; null if `forecastWhy` says why
    they are not known. `gainDays`: how many days sooner the line is done, with a chance of 80 %. `onTime`: the chance
    that the line is done by its delivery date. `delayed`: other lines that wait for the same processes, most delayed
    first, at most 12. `delayedCount`: the number of all these lines.
    """

    forecast_why: ForecastWhy | None
    p50: Day | None
    p80: Day | None
    gain_days: float
    on_time: float | None
    delayed: list[DelayedLineOut]
    delayed_count: int


class OfferedDaysOut(Out):
    """The days by which a new line of a product is done with a chance of 50, 80 and 90 %.

    The days are null if `why` says why there are none. `basis`: how many lines the days rest on.
    """

    item_id: int
    p50: Day | None
    p80: Day | None
    p90: Day | None
    basis: int
    why: ForecastWhy | None


def reasons(line: Line, processes: Sequence[ShopProcess], kept: Sequence[KeptForecast]) -> ForecastReasonsOut:
    """Return what the forecast of a line rests on. At most 4 queries, and 1 per 500 lines of the past."""
    past, history = _past_and(line)
    here, like = past.here(history), past.like(history)
    names = {process.id: process.name for process in processes}
    forecast, why = forecast_of(line)
    if line.status in FINISHED:
        like = []
    return ForecastReasonsOut(
        forecast=forecast,
        forecast_why=why,
        where=here.state.where,
        production_process_id=here.state.process or None,
        production_process_name=names.get(here.state.process, ""),
        days=round(here.waited / DAY, 4),
        like_count=len({stay.line for stay in like}),
        like=_like_lines(like, history.item, waited=here.waited),
        spent=[_spent(one, names) for one in method.where_they_were(past, like)[:MOST_SPENT]],
        finished=past.finished,
        needed=method.FEWEST,
        kept=[_kept(one) for one in kept],
    )


def goes_first(line: Line, processes: Sequence[ShopProcess]) -> GoesFirstOut:
    """Return how much sooner a line is done if it goes first, and which lines then wait longer.

    At most 10 queries, and 1 per 500 lines of the past.
    """
    if line.status in FINISHED:
        return _not_first("finished")
    past, history = _past_and(line)
    at = clock.now()
    made = method.forecast(past, history, selectors.correction_at(clock.day_of(at)))
    walked = method.goes_first(past, history)
    if made is None or walked is None:
        return _not_first("tooFewDone")
    if not made.rests_on_enough:
        return _not_first("tooFewLike")
    gain = walked.gain(0.8)
    due = line.delivery_date
    delayed = _delayed(line, past, processes)
    return GoesFirstOut(
        forecast_why=None,
        p50=day_after(made.remaining.by_chance(0.5), at=at, sooner=min(gain, walked.gain(0.5))),
        p80=day_after(made.remaining.by_chance(0.8), at=at, sooner=gain),
        gain_days=_days(min(gain, made.remaining.by_chance(0.8))),
        on_time=None if due is None else chance_by(made.remaining, due, at=at, sooner=gain),
        delayed=delayed[:MOST_DELAYED],
        delayed_count=len(delayed),
    )


def offered_days(items: Sequence[int]) -> list[OfferedDaysOut]:
    """Return the days that are offered for new lines of these products. 3 queries, and 1 per 500 lines of the past."""
    at = clock.now()
    past, correction = selectors.past_at(at), selectors.correction_at(clock.day_of(at))
    return [_offered(past, item, correction, at) for item in dict.fromkeys(items)]


def _offered(past: Past, item: int, correction: Correction, at: datetime) -> OfferedDaysOut:
    made = method.forecast(past, selectors.new_line(item), correction)
    if made is None or not made.rests_on_enough:
        why: ForecastWhy = "tooFewDone" if made is None else "tooFewLike"
        basis = past.finished if made is None else made.basis
        return OfferedDaysOut(item_id=item, p50=None, p80=None, p90=None, basis=basis, why=why)
    days = days_of(made.remaining, at=at)
    return OfferedDaysOut(item_id=item, p50=days.p50, p80=days.p80, p90=days.p90, basis=made.basis, why=None)


def _past_and(line: Line) -> tuple[Past, LineHistory]:
    """Return the past until now, and the history of this line. At most 3 queries, and 1 per 500 lines of the past."""
    lines = selectors.histories(unfinished=method.NEWEST)
    past = selectors.past_at(clock.now(), lines)
    found = next((one for one in lines if one.id == line.pk), None)
    return past, found or selectors.line_history(line)


def _not_first(why: ForecastWhy) -> GoesFirstOut:
    return GoesFirstOut(forecast_why=why, p50=None, p80=None, gain_days=0.0, on_time=None, delayed=[], delayed_count=0)


def _days(seconds: float) -> float:
    return round(seconds / DAY, 1)


def _kept(one: KeptForecast) -> KeptForecastOut:
    return KeptForecastOut(day=one.day, p50=one.p50, p80=one.p80, p90=one.p90, due=one.due, on_time=one.on_time)


def _spent(one: Spent, names: Mapping[int, str]) -> SpentOut:
    return SpentOut(
        where=one.state.where,
        production_process_id=one.state.process or None,
        production_process_name=names.get(one.state.process, ""),
        days=_days(one.seconds),
    )


def _like_lines(like: Iterable[Stay], item: int, *, waited: float) -> list[LikeLineOut]:
    """Return the finished lines among `like`: first those of the same product, in each group the newest first.

    At most `MOST_LIKE` lines. 1 query.
    """
    stays = {stay.line: stay for stay in like if stay.left is not None}
    ranked = sorted(stays.values(), key=lambda stay: (stay.item != item, -stay.begin))[:MOST_LIKE]
    ids = [stay.line for stay in ranked]
    rows = Line.objects.filter(pk__in=ids).annotate(
        po=F("order__customer_sales_order_id"),
        item_name=F("item__name"),
        english=Left("item__description_english", LONGEST_NAME),
    )
    named = {
        pk: (order, position, po, name, english, done)
        for pk, order, position, po, name, english, done in rows.values_list(
            "pk", "order_id", "position", "po", "item_name", "english", "done_at"
        )
    }
    found = []
    for stay in ranked:
        if stay.line not in named or stay.left is None:
            continue
        order, position, po, name, english, done = named[stay.line]
        found.append(
            LikeLineOut(
                sales_order_id=order,
                position=position,
                customer_sales_order_id=po,
                item_name=name,
                item_name_english=english,
                same_product=stay.item == item,
                days=_days(max(0.0, stay.left - waited)),
                done_at=done,
            )
        )
    return found


def _delayed(line: Line, past: Past, processes: Sequence[ShopProcess]) -> list[DelayedLineOut]:
    """Return the lines that wait for a process that this line still has to go through, most delayed first.

    The delay of a line is the usual stay in each of these processes. At most 6 queries.
    """
    ahead = _processes_ahead(line, processes)
    found = []
    for other in lines_on_board(list(processes)):
        if other.id == line.pk:
            continue
        overtaken = {pieces.production_process_id for pieces in other.waiting} & ahead
        longer = sum(method.typical_stay(past, State("in", process)) or 0.0 for process in overtaken)
        if longer > 0:
            found.append(_delayed_line(other, longer))
    return sorted(found, key=lambda one: (-one.days, one.sales_order_id, one.position))


def _processes_ahead(line: Line, processes: Sequence[ShopProcess]) -> set[int]:
    """Return the processes that pieces of this unfinished line have still to go through. 1 query."""
    way = ways_of_lines([line]).get(line.item_id)
    return {process.id for process in still_to_come(line, line.loaded_records, processes, way)}


def _delayed_line(other: LineDocument, longer: float) -> DelayedLineOut:
    return DelayedLineOut(
        sales_order_id=other.sales_order_id,
        position=other.position,
        customer_sales_order_id=other.customer_sales_order_id,
        item_name=other.item_name,
        item_name_english=other.item_name_english,
        delivery_date=other.delivery_date,
        forecast=other.forecast,
        days=_days(longer),
    )
