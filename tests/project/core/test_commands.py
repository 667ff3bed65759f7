"""A command that cannot run says in one line what to do; files it makes are readable only by its own account."""

import json
import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import get_commands
from django.db import connection

from project.core.environment import Environment

ROOT = Path(__file__).resolve().parents[3]
WITHOUT_TABLES = {
    *("lintmigrations", "export_contract", "export_docs", "migrate"),
    *("doctor", "restore"),  # they check the database themselves
    "indexsearch",  # does nothing on SQLite
}
GIVEN = {
    "createadmin": ["ana@taller.test", "--password", "Taller.2026"],
    "backup": ["--to", "copies"],
    "second-factor": ["--reset", "ana@taller.test"],
}
LACKING = """
import json, sys
import django
from django.core.management import CommandError, call_command
from django.db import DatabaseError
from project.core.database import LACKS_TABLES, lacks_tables
django.setup()
for name, *given in json.loads(sys.argv[1]):
    try:
        call_command(name, *given)
    except DatabaseError as error:
        print(name if lacks_tables(error) else f"{name}: {error}")
    except CommandError as error:
        print(name if str(error).endswith(LACKS_TABLES) else f"{name}: {error}")
"""
"""Prints the names of the given commands that end because tables are missing."""
OURS = {name for name, app in get_commands().items() if str(app).startswith(("project", "realtime"))}


def run(command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    away = {"DATABASE_URL", "REDIS_URL", "SECRET_KEY"}
    given = {name: value for name, value in os.environ.items() if name not in away} | environment
    return subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, timeout=120, check=False)


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return run([sys.executable, "manage.py", *arguments], **environment)


def test_every_command_before_migrate_ends_because_tables_are_missing(tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    commands = [
        [name, *(str(tmp_path / one) if one == "copies" else one for one in GIVEN.get(name, []))]
        for name in sorted(OURS - WITHOUT_TABLES)
    ]
    own = {"DATA_DIR": str(tmp_path), "BACKUP_KEY": "k" * 48, "DJANGO_SETTINGS_MODULE": "project.settings"}
    ended = run([sys.executable, "-c", LACKING, json.dumps(commands)], **own)
    assert ended.stdout.splitlines() == [name for name, *_ in commands], ended.stderr


def test_command_before_migrate_says_what_to_run(tmp_path: Path) -> None:
    said = manage("createadmin", *GIVEN["createadmin"], DATA_DIR=str(tmp_path))
    assert said.returncode == 1
    assert said.stderr == "The database lacks tables: run `python manage.py migrate` first.\n"


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="PostgreSQL's own error")
def test_command_before_migrate_says_what_to_run_on_postgresql(tmp_path: Path) -> None:
    server = connection.settings_dict
    own = {"host": server["HOST"], "port": server["PORT"], "user": server["USER"], "autocommit": True}
    with psycopg.connect(**own, dbname="postgres") as admin:
        admin.execute("CREATE DATABASE without_tables")
        try:
            url = f"postgres://{server['USER']}@{server['HOST']}:{server['PORT']}/without_tables"
            said = manage("renew_epoch", DATA_DIR=str(tmp_path), DATABASE_URL=url)
        finally:
            admin.execute("DROP DATABASE without_tables WITH (FORCE)")
    assert said.stderr == "The database lacks tables: run `python manage.py migrate` first.\n"


@pytest.mark.parametrize("folder", ["a file", "a file/within", "/proc/obrador"])
def test_folder_that_cannot_be_written_is_named(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a file").touch()
    place = tmp_path / folder
    monkeypatch.setenv("DATA_DIR", str(place))
    with pytest.raises(ImproperlyConfigured, match=f"^DATA_DIR cannot be written: {place.resolve()}: "):
        Environment().folder("DATA_DIR", default="var")


def test_start_script_says_a_wrong_setting_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    place = str(tmp_path / "a file")
    said = run(["infra/setup/run.sh"], DATA_DIR=place, PORT="0")
    assert said.returncode == 1
    assert said.stderr.startswith(f"Settings: DATA_DIR cannot be written: {place}: ")
    assert len(said.stderr.splitlines()) == 1


def test_files_are_readable_only_by_their_owner(tmp_path: Path) -> None:
    place = tmp_path / "data"
    store = (
        "from django.core.files.base import ContentFile; from django.core.files.storage import default_storage;"
        "from django.db import connection; connection.cursor().execute('CREATE TABLE a (b)');"
        "default_storage.save('items/a.jpeg', ContentFile(b'a'));"
        "import os, pathlib, django.conf;"
        "print(*(p.name for p in pathlib.Path(django.conf.settings.DATA_DIR).rglob('*') if p.stat().st_mode & 0o077))"
    )
    said = manage("shell", "--no-imports", "--command", store, DATA_DIR=str(place))
    assert (said.returncode, said.stdout.strip(), said.stderr) == (0, "", "")
    made = {one.name for one in place.rglob("*")}
    assert {"obrador.sqlite3", "secret-key", "items", "a.jpeg"} <= made
    assert place.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("unit", sorted((settings.BASE_DIR / "infra/deploy/systemd").glob("*.service")), ids=str)
def test_every_systemd_unit_sets_umask_0077(unit: Path) -> None:
    assert "\nUMask=0077\n" in unit.read_text()
