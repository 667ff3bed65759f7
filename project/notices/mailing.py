"""Mails that their readers can stop with one click (RFC 8058), sent by the sending loop one after the other."""

import smtplib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from urllib.parse import quote

from django.conf import settings
from django.utils.translation import override

from project.core.mailing import PRODUCT, company_mail, company_name
from project.core.texts import text
from project.sending.loop import Answer, Queue, Result

MOST_REFUSED = 3
"""After so many refusals in a row no mail is sent to an address, until its owner changes their preferences."""


@dataclass(frozen=True)
class Mail:
    """A mail on its way. `token`: from `stopping.token_of`. `company`: who writes, set by `Mails.due`.

    `note` stores the result: the mail server took the mail (`arrived`), refused the address for good (`refused`), or
    may take the mail later (`later`). After `later` the row that the mail was made from is due again.
    """

    to: str
    language: str
    subject: str
    body: str
    token: str
    note: Callable[[Result], None]
    company: str = PRODUCT


class Mails(Queue[Mail]):
    """The queue of mails that the given function `due` yields. `due` takes each mail's row just before it yields."""

    at_once = 1

    def __init__(self, name: str, due: Callable[[], Iterator[Mail]], *, every: timedelta) -> None:
        self.name, self.every, self._due = name, every, due

    def due(self) -> Iterator[Mail]:
        for mail in self._due():
            yield replace(mail, company=company_name())

    def send(self, message: Mail) -> Answer:
        """Send a mail in the company's name, with a footer that says how to stop such mails."""
        headers = {
            "List-Unsubscribe": f"<{settings.PUBLIC_URL}/api/notices/unsubscribe/{message.token}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        }
        with override(message.language):
            foot = text("notices_mail_foot", {"link": page_to_stop(message.token)})
        body = f"{message.body}\n\n-- \n{foot}\n"
        try:
            company_mail(message.company, message.to, subject=message.subject, body=body, headers=headers).send()
        except smtplib.SMTPRecipientsRefused as error:
            for_good = all(500 <= code < 600 for code, _ in error.recipients.values())
            return Answer(Result.refused if for_good else Result.later, "the mail server refuses the address")
        except smtplib.SMTPResponseException as error:  # its text may hold the address, which no log may have
            return Answer(Result.later, f"the mail server answers {error.smtp_code}")
        except OSError as error:
            return Answer(Result.later, f"the mail server is away: {type(error).__name__}")
        except ValueError:
            return Answer(Result.refused, "the address is not valid in a header")
        return Answer(Result.arrived)

    def note(self, message: Mail, answer: Answer) -> None:
        message.note(answer.result)


def page_to_stop(token: str) -> str:
    """Return the address of the page on which a person stops these mails."""
    return f"{settings.PUBLIC_URL}/#/unsubscribe/{quote(token, safe='')}"
