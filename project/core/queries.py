"""Queries that Django writes as SQL once, saves of some fields, advisory locks, and giving a connection back."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from django.db import connection, connections
from django.db.models import Model, QuerySet
from django.db.models.sql.compiler import SQLCompiler

MOST_IDS = 200
"""Of longer lists the SQL is written each time: its share is small there, and there are too many lengths to keep."""
_FIRST = 2_000_000_000
"""What the SQL is written with in place of the first id, the next number for the next: any column of ids holds them."""


def prepared[Row](query: Callable[..., QuerySet[Any, Row]]) -> Callable[..., list[Row]]:
    """What `query` finds for some ids, as a list. `query` is called once for each number of ids, so nothing but the ids
    may change what it asks, nor when. 1 query."""
    written: dict[int, _Written[Row]] = {}

    def found(*ids: int) -> list[Row]:
        if len(ids) > MOST_IDS:
            return list(query(*ids))
        known = written.get(len(ids))
        if known is None:  # two threads may both write it: the same
            known = written[len(ids)] = _written(query(*range(_FIRST, _FIRST + len(ids))))
        return known.rows(ids)

    return found


@dataclass(frozen=True)
class _Written[Row]:
    """A query with its SQL, which its compiler has set up for reading rows."""

    query: QuerySet[Any, Row]
    compiler: SQLCompiler
    sql: str
    params: tuple[Any, ...]

    def rows(self, ids: tuple[int, ...]) -> list[Row]:
        """The rows for these ids."""
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
    """Write `fields` of all `rows`, which are of one model. 1 query for up to 500 rows, none for none.

    One row is saved alone: `bulk_update` takes four times as long to say the same of it.
    """
    if len(rows) == 1:
        rows[0].save(update_fields=fields)
    elif rows:
        type(rows[0])._default_manager.bulk_update(rows, fields, batch_size=500)


class Turn(IntEnum):
    """The advisory locks of the product: any numbers, each of them once."""

    COUNTING_ATTEMPTS = 7_310_001
    PLACING_PROCESSES = 7_310_002


def take_turn(turn: Turn) -> None:
    """Wait until no other transaction holds this turn; hold it until the present one ends. SQLite has one writer and
    needs nothing. 1 query."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [turn.value])


def give_connection_back() -> None:
    """Let others have this thread's connection; the next query takes one again. Nothing inside a transaction."""
    if not connection.in_atomic_block:
        connection.close()
