"""Play a movement log straight and through PgBouncer (`pool_mode = transaction`), and count PostgreSQL's sessions.

`pooled LOG.csv ROWS` takes only the first ROWS movements. Both runs read with many people at once, which is when each
web process holds most connections.
"""

import os
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from urllib.parse import urlsplit

import httpx
from django.db import connection

from infra.bench.machine import Machine
from infra.bench.movement_log.client import Api, Person
from infra.bench.movement_log.log import read_log
from infra.bench.report import Report, percentile
from infra.bench.served import EMAIL, PASSWORD, running, served
from infra.bench.stations import played

MOST_SESSIONS = 10
"""The sessions that PgBouncer opens to PostgreSQL."""
PROCESSES, READERS, READS = 3, 30, 1_500
PATH = "/api/sales-order/positions?limit=25"
SESSIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


class PgBouncer(Machine):
    """PgBouncer before the PostgreSQL that DATABASE_URL names.

    PgBouncer refuses to run as root, so root runs it as the user postgres. It does not pass on the start parameter
    `options`, so this class sets the timeouts that the product asks for there on the role instead.
    """

    def __init__(self, place: Path) -> None:
        super().__init__()
        server = urlsplit(os.environ["DATABASE_URL"])
        self._place = place
        (place / "users").write_text(f'"{server.username}" ""\n')
        (place / "pgbouncer.ini").write_text(
            f"[databases]\n* = host={server.hostname} port={server.port} user={server.username}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =\n"
            f"auth_type = trust\nauth_file = {place}/users\npool_mode = transaction\nmax_client_conn = 1000\n"
            f"default_pool_size = {MOST_SESSIONS}\nignore_startup_parameters = options\n"
        )
        self.database_url = (
            f"postgres://{server.username}@127.0.0.1:{self.port}{server.path}?disable_server_side_cursors=true"
        )
        for file in place.iterdir():
            file.chmod(0o644)
        with connection.cursor() as cursor:
            for name, value in re.findall(r"-c (\w+)=(\w+)", connection.settings_dict["OPTIONS"]["options"]):
                cursor.execute(f"ALTER ROLE {connection.ops.quote_name(str(server.username))} SET {name} = '{value}'")

    def command(self) -> list[str]:
        as_other = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        return [*as_other, "pgbouncer", "-q", str(self._place / "pgbouncer.ini")]


def measure(log: str, rows: str = "") -> Report:
    """Play the log and read with many people at once: straight, then through PgBouncer."""
    movements = read_log(Path(log))[: int(rows) if rows else None]
    report = Report({}, [])
    most: dict[str, int] = {}
    with pgbouncer() as pooler:
        for way, settings in (("straight", {}), ("through PgBouncer", {"DATABASE_URL": pooler.database_url})):
            with ExitStack() as stack:
                client = stack.enter_context(served())  # a migration holds settings of its session: it goes straight
                others = [stack.enter_context(running(settings)) for _ in range(PROCESSES)]
                api = Api(others[0].url)
                begun = time.monotonic()
                found = played(api, api.sign_in(Person(EMAIL, PASSWORD)), movements)
                seconds = time.monotonic() - begun
                token = client.headers["Authorization"]
                most[way], times = _read([one.url for one in others], token)
            report.rows |= {
                f"{name}, {way}": f"{value}; {seconds:.0f} s, all presses and reads one after the other"
                for name, value in found.rows.items()
            }
            report.rows[f"{READS:,} pages of lines read by {READERS} people from {PROCESSES} web processes, {way}"] = (
                f"p50 {percentile(times, 50):.0f} ms, p95 {percentile(times, 95):.0f} ms, "
                f"at most {most[way]} sessions of PostgreSQL"
            )
            report.exceeded += found.exceeded
    report.limit("sessions of PostgreSQL behind PgBouncer", most["through PgBouncer"], MOST_SESSIONS + 5)
    return report


@contextmanager
def pgbouncer() -> Iterator[PgBouncer]:
    with TemporaryDirectory() as folder:
        place = Path(folder)
        place.chmod(0o755)
        pooler = PgBouncer(place)
        try:
            pooler.start()
            yield pooler
        finally:
            pooler.stop()


def _read(urls: list[str], token: str) -> tuple[int, list[float]]:
    """Read many pages at once. Return the most sessions that PostgreSQL had meanwhile, and the milliseconds of each."""
    over = Event()

    def read(number: int) -> float:
        begun = time.perf_counter()
        httpx.get(urls[number % len(urls)] + PATH, headers={"Authorization": token}, timeout=60).raise_for_status()
        return (time.perf_counter() - begun) * 1_000

    def watch() -> int:
        most = 0
        with connection.cursor() as cursor:
            while not over.wait(0.05):
                cursor.execute(SESSIONS)
                most = max(most, cursor.fetchone()[0])
        connection.close()
        return most

    with ThreadPoolExecutor(READERS + 1) as threads:
        watched = threads.submit(watch)
        times = list(threads.map(read, range(READS)))
        over.set()
        most = watched.result()
    return most, times
