"""Webhooks: signed messages in order, retries, stopping, replays, and who may create them."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.core import mail

from project.access.permissions import Permission
from project.core import clock
from project.identity.models import User
from project.integrations import delivering
from project.integrations.delivering import RETRIES, signature
from project.integrations.models import Webhook, WebhookDelivery
from project.sending.loop import Answer, Result
from tests.builders import Shop, at_once, somebody
from tests.project.integrations.programs import ACCOUNTS, account_of
from tests.project.integrations.receivers import WEBHOOKS, Receiver, deliver_due, webhook_to

pytestmark = pytest.mark.django_db(transaction=True)


def material(shop: Shop, name: str) -> None:
    assert shop.ana.post("/api/materials", {"name": name}).status == 201


def deliveries(shop: Shop, webhook: dict[str, Any], query: str = "") -> list[dict[str, Any]]:
    answer = shop.ana.get(f"{WEBHOOKS}/{webhook['id']}/deliveries{query}")
    assert answer.status == 200, answer
    rows: list[dict[str, Any]] = answer.json
    return rows


def read(shop: Shop, webhook: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = shop.ana.get(f"{WEBHOOKS}/{webhook['id']}").json
    return found


def test_events_arrive_signed_in_order_and_only_if_the_account_may_read_them(busy_shop: Shop, erp: Receiver) -> None:
    webhook, secret = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    for name in ("Oro", "Plata"):
        material(busy_shop, name)
    busy_shop.ana.post("/api/components", {"name": "Broche"})
    deliver_due()
    deliver_due()
    assert erp.names == ["materials created"] * 2
    assert [one.json["id"] for one in erp.received] == sorted(one.json["id"] for one in erp.received)
    assert all(one.is_signed_with(secret) for one in erp.received)
    assert len({one.id for one in erp.received}) == 2
    assert abs(int(erp.received[0].headers["webhook-timestamp"]) - clock.now().timestamp()) < 60
    rows = deliveries(busy_shop, webhook)
    assert [(row["status"], row["attempts"], len(row["answer"])) for row in rows] == [(200, 1, 500)] * 2
    assert "Oro" not in str(rows)
    sent = read(busy_shop, webhook)
    assert (sent["waiting"], sent["lastDeliveredAt"]) == (0, rows[0]["deliveredAt"])


def test_fields_the_account_may_not_read_are_empty(busy_shop: Shop, erp: Receiver) -> None:
    webhook_to(busy_shop, erp.url, Permission.ShopFloor, types=["line.moved"])
    order = busy_shop.approved(5)
    busy_shop.move("in", order, busy_shop.casting, 2, notes="SECRET")
    deliver_due()
    (one,) = erp.received
    assert one.json["type"] == "line.moved"
    assert "SECRET" not in one.text
    assert (one.json["data"]["record"], one.json["data"]["records"]) == (None, [])


def test_waiting_messages_follow_the_permissions_at_sending_time(busy_shop: Shop, erp: Receiver) -> None:
    webhook, _ = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    erp.answers = [500]
    material(busy_shop, "Oro")
    deliver_due()
    busy_shop.ana.put(f"{ACCOUNTS}/{webhook['accountId']}", {"permissions": [Permission.ListItems]})
    with clock.at(clock.now() + timedelta(minutes=1)):
        deliver_due()
    assert len(erp.received) == 1
    assert deliveries(busy_shop, webhook) == []


def test_webhook_of_a_revoked_account_sends_nothing(busy_shop: Shop, erp: Receiver) -> None:
    webhook, _ = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    busy_shop.ana.delete(f"{ACCOUNTS}/{webhook['accountId']}")
    material(busy_shop, "Oro")
    deliver_due()
    assert erp.received == []
    revoked = read(busy_shop, webhook)
    assert (revoked["active"], revoked["accountActive"], revoked["lastDeliveredAt"]) == (True, False, None)


def test_failed_message_is_retried_before_later_ones(busy_shop: Shop, erp: Receiver) -> None:
    webhook, secret = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    erp.answers, erp.location = [302, 503], erp.url
    start = clock.now()
    for name in ("Oro", "Plata"):
        material(busy_shop, name)
    deliver_due()
    deliver_due()  # too early for a retry
    assert len(erp.received) == 1, "redirects are not followed"
    failing = read(busy_shop, webhook)
    assert (failing["waiting"], failing["failingSince"] is not None) == (2, True)
    with clock.at(start + timedelta(seconds=30)):
        deliver_due()
    with clock.at(start + timedelta(minutes=2)):
        deliver_due()
    first, *again = erp.received
    assert [one.id == first.id for one in again] == [True, True, False]
    assert all(one.is_signed_with(secret) for one in erp.received)
    rows = deliveries(busy_shop, webhook)
    assert [(row["attempts"], row["status"], row["failure"]) for row in rows] == [(1, 200, None), (3, 200, None)]
    assert read(busy_shop, webhook)["failingSince"] is None


def test_retry_delays_grow_to_two_hours_with_jitter() -> None:
    for attempts, seconds in ((1, 5), (2, 15), (3, 45), (8, 6_000), (500, 6_000)):
        waits = [RETRIES.wait(Answer(Result.later), attempts=attempts, since=clock.now()) for _ in range(20)]
        found = {wait.total_seconds() for wait in waits if wait}
        assert seconds <= min(found) < max(found) <= seconds * 1.2


def test_webhook_is_stopped_after_a_day_of_failures_and_managers_get_a_mail(
    busy_shop: Shop, erp: Receiver, settings: LazySettings
) -> None:
    settings.MAIL_SERVER = True
    somebody(Permission.ListItems)
    webhook, _ = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    erp.answers = [500, 500]
    start = clock.now()
    material(busy_shop, "Oro")
    deliver_due()
    with clock.at(start + timedelta(hours=25)):
        deliver_due()
        deliver_due()
    stopped = read(busy_shop, webhook)
    assert (stopped["active"], stopped["stoppedAt"] is not None, stopped["waiting"]) == (False, True, 1)
    assert len(erp.received) == 2
    assert sorted(one.to[0] for one in mail.outbox) == ["ana@obrador.test", "beto@obrador.test"]
    assert erp.url in str(mail.outbox[0].body)
    assert f"/#/administration/webhooks?record={webhook['id']}" in str(mail.outbox[0].body)
    audited = busy_shop.ana.get("/api/audit?entity=webhooks&action=changed&ordering=-id").json[0]
    assert audited["changes"] == {"active": {"before": True, "after": False}}
    assert busy_shop.ana.put(f"{WEBHOOKS}/{webhook['id']}", {"active": True}).json["stoppedAt"] is None
    deliver_due()
    assert erp.names == ["materials created"] * 3


@pytest.mark.parametrize("name", ["Line\nBcc: eve@obrador.test", "Line\u2028two", "Line\x85\x1etwo\x1b"], ids=ascii)
def test_webhook_with_line_breaks_in_its_name_is_stopped_and_mailed(
    busy_shop: Shop, erp: Receiver, settings: LazySettings, name: str
) -> None:
    """Former releases allowed such names. A manager with an invalid address must not keep others from getting the
    mail."""
    settings.MAIL_SERVER = True
    webhook, _ = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    Webhook.objects.update(name=name)
    User.objects.filter(pk=busy_shop.ana.id).update(email="ana\nBcc: eve@obrador.test")
    erp.answers = [410]
    material(busy_shop, "Oro")
    deliver_due()
    assert not read(busy_shop, webhook)["active"]
    [sent] = mail.outbox
    assert sent.recipients() == ["beto@obrador.test"]
    assert "eve@obrador.test" not in sent.message().get_all("To", []) + sent.message().get_all("Bcc", [])
    assert len(str(sent.message()["Subject"]).splitlines()) == 1


def test_webhook_is_stopped_when_the_receiver_answers_410(busy_shop: Shop, erp: Receiver) -> None:
    webhook, _ = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    erp.answers = [410]
    material(busy_shop, "Oro")
    deliver_due()
    assert not read(busy_shop, webhook)["active"]


def test_one_delivery_or_all_since_an_instant_can_be_replayed_with_their_ids(busy_shop: Shop, erp: Receiver) -> None:
    webhook, _ = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    start = clock.now()
    for name in ("Oro", "Plata", "Cobre"):
        material(busy_shop, name)
    deliver_due()
    path = f"{WEBHOOKS}/{webhook['id']}/replay"
    row = deliveries(busy_shop, webhook)[1]
    assert busy_shop.ana.post(path, {"deliveryId": row["id"]}).json["waiting"] == 1
    deliver_due()
    assert [one.id for one in erp.received[3:]] == [row["messageId"]]
    since = start.isoformat().replace("+00:00", "Z")
    assert busy_shop.ana.post(path, {"since": since}, idempotency_key="again").json["waiting"] == 3
    busy_shop.ana.post(path, {"since": since}, idempotency_key="again")
    deliver_due()
    assert [one.id for one in erp.received[4:]] == [one.id for one in erp.received[:3]]
    for body in ({}, {"deliveryId": row["id"], "since": since}):
        assert busy_shop.ana.post(path, body).status == 422
    assert busy_shop.ana.post(path, {"deliveryId": 999_999}).fields == {"deliveryId": "unknown"}
    nothing = busy_shop.ana.post(path, {"since": "2031-01-01T00:00:00Z"})
    assert (nothing.status, nothing.code) == (409, "nothing_to_replay")


def test_old_secret_still_signs_for_a_day(busy_shop: Shop, erp: Receiver) -> None:
    webhook, first = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    second = busy_shop.ana.post(f"{WEBHOOKS}/{webhook['id']}/secret").json["secret"]
    material(busy_shop, "Oro")
    deliver_due()
    with clock.at(clock.now() + timedelta(hours=25)):
        busy_shop.ana.bearer = None
        WebhookDelivery.objects.update(delivered_at=None)
        deliver_due()
    both, later = erp.received
    assert both.is_signed_with(first)
    assert both.is_signed_with(second)
    assert later.is_signed_with(second)
    assert not later.is_signed_with(first)
    kept = str([*Webhook.objects.values_list()])
    assert first not in kept
    assert second not in kept


def test_simultaneous_workers_send_each_message_once(busy_shop: Shop, erp: Receiver) -> None:
    webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    for number in range(8):
        material(busy_shop, f"Metal {number}")
    at_once([deliver_due] * 4)
    assert len(erp.received) == len({one.id for one in erp.received}) == 8


def test_messages_held_by_a_dead_worker_are_sent_when_its_hold_expires(busy_shop: Shop, erp: Receiver) -> None:
    webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    material(busy_shop, "Oro")
    now = clock.now()
    Webhook.objects.update(held_until=now + delivering.HELD)
    deliver_due()
    assert erp.received == []
    with clock.at(now + delivering.HELD + timedelta(seconds=1)):
        deliver_due()
    assert len(erp.received) == 1


def test_old_deliveries_are_deleted_but_waiting_ones_kept(busy_shop: Shop, erp: Receiver) -> None:
    webhook, _ = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    erp.answers = [200, 500]
    for name in ("Oro", "Plata"):
        material(busy_shop, name)
    deliver_due()
    with clock.at(clock.now() + timedelta(days=31)):
        delivering.forget_old()
    assert [row["status"] for row in deliveries(busy_shop, webhook)] == [500]


def test_webhook_with_a_lost_key_sends_again_after_a_new_secret(
    busy_shop: Shop, erp: Receiver, settings: LazySettings
) -> None:
    known, lost = settings.SECRET_KEY, "a secret that is lost since, of more than thirty-two bytes"
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = lost, [known]
    webhook, _ = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = known, []
    material(busy_shop, "Oro")
    deliver_due()
    [row] = deliveries(busy_shop, webhook)
    assert (erp.received, "a key that is gone" in row["answer"]) == ([], True)
    secret = busy_shop.ana.post(f"{WEBHOOKS}/{webhook['id']}/secret").json["secret"]
    with clock.at(clock.now() + timedelta(minutes=10)):
        deliver_due()
    assert [one.is_signed_with(secret) for one in erp.received] == [True]


def test_signature_matches_the_example_of_the_standard() -> None:
    """The test vector of the libraries at https://github.com/standard-webhooks/standard-webhooks."""
    said = signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}'
    )
    assert said == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://erp.example.com/hook", "https_required"),
        ("ftp://erp.example.com/hook", "https_required"),
        ("https://", "invalid"),
        ("https://user:word@erp.example.com/", "invalid"),
        ("https://erp.example.com:99999/", "invalid"),
        ("https://erp.example.com/\r\nX: 1", "invalid"),
        ("https://erp.example.com:0/", "invalid"),
        ("https://erp.example com/", "invalid"),
        ("https://erp.example.com/a hook", "invalid"),
        ("https://erp%20example.com/", "invalid"),
        ("https://./", "invalid"),
        ("https://127.0.0.1/hook", "private_address"),
        ("https://localhost./hook", "private_address"),
        ("https://foo.localhost/hook", "private_address"),
        ("https://2130706433/hook", "private_address"),
        ("https://0x7f.0.0.1/hook", "private_address"),
        ("https://0177.0.0.1/hook", "private_address"),
        ("https://10.1/hook", "private_address"),
        ("https://127.0.0.1./hook", "private_address"),
        ("https://localhost/hook", "private_address"),
        ("https://10.0.0.7/hook", "private_address"),
        ("https://169.254.169.254/latest", "private_address"),
        ("https://[::1]/hook", "private_address"),
        ("https://[::ffff:10.0.0.7]/hook", "private_address"),
    ],
)
def test_invalid_or_private_url_gets_422(shop: Shop, url: str, code: str) -> None:
    body = {"name": "ERP", "url": url, "types": ["line.moved"], "accountId": account_of(shop)["id"]}
    answer = shop.ana.post(WEBHOOKS, body)
    assert (answer.status, answer.fields) == (422, {"url": code}), answer


def test_user_cannot_point_a_webhook_at_an_account_that_may_do_more(shop: Shop) -> None:
    strong = account_of(shop, Permission.ListItems, Permission.CreateItem)
    keeper = somebody(Permission.ManageIntegrations, Permission.ListItems)
    body = {"name": "Suyo", "url": "https://erp.example.com/", "types": ["catalog.changed"], "accountId": strong["id"]}
    assert keeper.post(WEBHOOKS, body).status == 403
    made = shop.ana.post(WEBHOOKS, body).json
    path = f"{WEBHOOKS}/{made['id']}"
    for answer in (keeper.put(path, {"url": "https://his.example.com/"}), keeper.post(f"{path}/secret")):
        assert (answer.status, answer.code) == (403, "permission_denied")
    wrong = shop.ana.post(WEBHOOKS, body | {"name": "Otro", "types": ["session.ended", "x"], "accountId": 999_999})
    assert wrong.fields == {"types.0": "unknown", "types.1": "unknown", "accountId": "unknown"}
    assert keeper.delete(path).status == 200
