"""The day of one bench, worked out by hand to the milligram."""

from collections.abc import Callable
from typing import Any

from project.metal.models import MetalEntry
from tests.builders import Answer, Shop, line_path, undo
from tests.project.billing.billing import billed, of, prepare
from tests.project.metal.grams import bench, check_books, held, weigh

Step = tuple[str, Callable[[], Answer], dict[str, int]]


def the_day(shop: Shop, order: int) -> list[Step]:
    """What is done, and what each account that changes holds afterwards, in milligrams. Nothing else may change."""

    def into(process: Any, grams: float, pieces: int, position: int = 1, **more: float) -> Callable[[], Answer]:
        return lambda: weigh(shop, "in", order, process, grams, pieces, position=position, **more)

    def out(process: Any, grams: float, pieces: int, position: int = 1, **more: float) -> Callable[[], Answer]:
        return lambda: weigh(shop, "out", order, process, grams, pieces, position=position, **more)

    def scrap() -> Answer:
        body = {"productionProcessId": shop.casting.pk, "quantity": 1, "reason": "broken"}
        return shop.ana.post(f"{line_path(order, 2)}/scrap", body)

    def take_the_last_entry_back() -> Answer:
        return undo(shop.ana, order, shop.history(order)[0]["id"])

    def finish() -> Answer:
        return shop.ana.put(f"{line_path(order, 1)}/update-status/Done")

    def bill() -> Answer:
        billed(shop, of(order, 1, 4))
        return shop.ana.get(line_path(order, 1))

    cast, polish = shop.casting, shop.polishing
    ana, ana_polishes = "Ana Fundición", "Ana Pulido"
    return [
        ("ten castings are issued", into(cast, 52.3, 10), {"vault": 947_700, ana: 52_300}),
        (
            "they come out without their sprues",
            out(cast, 51.56, 10, scrapGrams=0.24),
            {ana: 500, "line 1": 51_560, "scrap": 240},
        ),
        ("six are polished", into(polish, 30.936, 6), {"line 1": 20_624, ana_polishes: 30_936}),
        ("and lose 0.436 g", out(polish, 30.5, 6), {"line 1": 51_124, ana_polishes: 436}),
        ("six of another line are issued", into(cast, 40, 6, 2), {"vault": 907_700, ana: 40_500}),
        ("two come out; 13.333 g of the 40 g were theirs", out(cast, 13.2, 2, 2), {ana: 27_300, "line 2": 13_200}),
        ("one breaks: a quarter of 26.667 g", scrap, {ana: 20_633, "scrap": 6_907}),
        (
            "three come out, soldered with 0.15 g",
            out(cast, 20.1, 3, 2, addedGrams=0.15),
            {"vault": 907_550, ana: 683, "line 2": 33_300},
        ),
        (
            "the other four weigh 0.026 g more than they left casting with",
            into(polish, 20.65, 4),
            {"line 1": 30_500, ana_polishes: 21_086, "lost": -26},
        ),
        ("which was read wrong", take_the_last_entry_back, {"line 1": 51_124, ana_polishes: 436, "lost": 0}),
        ("they weigh 0.224 g less", into(polish, 20.4, 4), {"line 1": 30_500, ana_polishes: 20_836, "lost": 224}),
        ("and lose 0.005 g", out(polish, 20.395, 4), {"line 1": 50_895, ana_polishes: 441}),
        ("the line is done", finish, {"line 1": 0, "finished": 50_895}),
        ("four tenths of it are billed", bill, {"finished": 30_537, "shipped": 20_358}),
    ]


def test_ledger_is_what_the_bench_wrote_down(shop: Shop) -> None:
    bench(shop)
    prepare(shop)
    order = shop.approved(10, 6)
    expected = held()
    for what, do, changes in the_day(shop, order):
        answer = do()
        assert answer.status == 200, (what, answer)
        expected = {name: mg for name, mg in (expected | changes).items() if mg}
        assert held() == expected, what
        check_books()
    assert sum(mg for name, mg in expected.items() if name != "supplier") == 1_000_000
    assert expected == {
        "supplier": -1_000_000,
        "vault": 907_550,
        "Ana Fundición": 683,
        "Ana Pulido": 441,
        "line 2": 33_300,
        "scrap": 6_907,
        "lost": 224,
        "finished": 30_537,
        "shipped": 20_358,
    }
    assert MetalEntry.objects.filter(kind="reversal").exists()
