"""A server that is told to stop answers every request it has begun."""

import signal
import socket
from collections.abc import Iterator

import pytest

from tests.builders import Shop
from tests.realtime.daphnes import Server, start

BODY = '{"name": "Latón"}'.encode()


@pytest.fixture
def stopping(busy_shop: Shop) -> Iterator[Server]:
    server = start()
    yield server
    server.stop()


def connected(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=20)


def head(server: Server, shop: Shop) -> bytes:
    lines = [
        "POST /api/materials HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        f"Authorization: Bearer {shop.ana.bearer}",
        "Content-Type: application/json",
        f"Content-Length: {len(BODY)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def refuses(server: Server) -> bool:
    try:
        connected(server).close()
    except (ConnectionRefusedError, ConnectionResetError):  # reset: it closed while the connection was being made
        return True
    return False


def until_it_refuses(server: Server) -> None:
    while not refuses(server):
        assert server.process.poll() is None


def test_begun_request_is_answered_and_new_connections_refused(busy_shop: Shop, stopping: Server) -> None:
    """The caller has sent half of the request when the server gets SIGTERM."""
    caller = connected(stopping)
    caller.sendall(head(stopping, busy_shop)[:40])
    stopping.process.send_signal(signal.SIGTERM)
    until_it_refuses(stopping)
    caller.sendall(head(stopping, busy_shop)[40:] + BODY)
    assert caller.recv(65_536).startswith(b"HTTP/1.1 201")
    assert stopping.process.wait(20) == 0


def test_second_sigterm_stops_at_once(busy_shop: Shop, stopping: Server) -> None:
    caller = connected(stopping)
    caller.sendall(head(stopping, busy_shop)[:40])
    stopping.process.send_signal(signal.SIGTERM)
    until_it_refuses(stopping)
    stopping.process.send_signal(signal.SIGTERM)
    assert stopping.process.wait(20) == 0
    assert caller.recv(65_536) == b""


def test_server_without_requests_stops_at_once(stopping: Server) -> None:
    stopping.process.send_signal(signal.SIGTERM)
    assert stopping.process.wait(20) == 0
