"""Whoever does not send his request is cut, and others are served."""

import json
import signal
import socket
from contextlib import ExitStack
from types import SimpleNamespace

import httpx
import pytest
from django.conf import LazySettings
from twisted.internet.address import IPv4Address
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport

from project.serving import connections
from project.serving.connections import (
    BODY_SECONDS,
    HEAD_SECONDS,
    IDLE_SECONDS,
    PENDING_OF_ADDRESS,
    BoundedChannel,
    PendingConnections,
)
from tests.builders import Shop
from tests.realtime import daphnes


class Caller:
    """A connection on a clock of its own; `whole` are the requests that came in whole."""

    def __init__(self, clock: Clock, pending: PendingConnections | None = None, host: str = "10.0.0.1") -> None:
        self.clock = clock
        self.whole: list[bytes] = []
        self.channel = BoundedChannel()
        self.channel.pending = pending or PendingConnections()
        self.channel.timeOut = None
        self.channel.callLater = clock.callLater
        self.channel.requestFactory = self._request
        self.transport = StringTransport(peerAddress=IPv4Address("TCP", host, 1))
        self.channel.makeConnection(self.transport)

    def _request(self, channel: BoundedChannel, queued: bool) -> SimpleNamespace:
        from twisted.web.http import Request

        came = self.whole

        class Kept(Request):
            def process(self) -> None:
                came.append(self.uri)

        return Kept(channel, queued)

    def says(self, data: bytes) -> None:
        self.channel.dataReceived(data)

    def answered(self) -> None:
        self.channel.requests[0].finish()

    @property
    def cut(self) -> bool:
        return bool(self.transport.disconnecting)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_head_that_drips_is_cut_however_often_a_byte_comes(clock: Clock) -> None:
    caller = Caller(clock)
    for letter in b"GET / HTTP/1.1\r\nX-Drip: aaaaaaaaaaaaaaaaa":
        if caller.cut:
            break
        caller.says(bytes([letter]))
        clock.advance(1)
    assert clock.seconds() == HEAD_SECONDS


@pytest.mark.parametrize("head", [b"GET /?search=%s", b"GET / HTTP/1.1\r\nAccept: %s"])
def test_who_sends_too_long_a_head_is_told(clock: Clock, head: bytes) -> None:
    caller = Caller(clock)
    caller.says(head % (b"a" * 20_000))
    answer, _, body = caller.transport.value().partition(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"Content-Type: application/json" in answer
    assert json.loads(body)["code"] == "bad_request"
    assert caller.cut
    assert caller.whole == []


def test_who_says_nothing_at_all_is_cut(clock: Clock) -> None:
    caller = Caller(clock)
    clock.advance(HEAD_SECONDS - 1)
    assert not caller.cut
    clock.advance(1)
    assert caller.cut


@pytest.mark.parametrize("length", ["Content-Length: 100", "Transfer-Encoding: chunked"])
def test_a_body_that_drips_is_cut(clock: Clock, settings: LazySettings, length: str) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    caller = Caller(clock)
    caller.says(f"POST / HTTP/1.1\r\n{length}\r\n\r\n".encode())
    clock.advance(BODY_SECONDS - 1)
    caller.says(b"1")
    assert not caller.cut
    clock.advance(2)
    assert caller.cut
    assert caller.whole == []


def test_a_long_body_may_take_what_a_slow_line_takes(clock: Clock) -> None:
    caller = Caller(clock)
    caller.says(b"POST / HTTP/1.1\r\nContent-Length: 10000000\r\n\r\n")
    clock.advance(10_000_000 / connections.BODY_BYTES_PER_SECOND)
    assert not caller.cut
    caller.says(bytes(10_000_000))
    assert caller.whole == [b"/"]


def test_an_answer_may_take_its_time_and_the_next_request_too(clock: Clock) -> None:
    caller = Caller(clock)
    caller.says(b"GET /1 HTTP/1.1\r\n\r\n")
    clock.advance(3_600)
    assert not caller.cut
    caller.answered()
    clock.advance(IDLE_SECONDS - 1)
    caller.says(b"GET /2 HTTP/1.1\r\n\r\n")
    clock.advance(3_600)
    assert (caller.cut, caller.whole) == (False, [b"/1", b"/2"])
    caller.answered()
    clock.advance(IDLE_SECONDS)
    assert caller.cut


def test_of_too_many_of_one_address_the_oldest_gives_way(clock: Clock) -> None:
    pending = PendingConnections(most=3)
    dripping = [Caller(clock, pending) for _ in range(3)]
    elsewhere = Caller(clock, pending, host="10.0.0.2")
    served = Caller(clock, pending)
    served.says(b"GET / HTTP/1.1\r\n\r\n")
    assert served.whole == [b"/"]
    assert [caller.cut for caller in dripping] == [True, False, False]
    assert not elsewhere.cut


def test_behind_a_proxy_the_proxy_counts(clock: Clock, settings: LazySettings) -> None:
    settings.TRUSTED_PROXIES = 1
    pending = PendingConnections(most=3)
    assert not any(caller.cut for caller in [Caller(clock, pending) for _ in range(4)])


def test_daphne_makes_such_connections(busy_shop: Shop) -> None:
    """On a real server: thousands that send a byte leave room for others."""
    server = daphnes.shared()
    dripping = []
    try:
        for _ in range(PENDING_OF_ADDRESS + 10):
            dripping.append(socket.create_connection(("127.0.0.1", server.port), timeout=30))
            dripping[-1].sendall(b"G")
        assert httpx.get(f"{server.url}/health/live", timeout=30).status_code == 200
        assert dripping[0].recv(1) == b""
        dripping[-1].sendall(b"ET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert dripping[-1].recv(12) == b"HTTP/1.1 200"
    finally:
        for one in dripping:
            one.close()


@pytest.mark.django_db(transaction=True)
def test_hundreds_who_come_while_the_process_is_busy_are_all_taken() -> None:
    server = daphnes.start()
    try:
        server.process.send_signal(signal.SIGSTOP)
        with ExitStack() as opened:
            callers = [
                opened.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=5))
                for _ in range(200)
            ]
            server.process.send_signal(signal.SIGCONT)
            for caller in callers:
                caller.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            assert {caller.recv(12) for caller in callers} == {b"HTTP/1.1 200"}
    finally:
        server.process.send_signal(signal.SIGCONT)
        server.stop()
