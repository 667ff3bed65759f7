"""The metal that pieces enter with is what a count would find: of parts, trees, replaced pieces and unequal pieces."""

from typing import Any

from tests.builders import Answer, Shop, line_path, release, undo
from tests.project.metal.grams import bench, bought_less, check_books, check_records, held, weigh, weighed

ANA, POLISHES, LINE = "Ana Fundición", "Ana Pulido", "line 1"


def cast(shop: Shop, order: int, quantity: int, into: float, out: float | None = None, **fields: Any) -> None:
    weighed(shop, "in", order, shop.casting, into, quantity)
    weighed(shop, "out", order, shop.casting, into if out is None else out, quantity, **fields)


def scrap(shop: Shop, order: int, quantity: int, grams: float) -> Answer:
    body = {"productionProcessId": shop.polishing.pk, "quantity": quantity, "reason": "broken", "grams": grams}
    answer = shop.ana.post(f"{line_path(order)}/scrap", body)
    assert answer.status == 200, answer
    return answer


def test_each_part_of_a_line_that_is_cast_gets_its_own_metal(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    cast(shop, order, 4, 20)
    weighed(shop, "in", order, shop.casting, 30, 6)
    assert held() == bought_less(**{ANA: 30_000, LINE: 20_000})
    weighed(shop, "out", order, shop.casting, 30)
    assert held() == bought_less(**{LINE: 50_000})
    check_books()
    check_records()


def test_two_trees_are_issued_their_metal_and_what_is_cut_off_goes_to_the_scrap_box(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    cast(shop, order, 4, 40, 20, scrapGrams=20)
    cast(shop, order, 6, 55, 30, scrapGrams=25)
    assert held() == bought_less(**{"scrap": 45_000, LINE: 50_000})
    check_books()


def test_pieces_that_were_polished_do_not_enter_polishing_again_by_the_books(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    cast(shop, order, 10, 50)
    weighed(shop, "in", order, shop.polishing, 20, 4)
    weighed(shop, "out", order, shop.polishing, 19, 4)
    weighed(shop, "in", order, shop.polishing, 30, 6)
    assert held() == bought_less(**{POLISHES: 31_000, LINE: 19_000})
    check_books()


def test_pieces_that_are_made_again_get_metal_from_the_vault(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    cast(shop, order, 10, 50)
    weighed(shop, "in", order, shop.polishing, 50)
    scrap(shop, order, 2, 10)
    weighed(shop, "out", order, shop.polishing, 39)
    assert shop.ana.post(f"{line_path(order)}/replace", {"quantity": 2}).status == 200
    cast(shop, order, 2, 10)
    assert held() == bought_less(**{POLISHES: 1_000, "scrap": 10_000, LINE: 49_000})
    weighed(shop, "in", order, shop.polishing, 10)
    weighed(shop, "out", order, shop.polishing, 9.8)
    assert held() == bought_less(**{POLISHES: 1_200, "scrap": 10_000, LINE: 48_800})
    check_books()


def test_a_part_takes_what_it_weighs_from_the_pieces_that_wait_with_it(shop: Shop) -> None:
    """The heaviest pieces go first: the books of those that wait fall by as much, and nothing is lost or found."""
    bench(shop)
    order = shop.approved(10)
    cast(shop, order, 10, 50)
    weighed(shop, "in", order, shop.polishing, 21.5, 4)
    assert held() == bought_less(**{POLISHES: 21_500, LINE: 28_500})
    weighed(shop, "in", order, shop.polishing, 28.4, 6)
    assert held() == bought_less(**{POLISHES: 49_900, "lost": 100})
    check_books()


def test_a_part_is_never_heavier_than_all_that_wait(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    cast(shop, order, 10, 50)
    weighed(shop, "in", order, shop.polishing, 52, 9)
    assert held() == bought_less(**{POLISHES: 52_000, "lost": -2_000})
    weighed(shop, "in", order, shop.polishing, 5, 1)
    assert held() == bought_less(**{POLISHES: 57_000, "lost": -7_000})
    check_books()


def test_pieces_released_for_rework_enter_again_with_their_own_metal(shop: Shop) -> None:
    """Four pieces of ten were polished, and only those go back to casting."""
    bench(shop)
    order = shop.approved(10)
    cast(shop, order, 4, 20)
    cast(shop, order, 6, 30)
    assert release(shop.ana, order, shop.casting, reason="porosity").status == 200
    weighed(shop, "in", order, shop.casting, 30, 6)
    assert held() == bought_less(**{ANA: 30_000, LINE: 20_000})
    check_books()


def test_pieces_that_passed_a_process_without_a_weight_take_their_metal_along(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    cast(shop, order, 10, 50)
    weighed(shop, "in", order, shop.polishing, quantity=4)
    weighed(shop, "out", order, shop.polishing, quantity=4)
    weighed(shop, "in", order, shop.polishing, 30, 6)
    assert held() == bought_less(**{POLISHES: 30_000, LINE: 20_000})
    check_books()


def test_a_later_weight_books_two_parts_as_if_it_had_been_known(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    cast(shop, order, 4, 20)
    cast(shop, order, 6, 30)
    [later, earlier] = shop.history(order)
    path = f"{line_path(order)}/production-process/{earlier['id']}/weights"
    answer = shop.ana.put(path, {"gramsIn": 20, "gramsOut": 19})
    assert answer.status == 200, answer
    assert held() == bought_less(**{ANA: 1_000, LINE: 49_000})
    assert (later["quantity"], earlier["quantity"]) == (6, 4)
    check_books()
    check_records()


def line_of(shop: Shop, order: int) -> dict[str, Any]:
    line: dict[str, Any] = shop.line(order)
    return line


def row_of(shop: Shop, order: int, newest: int = 0) -> dict[str, Any]:
    row: dict[str, Any] = shop.history(order)[newest]
    return row


def to_sign(shop: Shop) -> list[int]:
    return [line["salesOrderId"] for line in shop.ana.get("/api/sales-order/positions?toSign=true").json]


def test_metal_that_is_missing_between_two_stations_is_shown_and_signed_for(shop: Shop) -> None:
    bench(shop, allowed_loss=20)
    order = shop.approved(10)
    cast(shop, order, 10, 50, 49)
    weighed(shop, "in", order, shop.polishing, 45, weightReason="una se quedó en la mesa")
    row = row_of(shop, order)
    assert (row["gramsIn"], row["gramsBetween"], row["lossToSign"]) == (45, 4, True)
    assert row["weightReason"] == "una se quedó en la mesa"
    assert to_sign(shop) == [order]
    path = f"{line_path(order)}/production-process/{row['id']}/loss-signature"
    assert shop.ana.post(path).status == 200
    assert to_sign(shop) == []
    weighed(shop, "out", order, shop.polishing, 44.9)
    row = row_of(shop, order)
    assert (row["gramsBetween"], row["lossToSign"], row["lossSignedBy"]) == (4, False, "Ana Torres")
    assert row["weightReason"] == "una se quedó en la mesa"


def test_a_difference_within_the_steps_of_the_scale_is_not_shown(shop: Shop) -> None:
    bench(shop, allowed_loss=20)
    order = shop.approved(10)
    cast(shop, order, 10, 50, 49)
    weighed(shop, "in", order, shop.polishing, 48.98)
    row = row_of(shop, order)
    assert (row["gramsBetween"], row["lossToSign"]) == (None, False)
    assert to_sign(shop) == []


def test_parts_of_a_record_share_what_was_missing(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    cast(shop, order, 10, 50)
    weighed(shop, "in", order, shop.polishing, 46)
    weighed(shop, "out", order, shop.polishing, 23, 5)
    assert [row["gramsBetween"] for row in shop.history(order)] == [2, 2, None]
    assert [row["lossToSign"] for row in shop.history(order)] == [True, True, False]


def test_a_later_weight_says_what_is_missing_between_the_next_ones(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    cast(shop, order, 10, 50)
    weighed(shop, "in", order, shop.polishing, 46)
    [polishing, casting] = shop.history(order)
    path = f"{line_path(order)}/production-process"
    assert shop.ana.put(f"{path}/{casting['id']}/weights", {"gramsIn": 50, "gramsOut": 46}).status == 200
    assert [row["gramsBetween"] for row in shop.history(order)] == [None, None]
    assert shop.ana.put(f"{path}/{polishing['id']}/weights", {"gramsIn": 45}).status == 200
    assert [row["gramsBetween"] for row in shop.history(order)] == [1, None]
    assert held() == bought_less(**{ANA: 4_000, POLISHES: 45_000, "lost": 1_000})
    check_books()


def test_pieces_that_went_on_get_metal_of_their_own_if_those_before_never_left(shop: Shop) -> None:
    """Then other pieces of the line went on, and the vault gave their metal."""
    bench(shop)
    order = shop.approved(10)
    cast(shop, order, 6, 60)
    exit_ = shop.history(order)[0]["id"]
    weighed(shop, "in", order, shop.polishing, 40, 4)
    assert undo(shop.ana, order, exit_).status == 200
    assert held() == bought_less(**{ANA: 60_000, POLISHES: 40_000})
    weighed(shop, "out", order, shop.casting, 60, 6)
    assert held() == bought_less(**{POLISHES: 40_000, LINE: 60_000})
    weighed(shop, "out", order, shop.polishing, 40, 4)
    assert held() == bought_less(**{LINE: 100_000})
    check_books()
    check_records()


def test_pieces_weighed_at_their_exit_alone_are_known_to_the_next_weighing(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting)
    weighed(shop, "out", order, shop.casting, 58, scrapGrams=2)
    weighed(shop, "in", order, shop.polishing, 57)
    assert held() == bought_less(**{"scrap": 2_000, "lost": 1_000, POLISHES: 57_000})
    check_books()
    check_records()


def test_an_entry_ten_times_too_heavy_is_asked_about_and_passes_with_a_reason(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 423.57)  # never weighed before: there is nothing to compare
    weighed(shop, "out", order, shop.casting, 42.357)
    before = held()
    answer = weigh(shop, "in", order, shop.polishing, 211, 5)
    assert (answer.status, answer.code) == (422, "grams_heavier")
    assert answer.json["params"] == {"side": "in", "grams": 211, "limit": 21.178}
    assert "21.178 g" in answer.json["message"]
    assert held() == before
    line = weighed(shop, "in", order, shop.polishing, 211, 5, weightReason="Con la base soldada")
    assert line["productionProcesses"][0]["gramsBetween"] == -168.643
    check_books()


def test_the_first_weighing_at_an_exit_is_asked_about_like_an_entry(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    cast(shop, order, 10, 42.357)
    weighed(shop, "in", order, shop.polishing)
    answer = weigh(shop, "out", order, shop.polishing, 423)
    assert (answer.code, answer.json["params"]) == ("grams_heavier", {"side": "in", "grams": 423, "limit": 42.357})
    weighed(shop, "out", order, shop.polishing, 42.3)
    check_books()
