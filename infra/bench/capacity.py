"""What an installation takes at rest, and the bytes of its rows, for infra/docs/capacity.md.

`capacity.py LOG.csv`, run by `make bench-capacity FILE=LOG.csv`, which names a database of its own: a web process and a
worker at rest, then the tables after the log was played, then those of 20,000 lines of two years (`bulk.py`).
"""

import subprocess
import sys
import time

import django

django.setup()

from bulk import make  # noqa: E402
from django.db import connection  # noqa: E402
from processes import memory, processor  # noqa: E402
from replayed import run  # noqa: E402
from served import ROOT, served  # noqa: E402

REST_SECONDS, LINES = 30, 20_000
FEWEST = 500
"""Tables with fewer rows are left out: their pages are mostly empty."""
TABLES = """
SELECT relname, pg_total_relation_size(oid) FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"""
SESSIONS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


def at_rest(web: int) -> None:
    """Print memory, processor time and database connections of a web process and a worker that nobody uses."""
    worker = subprocess.Popen([sys.executable, "manage.py", "worker"], cwd=ROOT)
    families = {"web process": web, "worker": worker.pid}
    try:
        time.sleep(REST_SECONDS)  # until every job ran once
        before = processor(families)
        time.sleep(REST_SECONDS)
        after, held = processor(families), memory(families)
        with connection.cursor() as cursor:
            cursor.execute(SESSIONS)
            sessions = {str(pid): pid for (pid,) in cursor.fetchall()}
        backends = sum(memory(sessions).values())
    finally:
        worker.terminate()
        worker.wait(40)
    for name in families:
        share = (after[name] - before[name]) / REST_SECONDS
        print(f"{name:<32}{held[name] / 1e6:>7.0f} MB{share:>8.1%} of a core")
    print(f"{'connections of both':<32}{len(sessions):>7}   {backends / len(sessions) / 1e6:>7.1f} MB each")


def print_tables() -> None:
    """Print the rows of each table, and the bytes for each row with its indexes and large values."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
        cursor.execute(TABLES)
        for table, size in sorted(cursor.fetchall()):
            cursor.execute(f'SELECT count(*) FROM "{table}"')  # noqa: S608
            (rows,) = cursor.fetchone()
            if rows >= FEWEST:
                print(f"{table:<32}{rows:>10,} rows{size / rows:>8.0f} bytes a row")


def main() -> int:
    with served() as client:
        at_rest(client.pid)
        failed = run("replay.py", client, sys.argv[1])
    print_tables()
    make(LINES)
    print_tables()
    return failed


if __name__ == "__main__":
    sys.exit(main())
