"""The builds that a benchmark compares: this checkout and one of an older revision, each with its own database."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from infra.bench.machine import ROOT


@dataclass
class Build:
    """A checkout, and the settings that it is served with."""

    name: str
    root: Path
    settings: dict[str, str] = field(default_factory=dict)

    def database(self) -> psycopg.Connection[Any]:
        return psycopg.connect((os.environ | self.settings)["DATABASE_URL"], autocommit=True)


@contextmanager
def builds(base: str = "") -> Iterator[list[Build]]:
    """Yield the builds: that of revision `base`, if it is given, then this checkout.

    Delete the checkout of `base` and its virtual environment after the block.
    """
    this = Build("this", ROOT)
    if not base:
        yield [this]
        return
    with tempfile.TemporaryDirectory() as place:
        root, data = Path(place) / "checkout", Path(place) / "data"
        _git("worktree", "add", "--quiet", "--detach", str(root), base)
        try:
            _install(root)
            with this.database() as connection:
                connection.execute("CREATE DATABASE obrador_base")
            database = os.environ["DATABASE_URL"].rpartition("/")[0] + "/obrador_base"
            settings = {"DATABASE_URL": database, "DATA_DIR": str(data), "PYTHONPATH": str(root)}
            yield [Build(base, root, settings), this]
        finally:
            _git("worktree", "remove", "--force", str(root))


def _install(root: Path) -> None:
    """Install the packages of a checkout's own lock file, which may differ from this checkout's."""
    script = ". infra/setup/lib.sh; . infra/setup/python.sh; ensure_python run >&2"
    subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=root, check=True)


def _git(*command: str) -> None:
    subprocess.run(["git", *command], cwd=ROOT, check=True)
