"""The faults judge the books of metal: no milligram is lost or doubled."""

from typing import Any

import pytest
from django.db import connection
from django.db.models import F

from infra.chaos.books import books_off
from project.core import clock
from project.metal import ledger
from project.metal.ledger import Posting
from project.metal.models import Balance, EntryKind, MetalEntry
from tests.builders import Shop
from tests.project.metal.grams import bench, principal, sterling, weighed

TOLD = {"in a": 50_000, "out b": 49_200}


def execute(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchall()


@pytest.fixture
def weighing(shop: Shop) -> Shop:
    """A shop with the movements of `TOLD`, whose notes are their keys."""
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50, notes="a")
    weighed(shop, "out", order, shop.casting, 49.2, notes="b")
    return shop


@pytest.mark.usefixtures("weighing")
def test_movements_that_are_booked_once_are_right() -> None:
    assert books_off(execute, TOLD, set(TOLD)) == {}


@pytest.mark.usefixtures("weighing")
def test_lost_movement_is_off_by_its_weight_if_it_was_acknowledged() -> None:
    told = TOLD | {"in c": 7}
    assert books_off(execute, told, set(told)) == {"in c": -7}
    assert books_off(execute, told, {"in a"}) == {}


@pytest.mark.usefixtures("weighing")
def test_other_weight_than_the_one_told_is_off_also_without_an_answer() -> None:
    assert books_off(execute, TOLD | {"out b": 49_199}, {"in a"}) == {"out b": 1}


def test_doubled_movement_is_off_by_its_weight(weighing: Shop) -> None:
    entry = MetalEntry.objects.select_related("source", "target").get(kind=EntryKind.enters)
    named = {"record_id": entry.record_id, "movement_id": entry.movement_id}
    again = Posting(entry.source, entry.target, entry.alloy_id, entry.mg, EntryKind.enters, **named)
    ledger.post([again], by=principal(weighing.ana), at=clock.now(), cover=ledger.lost())
    assert books_off(execute, TOLD, set(TOLD)) == {"in a": 50_000}


@pytest.mark.usefixtures("weighing")
def test_balance_that_is_not_the_sum_of_its_entries_is_off_and_so_is_its_alloy() -> None:
    vault, alloy = ledger.vault(), sterling()
    Balance.objects.filter(account=vault).update(mg=F("mg") + 3)
    assert books_off(execute, TOLD, set(TOLD)) == {
        f"alloy {alloy.pk}": 3,
        f"account {vault.pk} of alloy {alloy.pk}": 3,
    }
