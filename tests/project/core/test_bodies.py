"""A real server refuses a body that is too long without using memory for it."""

from itertools import chain
from pathlib import Path

import httpx
import pytest
from django.test import Client

from tests.builders import Shop
from tests.realtime import daphnes

MEGABYTE = b"\xff" * 1_048_576
HEAD = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n'


@pytest.fixture
def server(busy_shop: Shop) -> daphnes.Server:
    return daphnes.shared()


def memory(server: daphnes.Server, *, reset: bool = False) -> float:
    """The peak memory of the server in megabytes; `reset` starts a new measurement."""
    if reset:
        Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def posted(server: daphnes.Server, shop: Shop, path: str, content_type: str, megabytes: int) -> httpx.Response:
    """POST a chunked body, which has no Content-Length."""
    headers = {"Authorization": f"Bearer {shop.ana.bearer}", "Content-Type": content_type, "Accept-Language": "en"}
    head = HEAD if content_type.startswith("multipart") else b""
    chunks = (MEGABYTE for _ in range(megabytes))
    return httpx.post(server.url + path, content=chain([head], chunks), headers=headers, timeout=120)


def test_a_body_far_beyond_the_limit_is_refused_without_using_memory(server: daphnes.Server, busy_shop: Shop) -> None:
    path = f"/api/customers/{busy_shop.customer.pk}/document/foto.jpeg"
    assert posted(server, busy_shop, path, "image/jpeg", 1).status_code == 415
    before = memory(server, reset=True)
    answer = posted(server, busy_shop, path, "image/jpeg", 150)
    assert (answer.status_code, answer.json()["code"]) == (413, "image_too_large")
    assert answer.json()["message"]
    assert memory(server) - before < 60
    for content_type in ("text/csv", "multipart/form-data; boundary=b"):
        answer = posted(server, busy_shop, "/api/imports/items", content_type, 20)
        assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large"), content_type


@pytest.mark.parametrize("megabytes", [11, 15])
@pytest.mark.parametrize("content_type", ["image/jpeg", "multipart/form-data; boundary=b"])
def test_long_picture_gets_image_too_large_at_every_size(
    server: daphnes.Server, busy_shop: Shop, content_type: str, megabytes: int
) -> None:
    order = busy_shop.approved(1)
    for path in (
        f"/api/customers/{busy_shop.customer.pk}/document/foto.jpeg",
        f"/api/sales-order/{order}/position/1/upload/document",
    ):
        answer = posted(server, busy_shop, path, content_type, megabytes)
        assert (answer.status_code, answer.json()["code"]) == (413, "image_too_large"), path


def test_json_has_its_own_limit(server: daphnes.Server, busy_shop: Shop) -> None:
    assert posted(server, busy_shop, "/api/materials", "application/json", 3).status_code == 413
    assert posted(server, busy_shop, "/api/materials", "application/json", 1).status_code == 400


def test_broken_multipart_body_gets_4xx_with_a_code(server: daphnes.Server, busy_shop: Shop) -> None:
    headers = {"Authorization": f"Bearer {busy_shop.ana.bearer}", "Content-Type": "multipart/form-data; boundary=b"}
    for body in (b"--b--\r\n", b"--b\r\nnothing", b"\x00", HEAD + b"code\r\n"):
        answer = httpx.post(server.url + "/api/imports/items", content=body, headers=headers, timeout=60)
        assert answer.status_code in (400, 415, 422), body
        assert answer.json()["code"], body
    unbounded = headers | {"Content-Type": "multipart/form-data"}
    answer = httpx.post(server.url + "/api/imports/items", content=b"--b--\r\n", headers=unbounded, timeout=60)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_a_refusal_names_at_most_100_fields(shop: Shop) -> None:
    many = {f"k{number}": number for number in range(300)}
    answer = shop.ana.post("/api/materials", many)
    assert (answer.status, answer.code, len(answer.fields)) == (422, "invalid_fields", 100)
    lines = [{"itemId": 0, "quantity": 0}] * 200
    answer = shop.ana.post("/api/sales-order", {"customerId": 1, "customerSalesOrderId": "PO", "items": lines})
    assert (answer.status, len(answer.fields)) == (422, 100)


def test_a_body_with_too_many_keys_is_refused_before_it_is_judged(shop: Shop) -> None:
    lines = [{f"k{number}": 1 for number in range(100)}] * 1_001
    answer = shop.ana.post("/api/sales-order", {"items": lines})
    assert (answer.status, answer.code) == (413, "body_too_large")


@pytest.mark.parametrize("path", ["/identity/authentication/sign-in", "/api/c/unknown/answers"])
def test_an_operation_without_sign_in_takes_64_kb(shop: Shop, path: str) -> None:
    """Whatever the caller sends as a token."""
    for headers in ({}, {"headers": {"Authorization": f"Bearer {shop.ana.bearer}"}}):
        sent = {"data": '{"note": "%s"}' % ("a" * 66_000), "content_type": "application/json", **headers}
        answer = Client().post(path, **sent)
        assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
