"""Pieces may be weighed in a tray, which is taken off, and metal may be taken from a lot that is named."""

import pytest

from project.catalogs.models import Alloy, Tray
from project.metal.models import Lot
from project.orders.models import Movement, ProcessRecord
from tests.builders import Shop, at_once, somebody
from tests.project.metal.grams import bench, check_books, sterling, weigh, weighed
from tests.project.metal.test_weighing_later import weigh_later
from tests.project.metal.weighing import receive

PATH = "/api/metal/trays"


def tray(shop: Shop, code: str = "CH-1", grams: float = 12.5) -> int:
    answer = shop.ana.post(PATH, {"code": code, "grams": grams})
    assert answer.status == 201, answer
    made: int = answer.json["id"]
    return made


def test_a_trays_weight_is_taken_off(shop: Shop) -> None:
    bench(shop)
    order, charola = shop.approved(10), tray(shop)
    weighed(shop, "in", order, shop.casting, 62.5, trayId=charola)
    weighed(shop, "out", order, shop.casting, 61.5, trayId=charola)
    record = ProcessRecord.objects.get()
    assert (record.mg_in, record.mg_out) == (50_000, 49_000)
    assert list(Movement.objects.order_by("id").values_list("mg", "mg_tare")) == [(50_000, 12_500), (49_000, 12_500)]
    check_books()


def test_a_tray_that_is_changed_or_deleted_changes_no_weight_of_before(shop: Shop) -> None:
    bench(shop)
    order, charola = shop.approved(10), tray(shop)
    weighed(shop, "in", order, shop.casting, 62.5, trayId=charola)
    assert shop.ana.put(f"{PATH}/{charola}", {"grams": 20}).json["grams"] == 20.0
    assert shop.ana.delete(f"{PATH}/{charola}").status == 200
    assert ProcessRecord.objects.get().mg_in == 50_000


@pytest.mark.parametrize("grams", [12.5, 3, 0.001])
def test_a_tray_that_weighs_as_much_as_everything_is_refused(shop: Shop, grams: float) -> None:
    bench(shop)
    order = shop.approved(10)
    answer = weigh(shop, "in", order, shop.casting, grams, trayId=tray(shop))
    assert (answer.status, answer.fields) == (422, {"grams": "lighter_than_tray"})
    assert "12.5 g" in answer.json["errors"][0]["message"]
    assert not Movement.objects.exists()


def test_a_tray_needs_a_weight_and_must_be_known(shop: Shop) -> None:
    bench(shop)
    order, charola = shop.approved(10), tray(shop)
    assert weigh(shop, "in", order, shop.casting, trayId=charola).fields == {"grams": "grams_first"}
    assert weigh(shop, "in", order, shop.casting, 50, trayId=999_999).fields == {"trayId": "unknown"}
    shop.ana.put(f"{PATH}/{charola}", {"status": False})
    assert weigh(shop, "in", order, shop.casting, 50, trayId=charola).fields == {"trayId": "unknown"}


def test_trays_are_unique_by_code_and_weigh_something(shop: Shop) -> None:
    tray(shop)
    assert shop.ana.post(PATH, {"code": "ch-1", "grams": 3}).status == 409
    for grams in (0, -1, "12,5", True, 0.0005, None):
        assert shop.ana.post(PATH, {"code": "CH-2", "grams": grams}).status == 422, grams
    assert [(row["code"], row["grams"]) for row in shop.ana.get(PATH).json] == [("CH-1", 12.5)]
    assert Tray.objects.count() == 1


def test_staff_read_trays_and_only_who_manages_metal_writes_them(shop: Shop) -> None:
    charola = tray(shop)
    beto = somebody("ListBills")
    assert [row["id"] for row in beto.get(PATH).json] == [charola]
    assert beto.get(f"{PATH}?fields=options").json == [{"id": charola, "name": "CH-1"}]
    for answer in (
        beto.post(PATH, {"code": "CH-3", "grams": 3}),
        beto.put(f"{PATH}/{charola}", {"grams": 3}),
        beto.delete(f"{PATH}/{charola}"),
    ):
        assert answer.status == 403


def test_the_file_of_trays_has_a_name_that_systems_take(shop: Shop) -> None:
    tray(shop)
    answer = shop.ana.get(f"{PATH}?format=csv")
    assert 'filename="metal-trays' in answer.headers["Content-Disposition"]


def test_metal_comes_from_the_lot_that_is_named(shop: Shop) -> None:
    bench(shop, stock=0)
    lots = [receive(shop.ana, sterling(), 100, document=name).json["id"] for name in ("F-1", "F-2")]
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50, lotId=lots[1])
    assert list(Lot.objects.order_by("id").values_list("left_mg", flat=True)) == [100_000, 50_000]
    assert Movement.objects.get().lot_id == lots[1]
    check_books()


def test_a_lot_with_too_little_left_is_refused(shop: Shop) -> None:
    bench(shop, stock=0)
    lots = [receive(shop.ana, sterling(), 40, document=name).json["id"] for name in ("F-1", "F-2")]
    order = shop.approved(10)
    answer = weigh(shop, "in", order, shop.casting, 50, lotId=lots[1])
    assert (answer.status, answer.code) == (409, "lot_used_up")
    assert answer.json["params"] == {"grams": 50.0, "left": 40.0}
    assert not Movement.objects.exists()
    weighed(shop, "in", order, shop.casting, 50)
    check_books()


def test_a_lot_of_another_alloy_and_an_unknown_lot_are_refused(shop: Shop) -> None:
    bench(shop)
    other = receive(shop.ana, Alloy.objects.create(name="Oro 585", fineness=5_850), 40).json["id"]
    order = shop.approved(10)
    assert weigh(shop, "in", order, shop.casting, 50, lotId=other).fields == {"lotId": "lot_of_other_alloy"}
    assert weigh(shop, "in", order, shop.casting, 50, lotId=999_999).fields == {"lotId": "unknown"}


def test_a_correction_takes_from_the_named_lot_again(shop: Shop) -> None:
    bench(shop, stock=0)
    lots = [receive(shop.ana, sterling(), 100, document=name).json["id"] for name in ("F-1", "F-2")]
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50, lotId=lots[1])
    assert weigh_later(shop, order, shop.casting, gramsIn=60).status == 200
    assert list(Lot.objects.order_by("id").values_list("left_mg", flat=True)) == [100_000, 40_000]
    check_books()


def test_of_people_who_take_the_last_of_a_lot_at_once_one_gets_it(busy_shop: Shop) -> None:
    bench(busy_shop, stock=0)
    lot = receive(busy_shop.ana, sterling(), 50).json["id"]
    orders = [busy_shop.approved(10) for _ in range(4)]
    answers = at_once(
        [lambda order=order: weigh(busy_shop, "in", order, busy_shop.casting, 50, lotId=lot) for order in orders]
    )
    assert sorted(answer.status for answer in answers) == [200, 409, 409, 409]
    assert Lot.objects.get().left_mg == 0
    check_books()
