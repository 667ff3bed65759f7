"""Links are made, listed and revoked by those who may, and their tokens are kept by nobody."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings

from project.access.permissions import ALL, Permission
from project.access.principal import subject_of_link
from project.audit.models import AuditEntry
from project.core import clock
from project.core.sealing import digest_of_random
from project.customer_links.models import CustomerAnswer, CustomerLink
from project.customer_links.services import revoke_all
from project.notices.models import LinkMail
from realtime.models import OutboxEvent
from tests import builders
from tests.builders import Caller, Shop, buyer, somebody
from tests.project.customer_links.linking import LINKS, address, answering, opened, said, shared


def test_a_link_says_what_it_shows_and_its_token_only_once(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order, showsPrices=True, days=30)
    assert len(made["token"]) == 43, "256 bits in base 64"
    (row,) = shop.ana.get(f"{LINKS}?salesOrderId={order}").json
    assert row == {name: value for name, value in made.items() if name not in ("token", "address")}
    assert row == shop.ana.get(f"{LINKS}/{made['id']}").json
    shows = ("showsPrices", "showsPhotos", "showsPapers", "showsProcesses")
    assert [row[one] for one in shows] == [True, True, False, False]
    assert (row["createdBy"], row["over"], row["openedCount"], row["answersCount"]) == ("Ana Torres", False, 0, 0)
    ends = CustomerLink.objects.get().expires_at
    assert timedelta(days=29, hours=23) < ends - clock.now() <= timedelta(days=30)


def test_the_database_keeps_only_the_digest_of_a_token(shop: Shop) -> None:
    token = shared(shop, shop.approved(5))["token"]
    link = CustomerLink.objects.get()
    assert link.token_digest == digest_of_random(token)
    kept = [str(value) for row in CustomerLink.objects.values() for value in row.values()]
    kept += [str(row) for row in AuditEntry.objects.values()]
    assert not [one for one in kept if token in one]
    assert not [one for one in AuditEntry.objects.values_list("changes", flat=True) if link.token_digest in str(one)]


def test_a_link_is_named_after_its_order_or_customer_unless_it_has_a_name(shop: Shop) -> None:
    order = shop.approved(5)
    po = shop.line(order)["customerSalesOrderId"]
    assert [shared(shop, order)["name"], shared(shop)["name"]] == [po, "Platería del Sur"]
    assert shared(shop, order, name=" Para Elena ")["name"] == "Para Elena"


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({}, {"salesOrderId": "required"}),
        ({"salesOrderId": 999_999}, {"salesOrderId": "unknown"}),
        ({"customerId": 999_999}, {"customerId": "unknown"}),
        ({"salesOrderId": 1, "customerId": 1}, {"salesOrderId": "invalid"}),
        ({"salesOrderId": 1, "days": 0}, {"days": "too_small"}),
        ({"salesOrderId": 1, "days": 731}, {"days": "too_large"}),
        ({"salesOrderId": 1, "days": "30"}, {"days": "invalid_type"}),
        ({"salesOrderId": 1, "showsPrices": "yes"}, {"showsPrices": "invalid_type"}),
        ({"salesOrderId": 1, "token": "mine"}, {"token": "unknown_field"}),
        ({"salesOrderId": 1, "mailTo": "compras"}, {"mailTo": "invalid_email"}),
        ({"salesOrderId": 1, "mailLanguage": "fr"}, {"mailLanguage": "not_a_choice"}),
    ],
    ids=str,
)
def test_a_wrong_link_is_refused(shop: Shop, fields: dict[str, Any], refused: dict[str, str]) -> None:
    answer = shop.ana.post(LINKS, fields)
    assert (answer.status, answer.fields) == (422, refused)


@pytest.mark.parametrize("part", ["showsPrices", "showsPapers"])
def test_prices_and_papers_are_shared_only_by_readers_of_bills(shop: Shop, part: str) -> None:
    seller = somebody(Permission.ManageCustomerLinks)
    body = {"salesOrderId": shop.approved(5)}
    assert seller.post(LINKS, body).status == 201
    assert seller.post(LINKS, body | {part: True}).code == "permission_denied"
    biller = somebody(Permission.ManageCustomerLinks, Permission.ReportListBills)
    assert biller.post(LINKS, body | {part: True}).status == 201


def test_an_order_lists_its_own_links_and_those_of_its_customer(shop: Shop) -> None:
    order, other = shop.approved(5), shop.approved(5)
    elsewhere = shop.order(5, customerId=builders.customer("Joyas Vega").pk)
    own, of_customer = shared(shop, order)["id"], shared(shop)["id"]
    shared(shop, other)
    theirs = shared(shop, elsewhere)["id"]
    listed = [row["id"] for row in shop.ana.get(f"{LINKS}?salesOrderId={order}").json]
    assert listed == [of_customer, own]
    assert [row["id"] for row in shop.ana.get(f"{LINKS}?salesOrderId={elsewhere}").json] == [theirs]
    assert len(shop.ana.get(f"{LINKS}?customerId={shop.customer.pk}").json) == 3
    assert [row["id"] for row in shop.ana.get(f"{LINKS}?search=vega").json] == [theirs]


def test_a_revoked_link_opens_nothing_and_says_who_revoked_it(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    revoked = shop.beto.delete(f"{LINKS}/{made['id']}")
    assert (revoked.json["over"], revoked.json["revokedBy"]) == (True, "Beto Torres")
    rows = AuditEntry.objects.filter(entity="customer-links").count()
    again = shop.ana.delete(f"{LINKS}/{made['id']}")
    assert again.json == revoked.json, "the second time it is a no-op"
    assert AuditEntry.objects.filter(entity="customer-links").count() == rows == 2
    assert opened(made).code == "link_over"
    assert said(made, order).code == "link_over"
    assert shop.ana.delete(f"{LINKS}/999999").code == "not_found"


def test_a_restore_revokes_every_link(shop: Shop) -> None:
    made = [shared(shop, shop.approved(5)), shared(shop)]
    assert revoke_all() == 2
    assert {opened(one).code for one in made} == {"link_over"}
    assert revoke_all() == 0


def test_a_deleted_order_ends_its_links_and_takes_its_answers_along(shop: Shop) -> None:
    order = shop.approved(5)
    made, whole = shared(shop, order), shared(shop)
    assert said(made, order).status == 201
    assert shop.ana.delete(f"/api/sales-order/{order}").status == 200
    assert (opened(made).status, opened(made).code) == (404, "link_over")
    assert opened(whole).json["orders"] == []
    assert not CustomerAnswer.objects.exists()
    ended = OutboxEvent.objects.get(type="session.ended")
    assert ended.to_user == subject_of_link(made["id"]), "its sockets close"


def test_the_address_of_a_link_is_of_the_public_site_and_is_told_once(shop: Shop, settings: LazySettings) -> None:
    settings.PUBLIC_URL = "https://taller.example.com"
    made = shared(shop, shop.approved(5))
    assert made["address"] == f"https://taller.example.com/#/c/{made['token']}"
    assert "address" not in shop.ana.get(f"{LINKS}/{made['id']}").json


def test_a_link_says_that_its_mail_was_refused(shop: Shop) -> None:
    made = shared(shop, shop.approved(5), mailTo="b@bounce.test")
    assert made["mailRefused"] is False
    LinkMail.objects.update(mail_refused=1)
    assert shop.ana.get(f"{LINKS}/{made['id']}").json["mailRefused"] is True
    changed = shop.ana.put(f"{LINKS}/{made['id']}", {"mailTo": "c@bounce.test"})
    assert changed.json["mailRefused"] is False, "another address"


def test_a_body_of_more_than_64_kilobytes_is_too_large_for_a_page(shop: Shop) -> None:
    order = shop.approved(5)
    made, account = shared(shop, order), buyer(shop.customer, *ALL)
    for size, status in ((60_000, 422), (65_537, 413)):
        body = answering(order, "comment", text="x" * size)
        assert Caller().post(f"{address(made)}/answers", body).status == status
        assert account.post("/api/customer-page/answers", body).status == status


def test_a_link_of_an_order_that_is_given_to_another_customer_is_over(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    other = builders.customer("Joyas Vega")
    assert shop.ana.put(f"/api/sales-order/{order}", {"customerId": other.pk}).status == 200
    assert opened(made).code == "link_over"
