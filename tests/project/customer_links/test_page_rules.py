"""The stage and step of a line, the papers of a bill, and the end of a link."""

from datetime import UTC, datetime, timedelta

import pytest

from project.customer_links.rules import Paper, Stage, is_over, papers_of, stage_of, step_of
from project.orders.rules import Status
from project.orders.ways import Way

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "good", "shipped", "stage"),
    [
        (Status.New, 5, 0, Stage.waiting),
        (Status.Approved, 5, 0, Stage.waiting),
        (Status.InProcess, 5, 0, Stage.in_production),
        (Status.Done, 5, 0, Stage.ready),
        (Status.Done, 5, 4, Stage.ready),
        (Status.Done, 5, 5, Stage.shipped),
        (Status.Invoiced, 5, 5, Stage.shipped),
        (Status.Invoiced, 5, 4, Stage.ready),
        (Status.InProcess, 0, 0, Stage.in_production),
        (Status.Done, 0, 0, Stage.canceled),
        (Status.Canceled, 5, 0, Stage.canceled),
        (Status.Canceled, 0, 0, Stage.canceled),
    ],
)
def test_stage_follows_from_status_and_shipped_pieces(status: Status, good: int, shipped: int, stage: Stage) -> None:
    assert stage_of(status, good=good, shipped=shipped) is stage


@pytest.mark.parametrize(
    ("entered", "way", "step"),
    [
        ([], None, None),
        ([1], None, None),
        ([1], Way((1,), frozenset({1})), None),
        ([], Way((1, 2, 3)), (1, 3)),
        ([1], Way((1, 2, 3)), (1, 3)),
        ([1, 2], Way((1, 2, 3)), (2, 3)),
        ([1, 2, 9], Way((1, 2, 3)), (2, 3)),
        ([9], Way((1, 2, 3)), (1, 3)),
        ([1, 2, 3], Way((1, 2, 3)), (3, 3)),
        ([3], Way((1, 2, 3)), (3, 3)),
        ([1], Way((3, 1)), (2, 2)),
        ([3], Way((1, 2, 3), frozenset({2})), (2, 2)),
        ([1], Way((1, 2, 3), frozenset({1})), (1, 2)),
    ],
)
def test_step_is_that_of_the_last_process_of_the_way_that_was_entered(
    entered: list[int], way: Way | None, step: tuple[int, int] | None
) -> None:
    assert step_of(entered, way) == step


def test_papers_with_amounts_need_prices() -> None:
    whole = {"tariffs": True, "packed": True, "incoterm": True, "origin": True}
    priced = [Paper.invoice, Paper.packing_list, Paper.commercial_invoice, Paper.certificate]
    assert papers_of(prices=True, **whole) == priced
    assert papers_of(prices=False, **whole) == [Paper.packing_list, Paper.certificate]
    assert papers_of(prices=True, **whole | {"tariffs": False}) == [Paper.invoice]
    assert papers_of(prices=True, **whole | {"packed": False, "incoterm": False, "origin": False}) == [Paper.invoice]
    assert papers_of(prices=False, **whole | {"packed": False, "origin": False}) == []


def test_link_is_over_when_it_expires_is_revoked_or_its_order_is_of_another_customer() -> None:
    def over(
        *, expires_in: int = 1, revoked_at: datetime | None = None, of_order: int | None = 3, customer_id: int = 3
    ) -> bool:
        return is_over(
            expires_at=NOW + timedelta(seconds=expires_in),
            revoked_at=revoked_at,
            customer_id=customer_id,
            of_order=of_order,
            now=NOW,
        )

    assert not over()
    assert not over(of_order=None)
    assert over(expires_in=0)
    assert over(expires_in=-1)
    assert over(revoked_at=NOW)
    assert over(of_order=4)
