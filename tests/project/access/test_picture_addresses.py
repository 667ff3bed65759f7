"""A signed picture address opens only while the session it was issued to lasts."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.catalogs.models import Item
from project.core import clock
from project.identity.models import RolePermission, User
from realtime.models import OutboxEvent
from tests.builders import Caller, Shop, item, somebody
from tests.project.pictures import picture, upload

ITEMS = "/api/items"


@pytest.fixture(autouse=True)
def _media(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def pictured(shop: Shop) -> str:
    """Give the product a picture and return the path of the product."""
    path = f"{ITEMS}/{shop.item.pk}"
    assert upload(shop.ana, f"{path}/document/anillo.jpeg", picture()).status == 201
    return path


def opens(address: str) -> bool:
    """Return whether the address opens without a token, as an `<img>` asks."""
    status = Caller().get(address).status
    assert status in (200, 404)
    return status == 200


def locked(shop: Shop, eva: Caller) -> None:
    assert shop.ana.put(f"/identity/users/{eva.id}", {"locked": True}).status == 200


def given_a_password(shop: Shop, eva: Caller) -> None:
    assert shop.ana.put(f"/identity/users/{eva.id}", {"password": "Nueva.2026"}).status == 200


def signed_out(shop: Shop, eva: Caller) -> None:
    assert eva.post("/identity/authentication/sign-out").status == 200


def stripped(shop: Shop, eva: Caller) -> None:
    RolePermission.objects.filter(role__users=eva.id).delete()


@pytest.mark.parametrize("ends", [locked, given_a_password, signed_out, stripped], ids=lambda end: end.__name__)
def test_address_closes_with_its_session_and_permissions(
    shop: Shop, quick_passwords: None, ends: Callable[[Shop, Caller], None]
) -> None:
    path, eva = pictured(shop), somebody(Permission.ListItems)
    addresses = [eva.get(path).json[name] for name in ("image", "thumbnail")]
    assert all(map(opens, addresses))
    ends(shop, eva)
    assert not any(map(opens, addresses))
    assert opens(shop.ana.get(path).json["image"])


def test_address_stays_the_same_and_lasts_as_long_as_the_session(shop: Shop) -> None:
    """A board on the wall shows pictures all day, and browsers cache them by address."""
    path = pictured(shop)
    now = clock.end_of_today() - timedelta(hours=20)
    with clock.at(now):
        eva = somebody(Permission.ListItems)
        first = eva.get(path).json["image"]
    with clock.at(now + timedelta(hours=19)):
        assert eva.get(path).json["image"] == first
        assert opens(first)
    with clock.at(now + timedelta(hours=21)):
        assert not opens(first)


def test_each_session_gets_its_own_addresses(shop: Shop) -> None:
    path, eva = pictured(shop), somebody(Permission.ListItems)
    again = Caller(User.objects.get(pk=eva.id))
    assert len({caller.get(path).json["image"] for caller in (shop.ana, eva, again)}) == 3


def test_path_without_a_signature_opens_nothing(shop: Shop) -> None:
    pictured(shop)
    place = "/api/images/" + Item.objects.get(pk=shop.item.pk).image.replace("/", "~")
    assert not opens(place)


def test_addresses_in_events_do_not_open(shop: Shop) -> None:
    """Every subscriber gets the same bytes, so a signed address would open for all of them."""
    pictured(shop)
    order = shop.approved(5)
    upload(shop.ana, f"/api/sales-order/{order}/position/1/upload/document", picture())
    shop.enter(order, shop.casting)
    address = shop.line(order)["image"]
    place = address.partition("?")[0]
    assert opens(address)
    payloads = "".join(OutboxEvent.objects.order_by("id").values_list("payload", flat=True))
    named = set(re.findall(r'"(/api/images/[^"]*)"', payloads))
    assert place in named
    assert not any(map(opens, named))


def test_picture_key_of_a_live_ticket_opens_pictures_in_events(shop: Shop) -> None:
    pictured(shop)
    shop.enter(shop.approved(5), shop.casting)
    payload = OutboxEvent.objects.filter(type="line.moved").latest("id").payload
    line = json.loads(payload)["data"]["line"]
    eva = somebody(Permission.ListOrders)
    key = eva.post("/api/live/ticket").json["pictures"]
    assert opens(f"{line['image']}?{key}")
    assert opens(f"{line['thumbnail']}?{key}")
    assert eva.post("/api/live/ticket").json["pictures"] == key
    stripped(shop, eva)
    assert not opens(f"{line['image']}?{key}")


@pytest.mark.parametrize("place", ["items~x.jpeg", "..~..~settings.py", "items~%2e%2e~x", "items~" + "0" * 32 + ".txt"])
def test_picture_key_opens_only_pictures(shop: Shop, place: str) -> None:
    key = shop.ana.post("/api/live/ticket").json["pictures"]
    assert not opens(f"/api/images/{place}?{key}")


def test_list_costs_no_query_for_each_picture(shop: Shop) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert shop.ana.get(ITEMS).status == 200
        return len(asked)

    few = queries()
    for number in range(50):
        Item.objects.filter(pk=item(f"Aro {number}").pk).update(image="items/x.jpeg")
    assert queries() == few


def test_picture_costs_one_query(shop: Shop) -> None:
    address = shop.ana.get(pictured(shop)).json["image"]
    with CaptureQueriesContext(connection) as asked:
        assert opens(address)
    assert len(asked) == 1
