"""The weekly mail of a link says how its lines are, in the customer's words and language, until the link is over."""

from datetime import date, timedelta

import pytest
from django.conf import LazySettings
from django.core import mail

from project.core import clock
from project.customer_links.mails import content_of
from project.notices import links
from project.notices.models import LinkMail
from tests.builders import Shop
from tests.project.billing.billing import billed, done, of, prepare
from tests.project.customer_links.linking import LINKS, shared

TO = "compras@cliente.example.com"
SITE = "https://obrador.example.com"
WEEK = timedelta(weeks=1)


@pytest.fixture(autouse=True)
def _mail_server(settings: LazySettings) -> None:
    settings.MAIL_SERVER, settings.PUBLIC_URL = True, SITE


def monday() -> date:
    """The next Monday, or the one after it if that is tomorrow."""
    today = clock.today() + timedelta(days=1)
    return today + timedelta(days=7 - today.weekday())


def send(day: date) -> int:
    """Let the worker send the mails of a Monday morning."""
    with clock.at(clock.start_of(day) + timedelta(hours=8)):
        return links.send_weekly()


def test_a_link_with_an_address_is_mailed_each_week_if_anything_has_changed(shop: Shop) -> None:
    order = shop.order(5)
    po = shop.line(order)["customerSalesOrderId"]
    made = shared(shop, order, mailTo=TO, mailLanguage="en")
    assert (made["mailTo"], made["mailStopped"]) == (TO, False)
    first = monday()
    assert [send(first), send(first), send(first + WEEK)] == [1, 0, 0]
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == ([TO], f"Your orders: {shop.customer.name}")
    assert f"- {po} · 1 · {shop.item.name}: waiting" in str(sent.body)
    assert f"{SITE}/#/c/{made['token']}" in str(sent.body)
    shop.status(order, 1, "Approved")
    shop.enter(order, shop.casting)
    assert send(first + 2 * WEEK) == 1
    assert f"- {po} · 1 · {shop.item.name}: in production" in str(mail.outbox[-1].body)


def test_a_line_is_told_with_its_tracking_number_for_two_weeks_after_its_shipment(shop: Shop) -> None:
    prepare(shop)
    order = done(shop, 5)
    po = shop.line(order)["customerSalesOrderId"]
    made = shared(shop, order, mailTo=TO)
    said = content_of(made["id"], "es")
    assert said
    assert said.rows == (f"{po} · 1 · {shop.item.name}: lista",)
    billed(shop, of(order, 1, 5), guideNumber="1Z-204")
    said = content_of(made["id"], "es")
    assert said
    assert said.rows == (f"{po} · 1 · {shop.item.name}: enviada, guía 1Z-204",)
    with clock.at(clock.now() + timedelta(days=15)):
        said = content_of(made["id"], "en")
    assert said
    assert said.rows == ("There are no open orders.",)


def test_a_link_that_is_over_is_mailed_no_more_and_its_address_is_forgotten(shop: Shop) -> None:
    revoked, expired = shared(shop, mailTo=TO), shared(shop, mailTo=TO, days=1)
    answer = shop.ana.delete(f"{LINKS}/{revoked['id']}")
    assert (answer.json["mailTo"], links.mail_of(revoked["id"])) == (None, None)
    assert links.mail_of(expired["id"]) is not None
    assert send(monday()) == 0
    assert not LinkMail.objects.exists()
    assert mail.outbox == []


def test_a_link_without_an_address_has_no_mail(shop: Shop) -> None:
    made = shared(shop)
    assert (made["mailTo"], made["mailStopped"]) == (None, False)
    assert not LinkMail.objects.exists()


def test_who_stopped_the_mails_is_shown_to_the_staff(shop: Shop) -> None:
    made = shared(shop, mailTo=TO)
    LinkMail.objects.update(stopped_at=clock.now())
    row = shop.ana.get(f"{LINKS}/{made['id']}").json
    assert (row["mailTo"], row["mailStopped"]) == (TO, True)
