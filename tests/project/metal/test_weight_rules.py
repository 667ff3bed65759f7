"""Arithmetic of grams; no test here uses a database."""

from decimal import Decimal

import pytest

from project.core.errors import InvalidFields
from project.metal.rules import (
    NOT_WEIGHED,
    GramsHeavier,
    GramsRequired,
    WeighedPieces,
    Weights,
    check_expected,
    check_not_heavier,
    check_weights,
    fine_mg,
    grams_or_none,
    is_above,
    loss,
    loss_per_mille,
    mg_or_none,
    per_mille,
    shared,
    tenths,
    to_grams,
    to_mg,
)


def test_grams_become_milligrams_and_back() -> None:
    assert [to_mg(Decimal(grams)) for grams in ("0.001", "12.5", "1000000")] == [1, 12_500, 1_000_000_000]
    assert to_mg(None) == 0
    assert (mg_or_none(None), mg_or_none(Decimal("0.25"))) == (None, 250)
    assert (to_grams(1), grams_or_none(None), grams_or_none(12_500)) == (Decimal("0.001"), None, Decimal("12.5"))


def test_fineness_is_kept_in_tenths_of_a_per_mille() -> None:
    assert [tenths(Decimal(one)) for one in ("0", "925", "999.9", "1000")] == [0, 9_250, 9_999, 10_000]
    assert [per_mille(one) for one in (9_250, 9_999)] == [Decimal(925), Decimal("999.9")]


def test_fine_metal_is_added_up_exactly_and_rounded_once() -> None:
    assert fine_mg([]) == 0
    assert fine_mg([(1_000, 9_250), (1_000, 0)]) == 925
    assert fine_mg([(1, 5_000)]) == 1
    assert fine_mg([(1, 5_000), (1, 5_000)]) == 1
    assert fine_mg([(1, 4_999)]) == 0


@pytest.mark.parametrize(
    ("mg", "weights", "shares"),
    [
        (100, [1, 1, 1], [33, 33, 34]),
        (100_001, [3, 7], [30_000, 70_001]),
        (100, [2, 1, 3], [33, 17, 50]),
        (5, [1, 2], [2, 3]),
        (3, [1, 1], [1, 2]),
        (5, [10, 0], [5, 0]),
        (5, [0, 10], [0, 5]),
        (5, [0, 0], [0, 5]),
        (0, [2, 3], [0, 0]),
        (7, [4], [7]),
        (7, [], []),
    ],
)
def test_shares_add_up_and_the_largest_remainders_take_what_is_left(
    mg: int, weights: list[int], shares: list[int]
) -> None:
    assert shared(mg, weights) == shares


def test_weights_are_shared_by_pieces() -> None:
    whole = Weights(10_003, other=3, scrap=5, added=1, why="soldadura")
    parts = whole.shares([1, 2])
    assert [part.metal for part in parts] == [3_333, 6_667]
    assert [(part.other, part.scrap, part.added) for part in parts] == [(1, 2, 0), (2, 3, 1)]
    assert {part.why for part in parts} == {"soldadura"}
    assert whole.metal == 10_000
    assert NOT_WEIGHED.shares([1, 2]) == [NOT_WEIGHED, NOT_WEIGHED]


def test_loss_needs_both_weights() -> None:
    assert loss(50_000, 49_200) == 800
    assert loss(50_000, 49_000, scrap=2_000, added=1_500) == 500
    assert loss(50_000, 50_020) == -20
    assert loss(None, 49_200) is None
    assert loss(50_000, None) is None


def test_loss_is_per_mille_of_what_entered() -> None:
    assert loss_per_mille(800, 50_000) == Decimal("16.0")
    assert loss_per_mille(1, 3_000) == Decimal("0.3")
    assert loss_per_mille(-20, 50_000) == Decimal("-0.4")
    assert loss_per_mille(5, 0) == 0


def test_allowance_is_judged_on_exact_figures() -> None:
    assert is_above(1_001, 50_000, Decimal("20.0"))
    assert not is_above(1_000, 50_000, Decimal("20.0"))
    assert not is_above(1_001, 50_000, None)
    assert not is_above(1, 0, Decimal(0))
    assert is_above(1, 3_000, Decimal("0.3"))
    assert not is_above(3, 10_000, Decimal("0.3"))


def test_metal_may_be_heavier_by_two_steps_or_for_a_reason() -> None:
    check_not_heavier(50_020, 50_000, step=10, why="")
    check_not_heavier(60_000, 50_000, step=10, why="soldadura")
    with pytest.raises(GramsHeavier) as refused:
        check_not_heavier(50_021, 50_000, step=10, why="")
    assert refused.value.params == {"side": "out", "grams": 50.021, "entered": 50, "added": 0, "limit": 50}


def check(weights: Weights, *, weighs: bool = True, required: bool = False, alloy: bool = True) -> None:
    check_weights(weights, weighs=weighs, required=required, alloy=alloy, process="Limado")


def test_grams_are_required_only_where_the_process_says_so() -> None:
    check(NOT_WEIGHED)
    check(NOT_WEIGHED, weighs=False)
    check(Weights(1), required=True)
    with pytest.raises(GramsRequired) as refused:
        check(NOT_WEIGHED, required=True)
    assert refused.value.params == {"process": "Limado"}


@pytest.mark.parametrize(
    ("weights", "state", "field", "code"),
    [
        (Weights(5), {"weighs": False}, "grams", "not_weighed"),
        (Weights(5), {"alloy": False}, "grams", "no_alloy"),
        (Weights(other=5), {}, "grams", "grams_first"),
        (Weights(added=5), {"required": True}, "grams", "grams_first"),
        (Weights(5, other=5), {}, "otherGrams", "heavier_than_all"),
    ],
)
def test_weights_that_mean_nothing_are_refused(weights: Weights, state: dict[str, bool], field: str, code: str) -> None:
    with pytest.raises(InvalidFields) as refused:
        check(weights, **state)
    assert [(error.field, error.code) for error in refused.value.errors] == [(field, code)]


CAST, POLISHED = 1, 2


def cast(*parts: tuple[int, int]) -> WeighedPieces:
    """Pieces that were cast, in parts of so many pieces and milligrams."""
    pieces = WeighedPieces()
    for stay, (count, mg) in enumerate(parts):
        pieces.enter(stay, CAST, count)
        assert pieces.weigh(stay, count, mg, at_entry=True) == (mg, 0)
        pieces.leave(stay, CAST, count, mg)
    return pieces


def enters(pieces: WeighedPieces, process: int, count: int, mg: int, stay: int = 10) -> tuple[int, int]:
    pieces.enter(stay, process, count)
    return pieces.weigh(stay, count, mg, at_entry=True)


@pytest.mark.parametrize(
    ("parts", "process", "entering", "mg", "issued", "corrected", "rest"),
    [
        ([], POLISHED, 10, 50_000, 50_000, 0, 0),
        ([(10, 50_000)], POLISHED, 10, 49_900, 0, -100, 0),
        ([(10, 50_000)], POLISHED, 10, 50_100, 0, 100, 0),
        ([(10, 50_000)], POLISHED, 4, 20_000, 0, 0, 30_000),
        ([(10, 50_000)], POLISHED, 4, 22_000, 0, 0, 28_000),
        ([(10, 50_000)], POLISHED, 4, 51_000, 0, 1_000, 0),
        ([(5, 50_000)], POLISHED, 10, 100_010, 50_005, 5, 0),
        ([(4, 20_000), (6, 30_000)], POLISHED, 10, 50_000, 0, 0, 0),
        ([(4, 20_000)], CAST, 6, 30_000, 30_000, 0, 20_000),
    ],
    ids=["first", "lighter", "heavier", "a part", "heavy part", "too heavy part", "some weighed", "trees", "next tree"],
)
def test_a_weighing_issues_what_is_new_and_corrects_what_was_weighed(
    parts: list[tuple[int, int]], process: int, entering: int, mg: int, issued: int, corrected: int, rest: int
) -> None:
    pieces = cast(*parts)
    assert enters(pieces, process, entering, mg) == (issued, corrected)
    assert pieces.mg == rest


def test_pieces_that_went_furthest_enter_the_next_process_first() -> None:
    pieces = cast((10, 50_000))
    enters(pieces, POLISHED, 4, 20_000)
    pieces.leave(10, POLISHED, 4, 19_000)
    assert enters(pieces, 3, 4, 19_000, stay=11) == (0, 0)
    pieces.leave(11, 3, 4, 18_500)
    assert enters(pieces, POLISHED, 6, 30_000, stay=12) == (0, 0)
    assert pieces.mg == 18_500


def test_pieces_that_are_sent_back_enter_again_with_their_metal() -> None:
    pieces = cast((10, 50_000))
    enters(pieces, POLISHED, 4, 20_000)
    pieces.send_back(CAST, 10)
    assert enters(pieces, CAST, 6, 30_100, stay=11) == (0, 100)
    pieces.leave(10, POLISHED, 4, 19_000)
    assert enters(pieces, CAST, 4, 19_000, stay=12) == (0, 0)
    assert pieces.mg == 0


def test_pieces_keep_their_metal_where_nothing_is_weighed() -> None:
    pieces = cast((10, 50_000))
    pieces.enter(10, POLISHED, 4)
    assert pieces.metal_of(10, 2) == 10_000
    pieces.scrap(10, 2)
    pieces.leave(10, POLISHED, 2, None)
    assert pieces.mg == 40_000
    assert enters(pieces, POLISHED, 6, 30_000, stay=11) == (0, 0)
    assert pieces.mg == 10_000


@pytest.mark.parametrize(
    ("mg", "expected", "asks"),
    [
        (211_000, 21_178, True),
        (42_357, 21_178, True),
        (42_356, 21_178, False),  # twice as much
        (6_000, 1_000, False),  # 5 g more
        (6_001, 1_000, True),
        (211_000, 0, False),  # never weighed
        (2_110, 21_178, False),  # a loss is shown, and asks for a signature
    ],
)
def test_an_entry_with_far_more_than_is_expected_is_asked_about(mg: int, expected: int, *, asks: bool) -> None:
    check_expected(mg, expected, side="in", why="Con la base")
    if not asks:
        check_expected(mg, expected, side="in", why="")
        return
    with pytest.raises(GramsHeavier) as refused:
        check_expected(mg, expected, side="in", why="")
    assert refused.value.params == {"side": "in", "grams": mg / 1_000, "limit": expected / 1_000}


def test_a_weight_is_compared_for_the_pieces_that_were_weighed_before() -> None:
    pieces = WeighedPieces()
    pieces.enter(1, CAST, 10)
    assert pieces.compared(1, 10, 50_000) == (0, 0)
    pieces.weigh(1, 10, 50_000, at_entry=True)
    pieces.leave(1, CAST, 10, 50_000)
    pieces.enter(2, POLISHED, 12)
    assert pieces.compared(2, 12, 600_000) == (500_000, 50_000)
