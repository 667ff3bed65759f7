"""Weigh movements over the API, and read what the accounts hold, for tests."""

from collections import Counter
from typing import Any

from project.access.permissions import ALL
from project.access.principal import Principal
from project.catalogs.models import Alloy, Item, ProductionProcess
from project.core import clock
from project.metal import ledger
from project.metal.ledger import Posting
from project.metal.models import Balance, EntryKind
from project.metal.selectors import differing_balances, sums_by_alloy
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
    """Check that each alloy adds up to 0, and that each balance is the sum of its entries."""
    assert {alloy: mg for alloy, mg in sums_by_alloy().items() if mg} == {}
    assert differing_balances() == []
