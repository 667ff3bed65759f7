"""Sending mail in the name of the company."""

import logging
import smtplib
from collections.abc import Callable, Mapping
from email.message import EmailMessage as StandardMessage
from email.policy import Policy, default
from email.utils import formataddr, make_msgid, parseaddr

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils.translation import override

from project.core.texts import text

PRODUCT = "Obrador"
"""The sender of mails until a company is active."""
LONGEST_LINE = 900
"""The longest line of a header. A shorter limit would encode long addresses, and mail programs could not read them."""

log = logging.getLogger(__name__)
_given: list[Callable[[], str]] = []


def give_company(name: Callable[[], str]) -> None:
    """Set the function that reads the company's name. The project calls this when the process starts."""
    _given[:] = [name]


def company_name() -> str:
    """Return the name in which mails are sent, on one line. 1 query."""
    return " ".join(_given[0]().split()) or PRODUCT


def mail(to: str, *, company: str, language: str, subject: str, body: str, **params: str) -> None:
    """Mail one person. A failure is only logged, so that other people get their mail.

    `subject` and `body` are codes of texts. `company`: by `company_name`. The log names no address.
    """
    try:
        with override(language):
            company_mail(company, to, subject=text(subject, params), body=f"{text(body, params)}\n").send()
    except Exception as error:  # server, address or header: go on with the next person
        # The text and the traceback of an error may hold the address.
        code = getattr(error, "smtp_code", None) if isinstance(error, smtplib.SMTPResponseException) else None
        log.error("the mail %s could not be sent: %s", body, code or type(error).__name__)


def company_mail(
    company: str, to: str, *, subject: str, body: str, headers: Mapping[str, str] | None = None
) -> EmailMessage:
    """Return a mail in the company's name: its sender, its subject and its first line name the company.

    Line breaks in the subject become spaces, because a mail header must not contain them.
    """
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return _Whole(
        f"{company} · {' '.join(subject.split())}",
        f"{company}\n\n{body}",
        formataddr((company, address)),
        [to],
        headers={"Message-ID": make_msgid(domain=address.rpartition("@")[2]), **(headers or {})},
    )


class _Whole(EmailMessage):
    """A mail with the addresses in its headers on one line each, and a body that every mail server takes."""

    def message(self, *, policy: Policy | None = None) -> StandardMessage:
        return super().message(policy=(policy or default).clone(max_line_length=LONGEST_LINE, cte_type="7bit"))
