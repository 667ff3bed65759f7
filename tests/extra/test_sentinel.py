"""Wake-ups between processes travel through the main server that Redis Sentinels name, also after it failed."""

import asyncio
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from redis import ConnectionError as RedisAway, Redis

from project.core.environment import Environment
from realtime import wakeup
from realtime.layer import GroupLayer

NAME = "workshop"


class Sentinels:
    """A main server, a replica of it, and one Sentinel that makes the replica the main server once that one fails."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self.port, self.replica, self.sentinel = (free_port() for _ in range(3))
        self.main = self._server(self.port)
        self._server(self.replica, "--replicaof", "127.0.0.1", str(self.port))
        until(lambda: Redis(port=self.replica).info("replication")["master_link_status"] == "up")
        file = folder / "sentinel.conf"
        file.write_text(
            f"sentinel monitor {NAME} 127.0.0.1 {self.port} 1\n"
            f"sentinel down-after-milliseconds {NAME} 500\n"
            f"sentinel failover-timeout {NAME} 2000\n"
        )
        self._server(self.sentinel, config=str(file))
        until(lambda: len(Redis(port=self.sentinel).execute_command("SENTINEL", "REPLICAS", NAME)) == 1)

    def _server(self, port: int, *more: str, config: str = "") -> subprocess.Popen[bytes]:
        mode = [config, "--sentinel"] if config else ["--save", "", "--appendonly", "no"]
        server = subprocess.Popen(
            ["redis-server", *mode, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(self._folder), *more],
            stdout=subprocess.DEVNULL,
        )
        self._stack.callback(server.wait)
        self._stack.callback(server.kill)
        until(lambda: bool(Redis(port=port).ping()))
        return server


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def until(holds: Callable[[], bool]) -> None:
    """Ask again until it holds; a server that does not answer yet does not hold."""
    for _ in range(2_000):
        try:
            if holds():
                return
        except RedisAway:
            pass
        asyncio.run(asyncio.sleep(0.01))
    raise AssertionError("not within 20 seconds")


@pytest.fixture
def sentinels(tmp_path: Path) -> Iterator[Sentinels]:
    with ExitStack() as stack:
        yield Sentinels(tmp_path, stack)


async def test_a_hub_is_woken_through_the_main_server_and_through_the_next_one(
    sentinels: Sentinels, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", f"redis+sentinel://127.0.0.1:{sentinels.sentinel}/{NAME}")
    layer = GroupLayer(hosts=Environment().redis("REDIS_URL"))
    monkeypatch.setattr(wakeup, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(wakeup, "ORIGIN", "the process that listens")
    woken = asyncio.Event()

    async def until_woken() -> None:
        while not woken.is_set():
            with suppress(RedisAway):
                await layer.group_send(wakeup.GROUP, {"type": wakeup.MESSAGE, "origin": "another process"})
            await asyncio.sleep(0.05)

    listening = asyncio.create_task(wakeup.listen(woken.set, lambda message: None))
    async with asyncio.timeout(20):
        await until_woken()
    sentinels.main.kill()
    await asyncio.to_thread(until, lambda: Redis(port=sentinels.replica).info("replication")["role"] == "master")
    woken.clear()
    async with asyncio.timeout(20):
        await until_woken()
    listening.cancel()
    await layer.flush()
