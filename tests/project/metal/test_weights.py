"""Pieces that move with their weight: what is booked, shown, refused and taken back."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.audit.models import AuditEntry
from project.catalogs.models import Item, ProductionProcess
from project.core import clock
from project.core.schemas import utc_z
from project.metal.models import Account, MetalDay, MetalEntry
from project.orders.models import Line, ProcessRecord
from realtime.models import OutboxEvent
from tests.builders import Answer, Caller, Shop, line_path, person, release, somebody, undo
from tests.project.billing.billing import PATH, billed, of, prepare
from tests.project.metal.grams import bench, bought_less, check_books, held, weigh, weighed
from tests.project.metal.weighing import closed, count
from tests.project.station.handing import hand_over
from tests.project.station.standing import MOVES

ANA, POLISHES, LINE = "Ana Fundición", "Ana Pulido", "line 1"


def scrapped(shop: Shop, order: int, quantity: int, **fields: Any) -> Answer:
    body = {"productionProcessId": shop.casting.pk, "quantity": quantity, "reason": "broken", **fields}
    return shop.ana.post(f"{line_path(order)}/scrap", body)


def kinds() -> list[str]:
    return list(MetalEntry.objects.order_by("id").values_list("kind", flat=True))[1:]  # without the receipt


def test_entry_and_exit_move_the_metal_and_show_the_loss(shop: Shop) -> None:
    bench(shop, allowed_loss=20)
    order = shop.approved(10)
    line = weighed(shop, "in", order, shop.casting, 50)
    assert held() == bought_less(**{ANA: 50_000})
    assert line["metalGrams"] == 0
    line = weighed(shop, "out", order, shop.casting, 49.2)
    assert held() == bought_less(**{ANA: 800, LINE: 49_200})
    assert line["metalGrams"] == 49.2
    [row] = line["productionProcesses"]
    assert {name: row[name] for name in row if "rams" in name or "oss" in name} == {
        "gramsIn": 50,
        "gramsOut": 49.2,
        "gramsOther": None,
        "scrapGrams": None,
        "gramsAdded": None,
        "gramsBetween": None,
        "lossGrams": 0.8,
        "lossPerMille": 16,
        "allowedLoss": 20,
        "lossToSign": False,
        "lossSignedAt": None,
        "lossSignedBy": None,
    }
    assert kinds() == ["issue", "in", "out"]
    check_books()


def test_stones_of_scrapped_pieces_are_no_metal(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    assert scrapped(shop, order, 2, grams=10.5, otherGrams=0.5).status == 200
    assert held() == bought_less(**{ANA: 40_000, "scrap": 10_000})
    row = next(row for row in shop.history(order) if row["scrapReason"])
    assert (row["scrapGrams"], row["gramsOther"]) == (10, 0.5)
    assert scrapped(shop, order, 1, otherGrams=0.5).fields == {"grams": "grams_first"}
    check_books()


def test_without_weights_no_statement_touches_the_ledger_and_nothing_is_shown(shop: Shop) -> None:
    bench(shop, weighs="no")
    order = shop.approved(10)
    with CaptureQueriesContext(connection) as seen:
        shop.enter(order, shop.casting)
        shop.leave(order, shop.casting, 4)
        undo(shop.ana, order, shop.history(order)[-1]["id"])
        scrapped(shop, order, 1)
        shop.leave(order, shop.casting)
        release(shop.ana, order, shop.casting, "out")
    tables = ("metal_account", "metal_balance", "metal_metalentry")
    assert [query["sql"] for query in seen if any(table in query["sql"] for table in tables)] == []
    assert shop.line(order)["metalGrams"] is None
    assert all(row["gramsIn"] is row["lossGrams"] is row["allowedLoss"] is None for row in shop.history(order))
    assert {action["weighs"] for action in shop.line(order)["actions"]["movements"]} == {"no"}
    assert held() == bought_less()


def test_actions_say_where_pieces_are_weighed(shop: Shop) -> None:
    bench(shop)
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(weighs="required")
    order = shop.approved(10)
    actions = shop.line(order)["actions"]["movements"]
    assert {one["productionProcessName"]: one["weighs"] for one in actions} == {
        "Fundición": "required",
        "Pulido": "optional",
    }
    Item.objects.filter(pk=shop.item.pk).update(alloy=None)
    assert {one["weighs"] for one in shop.line(order)["actions"]["movements"]} == {"no"}


@pytest.mark.parametrize("direction", ["in", "out"])
def test_required_weight_is_asked_for(shop: Shop, direction: str) -> None:
    bench(shop, weighs="required")
    order = shop.approved(10)
    if direction == "out":
        weighed(shop, "in", order, shop.casting, 50)
    before = held()
    answer = weigh(shop, direction, order, shop.casting)
    assert (answer.status, answer.code, answer.json["params"]) == (422, "grams_required", {"process": "Fundición"})
    assert "Fundición" in answer.json["message"]
    assert held() == before


def test_movement_that_was_made_already_is_taken_and_listed_to_weigh(shop: Shop) -> None:
    bench(shop, weighs="required")
    order, other = shop.approved(10), shop.approved(10)
    weighed(shop, "in", other, shop.casting, 50)
    weighed(shop, "in", order, shop.casting, madeAt=utc_z(clock.now()))
    assert held() == bought_less(**{ANA: 50_000})

    def listed(asked: str) -> list[int]:
        return [row["salesOrderId"] for row in shop.ana.get(f"/api/sales-order/positions?toWeigh={asked}").json]

    assert listed("true") == [order]
    assert listed("false") == [other]
    weighed(shop, "out", other, shop.casting, madeAt=utc_z(clock.now()))
    assert sorted(listed("true")) == [order, other]
    assert held() == bought_less(**{LINE: 50_000})
    release(shop.ana, order, shop.casting)
    assert listed("true") == [other]


def test_what_is_no_weight_gets_422(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    for code, wrong in {
        "must_be_above": [0, -1],
        "too_many_decimals": [12.3456],
        "too_large": [1_000_001],
        "invalid_type": ["12.5", "12,5", "50 g", True, [50]],
    }.items():
        for grams in wrong:
            answer = weigh(shop, "in", order, shop.casting, grams)
            assert (answer.status, answer.fields) == (422, {"grams": code}), grams
    assert held() == bought_less()


def test_weights_that_mean_nothing_get_422(shop: Shop) -> None:
    alloy = bench(shop)
    order = shop.approved(10)
    assert weigh(shop, "in", order, shop.casting, 5, otherGrams=5).fields == {"otherGrams": "heavier_than_all"}
    assert weigh(shop, "in", order, shop.casting, otherGrams=5).fields == {"grams": "grams_first"}
    assert weigh(shop, "in", order, shop.casting, 5, scrapGrams=1).fields == {"scrapGrams": "only_at_exit"}
    assert weigh(shop, "in", order, shop.casting, 5, addedGrams=1).fields == {"addedGrams": "only_at_exit"}
    Item.objects.filter(pk=shop.item.pk).update(alloy=None)
    assert weigh(shop, "in", order, shop.casting, 5).fields == {"grams": "no_alloy"}
    Item.objects.filter(pk=shop.item.pk).update(alloy=alloy)
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(weighs="no")
    assert weigh(shop, "in", order, shop.casting, 5).fields == {"grams": "not_weighed"}
    assert held() == bought_less()


def test_heavier_exit_needs_a_reason(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    answer = weigh(shop, "out", order, shop.casting, 50.021)
    assert (answer.status, answer.code) == (422, "grams_heavier")
    assert answer.json["params"] == {"side": "out", "grams": 50.021, "entered": 50, "added": 0, "limit": 50}
    assert "50.021 g, y entraron 50 g." in answer.json["message"]
    assert held() == bought_less(**{ANA: 50_000})
    line = weighed(shop, "out", order, shop.casting, 50.021, weightReason="soldadura sin pesar")
    assert line["productionProcesses"][0]["lossGrams"] == -0.021
    assert held() == {"supplier": -1_000_000, "vault": 950_000, LINE: 50_021, "lost": -21}
    assert MetalEntry.objects.get(kind="reweigh").reason == "soldadura sin pesar"
    check_books()


def test_metal_that_was_added_and_cut_off_is_no_loss(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    line = weighed(shop, "out", order, shop.casting, 49, scrapGrams=2, addedGrams=1.5)
    [row] = line["productionProcesses"]
    assert (row["scrapGrams"], row["gramsAdded"], row["lossGrams"], row["lossPerMille"]) == (2, 1.5, 0.5, 9.7)
    assert held() == bought_less(**{ANA: 500, LINE: 49_000, "scrap": 2_000})
    assert held()["vault"] == 948_500
    check_books()


def test_stones_are_no_metal(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    line = weighed(shop, "out", order, shop.casting, 52, otherGrams=2.5)
    [row] = line["productionProcesses"]
    assert (row["gramsIn"], row["gramsOut"], row["gramsOther"], row["lossGrams"]) == (50, 49.5, 2.5, 0.5)
    assert held() == bought_less(**{ANA: 500, LINE: 49_500})


def test_empty_vault_stops_nobody(shop: Shop) -> None:
    bench(shop, stock=0)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    assert held() == {"lost": -50_000, ANA: 50_000}
    check_books()


def test_later_weighing_corrects_the_one_before(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 49.2)
    weighed(shop, "in", order, shop.polishing, 49.1)
    assert held() == bought_less(**{ANA: 800, POLISHES: 49_100, "lost": 100})
    undo(shop.ana, order, shop.history(order)[0]["id"])
    assert held() == bought_less(**{ANA: 800, LINE: 49_200})
    weighed(shop, "in", order, shop.polishing, 49.3)
    assert held() == {"supplier": -1_000_000, "vault": 950_000, ANA: 800, POLISHES: 49_300, "lost": -100}
    check_books()


def test_processes_that_do_not_weigh_leave_the_grams_where_they_are(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 49.2)
    ProductionProcess.objects.filter(pk=shop.polishing.pk).update(weighs="no")
    shop.enter(order, shop.polishing)
    shop.leave(order, shop.polishing)
    assert held() == bought_less(**{ANA: 800, LINE: 49_200})


def test_exit_that_nobody_weighed_takes_what_entered(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    line = weighed(shop, "out", order, shop.casting)
    assert held() == bought_less(**{LINE: 50_000})
    assert line["productionProcesses"][0]["lossGrams"] is None


def test_pieces_weighed_at_the_exit_alone_are_issued_then(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting)
    before = held()
    line = weighed(shop, "out", order, shop.casting, 49)
    assert held() == bought_less(**{LINE: 49_000})
    assert (line["productionProcesses"][0]["gramsOut"], line["productionProcesses"][0]["lossGrams"]) == (49, None)
    undo(shop.ana, order, line["productionProcesses"][0]["id"])
    assert held() == before
    check_books()


def test_parts_of_an_entry_share_its_weight_to_the_milligram(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 100.001)
    weighed(shop, "out", order, shop.casting, 29.5, 3)
    rows = sorted(shop.history(order), key=lambda row: row["quantity"])
    assert [(row["quantity"], row["gramsIn"], row["gramsOut"]) for row in rows] == [(3, 30, 29.5), (7, 70.001, None)]
    weighed(shop, "out", order, shop.casting, 69.5)
    assert held() == bought_less(**{ANA: 1_001, LINE: 99_000})
    check_books()


def test_one_weighing_is_shared_over_the_entries_that_leave(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 30, 3)
    weighed(shop, "in", order, shop.casting, 70, 7)
    weighed(shop, "out", order, shop.casting, 99.001)
    out = ProcessRecord.objects.order_by("quantity").values_list("mg_in", "mg_out")
    assert list(out) == [(30_000, 29_700), (70_000, 69_301)]
    check_books()


def test_undoing_and_releasing_restore_every_account(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    start = held()
    weighed(shop, "in", order, shop.casting, 50)
    inside = held()
    weighed(shop, "out", order, shop.casting, 20.5, 4, scrapGrams=0.5, addedGrams=1.2)
    [left] = [row["id"] for row in shop.history(order) if row["outputDate"]]
    assert undo(shop.ana, order, left).status == 200
    assert held() == inside
    assert {(row["gramsIn"], row["gramsOut"]) for row in shop.history(order)} == {(20, None), (30, None)}
    weighed(shop, "out", order, shop.casting, 49)
    assert release(shop.ana, order, shop.casting, "out").status == 200
    assert release(shop.ana, order, shop.casting).status == 200
    assert release(shop.ana, order, shop.casting).status == 200
    assert held() == start
    assert shop.line(order)["metalGrams"] == 0
    check_books()


def test_entry_of_which_a_part_left_is_undone_in_part(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 19.5, 4)
    [inside] = [row["id"] for row in shop.history(order) if not row["outputDate"]]
    assert undo(shop.ana, order, inside).status == 200
    assert held() == bought_less(**{ANA: 500, LINE: 19_500})
    check_books()


def test_scrapped_pieces_take_their_share_to_the_scrap_box(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    before = held()
    answer = scrapped(shop, order, 2)
    assert answer.status == 200
    assert held() == bought_less(**{ANA: 40_000, "scrap": 10_000})
    row = next(row for row in answer.json["productionProcesses"] if row["scrapReason"])
    assert (row["scrapGrams"], row["lossGrams"]) == (10, 0)
    assert undo(shop.ana, order, row["id"]).status == 200
    assert held() == before
    assert scrapped(shop, order, 2, grams=9.8).status == 200
    assert held() == bought_less(**{ANA: 40_200, "scrap": 9_800})
    check_books()


def test_scrapped_pieces_that_are_heavier_than_all_that_is_inside_need_a_reason(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    before = held()
    answer = scrapped(shop, order, 2, grams=51)
    assert (answer.status, answer.code, held()) == (422, "grams_heavier", before)
    assert scrapped(shop, order, 2, grams=51, weightReason="soldadura").status == 200
    assert held()["scrap"] == 51_000
    check_books()


def test_scrapped_pieces_that_entered_unweighed_take_their_share_of_the_line(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 50)
    weighed(shop, "in", order, shop.polishing)
    body = {"productionProcessId": shop.polishing.pk, "quantity": 3, "reason": "broken"}
    assert shop.ana.post(f"{line_path(order)}/scrap", body).status == 200
    assert held() == bought_less(**{LINE: 35_000, "scrap": 15_000})
    check_books()


def test_hand_over_is_weighed_once_and_undone_whole(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    before = held()
    answer = hand_over(shop, order, grams=49.5, scrapGrams=0.2)
    assert answer.status == 200, answer
    assert held() == bought_less(**{ANA: 300, POLISHES: 49_500, "scrap": 200})
    [left] = [row["id"] for row in shop.history(order) if row["outputDate"]]
    assert undo(shop.ana, order, left).status == 200
    assert held() == before
    check_books()


@pytest.mark.parametrize("weighs_there", [True, False])
def test_hand_over_is_weighed_where_one_of_the_two_weighs(shop: Shop, weighs_there: bool) -> None:
    bench(shop)
    silent = shop.casting if weighs_there else shop.polishing
    ProductionProcess.objects.filter(pk=silent.pk).update(weighs="no")
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, None if weighs_there else 50)
    assert hand_over(shop, order, grams=49.5).status == 200
    there, here = bought_less(**{POLISHES: 49_500}), bought_less(**{ANA: 500, LINE: 49_500})
    assert held() == (there if weighs_there else here)
    check_books()


def test_metal_is_of_who_brought_the_pieces_in(shop: Shop) -> None:
    bench(shop)
    dora = Caller(person("dora", "SalesOrderPositionProcessOut", processes=[shop.casting]))
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 49, by=dora)
    assert held() == bought_less(**{ANA: 1_000, LINE: 49_000})
    assert not Account.objects.filter(user=dora.id).exists()


def test_loss_stands_on_the_person_who_takes_their_own_pieces_out(shop: Shop) -> None:
    bench(shop)
    dora = Caller(person("dora", *MOVES, processes=[shop.casting]))
    order = shop.approved(100)
    weighed(shop, "in", order, shop.casting, 500, 50)
    weighed(shop, "in", order, shop.casting, 500, 50, by=dora)
    weighed(shop, "out", order, shop.casting, 480, 50, by=dora)
    rows = {row["inputUsername"]: (row["outputUsername"], row["lossGrams"]) for row in shop.history(order)}
    assert rows == {"Ana Torres": (None, None), "Dora Torres": ("Dora Torres", 20)}


def test_done_line_s_metal_is_finished_and_comes_back(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 49.2)
    assert shop.status(order, 1, "Done")["metalGrams"] == 0
    assert held() == bought_less(**{ANA: 800, "finished": 49_200})
    assert shop.status(order, 1, "InProcess")["metalGrams"] == 49.2
    assert held() == bought_less(**{ANA: 800, LINE: 49_200})
    shop.status(order, 1, "Done")
    assert release(shop.ana, order, shop.casting).status == 200
    assert held() == bought_less()
    check_books()


def test_canceled_line_s_metal_goes_to_the_scrap_box_and_what_leaves_later_follows(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 20, 4)
    assert shop.status(order, 1, "Canceled")["metalGrams"] == 0
    assert held() == bought_less(**{ANA: 30_000, "scrap": 20_000})
    assert weighed(shop, "out", order, shop.casting, 29)["metalGrams"] == 0
    assert held() == bought_less(**{ANA: 1_000, "scrap": 49_000})
    assert release(shop.ana, order, shop.casting).status == 200
    assert held() == bought_less(scrap=20_000)
    assert release(shop.ana, order, shop.casting).status == 200
    assert held() == bought_less()
    check_books()


def test_weighed_movement_publishes_what_its_accounts_hold(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    published = OutboxEvent.objects.filter(type="metal.changed")

    def accounts() -> dict[str, float]:
        found = json.loads(published.latest("pk").payload)["data"]["accounts"]
        return {one["kind"]: sum(held_["grams"] for held_ in one["balances"]) for one in found}

    shop.enter(order, shop.casting, 4)
    shop.leave(order, shop.casting)
    assert not published.exists()
    weighed(shop, "in", order, shop.casting, 50)
    assert accounts() == {"vault": 950, "line": 0, "person": 50}
    weighed(shop, "out", order, shop.casting, 49)
    assert accounts() == {"line": 49, "person": 1}
    shop.status(order, 1, "Done")
    assert accounts() == {"line": 0, "finished": 49}
    assert release(shop.ana, order, shop.casting).status == 200
    assert accounts() == {"vault": 1_000, "line": 0, "person": 0, "finished": 0}
    assert published.count() == 4


def test_movement_that_is_reported_after_the_day_was_closed_opens_the_day_again(shop: Shop) -> None:
    alloy, noon = bench(shop), clock.start_of(clock.today()) + timedelta(hours=12)
    order = shop.approved(10)
    with clock.at(noon):
        weighed(shop, "in", order, shop.casting, 50)
    with clock.at(noon + timedelta(hours=5)):
        closed(shop.ana, shop.casting, count(alloy, 40), confirm=True, reason="Se cayó")
        assert held() == bought_less(**{ANA: 40_000, "lost": 10_000})
    with clock.at(noon + timedelta(hours=6)):
        made_at = utc_z(noon + timedelta(hours=4))
        weighed(shop, "out", order, shop.casting, 45, 9, madeAt=made_at)
        assert held() == bought_less(**{ANA: 5_000, LINE: 45_000})
        assert MetalDay.objects.get().reopened
        # The first one has opened it.
        weighed(shop, "out", order, shop.casting, 4, madeAt=made_at)
    assert held() == bought_less(**{ANA: 1_000, LINE: 49_000})
    assert AuditEntry.objects.filter(entity="metal-day", action="reopened").count() == 1
    check_books()


@pytest.mark.parametrize("side", ["here", "there"])
def test_hand_over_that_is_reported_later_opens_the_days_of_both_processes(shop: Shop, side: str) -> None:
    alloy, noon = bench(shop), clock.start_of(clock.today()) + timedelta(hours=12)
    order, other = shop.approved(10), shop.approved(10)
    process = shop.casting if side == "here" else shop.polishing
    with clock.at(noon):
        weighed(shop, "in", order, shop.casting, 50)
        weighed(shop, "in", other, shop.polishing, 20)
    with clock.at(noon + timedelta(hours=5)):
        closed(shop.ana, process, count(alloy, 15), confirm=True, reason="Se cayó")
    with clock.at(noon + timedelta(hours=6)):
        answer = hand_over(shop, order, grams=49, madeAt=utc_z(noon + timedelta(hours=4)))
        assert answer.status == 200, answer
    assert held() == bought_less(**{ANA: 1_000, POLISHES: 69_000})
    assert MetalDay.objects.get().reopened
    check_books()


def test_billed_pieces_ship_their_share_and_a_canceled_bill_brings_it_back(shop: Shop) -> None:
    bench(shop)
    prepare(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 49.203)
    shop.status(order, 1, "Done")
    first, second = billed(shop, of(order, 1, 3)), billed(shop, of(order, 1, 7))
    assert held() == bought_less(**{ANA: 797, "shipped": 49_203})
    assert shop.ana.delete(f"{PATH}/{first['id']}").status == 200
    assert held() == bought_less(**{ANA: 797, "shipped": 34_443, "finished": 14_760})
    assert shop.ana.delete(f"{PATH}/{second['id']}").status == 200
    assert held() == bought_less(**{ANA: 797, "finished": 49_203})
    check_books()


def test_audit_keeps_what_was_weighed(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 52, otherGrams=3, addedGrams=0.5, weightReason="piedras")
    kept = {name: change["after"] for name, change in AuditEntry.objects.latest("id").changes.items()}
    assert (
        kept.items()
        >= {
            "grams": 52,
            "otherGrams": 3,
            "addedGrams": 0.5,
            "weightReason": "piedras",
        }.items()
    )
    assert "scrapGrams" not in kept
    assert "metalMg" not in kept


def test_grams_of_a_line_are_for_who_reads_metal_or_the_history(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 49.2)
    seen = {
        held_right: somebody("ListOrders", held_right).get(line_path(order)).json["metalGrams"]
        for held_right in ("ListSalesOrders", "ViewMetal", "SalesOrderPositionRecord")
    }
    assert seen == {"ListSalesOrders": None, "ViewMetal": 49.2, "SalesOrderPositionRecord": 49.2}


def test_line_keeps_what_its_account_holds(shop: Shop) -> None:
    """The line's own column is what its document shows; it is the balance of its account."""
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50, 6)
    weighed(shop, "out", order, shop.casting, 24.5, 3)
    weighed(shop, "in", order, shop.polishing, 8.1, 1)
    scrapped(shop, order, 1)
    assert Line.objects.get().metal_mg == held()[LINE]
