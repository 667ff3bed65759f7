"""Metal of released pieces: a mistake is reversed; if pieces are made again, their metal is where they are."""

import pytest

from project.metal.models import MetalEntry
from tests.builders import Shop, line_path, release
from tests.project.metal.grams import bench, bought_less, check_books, check_records, held, weighed

ANA, LINE = "Ana Fundición", "line 1"
REWORK = "porosity"


def worked(shop: Shop) -> int:
    """Ten pieces of 50 g that lost 0.8 g in casting. Return the order."""
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 49.2)
    return order


def reversals() -> int:
    return MetalEntry.objects.filter(kind="reversal").count()


@pytest.mark.parametrize("reason", ["", "entry-error"])
@pytest.mark.parametrize("side", ["out", ""])
def test_release_of_a_mistake_reverses_what_it_takes_back(shop: Shop, side: str, reason: str) -> None:
    order = worked(shop)
    assert release(shop.ana, order, shop.casting, side, reason=reason).status == 200
    assert held() == (bought_less(**{ANA: 50_000}) if side else bought_less())
    check_books()
    check_records()


def test_released_for_rework_pieces_keep_their_loss_and_enter_with_what_the_line_holds(shop: Shop) -> None:
    order = worked(shop)
    before = held()
    assert release(shop.ana, order, shop.casting, reason=REWORK).status == 200
    [row] = shop.history(order)
    assert (row["gramsIn"], row["gramsOut"], row["lossGrams"]) == (50, 49.2, 0.8)
    assert (held(), reversals()) == (before, 0)
    weighed(shop, "in", order, shop.casting, 49.2)
    assert held() == bought_less(**{ANA: 50_000})
    weighed(shop, "out", order, shop.casting, 48)
    assert held() == bought_less(**{ANA: 2_000, LINE: 48_000})
    check_books()


def test_metal_of_an_exit_that_is_released_for_rework_comes_back_with_its_pieces(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 48.7, scrapGrams=1, addedGrams=0.5)
    assert release(shop.ana, order, shop.casting, "out", reason=REWORK).status == 200
    assert held() == bought_less(**{ANA: 49_500, "scrap": 1_000})
    [row] = shop.history(order)
    assert (row["gramsIn"], row["gramsOut"], row["scrapGrams"]) == (49.5, None, None)
    line = weighed(shop, "out", order, shop.casting, 48)
    assert line["productionProcesses"][0]["lossGrams"] == 1.5
    assert held() == bought_less(**{ANA: 1_500, LINE: 48_000, "scrap": 1_000})
    assert reversals() == 0
    check_books()


def test_metal_of_pieces_that_are_released_from_inside_for_rework_goes_out_with_them(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    assert release(shop.ana, order, shop.casting, "in", reason=REWORK).status == 200
    assert (held(), reversals()) == (bought_less(**{LINE: 50_000}), 0)
    weighed(shop, "in", order, shop.casting, 50)
    assert held() == bought_less(**{ANA: 50_000})
    check_books()


def test_scrap_that_is_released_for_rework_comes_back_from_the_scrap_box(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    body = {"productionProcessId": shop.casting.pk, "quantity": 2, "reason": "broken", "grams": 9.8}
    assert shop.ana.post(f"{line_path(order)}/scrap", body).status == 200
    assert release(shop.ana, order, shop.casting, "out", reason=REWORK).status == 200
    assert held() == bought_less(**{ANA: 50_000})
    check_books()


def test_finished_metal_comes_back_to_the_line_before_the_pieces_are_made_again(shop: Shop) -> None:
    order = worked(shop)
    shop.status(order, 1, "Done")
    assert release(shop.ana, order, shop.casting, "out", reason=REWORK).status == 200
    assert held() == bought_less(**{ANA: 50_000})
    check_books()
    shop.leave(order, shop.casting)
    shop.status(order, 1, "Done")
    assert release(shop.ana, order, shop.casting, reason=REWORK).status == 200
    assert held() == bought_less(**{LINE: 50_000})
    check_books()


def test_canceled_line_s_pieces_that_are_released_for_rework_leave_their_metal_in_the_scrap_box(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    shop.status(order, 1, "Canceled")
    assert release(shop.ana, order, shop.casting, reason=REWORK).status == 200
    assert held() == bought_less(scrap=50_000)
    check_books()


def test_later_weight_leaves_what_was_released_for_rework_as_it_is(shop: Shop) -> None:
    order = worked(shop)
    assert release(shop.ana, order, shop.casting, reason=REWORK).status == 200
    weighed(shop, "in", order, shop.casting, 49.2)
    record = shop.history(order)[0]["id"]
    path = f"{line_path(order)}/production-process/{record}/weights"
    assert shop.ana.put(path, {"gramsIn": 49}).status == 200
    assert held() == bought_less(**{ANA: 49_800, "lost": 200})
    check_books()
    check_records()
