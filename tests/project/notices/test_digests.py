"""The digest of the morning: one mail a day for who wants it, with what they may read, and only if there is any."""

import json
import re
import smtplib
from datetime import date, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from project.access.permissions import Permission
from project.catalogs.models import Item
from project.core.texts import texts
from project.identity.models import User
from project.notices import digests, raising
from project.notices.digests import Section
from project.notices.mailing import MOST_REFUSED
from project.notices.models import NoticeSettings
from project.notices.selectors import Person
from project.orders.models import Line
from tests.builders import Caller, Shop, somebody
from tests.project.notices.browsers import PREFERENCES, PushService, prefer
from tests.project.notices.mornings import DAY, at, late_lines, likely_late, send_mails, work

pytestmark = pytest.mark.usefixtures("in_mexico_city", "mail_server")
SITE = "https://obrador.example.com"
ROOT = Path(__file__).parents[3]


def wants(by: Caller) -> None:
    assert by.put(PREFERENCES, {"digest": True}).status == 200


def send(hour: int = 7, minute: int = 0, *, day: date = DAY) -> int:
    with at(hour, minute, day=day):
        return send_mails(digests.mails_due)


def read(number: int = -1) -> EmailMessage:
    """A mail as a mail program reads it."""
    found = message_from_bytes(mail.outbox[number].message().as_bytes(), policy=default)
    assert isinstance(found, EmailMessage)
    return found


def text_of(message: EmailMessage) -> str:
    return str(message.get_content())


def test_a_morning_with_forty_late_lines_is_one_digest_and_one_push(shop: Shop, service: PushService) -> None:
    order = late_lines(shop, 40)
    wants(shop.ana)
    browser = service.browser()
    browser.register(shop.ana)
    for hour, minute in ((0, 1), (6, 59), (7, 0), (7, 1), (7, 2), (9, 0), (11, 59), (12, 30)):
        with at(hour, minute):
            raising.raise_late()
            send_mails(digests.mails_due)
            work()
    assert len(mail.outbox) == len(service.shown(browser)) == 1
    found = read()
    assert (found["To"], found["Subject"]) == ("ana@obrador.test", "Obrador · Atrasadas: 40 · Por aprobar: 40")
    body, po = text_of(found), shop.line(order)["customerSalesOrderId"]
    assert f"- {po} · 1 · {shop.item.name} · {shop.customer.name} · entrega 2026-03-02" in body
    assert f"{SITE}/#/operations/sales-order/{order}/position/1" in body
    assert f"\n  Por aprobar, 1 día tarde\n  {SITE}" in body
    assert f"… y 15 más: {SITE}/#/operations/orders?late=true" in body
    assert f"… y 35 más: {SITE}/#/operations/orders?status=New" in body
    assert len(re.findall(r"^- ", body, re.MULTILINE)) == 30, "25 late lines, and five of the other section"


def test_a_line_says_where_it_is_how_late_and_when_it_will_be_done(shop: Shop) -> None:
    order = shop.approved(8)
    Line.objects.filter(order=order).update(delivery_date=DAY - timedelta(days=6))
    with at(9, day=DAY - timedelta(days=3)):
        shop.enter(order, shop.casting, quantity=5)
    wants(shop.ana)
    with at(5):
        likely_late(order)
    for language, sentence in (
        (
            "es",
            r"  5 en Fundición desde hace 3 días; 3 esperan Fundición, 6 días tarde · a más tardar el (.*) \(4 de 5\)",
        ),
        ("en", r"  5 in Fundición for 3 days; 3 wait for Fundición, 6 days late · by (.*) \(4 in 5\)"),
    ):
        User.objects.filter(pk=shop.ana.id).update(language=language)
        NoticeSettings.objects.update(digest_on=None)
        assert send() == 1
        found = re.search(sentence, text_of(read()))
        assert found, text_of(read())
        assert date.fromisoformat(found[1])


@pytest.mark.parametrize("language", ["es", "en"])
def test_the_words_of_the_sentence_are_those_of_the_screens(language: str) -> None:
    screens = json.loads((ROOT / f"web/src/locales/{language}/standing.json").read_text(encoding="utf-8"))
    said = screens | {f"age_{name}": words for name, words in screens["age"].items()}
    own = {
        name.removeprefix("standing_"): words for name, words in texts(language).items() if name.startswith("standing_")
    }
    assert own == {name: re.sub(r"\{\{(\w+)\}\}", r"{\1}", said[name]) for name in own}


def test_each_day_has_its_digest(shop: Shop) -> None:
    late_lines(shop, 1)
    wants(shop.ana)
    assert [send(day=DAY + timedelta(days=days)) for days in (0, 0, 1, 2)] == [1, 0, 1, 1]


def test_who_did_not_ask_for_it_gets_none(shop: Shop) -> None:
    late_lines(shop, 1)
    assert send() == 0
    prefer(shop.ana, assigned=["mail"])
    assert send() == 0


def test_a_morning_without_anything_has_no_digest(shop: Shop) -> None:
    wants(shop.ana)
    assert (send(), len(mail.outbox)) == (0, 0)


def test_a_mailed_kind_alone_is_a_digest_with_its_section(shop: Shop) -> None:
    late_lines(shop, 2)
    prefer(shop.ana, late=["mail"])
    assert send() == 1
    assert read()["Subject"] == "Obrador · Atrasadas: 2"


def test_the_digest_is_in_the_persons_language_and_has_every_section(shop: Shop) -> None:
    today = DAY
    late_lines(shop, 1)
    order = late_lines(shop, 2, due=today + timedelta(days=1))
    done = shop.approved(3)
    shop.enter(done, shop.casting)
    shop.leave(done, shop.casting)
    shop.status(done, 1, "Done")
    User.objects.filter(pk=shop.ana.id).update(language="en")
    Item.objects.update(description_english="Moon ring in silver")
    wants(shop.ana)
    with at(5):
        likely_late(order)
    assert send() == 1
    said = "Late: 1 · Likely late: 1 · Due this week: 2 · To approve: 3 · To bill: 1"
    assert read()["Subject"] == f"Obrador · {said}"
    assert f"To get no more of these mails: {SITE}/#/unsubscribe/" in text_of(read())
    assert "Moon ring in silver" in text_of(read())
    assert shop.item.name not in text_of(read())


def test_the_digest_has_only_what_the_person_may_do(shop: Shop) -> None:
    late_lines(shop, 1)
    reader = somebody(Permission.ListOrders)
    caster = somebody(Permission.ListOrders, Permission.Station, processes=[shop.casting])
    wants(reader)
    for one in (caster, shop.carla):  # it was offered to them before
        NoticeSettings.objects.create(user_id=one.id, digest=True)
    assert send() == 1
    assert (read()["To"], read()["Subject"]) == (reader.user.email, "Obrador · Atrasadas: 1")  # type: ignore[union-attr]


@pytest.mark.parametrize("state", [{"active": False}, {"locked": True}], ids=str)
def test_who_may_not_sign_in_gets_no_digest(shop: Shop, state: dict[str, bool]) -> None:
    late_lines(shop, 1)
    wants(shop.ana)
    User.objects.filter(pk=shop.ana.id).update(**state)
    assert send() == 0


@pytest.mark.parametrize(("hour", "minute", "sent"), [(6, 59, 0), (7, 0, 1), (11, 59, 1), (12, 0, 0), (23, 0, 0)])
def test_digests_are_sent_in_the_morning_only(shop: Shop, hour: int, minute: int, sent: int) -> None:
    late_lines(shop, 1)
    wants(shop.ana)
    assert send(hour, minute) == sent


def test_the_hour_can_be_set(shop: Shop, settings: LazySettings) -> None:
    settings.DIGEST_HOUR = 10
    late_lines(shop, 1)
    wants(shop.ana)
    assert [send(hour) for hour in (7, 9, 10)] == [0, 0, 1]


def test_without_a_mail_server_nothing_is_sent_and_nothing_fails(shop: Shop, settings: LazySettings) -> None:
    settings.MAIL_SERVER = False
    late_lines(shop, 1)
    wants(shop.ana)
    assert send() == 0
    settings.MAIL_SERVER = True
    assert send(8) == 1, "the day was not used up"


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fails(self: EmailBackend, messages: list[Any]) -> int:
        raise error

    monkeypatch.setattr(EmailBackend, "send_messages", fails)


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError(),
        smtplib.SMTPServerDisconnected("gone"),
        smtplib.SMTPDataError(451, b"later"),
        smtplib.SMTPRecipientsRefused({"ana@obrador.test": (450, b"greylisted")}),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_mail_server_that_is_away_is_tried_again_the_same_morning(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    late_lines(shop, 1)
    wants(shop.ana)
    with monkeypatch.context() as patch:
        failing(patch, error)
        assert [send(7), send(7, 1)] == [0, 0]
    assert [send(7, 2), send(7, 3)] == [1, 0]
    assert NoticeSettings.objects.get(user=shop.ana.id).mail_refused == 0


def test_an_address_that_bounces_gets_no_more_mails_until_its_owner_wants_them(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    late_lines(shop, 1)
    wants(shop.ana)
    wants(shop.beto)
    with monkeypatch.context() as patch:
        failing(patch, smtplib.SMTPRecipientsRefused({"ana@obrador.test": (550, b"no such mailbox")}))
        for days in range(MOST_REFUSED):
            send(day=DAY + timedelta(days=days))
    assert shop.ana.get(PREFERENCES).json["mailRefused"] is True
    assert send(day=DAY + timedelta(days=5)) == 0
    again = shop.ana.put(PREFERENCES, {}).json
    assert (again["mailRefused"], again["digest"]) == (False, True)
    assert send(8, day=DAY + timedelta(days=6)) == 1
    assert read()["To"] == "ana@obrador.test"


def test_an_address_that_cannot_stand_in_a_header_keeps_nobody_from_the_digest(shop: Shop) -> None:
    late_lines(shop, 1)
    User.objects.filter(pk=shop.ana.id).update(email="ana\nBcc: eve@obrador.test")
    wants(shop.ana)
    wants(shop.beto)
    assert send() == 1
    assert [one.to for one in mail.outbox] == [["beto@obrador.test"]]


def test_a_digest_that_cannot_be_made_keeps_nobody_from_theirs(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    late_lines(shop, 1)
    wants(shop.ana)
    wants(shop.beto)
    of_person = digests.sections_for

    def breaks(person: Person) -> dict[str, Section]:
        if person.id == shop.ana.id:
            raise ValueError("the lines of this person cannot be read")
        return of_person(person)

    monkeypatch.setattr(digests, "sections_for", breaks)
    assert send() == 1
    assert [one.to for one in mail.outbox] == [["beto@obrador.test"]]


def test_a_customer_named_to_break_a_mail_stays_text(shop: Shop) -> None:
    type(shop.customer).objects.filter(pk=shop.customer.pk).update(name="<b>{count}</b>\r\nBcc: eve@obrador.test")
    late_lines(shop, 1)
    wants(shop.ana)
    assert send() == 1
    found = read()
    assert found.get_all("Bcc") is None
    assert found.get_content_type() == "text/plain"
    assert "<b>{count}</b>" in text_of(found)
