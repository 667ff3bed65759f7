"""Callers who disconnect before the answer do not affect other callers."""

import json
import socket
import struct
import time
from collections.abc import Iterator
from itertools import takewhile
from uuid import UUID, uuid4

import httpx
import pytest

from project.printing.models import PrintRun
from tests.builders import Shop
from tests.realtime import daphnes

POOL = 2


@pytest.fixture
def server(busy_shop: Shop) -> daphnes.Server:
    return daphnes.shared(DATABASE_POOL=str(POOL))


def left(server: daphnes.Server, request: bytes, after: float) -> None:
    """Send a request, and reset the connection if no answer begins within `after` seconds."""
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.sendall(request)
        line.settimeout(after)
        try:
            assert line.recv(1)
        except TimeoutError:
            return


@pytest.mark.parametrize("after", [0.001, 0.01, 0.03])
def test_disconnected_callers_keep_no_database_connection(
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


def test_write_of_a_disconnected_caller_is_done(server: daphnes.Server, busy_shop: Shop) -> None:
    body = b'{"name": "Cuero"}'
    head = (
        "POST /api/materials HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nAuthorization: Bearer {busy_shop.ana.bearer}\r\n\r\n"
    )
    left(server, head.encode() + body, 0.001)
    headers = {"Authorization": f"Bearer {busy_shop.ana.bearer}"}
    looks = (httpx.get(f"{server.url}/api/materials?search=Cuero", headers=headers, timeout=60) for _ in range(500))
    assert any(look.json() for look in looks)


def test_print_of_a_disconnected_caller_is_abandoned(server: daphnes.Server, busy_shop: Shop) -> None:
    """All its sheets would take half a minute, and the run ends long before."""
    order, run = busy_shop.order(*[1] * 400), uuid4()
    body = json.dumps({"documents": [{"salesOrderId": order}], "runId": str(run)}).encode()
    head = (
        "POST /pdf/create-pdf HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nAuthorization: Bearer {busy_shop.ana.bearer}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(head.encode() + body)
        begun = next(done for done in progress(run) if done is not None)
    ended = [begun, *takewhile(lambda done: done is not None, progress(run))]
    assert max(done for done in ended if done is not None) < 400
    assert busy_shop.ana.post("/pdf/create-pdf", {"documents": [{"salesOrderId": busy_shop.order(1)}]}).status == 200


def progress(run: UUID) -> Iterator[int | None]:
    """The progress of a print, read repeatedly; None if it does not run. Fails after 60 s."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        yield PrintRun.objects.filter(pk=run).values_list("done", flat=True).first()
    raise AssertionError("the print neither began nor ended")
