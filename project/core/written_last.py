"""What a unit of work writes last: rows are collected while it works, and stored directly before its commit.

So an audit row or an event costs no statement of its own, and what makes others wait is held for the commit alone.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

from django.db import connection, transaction

Store = Callable[[Sequence[Any]], None]


class LastStore(Protocol):
    """Stores rows that every other change waits for. `commits`: nothing follows in their transaction but its commit,
    which may be sent with them."""

    def __call__(self, rows: Sequence[Any], /, *, commits: bool) -> None: ...


@dataclass
class _Collected:
    """The rows of a transaction in their order, each with what stores it."""

    rows: list[tuple[Store, Any]]
    last: list[tuple[LastStore, Any]]

    def store(self) -> None:
        """Store them. The last of them are told to commit where the transaction is in no other one."""
        for store, its in _by_store(self.rows).items():
            store(its)
        last = list(_by_store(self.last).items())
        for place, (store_last, its) in enumerate(last, start=1):
            store_last(its, commits=place == len(last) and not connection.savepoint_ids)


_collected: ContextVar[_Collected | None] = ContextVar("written_last", default=None)


def write_last(store: Store, rows: Iterable[Any]) -> None:
    """Have `store` called at the end of the transaction, once, with all rows given for it in their order.

    Where nothing is collected it is called now.
    """
    collected = _collected.get()
    if collected is not None:
        collected.rows.extend((store, row) for row in rows)
    elif found := list(rows):
        store(found)


def write_after_all(store: LastStore, rows: Iterable[Any]) -> None:
    """As `write_last`, after everything else: for what every other change must wait for until the commit."""
    collected = _collected.get()
    if collected is not None:
        collected.last.extend((store, row) for row in rows)
    elif found := list(rows):
        store(found, commits=False)


@contextmanager
def one_change() -> Iterator[None]:
    """A transaction at whose end is stored what was collected in it.

    One in another one is a part of it: what it collected is stored with the rest, or goes where it raises.
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
