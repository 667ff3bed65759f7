"""The metal of the demo: the metal that was bought, the weights of products, the loss in filing, and closed days."""

from dataclasses import replace
from datetime import datetime, time, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Sum

from project.access.principal import Principal
from project.catalogs import definitions, services as catalogs, terms
from project.catalogs.models import Alloy, Weighs
from project.core import clock
from project.core.grams import MG, per_mille
from project.demo.goods import Product
from project.metal import ledger, selectors
from project.metal.closing import Count, ExpectedFar, PersonDay, days_close
from project.metal.ledger import Posting
from project.metal.models import EntryKind, Lot
from project.metal.rules import NOT_WEIGHED, Weights
from project.orders.models import OPEN, ProcessRecord

SATURDAY = 5
BENCH = "Limado"
"""The process whose people weigh what they file."""
WEIGHING: dict[str, dict[str, Any]] = {
    "Fundición": {"weighs": Weighs.optional, "allowed_loss": Decimal(15)},
    BENCH: {"weighs": Weighs.optional, "allowed_loss": Decimal(20), "recovers": True},
}
LOST_PER_MILLE = 14
SWEPT_PER_CENT = 60
"""The share of the missing metal that is swept as dust at a closing, in per cent."""
FILED_BEFORE = "Se limaron piezas que entraron antes del cierre anterior"
CLOSED_AT = time(19, 30)
"""When days are closed: steps of earlier days end at seven."""
STERLING, BRITANNIA = "Plata ley 925", "Plata 950"
MATERIALS = {STERLING: "Plata .925", BRITANNIA: "Plata .950"}
BOUGHT = {STERLING: 25_000, BRITANNIA: 8_000}
"""Grams of each alloy in the vault before the first order."""
_NET = {"AN": "4.2", "AL": "3.6", "DI": "5.5", "DE": "6.25", "AR": "7.1", "AC": "5.05"}
"""Grams of metal in a finished piece, by the product's family."""


def net_grams(product: Product) -> Decimal:
    return Decimal(_NET[product.key[:2]])


def alloy_of(product: Product) -> str:
    return BRITANNIA if any(material == MATERIALS[BRITANNIA] for _, material in product.components) else STERLING


def alloys(materials: dict[str, int], by: Principal) -> dict[str, int]:
    """Set the materials of the alloys. Returns the alloys' ids by name. A new database has the alloys already."""
    known = dict(Alloy.objects.values_list("name", "pk"))
    found: dict[str, int] = {}
    for name, fineness, wax_ratio in terms.ALLOYS:
        material = {"material_id": materials[MATERIALS[name]]} if name in MATERIALS else {}
        if name in known:
            catalogs.entry_change(definitions.ALLOYS, entry_id=known[name], fields={**material}, by=by)
            found[name] = known[name]
        else:
            fields = {"name": name, "fineness": per_mille(fineness), "wax_ratio": wax_ratio, **material}
            found[name] = catalogs.entry_create(definitions.ALLOYS, fields=fields, by=by).pk
    return found


def buy(ids: dict[str, int], by: Principal) -> None:
    """Put the bought metal (`BOUGHT`) into the vault."""
    now, seller = clock.now(), ledger.supplier("Metales Finos de Guerrero")
    for name, grams in BOUGHT.items():
        lot = Lot.objects.create(
            alloy_id=ids[name],
            received_mg=grams * MG,
            supplier=seller.name,
            document=f"MF-{1_000 + ids[name]}",
            day=clock.today() - timedelta(days=1),
            created_at=now,
            by_id=by.user_id,
        )
        bought = Posting(seller, ledger.vault(), ids[name], lot.received_mg, EntryKind.receive, lot_id=lot.pk)
        ledger.post([bought], by=by, at=now)


def closings(now: datetime) -> list[datetime]:
    """Return when the days of the bench are closed: on the Saturdays of two months, and yesterday."""
    plant = clock.plant()
    today = now.astimezone(plant).date()
    past = [today - timedelta(days=days) for days in range(1, 60)]
    saturdays = [day for day in past[1:] if day.weekday() == SATURDAY]
    return [datetime.combine(day, CLOSED_AT, tzinfo=plant) for day in (*saturdays, past[0])]


def close_bench(person: Principal, process_id: int, by: Principal) -> None:
    """Close the day of a person at the bench, if metal was filed away.

    The count is the pieces that are inside. The rest of what the person holds was filed away; most of it is swept.
    """
    inside = dict(
        ProcessRecord.objects.filter(OPEN, process=process_id, input_by=person.user_id, mg_in__isnull=False)
        .order_by()
        .values_list("alloy")
        .annotate(mg=Sum("mg_in"))
    )
    counts, lost = [], 0
    for balance in selectors.balances(kind="person", user_id=person.user_id, process_id=process_id):
        counted = inside.get(balance.alloy_id, 0)
        lost += balance.mg - counted
        counts.append(Count(balance.alloy_id, counted, (balance.mg - counted) * SWEPT_PER_CENT // 100))
    if not lost:
        return
    one = PersonDay(person.user_id, process_id, counts)
    try:
        days_close(people=[one], day=None, by=by)
    except ExpectedFar:  # little was received since the last closing, and much that came before was filed
        days_close(people=[replace(one, confirm=True, reason=FILED_BEFORE)], day=None, by=by)


def weights(product: Product, what: str, process: str, pieces: int) -> Weights:
    """Return the weight of a movement at the bench, where castings lose metal in filing; elsewhere none."""
    if process != BENCH or what not in ("in", "out"):
        return NOT_WEIGHED
    cast = int(net_grams(product) * MG) * 103 // 100
    return Weights(pieces * (cast if what == "in" else cast * (1_000 - LOST_PER_MILLE) // 1_000))
