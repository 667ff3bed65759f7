"""What is so with a line: one table of states for the server and for the sentence of the web client."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from project.catalogs.models import Customer, Item
from project.core import clock
from project.orders.documents import LineDocument, line_document, without_private
from project.orders.models import Line, SalesOrder
from project.orders.presenters import named
from project.orders.selectors import LightRecord, ShopProcess
from project.orders.ways import Way
from tests.builders import Shop

NOW = datetime(2026, 6, 15, 18, tzinfo=UTC)
PROCESSES = {1: "Limado", 2: "Engaste", 3: "Soldadura", 4: "Pulido"}
ENGLISH = {1: "Filing", 2: "Setting", 3: "Soldering", 4: ""}
SHOP = [ShopProcess(pk, name, ENGLISH[pk], active=True, own=False) for pk, name in PROCESSES.items()]
TABLE = Path(__file__).parents[2] / "contract" / "standing.json"
CASES: list[dict[str, Any]] = json.loads(TABLE.read_text(encoding="utf-8"))
READERS: dict[str, dict[str, Any]] = {
    "document": {"permissions": {"ListOrders", "SalesOrderPositionRecord"}, "is_customer": False},
    "ofCustomer": {"permissions": {"ListOrders"}, "is_customer": True},
}


def document_of(case: dict[str, Any]) -> LineDocument:
    """The document of a line in the state of a row of the table."""
    customer = Customer(pk=1, name="Casa Azul")
    order = SalesOrder(pk=1, customer=customer, status="InProcess", sales_order_date=NOW.date(), creation_date=NOW)
    records = [
        LightRecord(
            id=number,
            line_id=1,
            process_id=record["process"],
            process_name=PROCESSES[record["process"]],
            quantity=record["quantity"],
            quantity_paid=0,
            input_at=NOW - timedelta(hours=record["enteredHoursAgo"]),
            input_by_id=sum(record["by"].encode()),
            input_by_name=record["by"],
            output_at=None if record["leftHoursAgo"] is None else NOW - timedelta(hours=record["leftHoursAgo"]),
            output_by_id=None if record["leftHoursAgo"] is None else 2,
            output_by_name=record["leftBy"],
            scrapped=record.get("scrapped", False),
            released_at=NOW - timedelta(hours=record["releasedHoursAgo"]) if "releasedHoursAgo" in record else None,
            release_reason_key=record.get("reason"),
        )
        for number, record in enumerate(case["records"], 1)
    ]
    line = Line(
        pk=1,
        order=order,
        item=Item(pk=1, key="A-1", name="Anillo"),
        position=1,
        status=case["line"]["status"],
        quantity=case["line"]["quantity"],
        quantity_billed=case["line"]["quantityBilled"],
        quantity_inside=sum(record.quantity for record in records if record.open),
        quantity_scrapped=sum(record.quantity for record in records if record.scrapped and record.released_at is None),
        delivery_date=None
        if case["line"]["dueInDays"] is None
        else clock.day_of(NOW) + timedelta(days=case["line"]["dueInDays"]),
        creation_date=NOW,
    )
    line._state.fields_cache["forecast"] = None  # loaded: there is none
    newest_first = sorted(records, key=lambda record: (record.input_at, record.id), reverse=True)
    ways = {} if case["way"] is None else {1: Way(tuple(case["way"]))}
    with clock.at(NOW):
        return line_document(line, newest_first, SHOP, ways)


def shown(document: LineDocument, *, is_customer: bool) -> dict[str, Any]:
    """The parts of a document that the sentence is made of. Customers' accounts also read the names of processes."""
    parts = {"status", "quantity_good", "quantity_billed", "inside", "waiting", "standing"}
    found: dict[str, Any] = json.loads(document.model_dump_json(by_alias=True, include=parts))
    if is_customer:
        found["inside"] = [one.model_dump(mode="json", by_alias=True) for one in named(document.inside, SHOP)]
    return found


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_standing_follows_the_shared_table(case: dict[str, Any], reader: str) -> None:
    asked = READERS[reader]
    assert shown(without_private(document_of(case), **asked), is_customer=asked["is_customer"]) == case[reader]


@pytest.mark.django_db
def test_line_says_who_had_the_waiting_pieces_last(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    left_at = clock.now()
    with clock.at(left_at):
        shop.leave(order, shop.casting)
    (waits,) = shop.line(order)["waiting"]
    assert (waits["productionProcessId"], waits["quantity"], waits["fromProductionProcessId"]) == (
        shop.polishing.pk,
        10,
        shop.casting.pk,
    )
    assert (waits["by"], datetime.fromisoformat(waits["since"])) == (shop.ana.user.full_name, left_at)
    assert shop.line(order)["standing"]["kind"] == "waiting"
