"""Weights that are typed after the movement: the ledger then says what it would have said in time."""

from datetime import timedelta
from typing import Any

import pytest

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.catalogs.models import Item, ProductionProcess
from project.core import clock
from project.core.schemas import utc_z
from project.metal.models import MetalDay, MetalEntry
from project.orders.models import Line, Movement, ProcessRecord
from realtime.models import OutboxEvent
from tests.builders import Answer, Caller, Shop, line_path, release, somebody
from tests.project.billing.billing import billed, of, prepare
from tests.project.metal.grams import bench, bought_less, check_books, check_records, held, weighed
from tests.project.metal.weighing import closed, count
from tests.project.piecework.paying import EARNINGS, item, paid
from tests.project.station.handing import hand_over

ANA, POLISHES, LINE = "Ana Fundición", "Ana Pulido", "line 1"


def record_of(shop: Shop, order: int, process: ProductionProcess) -> int:
    """The oldest record of the process."""
    rows = [row["id"] for row in shop.history(order) if row["productionProcessId"] == process.pk]
    return int(rows[-1])


def weigh_later(shop: Shop, order: int, process: ProductionProcess, by: Caller | None = None, **grams: Any) -> Answer:
    path = f"{line_path(order)}/production-process/{record_of(shop, order, process)}/weights"
    return (by or shop.ana).put(path, grams)


def weighed_later(shop: Shop, order: int, process: ProductionProcess, **grams: Any) -> dict[str, Any]:
    answer = weigh_later(shop, order, process, **grams)
    assert answer.status == 200, answer
    check_books()
    assert Line.objects.get(order=order).metal_mg == held().get(LINE, 0)
    line: dict[str, Any] = answer.json
    return line


def to_weigh(shop: Shop) -> list[int]:
    return [row["salesOrderId"] for row in shop.ana.get("/api/sales-order/positions?toWeigh=true").json]


def test_movement_that_was_reported_without_its_weight_is_weighed_and_no_longer_listed(shop: Shop) -> None:
    bench(shop, weighs="required")
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, madeAt=utc_z(clock.now()))
    assert (to_weigh(shop), held()) == ([order], bought_less())
    [row] = weighed_later(shop, order, shop.casting, gramsIn=52, otherGrams=2)["productionProcesses"]
    assert (row["gramsIn"], row["gramsOther"], row["weighs"]) == (50, 2, "required")
    assert (to_weigh(shop), held()) == ([], bought_less(**{ANA: 50_000}))
    weighed(shop, "out", order, shop.casting, madeAt=utc_z(clock.now()))
    assert to_weigh(shop) == [order]
    [row] = weighed_later(shop, order, shop.casting, gramsOut=48.5, scrapGrams=0.5)["productionProcesses"]
    assert (row["gramsOut"], row["scrapGrams"], row["lossGrams"], row["lossPerMille"]) == (48.5, 0.5, 1, 20)
    assert (to_weigh(shop), held()) == ([], bought_less(**{ANA: 1_000, "scrap": 500, LINE: 48_500}))
    audited = AuditEntry.objects.filter(action="weighed").latest("id")
    assert (audited.entity, audited.changes["gramsOut"]) == ("sales-order-position", {"before": None, "after": 48.5})


def test_both_ends_are_weighed_at_once(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    shop.enter(order, shop.casting, 6)
    shop.leave(order, shop.casting)
    weighed_later(shop, order, shop.casting, gramsIn=50, gramsOut=49.2)
    assert held() == bought_less(**{ANA: 800, LINE: 49_200})


def test_weight_of_pieces_that_moved_on_leaves_the_books_as_if_it_had_been_known(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    weighed(shop, "in", order, shop.polishing, 48)
    weighed(shop, "out", order, shop.polishing, 47)
    assert held() == bought_less(**{POLISHES: 1_000, LINE: 47_000})
    weighed_later(shop, order, shop.casting, gramsIn=50, gramsOut=48.5)
    assert held() == bought_less(**{ANA: 1_500, POLISHES: 1_000, "lost": 500, LINE: 47_000})


def test_weight_may_be_corrected(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 49.2, scrapGrams=0.3)
    weighed(shop, "in", order, shop.polishing, 49)
    weighed_later(shop, order, shop.casting, gramsOut=48.2)
    assert held() == bought_less(**{ANA: 1_500, POLISHES: 49_000, "scrap": 300, "lost": -800})
    weighed_later(shop, order, shop.casting, gramsOut=49.2)
    assert held() == bought_less(**{ANA: 500, POLISHES: 49_000, "scrap": 300, "lost": 200})


def test_exit_is_taken_back_alone_after_its_entry_was_weighed_again(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 49)
    weighed_later(shop, order, shop.casting, gramsIn=51)
    assert held() == bought_less(**{ANA: 2_000, LINE: 49_000})
    assert release(shop.ana, order, shop.casting, "out").status == 200
    assert held() == bought_less(**{ANA: 51_000})
    assert release(shop.ana, order, shop.casting, "in").status == 200
    assert held() == bought_less()
    check_books()


def test_later_weight_is_a_movement_that_reverses_the_entries_of_the_one_before(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 49)
    record = ProcessRecord.objects.get()
    for grams_in, grams_out in ((51, 49.5), (50.5, 49.6)):
        before = set(MetalEntry.objects.values_list("pk", flat=True))
        weighed_later(shop, order, shop.casting, gramsIn=grams_in, gramsOut=grams_out)
        weighing = Movement.objects.filter(side="weigh").latest("pk")
        made = MetalEntry.objects.exclude(pk__in=before).order_by("pk")
        assert (weighing.press.kind, weighing.record_id) == ("weigh", record.pk)
        assert {one.movement_id for one in made if one.reverses_id} == {weighing.pk}
        assert [(one.kind, one.movement_id, one.mg) for one in made if not one.reverses_id] == [
            ("issue", record.entry_id, round(grams_in * 1_000)),
            ("in", record.entry_id, round(grams_in * 1_000)),
            ("out", record.exit_id, round(grams_out * 1_000)),
        ]
        check_records()
    assert held() == bought_less(**{ANA: 900, LINE: 49_600})


def test_weight_of_a_part_that_took_from_another_is_corrected_alone(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 22, 4)
    left = ProcessRecord.objects.get(quantity=4)
    path = f"{line_path(order)}/production-process/{left.pk}/weights"
    assert shop.ana.put(path, {"gramsOut": 21}).status == 200
    assert held() == bought_less(**{ANA: 29_000, LINE: 21_000})
    check_records()
    assert release(shop.ana, order, shop.casting, "out").status == 200
    assert release(shop.ana, order, shop.casting).status == 200
    assert release(shop.ana, order, shop.casting).status == 200
    assert held() == bought_less()
    check_books()
    check_records()


def test_weight_of_a_part_of_scrap_and_of_what_was_handed_over_is_booked(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    body = {"productionProcessId": shop.casting.pk, "quantity": 2, "reason": "broken"}
    assert shop.ana.post(f"{line_path(order)}/scrap", body).status == 200
    assert hand_over(shop, order, 3).status == 200
    assert held() == bought_less()
    assert weigh_later(shop, order, shop.casting, gramsOut=9).fields == {"gramsOut": "all_is_scrap"}
    assert weigh_later(shop, order, shop.casting, scrapGrams=0).fields == {"scrapGrams": "grams_first"}
    weighed_later(shop, order, shop.casting, gramsIn=10, scrapGrams=9.9)
    assert held() == bought_less(**{ANA: 100, "scrap": 9_900})
    weighed_later(shop, order, shop.polishing, gramsIn=15)
    assert held() == bought_less(**{ANA: 100, "scrap": 9_900, POLISHES: 15_000})


def test_weight_of_a_finished_line_is_finished_too(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    shop.status(order, 1, "Done")
    assert weighed_later(shop, order, shop.casting, gramsIn=50, gramsOut=49)["metalGrams"] == 0
    assert held() == bought_less(**{ANA: 1_000, "finished": 49_000})


def test_weight_of_a_closed_day_opens_it_again(shop: Shop) -> None:
    alloy, noon = bench(shop), clock.start_of(clock.today()) + timedelta(hours=12)
    order = shop.approved(10)
    with clock.at(noon):
        weighed(shop, "in", order, shop.casting, 50)
        weighed(shop, "out", order, shop.casting)
        weighed(shop, "in", order, shop.polishing, 50)
    with clock.at(noon + timedelta(hours=5)):
        weighed(shop, "in", shop.approved(3), shop.casting, 8)
        closed(shop.ana, shop.casting, count(alloy, 7))
    with clock.at(noon + timedelta(hours=6)):
        assert weigh_later(shop, order, shop.casting, gramsOut=49).status == 200
    assert MetalDay.objects.get().reopened
    assert held() == bought_less(**{ANA: 9_000, POLISHES: 50_000, "lost": -1_000})
    check_books()


def test_pieces_that_are_paid_by_the_gram_earn_once_they_are_weighed(shop: Shop) -> None:
    bench(shop)
    cells = [{"productionProcessId": shop.casting.pk, "itemId": shop.item.pk, "unit": "gram", "price": 2}]
    assert shop.ana.put("/api/process-item-prices", {"cells": cells}).status == 200
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    assert (shop.ana.get(EARNINGS).json["open"], shop.ana.get(EARNINGS).json["unweighed"]) == (0, 10)
    weighed_later(shop, order, shop.casting, gramsOut=12.5)
    assert (shop.ana.get(EARNINGS).json["open"], shop.ana.get(EARNINGS).json["unweighed"]) == (25, 0)
    paid(shop.ana, item(record_of(shop, order, shop.casting), 10, 2))
    answer = weigh_later(shop, order, shop.casting, gramsOut=13)
    assert (answer.status, answer.code) == (409, "already_paid")


@pytest.mark.parametrize(
    ("grams", "refused"),
    [
        ({"gramsOut": 9}, {"gramsOut": "not_yet_out"}),
        ({"scrapGrams": 1}, {"scrapGrams": "not_yet_out"}),
        ({"otherGrams": 1}, {"otherGrams": "grams_first"}),
        ({"gramsIn": 5, "otherGrams": 5}, {"otherGrams": "heavier_than_all"}),
        ({"gramsIn": 0}, {"gramsIn": "must_be_above"}),
        ({"gramsIn": 5.0001}, {"gramsIn": "too_many_decimals"}),
        ({"grams": 5}, {"grams": "unknown_field"}),
    ],
)
def test_weights_that_the_record_cannot_have_are_refused(
    shop: Shop, grams: dict[str, Any], refused: dict[str, str]
) -> None:
    bench(shop)
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    answer = weigh_later(shop, order, shop.casting, **grams)
    assert (answer.status, answer.fields) == (422, refused)
    assert held() == bought_less()


def test_weight_needs_a_process_that_weighs_an_alloy_and_a_record_that_stands(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    assert weigh_later(shop, order, shop.casting, scrapGrams=1).fields == {"scrapGrams": "grams_first"}
    heavier = weigh_later(shop, order, shop.casting, gramsIn=5, gramsOut=6)
    assert (heavier.status, heavier.code, heavier.json["params"]["limit"]) == (422, "grams_heavier", 5)
    weighed_later(shop, order, shop.casting, gramsIn=5, gramsOut=6, weightReason="Soldadura")
    assert MetalEntry.objects.filter(kind="reweigh", reason="Soldadura").exists()
    path = f"{line_path(order)}/production-process"
    assert shop.ana.put(f"{path}/999999/weights", {"gramsIn": 5}).status == 404
    for refused, model in (("not_weighed", ProductionProcess), ("no_alloy", Item)):
        rows = model.objects.filter(pk=shop.casting.pk if model is ProductionProcess else shop.item.pk)
        before = rows.values("weighs") if model is ProductionProcess else rows.values("alloy")
        kept = dict(before.get())
        rows.update(**({"weighs": "no"} if model is ProductionProcess else {"alloy": None}))
        assert weigh_later(shop, order, shop.casting, gramsIn=7).fields == {"gramsIn": refused}
        rows.update(**kept)
    release(shop.ana, order, shop.casting)
    answer = weigh_later(shop, order, shop.casting, gramsIn=7)
    assert (answer.status, answer.code) == (409, "record_released")
    everybody_else = somebody(*(set(Permission) - {Permission.ManageMetal}))
    assert weigh_later(shop, order, shop.casting, by=everybody_else, gramsIn=7).status == 403


def test_weights_that_stand_already_change_nothing_and_others_reach_who_sees_the_history(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    before = shop.line(order)["version"]
    left = AuditEntry.objects.count(), OutboxEvent.objects.count(), MetalEntry.objects.count()
    for grams in ({}, {"gramsIn": 50}, {"gramsIn": None}):
        assert weighed_later(shop, order, shop.casting, **grams)["version"] == before
    assert (AuditEntry.objects.count(), OutboxEvent.objects.count(), MetalEntry.objects.count()) == left
    assert weighed_later(shop, order, shop.casting, gramsIn=51)["version"] == before + 1
    types = OutboxEvent.objects.order_by("pk").values_list("type", flat=True)
    assert [*types][left[1] :] == ["metal.changed", "line.changed"]
    path = f"{line_path(order)}/production-process/{record_of(shop, order, shop.casting)}/weights"
    assert shop.ana.put(path, {"gramsIn": 52}, if_match=f'"{before}"').code == "stale_version"


@pytest.mark.parametrize(("grams", "lost"), [(45, 5_000), (49.5, 500)])
@pytest.mark.parametrize("pieces", [0, 7, 10])
def test_what_is_finished_and_shipped_follows_a_corrected_weight(
    shop: Shop, pieces: int, grams: float, lost: int
) -> None:
    """As if the weight had been known: before the bill, after a part was billed, and after all was."""
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 50 if grams < 49 else 49)
    shop.status(order, 1, "Done")
    if pieces:
        billed(shop, of(order, quantity=pieces), companyId=prepare(shop).pk)
    assert weigh_later(shop, order, shop.casting, gramsOut=grams).status == 200
    found = held()
    assert (found.get("lost", 0), found[ANA]) == (0, lost)
    assert found.get("finished", 0) + found.get("shipped", 0) == round(grams * 1_000)
    assert ("finished" in found, "shipped" in found) == (pieces < 10, pieces > 0)
    check_books()
    check_records()
