"""No name or address can break a mail."""

import re
from pathlib import Path

import pytest
from django.core import mail as post

import project
from project.core.mailing import mail

SENDS = re.compile(
    "send_mail|send_mass_mail|EmailMessage|EmailMultiAlternatives|mail_admins|mail_managers|company_mail"
)


def webhook_stopped(to: str, name: str) -> None:
    texts = {"subject": "webhook_stopped_subject", "body": "webhook_stopped_body", "name": name}
    mail(to, company="Obrador", language="es", **texts, url="https://erp.test", link="https://obrador.test")


@pytest.mark.parametrize("letter", "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", ids=ascii)
def test_subject_has_one_line(letter: str) -> None:
    webhook_stopped("ana@obrador.test", f"ERP{letter}Bcc: eve@obrador.test")
    [sent] = post.outbox
    message = sent.message()
    assert str(message["Subject"]) == "Obrador · Obrador detuvo el webhook ERP Bcc: eve@obrador.test"
    assert message["Bcc"] is None


def test_invalid_address_is_logged_and_blocks_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for to in ("ana\nBcc: eve@obrador.test", "beto@obrador.test"):
        webhook_stopped(to, "ERP")
    assert [sent.to for sent in post.outbox] == [["beto@obrador.test"]]
    assert "webhook_stopped_body could not be sent" in caplog.text
    assert "ana@" not in caplog.text, "the log has no address"


def test_mail_is_sent_in_two_places() -> None:
    """What a person may stop has headers of its own, and an answer of the mail server that counts."""
    root = Path(project.__file__).parent
    sources = {path for path in root.rglob("*.py") if SENDS.search(path.read_text(encoding="utf-8"))}
    assert {path.relative_to(root).as_posix() for path in sources} == {"core/mailing.py", "notices/mailing.py"}
