"""Prepared queries, saves of single fields, advisory locks, and the release of a connection."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from django.db import connection, connections
from django.db.models import Model, QuerySet
from django.db.models.sql.compiler import SQLCompiler

MOST_IDS = 200
"""Longer lists are not prepared: building their SQL is a small share of their cost, and there are too many lengths."""
_FIRST = 2_000_000_000
"""Placeholder for the first id; the next ids get the next numbers. It fits any column of ids."""


def prepared[Row](query: Callable[..., QuerySet[Any, Row]]) -> Callable[..., list[Row]]:
    """Return a function that takes ids and returns the list of rows of `query(*ids)`. 1 query.

    The SQL is built once for each number of ids and then reused, so `query` may depend on nothing but the ids.
    """
    written: dict[int, _Written[Row]] = {}

    def found(*ids: int) -> list[Row]:
        if len(ids) > MOST_IDS:
            return list(query(*ids))
        known = written.get(len(ids))
        if known is None:  # two threads may both build it: the result is the same
            known = written[len(ids)] = _written(query(*range(_FIRST, _FIRST + len(ids))))
        return known.rows(ids)

    return found


@dataclass(frozen=True)
class _Written[Row]:
    """A query with its SQL and the compiler that reads its rows."""

    query: QuerySet[Any, Row]
    compiler: SQLCompiler
    sql: str
    params: tuple[Any, ...]

    def rows(self, ids: tuple[int, ...]) -> list[Row]:
        """Return the rows for these ids."""
        given = dict(zip(range(_FIRST, _FIRST + len(ids)), ids, strict=True))
        params = tuple(given.get(param, param) for param in self.params)
        compiler: Any = copy(self.compiler)
        compiler.connection = connections[self.query.db]
        compiler.as_sql = lambda *args, **options: (self.sql, params)
        asked = self.query.all()
        asked.query.get_compiler = lambda *args, **options: compiler  # type: ignore[method-assign]
        return list(asked)


def _written[Row](query: QuerySet[Any, Row]) -> _Written[Row]:
    compiler = query.query.get_compiler(using=query.db)
    sql, params = compiler.as_sql()
    return _Written(query, compiler, sql, tuple(params))


def save_fields(rows: Sequence[Model], fields: Sequence[str]) -> None:
    """Save `fields` of all `rows`, which must be of one model. 1 query per 500 rows, none without rows.

    One row is saved alone, because `bulk_update` takes four times as long to build the same statement.
    """
    if len(rows) == 1:
        rows[0].save(update_fields=fields)
    elif rows:
        type(rows[0])._default_manager.bulk_update(rows, fields, batch_size=500)


class Turn(IntEnum):
    """The advisory locks of the product; the numbers are arbitrary but unique."""

    COUNTING_ATTEMPTS = 7_310_001
    PLACING_PROCESSES = 7_310_002
    LOADING_SAMPLE = 7_310_003
    MIGRATING = 7_310_004
    NUMBERING_BATCHES = 7_310_010


def take_turn(turn: Turn) -> None:
    """Take an advisory lock until the current transaction ends, waiting for its holder. 1 query.

    A no-op on SQLite, which has only one writer.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [turn.value])


def give_connection_back() -> None:
    """Release this thread's connection; the next query takes one again. A no-op inside a transaction."""
    if not connection.in_atomic_block:
        connection.close()
