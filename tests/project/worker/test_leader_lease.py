"""One leader among many workers (reliability: a killed leader is followed)."""

from datetime import timedelta

import pytest

from project.core import clock
from project.core.clock import CLOCKS_DIFFER
from project.worker.leader_lease import LASTS, RENEWED, LeaderLease
from project.worker.models import Lease
from tests.builders import at_once

NOW = clock.now()


@pytest.mark.django_db
def test_one_leads_and_the_other_waits() -> None:
    one, other = LeaderLease("alerts"), LeaderLease("alerts")
    assert [one.acquire(), other.acquire(), one.acquire(), other.acquire()] == [True, False, True, False]


@pytest.mark.django_db
def test_each_task_has_a_leader_of_its_own() -> None:
    assert LeaderLease("alerts").acquire()
    assert LeaderLease("something else").acquire()


@pytest.mark.django_db
def test_a_killed_leader_is_followed_within_half_a_minute() -> None:
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
def test_a_leader_is_followed_whatever_the_clock_was_set_to(step: timedelta) -> None:
    killed, other = LeaderLease("alerts"), LeaderLease("alerts")
    with clock.at(NOW):
        assert killed.acquire()
    with clock.at(NOW + step):
        assert other.acquire()
        assert not killed.acquire()


@pytest.mark.django_db
def test_a_machine_whose_clock_is_behind_does_not_take_the_lead() -> None:
    one, other = LeaderLease("alerts"), LeaderLease("alerts")
    with clock.at(NOW):
        assert one.acquire()
    with clock.at(NOW - CLOCKS_DIFFER):
        assert not other.acquire()


@pytest.mark.django_db
def test_who_renews_in_time_leads_on() -> None:
    one, other = LeaderLease("alerts"), LeaderLease("alerts")
    for beat in range(10):
        with clock.at(NOW + beat * RENEWED):
            assert (one.acquire(), other.acquire()) == (True, False)


@pytest.mark.django_db
def test_who_steps_down_is_followed_at_once() -> None:
    one, other = LeaderLease("alerts"), LeaderLease("alerts")
    one.acquire()
    one.give_up()
    assert (one.held, other.acquire()) == (False, True)


@pytest.mark.django_db(transaction=True)
def test_of_many_who_stand_at_once_one_leads() -> None:
    leases = [LeaderLease("alerts") for _ in range(12)]
    assert sum(at_once([lease.acquire for lease in leases])) == 1
    Lease.objects.update(until=clock.now())
    assert sum(at_once([lease.acquire for lease in leases])) == 1
