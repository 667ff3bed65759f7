"""Sending mail."""

import logging

from django.core.mail import send_mail
from django.utils.translation import override

from project.core.texts import text

log = logging.getLogger(__name__)


def mail(to: str, *, language: str, subject: str, body: str, **params: str) -> None:
    """Mail one person. A failure is only logged, so that other people get their mail.

    `subject` and `body` are codes of texts. Line breaks in the subject become spaces, because a mail header must not
    contain them.
    """
    try:
        with override(language):
            send_mail(" ".join(text(subject, params).split()), text(body, params), None, [to])
    except Exception:  # server, address or header: go on with the next person
        log.exception("the mail %s could not be sent", body)
