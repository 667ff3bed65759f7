"""Start a server for a benchmark, with a migrated database, an administrator and a signed-in client."""

import os
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from infra.bench.machine import ROOT, Daphne, python_of

EMAIL = "bench@obrador.test"
PASSWORD = "Obrador.2026"


class Served(httpx.Client):
    """A client of one server. `pid` is the server's process, `url` its address."""

    pid = 0

    @property
    def url(self) -> str:
        return str(self.base_url).rstrip("/")


@contextmanager
def served(root: Path = ROOT, **settings: str) -> Iterator[Served]:
    """Serve the checkout in `root`, and sign in as an administrator. `settings` override the environment."""
    manage(settings, "migrate", "--verbosity", "0", root=root)
    manage(settings, "createadmin", EMAIL, "--password", PASSWORD, root=root)
    with running(settings, root) as client:
        body = {"username": EMAIL, "password": PASSWORD, "rememberLogin": True}
        answer = client.post("/identity/authentication/sign-in", json=body).raise_for_status()
        client.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
        yield client


@contextmanager
def running(settings: dict[str, str], root: Path = ROOT) -> Iterator[Served]:
    """Serve the checkout in `root` on a database that is already migrated. The client is not signed in."""
    server = Daphne(root)
    server.environment = settings
    try:
        server.start()
        with Served(base_url=server.url, timeout=60) as client:
            client.pid = server.pid
            yield client
    finally:
        server.stop()


def manage(settings: dict[str, str], *command: str, root: Path = ROOT) -> None:
    """Run a management command of the checkout in `root`."""
    subprocess.run([python_of(root), "manage.py", *command], cwd=root, check=True, env=os.environ | settings)


def token(size: int = 4) -> str:
    """Return a random name of `size` bytes in hexadecimal, so that the rows of two runs differ."""
    return secrets.token_hex(size)
