"""A client that sends its request too slowly is disconnected, and others are served."""

import json
import resource
import signal
import socket
from contextlib import ExitStack
from types import SimpleNamespace

import httpx
import pytest
from django.conf import LazySettings
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport

from project.serving.daphne_http import (
    BODY_BYTES_PER_SECOND,
    BODY_SECONDS,
    HEAD_SECONDS,
    IDLE_SECONDS,
    OPEN_FILES,
    REFUSED_SECONDS,
    BoundedChannel,
)
from tests.realtime import daphnes


class Transport(StringTransport):
    """A connection. `half_closed`: the server has closed its own side."""

    half_closed = False

    def loseWriteConnection(self) -> None:
        self.half_closed = True


class Caller:
    """A connection on a fake clock. `whole` are the paths of the complete requests."""

    def __init__(self, clock: Clock) -> None:
        self.whole: list[bytes] = []
        self.channel = BoundedChannel()
        self.channel.timeOut = None
        self.channel.callLater = clock.callLater
        self.channel.requestFactory = self._request
        self.transport = Transport()
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
        return bool(self.transport.disconnecting or self.transport.half_closed)


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> daphnes.Server:
    """The shared server. No test here reads the database."""
    return daphnes.shared()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_slow_head_is_cut_off_however_often_a_byte_arrives(clock: Clock) -> None:
    caller = Caller(clock)
    for letter in b"GET / HTTP/1.1\r\nX-Drip: aaaaaaaaaaaaaaaaa":
        if caller.cut:
            break
        caller.says(bytes([letter]))
        clock.advance(1)
    assert clock.seconds() == HEAD_SECONDS


@pytest.mark.parametrize("head", [b"GET /?search=%s", b"GET / HTTP/1.1\r\nAccept: %s"])
def test_long_head_gets_400(clock: Clock, head: bytes) -> None:
    caller = Caller(clock)
    caller.says(head % (b"a" * 20_000))
    answer, _, body = caller.transport.value().partition(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"Content-Type: application/json" in answer
    assert json.loads(body)["code"] == "bad_request"
    assert caller.cut
    caller.says(b"\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\n\r\n")
    assert caller.whole == []


@pytest.mark.parametrize("head", [b"Content-Length: x", b"Note: a\x00b", b"Transfer-Encoding: gzip"])
def test_request_that_is_not_http_gets_twisteds_own_400(clock: Clock, head: bytes) -> None:
    """As `infra/docs/headers.md` says: without a body that a browser could show."""
    caller = Caller(clock)
    caller.says(b"GET / HTTP/1.1\r\n%s\r\n\r\n" % head)
    assert caller.transport.value() == b"HTTP/1.1 400 Bad Request\r\n\r\n"
    assert (caller.cut, caller.whole) == (True, [])


def test_silent_client_is_cut_off(clock: Clock) -> None:
    caller = Caller(clock)
    clock.advance(HEAD_SECONDS - 1)
    assert not caller.cut
    clock.advance(1)
    assert caller.cut


@pytest.mark.parametrize("length", ["Content-Length: 100", "Transfer-Encoding: chunked"])
def test_slow_body_is_cut_off(clock: Clock, settings: LazySettings, length: str) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    caller = Caller(clock)
    caller.says(f"POST / HTTP/1.1\r\n{length}\r\n\r\n".encode())
    clock.advance(BODY_SECONDS - 1)
    caller.says(b"1")
    assert not caller.cut
    clock.advance(2)
    assert caller.cut
    assert caller.whole == []


UPLOAD = (
    b"POST /api/imports HTTP/1.1\r\nAuthorization: Bearer a\r\nContent-Type: text/csv\r\nContent-Length: %d\r\n\r\n"
)


def test_time_for_a_body_follows_the_bytes_that_came_not_those_announced(clock: Clock) -> None:
    caller = Caller(clock)
    caller.says(UPLOAD % 11_000_000)
    clock.advance(BODY_SECONDS - 1)
    caller.says(b"1")
    clock.advance(2)
    assert caller.cut


@pytest.mark.parametrize("length", [10**6, 10**12, 10**23])
def test_body_of_a_stranger_that_is_announced_too_long_gets_413_at_its_head(clock: Clock, length: int) -> None:
    caller = Caller(clock)
    caller.says(
        b"POST /identity/authentication/sign-in HTTP/1.1\r\nAccept-Language: en\r\nContent-Length: %d\r\n\r\n1" % length
    )
    answer, _, body = caller.transport.value().partition(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert (json.loads(body)["code"], caller.transport.half_closed) == ("body_too_large", True)
    caller.says(bytes(1_000_000))
    assert caller.whole == []
    clock.advance(REFUSED_SECONDS)
    assert caller.transport.disconnecting


def test_real_server_answers_413_to_a_caller_who_sends_the_whole_body(server: daphnes.Server) -> None:
    body = b"[" + b" " * 3_000_000 + b"]"
    for headers in ({}, {"Authorization": "Bearer a"}):
        answer = httpx.post(
            f"http://127.0.0.1:{server.port}/identity/authentication/sign-in", content=body, headers=headers
        )
        assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")


def test_long_body_gets_time_for_a_slow_line(clock: Clock) -> None:
    caller = Caller(clock)
    caller.says(UPLOAD % 10_000_000)
    for _ in range(100):
        clock.advance(100_000 / BODY_BYTES_PER_SECOND)
        assert not caller.cut
        caller.says(bytes(100_000))
    assert caller.whole == [b"/api/imports"]


def test_answer_has_no_time_limit_but_an_idle_connection_has(clock: Clock) -> None:
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


def test_real_server_answers_a_long_head_with_400(server: daphnes.Server) -> None:
    """Daphne must create connections of our class: Twisted's class would only close them."""
    answer = httpx.get(f"{server.url}/health/live", headers={"Note": "x" * 20_000}, timeout=30)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_server_raises_its_limit_of_open_files(server: daphnes.Server) -> None:
    soft, hard = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
    assert soft >= min(hard, OPEN_FILES)


def test_200_connections_to_a_busy_server_are_all_served(server: daphnes.Server) -> None:
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
