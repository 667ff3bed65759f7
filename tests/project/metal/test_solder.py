"""Solder is of its own alloy: it leaves the vault, and goes with the pieces wherever they go."""

from collections import Counter
from typing import Any

import pytest

from project.catalogs.models import Alloy
from project.metal.models import Balance
from project.orders.models import Movement
from tests.builders import Shop, line_path, release, undo
from tests.project.metal.grams import STOCK, bench, check_books, receive, weigh, weighed
from tests.project.metal.test_weighing_later import weigh_later

CASTS, POLISHES, LINE = "Ana Fundición", "Ana Pulido", "line 1"


def soldering(shop: Shop) -> Alloy:
    """Return solder. The vault has as much of it as of sterling."""
    bench(shop)
    solder = Alloy.objects.create(name="Soldadura 700", fineness=7_000)
    receive(shop, solder, STOCK)
    return solder


def in_solder(solder: Alloy) -> dict[str, int]:
    return _held(solder, own=True)


def in_sterling(solder: Alloy) -> dict[str, int]:
    return _held(solder, own=False)


def _held(solder: Alloy, *, own: bool) -> dict[str, int]:
    """What the accounts hold in solder, or in sterling. Without the supplier and what the vault has left."""
    found: Counter[str] = Counter()
    rows = Balance.objects.exclude(mg=0).select_related("account__user", "account__process")
    for row in rows.filter(alloy=solder) if own else rows.exclude(alloy=solder):
        one = row.account
        name = f"{one.user.first_name} {one.process.name}" if one.user and one.process else one.kind
        found[f"line {one.position}" if one.position else name] += row.mg
    del found["supplier"]
    found["vault"] -= STOCK
    return dict(found)


def soldered(shop: Shop, solder: Alloy, *, pieces: int = 10) -> int:
    """Cast pieces of 5 g each with 0.1 g of solder each. Each loses 0.02 g. Return the order."""
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 5 * pieces, pieces)
    added = {"addedGrams": round(0.1 * pieces, 3), "addedAlloyId": solder.pk}
    weighed(shop, "out", order, shop.casting, round(5.08 * pieces, 3), pieces, **added)
    return order


def test_solder_leaves_the_vault_in_its_alloy_and_what_is_lost_is_the_products(shop: Shop) -> None:
    solder = soldering(shop)
    order = soldered(shop, solder)
    assert in_solder(solder) == {"vault": -1_000, LINE: 1_000}
    assert in_sterling(solder) == {"vault": -50_000, CASTS: 200, LINE: 49_800}
    [record] = shop.history(order)
    assert (record["gramsAdded"], record["addedAlloyId"], record["lossGrams"]) == (1.0, solder.pk, 0.2)
    check_books()


def test_solder_goes_in_and_out_with_its_pieces_and_is_finished_and_shipped_with_them(shop: Shop) -> None:
    solder = soldering(shop)
    order = soldered(shop, solder)
    weighed(shop, "in", order, shop.polishing, 30.48, 6)
    assert in_solder(solder) == {"vault": -1_000, POLISHES: 600, LINE: 400}
    weighed(shop, "out", order, shop.polishing, 30.4, 6)
    assert in_solder(solder) == {"vault": -1_000, LINE: 1_000}
    assert in_sterling(solder) == {"vault": -50_000, CASTS: 200, POLISHES: 80, LINE: 49_720}
    check_books()


def test_solder_of_scrapped_pieces_goes_to_the_scrap_box(shop: Shop) -> None:
    solder = soldering(shop)
    order = soldered(shop, solder)
    weighed(shop, "in", order, shop.polishing, 50.8)
    body = {"productionProcessId": shop.polishing.pk, "quantity": 2, "reason": "broken", "grams": 10.16}
    assert shop.ana.post(f"{line_path(order)}/scrap", body).status == 200
    assert in_solder(solder) == {"vault": -1_000, POLISHES: 800, "scrap": 200}
    assert in_sterling(solder)["scrap"] == 9_960
    check_books()


def test_pieces_without_solder_take_none(shop: Shop) -> None:
    """Four of ten are soldered. Those that were soldered go on first; the rest has none."""
    solder = soldering(shop)
    order = soldered(shop, solder, pieces=4)
    weighed(shop, "in", order, shop.polishing, 20.32, 4)
    assert in_solder(solder) == {"vault": -400, POLISHES: 400}
    weighed(shop, "in", order, shop.casting, 30, 6)
    weighed(shop, "out", order, shop.casting, 30, 6)
    weighed(shop, "in", order, shop.polishing, 30, 6)
    assert in_solder(solder) == {"vault": -400, POLISHES: 400}
    check_books()


def test_an_undo_puts_solder_back_into_the_vault(shop: Shop) -> None:
    solder = soldering(shop)
    order = soldered(shop, solder)
    assert undo(shop.ana, order, shop.history(order)[0]["id"]).status == 200
    assert in_solder(solder) == {"vault": 0}
    weighed(shop, "out", order, shop.casting, 49.9)
    assert shop.history(order)[0]["addedAlloyId"] is None
    check_books()


def test_pieces_that_are_soldered_again_keep_their_first_solder(shop: Shop) -> None:
    solder = soldering(shop)
    order = soldered(shop, solder)
    assert release(shop.ana, order, shop.casting, "out", reason="bad-solder").status == 200
    assert in_solder(solder) == {"vault": -1_000, CASTS: 1_000}
    weighed(shop, "out", order, shop.casting, 51.5, addedGrams=0.8, addedAlloyId=solder.pk)
    assert in_solder(solder) == {"vault": -1_800, LINE: 1_800}
    assert in_sterling(solder) == {"vault": -50_000, CASTS: 300, LINE: 49_700}
    check_books()


def test_solder_can_be_written_down_later(shop: Shop) -> None:
    solder = soldering(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 50.8, weightReason="soldada")
    answer = weigh_later(shop, order, shop.casting, addedGrams=1, addedAlloyId=solder.pk)
    assert answer.status == 200, answer
    assert in_solder(solder) == {"vault": -1_000, LINE: 1_000}
    assert in_sterling(solder) == {"vault": -50_000, CASTS: 200, LINE: 49_800}
    check_books()


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"addedAlloyId": 0}, {"addedAlloyId": "too_small"}),
        ({"addedGrams": 1, "addedAlloyId": 999_999}, {"addedAlloyId": "unknown"}),
        ({"addedAlloyId": "sterling"}, {"addedGrams": "required"}),
        ({"addedGrams": 0, "addedAlloyId": "sterling"}, {"addedGrams": "required"}),
    ],
)
def test_an_alloy_without_metal_and_an_unknown_alloy_are_refused(
    shop: Shop, fields: dict[str, Any], refused: dict[str, str]
) -> None:
    alloy = bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    sent = {name: alloy.pk if value == "sterling" else value for name, value in fields.items()}
    answer = weigh(shop, "out", order, shop.casting, 50, **sent)
    assert (answer.status, answer.fields) == (422, refused)
    assert not Movement.objects.filter(side="out").exists()


def test_solder_that_weighs_more_than_all_that_leaves_is_refused(shop: Shop) -> None:
    solder = soldering(shop)
    order = shop.approved(4)
    weighed(shop, "in", order, shop.casting, 8, 4)
    answer = weigh(shop, "out", order, shop.casting, 2, 1, addedGrams=3, addedAlloyId=solder.pk)
    assert (answer.status, answer.fields) == (422, {"addedGrams": "more_than_leaves"})
    assert in_solder(solder) == {"vault": 0}


def test_pieces_that_lose_more_than_their_own_metal_leave_solder_with_the_person(shop: Shop) -> None:
    solder = soldering(shop)
    order = shop.approved(4)
    weighed(shop, "in", order, shop.casting, 8, 4)
    weighed(shop, "out", order, shop.casting, 2, 1, addedGrams=2, addedAlloyId=solder.pk)
    weighed(shop, "out", order, shop.casting, 9, 1, weightReason="báscula")
    weighed(shop, "in", order, shop.polishing, 1, 1)
    weighed(shop, "out", order, shop.polishing, 0.5, 1)
    assert all(
        mg >= 0 for name, mg in (in_solder(solder) | in_sterling(solder)).items() if name not in ("vault", "lost")
    )
    check_books()


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"addedGrams": 1, "addedAlloyId": 999_999}, {"addedAlloyId": "unknown"}),
        ({"addedAlloyId": "solder"}, {"addedGrams": "required"}),
        ({"addedGrams": 60, "addedAlloyId": "solder"}, {"addedGrams": "more_than_leaves"}),
    ],
)
def test_later_solder_is_checked_as_at_the_exit(shop: Shop, fields: dict[str, Any], refused: dict[str, str]) -> None:
    solder = soldering(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 50)
    sent = {name: solder.pk if value == "solder" else value for name, value in fields.items()}
    answer = weigh_later(shop, order, shop.casting, **sent)
    assert (answer.status, answer.fields) == (422, refused)
