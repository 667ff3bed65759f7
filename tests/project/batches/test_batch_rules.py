"""What each state of a batch allows, and its arithmetic. No database."""

from decimal import Decimal

import pytest

from project.batches import rules
from project.batches.rules import BatchAction, BatchState
from project.core.errors import Refusal
from project.metal.rules import shared

ALLOWED = {
    BatchState.open: {"change", "add", "remove", "enter", "close", "undo"},
    BatchState.inside: {"remove", "leave", "undo"},
    BatchState.out: {"close", "undo"},
    BatchState.closed: set(),
}


@pytest.mark.parametrize("state", BatchState)
@pytest.mark.parametrize("action", BatchAction)
def test_every_state_takes_exactly_the_actions_of_the_table(state: BatchState, action: BatchAction) -> None:
    if action.value in ALLOWED[state]:
        rules.check(state, action)
        return
    with pytest.raises(Refusal) as refused:
        rules.check(state, action)
    codes = {"open": "batch_not_inside", "inside": "batch_inside", "out": "batch_is_out", "closed": "batch_closed"}
    assert refused.value.code == codes[state.value]


def test_refusal_of_a_batch_names_each_line_with_its_own_reason() -> None:
    refusal = rules.BatchRefused([(7, rules.BatchFull(limit=200)), (9, rules.BatchEmpty())])
    assert refusal.status == 409
    assert [(row["lineId"], row["code"], row["params"]) for row in refusal.params["lines"]] == [
        (7, "batch_full", {"limit": 200}),
        (9, "batch_empty", {}),
    ]
    assert all(row["message"] for row in refusal.params["lines"])


@pytest.mark.parametrize(
    ("wax", "ratio", "button", "wanted"),
    [
        (12_340, "10.5", 15_000, 144_570),
        (12_340, "10.5", None, 129_570),
        (1, "10.5", None, 11),
        (1, "10.4", 0, 10),
        (0, "10.5", 5, 5),
        (None, "10.5", 15_000, None),
        (12_340, None, 15_000, None),
    ],
)
def test_metal_of_a_tree_is_wax_times_ratio_and_the_button(
    wax: int | None, ratio: str | None, button: int | None, wanted: int | None
) -> None:
    assert rules.wanted_mg(wax, Decimal(ratio) if ratio else None, button) == wanted


def test_weight_is_shared_by_pieces_and_net_weight_or_by_pieces_alone() -> None:
    assert rules.weights_of([(10, 3_000), (5, 8_000)]) == [30_000, 40_000]
    assert rules.weights_of([(10, 3_000), (5, None)]) == [10, 5]
    assert rules.weights_of([(10, 3_000), (5, 0)]) == [10, 5]


def test_shares_add_up_and_the_last_one_takes_the_remainder() -> None:
    assert shared(100_000, rules.weights_of([(1, None), (1, None), (1, None)])) == [33_333, 33_333, 33_334]
