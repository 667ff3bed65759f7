"""Detect a PostgreSQL server that is frozen or gone, so that callers get an error at once instead of waiting.

A frozen server accepts connections and answers nothing, and its own timeouts are frozen too. So a thread sends the
server a small query every half second. While the server does not answer the query, waiting callers give up and new
callers are refused.

See infra/docs/rules.md#faults.
"""

import logging
import select
import threading
import time
from collections.abc import Generator
from typing import Any

import psycopg
from django.db import connections
from psycopg.abc import PQGen

ASK_SECONDS = 0.5
ANSWER_SECONDS = 1.5
"""A server that does not answer `SELECT 1` within this time is away."""

log = logging.getLogger(__name__)
away = threading.Event()
"""Set while the server does not answer."""

LACKS_TABLES = "The database lacks tables: run `python manage.py migrate` first."


def lacks_tables(error: BaseException) -> bool:
    """Return whether a statement failed because `migrate` was not run, or not since an update."""
    return isinstance(error.__cause__, psycopg.errors.UndefinedTable) or str(error).startswith("no such table")


class DatabaseAway(psycopg.OperationalError):
    """The server does not answer."""


class Connection(psycopg.Connection[Any]):
    """A connection that stops waiting for the server when the server is away."""

    def wait[T](self, gen: PQGen[T], *args: Any, **kwargs: Any) -> T:
        try:
            return super().wait(_unless_away(gen), *args, **kwargs)
        except DatabaseAway:
            self.pgconn.finish()  # interrupted mid-protocol, so it cannot be used again
            raise


class _AskingConnection(psycopg.Connection[Any]):
    """The watching thread's connection: it waits at most `ANSWER_SECONDS`."""

    def wait[T](self, gen: PQGen[T], *args: Any, **kwargs: Any) -> T:
        return super().wait(gen, *args, **kwargs | {"timeout": ANSWER_SECONDS})


def still_there(connection: psycopg.Connection[Any]) -> None:
    """Close a pooled connection and raise `OperationalError` if the server has ended it.

    Sends nothing: an idle connection becomes readable only when the server ends it.
    """
    socket = select.poll()
    socket.register(connection.fileno(), select.POLLIN)
    if socket.poll(0):
        connection.close()
        raise psycopg.OperationalError("the server has ended the connection")


def watch() -> None:
    """Start a thread that watches the default database's server. A no-op for a database without a server."""
    default = connections["default"]
    if default.vendor == "postgresql":
        arguments = (default.get_connection_params(), threading.Event())
        threading.Thread(target=_ask_forever, args=arguments, name="database-watch", daemon=True).start()


def _ask_forever(params: dict[str, Any], stop: threading.Event) -> None:
    connection: _AskingConnection | None = None
    while not stop.wait(ASK_SECONDS):
        try:
            connection = _asked(connection) or _asked(_connected(params))
        except Exception:  # only this thread notices that the server is back
            log.exception("asking the database failed")
            connection = None
        if connection is None:
            _gone()
        elif away.is_set():
            log.error("the database answers again")
            away.clear()


def _connected(params: dict[str, Any]) -> _AskingConnection | None:
    try:
        return _AskingConnection.connect(**params | {"autocommit": True})
    except psycopg.Error:
        return None


def _asked(connection: _AskingConnection | None) -> _AskingConnection | None:
    """Return the connection if the server answered on it; else close it and return None."""
    if connection is None:
        return None
    begun = time.monotonic()
    try:
        connection.execute("SELECT 1")
    except psycopg.Error:
        if time.monotonic() - begun >= ANSWER_SECONDS:
            _gone()  # before reconnecting, which would take as long again
        connection.close()
        return None
    return connection


def _gone() -> None:
    if not away.is_set():
        log.error("the database does not answer: callers are refused until it does")
        away.set()


def _unless_away[T](gen: PQGen[T]) -> Generator[Any, Any, T]:
    """Run psycopg's generator `gen`. Raises `DatabaseAway` if the server is away.

    psycopg resumes the generator every tenth of a second, also if nothing has arrived.
    """
    ready: Any = None
    while True:
        try:
            waits_for = gen.send(ready)
        except StopIteration as end:
            result: T = end.value
            return result
        ready = yield waits_for
        if not ready and away.is_set():
            gen.close()
            raise DatabaseAway("the database does not answer")
