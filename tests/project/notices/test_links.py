"""The weekly mail of a customer's link: on Mondays, only if something changed, and stopped by one click."""

import smtplib
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from project.notices import links
from project.notices.links import LinkContent
from project.notices.mailing import MOST_REFUSED
from project.notices.models import LinkMail
from tests.builders import Shop
from tests.project.notices.mornings import at, send_mails
from tests.project.notices.test_stopping_mails import click, stop_address

pytestmark = pytest.mark.usefixtures("in_mexico_city", "mail_server", "db")
MONDAY = date(2026, 3, 2)
WEEK = timedelta(weeks=1)
PAGE = "https://obrador.example.com/#/c/secret-of-the-link"
TO = "compras@cliente.example.com"


class Orders:
    """What the domain of links says of each link; None if it is revoked."""

    def __init__(self) -> None:
        self.of: dict[int, LinkContent | None] = {}

    def __call__(self, link_id: int, language: str) -> LinkContent | None:
        found = self.of[link_id]
        return found and LinkContent(f"{found.title} ({language})", found.rows)


@pytest.fixture
def orders() -> Iterator[Orders]:
    before = [*links._given]
    found = Orders()
    found.of[5] = LinkContent("Platería del Sur", ("PO-1 · Anillo: en producción, 3 de 8",))
    links.configure(found)
    yield found
    links._given[:] = before


def mailed(link_id: int = 5, **fields: str) -> None:
    links.mail_to(**{"link_id": link_id, "address": TO, "language": "es", "page": PAGE} | fields)  # type: ignore[arg-type]


def send(day: date = MONDAY, hour: int = 7) -> int:
    with at(hour, day=day):
        return send_mails(links.mails_due)


def test_the_mail_says_how_the_orders_are_and_where_they_are_seen_live(orders: Orders) -> None:
    mailed()
    assert [send(), send()] == [1, 0]
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == ([TO], "Obrador · Sus pedidos: Platería del Sur (es)")
    assert "- PO-1 · Anillo: en producción, 3 de 8" in str(sent.body)
    assert PAGE in str(sent.body)


def test_a_week_without_a_change_has_no_mail(orders: Orders) -> None:
    mailed()
    assert [send(MONDAY + WEEK * week) for week in range(3)] == [1, 0, 0]
    orders.of[5] = LinkContent("Platería del Sur", ("PO-1 · Anillo: enviado",))
    assert [send(MONDAY + WEEK * week) for week in (3, 4)] == [1, 0]


@pytest.mark.parametrize(("day", "hour", "sent"), [(0, 6, 0), (0, 7, 1), (0, 12, 0), (1, 7, 0), (6, 7, 0)])
def test_the_mail_is_sent_on_monday_morning_only(orders: Orders, day: int, hour: int, sent: int) -> None:
    mailed()
    assert send(MONDAY + timedelta(days=day), hour) == sent


def test_one_click_stops_the_mails_of_this_link_alone(orders: Orders) -> None:
    orders.of[6] = LinkContent("Joyas", ("PO-9 · Collar: listo",))
    mailed()
    mailed(6, address="otra@cliente.example.com")
    assert send() == 2
    mail.outbox.sort(key=lambda one: one.to[0] == TO)
    assert click(stop_address()) == 200
    for link in orders.of:
        orders.of[link] = LinkContent("Otra", ("Otra",))
    mail.outbox.clear()
    assert send(MONDAY + WEEK) == 1
    assert [one.to for one in mail.outbox] == [["otra@cliente.example.com"]]
    stopped = links.mail_of(5)
    assert stopped
    assert stopped.stopped_at is not None


def test_the_same_address_stays_stopped_and_another_one_gets_mails(orders: Orders) -> None:
    mailed()
    send()
    click(stop_address())
    mailed(language="en")
    assert send(MONDAY + WEEK) == 0
    mailed(address="nueva@cliente.example.com")
    assert send(MONDAY + WEEK) == 1
    assert mail.outbox[-1].to == ["nueva@cliente.example.com"]


def test_who_got_the_mails_before_cannot_stop_those_of_another_address(orders: Orders) -> None:
    mailed()
    send()
    path = stop_address()
    mailed(address="nueva@cliente.example.com")
    assert click(path) == 200
    assert send(MONDAY + WEEK) == 1


def test_a_link_that_is_revoked_or_expired_gets_no_mail_and_is_forgotten(orders: Orders) -> None:
    mailed()
    orders.of[5] = None
    assert (send(), LinkMail.objects.count()) == (0, 0)
    mailed()
    links.forget(5)
    assert links.mail_of(5) is None


def test_the_links_secret_is_stored_sealed_and_missing_keys_leave_it_out(
    orders: Orders, settings: LazySettings
) -> None:
    mailed()
    stored = LinkMail.objects.get().page
    assert "secret" not in stored
    assert "secret" not in bytes.fromhex(stored).decode(errors="replace")
    settings.SECRET_KEY = "s" * 40
    assert send() == 1
    assert PAGE not in str(mail.outbox[-1].body)


def test_a_language_can_change_without_the_page(orders: Orders) -> None:
    mailed()
    mailed(language="en", page="")
    assert send() == 1
    assert mail.outbox[-1].subject == "Obrador · Your orders: Platería del Sur (en)"
    assert PAGE in str(mail.outbox[-1].body)


def test_a_link_that_cannot_be_read_keeps_no_other_from_its_mail(orders: Orders) -> None:
    mailed(4)
    mailed(5)
    assert send() == 1, "link 4 raises"


def test_a_bounced_address_is_given_up(orders: Orders, monkeypatch: pytest.MonkeyPatch) -> None:
    mailed()

    def refuses(self: EmailBackend, messages: list[Any]) -> int:
        raise smtplib.SMTPRecipientsRefused({TO: (550, b"no such mailbox")})

    with monkeypatch.context() as patch:
        patch.setattr(EmailBackend, "send_messages", refuses)
        for week in range(MOST_REFUSED):
            send(MONDAY + WEEK * week)
    assert LinkMail.objects.get().mail_refused == MOST_REFUSED
    assert send(MONDAY + WEEK * 9) == 0


def test_a_mail_server_that_is_away_is_tried_again_the_same_morning(
    orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailed()

    def fails(self: EmailBackend, messages: list[Any]) -> int:
        raise ConnectionRefusedError

    with monkeypatch.context() as patch:
        patch.setattr(EmailBackend, "send_messages", fails)
        assert send(hour=7) == 0
    assert [send(hour=8), send(hour=9)] == [1, 0]


def test_without_a_domain_of_links_or_a_mail_server_nothing_is_sent(orders: Orders, settings: LazySettings) -> None:
    mailed()
    settings.MAIL_SERVER = False
    assert send() == 0
    settings.MAIL_SERVER = True
    links._given.clear()
    assert send() == 0


def test_a_title_with_line_breaks_adds_no_header(orders: Orders, shop: Shop) -> None:
    orders.of[5] = LinkContent("A\r\nBcc: eve@obrador.test", ("<script>",))
    mailed()
    assert send() == 1
    message = mail.outbox[-1].message()
    assert message["Bcc"] is None
    assert message.get_content_type() == "text/plain"
