"""A loss above the allowance never stops a movement: it keeps its reason, and waits until somebody signs for it."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.core import clock
from project.core.schemas import utc_z
from project.orders.models import Line, ProcessRecord
from realtime.models import OutboxEvent
from tests.builders import Answer, Caller, Shop, buyer, line_path, release, somebody, undo
from tests.project.batches.batching import batch_of, move_batch
from tests.project.metal.grams import bench, weighed

WHY = "Se cayó limadura al piso"


def worked(shop: Shop, out: float = 48, **fields: Any) -> tuple[int, int]:
    """Move ten pieces of 50 g through casting, which may lose 20 ‰. Return the order and the record."""
    bench(shop, allowed_loss=Decimal(20))
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, out, **fields)
    return order, shop.history(order)[0]["id"]


def sign(by: Caller, order: int, record: int, **headers: str) -> Answer:
    return by.post(f"{line_path(order)}/production-process/{record}/loss-signature", **headers)


def to_sign(shop: Shop) -> list[int]:
    return [row["salesOrderId"] for row in shop.ana.get("/api/sales-order/positions?toSign=true").json]


def stands(shop: Shop, order: int) -> tuple[bool, str, str | None]:
    row = shop.history(order)[0]
    assert (row["lossSignedAt"] is None) == (row["lossSignedBy"] is None)
    return row["lossToSign"], row["weightReason"], row["lossSignedBy"]


def test_loss_above_the_allowance_keeps_its_reason_and_waits_for_a_signature(shop: Shop) -> None:
    order, record = worked(shop, weightReason=WHY)
    assert (stands(shop, order), to_sign(shop)) == ((True, WHY, None), [order])
    before = Line.objects.get().version
    answer = sign(shop.beto, order, record)
    assert answer.status == 200
    [row] = answer.json["productionProcesses"]
    assert (row["lossToSign"], row["lossSignedBy"], row["lossPerMille"]) == (False, "Beto Torres", 40)
    assert (stands(shop, order), to_sign(shop)) == ((False, WHY, "Beto Torres"), [])
    assert Line.objects.get().version == before + 1
    audited = AuditEntry.objects.get(action="signed")
    assert (audited.user_name, audited.changes["lossGrams"]["after"]) == ("Beto Torres", 2)
    assert '"lossSignedBy":"Beto Torres"' in OutboxEvent.objects.latest("id").payload


@pytest.mark.parametrize("out", [49, 50], ids=["at the allowance", "nothing lost"])
def test_loss_within_the_allowance_needs_no_signature(shop: Shop, out: float) -> None:
    order, record = worked(shop, out)
    assert (stands(shop, order), to_sign(shop)) == ((False, "", None), [])
    assert (sign(shop.ana, order, record).status, sign(shop.ana, order, record).code) == (409, "nothing_to_sign")


def test_a_milligram_above_the_allowance_waits_for_a_signature(shop: Shop) -> None:
    order, _ = worked(shop, 48.999)
    assert shop.history(order)[0]["lossPerMille"] == 20
    assert stands(shop, order)[0]
    (row,) = shop.ana.get("/api/reports/metal-loss").json["rows"]
    assert (row["lossPerMille"], row["above"]) == (20, True)


def test_where_no_allowance_is_said_nothing_waits(shop: Shop) -> None:
    bench(shop)
    order = shop.approved(10)
    weighed(shop, "in", order, shop.casting, 50)
    weighed(shop, "out", order, shop.casting, 10)
    assert to_sign(shop) == []


def test_a_loss_is_signed_once_by_those_who_manage_metal(shop: Shop) -> None:
    order, record = worked(shop)
    views = somebody(Permission.ViewMetal, Permission.ListOrders)
    assert sign(views, order, record).status == 403
    assert sign(shop.ana, order, record, if_match='"1"').code == "stale_version"
    assert sign(shop.ana, order, record + 1).status == 404
    assert sign(shop.ana, order, record).status == 200
    assert sign(shop.beto, order, record).code == "nothing_to_sign"
    assert stands(shop, order)[2] == "Ana Torres"


def test_a_corrected_weight_is_judged_again(shop: Shop) -> None:
    order, record = worked(shop, weightReason=WHY)
    path = f"{line_path(order)}/production-process/{record}/weights"
    assert sign(shop.ana, order, record).status == 200
    assert shop.ana.put(path, {"gramsOut": 47}).status == 200
    assert (stands(shop, order), to_sign(shop)) == ((True, WHY, None), [order])
    assert shop.ana.put(path, {"gramsOut": 49.5}).status == 200
    assert to_sign(shop) == []


def test_a_weighing_of_entries_that_were_weighed_apart_is_judged_as_a_whole(shop: Shop) -> None:
    bench(shop, allowed_loss=Decimal(5))
    order = shop.approved(20)
    for grams in (50, 51):
        weighed(shop, "in", order, shop.casting, grams, 5)
    weighed(shop, "out", order, shop.casting, 101)
    assert to_sign(shop) == [], "nothing was lost, though each entry left with half of it"
    for grams in (50, 51):
        weighed(shop, "in", order, shop.casting, grams, 5)
    weighed(shop, "out", order, shop.casting, 90, weightReason=WHY)
    assert [row["lossToSign"] for row in shop.history(order)] == [True, True, False, False]


def test_a_reason_is_of_the_difference_that_it_was_given_for(shop: Shop) -> None:
    order, record = worked(shop, 53, weightReason="soldadura")
    path = f"{line_path(order)}/production-process/{record}/weights"
    assert shop.ana.put(path, {"gramsOut": 48}).status == 200
    assert stands(shop, order) == (True, "", None), "solder explains no loss"
    assert shop.ana.put(path, {"gramsOut": 48, "weightReason": WHY}).status == 200
    assert sign(shop.ana, order, record).status == 200
    assert shop.ana.put(path, {"gramsOut": 48, "weightReason": "Limadura"}).status == 200
    assert stands(shop, order) == (False, "Limadura", "Ana Torres"), "only the reason was written"
    assert shop.ana.put(path, {"gramsOut": 49.5}).status == 200
    assert stands(shop, order) == (False, "", None)


def test_who_may_not_read_metal_cannot_ask_for_it_by_a_filter(shop: Shop) -> None:
    order, _ = worked(shop)
    for caller in (buyer(shop.customer, *Permission), somebody(Permission.ListOrders)):
        for query in ("toSign=true", "toSign=false", "toWeigh=true", "toWeigh=false"):
            answer = caller.get(f"/api/sales-order/positions?{query}")
            assert answer.fields == {query.split("=")[0]: "not_a_choice"}
    for permission in (Permission.ViewMetal, Permission.SalesOrderPositionRecord):
        found = somebody(Permission.ListOrders, permission).get("/api/sales-order/positions?toSign=true")
        assert [row["salesOrderId"] for row in found.json] == [order]


def test_an_exit_taken_back_leaves_nothing_to_sign(shop: Shop) -> None:
    order, record = worked(shop, weightReason=WHY)
    assert undo(shop.ana, order, record).status == 200
    assert (stands(shop, order), to_sign(shop)) == ((False, "", None), [])
    weighed(shop, "out", order, shop.casting, 48)
    assert sign(shop.ana, order, record).status == 200
    assert release(shop.ana, order, shop.casting, "out").status == 200
    assert stands(shop, order) == (False, "", None)


def test_a_released_record_is_not_signed(shop: Shop) -> None:
    order, record = worked(shop)
    assert release(shop.ana, order, shop.casting).status == 200
    assert (to_sign(shop), sign(shop.ana, order, record).code) == ([], "record_released")
    assert stands(shop, order)[0] is False


def test_a_weight_that_is_typed_later_may_need_a_signature(shop: Shop) -> None:
    bench(shop, allowed_loss=Decimal(20))
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    weighed(shop, "out", order, shop.casting, madeAt=utc_z(clock.now()))
    record = shop.history(order)[0]["id"]
    path = f"{line_path(order)}/production-process/{record}/weights"
    assert shop.ana.put(path, {"gramsIn": 50, "gramsOut": 40, "weightReason": WHY}).status == 200
    assert (stands(shop, order), to_sign(shop)) == ((True, WHY, None), [order])


def test_lines_of_a_batch_that_lost_too_much_are_signed_one_by_one(shop: Shop) -> None:
    bench(shop, allowed_loss=Decimal(20))
    orders = [shop.approved(10), shop.approved(10)]
    batch = batch_of(shop, *orders)
    assert move_batch(shop, "in", batch, grams=100).status == 200
    assert move_batch(shop, "out", batch, grams=90, weightReason=WHY).status == 200
    assert to_sign(shop) == orders
    assert sign(shop.ana, orders[0], shop.history(orders[0])[0]["id"]).status == 200
    assert (to_sign(shop), stands(shop, orders[1])) == (orders[1:], (True, WHY, None))


def test_the_database_knows_who_signed_and_when(shop: Shop) -> None:
    order, record = worked(shop)
    for wrong in ({"loss_signed_at": clock.now()}, {"loss_signed_by": shop.ana.id}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ProcessRecord.objects.filter(pk=record).update(**wrong)
    assert sign(shop.ana, order, record).status == 200
    with pytest.raises(IntegrityError), transaction.atomic():
        ProcessRecord.objects.filter(pk=record).update(loss_to_sign=True)
