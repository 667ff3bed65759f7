"""What a unit of work writes last: rows are collected while it works, and stored directly before its commit.

So an audit row or an event costs no statement of its own, and what makes others wait is held for the commit alone.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

Store = Callable[[Sequence[Any]], None]


@dataclass(frozen=True)
class _Row:
    row: Any
    store: Store
    after_all: bool


_collected: ContextVar[list[_Row] | None] = ContextVar("written_last", default=None)


def write_last(store: Store, rows: Iterable[Any]) -> None:
    """Have `store` called at the end of the unit of work, once, with all rows given for it in their order.

    Where nothing is collected it is called now.
    """
    _collect(store, rows, after_all=False)


def write_after_all(store: Store, rows: Iterable[Any]) -> None:
    """As `write_last`, after everything else: for what every other change must wait for until the commit."""
    _collect(store, rows, after_all=True)


@contextmanager
def collecting() -> Iterator[None]:
    """Collect rows, and store them at the end of the block. Enter it in the transaction that they belong to.

    A block in another one is a part of it: what it collected is stored with the rest, or goes where it raises.
    """
    whole = _collected.get()
    if whole is not None:
        before = len(whole)
        try:
            yield
        except BaseException:
            del whole[before:]
            raise
        return
    rows: list[_Row] = []
    token = _collected.set(rows)
    try:
        yield
    finally:
        _collected.reset(token)
    for after_all in (False, True):
        of_one: dict[Store, list[Any]] = {}
        for one in rows:
            if one.after_all == after_all:
                of_one.setdefault(one.store, []).append(one.row)
        for store, its in of_one.items():
            store(its)


def _collect(store: Store, rows: Iterable[Any], *, after_all: bool) -> None:
    whole = _collected.get()
    if whole is None:
        if found := list(rows):
            store(found)
    else:
        whole.extend(_Row(row, store, after_all) for row in rows)
