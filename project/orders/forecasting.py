"""Store the forecasts that `project.forecasts` made, and publish the lines with a changed forecast.

No line is locked, so a movement never waits for a forecast.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from project.orders import events as live, rules
from project.orders.events import LineForecastChanged
from project.orders.forecast import loaded_forecast
from project.orders.models import Forecast, Line
from project.orders.rules import FINISHED, MAY_BE_ENTERED
from project.orders.selectors import light_records_of, line_rows_of, processes_for
from project.orders.summaries import summaries_of
from realtime import outbox

_COLUMNS = [field.name for field in Forecast._meta.concrete_fields if not field.primary_key]


@transaction.atomic
def forecasts_store(made: Mapping[int, Forecast]) -> list[int]:
    """Store the forecasts of lines, by line id, and publish the lines for which the shown forecast changed.

    Lines that are finished or deleted by now are left out. Returns the ids of the other lines. At most 9 queries for
    any number of lines.
    """
    lines = [line for line in line_rows_of(made) if line.status not in FINISHED]
    changed = [line for line in lines if _shown(loaded_forecast(line)) != _shown(made[line.pk])]
    of_staff = {line.pk for line in changed if _days(loaded_forecast(line)) == _days(made[line.pk])}
    Forecast.objects.bulk_create(
        [made[line.pk] for line in lines], update_conflicts=True, unique_fields=["line"], update_fields=_COLUMNS
    )
    if changed:
        records = light_records_of([line.pk for line in changed])
        processes = processes_for()
        summaries = summaries_of(
            {line.order_id for line in changed},
            items={line.item_id for line in changed if line.status in MAY_BE_ENTERED},
        )
        for line in changed:
            line.forecast = made[line.pk]
        events = [
            LineForecastChanged(
                data=live.line_data(line, records[line.pk], processes=processes, summaries=summaries),
                of_staff=line.pk in of_staff,
            )
            for line in sorted(changed, key=lambda line: line.pk)
        ]
        outbox.publish_all(events, by=None)
    return [line.pk for line in lines]


def _shown(forecast: Forecast | None) -> tuple[Any, ...] | None:
    """Return the parts of a forecast that screens show or the bell follows, and the delivery date it was made for."""
    if forecast is None:
        return None
    late = forecast.late_percent
    risk = (late >= 0, late >= rules.DOUBTFUL_PERCENT, late >= rules.LIKELY_LATE_PERCENT)
    return *_days(forecast), forecast.due, risk, forecast.likely_late


def _days(forecast: Forecast | None) -> tuple[Any, ...]:
    """Return the parts of a forecast that customers' accounts are shown."""
    return (forecast.p10, forecast.p50, forecast.p80, forecast.p90, forecast.why) if forecast else ()


def forecasts_forget() -> None:
    """Delete the forecasts of lines that are finished or gone."""
    unfinished = Line.objects.filter(pk=OuterRef("line_id")).exclude(status__in=FINISHED)
    Forecast.objects.exclude(Exists(unfinished)).delete()
