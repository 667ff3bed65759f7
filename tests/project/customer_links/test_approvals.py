"""An approval is given only where the staff asked for it, and names the text and the picture that it was given for."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings

from project.access.permissions import ALL, Permission
from project.audit.models import AuditEntry
from project.core.pictures import IMAGES
from project.customer_links.models import ApprovalRequest
from realtime.models import OutboxEvent
from tests import builders
from tests.builders import Caller, Shop, at_once, buyer, somebody
from tests.project.customer_links.linking import LINKS, ask, asked, page_of, said, shared
from tests.project.pictures import picture


def requests_of(link: dict[str, Any]) -> list[dict[str, Any]]:
    (order,) = page_of(link)["orders"]
    found: list[dict[str, Any]] = order["requests"]
    return found


def test_an_approval_without_a_request_is_refused(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    refused = said(made, order, "approved")
    assert (refused.status, refused.code) == (409, "not_requested")
    account = buyer(shop.customer, *ALL)
    body = {"kind": "approved", "salesOrderId": order, "position": 1}
    assert account.post("/api/customer-page/answers", body).code == "not_requested"


def test_an_approval_closes_the_request_and_names_its_text(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    request = asked(shop, made, order)
    assert (request["status"], request["photo"], request["by"]) == ("open", None, "Ana Torres")
    (shown,) = requests_of(made)
    assert (shown["id"], shown["text"], shown["status"]) == (request["id"], "¿Así la muestra?", "open")
    given = said(made, order, "approved", requestId=request["id"])
    assert (given.status, given.json["requestId"]) == (201, request["id"])
    (row,) = shop.ana.get(f"{LINKS}/answers?salesOrderId={order}").json
    assert (row["request"]["text"], row["request"]["status"]) == ("¿Así la muestra?", "approved")
    assert said(made, order, "approved").code == "not_requested", "it is answered once"
    assert [one["status"] for one in requests_of(made)] == ["approved"]


def test_a_change_closes_the_request_too(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    asked(shop, made, order)
    assert said(made, order, "change", text="Más grande").json["requestId"]
    assert [one["status"] for one in requests_of(made)] == ["changed"]
    assert said(made, order, "change", text="Y más ancho").json["requestId"] is None, "nobody asked"


def test_a_new_request_withdraws_the_former_one(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    first = asked(shop, made, order)
    second = asked(shop, made, order, text="¿Y así?")
    assert [one["id"] for one in requests_of(made)] == [second["id"]]
    assert said(made, order, "approved", requestId=first["id"]).code == "not_requested"
    path = f"{LINKS}/{made['id']}/requests"
    assert shop.ana.get(f"{path}/{first['id']}").json["status"] == "withdrawn"
    for _ in range(2):
        assert shop.ana.delete(f"{path}/{second['id']}").json["status"] == "withdrawn"
    assert said(made, order, "approved").code == "not_requested"
    listed = shop.ana.get(f"{LINKS}/requests?salesOrderId={order}").json
    assert [one["id"] for one in listed] == [second["id"], first["id"]]


def test_an_answered_request_is_not_withdrawn(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    request = asked(shop, made, order)
    said(made, order, "approved")
    assert shop.ana.delete(f"{LINKS}/{made['id']}/requests/{request['id']}").code == "already_answered"


def test_a_request_is_for_the_reader_of_its_link_and_for_accounts_of_the_customer(shop: Shop) -> None:
    order = shop.approved(5)
    made, other = shared(shop, order), shared(shop, order)
    request = asked(shop, made, order)
    assert requests_of(other) == []
    assert said(other, order, "approved").code == "not_requested"
    account = buyer(shop.customer, *ALL)
    (page,) = account.get("/api/customer-page").json["orders"]
    assert [one["id"] for one in page["requests"]] == [request["id"]]
    body = {"kind": "approved", "salesOrderId": order, "position": 1}
    assert account.post("/api/customer-page/answers", body).json["requestId"] == request["id"]


def test_the_picture_of_a_request_stays_when_the_line_gets_another_one(
    shop: Shop, settings: LazySettings, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path
    order = shop.approved(5)
    made = shared(shop, order, showsPhotos=False)
    upload = f"/api/sales-order/{order}/position/1/upload/document"
    put = shop.ana.call("POST", upload, raw=picture(), content_type="image/jpeg")
    assert put.status == 201, put
    request = asked(shop, made, order, photo=put.json["thumbnailUrl"])
    assert request["photo"].split("?")[0] != put.json["url"].split("?")[0]
    again = shop.ana.call("POST", upload, raw=picture(), content_type="image/jpeg")
    assert again.status == 201
    (shown,) = requests_of(made)
    assert Caller().raw(shown["photo"]).startswith(b"\xff\xd8")
    assert Caller().raw(shown["photoThumbnail"]).startswith(b"\xff\xd8")
    assert ask(shop, made, order, photo=put.json["url"]).fields == {"photo": "unknown"}, "the line has it no more"


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"text": " \u200b"}, {"text": "required"}),
        ({"text": "x" * 1_001}, {"text": "too_long"}),
        ({"position": 2}, {"position": "unknown"}),
        ({"salesOrderId": 999_999}, {"salesOrderId": "unknown"}),
        ({"photo": "https://example.com/a.jpeg"}, {"photo": "unknown"}),
        ({"photo": f"{IMAGES}items~{'0' * 32}.jpeg"}, {"photo": "unknown"}),
    ],
    ids=str,
)
def test_a_wrong_request_is_refused(shop: Shop, fields: dict[str, Any], refused: dict[str, str]) -> None:
    order = shop.approved(5)
    answer = ask(shop, shared(shop, order), order, **fields)
    assert (answer.status, answer.fields) == (422, refused)
    assert not ApprovalRequest.objects.exists()


def test_requests_need_what_makes_a_link_and_a_link_that_still_opens(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    path, body = f"{LINKS}/{made['id']}/requests", {"salesOrderId": order, "position": 1, "text": "¿Así?"}
    assert somebody(Permission.ListSalesOrders).post(path, body).status == 403
    assert shop.ana.post(f"{LINKS}/999999/requests", body).code == "not_found"
    other = shop.order(5, customerId=builders.customer("Joyas Vega").pk)
    shop.status(other, 1, "Approved")
    assert ask(shop, made, other).fields == {"salesOrderId": "unknown"}
    shop.ana.delete(f"{LINKS}/{made['id']}")
    assert shop.ana.post(path, body).code == "link_over"


def test_four_requests_at_once_leave_one_open(busy_shop: Shop) -> None:
    order = busy_shop.approved(5)
    made = shared(busy_shop, order)
    answers = at_once([lambda: ask(busy_shop, made, order)] * 4)
    assert [one.status for one in answers] == [201] * 4
    assert ApprovalRequest.objects.filter(status="open").count() == 1


def test_two_approvals_at_once_answer_one_request(busy_shop: Shop) -> None:
    order = busy_shop.approved(5)
    made = shared(busy_shop, order)
    asked(busy_shop, made, order)
    answers = at_once([lambda: said(made, order, "approved")] * 3)
    assert sorted(one.status for one in answers) == [201, 409, 409]


def test_staff_reply_and_the_page_shows_the_reply_without_a_name(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    answer = said(made, order, "comment", text="¿Cuándo?").json["id"]
    path = f"/api/customer-answers/{answer}"
    replied = somebody(Permission.ListOrders).post(f"{path}/reply", {"text": "<b>El lunes</b>"})
    assert (replied.status, [one["text"] for one in replied.json["replies"]]) == (201, ["<b>El lunes</b>"])
    (shown,) = page_of(made)["orders"][0]["answers"]
    (reply,) = shown["replies"]
    assert reply.keys() == {"id", "text", "at"}
    assert reply["text"] == "<b>El lunes</b>"
    assert shop.ana.get(path).json == replied.json
    assert AuditEntry.objects.filter(entity="customer-answers", action="changed").count() == 1
    for text, code in ((" ", "required"), ("", "required"), ("x" * 1_001, "too_long")):
        assert shop.ana.post(f"{path}/reply", {"text": text}).fields["text"] in (code, "too_short")
    assert shop.carla.post(f"{path}/reply", {"text": "No"}).status == 403
    assert buyer(shop.customer, *ALL).post(f"{path}/reply", {"text": "No"}).status == 403
    assert shop.ana.post("/api/customer-answers/999999/reply", {"text": "No"}).code == "not_found"


def test_an_answer_is_handled_once_for_all_of_the_office(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    answer = said(made, order, "comment", text="¿Cuándo?").json["id"]
    path, unread = f"/api/customer-answers/{answer}", "/api/notifications/unread"
    assert [len(one.get(unread).json) for one in (shop.ana, shop.beto)] == [1, 1]
    handled = shop.ana.post(f"{path}/handled").json
    assert (handled["handled"], handled["handledBy"]) == (True, "Ana Torres")
    assert [one.get(unread).json for one in (shop.ana, shop.beto)] == [[], []]
    assert OutboxEvent.objects.filter(type="notification.ended").count() == 1
    assert shop.beto.post(f"{path}/handled").json["handledBy"] == "Ana Torres", "the first one stays"
    assert OutboxEvent.objects.filter(type="customer-talk.changed").count() == 1
