"""A person registers, tries out, lists and removes their browsers. An invalid subscription is refused."""

from ipaddress import ip_network
from typing import Any

import pytest
from django.conf import LazySettings

from project.notices.models import Device, PushMessage
from project.notices.services import MOST_DEVICES
from project.operations import checking
from tests.builders import Shop
from tests.project.notices.browsers import DEVICES, PREFERENCES, VAPID_KEY, Browser, PushService, base64url
from tests.project.notices.mornings import push_due


@pytest.fixture(autouse=True)
def _key(settings: LazySettings) -> None:
    settings.VAPID_KEY = VAPID_KEY


def test_a_person_lists_and_removes_their_own_browsers_only(shop: Shop) -> None:
    browser = Browser()
    device = browser.register(shop.ana)
    assert (device["label"], device["current"], device["failing"]) == ("Chrome · Android", True, False)
    assert device["fingerprint"] == browser.fingerprint
    assert "push.example.com" not in str(device)
    assert shop.ana.get(DEVICES).json == [device]
    path = f"{DEVICES}/{device['id']}"
    assert shop.beto.get(DEVICES).json == []
    for answer in (shop.beto.get(path), shop.beto.delete(path), shop.beto.post(f"{path}/test")):
        assert (answer.status, answer.code) == (404, "not_found")
    assert shop.ana.delete(path).status == 200
    assert shop.ana.get(DEVICES).json == []
    assert shop.ana.delete(path).code == "not_found"


def test_the_same_browser_registers_once_and_keeps_its_id(shop: Shop) -> None:
    browser = Browser()
    first = browser.register(shop.ana)
    again = browser.asked(shop.ana, label="Mi teléfono").json
    assert (again["id"], again["label"]) == (first["id"], "Mi teléfono")
    assert Device.objects.count() == 1


def test_a_shared_browser_belongs_to_who_registered_it_last(shop: Shop) -> None:
    browser = Browser()
    device = browser.register(shop.ana)
    shop.ana.post(f"{DEVICES}/{device['id']}/test")
    browser.register(shop.beto)
    assert shop.ana.get(DEVICES).json == []
    assert len(shop.beto.get(DEVICES).json) == 1
    assert not PushMessage.objects.exists(), "what waited for Ana is not shown to Beto"


def test_the_oldest_browser_goes_when_there_are_too_many(shop: Shop) -> None:
    first = Browser()
    first.register(shop.ana)
    for _ in range(MOST_DEVICES):
        Browser().register(shop.ana)
    found = shop.ana.get(DEVICES).json
    assert len(found) == MOST_DEVICES
    assert first.fingerprint not in {row["fingerprint"] for row in found}


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.com/1",
        "ftp://push.example.com/1",
        "https://",
        "push.example.com/1",
        "https://ana:word@push.example.com/1",
        "https://push.example.com:8443/1",
        "https://push.example.com:99999/1",
        "https://push.example.com/\r\nX: 1",
        "https://push.example.com/a b",
        "https://push.example.com\\@10.0.0.1/",
        "https://push.example.com/#1",
        "https://púsh.example.com/1",
        "javascript:alert(1)",
    ],
)
def test_an_address_that_is_no_push_services_is_refused(shop: Shop, endpoint: str) -> None:
    answer = Browser().asked(shop.ana, endpoint=endpoint)
    assert (answer.status, answer.fields) == (422, {"endpoint": "invalid"})


def test_a_restore_forgets_the_browsers_and_the_pushes_on_their_way(shop: Shop, service: PushService) -> None:
    """Some may have been removed since the backup."""
    browser = service.browser()
    device = browser.register(shop.ana)
    assert shop.ana.post(f"{DEVICES}/{device['id']}/test").status == 200
    assert PushMessage.objects.count() == 1
    assert "1 browsers get no more pushes" in " ".join(one.says for one in checking.finish())
    assert push_due() == 0
    assert (service.shown(browser), Device.objects.count(), PushMessage.objects.count()) == ([], 0, 0)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "10.0.0.7", "[::1]", "169.254.169.254", "2130706433", "0x7f.1", "localhost", "a.localhost."]
)
def test_an_address_in_a_private_network_is_refused_at_once(shop: Shop, settings: LazySettings, host: str) -> None:
    """Networks that webhooks may reach are no exception."""
    settings.DEBUG = False
    settings.WEBHOOK_NETWORKS = [ip_network("10.0.0.0/8")]
    answer = Browser().asked(shop.ana, endpoint=f"https://{host}/push")
    assert (answer.status, answer.fields) == (422, {"endpoint": "private_address"})


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"endpoint": "https://push.example.com/" + "x" * 2_000}, {"endpoint": "too_long"}),
        ({"endpoint": ""}, {"endpoint": "too_short"}),
        ({"label": ""}, {"label": "required"}),
        ({"label": "x" * 201}, {"label": "too_long"}),
        ({"keys": {"p256dh": "A" * 87, "auth": "A" * 22}}, {"keys.p256dh": "invalid"}),
        ({"keys": {"p256dh": "A" * 20, "auth": "A" * 22}}, {"keys.p256dh": "invalid"}),
        ({"keys": {"p256dh": "<script>", "auth": "A" * 22}}, {"keys.p256dh": "invalid"}),
        ({"keys": {}}, {"keys.p256dh": "required", "keys.auth": "required"}),
        ({"expirationTime": None}, {"expirationTime": "unknown_field"}),
    ],
)
def test_a_subscription_that_no_browser_makes_is_refused(
    shop: Shop, fields: dict[str, Any], refused: dict[str, str]
) -> None:
    answer = Browser().asked(shop.ana, **fields)
    assert (answer.status, answer.fields) == (422, refused)
    assert not Device.objects.exists()


def test_an_auth_secret_of_another_length_is_refused(shop: Shop) -> None:
    browser = Browser()
    keys = browser.subscription["keys"] | {"auth": base64url(bytes(15))}
    assert browser.asked(shop.ana, keys=keys).fields == {"keys.auth": "invalid"}


def test_without_a_key_no_browser_can_be_registered_and_the_answer_says_why(shop: Shop, settings: LazySettings) -> None:
    device = Browser().register(shop.ana)
    assert shop.ana.get(PREFERENCES).json["publicKey"] != ""
    settings.VAPID_KEY = b""
    assert shop.ana.get(PREFERENCES).json["publicKey"] == ""
    for answer in (Browser().asked(shop.ana), shop.ana.post(f"{DEVICES}/{device['id']}/test")):
        assert (answer.status, answer.code) == (409, "push_not_ready")


def test_a_browser_of_an_earlier_key_is_shown_as_such_and_registers_again(shop: Shop, settings: LazySettings) -> None:
    browser = Browser()
    device = browser.register(shop.ana)
    settings.VAPID_KEY = bytes(range(2, 34))
    assert [row["current"] for row in shop.ana.get(DEVICES).json] == [False]
    assert shop.ana.post(f"{DEVICES}/{device['id']}/test").code == "push_not_ready"
    assert browser.register(shop.ana)["current"] is True


def test_a_trial_arrives_at_once_and_waits_once(shop: Shop, service: PushService) -> None:
    browser = service.browser()
    device = browser.register(shop.ana)
    for _ in range(3):
        assert shop.ana.post(f"{DEVICES}/{device['id']}/test").status == 200
    assert PushMessage.objects.count() == 1
    assert push_due() == 1
    assert service.shown(browser) == [
        {
            "title": "Obrador",
            "body": "Los avisos llegan a este navegador.",
            "tag": "trial",
            "path": "/account/notices",
        }
    ]
    assert shop.ana.get(DEVICES).json[0]["sentAt"] is not None
