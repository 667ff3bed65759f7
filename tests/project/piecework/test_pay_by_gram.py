"""Pieces that earn by the gram: nothing until they are weighed, then price × grams, whole or in parts."""

import csv
import io
from typing import Any

import pytest

from project.access.permissions import Permission
from project.catalogs.models import ScrapReason
from project.orders.models import ProcessRecord
from project.piecework.models import PaymentItem
from tests.builders import Caller, Shop, line_path, somebody
from tests.constraints import refused
from tests.project.metal.grams import bench, check_books, sterling
from tests.project.piecework.paying import (
    EARNINGS,
    PAYABLES,
    PAYMENTS,
    cancel,
    item,
    left,
    paid,
    pay,
    pay_people,
)
from tests.project.printing.papers import read

PRICE = 3.2


@pytest.fixture
def by_gram(shop: Shop) -> int:
    """A record of 3 rings that left casting at 3.20 a gram, without a weight."""
    cells = [{"productionProcessId": shop.casting.pk, "itemId": shop.item.pk, "unit": "gram", "price": PRICE}]
    assert shop.ana.put("/api/process-item-prices", {"cells": cells}).status == 200
    return left(shop, 3)


def weigh(record: int, mg: int) -> None:
    ProcessRecord.objects.filter(pk=record).update(mg_out=mg, alloy=sterling())


def earned(shop: Shop) -> dict[str, Any]:
    figures: dict[str, Any] = shop.ana.get(EARNINGS).json
    return figures


def test_pieces_without_a_weight_are_pending_and_never_zero(shop: Shop, by_gram: int) -> None:
    left(shop, 2, shop.polishing)
    figures = earned(shop)
    assert (figures["open"], figures["today"], figures["unweighed"]) == (9, 9, 3)
    row = next(row for row in shop.ana.get(PAYABLES).json if row["id"] == by_gram)
    assert (row["unit"], row["price"], row["remainingGrams"]) == ("gram", PRICE, None)
    (owed,) = shop.ana.get(f"{PAYABLES}/people").json
    assert (owed["records"], owed["pieces"], owed["amount"], owed["unweighed"]) == (1, 2, 9, 3)
    for price in (PRICE, 0):
        answer = pay(shop.beto, item(by_gram, 3, price))
        assert (answer.status, answer.code) == (409, "record_unweighed")
        assert answer.json["params"] == {"processRecordId": by_gram}
    owes = {"userId": shop.ana.id, "records": 1, "pieces": 2, "amount": 9}
    assert pay_people(shop.beto, owes).status == 201
    assert ProcessRecord.objects.get(pk=by_gram).quantity_paid == 0


def test_a_person_with_unweighed_pieces_alone_is_listed_and_cannot_be_erased(shop: Shop, by_gram: int) -> None:
    (owed,) = shop.ana.get(f"{PAYABLES}/people").json
    assert (owed["userId"], owed["owedRecords"], owed["owedAmount"], owed["unweighed"]) == (shop.ana.id, 0, 0, 3)
    full_name = shop.ana.get(f"/identity/users/{shop.ana.id}").json["fullName"]
    answer = shop.beto.post(f"/identity/users/{shop.ana.id}/erase", {"name": full_name})
    assert (answer.status, answer.code) == (409, "still_owed")


def test_a_weight_prices_the_pieces_at_the_price_of_their_exit(shop: Shop, by_gram: int) -> None:
    cells = [{"productionProcessId": shop.casting.pk, "itemId": shop.item.pk, "unit": "piece", "price": 99}]
    shop.ana.put("/api/process-item-prices", {"cells": cells})
    weigh(by_gram, 25_310)
    figures = earned(shop)
    assert (figures["open"], figures["today"], figures["week"], figures["unweighed"]) == (80.99, 80.99, 80.99, 0)
    (row,) = shop.ana.get(PAYABLES).json
    assert (row["price"], row["remainingGrams"]) == (PRICE, 25.31)
    owes = {"userId": shop.ana.id, "records": 1, "pieces": 3, "amount": 80.99}
    assert pay_people(shop.beto, owes | {"amount": 81}).code == "owed_changed"
    (made,) = pay_people(shop.beto, owes).json
    (line,) = shop.beto.get(f"{PAYMENTS}/{made['id']}").json["items"]
    kept = {"quantity": 3, "grams": 25.31, "unit": "gram", "price": PRICE, "amount": 80.99}
    assert {name: line[name] for name in kept} == kept
    assert (earned(shop)["open"], earned(shop)["paid"]) == (0, 80.99)
    record = ProcessRecord.objects.get(pk=by_gram)
    assert (record.quantity_paid, record.mg_paid) == (3, 25_310)


def test_parts_add_up_to_the_weight_and_a_canceled_part_is_paid_again(shop: Shop, by_gram: int) -> None:
    weigh(by_gram, 1_000)
    first = paid(shop.beto, item(by_gram, 1, PRICE))
    second = paid(shop.beto, item(by_gram, 1, PRICE))
    assert list(PaymentItem.objects.order_by("pk").values_list("mg", flat=True)) == [333, 333]
    cancel(shop.beto, first["id"])
    (row,) = shop.ana.get(f"{PAYABLES}?pending=true").json
    assert (row["remainingQuantity"], row["remainingGrams"]) == (2, 0.667)
    last = paid(shop.beto, item(by_gram, 2, PRICE))
    assert [made["items"][0]["grams"] for made in (second, last)] == [0.333, 0.667]
    assert (last["total"], earned(shop)["open"]) == (2.13, 0)
    (row,) = shop.ana.get(PAYABLES).json
    assert (row["remainingQuantity"], row["remainingGrams"]) == (0, 0)
    assert ProcessRecord.objects.get(pk=by_gram).mg_paid == 1_000


def test_a_weight_does_not_change_what_a_piece_earns(shop: Shop) -> None:
    record = left(shop, 10)
    weigh(record, 25_310)
    assert earned(shop)["open"] == 92.5
    (row,) = shop.ana.get(PAYABLES).json
    assert (row["unit"], row["remainingGrams"]) == ("piece", None)
    made = paid(shop.beto, item(record))
    assert (made["total"], made["items"][0]["unit"], made["items"][0]["grams"]) == (92.5, "piece", None)
    assert ProcessRecord.objects.get(pk=record).mg_paid == 0


def test_paid_scrap_earns_by_its_grams_and_without_them_it_waits(shop: Shop, by_gram: int) -> None:
    bench(shop)
    ScrapReason.objects.filter(key="broken").update(payable=True)
    order = shop.approved(4)
    shop.enter(order, shop.casting)
    body = {"productionProcessId": shop.casting.pk, "quantity": 2, "reason": "broken"}
    for grams in ({"grams": 5}, {}):
        assert shop.ana.post(f"{line_path(order)}/scrap", body | grams).status == 200
    of_scrap = {mg: pk for pk, mg in ProcessRecord.objects.filter(scrapped=True).values_list("pk", "mg_scrap")}
    weighed, waits = of_scrap[5_000], of_scrap[None]
    rows = {row["id"]: row["remainingGrams"] for row in shop.ana.get(PAYABLES).json}
    assert rows == {by_gram: None, weighed: 5, waits: None}
    assert (earned(shop)["open"], earned(shop)["unweighed"]) == (16, 5)
    made = [paid(shop.beto, item(weighed, 1, PRICE)) for _ in range(2)]
    assert [(one["total"], one["items"][0]["grams"]) for one in made] == [(8, 2.5), (8, 2.5)]
    assert pay(shop.beto, item(waits, 2, PRICE)).code == "record_unweighed"
    assert refused(ProcessRecord.objects.filter(pk=weighed), mg_scrap=4_999)
    check_books()


def test_a_paid_record_keeps_its_exit(shop: Shop, by_gram: int) -> None:
    weigh(by_gram, 1_000)
    paid(shop.beto, item(by_gram, 1, PRICE))
    rows = ProcessRecord.objects.filter(pk=by_gram)
    for values in ({"mg_paid": 1_001}, {"mg_paid": -1}, {"mg_out": None}, {"mg_out": 332}, {"price_unit": "piece"}):
        assert refused(rows, **values), values


def slip(shop: Shop, payment: dict[str, Any]) -> str:
    """The words of a pay slip, with one blank between them."""
    pdf = shop.ana.post("/pdf/create-receipt", {"paymentId": payment["id"]}).content
    return " ".join(" ".join(page.text for page in read(pdf)).split())


def test_the_unit_and_the_grams_stand_on_slips_and_in_files(
    shop: Shop, by_gram: int, settings: Any, tmp_path: object
) -> None:
    settings.MEDIA_ROOT = tmp_path
    weigh(by_gram, 25_310)
    spanish = Caller(shop.ana.user, accept_language="es")
    (row,) = csv.DictReader(io.StringIO(spanish.raw(f"{PAYABLES}?format=csv").decode("utf-8-sig")))
    assert (row["Gramos por pagar"], row["Precio"], row["Por"]) == ("25.31", "3.20", "gramo")
    said = slip(shop, paid(shop.ana, item(by_gram, 3, PRICE)))
    for words in ("25.31 g", "3.20 MXN / g", "80.99 MXN"):
        assert words in said, said
    assert "MXN / g" not in slip(shop, paid(shop.ana, item(left(shop, 2, shop.polishing), 2, 4.5)))


def test_earnings_are_readable_without_a_permission(shop: Shop, by_gram: int) -> None:
    assert somebody().get(EARNINGS).json["unweighed"] == 0
    assert somebody(Permission.ReportPayOrders).get(PAYABLES).json[0]["unit"] == "gram"
