"""Queries that Django writes as SQL once, and not at every call (decision 40).

To write the SQL of a query with joins and names takes the process longer than the database needs to answer it.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.db import connections
from django.db.models import QuerySet
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
