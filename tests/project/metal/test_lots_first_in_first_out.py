"""What leaves the vault is taken from the oldest lots, and what comes back goes to the lot that it came from."""

from itertools import pairwise
from typing import Any

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from project.catalogs.models import Alloy
from project.core import clock
from project.metal import ledger
from project.metal.ledger import Posting
from project.metal.models import EntryKind, Lot, MetalEntry
from project.metal.selectors import differing_lots
from project.operations.doctor import State
from project.operations.examinations import of_metal
from tests.builders import Shop, at_once, line_path
from tests.project.metal import weighing
from tests.project.metal.grams import bench, check_books, principal, receive, sterling, weighed

METAL = weighing.METAL


def bought(shop: Shop, alloy: Alloy, grams: float, day: str, **fields: Any) -> int:
    answer = weighing.receive(shop.ana, alloy, grams, day=day, **fields)
    assert answer.status == 201, answer
    return int(answer.json["id"])


def left(shop: Shop) -> dict[int, float]:
    check_books()
    return {row["id"]: row["leftGrams"] for row in shop.ana.get(f"{METAL}/lots?ordering=id").json}


def issued() -> list[tuple[int | None, int]]:
    """The lots and milligrams of the standing entries that the vault gave, in the order in which they were written."""
    rows = MetalEntry.objects.filter(source__kind="vault", reversed_by__isnull=True).exclude(kind="reversal")
    return list(rows.order_by("id").values_list("lot", "mg"))


def test_issue_uses_the_oldest_lots_and_what_no_lot_has_names_none(shop: Shop) -> None:
    alloy = bench(shop, stock=20_000)
    young = bought(shop, alloy, 30, "2026-03-05")
    old = bought(shop, alloy, 10, "2026-03-02")
    other = bought(shop, sterling("Plata 950"), 100, "2026-03-01")
    order = shop.approved(10, 10)
    weighed(shop, "in", order, shop.casting, 4)
    assert left(shop) == {young: 30, old: 6, other: 100}
    weighed(shop, "in", order, shop.casting, 45, position=2)
    assert issued() == [(old, 4_000), (old, 6_000), (young, 30_000), (None, 9_000)]
    assert left(shop) == {young: 0, old: 0, other: 100}


def test_undo_gives_the_metal_back_to_its_lots(shop: Shop) -> None:
    alloy = bench(shop, stock=20_000)
    lots = [bought(shop, alloy, grams, day) for grams, day in ((10, "2026-03-02"), (30, "2026-03-05"))]
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 45)
    assert left(shop) == dict.fromkeys(lots, 0)
    path = f"{line_path(order, 1)}/production-process/{shop.casting.pk}"
    assert shop.ana.delete(path).status == 200
    assert left(shop) == {lots[0]: 10, lots[1]: 30}
    reversals = MetalEntry.objects.filter(kind="reversal", target__kind="vault").order_by("reverses")
    assert [(one.lot_id, one.reverses and one.reverses.lot_id) for one in reversals] == [
        (lots[0], lots[0]),
        (lots[1], lots[1]),
        (None, None),
    ]


def test_part_of_an_entry_without_a_lot_does_not_take_from_a_later_lot(shop: Shop) -> None:
    alloy = bench(shop, stock=100_000)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    lot = bought(shop, alloy, 100, "2026-03-02")
    weighed(shop, "out", order, shop.casting, 20, 4)
    assert left(shop) == {lot: 100}
    assert {lot_id for lot_id, _ in issued()} == {None}


def test_parts_of_an_entry_keep_its_lot(shop: Shop) -> None:
    alloy = bench(shop, stock=0)
    lot = bought(shop, alloy, 100, "2026-03-02")
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 20, 4)
    assert left(shop) == {lot: 50}
    assert {lot_id for lot_id, _ in issued()} == {lot}


def test_added_metal_is_taken_from_the_oldest_lot_too(shop: Shop) -> None:
    alloy = bench(shop, stock=0)
    lot = bought(shop, alloy, 100, "2026-03-02")
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 51, addedGrams=2)
    assert left(shop) == {lot: 48}


def test_transfer_uses_the_oldest_lots_unless_it_names_one(shop: Shop) -> None:
    alloy = sterling()
    first, second = bought(shop, alloy, 10, "2026-03-02"), bought(shop, alloy, 10, "2026-03-03")
    answer = weighing.transfer(shop.ana, alloy, 4, fromKind="vault", toKind="scrap", lotId=second)
    assert (answer.status, answer.json["lotId"], answer.json["lotName"]) == (201, second, "Casa Fina")
    answer = weighing.transfer(shop.ana, alloy, 12, fromKind="vault", toKind="scrap")
    assert (answer.status, answer.json["lotId"], answer.json["grams"]) == (201, first, 10)
    assert left(shop) == {first: 0, second: 4}


def test_ledger_of_a_line_names_the_lots_of_its_metal(shop: Shop) -> None:
    alloy = bench(shop, stock=0)
    bought(shop, alloy, 20, "2026-03-02", document="F-1")
    bought(shop, alloy, 50, "2026-03-03", document="F-2")
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    (account,) = shop.ana.get(f"{METAL}/accounts?kind=line&empty=true").json
    rows = shop.ana.get(f"{METAL}/entries?accountId={account['id']}&kind=issue&ordering=id").json
    assert [(row["lotName"], row["grams"]) for row in rows] == [("Casa Fina F-1", 20), ("Casa Fina F-2", 30)]


def test_assay_of_a_lot_is_in_the_fine_grams_of_its_entries(shop: Shop) -> None:
    alloy = sterling()
    bought(shop, alloy, 10, "2026-03-02", assay=924.5)
    bought(shop, alloy, 10, "2026-03-03")
    first = weighing.transfer(shop.ana, alloy, 10, fromKind="vault", toKind="scrap").json
    second = weighing.transfer(shop.ana, alloy, 10, fromKind="vault", toKind="scrap").json
    assert (first["fineGrams"], second["fineGrams"]) == (9.245, 9.25)


def test_melting_counts_the_fine_metal_of_the_lots_that_it_takes(shop: Shop) -> None:
    alloy = sterling()
    first = bought(shop, alloy, 100, "2026-03-02", assay=900)
    second = bought(shop, alloy, 100, "2026-03-03")
    body = {"inputs": [{"alloyId": alloy.pk, "grams": 150}], "alloyId": alloy.pk, "grams": 150}
    answer = shop.ana.post(f"{METAL}/meltings", body)
    assert (answer.status, answer.fields) == (422, {"reason": "required"})
    assert left(shop) == {first: 100, second: 100}
    made = shop.ana.post(f"{METAL}/meltings", body | {"reason": "Lote pobre"}).json
    assert made["inputs"] == [
        {"alloyId": alloy.pk, "alloyName": alloy.name, "grams": 150, "fineGrams": 136.25},
    ]
    assert made["differenceFineGrams"] == -2.5
    assert left(shop) == {first: 0, second: 50}


def test_posting_from_the_vault_sends_one_statement_more(shop: Shop) -> None:
    receive(shop, sterling(), 5_000)
    for number in range(20):
        bought(shop, sterling(), 1, f"2026-03-{number + 1:02}")
    counts = []
    for source, target in pairwise((ledger.vault(), ledger.scrap_box(), ledger.finished())):
        postings = [Posting(source, target, sterling().pk, 1_000, EntryKind.adjust)] * 12
        with CaptureQueriesContext(connection) as seen:
            ledger.post(postings, by=principal(shop.ana), at=clock.now())
        counts.append(len(seen))
    assert counts == [4, 3]
    assert sum(left(shop).values()) == 8


def test_fifty_at_once_take_each_milligram_of_the_lots_once(busy_shop: Shop) -> None:
    shop, alloy = busy_shop, sterling()
    lots = [bought(shop, alloy, grams, f"2026-03-0{day}") for day, grams in ((2, 0.1), (3, 0.15), (4, 1))]
    vault, bench_of_ana = ledger.vault(), ledger.person_account(shop.ana.id, shop.casting.pk)

    def take() -> None:
        posting = Posting(vault, bench_of_ana, alloy.pk, 7, EntryKind.issue)
        ledger.post([posting], by=principal(shop.ana), at=clock.now())

    at_once([transaction.atomic(take)] * 50)
    assert left(shop) == {lots[0]: 0, lots[1]: 0, lots[2]: 0.9}
    assert sum(mg for _, mg in issued()) == 350


def test_doctor_finds_a_lot_with_other_metal_than_its_entries(shop: Shop) -> None:
    lot = bought(shop, sterling(), 10, "2026-03-02")
    Lot.objects.filter(pk=lot).update(left_mg=9_000)
    assert differing_lots() == [(lot, 9_000, 10_000)]
    found = [remark.says for remark in of_metal() if remark.state is State.BROKEN]
    assert found == [f"lot {lot} keeps 9000 mg, but its entries leave 10000 mg of it in the vault"]
