"""One weighing of several entries: what each takes of it, and what a part that is heavier takes from the rest."""

from typing import Any

from project.metal.models import MetalEntry
from project.orders.models import ProcessRecord
from tests.builders import Caller, Shop, line_path, person, release, undo
from tests.project.batches.batching import move_batch, new_batch, put_on
from tests.project.metal.grams import bench, bought_less, check_books, check_records, held, weigh, weighed
from tests.project.station.standing import MOVES

ANA, DORA, LINE = "Ana Fundición", "Dora Fundición", "line 1"


def dora(shop: Shop) -> Caller:
    return Caller(person("dora", *MOVES, processes=[shop.casting]))


def records() -> list[tuple[int, int | None, int | None]]:
    """The pieces, metal in and metal out of all records, oldest first."""
    return list(ProcessRecord.objects.order_by("pk").values_list("quantity", "mg_in", "mg_out"))


def check() -> None:
    check_books()
    check_records()


def test_entries_share_a_weighing_by_what_each_weighed_in(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 60, 3)
    weighed(shop, "in", order, shop.casting, 40, 7)
    weighed(shop, "out", order, shop.casting, 98.001, otherGrams=1, scrapGrams=0.502, addedGrams=0.009)
    rows = ProcessRecord.objects.order_by("pk").values_list("mg_out", "mg_other", "mg_scrap", "mg_added")
    assert list(rows) == [(58_201, 600, 301, 5), (38_800, 400, 201, 4)]
    check()


def test_entries_share_by_pieces_if_one_was_not_weighed(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 25, 2)
    shop.enter(order, shop.casting, 8)
    weighed(shop, "out", order, shop.casting, 50)
    assert records() == [(2, 25_000, 10_000), (8, None, 40_000)]
    check()


def test_part_that_is_heavier_than_its_share_takes_the_difference_from_what_stays(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    line = weighed(shop, "out", order, shop.casting, 22, 4, scrapGrams=0.5, addedGrams=0.2)
    assert records() == [(4, 22_300, 22_000), (6, 27_700, None)]
    assert {row["lossGrams"] for row in line["productionProcesses"] if row["outputDate"]} == {0}
    assert held() == bought_less(**{ANA: 27_700, LINE: 22_000, "scrap": 500})
    check()
    weighed(shop, "out", order, shop.casting, 27.5)
    assert held() == bought_less(**{ANA: 200, LINE: 49_500, "scrap": 500})
    check()


def test_only_more_than_all_that_is_inside_is_asked_about(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 30, 6)
    weighed(shop, "in", order, shop.casting, 20, 4, by=dora(shop))
    before, rows = held(), records()
    answer = weigh(shop, "out", order, shop.casting, 50.021, 2)
    assert (answer.code, answer.json["params"]) == (
        "grams_heavier",
        {"side": "out", "grams": 50.021, "entered": 10, "added": 0, "limit": 50},
    )
    assert (held(), records()) == (before, rows)
    weighed(shop, "out", order, shop.casting, 50.02, 2)
    assert [mg_in for _, mg_in, _ in records()] == [50_000, 0, 0]
    assert held()["lost"] == -20
    check()


def test_the_same_person_s_metal_gives_first_and_then_that_of_others(shop: Shop) -> None:
    bench(shop)
    order, other = shop.approved(20), dora(shop)
    weighed(shop, "in", order, shop.casting, 25, 5)
    weighed(shop, "in", order, shop.casting, 25, 5, by=other)
    weighed(shop, "in", order, shop.casting, 10, 2, by=other)
    before, rows = held(), records()
    weighed(shop, "out", order, shop.casting, 26, 5, by=other)
    assert records() == [(5, 25_000, None), (5, 26_000, 26_000), (2, 9_000, None)]
    assert held() == bought_less(**{ANA: 25_000, DORA: 9_000, LINE: 26_000})
    check()
    left = next(row["id"] for row in shop.history(order) if row["outputDate"])
    assert undo(other, order, left).status == 200
    assert (held(), records()) == (before, rows)
    check()
    weighed(shop, "out", order, shop.casting, 40, 5, by=other)
    assert records() == [(5, 20_000, None), (5, 40_000, 40_000), (2, 0, None)]
    assert held() == bought_less(**{ANA: 20_000, LINE: 40_000})
    check()


def test_exit_that_scraps_a_part_books_both_weights_and_its_undo_leaves_no_trace(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    before = held()
    line = weighed(shop, "out", order, shop.casting, 30, 8, scrap={"quantity": 2, "reason": "broken", "grams": 9})
    assert held() == bought_less(**{ANA: 11_000, LINE: 30_000, "scrap": 9_000})
    check()
    assert shop.ana.post("/api/presses/undo", {"press": line["press"]}).status == 200
    assert held() == before
    check()


def test_weight_that_was_typed_wrong_leaves_no_trace_after_its_undo(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    before = held()
    line = weighed(shop, "out", order, shop.casting, 30, 4)
    left = next(row["id"] for row in line["productionProcesses"] if row["outputDate"])
    assert undo(shop.ana, order, left).status == 200
    assert (records(), held()) == ([(4, 20_000, None), (6, 30_000, None)], before)
    weighed(shop, "out", order, shop.casting, 19.9, 4)
    assert held() == bought_less(**{ANA: 30_100, LINE: 19_900})
    check()


def test_a_part_that_gave_and_was_split_since_gets_its_metal_back(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    first = weighed(shop, "out", order, shop.casting, 23.001, 4)
    weighed(shop, "out", order, shop.casting, 9, 2)
    check()
    left = next(row["id"] for row in first["productionProcesses"] if row["outputDate"])
    assert undo(shop.ana, order, left).status == 200
    assert sorted(records()) == [(2, 10_000, 9_000), (4, 20_000, None), (4, 20_000, None)]
    assert held() == bought_less(**{ANA: 41_000, LINE: 9_000})
    check()


def test_released_and_undone_movements_leave_nothing_of_a_heavier_part(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    start = held()
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 30, 4)
    for reason in ("", "entry-error"):
        assert release(shop.ana, order, shop.casting, reason=reason).status == 200
        check_records()
    assert held() == start
    check()


def test_heavier_scrap_takes_from_what_stays(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    body = {"productionProcessId": shop.casting.pk, "quantity": 2, "reason": "broken", "grams": 11}
    assert shop.ana.post(f"{line_path(order)}/scrap", body).status == 200
    assert held() == bought_less(**{ANA: 39_000, "scrap": 11_000})
    check()


def test_batch_that_is_heavier_takes_from_what_stays_of_its_lines(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 30, 6)
    batch: dict[str, Any] = new_batch(shop)
    batch = put_on(shop, batch, order, 4).json
    assert move_batch(shop, "in", batch, grams=20).status == 200
    asked = move_batch(shop, "out", batch, grams=21)
    assert (asked.code, asked.json["params"]["limit"]) == ("grams_heavier", 20)
    assert move_batch(shop, "out", batch, grams=21, weightReason="Piezas cambiadas").status == 200
    assert records() == [(6, 29_000, None), (4, 21_000, 21_000)]
    assert held() == bought_less(**{ANA: 29_000, LINE: 21_000})
    check()


def test_what_leaves_is_ones_own_and_the_loss_is_that_of_good_and_scrapped_pieces(shop: Shop) -> None:
    """The exit's dialog shows these numbers before: 21.257 g that Ana brought in, and 0.643 g with a scrapped piece."""
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 21.1, 5, by=dora(shop))
    weighed(shop, "in", order, shop.casting, 21.257, 5)
    line = weighed(shop, "out", order, shop.casting, 20.7, 5)
    assert {row["inputById"]: row["lossGrams"] for row in line["productionProcesses"]}[shop.ana.id] == 0.557
    part = {"quantity": 1, "reason": "broken", "notes": "", "grams": 4.146}
    line = weighed(shop, "out", order, shop.casting, 16.311, 5, scrap=part)
    lost = [row["lossGrams"] for row in line["productionProcesses"] if row["inputById"] != shop.ana.id]
    assert sorted(lost) == [0.074, 0.569]
    check()


def test_entries_name_their_movement_and_a_reversal_the_movement_that_takes_it_back(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    line = weighed(shop, "out", order, shop.casting, 49)
    record = ProcessRecord.objects.get()
    named = MetalEntry.objects.filter(record_id=record.pk).order_by("pk").values_list("kind", "movement_id")
    assert list(named) == [("issue", record.entry_id), ("in", record.entry_id), ("out", record.exit_id)]
    assert undo(shop.ana, order, line["productionProcesses"][0]["id"]).status == 200
    back = MetalEntry.objects.get(kind="reversal")
    taken_back = record.exit.taken_back_by.get() if record.exit else None
    assert taken_back is not None
    assert (back.record_id, back.movement_id) == (record.pk, taken_back.pk)
    assert MetalEntry.objects.exclude(movement_id=None).exclude(movement_id=0).count() == 4


def test_last_part_that_is_heavier_takes_what_lighter_parts_seemed_to_lose(shop: Shop) -> None:
    """The lightest pieces leave first: nobody is asked why the others are heavier, and the loss is that of all."""
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 19, 4)
    assert weigh(shop, "out", order, shop.casting, 31.1).status == 422
    weighed(shop, "out", order, shop.casting, 30.9)
    assert records() == [(4, 19_100, 19_000), (6, 30_900, 30_900)]
    assert held() == bought_less(**{ANA: 100, LINE: 49_900})
    check()
    assert undo(shop.ana, order, ProcessRecord.objects.order_by("pk")[1].pk).status == 200
    assert records() == [(4, 20_000, 19_000), (6, 30_000, None)]
    assert held() == bought_less(**{ANA: 31_000, LINE: 19_000})
    check()
