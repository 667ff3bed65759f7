"""Piece prices by process and product: which one counts, from when, and what may be written."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.catalogs.models import PriceUnit, ProcessItemPrice
from project.catalogs.selectors import piece_prices
from project.core import clock
from project.core.schemas import utc_z
from project.orders.models import ProcessRecord
from realtime.models import OutboxEvent
from tests import builders
from tests.builders import Answer, Caller, Shop, move, release, somebody
from tests.constraints import refused
from tests.project.piecework.paying import EARNINGS, PAYABLES

PATH = "/api/process-item-prices"
HOUR = timedelta(hours=1)


def cell(shop: Shop, price: float | None, unit: str = "piece", **others: Any) -> dict[str, Any]:
    """The price of rings in casting."""
    return {"productionProcessId": shop.casting.pk, "itemId": shop.item.pk, "unit": unit, "price": price} | others


def put(by: Caller, *cells: dict[str, Any], **fields: Any) -> Answer:
    return by.put(PATH, {"cells": list(cells), **fields})


def as_ana(shop: Shop) -> Caller:
    """Ana with a session that begins at the time that the clock shows."""
    return Caller(shop.ana.user)


def exit_at(shop: Shop, instant: datetime, **fields: Any) -> tuple[Decimal | None, str]:
    """Price and unit of pieces that leave casting at an instant."""
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    with clock.at(instant):
        assert move(as_ana(shop), "out", order, shop.casting, **fields).status == 200
    record = ProcessRecord.objects.get(line__order=order)
    return record.price, record.price_unit


RING, ALL, PROCESS, NECKLACE, POLISHED = "ring", "all", "process", "necklace", "polished"


@pytest.mark.parametrize(
    ("written", "earned"),
    [
        ([], (9.25, "piece")),
        ([(1, PROCESS, 10, "piece")], (10, "piece")),
        ([(1, ALL, 8, "piece")], (8, "piece")),
        ([(1, ALL, 8, "piece"), (2, PROCESS, 10, "piece")], (10, "piece")),
        ([(1, PROCESS, 10, "piece"), (2, ALL, 8, "gram")], (8, "gram")),
        ([(1, ALL, 8, "gram"), (2, ALL, None, "piece")], (9.25, "piece")),
        ([(1, RING, 7, "piece"), (2, ALL, 8, "piece"), (3, PROCESS, 10, "piece")], (7, "piece")),
        ([(1, RING, 7, "gram"), (2, ALL, 8, "piece")], (7, "gram")),
        ([(1, RING, 7, "piece"), (2, RING, 3.5, "gram")], (3.5, "gram")),
        ([(1, RING, 0, "piece"), (2, ALL, 8, "piece")], (0, "piece")),
        ([(1, RING, 7, "piece"), (2, RING, None, "piece")], (9.25, "piece")),
        ([(1, ALL, 8, "gram"), (2, RING, 7, "piece"), (3, RING, None, "piece")], (8, "gram")),
        ([(1, RING, 7, "piece"), (12, RING, 6, "piece")], (6, "piece")),
        ([(1, RING, 7, "piece"), (13, RING, 6, "piece")], (7, "piece")),
        ([(13, RING, 6, "gram")], (9.25, "piece")),
        ([(13, ALL, 6, "gram"), (14, PROCESS, 5, "piece")], (9.25, "piece")),
        ([(1, NECKLACE, 6, "gram")], (9.25, "piece")),
        ([(1, POLISHED, 6, "gram")], (9.25, "piece")),
    ],
    ids=str,
)
def test_the_most_specific_price_in_force_at_the_exit_counts(
    shop: Shop, written: list[tuple[int, str, float | None, str]], earned: tuple[float, str]
) -> None:
    """The pieces leave in the twelfth hour. A price that is set in that very moment counts."""
    begin, necklace = clock.now(), builders.item("Collar")
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    left = None
    for hour, what, price, unit in [*written, (99, "", None, "")]:
        if hour > 12 and left is None:
            with clock.at(begin + 12 * HOUR):
                assert move(as_ana(shop), "out", order, shop.casting).status == 200
            left = ProcessRecord.objects.get(line__order=order)
        where: dict[str, dict[str, Any]] = {
            RING: {},
            ALL: {"itemId": None},
            NECKLACE: {"itemId": necklace.pk},
            POLISHED: {"productionProcessId": shop.polishing.pk},
        }
        with clock.at(begin + hour * HOUR):
            if what == PROCESS:
                path = f"/api/production-processes/{shop.casting.pk}"
                assert as_ana(shop).put(path, {"price": price}).status == 200
            elif what:
                assert put(as_ana(shop), cell(shop, price, unit, **where[what])).status == 200
    assert left is not None
    left.refresh_from_db()
    assert (left.price, left.price_unit) == (Decimal(str(earned[0])), earned[1])


def test_a_price_planned_for_noon_counts_from_noon(shop: Shop) -> None:
    noon = clock.now() + 5 * HOUR
    assert put(shop.ana, cell(shop, 7)).status == 200
    assert put(shop.ana, cell(shop, 3.2, "gram"), since=utc_z(noon)).status == 200
    assert exit_at(shop, noon - timedelta(milliseconds=1)) == (7, "piece")
    assert exit_at(shop, noon) == (Decimal("3.2"), "gram")


@pytest.mark.parametrize(("minutes", "price"), [(None, 6), (4, 6), (6, 7), (10, 7), (11, 6)])
def test_a_claim_of_at_most_ten_minutes_earns_the_price_of_the_claimed_time(
    shop: Shop, noon: datetime, minutes: int | None, price: int
) -> None:
    with clock.at(noon - 2 * HOUR):
        put(as_ana(shop), cell(shop, 7))
    order = shop.approved(10)
    assert shop.move("in", order, shop.casting, made_at=utc_z(noon - HOUR)).status == 200
    with clock.at(noon - timedelta(minutes=5)):
        put(as_ana(shop), cell(shop, 6))
    claimed = None if minutes is None else utc_z(noon - timedelta(minutes=minutes))
    assert shop.move("out", order, shop.casting, made_at=claimed).status == 200
    assert ProcessRecord.objects.get(line__order=order).price == price


def test_what_has_left_keeps_its_price(shop: Shop) -> None:
    put(shop.ana, cell(shop, 7))
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting, 4)
    put(shop.ana, cell(shop, 3.2, "gram"), cell(shop, 5, itemId=None))
    assert shop.ana.get(EARNINGS).json["open"] == 28
    shop.leave(order, shop.casting)
    found = (
        ProcessRecord.objects.filter(line__order=order).order_by("pk").values_list("quantity", "price", "price_unit")
    )
    assert list(found) == [(4, 7, "piece"), (6, Decimal("3.2"), "gram")]
    release(shop.ana, order, shop.casting, "out")
    assert ProcessRecord.objects.filter(output_at=None).values_list("price", "price_unit").get() == (None, "piece")


def test_the_price_of_an_exit_is_found_in_one_query(shop: Shop) -> None:
    now = clock.now()
    with CaptureQueriesContext(connection) as captured:
        assert piece_prices(shop.casting.pk, [shop.item.pk], None) == {}
    assert len(captured) == 1
    put(shop.ana, cell(shop, 7), cell(shop, 8, itemId=None))
    shop.ana.put(f"/api/production-processes/{shop.casting.pk}", {"price": 11})
    with CaptureQueriesContext(connection) as captured:
        assert piece_prices(shop.casting.pk, [shop.item.pk], None) == {shop.item.pk: (7, PriceUnit.piece)}
    assert len(captured) == 1
    assert piece_prices(shop.casting.pk, [shop.item.pk], now - HOUR) == {}


@pytest.mark.parametrize(
    ("fields", "refusals"),
    [
        ({"price": -1}, {"cells.0.price": "too_small"}),
        ({"price": "7"}, {"cells.0.price": "invalid_type"}),
        ({"price": 1.23456789}, {"cells.0.price": "too_many_decimals"}),
        ({"price": 1e12}, {"cells.0.price": "too_large"}),
        ({"unit": "oz"}, {"cells.0.unit": "not_a_choice"}),
        ({"unit": None}, {"cells.0.unit": "not_a_choice"}),
        ({"itemId": 999_999}, {"cells.0.itemId": "unknown"}),
        ({"productionProcessId": 999_999}, {"cells.0.productionProcessId": "unknown"}),
        ({"currency": "USD"}, {"cells.0.currency": "unknown_field"}),
    ],
    ids=str,
)
def test_a_wrong_cell_is_refused_and_nothing_is_written(
    shop: Shop, fields: dict[str, Any], refusals: dict[str, str]
) -> None:
    answer = put(shop.ana, cell(shop, 7) | fields, cell(shop, 8, itemId=None))
    assert (answer.status, answer.fields) == (422, refusals)
    assert not ProcessItemPrice.objects.exists()


def test_a_price_is_required_and_may_be_null_or_zero(shop: Shop) -> None:
    bare = {"productionProcessId": shop.casting.pk}
    assert put(shop.ana, bare).fields == {"cells.0.price": "required"}
    assert put(shop.ana, cell(shop, 0)).status == 200
    assert exit_at(shop, clock.now() + HOUR) == (0, "piece")
    assert shop.ana.get(EARNINGS).json["open"] == 0
    assert put(shop.ana, cell(shop, None)).status == 200


def test_two_rows_for_one_cell_are_refused(shop: Shop) -> None:
    answer = put(shop.ana, cell(shop, 7), cell(shop, 8, itemId=None), cell(shop, 7, "gram"))
    assert (answer.status, answer.fields) == (422, {"cells.2.itemId": "named_twice"})
    assert not ProcessItemPrice.objects.exists()


def test_a_price_cannot_begin_in_the_past_or_beyond_the_calendar(shop: Shop) -> None:
    for since, code in (
        (utc_z(clock.start_of(clock.today()) - HOUR), "in_the_past"),
        (utc_z(clock.now() - timedelta(minutes=10)), "in_the_past"),
        (str(clock.today() - timedelta(days=1)), "in_the_past"),
        ("9999-01-01T00:00:00Z", "date_out_of_range"),
        ("9999-01-01", "date_out_of_range"),
        ("tomorrow", "invalid_instant"),
        ("2099-13-01", "invalid_instant"),
        (None, "invalid_instant"),
    ):
        assert put(shop.ana, cell(shop, 7), since=since).fields == {"since": code}
        assert shop.ana.post(PATH, cell(shop, 7, since=since)).fields == {"since": code}
    assert put(shop.ana, cell(shop, 7), since=utc_z(clock.now() - timedelta(seconds=30))).status == 200
    assert ProcessItemPrice.objects.get().since >= clock.now() - timedelta(seconds=20)


def test_a_price_begins_on_a_day_today_from_now_on(shop: Shop) -> None:
    """Pieces that left earlier today keep their price."""
    tomorrow = clock.today() + timedelta(days=1)
    assert shop.ana.post(PATH, cell(shop, 7, since=str(clock.today()))).status == 201
    assert shop.ana.post(PATH, cell(shop, 8, since=str(tomorrow))).status == 201
    now, later = ProcessItemPrice.objects.order_by("since")
    assert clock.now() - timedelta(seconds=20) <= now.since <= clock.now()
    assert later.since == clock.start_of(tomorrow)


def test_a_product_of_another_currency_has_its_price_in_that_of_the_plant(shop: Shop) -> None:
    shop.ana.put(f"/api/items/{shop.item.pk}", {"currency": "USD", "sellPrice": 10})
    made = shop.ana.post(PATH, cell(shop, 7)).json
    assert (made["price"], made["currency"]) == (7, "MXN")
    exit_at(shop, clock.now() + timedelta(seconds=1))
    (row,) = shop.ana.get(PAYABLES).json
    assert (row["price"], row["unit"], row["currency"]) == (7, "piece", "MXN")


def test_cells_that_earn_this_already_write_nothing(shop: Shop) -> None:
    assert put(shop.ana, cell(shop, None)).json == []
    written = put(shop.ana, cell(shop, 7), cell(shop, 3.2, "gram", itemId=None)).json
    assert [row.keys() for row in written] == [{"id", "version"}] * 2
    before = AuditEntry.objects.count(), OutboxEvent.objects.count()
    assert put(shop.ana, cell(shop, 7.0), cell(shop, 3.2, "gram", itemId=None)).json == []
    assert (AuditEntry.objects.count(), OutboxEvent.objects.count()) == before
    assert len(put(shop.ana, cell(shop, 7, "gram"), cell(shop, 3.2, "gram", itemId=None)).json) == 1


def test_one_write_of_many_cells_is_one_event_and_a_row_of_the_audit_each(shop: Shop) -> None:
    events = OutboxEvent.objects.count()
    put(shop.ana, cell(shop, 7), cell(shop, 8, itemId=None))
    (event,) = OutboxEvent.objects.order_by("pk")[events:]
    assert "process-item-prices" in str(event.payload)
    rows = AuditEntry.objects.filter(entity="process-item-prices").order_by("pk")
    assert [(row.label, row.action, row.user_name) for row in rows] == [
        (f"Fundición · {shop.item.key}", "created", "Ana Torres"),
        ("Fundición · *", "created", "Ana Torres"),
    ]
    assert rows[0].changes["price"] == {"before": None, "after": 7}
    assert rows[0].changes.keys() == {"processId", "itemId", "unit", "price", "since"}


def test_a_planned_price_is_changed_and_deleted(shop: Shop) -> None:
    later = clock.now() + 24 * HOUR
    made = shop.ana.post(PATH, cell(shop, 7, since=utc_z(later))).json
    assert (made["since"], made["version"], made["username"]) == (utc_z(later), 1, "Ana Torres")
    changed = shop.ana.put(f"{PATH}/{made['id']}", {"unit": "gram", "price": None, "since": utc_z(later + HOUR)}).json
    assert (changed["unit"], changed["price"], changed["version"]) == ("gram", None, 2)
    assert shop.ana.put(f"{PATH}/{made['id']}", {"itemId": None}).fields == {"itemId": "unknown_field"}
    assert shop.ana.delete(f"{PATH}/{made['id']}").json["id"] == made["id"]
    assert shop.ana.get(f"{PATH}/{made['id']}").status == 404
    actions = AuditEntry.objects.filter(entity="process-item-prices").order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["created", "changed", "deleted"]


def test_a_price_that_has_begun_stays(shop: Shop) -> None:
    made = shop.ana.post(PATH, cell(shop, 7)).json
    for answer in (shop.ana.put(f"{PATH}/{made['id']}", {"price": 8}), shop.ana.delete(f"{PATH}/{made['id']}")):
        assert (answer.status, answer.code) == (409, "price_in_force")
    assert ProcessItemPrice.objects.get().price == 7


def test_a_cell_has_one_price_from_one_time(shop: Shop) -> None:
    later = utc_z(clock.now() + 24 * HOUR)
    first = shop.ana.post(PATH, cell(shop, 7, since=later)).json
    answer = shop.ana.post(PATH, cell(shop, 8, since=later))
    assert (answer.status, answer.fields) == (409, {"since": "already_exists"})
    other = shop.ana.post(PATH, cell(shop, 8, itemId=None, since=later))
    assert other.status == 201
    assert shop.ana.post(PATH, cell(shop, 9, itemId=None, since=later)).code == "already_exists"
    assert put(shop.ana, cell(shop, 8), since=later).json == [{"id": first["id"], "version": 2}]
    assert sorted(ProcessItemPrice.objects.values_list("price", flat=True)) == [8, 8]


@pytest.mark.parametrize("values", [{"price": -1}, {"unit": "oz"}], ids=str)
def test_the_database_refuses_impossible_prices(shop: Shop, values: dict[str, Any]) -> None:
    put(shop.ana, cell(shop, 7))
    assert refused(ProcessItemPrice.objects.all(), **values)


@pytest.mark.parametrize("of", ["a product", "all products"])
def test_the_database_refuses_a_second_price_of_a_cell_from_one_time(shop: Shop, of: str) -> None:
    other = {"itemId": None} if of == "all products" else {}
    for hour in (1, 2):
        put(shop.ana, cell(shop, 7 + hour, **other), since=utc_z(clock.now() + hour * HOUR))
    assert refused(ProcessItemPrice.objects.all(), since=clock.now())


def test_prices_go_with_their_product_and_their_process(shop: Shop) -> None:
    ring = builders.item("Aro")
    process = builders.process("Esmalte")
    put(shop.ana, cell(shop, 7, itemId=ring.pk), cell(shop, 8, productionProcessId=process.pk), cell(shop, 9))
    assert shop.ana.delete(f"/api/items/{ring.pk}").status == 200
    assert shop.ana.delete(f"/api/production-processes/{process.pk}").status == 200
    assert ProcessItemPrice.objects.values_list("price", flat=True).get() == 9


def test_the_grid_has_a_row_for_each_active_product_with_its_own_prices(shop: Shop) -> None:
    later = clock.now() + 24 * HOUR
    necklace = builders.item("Collar")
    gone = builders.item("Dije")
    shop.ana.put(f"/api/items/{gone.pk}", {"status": False})
    put(shop.ana, cell(shop, 7), cell(shop, 3.2, "gram", productionProcessId=shop.polishing.pk))
    put(shop.ana, cell(shop, 6), cell(shop, 4, itemId=None))
    put(shop.ana, cell(shop, None), cell(shop, 1, "gram", itemId=None), since=utc_z(later))
    put(shop.ana, cell(shop, 5, itemId=necklace.pk))
    put(shop.ana, cell(shop, None, itemId=necklace.pk))

    def rows(query: str = "") -> list[tuple[str, list[Any], list[Any]]]:
        return [
            (
                row["name"],
                sorted((one["productionProcessId"], one["price"], one["unit"]) for one in row["prices"]),
                [(one["productionProcessId"], one["price"], one["since"]) for one in row["planned"]],
            )
            for row in shop.ana.get(f"{PATH}/grid?{query}").json
        ]

    ring = (
        "Anillo",
        sorted([(shop.casting.pk, 6, "piece"), (shop.polishing.pk, 3.2, "gram")]),
        [(shop.casting.pk, None, utc_z(later))],
    )
    assert sorted(rows()) == sorted([ring, ("Collar", [], [])])
    assert rows("priced=true") == [ring]
    assert rows("search=collar") == [("Collar", [], [])]
    casting, polishing = shop.ana.get(f"{PATH}/columns").json
    assert (casting["price"], casting["unit"], casting["currency"]) == (4, "piece", "MXN")
    assert [(one["price"], one["unit"]) for one in casting["planned"]] == [(1, "gram")]
    assert (polishing["price"], polishing["since"], polishing["planned"]) == (4.5, None, [])
    shop.ana.put(f"/api/production-processes/{shop.casting.pk}", {"price": 11})
    assert shop.ana.get(f"{PATH}/columns").json[0]["price"] == 11


def test_the_grid_and_a_write_of_many_cells_cost_a_constant_number_of_queries(shop: Shop) -> None:
    def queries(items: list[int], price: int) -> tuple[int, int]:
        cells = [cell(shop, price, itemId=pk, productionProcessId=process) for pk in items for process in processes]
        with CaptureQueriesContext(connection) as wrote:
            assert len(put(shop.ana, *cells).json) == len(cells)
        with CaptureQueriesContext(connection) as read:
            shop.ana.get(f"{PATH}/grid")
        return len(wrote), len(read)

    processes = [shop.casting.pk, shop.polishing.pk]
    queries([shop.item.pk], 1)  # the first call loads what the next ones know
    few = queries([builders.item().pk], 2)
    assert queries([builders.item().pk for _ in range(30)], 2) == few


def test_prices_of_all_times_are_listed_by_process_and_product(shop: Shop) -> None:
    for price in (7, 6):
        put(shop.ana, cell(shop, price), cell(shop, price + 2, itemId=None))
    put(shop.ana, cell(shop, 3.2, "gram", productionProcessId=shop.polishing.pk))

    def listed(query: str) -> list[float]:
        return [row["price"] for row in shop.ana.get(f"{PATH}?ordering=-id&{query}").json]

    assert listed(f"productionProcessId={shop.casting.pk}&ofAll=true") == [8, 9]
    assert listed(f"productionProcessId={shop.casting.pk}&itemId={shop.item.pk}") == [6, 7]
    assert listed(f"productionProcessId={shop.polishing.pk}") == [3.2]
    assert listed("ofAll=false") == [3.2, 6, 7]
    assert listed("search=anillo") == [3.2, 6, 7]
    assert listed("search=collar") == []


def test_reading_and_writing_need_their_permissions(shop: Shop) -> None:
    reader, writer = somebody(Permission.ListPiecePrices), somebody(Permission.UpdatePiecePrices)
    for path in (PATH, f"{PATH}/grid", f"{PATH}/columns"):
        assert (reader.get(path).status, writer.get(path).status) == (200, 403)
    assert put(reader, cell(shop, 7)).status == 403
    assert writer.post(PATH, cell(shop, 7)).json.keys() == {"id", "version"}
