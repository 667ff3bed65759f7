"""The weekly mail of a link says how its lines are, in the customer's words and language, until the link is over."""

from datetime import date, timedelta
from email.utils import formataddr

import pytest
from django.conf import LazySettings
from django.core import mail

from project.access.permissions import Permission
from project.access.principal import subject_of_link
from project.audit.models import AuditEntry
from project.catalogs.models import Company, Customer
from project.core import clock
from project.customer_links.mails import content_of
from project.customer_links.models import CustomerLink
from project.notices import links
from project.notices.models import LinkMail
from project.orders.models import Line
from realtime.models import OutboxEvent
from tests.builders import Shop, somebody
from tests.project.billing.billing import billed, company, done, of, prepare
from tests.project.customer_links.linking import LINKS, opened, shared
from tests.project.notices.mornings import send_mails

TO, OTHER = "compras@cliente.example.com", "elena@cliente.example.com"
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
        return send_mails(links.mails_due)


def test_a_link_with_an_address_is_mailed_each_week_if_anything_has_changed(shop: Shop) -> None:
    order = shop.approved(5)
    po = shop.line(order)["customerSalesOrderId"]
    made = shared(shop, order, mailTo=TO, mailLanguage="en")
    assert (made["mailTo"], made["mailStopped"]) == (TO, False)
    first = monday()
    assert [send(first), send(first), send(first + WEEK)] == [1, 0, 0]
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == ([TO], f"Obrador · Your orders: {shop.customer.name}")
    assert f"- {po} · 1 · {shop.item.name}: waiting" in str(sent.body)
    assert f"{SITE}/#/c/{made['token']}" in str(sent.body)
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


def test_a_deleted_customer_ends_its_links_and_their_mails_at_once(shop: Shop) -> None:
    other = Customer.objects.create(name="Otra joyería")
    made = shop.ana.post(LINKS, {"customerId": other.pk, "mailTo": TO}).json
    kept = shared(shop, mailTo=TO)
    shop.approved(1)
    assert shop.ana.delete(f"/api/customers/{shop.customer.pk}").code == "in_use", "its link stays"
    assert shop.ana.delete(f"/api/customers/{other.pk}").status == 200
    assert [*LinkMail.objects.values_list("link_id", flat=True)] == [kept["id"]]
    assert (opened(made).status, opened(made).code) == (404, "not_found")
    ended = OutboxEvent.objects.get(type="session.ended")
    assert ended.to_user == subject_of_link(made["id"]), "its sockets close"
    audited = AuditEntry.objects.get(entity="customer-links", entity_id=str(made["id"]), action="deleted")
    assert TO in str(audited.changes["mailTo"])


def test_a_link_without_an_address_has_no_mail(shop: Shop) -> None:
    made = shared(shop)
    assert (made["mailTo"], made["mailStopped"]) == (None, False)
    assert not LinkMail.objects.exists()


def test_an_address_is_given_changed_and_taken_away_later_and_the_audit_names_the_link(shop: Shop) -> None:
    made = shared(shop, shop.approved(5), name="Para Elena")
    path = f"{LINKS}/{made['id']}"

    def change(version: int, **fields: str | None) -> tuple[object, ...]:
        row = shop.ana.put(path, fields, if_match=f'"{version}"').json
        return row["version"], row["mailTo"], row["mailLanguage"]

    assert change(1, mailTo=TO, mailLanguage="en") == (2, TO, "en")
    first = monday()
    assert send(first) == 1
    assert made["token"] not in str(mail.outbox[-1].body), "nobody knows it any more"
    assert change(2, mailTo=OTHER) == (3, OTHER, "en")
    assert send(first + WEEK) == 1
    assert (mail.outbox[-1].to, mail.outbox[-1].subject) == ([OTHER], f"Obrador · Your orders: {shop.customer.name}")
    assert change(3, mailLanguage="es") == (4, OTHER, "es")
    assert change(4, mailTo=None) == (5, None, None)
    assert (send(first + 2 * WEEK), LinkMail.objects.count()) == (0, 0)
    rows = AuditEntry.objects.filter(entity="customer-links", action="changed").order_by("id")
    assert {row.label for row in rows} == {"Para Elena"}
    kept = [{name: (one["before"], one["after"]) for name, one in row.changes.items()} for row in rows]
    assert kept == [
        {"mailTo": (None, TO), "mailLanguage": (None, "en")},
        {"mailTo": (TO, OTHER)},
        {"mailLanguage": ("en", "es")},
        {"mailTo": (OTHER, None), "mailLanguage": ("es", None)},
    ]


def test_another_address_gets_the_address_of_the_page_too_and_the_stop_of_the_former_one_ends(shop: Shop) -> None:
    made = shared(shop, shop.approved(5), mailTo=TO)
    LinkMail.objects.update(stopped_at=clock.now())
    assert shop.ana.put(f"{LINKS}/{made['id']}", {"mailTo": OTHER}).json["mailStopped"] is False
    assert send(monday()) == 1
    assert mail.outbox[-1].to == [OTHER]
    assert f"{SITE}/#/c/{made['token']}" in str(mail.outbox[-1].body)


@pytest.mark.parametrize("part", ["showsPrices", "showsPapers"])
def test_prices_and_papers_are_mailed_to_another_address_only_by_readers_of_bills(shop: Shop, part: str) -> None:
    path = f"{LINKS}/{shared(shop, shop.approved(5), mailTo=TO, **{part: True})['id']}"
    seller = somebody(Permission.ManageCustomerLinks)
    assert seller.put(path, {"mailTo": OTHER}).code == "permission_denied"
    assert seller.put(path, {"mailTo": TO, "mailLanguage": "en"}).json["mailLanguage"] == "en"
    assert seller.put(path, {"mailTo": None}).json["mailTo"] is None
    biller = somebody(Permission.ManageCustomerLinks, Permission.ReportListBills)
    assert biller.put(path, {"mailTo": OTHER}).json["mailTo"] == OTHER


def test_a_link_that_is_over_gets_no_address_but_one_can_be_taken_away(shop: Shop) -> None:
    revoked, expired = shared(shop), shared(shop, mailTo=TO, days=1)
    shop.ana.delete(f"{LINKS}/{revoked['id']}")
    assert shop.ana.put(f"{LINKS}/{revoked['id']}", {"mailTo": TO}).code == "link_over"
    CustomerLink.objects.filter(pk=expired["id"]).update(expires_at=clock.now())
    path = f"{LINKS}/{expired['id']}"
    assert shop.ana.put(path, {"mailTo": OTHER}).code == "link_over"
    assert shop.ana.put(path, {"mailTo": None}).json["mailTo"] is None
    assert not LinkMail.objects.exists()
    assert shop.ana.put(f"{LINKS}/999999", {"mailTo": TO}).code == "not_found"


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"mailTo": "compras"}, {"mailTo": "invalid_email"}),
        ({"mailLanguage": "fr"}, {"mailLanguage": "not_a_choice"}),
        ({"mailLanguage": "en"}, {"mailTo": "required"}),
        ({"showsPrices": True}, {"showsPrices": "unknown_field"}),
    ],
    ids=str,
)
def test_a_wrong_change_is_refused(shop: Shop, fields: dict[str, object], refused: dict[str, str]) -> None:
    answer = shop.ana.put(f"{LINKS}/{shared(shop)['id']}", fields)
    assert (answer.status, answer.fields) == (422, refused)


def test_who_stopped_the_mails_is_shown_to_the_staff(shop: Shop) -> None:
    made = shared(shop, mailTo=TO)
    LinkMail.objects.update(stopped_at=clock.now())
    row = shop.ana.get(f"{LINKS}/{made['id']}").json
    assert (row["mailTo"], row["mailStopped"]) == (TO, True)


def test_a_mail_names_the_company_and_the_agreed_day_of_each_line(shop: Shop, settings: LazySettings) -> None:
    settings.DEFAULT_FROM_EMAIL = "Avisos <taller@plata.example.com>"
    company()
    Company.objects.update(name="Platería Taxco")
    order = shop.approved(5)
    Line.objects.update(delivery_date=date(2026, 12, 22))
    shared(shop, order, mailTo=TO)
    assert send(monday()) == 1
    (sent,) = mail.outbox
    message = sent.message()
    assert sent.from_email == formataddr(("Platería Taxco", "taller@plata.example.com"))
    assert message["Subject"] == f"Platería Taxco · Sus pedidos: {shop.customer.name}"
    assert str(sent.body).startswith("Platería Taxco\n")
    assert message["Message-ID"].endswith("@plata.example.com>")
    assert "en espera, entrega acordada 2026-12-22" in str(sent.body)
    assert all(byte < 128 for byte in message.as_bytes())


def test_the_address_that_stops_mails_answers_get_with_its_page(shop: Shop) -> None:
    shared(shop, shop.approved(5), mailTo=TO)
    send(monday())
    address = str(mail.outbox[-1].extra_headers["List-Unsubscribe"]).strip("<>")
    answer = shop.nobody.get(address.removeprefix(SITE))
    token = address.rpartition("/")[2]
    assert (answer.status, answer.headers["Location"]) == (302, f"{SITE}/#/unsubscribe/{token}")
    assert LinkMail.objects.get().stopped_at is None
