"""A record of another person, record or order is not found and is not changed."""

import io
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings, settings
from PIL import Image

from project.core import clock
from tests import builders
from tests.builders import Answer, Caller, Shop, line_path, release


@pytest.fixture(autouse=True)
def media(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def not_found(answer: Answer) -> None:
    assert (answer.status, answer.code) == (404, "not_found"), answer


def pictured(shop: Shop) -> str:
    """Give the shop's item a picture. Return its address."""
    drawn = io.BytesIO()
    Image.new("RGB", (40, 30), "silver").save(drawn, "JPEG")
    path = f"/api/items/{shop.item.pk}/document/anillo.jpeg"
    answer = shop.ana.call("POST", path, raw=drawn.getvalue(), content_type="image/jpeg")
    assert answer.status == 201, answer
    return str(answer.json["url"])


def test_the_notification_of_another_person_is_not_found(shop: Shop) -> None:
    order = shop.approved(5)
    with clock.at(clock.now() - timedelta(hours=settings.ALERT_OPEN_HOURS, minutes=1)):
        builders.move(Caller(shop.ana.user), "in", order, shop.casting)
    (row,) = shop.ana.get("/api/notifications/unread").json
    not_found(shop.carla.post(f"/api/notifications/{row['id']}/read"))
    assert shop.carla.post("/api/notifications/read/all").json == []
    assert [one["id"] for one in shop.ana.get("/api/notifications/unread").json] == [row["id"]]


def test_a_picture_is_not_found_through_another_record_or_kind_of_record(shop: Shop) -> None:
    url = pictured(shop)
    other = builders.item("Collar")
    for path in (
        f"/api/items/{other.pk}/document/anillo",
        f"/api/customers/{shop.customer.pk}/document/anillo.jpeg",
        f"/api/items/{shop.item.pk}/document/otra",
        "/api/items/999999/document/anillo",
    ):
        not_found(shop.ana.delete(path))
    assert shop.nobody.raw(url).startswith(b"\xff\xd8")
    assert shop.ana.get(f"/api/items/{shop.item.pk}").json["nameImage"] == "anillo"


def test_a_changed_address_of_a_picture_is_not_found(shop: Shop) -> None:
    url = pictured(shop)
    assert shop.ana.bearer not in url
    base, signed = url.rsplit("/", 1)
    not_found(shop.nobody.get(f"{base}/{signed[:-2]}xx"))
    not_found(shop.nobody.get(f"{base}/{signed.split(':')[0]}"))
    not_found(shop.nobody.get(f"{base}/x{signed}"))


def test_a_line_of_another_order_is_not_found(shop: Shop) -> None:
    one, two = shop.approved(5), shop.approved(5, 5)
    shop.enter(two, shop.casting)
    for answer in (
        shop.ana.get(line_path(one, 2)),
        shop.ana.put(f"{line_path(one, 2)}/full", {"notes": "x"}),
        shop.ana.get(f"{line_path(one, 2)}/history"),
        release(shop.ana, one, shop.casting, position=2),
    ):
        not_found(answer)
    assert release(shop.ana, one, shop.casting).code == "nothing_to_release"
    assert shop.line(two)["quantityInside"] == 5
