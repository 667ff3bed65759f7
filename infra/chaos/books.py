"""Compare the books of metal with what the load weighed (infra/docs/rules.md#metal)."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

Execute = Callable[[str], Iterable[tuple[Any, ...]]]
"""A function that sends a query and returns its rows."""

BOOKED = """
    SELECT entry.kind || ' ' || moved.notes, sum(entry.mg)
    FROM metal_metalentry entry JOIN orders_movement moved ON moved.id = entry.movement_id
    WHERE entry.kind IN ('in', 'out') GROUP BY 1"""
SUMS = "SELECT alloy_id, sum(mg) FROM metal_balance GROUP BY alloy_id"
DIFFERENCES = """
    SELECT account_id, alloy_id, sum(mg)
    FROM (
        SELECT account_id, alloy_id, mg FROM metal_balance
        UNION ALL SELECT target_id, alloy_id, -mg FROM metal_metalentry
        UNION ALL SELECT source_id, alloy_id, mg FROM metal_metalentry
    ) moved
    GROUP BY account_id, alloy_id"""


def books_off(execute: Execute, told: Mapping[str, int], acknowledged: Collection[str]) -> dict[str, int]:
    """Return the errors of the books in milligrams, by the name of the wrong movement, alloy or balance.

    `told`: the weight of each pressed movement, in milligrams. An acknowledged movement must be booked exactly once,
    any other movement at most once. The balances of each alloy must add up to 0. Each balance must be the sum of its
    entries.
    """
    booked = {name: int(mg) for name, mg in execute(BOOKED)}
    # Do not iterate over `told`: the event loop adds to it while this thread runs.
    wanted = {name: told.get(name, 0) for name in (*booked, *(name for name in acknowledged if name in told))}
    off = {name: booked.get(name, 0) - mg for name, mg in wanted.items()}
    off |= {f"alloy {alloy}": int(mg) for alloy, mg in execute(SUMS)}
    off |= {f"account {account} of alloy {alloy}": int(mg) for account, alloy, mg in execute(DIFFERENCES)}
    return {name: mg for name, mg in off.items() if mg}
