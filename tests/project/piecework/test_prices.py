"""Piece prices keep their history, and each exit keeps the price of its moment."""

import csv
import io
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from project.access import token
from project.catalogs import bulk
from project.catalogs.models import ProcessPrice, ProductionProcess
from project.core import clock
from project.orders.models import ProcessRecord
from project.staffing.definitions import PRODUCTION_PROCESSES
from tests.builders import Caller, Shop, move, release, somebody
from tests.project.piecework.paying import EARNINGS, PAYABLES, PAYMENTS, item, left, paid, pay
from tests.project.printing.papers import read

PATH = "/api/production-processes"


def prices(shop: Shop, process_id: int) -> list[float]:
    answer = shop.ana.get(f"{PATH}/{process_id}/prices")
    assert answer.status == 200, answer
    return [row["price"] for row in answer.json]


def records(order: int) -> list[tuple[int, Decimal | None]]:
    """Pieces and price of each record of the order, oldest first."""
    return list(ProcessRecord.objects.filter(line__order=order).order_by("id").values_list("quantity", "price"))


def test_each_price_is_kept_with_user_and_time(shop: Shop) -> None:
    made = shop.ana.post(PATH, {"name": "Esmalte", "order": 3, "price": 4.5}).json["id"]
    shop.beto.put(f"{PATH}/{made}", {"price": 5.25})
    newest, first = shop.ana.get(f"{PATH}/{made}/prices").json
    assert (newest["price"], newest["userId"], newest["username"]) == (5.25, shop.beto.id, "Beto Torres")
    assert (first["price"], first["username"]) == (4.5, "Ana Torres")
    assert first["since"] <= newest["since"]


def test_only_a_changed_price_is_added(shop: Shop) -> None:
    made = shop.ana.post(PATH, {"name": "Esmalte", "order": 3}).json["id"]
    for change in ({"price": 0}, {"name": "Esmalte fino"}, {"price": 2}, {"price": 2.0}, {"price": 0}):
        assert shop.ana.put(f"{PATH}/{made}", change).status == 200
    assert prices(shop, made) == [0, 2, 0]


def test_prices_written_in_bulk_are_kept_too(shop: Shop) -> None:
    by = token.verify(shop.ana.bearer or "")
    fields = {"name": "Esmalte", "order": 3, "price": Decimal("3.5")}
    with transaction.atomic():
        bulk.entries_write(PRODUCTION_PROCESSES, [bulk.Planned(None, fields)], by=by)
    made = ProductionProcess.objects.get(name="Esmalte")
    with transaction.atomic():
        row = PRODUCTION_PROCESSES.rows().get(pk=made.pk)
        bulk.entries_write(PRODUCTION_PROCESSES, [bulk.Planned(row, {"price": Decimal(4)})], by=by)
    assert prices(shop, made.pk) == [4, 3.5]


def test_price_history_needs_permission_to_list_processes(shop: Shop) -> None:
    path = f"{PATH}/{shop.casting.pk}/prices"
    assert somebody("ListProductionProcesses").get(path).status == 200
    assert shop.carla.get(path).status == 403
    assert shop.ana.get(f"{PATH}/999999/prices").status == 404


def test_process_without_movements_is_deleted_with_its_prices(shop: Shop) -> None:
    made = shop.ana.post(PATH, {"name": "Esmalte", "order": 3}).json["id"]
    assert shop.ana.delete(f"{PATH}/{made}").status == 200
    assert not ProcessPrice.objects.filter(process=made).exists()


def test_exit_keeps_the_price_of_its_moment(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    assert records(order) == [(10, None)]
    shop.leave(order, shop.casting, 4)
    shop.ana.put(f"{PATH}/{shop.casting.pk}", {"price": 11})
    with clock.at(clock.now() + timedelta(days=1)):
        assert move(Caller(shop.ana.user), "out", order, shop.casting, 6).status == 200
    assert records(order) == [(4, Decimal("9.25")), (6, Decimal("11"))]


def test_part_that_stays_inside_has_no_price(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting, 4)
    assert records(order) == [(4, Decimal("9.25")), (6, None)]


def test_released_exit_loses_its_price_and_the_next_one_gets_the_current_price(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    shop.ana.put(f"{PATH}/{shop.casting.pk}", {"price": 11})
    release(shop.ana, order, shop.casting, "out")
    assert records(order) == [(10, None)]
    shop.leave(order, shop.casting)
    assert records(order) == [(10, Decimal("11"))]


@pytest.mark.parametrize(
    "values",
    [{"price": -1}, {"quantity_paid": 4, "released_at": clock.now()}, {"quantity_paid": 4, "output_at": None}],
    ids=["a negative price", "paid and released", "paid and inside"],
)
def test_database_refuses_paid_records_that_are_inside_or_released(shop: Shop, values: dict[str, object]) -> None:
    order = shop.approved(4)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    if "released_at" in values:
        values = values | {"released_by": shop.ana.id}
    if "output_at" in values:
        values = values | {"output_by": None}
    with pytest.raises(IntegrityError), transaction.atomic():
        ProcessRecord.objects.filter(line__order=order).update(**values)


@pytest.mark.parametrize(
    ("currency", "fine", "refused", "amount", "text"),
    [
        ("CLP", 9.2525, 9.25255, 28, "28 CLP"),
        ("MXN", 9.252525, 9.2525255, 27.76, "27.76 MXN"),
        ("TND", 9.2525255, 9.25252555, 27.758, "27.758 TND"),
    ],
)
def test_piecework_amounts_have_the_decimals_of_the_plants_currency(
    shop: Shop, settings: Any, tmp_path: object, currency: str, fine: float, refused: float, amount: float, text: str
) -> None:
    settings.PLANT_CURRENCY = currency
    settings.MEDIA_ROOT = tmp_path
    new = {"name": "Esmalte", "order": 3, "price": refused}
    assert shop.ana.post(PATH, new).fields == {"price": "too_many_decimals"}
    path = f"{PATH}/{shop.casting.pk}"
    assert shop.ana.put(path, {"price": refused}).fields == {"price": "too_many_decimals"}
    assert shop.ana.put(path, {"price": fine}).status == 200
    record = left(shop, 3)
    assert pay(shop.ana, item(record, 3, refused)).fields == {"items.0.price": "too_many_decimals"}
    (owed,) = shop.ana.get(f"{PAYABLES}/people").json
    assert owed["amount"] == amount
    assert shop.ana.get(EARNINGS).json["open"] == amount
    made = paid(shop.ana, item(record, 3, fine))
    assert (made["items"][0]["price"], made["items"][0]["amount"], made["total"]) == (fine, amount, amount)
    slip = shop.ana.post("/pdf/create-receipt", {"paymentId": made["id"]}).content
    assert text in "".join(page.text for page in read(slip))
    (row,) = csv.DictReader(io.StringIO(shop.ana.raw(f"{PAYMENTS}?format=csv").decode("utf-8-sig")))
    assert f"{row['Total']} {row['Moneda']}" == text
