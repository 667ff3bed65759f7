"""The morning's digest: one mail for each person who wants it, if it has any lines to report."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial

from django.conf import settings
from django.db.models import Q
from django.utils.translation import override

from project.access.token import acting_as
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.core.errors import Unauthenticated
from project.core.texts import named, text
from project.notices import selectors, stopping
from project.notices.composing import note_mailed
from project.notices.mailing import Mail
from project.notices.models import NoticeSettings
from project.notices.raising import line_path
from project.notices.selectors import Person
from project.notices.standing import Names, standing_text
from project.orders.presenters import line_rows
from project.orders.schemas import LineRowOut
from project.reports import today
from project.sending.loop import Result

log = logging.getLogger(__name__)

MORNING = timedelta(hours=5)
"""How long after DIGEST_HOUR digests are still sent, if the mail server or the worker was down."""
MOST_LINES, LEAST_LINES = 30, 5
"""Most lines of a digest. Each section has the least ones, the first sections also those that others leave."""
ORDER = ("late", "likely_late", "due_this_week", "to_approve", "to_bill")
LISTS = {
    "late": "/operations/orders?late=true",
    "likely_late": "/operations/orders?likelyLate=true",
    "due_this_week": "/operations/orders?dueThisWeek=true",
    "to_approve": "/operations/orders?status=New",
    "to_bill": "/reports/bills/new",
}
"""The page that shows all lines of a section."""


@dataclass(frozen=True)
class Section:
    """A part of a digest: the number of its lines, and the first ones."""

    count: int
    lines: list[LineRowOut]


def is_morning() -> bool:
    """Say whether digests are sent now: from DIGEST_HOUR on, for some hours."""
    local = clock.now().astimezone(clock.plant())
    begins = settings.DIGEST_HOUR
    return begins <= local.hour + local.minute / 60 < begins + MORNING.total_seconds() / 3_600


def mails_due() -> Iterator[Mail]:
    """Yield today's digest of each person who wants it and has not received it."""
    day = clock.today()
    if not settings.MAIL_SERVER or not is_morning() or not selectors.digests_due(day):
        return
    for person in selectors.people():
        if _gets_one(person, day) and (mail := _taken(person, day)):
            yield mail


def _gets_one(person: Person, day: date) -> bool:
    due = person.digest_on is None or person.digest_on < day
    return bool(person.sections) and due and person.takes_mail and person.of_everything


def _taken(person: Person, day: date) -> Mail | None:
    """Make a person's digest; None if it has nothing to say, or was made already.

    The day is stored first, so that nobody gets two digests. It is reset if the mail may be sent later.
    """
    row = NoticeSettings.objects.filter(user=person.id)
    if not row.filter(Q(digest_on=None) | Q(digest_on__lt=day)).update(digest_on=day):
        return None
    try:
        parts = sections_for(person)
    except Unauthenticated:  # locked a moment ago
        return None
    except Exception:  # one person must not keep the digests of the others
        log.exception("the digest of user %s could not be made", person.id)
        return None
    if not parts:
        return None
    subject, body = written(parts, person.language)
    token = stopping.token_of(stopping.DIGEST, person.id)
    return Mail(person.email, person.language, subject, body, token, note=partial(_note, person, day))


def _note(person: Person, day: date, result: Result) -> None:
    note_mailed(person, result)
    if result is Result.later:
        NoticeSettings.objects.filter(user=person.id, digest_on=day).update(digest_on=person.digest_on)


def sections_for(person: Person) -> dict[str, Section]:
    """Return the sections that a person wants and may read, without empty sections. Raises `Unauthenticated`."""
    by = acting_as(person.id)
    parts = today.parts(by, most=MOST_LINES)
    found = {name: parts[name] for name in ORDER if name in person.sections and name in parts and parts[name].count}
    room = MOST_LINES - sum(min(len(part.lines), LEAST_LINES) for part in found.values())
    chosen = {}
    for name, part in found.items():
        shown = min(len(part.lines), LEAST_LINES + room)
        room -= max(shown - LEAST_LINES, 0)
        chosen[name] = part.lines[:shown]
    rows = {
        row.id: row for row in line_rows([*{line.pk: line for some in chosen.values() for line in some}.values()], by)
    }
    return {name: Section(found[name].count, [rows[line.pk] for line in some]) for name, some in chosen.items()}


def written(parts: Mapping[str, Section], language: str) -> tuple[str, str]:
    """Return the subject and the body of a digest. 1 query, for the names of processes."""
    with override(language):
        names = {
            pk: named(name, english)
            for pk, name, english in ProductionProcess.objects.values_list("pk", "name", "name_english")
        }
        heads = {name: text(f"notices_section_{name}", {"count": part.count}) for name, part in parts.items()}
        subject = text("notices_digest_subject", {"said": " · ".join(heads.values())})
        sections = [_section(name, heads[name], part, names) for name, part in parts.items()]
        return subject, "\n\n".join([*sections, text("notices_digest_end")])


def _section(name: str, head: str, part: Section, names: Names) -> str:
    rows = [head, *_rows(part.lines, names)]
    if more := part.count - len(part.lines):
        rows.append(text("notices_digest_more", {"count": more, "link": f"{settings.PUBLIC_URL}/#{LISTS[name]}"}))
    return "\n".join(rows)


def _rows(lines: Iterable[LineRowOut], names: Names) -> Iterable[str]:
    """Yield three lines of text for each line of an order: what it is, where it is, and the address of its page."""
    for line in lines:
        product = named(line.item_name, line.item_name_english)
        said = f"{line.customer_sales_order_id} · {line.position} · {product} · {line.customer_name}"
        due = line.delivery_date
        yield f"- {said}" + (f" · {text('notices_digest_due', {'day': str(due)})}" if due else "")
        forecast = text("notices_digest_forecast", {"day": str(line.forecast.p80)}) if line.forecast else ""
        yield "  " + " · ".join(filter(None, (standing_text(line, names), forecast)))
        yield f"  {settings.PUBLIC_URL}/#{line_path(line.sales_order_id, line.position)}"
