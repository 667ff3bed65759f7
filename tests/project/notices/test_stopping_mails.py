"""Mails are stopped by one click in the mail program (RFC 8058), by nobody else, and never by a look at the link."""

import re
from email import message_from_bytes
from email.policy import default
from urllib.parse import quote

import pytest
from django.conf import LazySettings
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from project.notices import composing, digests, stopping
from project.notices.models import NoticeSettings
from project.notices.rules import Kind
from tests.builders import Shop
from tests.project.notices.browsers import PREFERENCES, prefer
from tests.project.notices.mornings import DAY, at, begin, late_lines, notify, send_mails, work

pytestmark = pytest.mark.usefixtures("in_mexico_city", "mail_server")
SITE = "https://obrador.example.com"


def digest_of(shop: Shop) -> str:
    """Send Ana a digest and return the address by which a mail program stops it."""
    late_lines(shop, 1)
    shop.ana.put(PREFERENCES, {"digest": True})
    prefer(shop.ana, late=["bell", "mail"])
    with at(7):
        assert send_mails(digests.mails_due) == 1
    return stop_address()


def stop_address() -> str:
    found = message_from_bytes(mail.outbox[-1].message().as_bytes(), policy=default)
    assert found["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = re.fullmatch(rf"<{SITE}(/api/notices/unsubscribe/[\w-]+)>", found["List-Unsubscribe"])
    assert address
    return address[1]


def click(path: str) -> int:
    """Do what a mail program does: POST a form, without cookies and without an account."""
    form = "application/x-www-form-urlencoded"
    return Client().generic("POST", path, b"List-Unsubscribe=One-Click", content_type=form).status_code


def test_one_click_stops_the_digest(shop: Shop) -> None:
    path = digest_of(shop)
    assert click(path) == 200
    found = shop.ana.get(PREFERENCES).json
    assert found["digest"] is False
    assert {row["kind"]: row["channels"] for row in found["kinds"]}["late"] == ["bell"]
    with at(7, day=DAY.replace(day=4)):
        assert send_mails(digests.mails_due) == 0


def test_a_second_click_changes_nothing(shop: Shop) -> None:
    path = digest_of(shop)
    click(path)
    before = NoticeSettings.objects.get().version
    assert click(path) == 200
    assert NoticeSettings.objects.get().version == before


def test_the_header_is_not_encoded_for_a_long_address(shop: Shop, settings: LazySettings) -> None:
    settings.PUBLIC_URL = f"https://{'taller-' * 12}.example.com"
    late_lines(shop, 1)
    shop.ana.put(PREFERENCES, {"digest": True})
    with at(7):
        send_mails(digests.mails_due)
    sent = mail.outbox[-1].message().as_bytes()
    assert f"List-Unsubscribe: <{settings.PUBLIC_URL}/api/notices/unsubscribe/".encode() in sent


def test_a_look_at_the_link_stops_nothing(shop: Shop) -> None:
    """Programs that preview links send GET and HEAD."""
    path = digest_of(shop)
    client = Client()
    assert [client.get(path).status_code, client.head(path).status_code] == [302, 405]
    assert shop.ana.get(PREFERENCES).json["digest"] is True


def test_the_page_of_the_link_in_the_mail_has_the_same_token(shop: Shop) -> None:
    path = digest_of(shop)
    token = path.rpartition("/")[2]
    assert f"{SITE}/#/unsubscribe/{token}" in str(mail.outbox[-1].body)
    assert shop.nobody.post(path).json == {"stopped": "digest"}


@pytest.mark.parametrize("token", ["x", "x" * 43, "x" * 5_000, "<script>", "%00", "digest 1"])
def test_a_made_up_token_is_not_found(shop: Shop, token: str) -> None:
    digest_of(shop)
    answer = shop.nobody.post(f"/api/notices/unsubscribe/{quote(token, safe='')}")
    assert (answer.status, answer.code) == (404, "not_found")
    assert shop.ana.get(PREFERENCES).json["digest"] is True


def test_a_cut_or_changed_token_is_not_found(shop: Shop) -> None:
    path = digest_of(shop)
    changed = path[:-1] + ("A" if path[-1] != "A" else "B")
    for one in (path[:-4], f"{path}AAAA", changed[:60] + changed[61:]):
        assert shop.nobody.post(one).status == 404
    assert shop.ana.get(PREFERENCES).json["digest"] is True


def test_a_token_outlives_a_change_of_the_key_and_no_other(shop: Shop, settings: LazySettings) -> None:
    path = digest_of(shop)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "s" * 40
    assert shop.nobody.post(path).status == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert shop.nobody.post(path).status == 404


def test_a_token_of_a_person_who_is_gone_stops_nothing_and_says_so_kindly(shop: Shop) -> None:
    token = stopping.token_of(stopping.DIGEST, 999_999)
    assert shop.nobody.post(f"/api/notices/unsubscribe/{token}").status == 200
    assert not NoticeSettings.objects.exists()


def test_a_mail_about_one_kind_is_stopped_alone(shop: Shop) -> None:
    prefer(shop.ana, customerAnswer=["bell", "mail"], importDone=["mail"])
    order = late_lines(shop, 1)
    begin()
    with at(12):
        notify("customerAnswer", shop.line(order))
        work()
    assert mail.outbox == []
    with at(12, 10):
        work()
        work()
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["ana@obrador.test"], "Obrador · Respuestas de clientes: 1")
    assert f"{SITE}/#/operations/sales-orders/{order}\n" in str(sent.body), "the order's page shows what was said"
    assert click(stop_address()) == 200
    channels = {row["kind"]: row["channels"] for row in shop.ana.get(PREFERENCES).json["kinds"]}
    assert (channels["customerAnswer"], channels["importDone"]) == (["bell"], ["mail"])


def test_mails_about_one_kind_are_an_hour_apart(shop: Shop) -> None:
    prefer(shop.ana, customerAnswer=["mail"])
    line = shop.line(late_lines(shop, 1))
    begin()
    for minute in range(0, 60, 5):
        with at(12, minute):
            notify("customerAnswer", line, number=minute)
            work()
    assert [one.subject for one in mail.outbox] == ["Obrador · Respuestas de clientes: 3"]
    with at(13, 10):
        work()
    assert [one.subject for one in mail.outbox][1:] == ["Obrador · Respuestas de clientes: 9"]


def test_a_mail_server_that_is_away_loses_no_mail(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: EmailMessage) -> int:
        raise ConnectionRefusedError

    prefer(shop.ana, customerAnswer=["mail"])
    line = shop.line(late_lines(shop, 1))
    begin()
    with at(12):
        notify("customerAnswer", line)
        work()
    with at(12, 10), monkeypatch.context() as patch:
        patch.setattr(EmailMessage, "send", gone)
        work()
    with at(12, 20):
        notify("customerAnswer", line, number=2)
        work()
    assert mail.outbox == [], "the next try is an hour after this one"
    with at(13, 20):
        work()
    with at(15):
        work()
    assert [one.subject for one in mail.outbox] == ["Obrador · Respuestas de clientes: 2"]


def test_a_worker_that_stops_between_two_mails_of_a_person_loses_none(shop: Shop) -> None:
    prefer(shop.ana, customerAnswer=["mail"], inside=["mail"])
    line = shop.line(late_lines(shop, 1))
    begin()
    with at(12):
        notify("customerAnswer", line)
        notify(Kind.WithoutOutput, line)
        work()
    with at(12, 10):
        stopped = composing.mails_due()
        first = next(stopped)
        stopped.close()  # type: ignore[attr-defined]
        assert send_mails(composing.mails_due) == 1
    assert {f"Obrador · {first.subject}", mail.outbox[0].subject} == {
        "Obrador · Respuestas de clientes: 1",
        "Obrador · Líneas con piezas sin salida: 1",
    }
