"""One leader among many workers: another worker takes over from a killed leader."""

from datetime import timedelta

import pytest

from project.core import clock
from project.core.clock import CLOCKS_DIFFER
from project.worker.leader_lease import LASTS, RENEWED, LeaderLease
from project.worker.models import Lease
from tests.builders import at_once

NOW = clock.now()


@pytest.mark.django_db
def test_only_one_of_two_workers_acquires_the_lease() -> None:
    one, other = LeaderLease("alerts"), LeaderLease("alerts")
    assert [one.acquire(), other.acquire(), one.acquire(), other.acquire()] == [True, False, True, False]


@pytest.mark.django_db
def test_each_task_has_its_own_leader() -> None:
    assert LeaderLease("alerts").acquire()
    assert LeaderLease("something else").acquire()


@pytest.mark.django_db
def test_lease_of_a_killed_leader_is_acquired_within_30_seconds() -> None:
    killed, other = LeaderLease("alerts"), LeaderLease("alerts")
    with clock.at(NOW):
        assert killed.acquire()
    with clock.at(NOW + LASTS - timedelta(milliseconds=1)):
        assert not other.acquire()
    with clock.at(NOW + LASTS):
        assert other.acquire()
        assert not killed.acquire()
    assert timedelta(seconds=30) > LASTS + RENEWED


@pytest.mark.django_db
@pytest.mark.parametrize("step", [timedelta(hours=-1), timedelta(hours=1)])
def test_lease_is_acquired_after_the_clock_was_set_back_or_forward(step: timedelta) -> None:
    killed, other = LeaderLease("alerts"), LeaderLease("alerts")
    with clock.at(NOW):
        assert killed.acquire()
    with clock.at(NOW + step):
        assert other.acquire()
        assert not killed.acquire()


@pytest.mark.django_db
def test_worker_with_a_slow_clock_does_not_take_the_lease() -> None:
    one, other = LeaderLease("alerts"), LeaderLease("alerts")
    with clock.at(NOW):
        assert one.acquire()
    with clock.at(NOW - CLOCKS_DIFFER):
        assert not other.acquire()


@pytest.mark.django_db
def test_leader_that_renews_in_time_keeps_the_lease() -> None:
    one, other = LeaderLease("alerts"), LeaderLease("alerts")
    for beat in range(10):
        with clock.at(NOW + beat * RENEWED):
            assert (one.acquire(), other.acquire()) == (True, False)


@pytest.mark.django_db
def test_lease_given_up_is_acquired_at_once() -> None:
    one, other = LeaderLease("alerts"), LeaderLease("alerts")
    one.acquire()
    one.give_up()
    assert (one.held, other.acquire()) == (False, True)


@pytest.mark.django_db(transaction=True)
def test_only_one_of_many_workers_at_once_acquires_the_lease() -> None:
    leases = [LeaderLease("alerts") for _ in range(12)]
    assert sum(at_once([lease.acquire for lease in leases])) == 1
    Lease.objects.update(until=clock.now())
    assert sum(at_once([lease.acquire for lease in leases])) == 1
