"""Metal over the API, for tests: alloys, receipts, transfers and closed days."""

from typing import Any

from project.catalogs.models import Alloy, ProductionProcess
from tests.builders import Answer, Caller, Shop

METAL = "/api/metal"
DAYS = f"{METAL}/days"
SURE = {"confirm": True, "reason": "Pesado dos veces"}
"""The fields that confirm a count far from the books."""


def alloy(name: str = "Ley 925", fineness: int = 9_250) -> Alloy:
    return Alloy.objects.create(name=name, fineness=fineness)


def receive(by: Caller, of: Alloy, grams: float = 1_000, supplier: str = "Casa Fina", **fields: Any) -> Answer:
    return by.post(f"{METAL}/lots", {"alloyId": of.pk, "grams": grams, "supplier": supplier, **fields})


def transfer(by: Caller, of: Alloy, grams: Any, **fields: Any) -> Answer:
    return by.post(f"{METAL}/entries", {"alloyId": of.pk, "grams": grams, **fields})


def person(user_id: int, process: ProductionProcess, side: str = "to") -> dict[str, Any]:
    """The fields of a transfer that name a person's account."""
    return {f"{side}Kind": "person", f"{side}UserId": user_id, f"{side}ProductionProcessId": process.pk}


def dust(process: ProductionProcess, side: str = "to") -> dict[str, Any]:
    return {f"{side}Kind": "dust", f"{side}ProductionProcessId": process.pk}


def issue(by: Caller, of: Alloy, grams: float, user_id: int, process: ProductionProcess) -> dict[str, Any]:
    """Give a person metal of the vault. Return the entry."""
    answer = transfer(by, of, grams, fromKind="vault", **person(user_id, process))
    assert answer.status == 201, answer
    entry: dict[str, Any] = answer.json
    return entry


def take_back(by: Caller, of: Alloy, grams: float, user_id: int, process: ProductionProcess) -> dict[str, Any]:
    """Take metal of a person into the vault. Return the entry."""
    answer = transfer(by, of, grams, toKind="vault", **person(user_id, process, "from"))
    assert answer.status == 201, answer
    entry: dict[str, Any] = answer.json
    return entry


def count(of: Alloy, counted: float, swept: float = 0) -> dict[str, Any]:
    return {"alloyId": of.pk, "countedGrams": counted, "dustGrams": swept}


def close(by: Caller, process: ProductionProcess, *counts: dict[str, Any], **fields: Any) -> Answer:
    return by.post(DAYS, {"productionProcessId": process.pk, "alloys": list(counts), **fields})


def closed(by: Caller, process: ProductionProcess, *counts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Close a day and return it."""
    answer = close(by, process, *counts, **fields)
    assert answer.status == 201, answer
    day: dict[str, Any] = answer.json
    return day


def held(by: Caller, **filters: Any) -> dict[str, float]:
    """What each account holds, by its kind and the names in it. All balances are of one alloy."""
    query = "&".join(f"{name}={value}" for name, value in filters.items())
    answer = by.get(f"{METAL}/accounts?{query}")
    assert answer.status == 200, answer
    found = {}
    for row in answer.json:
        parts = (row["kind"], row["name"], row["userName"], row["productionProcessName"])
        found[" ".join(part for part in parts if part)] = sum(one["grams"] for one in row["balances"])
    return found


def vault_count(shop: Shop, of: Alloy, *grams: float, **fields: Any) -> dict[str, Any]:
    """The body of a count of an alloy in the vault by Ana and Beto.

    `grams`: how many grams more (negative: less) than expected are counted, for each lot.
    """
    expected = [row for row in shop.ana.get(f"{METAL}/counts/expected").json if row["alloyId"] == of.pk]
    more = [*grams, *[0] * (len(expected) - len(grams))]
    lots = [
        {
            "lotId": row["lotId"],
            "expectedGrams": row["expectedGrams"],
            "countedGrams": round(row["expectedGrams"] + added, 3),
        }
        for row, added in zip(expected, more, strict=True)
    ]
    alloys = [{"alloyId": of.pk, "lots": lots, "reason": "Pesado dos veces" if any(more) else ""}]
    return {"countedById": shop.ana.id, "witnessId": shop.beto.id, "alloys": alloys} | fields
