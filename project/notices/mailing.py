"""Sends mails that their readers can stop with one click (RFC 8058), and tells whether the mail server took a mail."""

import logging
import smtplib
from collections.abc import Iterable
from email.message import EmailMessage as StandardMessage
from email.policy import Policy, default
from enum import StrEnum

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils.translation import override

from project.core.texts import text

log = logging.getLogger(__name__)

MOST_REFUSED = 3
"""After so many refusals in a row no mail is sent to an address, until its owner changes their preferences."""
LONGEST_LINE = 900
"""The longest line of a header. A shorter limit would encode long addresses, and mail programs could not read them."""


class Mailed(StrEnum):
    """The outcome of a mail. `refused`: the mail server refused the address for good. `later`: try again later."""

    sent = "sent"
    refused = "refused"
    later = "later"


class _Whole(EmailMessage):
    """A mail with the addresses in its headers on one line each."""

    def message(self, *, policy: Policy | None = None) -> StandardMessage:
        return super().message(policy=(policy or default).clone(max_line_length=LONGEST_LINE))


def page_to_stop(token: str) -> str:
    """Return the address of the page on which a person stops these mails."""
    return f"{settings.PUBLIC_URL}/#/unsubscribe/{token}"


def send(to: str, *, language: str, subject: str, body: str, token: str) -> Mailed:
    """Send a mail with a footer that says how to stop such mails. `token`: from `stopping.token_of`. Raises nothing.

    Line breaks in the subject become spaces, because a mail header must not contain them.
    """
    headers = {
        "List-Unsubscribe": f"<{settings.PUBLIC_URL}/api/notices/unsubscribe/{token}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    with override(language):
        foot = text("notices_mail_foot", {"link": page_to_stop(token)})
    message = _Whole(" ".join(subject.split()), f"{body}\n\n-- \n{foot}\n", None, [to], headers=headers)
    try:
        message.send()
    except smtplib.SMTPRecipientsRefused as error:
        return _refused(code for code, _ in error.recipients.values())
    except smtplib.SMTPResponseException as error:
        log.warning("a notice could not be mailed: the mail server answered %s", error.smtp_code)
        return Mailed.later
    except ValueError:  # the address is not valid in a header
        log.exception("a notice cannot be mailed")
        return Mailed.refused
    except Exception:  # the server is down
        log.exception("a notice could not be mailed")
        return Mailed.later
    return Mailed.sent


def _refused(codes: Iterable[int]) -> Mailed:
    """Return `refused` if every code is a permanent one (5xx)."""
    for_good = all(500 <= code < 600 for code in codes)
    log.warning("a mail server refused the address of a notice %s", "for good" if for_good else "for now")
    return Mailed.refused if for_good else Mailed.later
