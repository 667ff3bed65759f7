"""Measure a web process and a worker at rest, and the bytes of the tables' rows, for infra/docs/capacity.md."""

import subprocess
import sys
import time
from pathlib import Path

from django.db import connection

from infra.bench.bulk import make
from infra.bench.machine import ROOT, processor_seconds, resident_bytes
from infra.bench.movement_log.client import Api, Person
from infra.bench.movement_log.log import read_log
from infra.bench.report import Report
from infra.bench.served import EMAIL, PASSWORD, served
from infra.bench.stations import played

REST_SECONDS, LINES = 30, 20_000
FEWEST = 500
"""Tables with fewer rows are left out: their pages are mostly empty."""
TABLES = """
SELECT relname, pg_total_relation_size(oid) FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname"""
SESSIONS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


def measure(log: str) -> Report:
    """Measure the processes at rest, then the tables after the log was played, then those of 20,000 lines."""
    with served() as client:
        rows = at_rest(client.pid)
        api = Api(client.url)
        report = played(api, api.sign_in(Person(EMAIL, PASSWORD)), read_log(Path(log)))
    rows["Bytes of a row with its indexes, after a movement log"] = sizes()
    make(LINES)
    rows[f"Bytes of a row with its indexes, {LINES:,} lines of two years"] = sizes()
    return Report(rows, report.exceeded)


def at_rest(web: int) -> dict[str, str]:
    """Measure memory, processor time and database sessions of a web process and a worker that nobody uses."""
    worker = subprocess.Popen([sys.executable, "manage.py", "worker"], cwd=ROOT)
    processes = {"web process": web, "worker": worker.pid}
    try:
        time.sleep(REST_SECONDS)  # until every job ran once
        before = {name: processor_seconds(pid) for name, pid in processes.items()}
        time.sleep(REST_SECONDS)
        rows = {
            f"A {name} that nobody uses: memory, processor": f"{resident_bytes(pid) / 1e6:.0f} MB, "
            f"{(processor_seconds(pid) - before[name]) / REST_SECONDS:.1%} of a core"
            for name, pid in processes.items()
        }
        with connection.cursor() as cursor:
            cursor.execute(SESSIONS)
            rows["Database connections of both"] = str(len(cursor.fetchall()))
    finally:
        worker.terminate()
        worker.wait(40)
    return rows


def sizes() -> str:
    """Return the bytes of a row with its indexes, as text, for each table with at least `FEWEST` rows."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
        cursor.execute(TABLES)
        for table, size in cursor.fetchall():
            cursor.execute(f'SELECT count(*) FROM "{table}"')  # noqa: S608
            (rows,) = cursor.fetchone()
            if rows >= FEWEST:
                found.append(f"{table} {size / rows:.0f}")
    return ", ".join(found)
