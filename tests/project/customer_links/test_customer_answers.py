"""What customers answer is stored once, never changed, and rings the bells of the office."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from project.access.permissions import ALL, Permission
from project.audit import services as audit
from project.audit.models import AuditEntry
from project.core import clock
from project.customer_links.models import LONGEST_TEXT, CustomerAnswer
from project.customer_links.services import MOST_ANSWERS
from project.notices.announcing import announce
from project.notices.models import Announcement
from realtime.models import OutboxEvent
from tests import builders
from tests.builders import Caller, Shop, at_once, buyer, line_path, somebody
from tests.project.customer_links.linking import LINKS, address, answering, page_of, said, shared

UNREAD = "/api/notifications/unread"
ANSWERS = f"{LINKS}/answers"


def test_an_answer_is_shown_to_the_customer_and_to_the_staff(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order, name="Para Elena")
    given = said(made, order, "again", quantity=12, text="Para mayo")
    assert given.status == 201
    (shown,) = page_of(made)["orders"][0]["answers"]
    assert shown == given.json
    assert (shown["kind"], shown["position"], shown["quantity"], shown["text"]) == ("again", 1, 12, "Para mayo")
    (row,) = shop.ana.get(f"{ANSWERS}?salesOrderId={order}").json
    assert (row["by"], row["kind"], row["text"], row["quantity"]) == ("Para Elena", "again", "Para mayo", 12)
    assert shop.ana.get(f"{ANSWERS}?salesOrderId={shop.approved(1)}").json == []
    assert shop.ana.get(f"{LINKS}/{made['id']}").json["answersCount"] == 1


def test_a_reader_sees_only_answers_given_through_their_own_link(shop: Shop) -> None:
    order = shop.approved(5)
    one, other = shared(shop, order), shared(shop, order)
    said(one, order, "comment", text="Solo entre nosotros")
    assert page_of(other)["orders"][0]["answers"] == []


def test_an_answer_rings_the_bell_of_the_office_at_once(shop: Shop) -> None:
    order = shop.approved(5)
    said(shared(shop, order), order, "change", text="Más grande, por favor")
    event = OutboxEvent.objects.get(type="notification.created")
    (row,) = shop.ana.get(UNREAD).json
    assert json.loads(event.payload)["data"] == row
    assert event.audience == str(Permission.ListOrders)
    message = row["message"]
    assert (row["type"], message["answer"]) == ("customerAnswer", "change")
    assert (message["salesOrderId"], message["position"]) == (order, 1)
    assert "grande" not in event.payload, "a lock screen may show it"
    announce()
    assert OutboxEvent.objects.filter(type="notification.created").count() == 1


def test_a_notified_answer_is_read_once_and_by_those_who_may(shop: Shop) -> None:
    order = shop.approved(5)
    said(shared(shop, order), order)
    (row,) = shop.ana.get(UNREAD).json
    caster = somebody(Permission.ListOrders, Permission.Station, processes=[shop.casting])
    assert caster.get(UNREAD).json == []
    assert caster.post(f"/api/notifications/{row['id']}/read").code == "not_found"
    assert shop.ana.post(f"/api/notifications/{row['id']}/read").json == row | {"read": True}
    assert shop.ana.get(UNREAD).json == []
    assert len(shop.beto.get(UNREAD).json) == 1
    assert len(shop.beto.post("/api/notifications/read/all").json) == 1


def test_a_notification_of_an_answer_ends_after_a_month(shop: Shop) -> None:
    order = shop.approved(5)
    said(shared(shop, order, days=90), order)
    with clock.at(clock.now() + timedelta(days=31)):
        announce()
        assert Caller(shop.ana.user).get(UNREAD).json == []
    assert OutboxEvent.objects.filter(type="notification.ended").count() == 1
    assert not Announcement.objects.exists()
    assert CustomerAnswer.objects.count() == 1


def test_a_notification_of_an_answer_follows_the_name_of_its_order(shop: Shop) -> None:
    order = shop.approved(5)
    said(shared(shop, order), order)
    shop.ana.put(f"/api/sales-order/{order}", {"customerSalesOrderId": "PO-NEW"})
    announce([order], changed=[order])
    changed = OutboxEvent.objects.get(type="notification.changed")
    assert json.loads(changed.payload)["data"]["message"]["notes"] == "PO-NEW"


def test_an_answer_that_is_sent_again_is_stored_once(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    body = answering(order)
    answers = [Caller().post(f"{address(made)}/answers", body) for _ in range(2)]
    assert answers[0].json == answers[1].json
    assert CustomerAnswer.objects.count() == 1
    assert OutboxEvent.objects.filter(type="notification.created").count() == 1


def test_an_answer_needs_no_key(shop: Shop) -> None:
    """Then each is a new one: only a known key says that it is the same."""
    order = shop.approved(5)
    made = shared(shop, order)
    body = {name: value for name, value in answering(order).items() if name != "key"}
    answers = [Caller().post(f"{address(made)}/answers", body) for _ in range(2)]
    assert [one.status for one in answers] == [201, 201]
    assert CustomerAnswer.objects.count() == 2


@pytest.mark.parametrize(
    "other", [{"kind": "comment"}, {"text": "Con caja"}, {"kind": "again", "quantity": 2}], ids=str
)
def test_another_answer_with_a_known_key_is_refused_and_never_taken_for_the_first(
    shop: Shop, other: dict[str, Any]
) -> None:
    order = shop.approved(5)
    made, body = shared(shop, order), answering(order) | {"text": "Bien"}
    assert Caller().post(f"{address(made)}/answers", body).status == 201
    assert Caller().post(f"{address(made)}/answers", body | other).code == "idempotency_key_reused"
    assert Caller().post(f"{address(made)}/answers", body | other | {"key": "another-key"}).status == 201
    assert CustomerAnswer.objects.count() == 2


def test_two_equal_answers_at_once_are_stored_once(busy_shop: Shop) -> None:
    order = busy_shop.approved(5)
    made, body = shared(busy_shop, order), answering(order)
    answers = at_once([lambda: Caller().post(f"{address(made)}/answers", body)] * 4)
    assert {one.status for one in answers} == {201}
    assert CustomerAnswer.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"kind": "change"}, {"text": "required"}),
        ({"kind": "comment", "text": " \u200b\n"}, {"text": "required"}),
        ({"kind": "comment", "text": "x" * (LONGEST_TEXT + 1)}, {"text": "too_long"}),
        ({"kind": "comment", "text": "x" * 50_000}, {"text": "too_long"}),
        ({"kind": "comment", "text": "a\u202eb"}, {"text": "invalid_text"}),
        ({"kind": "praise"}, {"kind": "not_a_choice"}),
        ({"kind": "approved", "quantity": 3}, {"quantity": "invalid"}),
        ({"kind": "again", "quantity": 0}, {"quantity": "too_small"}),
        ({"kind": "again", "quantity": 1.5}, {"quantity": "invalid_type"}),
        ({"key": "short"}, {"key": "too_short"}),
        ({"key": "<script>alert(1)</script>"}, {"key": "invalid"}),
        ({"linkId": 1}, {"linkId": "unknown_field"}),
    ],
    ids=lambda one: str(one)[:60],
)
def test_a_wrong_answer_is_refused(shop: Shop, fields: dict[str, Any], refused: dict[str, str]) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    answer = Caller().post(f"{address(made)}/answers", answering(order) | fields)
    assert (answer.status, answer.fields) == (422, refused)
    assert not CustomerAnswer.objects.exists()


def test_markup_in_an_answer_is_stored_as_it_was_written(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    text = "<img src=x onerror=alert(1)> & «ñ»\n=2+2"
    assert said(made, order, "comment", text=text).json["text"] == text
    assert page_of(made)["orders"][0]["answers"][0]["text"] == text


def test_answers_through_a_link_are_limited_for_an_hour(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    assert {said(made, order).status for _ in range(MOST_ANSWERS)} == {201}
    refused = said(made, order)
    assert (refused.status, refused.code, refused.headers["Retry-After"]) == (429, "too_many_calls", "3600")
    assert said(shared(shop, order), order).status == 201
    with clock.at(clock.now() + timedelta(hours=1, seconds=1)):
        assert said(made, order).status == 201


def test_an_answer_is_audited_in_the_name_of_its_link(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order, name="Para Elena")
    said(made, order, "comment", text="Gracias")
    row = AuditEntry.objects.get(entity="customer-answers")
    assert (row.user_name, row.action, row.address) == ("Para Elena", "created", "127.0.0.1")
    assert row.user_id is not None
    assert row.user_id < 0
    assert row.changes["text"] == {"before": None, "after": "Gracias"}


def test_the_database_refuses_to_change_an_answer_except_its_text_in_an_erasure(shop: Shop) -> None:
    order = shop.approved(5)
    said(shared(shop, order), order, "comment", text="Pregunte a Ana")
    rows = CustomerAnswer.objects.all()
    for change in ({"kind": "approved"}, {"text": "otra cosa"}, {"at": clock.now()}):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**change)
    with transaction.atomic(), audit.exemption(erases=True):
        assert rows.update(text="Pregunte a ella") == 1
    with pytest.raises(IntegrityError), transaction.atomic(), audit.exemption(erases=True):
        rows.update(kind="approved")


def test_an_account_answers_for_its_own_customer_only(shop: Shop) -> None:
    order = shop.approved(5)
    account, colleague = buyer(shop.customer, *ALL), buyer(shop.customer)
    given = account.post("/api/customer-page/answers", answering(order, "comment", text="Gracias"))
    assert given.status == 201
    for reader in (account, colleague):
        assert [one["answers"] for one in reader.get("/api/customer-page").json["orders"]] == [[given.json]]
    (row,) = shop.ana.get(f"{ANSWERS}?salesOrderId={order}").json
    assert account.user is not None
    assert row["by"] == account.user.full_name
    other = buyer(builders.customer("Joyas Vega"))
    assert other.post("/api/customer-page/answers", answering(order)).fields == {"salesOrderId": "unknown"}
    assert buyer(None).post("/api/customer-page/answers", answering(order)).code == "not_found"
    assert shop.ana.post("/api/customer-page/answers", answering(order)).code == "not_found"
    assert shop.ana.delete(f"/identity/users/{account.id}").code == "in_use"


def test_answers_are_read_by_those_who_read_orders(shop: Shop) -> None:
    order = shop.approved(5)
    said(shared(shop, order), order)
    for reader in (somebody(Permission.ListOrders), somebody(Permission.ListSalesOrders)):
        assert len(reader.get(ANSWERS).json) == 1
    assert shop.carla.get(ANSWERS).status == 403
    po = shop.line(order)["customerSalesOrderId"]
    assert [len(shop.ana.get(f"{ANSWERS}?search={words}").json) for words in (po, "nobody-said-this")] == [1, 0]
    assert buyer(shop.customer, *ALL).get(ANSWERS).status == 403
    assert shop.ana.get(line_path(order)).status == 200
