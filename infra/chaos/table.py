"""The table of the effects of each fault."""

from collections import Counter
from dataclasses import dataclass

from infra.chaos.faults import Fault, nothing
from infra.chaos.load import CUT, LATE, Tally


@dataclass
class Row:
    """A row of the table. Calls may fail between `began` and `over` (monotonic seconds).

    `weighed`: how many of the acknowledged movements had a weight. `off`: the errors in the books of metal, in
    milligrams, by name. `caught_up`: seconds until everything had caught up; None if that took too long.
    """

    fault: Fault
    began: float
    over: float
    acknowledged: int
    lost: int
    doubled: int
    weighed: int
    off: dict[str, int]
    caught_up: float | None


def printed(rows: list[Row], tally: Tally) -> bool:
    """Print the table. Returns whether nothing is wrong. A long wait is only printed; it does not count as wrong."""
    writes = ("acknowledged", "lost", "doubled", "weighed", "mg off")
    heads = (*writes, "caught up s", "5xx", "cut", "late", "5xx outside", "cut outside")
    print(f"\n{'fault':<34}" + "".join(f"{head:>13}" for head in heads))
    good = True
    for number, row in enumerate(rows):
        until_next = rows[number + 1].began if number + 1 < len(rows) else float("inf")
        its = [call for call in tally.calls if row.began <= call.ended < until_next]
        failed = [call for call in its if call.status == CUT or call.status >= 500]
        outside = [call for call in failed if call.began > row.over or row.fault.run is nothing]
        counts = Counter((call.status == CUT, call in outside) for call in failed)
        late = sum(call.status == LATE for call in its)
        caught_up = "never" if row.caught_up is None else f"{row.caught_up:.1f}"
        inside = (counts[False, False], counts[True, False], late)
        off = sum(map(abs, row.off.values()))
        its_writes = (row.acknowledged, row.lost, row.doubled, row.weighed, off)
        cells = (*its_writes, caught_up, *inside, counts[False, True], counts[True, True])
        print(f"{row.fault.name:<34}" + "".join(f"{cell:>13}" for cell in cells))
        for name, mg in list(row.off.items())[:5]:
            print(f"    {name}: {mg:+} mg")
        for call in outside[:5]:
            print(f"    {call.status or 'cut'}: {call.what}, {call.began - row.over:+.1f} s from the fault's end")
        good = good and not (row.lost or row.doubled or row.off or outside or row.caught_up is None)
    return good
