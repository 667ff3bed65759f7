"""The rules of a job, which previews or applies an import in the background (`tasks`).

A job owns its import while the import's row names this process in `runner`, and has the state in which the job began.
Every write of a job requires this, so that a job that was wrongly taken for dead cannot continue.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection, connections, transaction
from django.tasks import Task
from django.utils.translation import override
from pydantic import TypeAdapter

from project.access.principal import Principal
from project.core import clock
from project.core.errors import Refusal
from project.core.logs import current_request_id, own_id
from project.core.queries import give_connection_back
from project.core.requests import current_address
from project.core.texts import active_language
from project.importing.events import ImportFinished, ImportFinishedData
from project.importing.models import FAILED, HELD, UNDER_WAY, Import
from realtime import outbox

logger = logging.getLogger(__name__)

RUNNER = secrets.token_hex(16)
"""A random id of this process."""
RENEWED = timedelta(seconds=5)
_running: set[int] = set()
_ends: dict[int, Callable[[], object]] = {}


class Overtaken(Exception):
    """The import was discarded, or marked as interrupted, during the job. The job's transaction is rolled back."""


@dataclass(frozen=True)
class Asked:
    """The request that a job works for. `language`: of its caller, because stored changes contain translated texts."""

    by: Principal
    address: str
    request_id: str
    language: str


_asked = TypeAdapter(Asked)


def start(import_id: int, job: "Task[..., None]", *, by: Principal, **options: object) -> None:
    """Enqueue `job` after the commit. Call it in the transaction that stores this process as the import's runner."""
    _running.add(import_id)  # before the commit: else a concurrent reader takes the job for dead
    asked = Asked(by, current_address.get(), current_request_id.get(), active_language())
    plain = _asked.dump_python(asked, mode="json")
    transaction.on_commit(lambda: job.enqueue(import_id, plain, **options))


@contextmanager
def working(import_id: int, plain: dict[str, Any]) -> Iterator[Principal]:
    """Run the block as the job of an import. Yield the person who asked for it.

    `plain`: what `start` passed on of their request. Raises nothing: if the job fails, the import is marked as failed.
    """
    asked = _asked.validate_python(plain)
    done = threading.Event()
    threading.Thread(target=_renew, args=(import_id, done), daemon=True).start()
    address = current_address.set(asked.address)
    try:
        with own_id(asked.request_id), override(asked.language), _failing(import_id):
            yield asked.by
    finally:
        current_address.reset(address)
        done.set()
        _running.discard(import_id)


@contextmanager
def _failing(import_id: int) -> Iterator[None]:
    try:
        yield
    except Overtaken:
        logger.info("import %s went away while it was worked on", import_id)
    except Refusal as refusal:
        _fail(import_id, refusal.code, refusal.params)
    except Exception:
        logger.exception("import %s failed", import_id)
        _fail(import_id, "server_error", {})


def here(import_id: int) -> bool:
    """Whether this process works on the import."""
    return import_id in _running


def stop(import_id: int) -> None:
    """End this process's work on a discarded import."""
    if end := _ends.get(import_id):
        end()


@contextmanager
def stopped_by(import_id: int, end: Callable[[], object]) -> Iterator[None]:
    """Let `stop` call `end` during the block. `end` is also called after the block.

    Raises `Overtaken` if this process does not run the import any more, or if the block raises `CancelledError`.
    """
    _ends[import_id] = end
    try:
        if not Import.objects.filter(pk=import_id, runner=RUNNER).exists():
            raise Overtaken  # it was stopped before the block began
        give_connection_back()
        yield
    except CancelledError as error:
        raise Overtaken from error
    finally:
        end()
        del _ends[import_id]


def owned(import_id: int, current: str, **values: object) -> None:
    """Update an import and renew its lease.

    Raises `Overtaken` unless the import is in the state `current` and this process is its runner.
    """
    mine = Import.objects.filter(pk=import_id, state=current, runner=RUNNER)
    if not mine.update(held_until=clock.now() + HELD, **values):
        raise Overtaken


@transaction.atomic
def _fail(import_id: int, code: str, params: dict[str, object]) -> None:
    mine = Import.objects.filter(pk=import_id, state__in=UNDER_WAY, runner=RUNNER)
    if mine.update(state=FAILED, error_code=code, error_params=params):
        upload = Import.objects.get(pk=import_id)
        data = ImportFinishedData(id=import_id, catalog=upload.catalog, state="failed")
        outbox.publish(ImportFinished(data=data), by=None, to_user=upload.user_id)


def _renew(import_id: int, done: threading.Event) -> None:
    """Renew the lease every few seconds, on PostgreSQL only: SQLite has one writer, and one process needs no lease."""
    try:
        while connection.vendor == "postgresql" and not done.wait(RENEWED.total_seconds()):
            if not Import.objects.filter(pk=import_id, runner=RUNNER).update(held_until=clock.now() + HELD):
                stop(import_id)  # another process was asked to discard it
    except Exception:
        logger.exception("import %s: the lease could not be renewed", import_id)
    finally:
        connections.close_all()
