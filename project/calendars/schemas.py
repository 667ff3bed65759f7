"""Answers of a person's calendar."""

from project.core.schemas import Instant, Out


class CalendarOut(Out):
    """When the address of your calendar was made, and when a calendar last read it; both null without an address."""

    since: Instant | None
    used_at: Instant | None


class NewCalendarOut(CalendarOut):
    """A new address of your calendar. Nobody can read it again."""

    address: str
