"""The way of a product: how it is learned, and what is done of it."""

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any, NamedTuple

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.catalogs.models import Item, ProductionProcess
from project.core import clock
from project.orders.models import ProcessRecord
from project.orders.summaries import summaries_of, ways_of
from project.orders.ways import Way, to_do_again
from tests.builders import Answer, Shop, finished_line, item, line_path, process, usually

NOW = datetime(2026, 6, 15, 18, tzinfo=UTC)


class Record(NamedTuple):
    process_id: int
    quantity: int
    output_at: datetime | None
    released_at: datetime | None = None
    release_reason_key: str | None = None


def at(hour: int) -> datetime:
    return NOW + timedelta(hours=hour)


@pytest.mark.parametrize("steps", [(1,), (1, 2), (2, 1, 3)])
def test_what_is_done_is_the_greater_of_a_process_and_of_any_later_one(steps: tuple[int, ...]) -> None:
    way = Way(steps)
    for left in product(range(4), repeat=len(steps)):
        for good in range(4):
            completed = dict(zip(steps, left, strict=True))
            done = way.done(completed, {}, good=good)
            for place, step in enumerate(steps):
                assert done[step] == min(good, max(left[place:]))
            assert sorted(done.values(), reverse=True) == [done[step] for step in steps], "never more than before"


def test_pieces_to_do_again_are_not_done_by_a_later_process() -> None:
    for again, second, third in product(range(4), repeat=3):
        done = Way((1, 2, 3)).done({2: second, 3: third}, {2: again}, good=3)
        assert done[3] == third
        assert done[2] == max(second, third - again)
        assert done[1] == max(second, third), "what lies before them was done"


def test_what_is_outside_of_the_way_counts_nothing() -> None:
    assert Way((1, 2)).done({9: 5}, {}, good=5) == {1: 0, 2: 0}


@pytest.mark.parametrize(
    ("records", "again"),
    [
        ([], 0),
        ([Record(1, 4, at(1))], 0),
        ([Record(1, 4, at(1), at(2))], 0),
        ([Record(1, 4, at(1), at(2), "entry-error")], 0),
        ([Record(1, 4, at(1), at(2), "rework")], 4),
        ([Record(1, 4, None, at(2), "rework")], 4),
        ([Record(1, 4, None, None, "rework")], 4),
        ([Record(1, 4, at(3), None, "rework")], 0),
        ([Record(1, 4, at(1), at(2), "rework"), Record(1, 4, None)], 4),
        ([Record(1, 4, at(1), at(2), "rework"), Record(1, 3, at(3))], 1),
        ([Record(1, 4, at(1), at(2), "rework"), Record(1, 4, at(3))], 0),
        ([Record(1, 4, at(1), at(2), "rework"), Record(1, 6, at(1))], 4),
        ([Record(1, 4, at(1), at(2), "rework"), Record(1, 4, at(3), at(4), "rework")], 4),
        ([Record(1, 4, at(1), at(2), "rework"), Record(1, 4, at(3), at(4), "entry-error")], 4),
        ([Record(1, 4, at(1), at(2), "rework"), Record(1, 9, at(3)), Record(1, 1, at(3), at(4), "rework")], 1),
    ],
)
def test_pieces_are_to_be_done_again_until_they_leave_the_process_again(records: list[Record], again: int) -> None:
    for given in (records, records[::-1]):
        assert to_do_again(given)[1] == again


def way_of(of: Item) -> tuple[int, ...] | None:
    way = ways_of([of.pk]).get(of.pk)
    return way and way.processes


@pytest.mark.django_db
def test_way_is_learned_from_three_finished_lines(shop: Shop) -> None:
    ring = item()
    for count in range(3):
        assert way_of(ring) is None, count
        finished_line(shop, ring, shop.polishing, shop.casting)
    assert way_of(ring) == (shop.casting.pk, shop.polishing.pk), "in the plant's order"
    assert way_of(item()) is None


@pytest.mark.django_db
def test_one_odd_finished_line_changes_nothing(shop: Shop) -> None:
    ring, plating = item(), process("Rodio", order=9)
    usually(shop, ring, shop.casting, shop.polishing)
    before = way_of(ring)
    finished_line(shop, ring, plating)
    assert way_of(ring) == before


@pytest.mark.django_db
def test_process_is_usual_if_half_of_the_lines_went_through_it(shop: Shop) -> None:
    ring = item()
    finished_line(shop, ring, shop.casting)
    finished_line(shop, ring, shop.casting, shop.polishing)
    finished_line(shop, ring, shop.casting)
    assert way_of(ring) == (shop.casting.pk,)
    finished_line(shop, ring, shop.casting, shop.polishing, status="Invoiced")
    assert way_of(ring) == (shop.casting.pk, shop.polishing.pk)


@pytest.mark.django_db
def test_only_the_last_ten_lines_that_pieces_moved_in_teach(shop: Shop) -> None:
    ring = item()
    for _ in range(6):
        finished_line(shop, ring, shop.casting)
    for _ in range(10):
        finished_line(shop, ring, shop.polishing)
        finished_line(shop, ring)
    assert way_of(ring) == (shop.polishing.pk,)


@pytest.mark.django_db
def test_line_done_without_movements_teaches_nothing(shop: Shop) -> None:
    ring = item()
    finished_line(shop, ring, shop.casting)
    finished_line(shop, ring, shop.casting)
    for _ in range(12):
        finished_line(shop, ring)
    finished_line(shop, ring, shop.casting, released_at=clock.now(), released_by_id=shop.ana.id)
    assert way_of(ring) is None
    finished_line(shop, ring, shop.casting)
    assert way_of(ring) == (shop.casting.pk,)


@pytest.mark.django_db
def test_inactive_process_of_a_way_is_passed_over(shop: Shop) -> None:
    ring = item()
    usually(shop, ring, shop.casting, shop.polishing)
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(status=False)
    way = ways_of([ring.pk])[ring.pk]
    assert (way.processes, way.steps) == ((shop.casting.pk, shop.polishing.pk), (shop.polishing.pk,))


@pytest.mark.django_db
def test_ways_of_many_products_are_read_in_one_query(shop: Shop) -> None:
    rings = [item() for _ in range(5)]
    for ring in rings:
        usually(shop, ring, shop.casting)
    with CaptureQueriesContext(connection) as made:
        assert len(ways_of([ring.pk for ring in rings])) == 5
    assert len(made) == 1


def progress(order: int) -> float:
    return summaries_of([order]).of_order[order].progress


@pytest.mark.django_db
def test_progress_counts_skipped_processes_as_done_until_pieces_are_released_for_rework(shop: Shop) -> None:
    plating = process("Rodio", order=9)
    usually(shop, shop.item, shop.casting, shop.polishing, plating)
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    shop.leave(order, shop.casting)
    assert progress(order) == pytest.approx(4 / 30, abs=0.0001)
    shop.enter(order, shop.polishing)
    shop.leave(order, shop.polishing)
    assert progress(order) == pytest.approx(20 / 30, abs=0.0001), "six pieces skipped the casting"
    assert released(shop, order, shop.casting, "porosity").status == 200
    assert progress(order) == pytest.approx(16 / 30, abs=0.0001), "four are cast again"
    shop.enter(order, shop.casting, 4)
    assert progress(order) == pytest.approx(16 / 30, abs=0.0001)
    shop.leave(order, shop.casting)
    assert progress(order) == pytest.approx(20 / 30, abs=0.0001)


@pytest.mark.django_db
def test_product_without_a_known_way_has_no_steps_in_progress(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    assert progress(order) == 0.0


def released(shop: Shop, order: int, process: ProductionProcess, reason: str) -> Answer:
    path = f"{line_path(order)}/production-process/{process.pk}"
    return shop.ana.delete(f"{path}?reason={reason}" if reason else path)


def waits(line: dict[str, Any]) -> list[tuple[int, int]]:
    return [(one["productionProcessId"], one["quantity"]) for one in line["waiting"]]


@pytest.mark.django_db
def test_plated_pieces_do_not_wait_for_soldering(shop: Shop) -> None:
    soldering, plating = process("Soldadura", order=5), process("Rodio", order=6)
    usually(shop, shop.item, shop.casting, soldering, plating)
    order = shop.approved(10)
    for one in (shop.casting, shop.polishing):
        shop.enter(order, one)
        shop.leave(order, one)
    assert waits(shop.line(order)) == [(soldering.pk, 10)], "the product does not usually take the polishing"
    ProcessRecord.objects.filter(line__order=order, process=shop.polishing).update(process=plating)
    line = shop.line(order)
    assert waits(line) == []
    offered = [one["productionProcessIds"] for one in line["offers"]["in"]]
    assert any(ids is None or soldering.pk in ids for ids in offered), "they may still enter it"


@pytest.mark.django_db
@pytest.mark.parametrize(("reason", "is_awaited"), [("porosity", True), ("entry-error", False), ("", False)])
def test_process_that_was_released_for_rework_is_awaited_again(shop: Shop, reason: str, *, is_awaited: bool) -> None:
    usually(shop, shop.item, shop.casting, shop.polishing)
    order = shop.approved(10)
    for one in (shop.casting, shop.polishing):
        shop.enter(order, one)
        shop.leave(order, one)
    answer = released(shop, order, shop.casting, reason)
    assert answer.status == 200, answer
    awaited = [(shop.casting.pk, 10)] if is_awaited else []
    (row,) = [one for one in shop.ana.get("/api/sales-order/positions").json if one["salesOrderId"] == order]
    for line in (answer.json, shop.line(order), row):
        assert waits(line) == awaited
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    assert waits(shop.line(order)) == []
