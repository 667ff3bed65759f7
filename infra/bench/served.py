"""A server for a bench: migrated database, an administrator, daphne on a free port, ended with the bench."""

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60
EMAIL = "bench@obrador.test"
PASSWORD = "Obrador.2026"


class Served(httpx.Client):
    """A client of a server of its own; `pid` is the server's process."""

    pid = 0


@contextmanager
def served(root: Path = ROOT, **settings: str) -> Iterator[Served]:
    """A client of a fresh daphne of the build in `root`, signed in as an administrator. `settings` go before the
    environment's."""
    environment = os.environ | settings
    manage(environment, "migrate", "--verbosity", "0", root=root)
    manage(environment, "createadmin", EMAIL, "--password", PASSWORD, root=root)
    with running(environment, root) as client:
        client.headers["Authorization"] = f"Bearer {sign_in(client)}"
        yield client


@contextmanager
def running(environment: dict[str, str], root: Path = ROOT) -> Iterator[Served]:
    """A client of one more daphne on a database that is migrated already; nobody is signed in."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    daphne = [python_of(root), "-m", "daphne", "-v", "0", "-b", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen([*daphne, "project.asgi:application"], cwd=root, env=environment)
    try:
        with Served(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            client.pid = process.pid
            _wait(client, process)
            yield client
    finally:
        process.terminate()
        process.wait(40)


def manage(environment: dict[str, str], *command: str, root: Path = ROOT) -> None:
    subprocess.run([python_of(root), "manage.py", *command], cwd=root, check=True, env=environment)


def python_of(root: Path) -> str:
    """The interpreter of a checkout: this one's own, else that of the checkout's virtual environment."""
    return sys.executable if root == ROOT else str(root / ".venv" / "bin" / "python")


def sign_in(client: httpx.Client) -> str:
    body = {"username": EMAIL, "password": PASSWORD, "rememberLogin": True}
    answer = client.post("/identity/authentication/sign-in", json=body)
    answer.raise_for_status()
    return str(answer.json()["access_token"])


def _wait(client: httpx.Client, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < until:
        try:
            if client.get("/health/live").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError("daphne did not come up")


def token(bytes_: int = 4) -> str:
    """Tells this run's rows from an earlier one's."""
    return secrets.token_hex(bytes_)
