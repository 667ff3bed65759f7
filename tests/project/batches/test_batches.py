"""Lines that go through a process together: on a batch, in, out, and left out by choice."""

import json
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.batches.models import Batch, BatchLine
from project.catalogs.models import Alloy, Item, ProductionProcess
from project.core import clock
from project.metal import ledger
from project.metal.ledger import Posting
from project.metal.models import Balance, EntryKind, MetalEntry
from project.metal.selectors import sums_by_alloy
from project.orders.models import ProcessRecord
from realtime.models import OutboxEvent
from realtime.privacy import without
from realtime.registry import scoped_parts
from tests.builders import Shop, item, line_path, move, release, somebody, undo
from tests.project.batches.batching import (
    BATCHES,
    batch_inside,
    batch_of,
    batch_path,
    move_batch,
    new_batch,
    put_on,
    read,
    take_off_first,
)
from tests.project.displays.screens import named
from tests.project.station.standing import MOVES, make_badge, name_oneself


def quantities(batch: dict[str, Any]) -> list[tuple[int, int]]:
    return [(line["salesOrderId"], line["quantity"]) for line in batch["lines"]]


def refused(answer: Any) -> dict[int, str]:
    """The lines that a refusal names: id on the batch → code."""
    assert (answer.status, answer.code) == (409, "batch_refused"), answer
    return {row["lineId"]: row["code"] for row in answer.json["params"]["lines"]}


def test_lines_are_put_on_in_their_order_with_all_pieces_or_some(shop: Shop) -> None:
    first, second = shop.approved(10), shop.approved(6)
    batch = new_batch(shop, notes="Árbol de la mañana")
    assert (batch["state"], batch["number"], batch["quantity"], batch["createdBy"]) == ("open", 1, 0, "Ana Torres")
    put_on(shop, batch, first, 4)
    batch = put_on(shop, batch, second).json
    assert quantities(batch) == [(first, 4), (second, 6)]
    assert (batch["linesCount"], batch["quantity"]) == (2, 10)
    assert read(shop, batch) == batch


def test_one_press_moves_all_lines_in_and_another_one_out(shop: Shop) -> None:
    orders = [shop.approved(10), shop.approved(6)]
    batch = batch_inside(shop, *orders)
    assert batch["state"] == "inside"
    assert [shop.line(order)["quantityInside"] for order in orders] == [10, 6]
    batch = move_batch(shop, "out", batch, notes="Sin rebaba").json
    assert batch["state"] == "out"
    for order in orders:
        (record,) = shop.history(order)
        assert (record["outputUsername"], record["outputNotes"]) == ("Ana Torres", "Sin rebaba")
        assert shop.line(order)["quantityInside"] == 0
    closed = shop.ana.post(f"{batch_path(batch)}/close").json
    assert (closed["state"], closed["closedBy"]) == ("closed", "Ana Torres")


def test_movements_of_a_batch_earn_what_single_ones_do_and_are_undone_together(shop: Shop) -> None:
    orders = [shop.approved(10), shop.approved(6)]
    move_batch(shop, "out", batch_inside(shop, *orders))
    earned = shop.ana.get("/api/sales-order/positions/production-processes/earnings").json["open"]
    assert earned == 16 * 9.25
    (record,) = shop.history(orders[0])
    assert undo(shop.ana, orders[0], record["id"]).status == 200
    assert [shop.line(order)["quantityInside"] for order in orders] == [10, 6]


def test_lines_of_one_order_move_together(shop: Shop) -> None:
    order = shop.approved(4, 5)
    batch = new_batch(shop)
    for position in (1, 2):
        batch = put_on(shop, batch, order, position=position).json
    move_batch(shop, "in", batch)
    head = shop.ana.get(f"/api/sales-order/{order}").json
    assert (head["status"], [line["quantityInside"] for line in head["items"]]) == ("InProcess", [4, 5])


def test_each_line_has_its_own_event_and_the_batch_one(shop: Shop) -> None:
    batch = batch_of(shop, shop.approved(4), shop.approved(5))
    before = OutboxEvent.objects.count()
    move_batch(shop, "in", batch)
    types = list(OutboxEvent.objects.order_by("id").values_list("type", flat=True))[before:]
    assert sorted(types) == ["batch.changed", "line.moved", "line.moved"]


def test_a_line_that_was_canceled_is_named_and_left_out_by_choice(shop: Shop) -> None:
    kept, canceled = shop.approved(10), shop.approved(6)
    batch = batch_of(shop, kept, canceled)
    shop.status(canceled, 1, "Canceled")
    off = batch["lines"][1]["id"]
    answer = move_batch(shop, "in", batch)
    assert refused(answer) == {off: "line_not_approved"}
    assert answer.json["params"]["lines"][0]["message"] == "La línea está cancelada"
    assert read(shop, batch)["state"] == "open"
    assert shop.line(kept)["quantityInside"] == 0
    moved = move_batch(shop, "in", batch, leaveOut=[off])
    assert moved.status == 200
    assert quantities(moved.json) == [(kept, 10)]
    assert (shop.line(kept)["quantityInside"], shop.line(canceled)["quantityInside"]) == (10, 0)


def test_every_line_that_cannot_move_is_named_at_once(shop: Shop) -> None:
    orders = [shop.approved(10), shop.approved(6), shop.approved(3)]
    batch = batch_of(shop, *orders)
    shop.status(orders[0], 1, "Canceled")
    shop.enter(orders[1], shop.polishing, 2)
    assert refused(move_batch(shop, "in", batch)) == {
        batch["lines"][0]["id"]: "line_not_approved",
        batch["lines"][1]["id"]: "not_enough_pieces",
    }


def test_pieces_that_left_alone_are_left_out_when_the_batch_comes_out(shop: Shop) -> None:
    orders = [shop.approved(10), shop.approved(6)]
    batch = batch_inside(shop, *orders)
    shop.leave(orders[0], shop.casting)
    off = batch["lines"][0]["id"]
    assert refused(move_batch(shop, "out", batch)) == {off: "not_inside"}
    moved = move_batch(shop, "out", batch, leaveOut=[off]).json
    assert (moved["state"], quantities(moved)) == ("out", [(orders[1], 6)])


def test_a_batch_whose_movements_were_all_taken_back_can_be_ended(shop: Shop) -> None:
    order = shop.approved(10)
    batch = batch_inside(shop, order)
    release(shop.ana, order, shop.casting)
    off = batch["lines"][0]["id"]
    assert refused(move_batch(shop, "out", batch)) == {off: "not_inside"}
    moved = move_batch(shop, "out", batch, leaveOut=[off])
    assert (moved.status, moved.json["state"], moved.json["lines"]) == (200, "out", [])


def test_a_canceled_line_still_comes_out(shop: Shop) -> None:
    order = shop.approved(10)
    batch = batch_inside(shop, order)
    shop.status(order, 1, "Canceled")
    assert move_batch(shop, "out", batch).status == 200


def test_a_line_may_be_on_two_batches_but_not_its_pieces(shop: Shop) -> None:
    order = shop.approved(10)
    one, other = new_batch(shop), new_batch(shop)
    put_on(shop, one, order, 7)
    answer = put_on(shop, other, order, 4)
    assert (answer.code, answer.json["params"]) == ("not_enough_pieces", {"available": 3})
    assert put_on(shop, other, order).json["quantity"] == 3
    assert put_on(shop, new_batch(shop), order).code == "not_enough_pieces"
    assert move_batch(shop, "in", one).status == 200
    assert move_batch(shop, "in", other).status == 200
    assert shop.line(order)["quantityInside"] == 10
    assert put_on(shop, new_batch(shop), order).code == "not_enough_pieces"


def test_a_line_is_on_a_batch_once(shop: Shop) -> None:
    order = shop.approved(10)
    batch = new_batch(shop)
    put_on(shop, batch, order, 2)
    assert put_on(shop, batch, order, 2).code == "already_on_batch"
    (row,) = BatchLine.objects.all()
    with pytest.raises(IntegrityError), transaction.atomic():
        BatchLine.objects.create(batch_id=batch["id"], line_id=row.line_id, quantity=1, place=2)


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"quantity": 11}, 409, "not_enough_pieces"),
        ({"quantity": 0}, 422, "invalid_fields"),
        ({"position": 9}, 422, "invalid_fields"),
        ({"salesOrderId": 999_999}, 422, "invalid_fields"),
    ],
)
def test_no_more_is_put_on_than_the_line_has(shop: Shop, fields: dict[str, Any], status: int, code: str) -> None:
    batch, order = new_batch(shop), shop.approved(10)
    answer = shop.ana.post(f"{batch_path(batch)}/lines", {"salesOrderId": order, "position": 1} | fields)
    assert (answer.status, answer.code) == (status, code)
    assert read(shop, batch)["lines"] == []


def test_only_approved_lines_that_the_process_has_not_completed_are_put_on(shop: Shop) -> None:
    batch = new_batch(shop)
    assert put_on(shop, batch, shop.order(5)).code == "line_not_approved"
    done = shop.approved(5)
    shop.enter(done, shop.casting)
    shop.leave(done, shop.casting)
    assert put_on(shop, batch, done).code == "already_completed"


def test_pieces_that_are_still_in_another_process_may_be_put_on(shop: Shop) -> None:
    order = shop.approved(5)
    shop.enter(order, shop.casting)
    batch = new_batch(shop, shop.polishing)
    assert put_on(shop, batch, order).status == 200
    assert list(refused(move_batch(shop, "in", batch)).values()) == ["not_enough_pieces"]
    shop.leave(order, shop.casting)
    assert move_batch(shop, "in", batch).status == 200


def test_offered_lines_are_those_that_may_be_put_on_the_most_urgent_first(shop: Shop) -> None:
    late, other, done = shop.approved(5), shop.approved(7), shop.approved(2)
    shop.ana.put(f"{line_path(late)}/full", {"deliveryDate": "2020-01-02"})
    shop.enter(done, shop.casting)
    shop.leave(done, shop.casting)
    shop.order(9)
    put_on(shop, new_batch(shop), other, 3)
    batch = new_batch(shop)

    def offered(search: str = "") -> list[tuple[int, int, bool]]:
        rows = shop.ana.get(f"{batch_path(batch)}/lines?search={search}").json
        return [(row["salesOrderId"], row["quantity"], row["late"]) for row in rows]

    assert offered() == [(late, 5, True), (other, 4, False)]
    assert offered(shop.line(other)["customerSalesOrderId"]) == [(other, 4, False)]
    put_on(shop, batch, late)
    assert offered() == [(other, 4, False)]


def test_lines_of_another_alloy_than_the_batch_are_not_offered(shop: Shop) -> None:
    order = shop.approved(5)
    of_sterling(shop.item, 3_000)

    def offered(**fields: Any) -> list[int]:
        return [row["salesOrderId"] for row in shop.ana.get(f"{batch_path(new_batch(shop, **fields))}/lines").json]

    assert offered(alloyId=Alloy.objects.exclude(pk=sterling().pk).first().pk) == []  # type: ignore[union-attr]
    assert offered(alloyId=sterling().pk) == offered() == [order]


def test_offered_lines_say_how_many_pieces_are_ready_and_where_the_others_are(shop: Shop) -> None:
    """Casting comes before polishing. The most urgent line is not ready, so it comes last."""
    inside, begun, new = shop.approved(5), shop.approved(10), shop.approved(2)
    shop.ana.put(f"{line_path(inside)}/full", {"deliveryDate": "2020-01-02"})
    shop.enter(inside, shop.casting)
    shop.enter(begun, shop.casting, 9)
    shop.leave(begun, shop.casting, 6)
    shop.enter(begun, shop.polishing, 2)
    casting = shop.casting.pk

    def offered() -> list[tuple[int, int, int, list[tuple[int, int, bool]]]]:
        rows = shop.ana.get(f"{batch_path(new_batch(shop, shop.polishing))}/lines").json
        places = ("productionProcessId", "quantity", "inside")
        return [
            (
                row["salesOrderId"],
                row["quantity"],
                row["ready"],
                [tuple(place[name] for name in places) for place in row["elsewhere"]],
            )
            for row in rows
        ]

    assert offered() == [
        (begun, 8, 4, [(casting, 1, False), (casting, 3, True)]),
        (inside, 5, 0, [(casting, 5, True)]),
        (new, 2, 0, [(casting, 2, False)]),
    ]
    put_on(shop, new_batch(shop, shop.polishing), begun, 3)
    assert offered()[0] == (begun, 5, 1, [(casting, 1, False), (casting, 3, True)])


def test_offered_lines_take_as_many_queries_for_one_line_as_for_five(shop: Shop) -> None:
    batch = new_batch(shop)

    def queries() -> int:
        with CaptureQueriesContext(connection) as sent:
            assert shop.ana.get(f"{batch_path(batch)}/lines").status == 200
        return len(sent)

    shop.approved(2)
    one = queries()
    for _ in range(4):
        shop.approved(2)
    assert queries() == one


def test_a_line_is_taken_off_and_its_pieces_stay(shop: Shop) -> None:
    order = shop.approved(5)
    batch = batch_inside(shop, order)
    assert take_off_first(shop, batch).json["lines"] == []
    assert shop.line(order)["quantityInside"] == 5
    assert take_off_first(shop, batch).status == 404


@pytest.mark.parametrize(
    ("state", "codes"),
    [
        ("open", {"out": "batch_not_inside"}),
        ("inside", {"in": "batch_inside", "close": "batch_inside", "lines": "batch_inside", "": "batch_inside"}),
        ("out", {"in": "batch_is_out", "out": "batch_is_out", "lines": "batch_is_out", "": "batch_is_out"}),
        ("closed", {"in": "batch_closed", "out": "batch_closed", "close": "batch_closed", "": "batch_closed"}),
    ],
)
def test_what_a_state_does_not_take_is_refused(shop: Shop, state: str, codes: dict[str, str]) -> None:
    batch = batch_of(shop, shop.approved(5))
    if state != "open":
        move_batch(shop, "in", batch)
    if state in ("out", "closed"):
        move_batch(shop, "out", batch)
    if state == "closed":
        shop.ana.post(f"{batch_path(batch)}/close")
    for call, code in codes.items():
        if call == "":
            answer = shop.ana.put(batch_path(batch), {"notes": "otra"})
        else:
            body = {"salesOrderId": shop.approved(1), "position": 1} if call == "lines" else {}
            answer = shop.ana.post(f"{batch_path(batch)}/{call}", body)
        assert (answer.status, answer.code) == (409, code), call
    assert read(shop, batch)["state"] == state


def test_an_empty_batch_is_closed_but_not_moved(shop: Shop) -> None:
    batch = new_batch(shop)
    assert move_batch(shop, "in", batch).code == "batch_empty"
    assert shop.ana.post(f"{batch_path(batch)}/close").json["state"] == "closed"


def test_leaving_out_what_is_not_on_the_batch_is_refused(shop: Shop) -> None:
    batch = batch_of(shop, shop.approved(5))
    answer = move_batch(shop, "in", batch, leaveOut=[999_999])
    assert (answer.status, answer.fields) == (422, {"leaveOut.0": "unknown"})
    assert move_batch(shop, "in", batch, leaveOut=[batch["lines"][0]["id"]]).code == "batch_empty"


def test_a_batch_needs_an_active_process_and_a_known_alloy(shop: Shop) -> None:
    ProductionProcess.objects.filter(pk=shop.polishing.pk).update(status=False)
    answer = shop.ana.post(BATCHES, {"productionProcessId": shop.polishing.pk, "alloyId": 999_999})
    assert (answer.status, answer.fields) == (422, {"productionProcessId": "unknown", "alloyId": "unknown"})


def test_batches_are_numbered_without_a_gap(shop: Shop) -> None:
    assert [new_batch(shop)["number"] for _ in range(3)] == [1, 2, 3]
    assert shop.ana.post(BATCHES, {"productionProcessId": 999_999}).status == 422
    assert new_batch(shop)["number"] == 4


def test_composing_needs_its_permission_and_moving_the_process(shop: Shop) -> None:
    batch = batch_of(shop, shop.approved(5))
    mover = somebody(*MOVES, processes=[shop.casting])
    assert mover.post(BATCHES, {"productionProcessId": shop.casting.pk}).status == 403
    assert mover.get(batch_path(batch)).status == 200
    stranger = somebody(*MOVES, processes=[shop.polishing])
    assert move_batch(shop, "in", batch, stranger).code == "not_your_process"
    assert move_batch(shop, "in", batch, somebody(Permission.ManageBatches)).status == 403
    assert move_batch(shop, "in", batch, mover).status == 200


def test_an_operator_moves_a_batch_in_their_own_name(shop: Shop) -> None:
    order = shop.approved(5)
    batch = batch_of(shop, order)
    worker = somebody(*MOVES, processes=[shop.casting])
    tablet = somebody(Permission.Station)
    named = name_oneself(tablet, badge=make_badge(shop, worker), productionProcessId=shop.casting.pk)
    by = type(tablet)(bearer=named.json["token"])
    assert move_batch(shop, "in", batch, by).status == 200
    (record,) = ProcessRecord.objects.all()
    assert record.input_by_id == worker.id
    row = AuditEntry.objects.filter(entity="batch", action="in").get()
    assert (row.user_id, row.changes["stationUserId"]["after"]) == (worker.id, tablet.id)


def test_cards_show_open_batches_and_those_inside(shop: Shop) -> None:
    order = shop.approved(5)
    inside, out = batch_inside(shop, order), batch_inside(shop, shop.approved(2))
    move_batch(shop, "out", out)
    empty = new_batch(shop, shop.polishing)
    cards = somebody(Permission.ShopFloor).get(f"{BATCHES}/cards").json
    assert [(card["id"], card["state"], card["quantity"]) for card in cards] == [
        (inside["id"], "inside", 5),
        (empty["id"], "open", 0),
    ]
    assert cards[0]["lines"] == [{"salesOrderId": order, "position": 1, "quantity": 5}]


def test_a_display_reads_the_cards_of_its_own_lanes(shop: Shop) -> None:
    inside = batch_inside(shop, shop.approved(5))
    for lanes, read_ids in (([], [inside["id"]]), ([shop.casting.pk], [inside["id"]]), ([shop.polishing.pk], [])):
        screen, _ = named(shop, f"Pared {lanes}", productionProcessIds=lanes)
        assert [card["id"] for card in screen.get(f"{BATCHES}/cards").json] == read_ids


def test_an_event_of_a_batch_is_empty_for_a_display_of_other_lanes(shop: Shop) -> None:
    batch_inside(shop, shop.approved(5))
    payload = OutboxEvent.objects.filter(type="batch.changed").order_by("-id").values_list("payload", flat=True)[0]
    for scope, state in (({shop.casting.pk}, "inside"), ({shop.polishing.pk}, None)):
        frame = json.loads(
            without(payload.encode(), (), narrowed=scoped_parts("batch.changed"), scope=frozenset(scope))
        )
        assert (frame["data"]["card"] or {}).get("state") == state


def test_batches_are_found_by_number_order_and_product(shop: Shop) -> None:
    order = shop.approved(5)
    first, second = batch_of(shop, order), new_batch(shop, shop.polishing)

    def found(query: str) -> list[int]:
        return [row["id"] for row in shop.ana.get(f"{BATCHES}?{query}").json]

    assert found("") == [second["id"], first["id"]]
    assert found("search=%231") == found("search=1&open=true") == [first["id"]]
    assert found(f"search={shop.line(order)['customerSalesOrderId']}") == [first["id"]]
    assert found(f"productionProcessId={shop.polishing.pk}") == [second["id"]]
    shop.ana.post(f"{batch_path(second)}/close")
    assert (found("open=true"), found("open=false")) == ([first["id"]], [second["id"]])


def test_an_open_batch_is_named_renamed_and_found_by_its_name(shop: Shop) -> None:
    batch = new_batch(shop, name="  Árbol 3, anillos ")
    other = new_batch(shop)
    assert (batch["name"], other["name"]) == ("Árbol 3, anillos", "")
    assert [row["id"] for row in shop.ana.get(f"{BATCHES}?search=anillos arbol").json] == [batch["id"]]
    renamed = shop.ana.put(batch_path(batch), {"name": "Árbol 3"}).json
    assert (renamed["name"], read(shop, batch)["name"]) == ("Árbol 3", "Árbol 3")
    assert [card["name"] for card in shop.ana.get(f"{BATCHES}/cards").json] == ["Árbol 3", ""]
    row = AuditEntry.objects.get(entity="batch", action="changed")
    assert row.changes["name"] == {"before": "Árbol 3, anillos", "after": "Árbol 3"}
    assert row.label == "Fundición #1 Árbol 3"
    assert shop.ana.put(batch_path(batch), {"name": ""}).json["name"] == ""
    move_batch(shop, "in", put_on(shop, batch, shop.approved(2)).json)
    assert shop.ana.put(batch_path(batch), {"name": "Tarde"}).code == "batch_inside"


@pytest.mark.parametrize(("name", "code"), [("x" * 41, "too_long"), ("a\nb", "invalid_text"), (None, "invalid_type")])
def test_a_name_of_a_batch_is_one_line_of_at_most_40_characters(shop: Shop, name: str | None, code: str) -> None:
    answer = shop.ana.post(BATCHES, {"productionProcessId": shop.casting.pk, "name": name})
    assert (answer.status, answer.fields) == (422, {"name": code})


def test_a_deleted_order_leaves_the_batch(shop: Shop) -> None:
    gone, kept = shop.approved(5), shop.approved(3)
    batch = batch_of(shop, gone, kept)
    assert shop.ana.delete(f"/api/sales-order/{gone}").status == 200
    assert quantities(read(shop, batch)) == [(kept, 3)]


@pytest.mark.parametrize("side", ["in", "out"])
def test_moving_twice_with_one_key_moves_once(shop: Shop, side: str) -> None:
    order = shop.approved(5)
    batch = batch_of(shop, order) if side == "in" else batch_inside(shop, order)
    first, second = (move_batch(shop, side, batch, key="once-and-once-only") for _ in range(2))
    assert (first.status, first.json) == (second.status, second.json)
    assert second.headers["Idempotent-Replayed"] == "true"
    assert len(shop.history(order)) == 1


def test_a_stale_version_moves_nothing(shop: Shop) -> None:
    batch = batch_of(shop, shop.approved(5))
    answer = shop.ana.post(f"{batch_path(batch)}/in", {}, if_match='"1"')
    assert (answer.status, answer.code) == (412, "stale_version")
    assert shop.ana.post(f"{batch_path(batch)}/in", {}, if_match=f'"{batch["version"]}"').status == 200


def queries_of(shop: Shop, lines: int) -> tuple[int, int]:
    """The queries that moving a batch of so many lines in and out takes."""
    batch = batch_of(shop, *(shop.approved(3) for _ in range(lines)), alloyId=sterling().pk)
    with CaptureQueriesContext(connection) as entering:
        assert move_batch(shop, "in", batch, grams=120.5).status == 200
    with CaptureQueriesContext(connection) as leaving:
        assert move_batch(shop, "out", batch, grams=100, scrapGrams=15.25).status == 200
    return len(entering), len(leaving)


def sterling() -> Alloy:
    return Alloy.objects.get(fineness=9250)


def weighing(process: ProductionProcess, weighs: str) -> None:
    ProductionProcess.objects.filter(pk=process.pk).update(weighs=weighs)


def of_sterling(product: Item, net_mg: int | None = None) -> None:
    Item.objects.filter(pk=product.pk).update(alloy=sterling(), net_mg=net_mg)


def filled_vault(shop: Shop, grams: float = 1_000) -> None:
    """Make the shop's product one of sterling, and put sterling into the vault."""
    of_sterling(shop.item)
    received = Posting(
        source=ledger.supplier("Plata del Norte"),
        target=ledger.vault(),
        alloy_id=sterling().pk,
        mg=round(grams * 1_000),
        kind=EntryKind.receive,
    )
    by: Any = SimpleNamespace(user_id=shop.ana.id)
    ledger.post([received], by=by, at=clock.now())


def test_twelve_lines_take_as_many_queries_as_three(shop: Shop) -> None:
    weighing(shop.casting, "required")
    filled_vault(shop)
    # The accounts of the workshop and of Ana are made by the first movement.
    queries_of(shop, 1)
    few, many = queries_of(shop, 3), queries_of(shop, 12)
    assert few == many


def weighed(shop: Shop, side: str, order: int, **body: Any) -> None:
    """Move the first line of an order alone, with its weight."""
    path = f"{line_path(order)}/production-process/{side}"
    answer = shop.ana.put(path, {"productionProcessId": shop.casting.pk} | body)
    assert answer.status == 200, answer


def grams_of(shop: Shop, order: int) -> tuple[float, float, float]:
    """What the newest record of a line says: metal in, metal out, scrap."""
    (record,) = shop.history(order)
    return record["gramsIn"], record["gramsOut"], record["scrapGrams"]


def test_a_weighing_is_shared_to_the_milligram(shop: Shop) -> None:
    weighing(shop.casting, "required")
    filled_vault(shop)
    light, heavy_item = shop.approved(10), item("Dije")
    of_sterling(shop.item, 3_000)
    of_sterling(heavy_item, 7_000)
    heavy = shop.order(1, items=[{"itemId": heavy_item.pk, "quantity": 3}])
    shop.status(heavy, 1, "Approved")
    batch = batch_of(shop, light, heavy, alloyId=sterling().pk, waxGrams=8.123, buttonGrams=15)
    assert batch["wantedGrams"] == 100.292
    assert move_batch(shop, "in", batch).code == "grams_required"
    batch = move_batch(shop, "in", batch, grams=100.001).json
    assert (batch["issuedGrams"], batch["lossGrams"]) == (100.001, None)
    batch = move_batch(shop, "out", batch, grams=80.005, scrapGrams=17.003).json
    assert (batch["goodGrams"], batch["scrapGrams"], batch["lossGrams"]) == (80.005, 17.003, 2.993)
    assert batch["lossPerMille"] == 29.9
    # 10 × 3 g and 3 × 7 g: 30 and 21 parts of 51.
    assert grams_of(shop, light) == (58.824, 47.062, 10.002)
    assert grams_of(shop, heavy) == (41.177, 32.943, 7.001)


@pytest.mark.parametrize("permission", [None, Permission.ViewMetal, Permission.SalesOrderPositionRecord])
def test_losses_are_for_readers_of_the_metal_or_the_history(shop: Shop, permission: Permission | None) -> None:
    weighing(shop.casting, "required")
    filled_vault(shop)
    of_sterling(shop.item, 3_000)
    batch = batch_of(shop, shop.approved(10), alloyId=sterling().pk)
    batch = move_batch(shop, "in", batch, grams=50).json
    move_batch(shop, "out", batch, grams=45, scrapGrams=4)
    reader = somebody(Permission.ManageBatches, *([permission] if permission else []))
    (row,) = reader.get(BATCHES).json
    for document in (row, reader.get(batch_path(batch)).json):
        hidden = [document[name] for name in ("issuedGrams", "goodGrams", "lossGrams", "lossPerMille")]
        assert hidden == ([50, 45, 1, 20] if permission else [None] * 4)
        assert document["scrapGrams"] == 4


def test_without_net_weights_a_weighing_is_shared_by_pieces(shop: Shop) -> None:
    weighing(shop.casting, "optional")
    filled_vault(shop)
    one, other = shop.approved(1), shop.approved(2)
    batch = move_batch(shop, "in", batch_of(shop, one, other, alloyId=sterling().pk), grams=10).json
    move_batch(shop, "out", batch, grams=10)
    assert grams_of(shop, one) == (3.333, 3.333, None)
    assert grams_of(shop, other) == (6.667, 6.667, None)


def test_metal_of_a_batch_comes_from_the_vault_and_stays_in_the_books(shop: Shop) -> None:
    weighing(shop.casting, "required")
    filled_vault(shop, 100)
    batch = batch_of(shop, shop.approved(4), shop.approved(6), alloyId=sterling().pk)
    batch = move_batch(shop, "in", batch, grams=90).json
    move_batch(shop, "out", batch, grams=70, scrapGrams=18)
    held: Counter[str] = Counter()
    for balance in Balance.objects.select_related("account"):
        held[balance.account.kind] += balance.mg
    assert {kind: mg for kind, mg in held.items() if mg} == {
        "supplier": -100_000,
        "vault": 10_000,
        "line": 70_000,
        "scrap": 18_000,
        "person": 2_000,  # the loss, until Ana's day is closed
    }
    assert sums_by_alloy() == {sterling().pk: 0}
    assert set(MetalEntry.objects.exclude(kind="receive").values_list("batch_id", flat=True)) == {batch["id"]}


@pytest.mark.parametrize("way", ["left out", "taken off"])
def test_a_line_that_goes_off_takes_its_share_of_what_was_issued_along(shop: Shop, way: str) -> None:
    weighing(shop.casting, "required")
    filled_vault(shop)
    orders = [shop.approved(4), shop.approved(6)]
    batch = move_batch(shop, "in", batch_of(shop, *orders), grams=90).json
    if way == "left out":
        answer = move_batch(shop, "out", batch, grams=50, leaveOut=[batch["lines"][0]["id"]])
    else:
        assert take_off_first(shop, batch).json["issuedGrams"] == 54
        answer = move_batch(shop, "out", batch, grams=50)
    assert (answer.json["issuedGrams"], answer.json["lossGrams"]) == (54, 4)
    assert grams_of(shop, orders[0]) == (36, None, None)


def test_heavier_out_than_in_needs_a_reason(shop: Shop) -> None:
    weighing(shop.casting, "required")
    filled_vault(shop)
    batch = batch_inside_weighed(shop, 20)
    answer = move_batch(shop, "out", batch, grams=25)
    assert (answer.status, answer.code) == (422, "grams_heavier")
    assert read(shop, batch)["state"] == "inside"
    assert move_batch(shop, "out", batch, grams=25, weightReason="Báscula sin tarar").status == 200


def test_a_tree_far_heavier_than_its_wax_suggests_needs_a_reason(shop: Shop) -> None:
    weighing(shop.casting, "required")
    filled_vault(shop)
    batch = batch_of(shop, shop.approved(10), alloyId=sterling().pk, waxGrams=4)
    assert batch["wantedGrams"] == 42
    answer = move_batch(shop, "in", batch, grams=420)
    assert (answer.status, answer.code) == (422, "grams_heavier")
    assert answer.json["params"] == {"side": "tree", "grams": 420, "limit": 42}
    assert move_batch(shop, "in", batch, grams=84).status == 200
    other = batch_of(shop, shop.approved(10), alloyId=sterling().pk, waxGrams=4)
    assert move_batch(shop, "in", other, grams=420, weightReason="Árbol doble").status == 200


def test_a_tree_that_takes_metal_of_another_tree_needs_a_reason(shop: Shop) -> None:
    weighing(shop.casting, "required")
    filled_vault(shop)
    order = shop.approved(20)
    trees = []
    for grams in (42, 27):
        batch = new_batch(shop)
        trees.append(move_batch(shop, "in", put_on(shop, batch, order, 10).json, grams=grams).json)
    answer = move_batch(shop, "out", trees[0], grams=48.1, scrapGrams=15.9)
    assert (answer.status, answer.code) == (422, "grams_heavier")
    assert answer.json["params"] == {"side": "out", "grams": 64, "entered": 42, "added": 0, "limit": 42}
    assert "64 g, y entraron 42 g." in answer.json["message"]
    added = move_batch(shop, "out", trees[0], grams=44, addedGrams=1.5)
    assert "44 g, y entraron 42 g más 1.5 g agregados." in added.json["message"]
    assert move_batch(shop, "out", trees[0], grams=42.02).status == 200  # two steps of the scale


def test_a_batch_books_what_single_movements_with_the_same_shares_book(shop: Shop) -> None:
    weighing(shop.casting, "required")
    filled_vault(shop)
    alone, together = [[shop.approved(1), shop.approved(2)] for _ in range(2)]
    for order, entered, left in zip(alone, (10, 20), (9, 18), strict=True):
        weighed(shop, "in", order, grams=entered)
        weighed(shop, "out", order, grams=left, scrapGrams=0.5)
    batch = move_batch(shop, "in", batch_of(shop, *together), grams=30).json
    assert move_batch(shop, "out", batch, grams=27, scrapGrams=1).status == 200

    def booked(orders: list[int]) -> list[tuple[Any, ...]]:
        rows = MetalEntry.objects.filter(line__sales_order_id__in=orders).order_by("line", "kind")
        return list(rows.values_list("line__sales_order_id", "kind", "source__kind", "target__kind", "mg"))

    def without_scrap(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """The scrap of the batch is shared by pieces, and that of the single movements was half and half."""
        return [(kind, source, target, mg) for _, kind, source, target, mg in rows if kind != "scrap"]

    assert without_scrap(booked(together)) == without_scrap(booked(alone))
    assert [row[-1] for row in booked(together) if row[1] == "scrap"] == [333, 667]


def test_weights_of_a_batch_are_taken_back_with_a_line_s_movement(shop: Shop) -> None:
    weighing(shop.casting, "required")
    filled_vault(shop)
    one, other = shop.approved(1), shop.approved(2)
    batch = move_batch(shop, "in", batch_of(shop, one, other), grams=30).json
    move_batch(shop, "out", batch, grams=27)
    release(shop.ana, one, shop.casting)
    (record,) = shop.history(one)
    assert record["released"] is True
    held = dict(Balance.objects.filter(account__kind="line").values_list("account__sales_order_id", "mg"))
    assert (held[one], held[other]) == (0, 18_000)
    assert sums_by_alloy() == {sterling().pk: 0}


def test_a_part_of_a_line_that_leaves_with_a_batch_takes_its_part_of_the_metal(shop: Shop) -> None:
    weighing(shop.casting, "required")
    filled_vault(shop)
    order = shop.approved(4)
    weighed(shop, "in", order, quantity=3, grams=30)
    batch = new_batch(shop)
    put_on(shop, batch, order)
    batch = move_batch(shop, "in", batch, grams=10).json
    assert move_batch(shop, "out", batch, grams=9).status == 200
    rows = shop.history(order)
    (left,) = [row for row in rows if row["outputDate"]]
    assert (left["quantity"], left["gramsIn"], left["gramsOut"]) == (1, 10, 9), "its own entry leaves first"
    inside = [row for row in rows if not row["outputDate"]]
    assert [(row["quantity"], row["gramsIn"]) for row in inside] == [(3, 30)]


def test_a_line_whose_product_has_no_alloy_is_named_if_the_batch_is_weighed(shop: Shop) -> None:
    weighing(shop.casting, "required")
    filled_vault(shop)
    plain = item("Aro")
    order = shop.order(1, items=[{"itemId": plain.pk, "quantity": 2}])
    shop.status(order, 1, "Approved")
    batch = batch_of(shop, shop.approved(3), order)
    assert move_batch(shop, "in", batch).code == "grams_required"
    off = batch["lines"][1]["id"]
    assert refused(move_batch(shop, "in", batch, grams=30)) == {off: "without_alloy"}
    assert move_batch(shop, "in", batch, grams=30, leaveOut=[off]).status == 200
    alone = batch_of(shop, order)
    assert (batch["weighs"], alone["weighs"]) == ("required", "no")
    assert move_batch(shop, "in", alone).status == 200


def test_a_batch_takes_no_line_of_another_alloy(shop: Shop) -> None:
    filled_vault(shop)
    fine = Alloy.objects.exclude(pk=sterling().pk).filter(fineness__gt=0).first()
    assert fine is not None
    order = shop.approved(3)
    assert put_on(shop, new_batch(shop, alloyId=fine.pk), order).code == "other_alloy"
    batch = batch_of(shop, order)
    assert shop.ana.put(batch_path(batch), {"alloyId": fine.pk}).code == "other_alloy"
    assert shop.ana.put(batch_path(batch), {"alloyId": sterling().pk}).status == 200


@pytest.mark.parametrize(
    ("side", "weights", "field"),
    [
        ("in", {"grams": 10, "scrapGrams": 1}, "scrapGrams"),
        ("in", {"grams": 10, "otherGrams": 10}, "otherGrams"),
        ("in", {"otherGrams": 1}, "grams"),
        ("in", {"grams": 0}, "grams"),
        ("in", {"grams": 1.0001}, "grams"),
        ("out", {"grams": -1}, "grams"),
    ],
)
def test_weights_that_cannot_be_are_refused(shop: Shop, side: str, weights: dict[str, float], field: str) -> None:
    weighing(shop.casting, "optional")
    filled_vault(shop)
    order = shop.approved(3)
    batch = batch_of(shop, order) if side == "in" else batch_inside(shop, order)
    answer = move_batch(shop, side, batch, **weights)
    assert (answer.status, list(answer.fields)) == (422, [field])


def test_nothing_is_weighed_where_the_process_does_not_weigh(shop: Shop) -> None:
    filled_vault(shop)
    batch = batch_of(shop, shop.approved(3))
    assert move_batch(shop, "in", batch, grams=10).status == 422
    assert move_batch(shop, "in", batch).json["issuedGrams"] is None


def batch_inside_weighed(shop: Shop, grams: float) -> dict[str, Any]:
    answer = move_batch(shop, "in", batch_of(shop, shop.approved(4), alloyId=sterling().pk), grams=grams)
    assert answer.status == 200, answer
    batch: dict[str, Any] = answer.json
    return batch


@pytest.mark.parametrize(
    "columns",
    [{"number": 0}, {"wax_mg": -1}, {"left_at": "2026-03-02T12:00Z"}, {"closed_at": "2026-03-02T12:00Z"}],
    ids=str,
)
def test_database_refuses_a_batch_that_cannot_be(shop: Shop, columns: dict[str, Any]) -> None:
    batch = new_batch(shop)
    with pytest.raises(IntegrityError), transaction.atomic():
        Batch.objects.filter(pk=batch["id"]).update(**columns)


def test_lines_moved_one_by_one_in_between_are_refused_by_the_new_state(shop: Shop) -> None:
    order = shop.approved(5)
    batch = batch_of(shop, order)
    move(shop.ana, "in", order, shop.casting, 3)
    assert list(refused(move_batch(shop, "in", batch)).values()) == ["not_enough_pieces"]
