"""Weigh movements over the API, and read what the accounts hold, for tests."""

from collections import Counter
from typing import Any

from django.db.models import Q

from project.access.permissions import ALL
from project.access.principal import Principal
from project.catalogs.models import Alloy, Item, ProductionProcess
from project.catalogs.terms import ENTRY_ERROR
from project.core import clock
from project.metal import ledger
from project.metal.ledger import Posting
from project.metal.models import AccountKind, Balance, EntryKind, MetalEntry
from project.metal.selectors import differing_balances, differing_lots, sums_by_alloy
from project.orders.models import PastExit, ProcessRecord
from tests.builders import Answer, Caller, Shop, line_path

STOCK = 1_000_000
"""Milligrams in the vault of `bench`."""


def principal(by: Caller) -> Principal:
    return Principal(
        user_id=by.id,
        full_name="Ana Torres",
        permissions=frozenset(ALL),
        jti="",
        expires_at=clock.end_of_today(),
        token_version=1,
    )


def sterling(name: str = "Plata ley 925") -> Alloy:
    return Alloy.objects.get(name=name)


def bench(shop: Shop, *, weighs: str = "optional", stock: int = STOCK, **fields: Any) -> Alloy:
    """Let casting and polishing weigh, make the product of sterling, and put `stock` milligrams into the vault."""
    alloy = sterling()
    ProductionProcess.objects.filter(pk__in=[shop.casting.pk, shop.polishing.pk]).update(weighs=weighs, **fields)
    Item.objects.filter(pk=shop.item.pk).update(alloy=alloy)
    if stock:
        receive(shop, alloy, stock)
    return alloy


def receive(shop: Shop, alloy: Alloy, mg: int) -> None:
    bought = Posting(ledger.supplier("Casa Fina"), ledger.vault(), alloy.pk, mg, EntryKind.receive)
    ledger.post([bought], by=principal(shop.ana), at=clock.now())


def weigh(
    shop: Shop,
    direction: str,
    order: int,
    process: ProductionProcess,
    grams: object = None,
    quantity: int | None = None,
    *,
    by: Caller | None = None,
    position: int = 1,
    headers: dict[str, str] | None = None,
    **fields: Any,
) -> Answer:
    """Send a movement with its weights. Leave out what is None."""
    body = {"productionProcessId": process.pk, "grams": grams, "quantity": quantity, **fields}
    sent = {name: value for name, value in body.items() if value is not None}
    path = f"{line_path(order, position)}/production-process/{direction}"
    return (by or shop.ana).put(path, sent, **(headers or {}))


def weighed(*args: Any, **fields: Any) -> dict[str, Any]:
    """Send a movement that succeeds. Return the line."""
    answer = weigh(*args, **fields)
    assert answer.status == 200, answer
    line: dict[str, Any] = answer.json
    return line


def held() -> dict[str, int]:
    """What each account holds in milligrams: people by their name and process, lines by their position."""
    found: Counter[str] = Counter()
    for row in Balance.objects.exclude(mg=0).select_related("account__user", "account__process"):
        account, name = row.account, row.account.kind
        if account.user and account.process:
            name = f"{account.user.first_name} {account.process.name}"
        elif account.position is not None:
            name = f"line {account.position}"
        found[name] += row.mg
    return dict(found)


def bought_less(**accounts: int) -> dict[str, int]:
    """What is held after `STOCK` was bought: nothing else than `accounts`, and the rest in the vault."""
    return {"supplier": -STOCK, "vault": STOCK - sum(accounts.values())} | accounts


def check_books() -> None:
    """Check that each alloy adds up to 0, and that each balance and each lot is the sum of its entries."""
    assert {alloy: mg for alloy, mg in sums_by_alloy().items() if mg} == {}
    assert differing_balances() == []
    assert differing_lots() == []


def check_records() -> None:
    """Check that what the entries of each record leave with people is what the weights of the record say.

    Metal that came from `lost` belongs to no weight. Nothing stands of a record that was taken back. Records that were
    released for rework are left out: their weights are of a part of what they did.
    """
    found: Counter[int | None] = Counter()
    named: set[int | None] = set()
    for one in MetalEntry.objects.filter(movement_id__isnull=False, reversed_by__isnull=True, reverses__isnull=True):
        named.add(one.record_id)
        if AccountKind.lost not in (one.source.kind, one.target.kind):
            found[one.record_id] += one.mg * ((one.target.kind == "person") - (one.source.kind == "person"))
    mistakes = Q(taken_back__release_reason=None) | Q(taken_back__release_reason__key=ENTRY_ERROR)
    reworked = set(PastExit.objects.exclude(mistakes).values_list("record_id", flat=True))
    for record in ProcessRecord.objects.select_related("release_reason"):
        record.release_reason_key = record.release_reason.key if record.release_reason else None
        if record.reworked or record.pk in reworked:
            continue
        if record.released_at is not None:
            assert record.pk not in named
            continue
        left = (record.mg_out or 0) + (record.mg_scrap or 0)
        more = left - (record.mg_added or 0)
        entered = max(0, more) if record.mg_in is None else record.mg_in
        stays = entered - more if record.open or record.mg_left is not None else 0
        assert found[record.pk] == stays, (record.pk, found[record.pk], stays)
