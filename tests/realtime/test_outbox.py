"""The outbox: an event exists if and only if its change committed, and ids follow the order of commits."""

import json
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings, settings
from django.db import IntegrityError, connection, connections, transaction
from pytest_django import DjangoAssertNumQueries

from project.core import clock
from project.core.idempotency import unit_of_work
from project.core.versions import Unchanged, changed_or_as_it_is
from project.identity.models import RolePermission
from realtime import outbox, wakeup
from realtime.models import OutboxCounter, OutboxEvent
from realtime.registry import PermissionsChanged, UserData
from tests.realtime.samples import (
    SOMEBODY,
    change_permissions,
    commit,
    commit_moves,
    customer_changed,
    ids_up_to_now,
    line_moved,
    order_deleted,
)


@pytest.mark.django_db(transaction=True)
def test_an_event_outside_a_transaction_is_refused() -> None:
    with pytest.raises(transaction.TransactionManagementError):
        outbox.publish(line_moved(), by=SOMEBODY)
    assert not OutboxEvent.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_rolled_back_change_leaves_no_event_and_no_gap() -> None:
    first = commit(line_moved())
    with transaction.atomic():
        outbox.publish(line_moved(), by=SOMEBODY)
        transaction.set_rollback(True)
    assert commit(line_moved()) == first + 1
    assert list(OutboxEvent.objects.order_by("id").values_list("id", flat=True)) == [first, first + 1]


@pytest.mark.django_db
def test_the_stored_payload_is_the_frame_that_is_sent() -> None:
    number = commit(line_moved())
    frame = json.loads(OutboxEvent.objects.get(id=number).payload)
    assert list(frame) == ["id", "type", "at", "by", "data"]
    assert (frame["id"], frame["type"]) == (number, "line.moved")
    assert frame["at"].endswith("Z")
    assert frame["by"] == {"id": 7, "fullName": "Ana Torres"}
    assert frame["data"]["currentProductionProcess"]["productionProcessName"] == "Fundición"
    assert frame["data"]["record"]["inputDate"] == "2026-03-02T12:00:00.000Z"


@pytest.mark.django_db
def test_an_event_is_stored_with_the_permissions_that_read_its_data() -> None:
    commit(line_moved())
    commit(customer_changed())
    assert list(OutboxEvent.objects.order_by("id").values_list("audience", flat=True)) == [
        "ListOrders ListSalesOrders ShopFloor Station",
        "ListCustomers",
    ]


@pytest.mark.django_db
def test_a_personal_event_needs_a_receiver_and_other_events_refuse_one() -> None:
    change_permissions(4)
    assert OutboxEvent.objects.get().to_user == 4
    with pytest.raises(ValueError, match=r"permissions\.changed is for one user"):
        commit(PermissionsChanged(data=UserData(id=4)))
    with pytest.raises(ValueError, match=r"line\.moved is for its audience"):
        commit(line_moved(), to_user=4)


POSTGRESQL = settings.DATABASES["default"]["ENGINE"].endswith("postgresql")
STATEMENTS = 1 if POSTGRESQL else 2
"""PostgreSQL takes the ids and stores the rows in one statement."""


@pytest.mark.django_db
def test_publishing_costs_one_statement_on_postgresql_and_two_on_sqlite(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    commit(line_moved())
    with transaction.atomic(), django_assert_num_queries(STATEMENTS):
        outbox.publish(line_moved(), by=SOMEBODY)


@pytest.mark.django_db
def test_publishing_several_events_costs_as_many_statements_as_one(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    first = commit(line_moved())
    personal = [outbox.Personal(PermissionsChanged(data=UserData(id=one)), one) for one in (4, 5, 6)]
    with transaction.atomic(), django_assert_num_queries(STATEMENTS):
        outbox.publish_all([line_moved(), *personal], by=SOMEBODY)
    published = OutboxEvent.objects.filter(id__gt=first).order_by("id")
    assert list(published.values_list("to_user", flat=True)) == [None, 4, 5, 6]


@pytest.mark.django_db
def test_a_unit_of_work_writes_its_events_in_their_order_at_its_end() -> None:
    """Events of nested units of work are included. Events of a block that was rolled back are not."""

    def taken_back() -> None:
        outbox.publish(customer_changed(7), by=SOMEBODY)
        raise Unchanged

    @unit_of_work
    def part() -> None:
        outbox.publish(order_deleted(2), by=None)

    @unit_of_work
    def work() -> None:
        outbox.publish(customer_changed(1), by=SOMEBODY)
        changed_or_as_it_is(taken_back, lambda: None)
        part()
        outbox.publish(customer_changed(3), by=SOMEBODY)
        assert outbox.newest_id() == before

    before = commit(line_moved())
    work()
    frames = [json.loads(payload) for payload in payloads_after(before)]
    assert [frame["id"] for frame in frames] == [before + 1, before + 2, before + 3]
    assert [frame["data"]["id"] for frame in frames] == [1, 2, 3]
    assert [frame["by"] is None for frame in frames] == [False, True, False]


@pytest.mark.django_db
def test_events_of_a_failed_unit_of_work_are_not_published_by_the_next_one() -> None:
    before = commit(line_moved())

    @unit_of_work
    def work(*, fails: bool) -> None:
        outbox.publish(customer_changed(1), by=SOMEBODY)
        if fails:
            raise ConnectionError

    with pytest.raises(ConnectionError):
        work(fails=True)
    work(fails=False)
    assert len(payloads_after(before)) == 1


@pytest.mark.skipif(not POSTGRESQL, reason="SQLite has one writer, and no message to put the commit in")
@pytest.mark.django_db(transaction=True)
def test_the_commit_is_sent_in_the_statement_that_stores_the_events() -> None:
    asked: list[str] = []

    def note(execute: Any, sql: str, *arguments: Any) -> Any:
        asked.append(sql)
        return execute(sql, *arguments)

    with connection.execute_wrapper(note):
        unit_of_work(lambda: outbox.publish(customer_changed(1), by=SOMEBODY))()

    assert asked[-1].endswith("; COMMIT")
    assert connection.get_autocommit()
    assert ids_up_to_now(1) == list(OutboxEvent.objects.values_list("id", flat=True))


@pytest.mark.django_db(transaction=True)
def test_a_unit_of_work_in_a_transaction_is_committed_with_it() -> None:
    first = commit(line_moved())
    work = unit_of_work(lambda: outbox.publish(customer_changed(1), by=SOMEBODY))

    with transaction.atomic():
        work()
        transaction.set_rollback(True)
    assert payloads_after(first) == []

    work()
    assert len(payloads_after(first)) == 1


@pytest.mark.django_db(transaction=True)
def test_a_change_that_the_database_refuses_at_the_commit_leaves_nothing() -> None:
    """Foreign keys are checked at the commit."""
    first = commit(line_moved())

    @unit_of_work
    def work() -> None:
        RolePermission.objects.create(role_id=404, action="ListOrders")
        outbox.publish(customer_changed(1), by=SOMEBODY)

    with pytest.raises(IntegrityError):
        work()
    assert payloads_after(first) == []
    assert not RolePermission.objects.exists()


def payloads_after(number: int) -> list[str]:
    return list(OutboxEvent.objects.filter(id__gt=number).order_by("id").values_list("payload", flat=True))


@pytest.mark.django_db
def test_the_first_event_of_an_emptied_database_makes_the_counter() -> None:
    OutboxCounter.objects.all().delete()
    assert commit(line_moved()) == 1
    assert OutboxCounter.objects.get().last_id == 1


@pytest.mark.django_db(transaction=True)
def test_a_reader_who_sees_an_id_sees_every_lower_one() -> None:
    """Eight threads write and one reads without a gap. A plain sequence would leave gaps."""
    commit(line_moved())
    done, gaps, failures = threading.Event(), [], []

    def write() -> None:
        try:
            commit_moves(12)
        except Exception as error:
            failures.append(error)
        finally:
            connections.close_all()

    def read() -> None:
        try:
            while True:
                last = done.is_set()
                ids = list(OutboxEvent.objects.order_by("id").values_list("id", flat=True))
                if ids != list(range(ids[0], ids[0] + len(ids))):
                    gaps.append(ids)
                if last:
                    return
        finally:
            connections.close_all()

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write) for _ in range(8)]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()
    assert not failures
    assert not gaps
    assert OutboxEvent.objects.count() == 8 * 12 + 1


@pytest.mark.django_db(transaction=True)
def test_hubs_are_woken_by_the_commit_and_not_before() -> None:
    woken = threading.Event()
    wakeup.register(woken.set)
    try:
        with transaction.atomic():
            outbox.publish(line_moved(), by=SOMEBODY)
            assert not woken.is_set()
        assert woken.is_set()
    finally:
        wakeup.unregister(woken.set)


@pytest.mark.django_db(transaction=True)
def test_a_dead_channel_layer_does_not_fail_the_write(settings: LazySettings) -> None:
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": ["redis://127.0.0.1:1"]},
        }
    }
    assert wakeup.between_processes()
    number = commit(line_moved())
    assert OutboxEvent.objects.filter(id=number).exists()


@pytest.mark.django_db
def test_old_events_are_pruned_and_ids_continue() -> None:
    with clock.at(clock.now() - timedelta(days=3)):
        old = commit(line_moved())
    kept = commit(line_moved())
    assert outbox.prune(up_to=outbox.last_of_before(clock.now() - timedelta(days=2))) == 1
    assert list(OutboxEvent.objects.values_list("id", flat=True)) == [kept]
    assert commit(line_moved()) == old + 2


@pytest.mark.django_db
def test_a_page_begins_half_a_minute_ago_or_at_the_newest_event_after_a_quiet_time() -> None:
    with clock.at(clock.now() - timedelta(seconds=40)):
        earlier = commit(line_moved())
    epoch = OutboxCounter.objects.get().epoch.hex
    assert outbox.position_lately() == (epoch, earlier)
    with clock.at(clock.now() - timedelta(seconds=20)):
        commit(line_moved())
    commit(line_moved())
    assert outbox.position_lately() == (epoch, earlier)


@pytest.mark.django_db
def test_a_new_epoch_keeps_the_ids() -> None:
    number = commit(line_moved())
    before = OutboxCounter.objects.get().epoch.hex
    assert outbox.renew_epoch() not in ("", before)
    assert commit(line_moved()) == number + 1
