"""The demo's people move pieces while one looks, by the ordinary services."""

import random
import threading
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import call_command

from project.access.permissions import ALL
from project.core import clock
from project.demo import moving
from project.demo.people import ADMINISTRATOR, PEOPLE
from project.identity.models import User
from project.metal.selectors import differing_balances
from project.orders.models import Movement
from project.worker.models import Lease
from tests.builders import Caller, Shop, somebody

START, PEOPLE_MOVE = "/api/start", "/api/start/demo-people"


def ended() -> None:
    for thread in threading.enumerate():
        if thread.name == moving.TASK:
            thread.join(60)


@pytest.mark.django_db(transaction=True)
def test_people_of_the_demo_move_pieces_until_they_are_stopped(
    settings: LazySettings, tmp_path: Path, quick_passwords: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = tmp_path
    call_command("demo")
    admin = Caller(User.objects.get(email=ADMINISTRATOR))
    assert admin.get(START).json["demo"]["movingUntil"] is None
    before = set(Movement.objects.values_list("pk", flat=True))

    # The movements, one after the other and without a pause.
    people = moving.People(random.Random(7))
    assert all(people.move_one() for _ in range(40))
    made = Movement.objects.exclude(pk__in=before).select_related("press")
    assert {movement.side for movement in made} == {"in", "out"}
    assert made.count() >= 30
    makers = User.objects.filter(email__in=[one.email for one in PEOPLE]).values_list("pk", flat=True)
    assert {movement.press.by_id for movement in made} <= set(makers)
    assert differing_balances() == []

    # The switch: they move by themselves, once, and stop.
    monkeypatch.setattr(moving, "PACE", (0.01, 0.02))
    for _ in range(2):
        assert admin.put(PEOPLE_MOVE, {"move": True}).json["demo"]["movingUntil"] is not None
    assert sum(thread.name == moving.TASK for thread in threading.enumerate()) == 1
    assert admin.put(PEOPLE_MOVE, {"move": False}).json["demo"]["movingUntil"] is None
    ended()
    Lease.objects.create(task=moving.TASK, holder="gone", until=clock.now())
    assert admin.get(START).json["demo"]["movingUntil"] is None


def test_in_a_workshop_of_its_own_nothing_moves_by_itself(shop: Shop) -> None:
    refused = somebody(*ALL).put(PEOPLE_MOVE, {"move": True})
    assert (refused.status, refused.code) == (409, "not_demo")
    assert shop.ana.get(START).json["demo"] is None
    assert not Lease.objects.filter(task=moving.TASK).exists()
