"""Movements committed a second, by so many writers: through the installation, and as SQL on PostgreSQL alone.

The SQL is what the product itself runs for an entry and an exit, taken down once for a line of each writer and run by
pgbench again and again: with the counter that puts events in the order of their commits, and with a sequence in its
place, which orders nothing and lets nobody wait. The rounds take turns; medians.
"""

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

from calls import moving, together
from django.db import connection
from django.test import Client as InProcess
from filled import Filled, Place
from httpx import Client

WRITERS = (1, 4, 16)
SECONDS = int(os.environ.get("CLUSTER_WRITER_SECONDS", "10"))
ROUNDS = int(os.environ.get("CLUSTER_ROUNDS", "5"))
CALLS = 25  # of each writer, through the installation
FIRST_RECORD = 900_000_001
"""Far from every other number in the statements, so that it can be found among them."""
KEY = "the key of one movement"
COUNTER = re.compile(
    r"UPDATE realtime_outboxcounter SET last_id = last_id \+ \d+ WHERE id = 1 RETURNING last_id - \d+ AS before"
)
SEQUENCE = "SELECT nextval('bench_outbox') AS before"
MADE = re.compile(r"INSERT INTO realtime_outboxcounter [^;]*;\s*")
"""Makes the counter where it is not there yet."""


def commits_a_second(client: Client, filled: Filled, stop: Callable[[], None], folder: Path) -> None:
    """Prints a row for each number of writers. `stop` ends the installation, before PostgreSQL is alone."""
    print("\nmovements committed a second (aim: 0.70 at 16)", flush=True)
    through = {
        writers: median(together([client], CALLS, moving(filled, writers)) for _ in range(ROUNDS))
        for writers in WRITERS
    }
    sides = _scripts(client, filled, folder)
    stop()
    print(f"  {'writers':>8}{'the installation':>18}{'SQL':>10}{'without counter':>17}{'ratio':>8}{'rounds':>9}")
    rates: dict[tuple[int, int], list[float]] = {}
    for number in range(ROUNDS):
        for writers in WRITERS:
            for side in (0, 1) if number % 2 else (1, 0):
                rates.setdefault((writers, side), []).append(_rate(sides[side][:writers]))
    for writers in WRITERS:
        ours, alone = rates[writers, 0], rates[writers, 1]
        ratios = [mine / other for mine, other in zip(ours, alone, strict=True)]
        print(
            f"  {writers:8}{through[writers]:18.0f}{median(ours):10.0f}{median(alone):17.0f}"
            f"{median(ours) / median(alone):8.2f}   {min(ratios):.2f} to {max(ratios):.2f}",
            flush=True,
        )


def _scripts(client: Client, filled: Filled, folder: Path) -> tuple[list[Path], list[Path]]:
    """For each writer a script of pgbench: with the counter, and without it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval(pg_get_serial_sequence('orders_processrecord', 'id'), %s, false)", [FIRST_RECORD])
        cursor.execute("CREATE SEQUENCE bench_outbox START 1000000000 INCREMENT 100")
    caller = InProcess(headers={"Authorization": client.headers["Authorization"], "Host": "localhost"})
    places = filled.movable[-max(WRITERS) :]
    _taken_down(caller, places[0], filled.processes[0])  # what is asked once for each process is asked now
    sides: tuple[list[Path], list[Path]] = ([], [])
    for number, place in enumerate(places):
        script = "\n".join(repeatable(_taken_down(caller, place, filled.processes[0])))
        without, replaced = without_counter(script)
        if replaced != 2:
            raise RuntimeError(f"{replaced} of two movements took a number from the counter")
        for side, text in zip(sides, (script, without), strict=True):
            side.append(folder / f"writer-{number}-{len(side)}-{'without' if text is without else 'with'}.sql")
            side[-1].write_text(text)
    return sides


def _taken_down(caller: InProcess, place: Place, process: int) -> list[tuple[bool, str]]:
    """The statements of an entry and of an exit, in their order; whether each belongs to a transaction."""
    found: list[tuple[bool, str]] = []

    def note(execute: Callable[..., Any], sql: str, parameters: Any, many: bool, context: dict[str, Any]) -> Any:
        found.append((connection.in_atomic_block, sql if parameters is None else _composed(sql, parameters)))
        return execute(sql, parameters, many, context)

    for direction in ("in", "out"):
        path = f"/api/sales-order/{place[0]}/position/{place[1]}/production-process/{direction}"
        body = {"productionProcessId": process, "quantity": 1}
        with connection.execute_wrapper(note):
            headers = {"Idempotency-Key": f"{KEY}, {direction}"}
            answer = caller.put(path, body, content_type="application/json", headers=headers)
        if answer.status_code != 200:
            raise RuntimeError(answer.content)
        with connection.cursor() as cursor:  # so that the next one may use it
            cursor.execute("DELETE FROM core_idempotentanswer WHERE key LIKE %s", [f"{KEY}%"])
    return found


def _composed(sql: str, parameters: Any) -> str:
    with connection.cursor() as cursor:
        return str(cursor.mogrify(sql, parameters))


def without_counter(statements: str) -> tuple[str, int]:
    """The statements with the sequence in place of the counter, and how often it was there."""
    return COUNTER.subn(SEQUENCE, MADE.sub("", statements))


def repeatable(statements: list[tuple[bool, str]]) -> Iterator[str]:
    """As pgbench runs them any number of times: each time with another key and a record of its own, which the exit
    takes away, so that the next entry finds the line as it was."""
    record = max(int(number) for _, sql in statements for number in re.findall(r"\b9000\d{5}\b", sql))
    inside = False
    for atomic, sql in statements:
        if atomic != inside:
            yield "BEGIN;" if atomic else "COMMIT;"
            inside = atomic
        if f"'{KEY}, in'" in sql:
            yield r"\set key random(1, 9000000000000000000)"
        sql = re.sub(rf"'{KEY}, (in|out)'", r"(:key || '\1')", sql)
        sql = re.sub(rf'(?<![":\w]){record}\b', ":id", sql)
        sql = re.sub(r"(SET CONSTRAINTS ALL IMMEDIATE|ON CONFLICT DO NOTHING|ORDER BY place);", r"\1\\;", sql).strip()
        if re.match(r'INSERT INTO "orders_processrecord"', sql):
            yield f"{sql} \\gset"
        else:
            yield f"{sql};"
            inside = inside and not sql.endswith("COMMIT")  # it goes with the events
        if re.match(r'UPDATE "orders_processrecord"', sql):
            yield "DELETE FROM orders_processrecord WHERE id = :id;"
    if inside:
        yield "COMMIT;"


def _rate(scripts: list[Path]) -> float:
    """Movements a second of one pgbench for each script, all at once."""
    command = ["pgbench", "--no-vacuum", "--random-seed=rand", "--client=1", f"--time={SECONDS}"]
    running = [
        subprocess.Popen(
            [*command, f"--file={script}", os.environ["DATABASE_URL"]],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for script in scripts
    ]
    said = [process.communicate() for process in running]
    found = [re.search(r"^tps = ([\d.]+)", out, re.MULTILINE) for out, _ in said]
    for process, one, (_, errors) in zip(running, found, said, strict=True):
        if process.returncode or one is None:
            raise RuntimeError(errors)
    return sum(2 * float(one[1]) for one in found if one)  # an entry and an exit
