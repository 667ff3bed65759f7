"""Collect rows during a unit of work and store them directly before its commit.

So audit rows and events are stored in bulk, and locks that every change waits for are held only during the commit.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

from django.db import connection, transaction

Store = Callable[[Sequence[Any]], None]


class LastStore(Protocol):
    """Stores rows under a lock that every other change waits for.

    `commits`: true if only the commit follows in this transaction. Then the store may send the commit with the rows.
    """

    def __call__(self, rows: Sequence[Any], /, *, commits: bool) -> None: ...


@dataclass
class _Collected:
    """The collected rows of a transaction in order, each with the function that stores it."""

    rows: list[tuple[Store, Any]]
    last: list[tuple[LastStore, Any]]

    def store(self) -> None:
        """Store all rows. The last store gets `commits=True`, unless the transaction is nested."""
        for store, its in _by_store(self.rows).items():
            store(its)
        last = list(_by_store(self.last).items())
        for place, (store_last, its) in enumerate(last, start=1):
            store_last(its, commits=place == len(last) and not connection.savepoint_ids)


_collected: ContextVar[_Collected | None] = ContextVar("written_last", default=None)


def write_last(store: Store, rows: Iterable[Any]) -> None:
    """Collect `rows` for `store`, which is called once, at the end of the unit of work, with all its rows in order.

    Outside a unit of work `store` is called immediately.
    """
    collected = _collected.get()
    if collected is not None:
        collected.rows.extend((store, row) for row in rows)
    elif found := list(rows):
        store(found)


def write_after_all(store: LastStore, rows: Iterable[Any]) -> None:
    """Like `write_last`, but these rows are stored after all rows of `write_last`.

    Use it for rows whose storing takes a lock for which all other changes wait: so they wait only for the commit.
    """
    collected = _collected.get()
    if collected is not None:
        collected.last.extend((store, row) for row in rows)
    elif found := list(rows):
        store(found, commits=False)


@contextmanager
def one_change() -> Iterator[None]:
    """Run the block in a transaction, and store the collected rows at its end.

    Nested blocks join the outer transaction: their rows are stored with the outer ones, or dropped if the block raises.
    """
    with transaction.atomic():
        whole = _collected.get()
        if whole is not None:
            before = len(whole.rows), len(whole.last)
            try:
                yield
            except BaseException:
                del whole.rows[before[0] :], whole.last[before[1] :]
                raise
            return
        collected = _Collected([], [])
        token = _collected.set(collected)
        try:
            yield
        finally:
            _collected.reset(token)
        collected.store()


def _by_store[S](rows: list[tuple[S, Any]]) -> dict[S, list[Any]]:
    of_one: dict[S, list[Any]] = {}
    for store, row in rows:
        of_one.setdefault(store, []).append(row)
    return of_one
