"""Pictures of products, customers and companies."""

import io

import pytest
from django.core.files.storage import default_storage
from PIL import Image

from tests.builders import Shop
from tests.project.pictures import picture, upload


@pytest.fixture(autouse=True)
def media(settings: object, tmp_path: object) -> None:
    settings.MEDIA_ROOT = tmp_path  # type: ignore[attr-defined]


def of_item(shop: Shop, name: str = "anillo") -> str:
    return f"/api/items/{shop.item.pk}/document/{name}.jpeg"


def test_picture_and_thumbnail_are_stored_and_read_by_signed_address(shop: Shop) -> None:
    answer = upload(shop.ana, of_item(shop), picture(size=(4_000, 1_000)))
    assert (answer.status, answer.json["nameImage"]) == (201, "anillo")
    sides = [Image.open(io.BytesIO(shop.nobody.raw(answer.json[address]))).size for address in ("url", "thumbnailUrl")]
    assert sides == [(2_048, 512), (320, 80)]
    assert shop.ana.get(f"/api/items/{shop.item.pk}").json["image"] == answer.json["url"]


def test_changed_signature_gets_404(shop: Shop) -> None:
    url = upload(shop.ana, of_item(shop), picture()).json["url"]
    assert shop.nobody.get(url[:-1] + ("a" if url[-1] != "a" else "b")).status == 404


def test_only_the_pixels_of_a_file_are_stored(shop: Shop) -> None:
    exif = Image.Exif()
    exif[0x010E] = "secret place"
    exif[0x0112] = 6  # on its side
    answer = upload(shop.ana, of_item(shop), picture(exif=exif, comment=b"hidden") + b"<script>alert(1)</script>")
    raw = shop.nobody.raw(answer.json["url"])
    assert Image.open(io.BytesIO(raw)).size == (300, 400)
    assert not any(word in raw for word in (b"secret place", b"hidden", b"<script>"))


@pytest.mark.parametrize(
    ("raw", "content_type"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/jpeg"),
        (picture("GIF"), "image/jpeg"),
        (picture()[:200], "image/jpeg"),
        (b"", "image/png"),
        (b"<html></html>", "text/html"),
    ],
)
def test_file_that_is_no_jpeg_or_png_gets_415(shop: Shop, raw: bytes, content_type: str) -> None:
    answer = upload(shop.ana, of_item(shop), raw, content_type)
    assert (answer.status, answer.code) == (415, "unsupported_image")
    assert default_storage.listdir("")[0] == []


def test_too_many_pixels_get_413(shop: Shop) -> None:
    answer = upload(shop.ana, of_item(shop), picture("PNG", size=(8_000, 6_300)), "image/png")
    assert (answer.status, answer.code) == (413, "image_too_large")


def test_too_many_bytes_get_413(shop: Shop) -> None:
    answer = upload(shop.ana, of_item(shop), b"\xff\xd8" + bytes(10 * 1024 * 1024))
    assert (answer.status, answer.code) == (413, "image_too_large")


@pytest.mark.parametrize("name", ["-a", "a-", "%20a", "a%20", "_", "Á%20b-1", "x" * 200])
def test_picture_name_may_hold_letters_digits_hyphens_and_spaces_anywhere(shop: Shop, name: str) -> None:
    address = of_item(shop, name)
    assert upload(shop.ana, address, picture()).status == 201
    assert shop.ana.delete(address).status == 200


@pytest.mark.parametrize("name", ["..", "a.b", "C:", "x" * 201, "%00", "%20", "a%2fb", "..%2f..%2fetc"])
def test_picture_name_with_other_characters_or_over_200_gets_4xx(shop: Shop, name: str) -> None:
    answer = upload(shop.ana, of_item(shop, name), picture())
    assert 400 <= answer.status < 500
    assert default_storage.listdir("")[0] == []


def test_new_picture_replaces_the_old_files(shop: Shop, django_capture_on_commit_callbacks: object) -> None:
    upload(shop.ana, of_item(shop), picture())
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        upload(shop.ana, of_item(shop, "otro"), picture())
    assert len(default_storage.listdir("items")[1]) == 2


def test_picture_is_deleted_by_name_with_or_without_its_extension(shop: Shop) -> None:
    for reference in ("anillo", "anillo.jpeg"):
        upload(shop.ana, of_item(shop), picture())
        answer = shop.ana.delete(f"/api/items/{shop.item.pk}/document/{reference}")
        assert (answer.status, answer.json["image"]) == (200, None)
    assert shop.ana.delete(f"/api/items/{shop.item.pk}/document/anillo").code == "not_found"


def test_failing_storage_gets_503_and_keeps_the_record_unchanged(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object, **kwargs: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(default_storage, "save", full)
    answer = upload(shop.ana, of_item(shop), picture())
    assert (answer.status, answer.code) == (503, "unavailable")
    assert shop.ana.get(f"/api/items/{shop.item.pk}").json["image"] is None
