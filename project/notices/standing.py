"""Says where a line is and how late, in the words of the screens (infra/docs/rules.md#standing). No query."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from project.core import clock
from project.core.texts import text
from project.orders.rules import Status
from project.orders.schemas import LineRowOut

Names = Mapping[int, str]
"""The name of each process, in the reader's language."""
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def standing_text(line: LineRowOut, names: Names) -> str:
    """Return where a line is and how many days it is late: `18 en Pulido desde hace 3 días, 6 días tarde`."""
    where, days = _where(line, names), line.standing.late_days
    return f"{where}, {_counted('standing_late', days)}" if days else where


def _where(line: LineRowOut, names: Names) -> str:
    match line.standing.kind:
        case "done" if not line.quantity_good:
            return text("standing_doneScrapped")
        case "done" if 0 < line.quantity_billed < line.quantity_good:
            counts = {"billed": f"{line.quantity_billed:,}", "quantity": f"{line.quantity_good:,}"}
            return text("standing_billedInPart", counts)
        case "done":
            return text("standing_done")
        case "scrapped":
            return text("standing_scrapped")
        case "closed":
            return text("standing_canceled" if line.status == Status.Canceled else "standing_invoiced")
        case "notStarted" if line.status == Status.New:
            return text("standing_new")
        case "notStarted" if line.waiting:
            return text("standing_notStartedFor", {"process": names[line.waiting[0].production_process_id]})
        case "notStarted":
            return text("standing_notStarted")
    if parts := [*_inside(line, names), *_waiting(line, names)]:
        return "; ".join(parts)
    return text("standing_throughAll" if line.standing.next_processes == [] else "standing_between")


def _inside(line: LineRowOut, names: Names) -> Iterator[str]:
    pieces: Counter[int] = Counter()
    ages: defaultdict[int, list[str]] = defaultdict(list)
    for one in line.inside:
        pieces[one.production_process_id] += one.quantity
        ages[one.production_process_id].append(_age(one.since))
    for process, count in pieces.items():
        said = {"pieces": f"{count:,}", "process": names[process], "age": ages[process][0]}
        yield text("standing_inside" if len(set(ages[process])) == 1 else "standing_insideFirst", said)


def _waiting(line: LineRowOut, names: Names) -> Iterator[str]:
    for one in line.waiting:
        said = {"pieces": f"{one.quantity:,}", "process": names[one.production_process_id]}
        if one.since is None:
            yield _counted("standing_waits", one.quantity, **said)
        else:
            yield _counted("standing_waitsSince", one.quantity, **said, age=_age(one.since))


def _age(since: datetime) -> str:
    """Return an age as people say it: minutes, hours up to two days, then days of the plant's calendar."""
    age = clock.now() - since
    if age < _MINUTE:
        return text("standing_age_moment")
    if age < _HOUR:
        return text("standing_age_minutes", {"count": age // _MINUTE})
    if age < 2 * _DAY:
        return text("standing_age_hours", {"count": age // _HOUR})
    return _counted("standing_age_days", (clock.today() - clock.day_of(since)).days)


def _counted(code: str, count: int, **said: str) -> str:
    return text(f"{code}_one" if count == 1 else f"{code}_other", {"count": count, **said})
