"""The picture of a line: upload, replacement and removal."""

from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import OperationalError

from project.access.permissions import Permission
from project.orders import pictures
from tests.builders import Shop, line_path, somebody
from tests.project.pictures import picture, upload


@pytest.fixture(autouse=True)
def media(settings: object, tmp_path: object) -> None:
    settings.MEDIA_ROOT = tmp_path  # type: ignore[attr-defined]


def address(order: int) -> str:
    return f"{line_path(order)}/upload/document"


def stored() -> int:
    """The number of stored files: each picture has two, the picture and its thumbnail."""
    return len(default_storage.listdir("lines")[1])


def test_line_shows_the_products_picture_until_it_has_its_own(shop: Shop) -> None:
    order = shop.order(5)
    product = upload(shop.ana, f"/api/items/{shop.item.pk}/document/anillo.jpeg", picture()).json["url"]
    line = shop.line(order)
    assert (line["image"], line["ownImage"]) == (product, False)
    own = upload(shop.ana, address(order), picture()).json
    line = shop.line(order)
    assert (line["image"], line["thumbnail"], line["ownImage"]) == (own["url"], own["thumbnailUrl"], True)
    assert line["itemDocuments"] == [{"url": product}]


def test_upload_is_named_by_its_header_or_by_the_time(shop: Shop) -> None:
    order = shop.order(5)
    named = shop.ana.call("POST", address(order), raw=picture(), content_type="image/jpeg", file_name="frente.jpeg")
    assert (named.status, named.json["nameImage"]) == (201, "frente")
    assert upload(shop.ana, address(order), picture()).json["nameImage"].isdigit()


@pytest.fixture
def committed(django_capture_on_commit_callbacks: Any) -> Any:
    """Runs the on-commit callbacks at the end of the block."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


def test_new_picture_replaces_the_old_files(shop: Shop, committed: Any) -> None:
    order = shop.order(5)
    upload(shop.ana, address(order), picture())
    with committed():
        upload(shop.ana, address(order), picture(size=(30, 30)))
    assert stored() == 2


def test_removed_picture_and_deleted_order_leave_no_files(shop: Shop, committed: Any) -> None:
    order = shop.order(5)
    upload(shop.ana, address(order), picture())
    with committed():
        removed = shop.ana.delete(f"{line_path(order)}/document")
    assert (removed.status, removed.json["ownImage"], stored()) == (200, False, 0)
    assert shop.ana.delete(f"{line_path(order)}/document").status == 404
    upload(shop.ana, address(order), picture())
    with committed():
        assert shop.ana.delete(f"/api/sales-order/{order}").status == 200
    assert stored() == 0


def test_refused_upload_changes_neither_line_nor_storage(shop: Shop) -> None:
    order = shop.order(5)
    upload(shop.ana, address(order), picture())
    before = shop.line(order)
    assert upload(shop.ana, address(order), b"<svg/>").code == "unsupported_image"
    assert shop.ana.call(
        "POST", address(order), raw=picture(), content_type="image/jpeg", file_name="../secreto"
    ).fields == {"nameImage": "invalid"}
    assert upload(shop.ana, address(999_999), picture()).status == 404
    assert (shop.line(order), stored()) == (before, 2)


def test_picture_stays_when_the_commit_may_have_succeeded(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    order = shop.order(5)
    upload(shop.ana, address(order), picture())
    put = pictures._put

    def and_gone(*args: Any) -> None:
        put(*args)
        raise OperationalError("the connection is lost")

    monkeypatch.setattr(pictures, "_put", and_gone)
    assert upload(shop.ana, address(order), picture(size=(30, 30))).status == 503
    assert shop.ana.get(shop.line(order)["image"]).status == 200


def test_canceled_line_refuses_a_picture(shop: Shop) -> None:
    order = shop.order(5)
    shop.status(order, 1, "Canceled")
    assert upload(shop.ana, address(order), picture()).code == "line_closed"


def test_user_who_may_create_orders_may_upload_pictures(shop: Shop) -> None:
    order = shop.order(5)
    assert upload(somebody(Permission.CreateSalesOrder), address(order), picture()).status == 201
    assert upload(somebody(Permission.ListSalesOrders), address(order), picture()).status == 403
