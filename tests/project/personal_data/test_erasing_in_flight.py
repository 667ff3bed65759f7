"""Writes that pass the guard before an erasure and end after it: the names they store are removed later."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial
from threading import Barrier, Event, current_thread

import pytest
from django.conf import LazySettings
from django.db import connections

from project.access.permissions import ALL, Permission
from project.audit.models import AuditEntry
from project.core import clock, idempotency
from project.personal_data.models import Erasure
from project.personal_data.services import WRITES_END, erase_again
from realtime.models import OutboxCounter, OutboxEvent
from tests.builders import Answer, Caller, Shop, line_path, person
from tests.project.personal_data.test_erasing import erase, naming

pytestmark = pytest.mark.django_db(transaction=True)

LATER = WRITES_END + timedelta(minutes=1)
WRITER = "let in"
"""Prefix of the names of the threads that wait before their transaction."""


@pytest.fixture
def dora(busy_shop: Shop) -> Caller:
    return Caller(person("dora", *ALL, processes=[busy_shop.casting]))


def erased_while_they_write(
    shop: Shop, dora: Caller, writes: list[Callable[[], Answer]], monkeypatch: pytest.MonkeyPatch
) -> list[Answer]:
    """Let the writes pass the guard, erase Dora, and then start their transactions. Return their answers."""
    let_in, is_erased = Barrier(len(writes) + 1), Event()

    def waits_before(one_change: Callable[[], AbstractContextManager[None]]) -> AbstractContextManager[None]:
        if current_thread().name.startswith(WRITER) and not is_erased.is_set():
            connections.close_all()
            let_in.wait(30)
            assert is_erased.wait(30)
        return one_change()

    def run(write: Callable[[], Answer]) -> Answer:
        try:
            return write()
        finally:
            connections.close_all()

    one_change = idempotency.one_change
    monkeypatch.setattr(idempotency, "one_change", lambda: waits_before(one_change))
    with ThreadPoolExecutor(len(writes), thread_name_prefix=WRITER) as threads:
        running = [threads.submit(run, write) for write in writes]
        let_in.wait(30)
        answer = erase(shop.ana, dora.id, "Dora Torres")
        is_erased.set()
        assert answer.status == 200, answer
        return [one.result(60) for one in running]


def writes_of(shop: Shop, dora: Caller) -> list[Callable[[], Answer]]:
    """Three writes by Dora and one by Beto, each with notes that name her."""
    orders = [shop.approved(4) for _ in range(4)]

    def notes(by: Caller, order: int) -> Answer:
        return by.put(f"{line_path(order)}/full", {"notes": "Pregunte a Dora Torres"})

    return [partial(notes, by, order) for by, order in zip([dora, dora, dora, shop.beto], orders, strict=True)]


def test_names_stored_by_writes_in_flight_are_removed_later(
    busy_shop: Shop, dora: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = writes_of(busy_shop, dora)
    answers = erased_while_they_write(busy_shop, dora, writes, monkeypatch)
    assert [answer.status for answer in answers] == [200] * len(writes), answers
    assert AuditEntry.objects.filter(user_name="Dora Torres").count() == 3
    assert OutboxEvent.objects.filter(payload__contains="Dora Torres").exists()
    erase_again()
    assert naming("Dora Torres", "dora@"), "too early"
    epoch = OutboxCounter.objects.get().epoch
    with clock.at(clock.now() + LATER):
        erase_again()
    assert (naming("Dora Torres", "dora@"), Erasure.objects.exists()) == ([], False)
    assert OutboxCounter.objects.get().epoch != epoch
    with clock.at(clock.now() + 2 * LATER):
        erase_again()
    assert OutboxCounter.objects.get().epoch != epoch


@pytest.mark.parametrize("after", [timedelta(0), LATER])
def test_erasure_can_be_repeated(
    busy_shop: Shop, dora: Caller, monkeypatch: pytest.MonkeyPatch, after: timedelta
) -> None:
    carla = {"password": "Taller.2026"}
    busy_shop.ana.put(f"/identity/users/{busy_shop.carla.id}", carla)
    hidden = AuditEntry.objects.get(changes__password__after="•••").changes
    erased_while_they_write(busy_shop, dora, writes_of(busy_shop, dora), monkeypatch)
    with clock.at(clock.now() + after):
        if after:
            Erasure.objects.all().delete()
        again = erase(busy_shop.ana, dora.id, "Dora Torres")
    assert (again.status, again.json["fullName"]) == (200, f"Persona borrada #{dora.id}")
    assert naming("Dora Torres", "dora@") == []
    assert AuditEntry.objects.get(changes__password__after="•••").changes == hidden


def test_names_kept_for_the_second_erasure_are_encrypted(
    busy_shop: Shop, dora: Caller, settings: LazySettings, caplog: pytest.LogCaptureFixture
) -> None:
    erase(busy_shop.ana, dora.id, "Dora Torres")
    kept = Erasure.objects.get(user_id=dora.id)
    assert "Dora" not in bytes.fromhex(kept.names).decode(errors="replace")
    settings.SECRET_KEY = "another secret, of more than thirty-two bytes in all"
    with clock.at(clock.now() + LATER):
        erase_again()
    assert (Erasure.objects.exists(), "cannot be read" in caplog.text) == (False, True)


def test_repeating_an_erasure_needs_the_permission(busy_shop: Shop, dora: Caller) -> None:
    erase(busy_shop.ana, dora.id, "Dora Torres")
    others = Caller(person("eva", *ALL - {Permission.ManagePersonalData}))
    for caller in (others, busy_shop.carla):
        assert erase(caller, dora.id, "Dora Torres").code == "permission_denied"
