"""Large pictures are decoded in other processes, so that a failure affects no other request."""

import io
from concurrent.futures import Future
from typing import Any

import httpx
import pytest
from django.db import connection
from PIL import Image

from project.core import decoding, pictures
from project.core.decoding import decoded
from tests.builders import Shop, at_once
from tests.memory import grows_by_at_most
from tests.project import mishaps
from tests.project.catalogs.test_pictures import of_item
from tests.project.pictures import blank_png, picture, upload
from tests.realtime import daphnes

FIFTY, TWO_HUNDRED = (7_071, 7_071), (20_000, 10_000)
PNG = "image/png"


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def test_50_megapixels_are_accepted_without_memory_of_this_process(shop: Shop) -> None:
    assert upload(shop.ana, of_item(shop), picture()).status == 201  # starts the processes
    raw = blank_png(*FIFTY)
    with grows_by_at_most(40):
        answer = upload(shop.ana, of_item(shop), raw, PNG)
    assert answer.status == 201, answer
    assert Image.open(io.BytesIO(shop.nobody.raw(answer.json["url"]))).size == (2_048, 2_048)


def test_200_megapixels_get_413(shop: Shop) -> None:
    answer = upload(shop.ana, of_item(shop), blank_png(*TWO_HUNDRED), PNG)
    assert (answer.status, answer.code) == (413, "image_too_large")


@pytest.mark.parametrize(
    ("mishap", "seconds", "status", "code"),
    [
        (mishaps.ends_itself, 1.0, 503, "unavailable"),
        (mishaps.never_ends, 0.2, 503, "unavailable"),
        (mishaps.takes_too_much, 1.0, 413, "image_too_large"),
    ],
)
def test_picture_that_ends_its_process_gets_an_error_and_the_next_is_accepted(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, mishap: Any, seconds: float, status: int, code: str
) -> None:
    assert upload(shop.ana, of_item(shop), picture()).status == 201
    with monkeypatch.context() as patched:
        patched.setattr(decoding, "decoded", mishap)
        patched.setattr(pictures, "DECODE_SECONDS", seconds)
        answer = upload(shop.ana, of_item(shop, "otro"), picture())
    assert (answer.status, answer.code) == (status, code)
    assert (status == 503) == ("Retry-After" in answer.headers)
    assert shop.ana.get(f"/api/items/{shop.item.pk}").json["nameImage"] == "anillo", "the old picture stays"
    assert upload(shop.ana, of_item(shop), picture()).status == 201


def test_no_database_connection_is_held_while_a_picture_is_decoded(
    busy_shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, held = pictures._processes.start, []

    def watched(*args: Any, **named: Any) -> "Future[Any]":
        held.append(connection.connection)
        return start(*args, **named)

    monkeypatch.setattr(pictures._processes, "start", watched)
    line = f"/api/sales-order/{busy_shop.order(1)}/position/1/upload/document"
    for path in (of_item(busy_shop), line):
        assert upload(busy_shop.ana, path, picture()).status == 201
    assert held == [None, None]


def test_uploads_beyond_the_limit_get_503_with_retry_after(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures._processes, "_each", 0)
    answer = upload(shop.ana, of_item(shop), picture())
    assert (answer.status, answer.code, answer.headers["Retry-After"]) == (503, "unavailable", "5")


def test_twelve_large_uploads_at_once_do_not_exhaust_the_server(busy_shop: Shop) -> None:
    server = daphnes.shared(DATABASE_POOL="2")
    path, raw = f"{server.url}{of_item(busy_shop)}", blank_png(*FIFTY)
    headers = {"Authorization": f"Bearer {busy_shop.ana.bearer}"}

    def sent(body: bytes, kind: str) -> httpx.Response:
        return httpx.post(path, content=body, headers=headers | {"Content-Type": kind}, timeout=600)

    assert sent(picture(), "image/jpeg").status_code == 201
    with grows_by_at_most(100, server.process.pid):
        answers = at_once([lambda: sent(raw, PNG)] * 12)
    assert {answer.status_code for answer in answers} <= {201, 503}
    assert any(answer.status_code == 201 for answer in answers)
    assert sent(picture(), "image/jpeg").status_code == 201


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_picture_decoded_in_bands_equals_the_original(mode: str) -> None:
    """Red above and blue below, stored upside down."""
    if mode == "I;16":
        drawn = Image.new(mode, (3_000, 6_200), 65_535 // 2)
    else:
        drawn = Image.new("RGB", (3_000, 6_200), "red")
        drawn.paste("blue", (0, 3_100, 3_000, 6_200))
        drawn = drawn.convert(mode)
    exif = Image.Exif()
    exif[0x0112] = 3  # upside down
    raw = io.BytesIO()
    drawn.save(raw, "PNG", exif=exif)
    whole, thumbnail = (Image.open(io.BytesIO(one)) for one in decoded(raw.getvalue()))
    assert (whole.size, thumbnail.size) == ((991, 2_048), (155, 320))
    shades = {"red": (254, 0, 0), "blue": (0, 0, 254), "grey": (127, 127, 127)}
    grey = {"1", "L", "LA", "I;16"}
    for shown in (whole, thumbnail):
        top, bottom = (shown.getpixel((50, height)) for height in (10, shown.height - 10))
        if mode not in grey:
            assert (near(top, shades["blue"]), near(bottom, shades["red"])) == (True, True)
        elif mode == "I;16":
            assert near(top, shades["grey"])


def near(found: Any, meant: tuple[int, int, int]) -> bool:
    return all(abs(one - other) < 8 for one, other in zip(found, meant, strict=True))
