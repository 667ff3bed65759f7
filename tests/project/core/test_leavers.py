"""Who leaves before the answer harms nobody who stays."""

import socket
import struct

import httpx
import pytest

from tests.builders import Shop
from tests.realtime import daphnes

POOL = 2


@pytest.fixture
def server(busy_shop: Shop) -> daphnes.Server:
    return daphnes.shared(DATABASE_POOL=str(POOL))


def left(server: daphnes.Server, request: bytes, after: float) -> None:
    """Send a request, and reset the connection after so many seconds without an answer."""
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.sendall(request)
        line.settimeout(after)
        try:
            assert line.recv(1)
        except TimeoutError:
            return


@pytest.mark.parametrize("after", [0.001, 0.01, 0.03])
def test_those_who_left_keep_no_connection_to_the_database(
    server: daphnes.Server, busy_shop: Shop, after: float, capfd: pytest.CaptureFixture[str]
) -> None:
    head = (
        f"GET /api/items?limit=100 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {busy_shop.ana.bearer}\r\n\r\n"
    )
    for _ in range(5 * POOL):
        left(server, head.encode(), after)
    headers = {"Authorization": f"Bearer {busy_shop.ana.bearer}"}
    for _ in range(2 * POOL):
        assert httpx.get(f"{server.url}/api/items?limit=100", headers=headers, timeout=60).status_code == 200
    assert '"level": "ERROR"' not in capfd.readouterr().err


def test_a_write_whose_caller_left_is_there(server: daphnes.Server, busy_shop: Shop) -> None:
    body = b'{"name": "Cuero"}'
    head = (
        "POST /api/materials HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nAuthorization: Bearer {busy_shop.ana.bearer}\r\n\r\n"
    )
    left(server, head.encode() + body, 0.001)
    headers = {"Authorization": f"Bearer {busy_shop.ana.bearer}"}
    looks = (httpx.get(f"{server.url}/api/materials?search=Cuero", headers=headers, timeout=60) for _ in range(500))
    assert any(look.json() for look in looks)
