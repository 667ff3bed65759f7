"""Each kind of answer has the headers listed in `infra/docs/headers.md`."""

import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser
from threading import Event

import httpx
import pytest

from project.contract import headers
from project.core import database
from tests.builders import Caller, Shop
from tests.project.pictures import picture
from tests.realtime import daphnes

Found = httpx.Headers | Message


@dataclass
class Site:
    """A server with HTTPS enabled, and a client that sends the headers of its proxy."""

    server: daphnes.Server
    shop: Shop
    client: httpx.Client

    def get(self, path: str, status: int = 200, **others: str) -> httpx.Headers:
        answer = self.client.get(path, headers=others)
        assert answer.status_code == status, answer.text
        return answer.headers

    def post(self, path: str, status: int, **body: object) -> httpx.Response:
        answer = self.client.post(path, **body)  # type: ignore[arg-type]
        assert answer.status_code == status, answer.text
        return answer

    def handshake(self, origin: str, status: int) -> Message:
        shown = self.post("/api/live/ticket", 200).json()["ticket"]
        lines = [
            f"GET /ws/events?ticket={shown} HTTP/1.1",
            f"Host: 127.0.0.1:{self.server.port}",
            f"Origin: {origin}",
            "X-Forwarded-Proto: https",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        ]
        with socket.create_connection(("127.0.0.1", self.server.port), 30) as connection:
            connection.sendall("\r\n".join([*lines, "", ""]).encode())
            with connection.makefile("rb") as answer:
                assert answer.readline().split()[1] == str(status).encode()
                head = b"".join(iter(answer.readline, b"\r\n"))
        return BytesHeaderParser().parsebytes(head)


def picture_of_an_item(site: Site) -> httpx.Headers:
    path = f"/api/items/{site.shop.item.pk}"
    site.post(f"{path}/document/anillo.jpeg", 201, content=picture(), headers={"Content-Type": "image/jpeg"})
    return site.get(site.client.get(path).json()["image"])


def work_sheet(site: Site) -> httpx.Headers:
    wanted = {"documents": [{"salesOrderId": site.shop.order(5), "position": 1}], "language": "es"}
    answer = site.post("/pdf/create-pdf", 200, json=wanted)
    assert answer.content.startswith(b"%PDF")
    return answer.headers


def calendar(site: Site) -> httpx.Headers:
    made = site.post("/api/calendar", 201).json()
    return site.get("/api/calendar/" + made["address"].rsplit("/", 1)[1])


def long_body(site: Site) -> httpx.Headers:
    return site.post(
        "/api/materials", 413, content=b" " * 3_000_000, headers={"Content-Type": "application/json"}
    ).headers


def unchanged_page(site: Site) -> httpx.Headers:
    return site.get("/", 304, **{"If-None-Match": site.get("/")["ETag"]})


ASKED: dict[str, Callable[[Site], Found]] = {
    "the client's page": lambda site: site.get("/"),
    "a file of the client with its content's hash in its name": lambda site: site.get("/assets/app-0a1b2c3d.js"),
    "a file of the client that has not changed": unchanged_page,
    "the client's page by the name of its file": lambda site: site.get("/index.html", 302),
    "a method that a file of the client has not": lambda site: site.client.request("TRACE", "/").headers,
    "the service worker": lambda site: site.get("/sw.js"),
    "an answer of the API": lambda site: site.get("/api/materials"),
    "a refusal of the API": lambda site: site.get("/api/materials", 401, Authorization=""),
    "a customer's page by link": lambda site: site.get(f"/api/c/{'x' * 43}", 404),
    "a calendar": calendar,
    "a workbook": lambda site: site.get("/api/reports?format=xlsx"),
    "a PDF": work_sheet,
    "a picture": picture_of_an_item,
    "the API's document": lambda site: site.get("/api/openapi.json"),
    "the page of the API's operations": lambda site: site.get("/api/docs"),
    "health": lambda site: site.get("/health/ready"),
    "metrics": lambda site: site.get("/metrics"),
    "an address that does not exist": lambda site: site.get("/nothing/here", 404),
    "a host that is none of ours": lambda site: site.get("/api/materials", 400, Host="elsewhere.test"),
    "a body that is too long": long_body,
    "a header that is too long": lambda site: site.get("/api/materials", 400, Note="x" * 20_000),
    "the way from http to https": lambda site: site.get("/api/materials", 301, **{"X-Forwarded-Proto": "http"}),
    "a live socket": lambda site: site.handshake(f"https://127.0.0.1:{site.server.port}", 101),
    "a live socket that is refused": lambda site: site.handshake("https://elsewhere.test", 403),
}


@pytest.fixture(scope="module")
def server(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[daphnes.Server]:
    """A server with HTTPS enabled, and a client of three files."""
    client = tmp_path_factory.mktemp("client")
    (client / "assets").mkdir()
    for name in ("index.html", "assets/app-0a1b2c3d.js", "sw.js"):
        (client / name).write_text("")
    server = daphnes.start(HTTPS="true", TRUSTED_PROXIES="1", ALLOWED_HOSTS="127.0.0.1", WEB_DIST=str(client))
    yield server
    server.stop()


@pytest.fixture
def site(server: daphnes.Server, busy_shop: Shop) -> Iterator[Site]:
    behind = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "127.0.0.1"}
    behind["Authorization"] = f"Bearer {busy_shop.ana.bearer}"
    with httpx.Client(base_url=server.url, headers=behind, timeout=60) as client:
        yield Site(server, busy_shop, client)


def looked_at(found: Found) -> headers.Headers:
    return {
        name: found[name].partition(";")[0] if name == "Content-Disposition" else found[name]
        for name in headers.NAMES
        if name in found
    }


def test_each_kind_of_answer_has_the_documented_headers(site: Site) -> None:
    assert {kind: looked_at(ask(site)) for kind, ask in ASKED.items()} == headers.KINDS


def test_every_method_on_every_kind_of_address_has_the_common_headers(site: Site) -> None:
    for path in ("/", "/index.html", "/sw.js", "/assets/app-0a1b2c3d.js", "/api/materials", "/nothing"):
        for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"):
            found = looked_at(site.client.request(method, path).headers)
            assert headers.EVERYWHERE.items() <= found.items(), (method, path, found)


def test_refusal_while_the_database_is_away_has_the_same_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    away = Event()
    away.set()
    monkeypatch.setattr(database, "away", away)
    answer = Caller().get("/api/materials")
    assert answer.status == 503
    expected = headers.KINDS["a refusal of the API"]
    assert {name: answer.headers.get(name) for name in expected if name != "Strict-Transport-Security"} == {
        name: value for name, value in expected.items() if name != "Strict-Transport-Security"
    }
