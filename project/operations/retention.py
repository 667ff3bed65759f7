"""Which backups stay: the newest of each of the last days, weeks and months, as `BACKUP_KEEP` says."""

import re
from collections.abc import Callable, Iterable
from datetime import date

from project.core import clock
from project.operations.places import made_at
from project.operations.sealed import BackupError

_PERIODS: dict[str, Callable[[date], object]] = {
    "daily": lambda day: day,
    "weekly": lambda day: day.isocalendar()[:2],
    "monthly": lambda day: (day.year, day.month),
    "yearly": lambda day: day.year,
}
LAST = "last"
_PART = re.compile(r"(\d{1,4}) ?(\w*)")

type Rule = dict[str, int]
"""How many of each kind."""


def rule_of(text: str) -> Rule:
    """`7 daily, 4 weekly, 12 monthly`; a number alone is that many of the last. Raises `BackupError`."""
    rule: Rule = {}
    for part in text.split(","):
        found = _PART.fullmatch(part.strip())
        kind = (found[2] or LAST) if found else ""
        if found is None or kind not in (LAST, *_PERIODS) or int(found[1]) < 1:
            raise BackupError(f"BACKUP_KEEP is like '7 daily, 4 weekly, 12 monthly' or '30', not {text!r}.")
        rule[kind] = int(found[1])
    return rule


def superfluous(names: Iterable[str], rule: Rule, *, good: str) -> list[str]:
    """The backups that may go, oldest first. `good` is one that was just proven: it stays whatever the rule says.

    A period counts where it has a backup, by the plant's days: after a month without one, the old ones are still there.
    """
    newest_first = sorted(names, reverse=True)
    kept = {good, *newest_first[: rule.get(LAST, 0)]}
    for kind, period in _PERIODS.items():
        newest_of: dict[object, str] = {}
        for name in newest_first:
            newest_of.setdefault(period(clock.day_of(made_at(name))), name)
        kept.update([*newest_of.values()][: rule.get(kind, 0)])
    return [name for name in reversed(newest_first) if name not in kept]
