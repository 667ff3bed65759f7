"""`make run` reports what keeps it from starting before it prints an address."""

import os
import socket
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_port_in_use_is_reported_before_files_are_made_or_an_address_printed(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        environment = os.environ | {"HOST": "127.0.0.1", "PORT": str(port), "DATA_DIR": str(tmp_path)}
        started = subprocess.run(["infra/setup/run.sh"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert started.returncode == 1
    assert started.stdout == ""
    said = f"obrador: port {port} of 127.0.0.1 is in use. Take another: PORT={port + 1} make run\n"
    assert started.stderr == said
    assert list(tmp_path.iterdir()) == []


def test_database_of_an_earlier_build_is_refused_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "obrador.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.execute(
            "CREATE TABLE django_migrations (id integer PRIMARY KEY, app text, name text, applied datetime)"
        )
        database.execute("INSERT INTO django_migrations VALUES (1, 'core', '0001_spanish_collation', '2026-11-27')")
        database.commit()
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    environment |= {"HOST": "127.0.0.1", "PORT": "0", "DATA_DIR": str(tmp_path)}
    started = subprocess.run(["infra/setup/run.sh"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (started.returncode, started.stdout) == (1, "")
    afresh = f"move {file} away and run `make run`, or `python manage.py migrate` without demo data, to start afresh."
    said = f"This database was made by an earlier build of Obrador, which cannot be upgraded: {afresh}"
    assert started.stderr == f"CommandError: {said}\n"
