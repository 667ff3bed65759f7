"""The weekly mail of a customer's link: sent on Mondays, if its content has changed since the last mail.

Another domain owns the links. It sets the mail address of a link with `mail_to` and removes it with `forget`. When the
process starts, it passes a function to `configure` that returns the content of a link's mail.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import override

from project.core import clock, sealing
from project.core.texts import text
from project.notices import stopping
from project.notices.digests import is_morning
from project.notices.mailing import MOST_REFUSED, Mail
from project.notices.models import LinkMail
from project.sending.loop import Result

log = logging.getLogger(__name__)

PURPOSE = b"obrador pages of links"


@dataclass(frozen=True)
class LinkContent:
    """The content of a weekly mail, in the customer's words and in the language asked for.

    `title`: the customer's name. `rows`: one for each line, such as "PO-1042 · Anillo liso: in production 3 of 8". The
    mail is sent only if the title or the rows differ from the last mail's.
    """

    title: str
    rows: tuple[str, ...]


type ContentOf = Callable[[int, str], LinkContent | None]
"""Returns the content of the mail of a link (its id) in a language; None if the link is revoked, expired or gone."""

_given: list[ContentOf] = []


def configure(content_of: ContentOf) -> None:
    """Set the function that returns the content of mails. Call it once, at the start. Without it no mail is sent."""
    _given[:] = [content_of]


def mail_to(*, link_id: int, address: str, language: str, page: str) -> None:
    """Mail the state of a link to this address each week, from the next Monday on. Call it in the link's transaction.

    `page`: the address of the link's page, which is stored sealed; empty keeps the stored one, if any. If a reader has
    stopped the mails, they stay stopped for the same address, but a new address gets mails.
    """
    row = LinkMail.objects.select_for_update().filter(link_id=link_id).first()
    if row is None or row.address != address:
        LinkMail.objects.filter(link_id=link_id).delete()
        row = LinkMail(link_id=link_id, address=address, page=row.page if row else "")
    row.language = language
    if page:
        row.page = _sealed(link_id, page)
    row.save()


def mail_of(link_id: int) -> LinkMail | None:
    """Return the row of a link's weekly mail; None if the link has no mail address."""
    return LinkMail.objects.filter(link_id=link_id).first()


def forget(link_id: int) -> None:
    """Send no more mails of a link. Call it if the link is revoked or deleted, or its mail address is removed."""
    LinkMail.objects.filter(link_id=link_id).delete()


def forget_addresses(addresses: Iterable[str]) -> None:
    """Send no more mails to these addresses, because their owners were erased. Ignores case."""
    wanted = {address.lower() for address in addresses if "@" in address}
    if wanted:
        LinkMail.objects.annotate(lower=Lower("address")).filter(lower__in=wanted).delete()


def mails_due() -> Iterator[Mail]:
    """Yield this week's mails that were not sent yet. 1 query if none is due."""
    today = clock.today()
    if not (_given and settings.MAIL_SERVER and today.weekday() == 0 and is_morning()):
        return
    for row in LinkMail.objects.filter(_not_yet(today), stopped_at=None, mail_refused__lt=MOST_REFUSED).order_by("pk"):
        if mail := _taken(row, today):
            yield mail


def _not_yet(monday: date) -> Q:
    return Q(sent_on=None) | Q(sent_on__lt=monday)


def _taken(row: LinkMail, monday: date) -> Mail | None:
    """Make the mail of one link; None if nothing has changed, or it was made already.

    The day is stored first, so that nobody gets two mails. It is reset if the mail may be sent later.
    """
    if not LinkMail.objects.filter(_not_yet(monday), pk=row.pk).update(sent_on=monday):
        return None
    try:
        content = _given[0](row.link_id, row.language)
    except Exception:  # one link must not prevent the mails of other links
        log.exception("the weekly mail of link %s could not be made", row.link_id)
        return None
    if content is None:
        forget(row.link_id)
        return None
    said = hashlib.sha256(json.dumps([content.title, content.rows]).encode()).hexdigest()
    return None if said == row.content else _mail(row, content, note=partial(_note, row, said))


def _note(row: LinkMail, said: str, result: Result) -> None:
    own = LinkMail.objects.filter(pk=row.pk)
    if result is Result.arrived:
        own.update(content=said, mail_refused=0)
    elif result is Result.refused:
        own.update(mail_refused=row.mail_refused + 1)
    else:
        own.update(sent_on=row.sent_on)


def _mail(row: LinkMail, content: LinkContent, *, note: Callable[[Result], None]) -> Mail:
    page = _unsealed(row)
    with override(row.language):
        subject = text("notices_link_subject", {"title": content.title})
        body = text(
            "notices_link_body", {"title": content.title, "rows": "\n".join(f"- {one}" for one in content.rows)}
        )
        if page:
            body += "\n\n" + text("notices_link_page", {"link": page})
    token = stopping.token_of(stopping.LINK, row.pk)  # another address has another row
    return Mail(row.address, row.language, subject, body, token, note=note)


def _sealed(link_id: int, page: str) -> str:
    return sealing.seal(page.encode(), keys=sealing.own_keys(PURPOSE), bound_to=b"%d" % link_id).hex()


def _unsealed(row: LinkMail) -> str:
    """Return the address of the link's page; empty if it is not stored, or the key that opens it is gone."""
    try:
        keys = sealing.own_keys(PURPOSE)
        return sealing.unseal(bytes.fromhex(row.page), keys=keys, bound_to=b"%d" % row.link_id).decode()
    except ValueError:
        return ""
