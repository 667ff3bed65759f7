"""Who may move pieces into and out of a process, in every case."""

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
        (Side.exit, True, False, True),  # so that pieces can get out
        (Side.exit, False, True, False),
        (Side.exit, False, False, False),
    ],
)
def test_workers_of_a_process_move_into_it_while_active_and_out_of_it_always(
    side: Side, works_there: bool, active: bool, may: bool
) -> None:
    if may:
        check_mover(side, works_there=works_there, active=active)
    else:
        with pytest.raises(NotYourProcess):
            check_mover(side, works_there=works_there, active=active)
