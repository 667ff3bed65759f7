"""Who may move pieces into and out of a process: over every case."""

import pytest

from project.orders.rules import NotYourProcess, Side, check_mover


@pytest.mark.parametrize(
    ("side", "works_there", "active", "may"),
    [
        (Side.entry, True, True, True),
        (Side.entry, True, False, False),
        (Side.entry, False, True, False),
        (Side.entry, False, False, False),
        (Side.exit, True, True, True),
        (Side.exit, True, False, True),  # pieces must be able to get out
        (Side.exit, False, True, False),
        (Side.exit, False, False, False),
    ],
)
def test_who_works_in_a_process_moves_into_an_active_one_and_out_of_any(
    side: Side, works_there: bool, active: bool, may: bool
) -> None:
    if may:
        check_mover(side, works_there=works_there, active=active)
    else:
        with pytest.raises(NotYourProcess):
            check_mover(side, works_there=works_there, active=active)
