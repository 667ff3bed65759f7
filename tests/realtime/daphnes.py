"""Start real server processes on the test database, and open sockets to them over TCP."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import httpx
from django.conf import settings
from django.db import connection
from websockets.asyncio.client import ClientConnection, connect

from project.access import token
from project.identity.models import User
from realtime import tickets
from tests.realtime.clients import in_database

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60


@dataclass
class Server:
    """A daphne process on a free port of this machine."""

    process: "subprocess.Popen[bytes]"
    port: int
    access_log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def socket(self, user: User, *, query: str = "", max_queue: int | None = 16) -> ClientConnection:
        """Open a live socket of `user` with a ticket requested over HTTP. `max_queue`: frames it reads ahead."""
        bearer = await in_database(lambda: token.issue(user))
        return await self.socket_of(bearer, query=query, max_queue=max_queue)

    async def socket_of(self, bearer: str, *, query: str = "", max_queue: int | None = 16) -> ClientConnection:
        async with httpx.AsyncClient(base_url=self.url, headers={"Authorization": f"Bearer {bearer}"}) as client:
            answer = await client.post("/api/live/ticket")
        assert answer.status_code == 200, answer.text
        return await connect(
            f"ws://127.0.0.1:{self.port}/ws/events?ticket={answer.json()['ticket']}{query}",
            origin=self.url,  # type: ignore[arg-type]
            max_queue=max_queue,
            compression=None,
        )

    async def raw_socket(self, user: User) -> "RawSocket":
        """Open a live socket of `user` that parses frames cheaply, and sends a ping only if it is told to."""
        shown = await in_database(lambda: tickets.issue(token.verify(token.issue(user))))
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [
            f"GET /ws/events?ticket={shown} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Origin: {self.url}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        ]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 101"), answer
        return RawSocket(reader, writer)

    def memory(self) -> int:
        """Resident memory in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) * 1_024 for line in status.splitlines() if line.startswith("VmRSS"))

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(40)
        shutil.rmtree(self.access_log.parent, ignore_errors=True)


PING = b"\x89\x80\0\0\0\0"


class RawSocket:
    """A WebSocket client that parses the frames of the TCP stream itself."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._unread = b""
        self.pongs = 0

    async def frames(self, count: int) -> list[bytes]:
        """Read the payloads of the next `count` text frames, and answer pings. Raises AssertionError at others."""
        found: list[bytes] = []
        while len(found) < count:
            place = 0
            while len(found) < count and (frame := _frame_at(self._unread, place)) is not None:
                opcode, payload, place = frame
                assert opcode in (0x81, 0x89, 0x8A), f"a frame that begins with {opcode:#x}: {payload[:100]!r}"
                if opcode == 0x81:
                    found.append(payload)
                elif opcode == 0x89:
                    self._writer.write(bytes((0x8A, 0x80 | len(payload), 0, 0, 0, 0)) + payload)
                self.pongs += opcode == 0x8A
            self._unread = self._unread[place:]
            if len(found) < count:
                more = await asyncio.wait_for(self._reader.read(1 << 18), 30)
                assert more, "the connection was cut"
                self._unread += more
        return found

    def ping(self) -> None:
        self._writer.write(PING)

    def close(self) -> None:
        self._writer.close()


def _frame_at(data: bytes, place: int) -> tuple[int, bytes, int] | None:
    """Parse the unmasked frame at `place`: its first byte, payload and end. None if it is incomplete."""
    if len(data) < place + 2:
        return None
    size, start = data[place + 1], place + 2
    if size >= 126:
        start += 2 if size == 126 else 8
        size = int.from_bytes(data[place + 2 : start])
    if len(data) < start + size:
        return None
    return data[place], data[start : start + size], start + size


_shared: dict[tuple[tuple[str, str], ...], Server] = {}


def shared(**settings_of_its_own: str) -> Server:
    """A server with these settings, which all tests share. It is stopped at the end of the run."""
    key = tuple(sorted(settings_of_its_own.items()))
    if key not in _shared or _shared[key].process.poll() is not None:
        _shared[key] = start(**settings_of_its_own)
    return _shared[key]


def stop_shared() -> None:
    while _shared:
        _shared.popitem()[1].stop()


def start(*, log: Path | None = None, **settings_of_its_own: str) -> Server:
    """Start a server on the test database, and wait until it answers. `log`: the file for its standard error."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {
        "DATABASE_URL": _database_url(),
        "SECRET_KEY": settings.SECRET_KEY,
        "REDIS_URL": settings.REDIS_URL,
        "DATA_DIR": str(settings.DATA_DIR),
        **settings_of_its_own,
    }
    access_log = Path(tempfile.mkdtemp(prefix="obrador-test-")) / "access.log"
    command = [sys.executable, "-m", "daphne", "-v", "0", "-b", "127.0.0.1", "-p", str(port)]
    command += ["--access-log", str(access_log), "project.asgi:application"]
    stderr = log.open("wb") if log else None
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=stderr)
    server = Server(process, port, access_log)
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            if httpx.get(f"{server.url}/health/live").status_code == 200:
                return server
        except httpx.TransportError:
            if process.poll() is not None or time.monotonic() > until:
                process.kill()
                process.wait()
                raise
            time.sleep(0.05)


def _database_url() -> str:
    here = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{here['NAME']}"
    password = f":{here['PASSWORD']}" if here["PASSWORD"] else ""
    return f"postgres://{here['USER']}{password}@{here['HOST']}:{here['PORT']}/{here['NAME']}"
