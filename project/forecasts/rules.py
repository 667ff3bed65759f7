"""Raise the alert that a line is likely late, and take it back, without flapping. No database and no clock."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from project.orders.rules import LIKELY_LATE

SURE_AFTER = timedelta(hours=1)
"""Two forecasts that are at least this far apart must agree before the alert is raised."""
UNLIKELY = 0.4
"""Below this chance to be late the alert is taken back."""


@dataclass(frozen=True)
class Alert:
    """The alert of a line for its delivery date `due`.

    `doubtful_since`: since when each forecast has said that the line will probably be late; None if the last one did
    not say so. `likely_late`: whether the bell rings.
    """

    due: date | None = None
    doubtful_since: datetime | None = None
    likely_late: bool = False


def next_alert(before: Alert, *, due: date | None, late: float | None, at: datetime, today: date) -> Alert:
    """Return the alert after a forecast made at `at`. `late`: the chance that the line is late, None if not known.

    The alert is raised if `late` is at least `LIKELY_LATE` in two forecasts at least an hour apart, and in all
    forecasts between them. It is taken back if `late` is below `UNLIKELY`. Another delivery date starts it again. A
    line that is late already has no alert.
    """
    if late is None or due is None or due < today:
        return Alert(due=due)
    kept = before if before.due == due else Alert(due=due)
    if late < UNLIKELY:
        return Alert(due=due)
    if kept.likely_late:
        return Alert(due=due, doubtful_since=kept.doubtful_since, likely_late=True)
    if late < LIKELY_LATE:
        return Alert(due=due)
    since = kept.doubtful_since
    # If the clock was set back, `since` may be ahead.
    if since is None or since > at:
        return Alert(due=due, doubtful_since=at)
    return Alert(due=due, doubtful_since=since, likely_late=at - since >= SURE_AFTER)
