"""What is left of the lots in the vault (infra/docs/rules.md#metal-office).

The balance of the vault protects the lots of its alloy: lock it first.
"""

from collections.abc import Mapping

from django.db import connection
from django.db.models import Case, F, Value, When

from project.metal.models import Lot
from project.metal.rules import LotUsedUp, to_grams

# `taken_mg` returns what each lot gave: RETURNING of SQLite sees only the columns of the changed table.
_TAKE = """
WITH wanted (alloy_id, mg) AS (VALUES {wanted}),
queue AS (
    SELECT lot.id, lot.left_mg, wanted.mg AS wanted,
        SUM(lot.left_mg) OVER (PARTITION BY lot.alloy_id ORDER BY lot.day, lot.id) - lot.left_mg AS before
    FROM metal_lot lot JOIN wanted ON wanted.alloy_id = lot.alloy_id
    WHERE lot.left_mg > 0
),
taken AS (
    SELECT id, CASE WHEN wanted - before < left_mg THEN wanted - before ELSE left_mg END AS mg
    FROM queue WHERE before < wanted
)
UPDATE metal_lot SET left_mg = left_mg - taken.mg, taken_mg = taken.mg
FROM taken WHERE metal_lot.id = taken.id
RETURNING metal_lot.alloy_id, metal_lot.day, metal_lot.id, metal_lot.taken_mg
"""


def take_oldest(wanted: Mapping[int, int]) -> dict[int, list[tuple[int, int]]]:
    """Take milligrams from the oldest lots that have something left. `wanted`: milligrams by alloy id.

    Returns pairs of lot id and milligrams taken, oldest first, by alloy id. They add up to less than was wanted if too
    little is left. 1 query.
    """
    places = ", ".join(["(CAST(%s AS bigint), CAST(%s AS bigint))"] * len(wanted))
    with connection.cursor() as cursor:
        cursor.execute(_TAKE.format(wanted=places), [value for pair in wanted.items() for value in pair])
        rows = sorted(cursor.fetchall())
    found: dict[int, list[tuple[int, int]]] = {}
    for alloy_id, _, lot_id, mg in rows:
        found.setdefault(alloy_id, []).append((lot_id, mg))
    return found


def change(left: Mapping[int, int]) -> None:
    """Change what is left of lots. `left`: the milligrams to add, by lot id; negative to take.

    Raises `LotUsedUp` if more is taken from a lot than is left of it. 1 query, 2 if a lot gives metal; none without
    changes.
    """
    changes = {lot_id: mg for lot_id, mg in left.items() if mg}
    given = {lot_id: -mg for lot_id, mg in changes.items() if mg < 0}
    for lot_id, left_mg in Lot.objects.filter(pk__in=given).values_list("pk", "left_mg") if given else ():
        if given[lot_id] > left_mg:
            raise LotUsedUp(grams=float(to_grams(given[lot_id])), left=float(to_grams(left_mg)))
    if changes:
        more = Case(*(When(pk=lot_id, then=Value(mg)) for lot_id, mg in changes.items()))
        Lot.objects.filter(pk__in=changes).update(left_mg=F("left_mg") + more)
