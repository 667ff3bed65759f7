"""Mails to people."""

import logging

from django.core.mail import send_mail
from django.utils.translation import override

from project.core.texts import text

log = logging.getLogger(__name__)


def mail(to: str, *, language: str, subject: str, body: str, **params: str) -> None:
    """Mail one person the texts `subject` and `body`. A failure is logged: nobody else loses their mail by it.

    The subject becomes one line: what it names may have been stored with line breaks, which a header refuses.
    """
    try:
        with override(language):
            send_mail(" ".join(text(subject, params).split()), text(body, params), None, [to])
    except Exception:  # of the server, of an address, of a header: whatever it is, the next person is mailed
        log.exception("the mail %s could not be sent", body)
