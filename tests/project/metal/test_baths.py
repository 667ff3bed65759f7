"""Pieces that gain metal in a process, as at plating: it comes from the bath of the process."""

from project.catalogs.models import ProductionProcess
from tests.builders import Shop, line_path, undo
from tests.project.metal.grams import bench, bought_less, check_books, held, weigh, weighed
from tests.project.metal.weighing import transfer

ANA, LINE = "Ana Fundición", "line 1"


def plating(shop: Shop, grams: float = 10) -> int:
    """A bath with some grams, and an order of ten pieces of 50 g inside the process."""
    alloy = bench(shop, gains=True)
    bath = {"toKind": "bath", "toProductionProcessId": shop.casting.pk}
    assert transfer(shop.ana, alloy, grams, fromKind="vault", **bath).status == 201
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    return order


def test_pieces_gain_metal_from_the_bath_and_nobody_is_asked_why(shop: Shop) -> None:
    order = plating(shop)
    line = weighed(shop, "out", order, shop.casting, 51)
    assert line["productionProcesses"][0]["lossGrams"] == -1
    assert held() == bought_less(**{"bath": 9_000, LINE: 51_000})
    check_books()
    assert undo(shop.ana, order, line["productionProcesses"][0]["id"]).status == 200
    assert held() == bought_less(**{"bath": 10_000, ANA: 50_000})


def test_what_a_bath_lacks_is_found(shop: Shop) -> None:
    order = plating(shop, 0.4)
    weighed(shop, "out", order, shop.casting, 51)
    assert held() == bought_less(**{LINE: 51_000, "lost": -600})
    check_books()


def test_a_later_weight_takes_the_gain_from_the_bath(shop: Shop) -> None:
    order = plating(shop)
    weighed(shop, "out", order, shop.casting)
    [row] = shop.history(order)
    path = f"{line_path(order)}/production-process/{row['id']}/weights"
    assert shop.ana.put(path, {"gramsOut": 50.5}).status == 200
    assert held() == bought_less(**{"bath": 9_500, LINE: 50_500})
    check_books()


def test_another_process_asks_why_more_leaves_than_entered(shop: Shop) -> None:
    order = plating(shop)
    ProductionProcess.objects.update(gains=False)
    assert weigh(shop, "out", order, shop.casting, 51).json["code"] == "grams_heavier"
