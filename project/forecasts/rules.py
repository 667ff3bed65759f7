"""Raise the alert that a line is likely late, and take it back, without flapping. No database and no clock."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from project.orders.rules import DOUBTFUL, LIKELY_LATE

SURE_AFTER = timedelta(hours=1)
"""Two forecasts that are at least this far apart must agree before the alert is raised."""


@dataclass(frozen=True)
class Alert:
    """What is said of a line for its delivery date `due`.

    `doubtful_since`: since when each forecast has said that it will probably be late; None if the last one did not.
    """

    due: date | None = None
    doubtful_since: datetime | None = None
    likely_late: bool = False


def next_alert(before: Alert, *, due: date | None, late: float | None, at: datetime, today: date) -> Alert:
    """Return the alert after a forecast made at `at`. `late`: the chance that the line is late, None if not known.

    It is raised if the chance is at least `LIKELY_LATE` twice, an hour apart and without a lower one between, and taken
    back if it is below `DOUBTFUL`. With another delivery date it starts again. A line that is late already is no longer
    likely to be.
    """
    if late is None or due is None or due < today:
        return Alert(due=due)
    kept = before if before.due == due else Alert(due=due)
    if late < DOUBTFUL:
        return Alert(due=due)
    if kept.likely_late:
        return Alert(due=due, doubtful_since=kept.doubtful_since, likely_late=True)
    if late < LIKELY_LATE:
        return Alert(due=due)
    since = kept.doubtful_since
    # After the clock was set back the first forecast may lie ahead.
    if since is None or since > at:
        return Alert(due=due, doubtful_since=at)
    return Alert(due=due, doubtful_since=since, likely_late=at - since >= SURE_AFTER)
