"""Messages about a line: who writes and reads them, what is refused, and what the line shows of a call."""

import json
from base64 import b64encode
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.audit import services as audit
from project.audit.models import AuditEntry
from project.core import clock
from project.core.schemas import utc_z
from project.orders.models import Line
from project.talk import selectors
from project.talk.models import Coming, Message
from realtime.models import OutboxEvent
from tests.builders import Caller, Shop, at_once, buyer, somebody
from tests.project.pictures import picture
from tests.project.talk.talking import called, come, messages, say

PHOTO = b64encode(picture()).decode()


def call_of(shop: Shop, order: int) -> Any:
    return shop.line(order)["call"]


def test_a_message_is_read_with_its_photo_and_whom_it_mentions(shop: Shop) -> None:
    order = shop.approved(5)
    role = shop.beto.user.roles.get()
    mentions = [
        {"kind": "user", "id": shop.beto.id},
        {"kind": "role", "id": role.pk},
        {"kind": "process", "id": shop.casting.pk},
    ]
    written = say(shop.ana, order, text="¿Quién tiene\nla plata?", photo=PHOTO, mentions=mentions)
    assert written.status == 201, written
    (row,) = shop.beto.get(messages(order)).json
    assert (row["text"], row["kind"]) == ("¿Quién tiene\nla plata?", "talk")
    assert row["by"] == {"id": shop.ana.id, "fullName": shop.ana.user.full_name}
    names = [shop.beto.user.full_name, role.name, shop.casting.name]
    assert [one["name"] for one in row["mentions"]] == names
    assert shop.beto.raw(row["photo"])
    assert shop.beto.raw(row["photoThumbnail"])
    assert call_of(shop, order) is None


def test_a_thread_is_paged_newest_first_in_a_fixed_number_of_queries(shop: Shop) -> None:
    order = shop.approved(5)
    line = Line.objects.get(order=order)
    now = clock.now()
    Message.objects.bulk_create(
        Message(
            line=line,
            kind="stop" if at % 2 else "talk",
            text=f"Mensaje {at}",
            mentions=[{"kind": "user", "id": shop.beto.id}],
            by_id=shop.ana.id,
            at=now - timedelta(days=1),
            received_at=now - timedelta(days=1),
        )
        for at in range(5_000)
    )
    counts = []
    for limit in (1, 100):
        with CaptureQueriesContext(connection) as counted:
            page = shop.ana.get(f"{messages(order)}?limit={limit}")
        counts.append(len(counted))
    assert [row["text"] for row in page.json[:2]] == ["Mensaje 4999", "Mensaje 4998"]
    assert len(page.json) == 100
    assert counts[0] == counts[1]
    assert called(shop.ana, order) == selectors.open_call(line).pk  # type: ignore[union-attr]


def test_a_call_is_shown_by_the_line_until_somebody_comes(shop: Shop) -> None:
    order = shop.approved(5)
    missing = called(shop.beto, order, "missing", productionProcessId=shop.casting.pk)
    stop = called(shop.beto, order, "stop", text="El molde está roto")
    assert call_of(shop, order)["id"] == stop
    assert call_of(shop, order)["kind"] == "stop"
    assert shop.line(order)["attention"].count("called") == 1
    assert [row["id"] for row in shop.ana.get("/api/sales-order/positions?called=true").json] == [
        shop.line(order)["id"]
    ]
    came = come(shop.ana, order, stop)
    assert (came.status, came.json["coming"]["by"]["id"]) == (200, shop.ana.id)
    assert call_of(shop, order)["id"] == missing, "the earlier call is still open"
    assert come(shop.beto, order, stop).json["coming"]["by"]["id"] == shop.ana.id, "the first one stays"
    assert shop.ana.post(f"{messages(order)}/{missing}/coming").status == 200, "here and now, without a body"
    assert call_of(shop, order) is None
    assert shop.ana.get("/api/sales-order/positions?called=true").json == []


def test_a_stop_moves_and_refuses_nothing(shop: Shop) -> None:
    order = shop.approved(5)
    shop.enter(order, shop.casting, 3)
    before = shop.line(order)
    called(shop.ana, order)
    after = shop.line(order)
    assert {name: value for name, value in after.items() if before[name] != value}.keys() == {
        "version",
        "call",
        "attention",
    }
    assert shop.leave(order, shop.casting)["quantityInside"] == 0


def test_a_call_changes_the_line_for_everybody_and_its_text_goes_to_readers_of_notes_alone(shop: Shop) -> None:
    order = shop.approved(5)
    last = OutboxEvent.objects.latest("id").pk
    called(shop.ana, order, text="Falta soldadura")
    message, changed = OutboxEvent.objects.filter(pk__gt=last).order_by("pk")
    assert (message.type, changed.type) == ("line.message", "line.changed")
    assert "Falta soldadura" in message.payload
    assert "Falta soldadura" not in changed.payload
    assert Permission.ShopFloor not in message.audience.split()
    assert message.customer is None
    call = json.loads(changed.payload)["data"]["line"]["call"]
    assert (call["kind"], call.keys()) == ("stop", {"id", "kind", "at"})


def test_talk_leaves_the_line_as_it_is(shop: Shop) -> None:
    order = shop.approved(5)
    version = shop.line(order)["version"]
    say(shop.ana, order, text="Hola")
    assert shop.line(order)["version"] == version


def test_customers_and_people_who_read_no_notes_are_refused(shop: Shop) -> None:
    order = shop.approved(5)
    message = called(shop.ana, order)
    for other in (buyer(shop.customer), somebody(Permission.ShopFloor), somebody(Permission.ListCustomers)):
        for answer in (other.get(messages(order)), say(other, order, "stop"), come(other, order, message)):
            assert answer.status == 403, answer
    own = buyer(shop.customer, Permission.ListOrders).get(f"/api/sales-order/{order}/position/1").json
    assert (own["call"], own["attention"]) == (None, [])
    listed = buyer(shop.customer, Permission.ListOrders).get("/api/sales-order/positions?called=true")
    assert listed.fields == {"called": "not_a_choice"}


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"text": ""}, {"text": "required"}),
        ({"text": "\u200b"}, {"text": "required"}),
        ({"text": "x" * 1_001}, {"text": "too_long"}),
        ({"kind": "alarm"}, {"kind": "not_a_choice"}),
        ({"kind": "stop", "productionProcessId": 999_999}, {"productionProcessId": "unknown"}),
        ({"kind": "stop", "mentions": [{"kind": "user", "id": 999_999}]}, {"mentions.0": "unknown"}),
        ({"kind": "stop", "mentions": [{"kind": "role", "id": 999_999}]}, {"mentions.0": "unknown"}),
        ({"kind": "stop", "mentions": [{"kind": "process", "id": 999_999}]}, {"mentions.0": "unknown"}),
        ({"kind": "stop", "photo": "no base 64"}, {"photo": "invalid"}),
    ],
)
def test_a_wrong_body_is_refused_at_its_field(shop: Shop, body: dict[str, Any], fields: dict[str, str]) -> None:
    answer = shop.ana.post(messages(shop.approved(5)), body)
    assert (answer.status, answer.fields) == (422, fields)
    assert not Message.objects.exists()


def test_somebody_who_has_left_or_is_no_staff_is_not_mentioned(shop: Shop) -> None:
    order = shop.approved(5)
    gone, customer = somebody(), buyer(shop.customer)
    gone.user.active = False
    gone.user.save()
    mentions = [{"kind": "user", "id": one.id} for one in (shop.ana, gone, customer)]
    answer = say(shop.ana, order, text="¿?", mentions=mentions)
    assert answer.fields == {"mentions.1": "unknown", "mentions.2": "unknown"}


def test_a_message_names_somebody_who_has_left_since(shop: Shop) -> None:
    order, gone = shop.approved(5), somebody()
    mentions = [{"kind": "user", "id": gone.id}]
    said = say(shop.ana, order, text="¿Puedes?", mentions=mentions).json
    gone.user.active = False
    gone.user.save()
    (row,) = shop.ana.get(messages(order)).json
    assert row["mentions"] == said["mentions"] == [{**mentions[0], "name": gone.user.full_name}]


def test_a_photo_of_30_mb_is_refused_and_a_picture_that_is_none_too(shop: Shop) -> None:
    order = shop.approved(5)
    large = say(shop.ana, order, photo=b64encode(bytes(30_000_000)).decode())
    assert (large.status, large.code) == (413, "body_too_large")
    other = say(shop.ana, order, photo=b64encode(b"no picture").decode())
    assert other.code == "unsupported_image"
    assert not Message.objects.exists()


def test_unknown_lines_and_messages_are_not_found(shop: Shop) -> None:
    order, other = shop.approved(5), shop.approved(5)
    message = called(shop.ana, order)
    assert shop.ana.get(messages(order, 2)).status == 404
    assert shop.ana.post(messages(order, 2), {"kind": "stop"}).status == 404
    assert come(shop.ana, other, message).status == 404
    talk = say(shop.ana, order, text="Hola").json["id"]
    refused = come(shop.ana, order, talk)
    assert (refused.status, refused.code) == (409, "not_a_call")


def test_a_burst_ends_after_60_messages_of_a_person_in_a_minute(shop: Shop) -> None:
    order = shop.approved(5)
    with clock.at(clock.now()):
        answers = [say(shop.ana, order, text=f"{at}").status for at in range(61)]
        assert (answers[:60], answers[60]) == ([201] * 60, 429)
        assert say(shop.ana, order, text="?").json["params"]["retryAfter"] == 60
        assert say(shop.beto, order, text="Otra persona").status == 201
    with clock.at(clock.now() + timedelta(seconds=61)):
        assert say(shop.ana, order, text="Ahora sí").status == 201


def test_a_message_that_is_sent_again_is_stored_once(shop: Shop) -> None:
    order = shop.approved(5)
    key = {"Idempotency-Key": "4c4f2c5e-0000-4000-8000-000000000001"}
    body = {"kind": "stop", "text": "Alto"}
    first, again = (shop.ana.post(messages(order), body, **key) for _ in range(2))
    assert (first.status, again.status, again.json["id"]) == (201, 201, first.json["id"])
    assert Message.objects.count() == 1


def test_a_message_is_never_changed_and_goes_with_its_line(shop: Shop) -> None:
    order = shop.order(1)
    message = called(shop.ana, order)
    with pytest.raises(IntegrityError), transaction.atomic():
        Message.objects.update(text="Otra cosa")
    with pytest.raises(IntegrityError), transaction.atomic(), audit.exemption(erases=True):
        Message.objects.update(kind="talk")
    come(shop.ana, order, message)
    with pytest.raises(IntegrityError), transaction.atomic():
        Coming.objects.update(by=shop.beto.user)
    assert shop.ana.delete(f"/api/sales-order/{order}").status == 200
    assert (Message.objects.count(), Coming.objects.count()) == (0, 0)


def test_the_photos_of_messages_go_with_their_order(shop: Shop, django_capture_on_commit_callbacks: Any) -> None:
    order = shop.order(1)
    assert say(shop.ana, order, text="Así llegó", photo=PHOTO).status == 201
    photo = Message.objects.get().photo
    with django_capture_on_commit_callbacks(execute=True):
        assert shop.ana.delete(f"/api/sales-order/{order}").status == 200
    assert not default_storage.exists(photo)


@pytest.mark.django_db(transaction=True)
def test_a_person_cannot_pass_the_limit_by_writing_at_once(busy_shop: Shop) -> None:
    order = busy_shop.approved(5)
    for at in range(58):
        assert say(busy_shop.ana, order, text=f"{at}").status == 201
    answers = at_once([lambda: say(busy_shop.ana, order, text="¿Hay alguien?")] * 8)
    assert Counter(answer.status for answer in answers) == {201: 2, 429: 6}


def test_the_audit_knows_who_wrote_and_came_but_no_text(shop: Shop) -> None:
    order = shop.approved(5)
    message = called(shop.ana, order, text="Falta soldadura")
    come(shop.beto, order, message)
    rows = AuditEntry.objects.filter(entity="line-messages", entity_id=message).order_by("id")
    assert [(row.action, row.user_id) for row in rows] == [("created", shop.ana.id), ("changed", shop.beto.id)]
    assert "soldadura" not in str([row.changes for row in rows])


def test_a_station_that_was_offline_reports_when_it_called(shop: Shop) -> None:
    order = shop.approved(5)
    at = clock.now() - timedelta(hours=2)
    written = say(shop.ana, order, "missing", productionProcessId=shop.casting.pk, madeAt=utc_z(at))
    assert written.json["at"] == utc_z(at)
    assert written.json["receivedAt"] > written.json["at"]
    assert call_of(shop, order)["at"] == utc_z(at)
    early = say(shop.ana, order, "missing", madeAt=utc_z(clock.now() - timedelta(hours=25)))
    assert early.code == "made_at_out_of_range"
    came = come(shop.ana, order, written.json["id"], madeAt=utc_z(at - timedelta(hours=1)))
    assert came.json["coming"]["at"] == utc_z(at), "nobody comes before the call"


@pytest.mark.django_db(transaction=True)
def test_two_who_come_at_once_are_one(shop: Shop) -> None:
    order = shop.approved(5)
    message = called(shop.ana, order)
    callers: list[Caller] = [shop.ana, shop.beto]
    answers = at_once([lambda by=by: come(by, order, message) for by in callers])  # type: ignore[misc]
    assert {answer.status for answer in answers} == {200}
    assert len({answer.json["coming"]["by"]["id"] for answer in answers}) == 1
    assert Coming.objects.count() == 1


def test_an_erasure_empties_what_a_person_wrote_and_deletes_their_photos(
    shop: Shop, django_capture_on_commit_callbacks: Any
) -> None:
    order, writer = shop.approved(5), somebody(Permission.ListOrders)
    assert say(writer, order, text="La pulo yo", photo=PHOTO).status == 201
    photo = Message.objects.get().photo
    assert default_storage.exists(photo)
    kept = say(shop.ana, order, text="Gracias").json
    with django_capture_on_commit_callbacks(execute=True):
        erased = shop.ana.post(f"/identity/users/{writer.id}/erase", {"name": writer.user.full_name})
    assert erased.status == 200, erased
    newest, oldest = shop.ana.get(messages(order)).json
    assert (newest["text"], oldest["text"], oldest["photo"]) == (kept["text"], "", None)
    assert not default_storage.exists(photo)


def test_no_webhook_gets_messages(shop: Shop) -> None:
    account = shop.ana.post("/api/service-accounts", {"name": "ERP", "permissions": ["ListOrders"]}).json
    body = {"name": "ERP", "url": "https://example.org", "accountId": account["id"], "types": ["line.message"]}
    assert shop.ana.post("/api/webhooks", body).fields == {"types.0": "unknown"}
