"""Compare the histories of the server with the log: order, process, worker, entry before exit."""

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise, zip_longest

from infra.bench.movement_log.client import Json
from infra.bench.movement_log.plan import Record


def mismatches(case: str, expected: list[Record], history: list[Json], names: dict[str, str]) -> Iterator[str]:
    """Yield a sentence for each difference between the log's records and the server's.

    `history`: the server's records, newest first, as the API answers them. `names`: full names by worker. The server's
    times are compared with each other, not with the log.
    """
    answered = history[::-1]
    for place, (want, have) in enumerate(zip_longest(expected, answered), start=1):
        if want is None or have is None:
            yield f"{case}, record {place}: " + ("more than the log has" if want is None else "missing")
            continue
        wanted = (
            want.process,
            want.quantity,
            names[want.entered_by],
            names[want.left_by] if want.left_by else None,
            want.released,
        )
        got = (
            have["productionProcessName"],
            have["quantity"],
            have["inputUsername"],
            have["outputUsername"] or None,
            have["released"],
        )
        if wanted != got:
            yield f"{case}, record {place}: the log has {wanted}, the server {got}"
        elif have["outputDate"] and _instant(have["outputDate"]) < _instant(have["inputDate"]):
            yield f"{case}, record {place}: left {have['outputDate']}, before it entered {have['inputDate']}"
    for place, (before, after) in enumerate(pairwise(answered), start=2):
        if _instant(after["inputDate"]) < _instant(before["inputDate"]):
            yield f"{case}, record {place}: entered before the record it follows"


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)
