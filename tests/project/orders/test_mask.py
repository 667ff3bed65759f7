"""Offers masked by permissions and processes, by the same table as the client's."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from project.access.permissions import Permission
from project.access.principal import Principal
from project.core import clock
from project.orders.models import Line, ProcessRecord
from project.orders.offers import Offers, undoable
from project.orders.presenters import for_staff, history, mask
from project.orders.rules import Status
from project.orders.selectors import ShopProcess
from tests.builders import Shop

CASES = json.loads((Path(__file__).parents[2] / "contract" / "mask.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_offers_are_masked_by_permissions_and_processes(case: dict[str, Any]) -> None:
    offers = Offers.model_validate(case["offers"])
    processes = [
        ShopProcess(
            one["id"],
            one["name"],
            one["nameEnglish"],
            active=one["active"],
            own=one["id"] in case["processes"],
            weighs=one["weighs"],
        )
        for one in case["plant"]
    ]
    actions = mask(
        offers,
        weighed=case["weighed"],
        permissions=case["permissions"],
        processes=processes,
        user_id=case["userId"],
    )
    assert actions.model_dump(mode="json", by_alias=True) == case["actions"]


def reader(*permissions: Permission, is_customer: bool = False) -> Principal:
    return Principal(
        1, "Ana", frozenset(permissions), "one", datetime(2026, 3, 10, tzinfo=UTC), 1, is_customer=is_customer
    )


@pytest.mark.parametrize("permission", Permission)
def test_staff_notes_are_readable_only_by_staff_who_read_orders(permission: Permission) -> None:
    reads = permission in (
        Permission.ListSalesOrders,
        Permission.ListOrders,
        Permission.UpdateSalesOrder,
        Permission.UpdateSalesOrderPosition,
    )
    assert for_staff("Frágil", reader(permission)) == ("Frágil" if reads else "")
    assert for_staff("Frágil", reader(permission, is_customer=True)) == ""


def test_history_is_empty_without_its_permission() -> None:
    at = datetime(2026, 3, 10, tzinfo=UTC)
    record = ProcessRecord(pk=3, process_id=1, quantity=4, input_at=at, input_by_id=7)
    record.process_name, record.input_by_name = "Fundición", "Ana Torres"
    assert [row.id for row in history([record], reader(Permission.SalesOrderPositionRecord))] == [3]
    assert history([record], reader(Permission.ListOrders)) == []


def test_actions_of_an_answer_are_its_masked_offers(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    line = shop.line(order)
    assert [offer["maxQuantity"] for offer in line["offers"]["out"]] == [4]
    assert [move["type"] for move in line["actions"]["movements"]] == ["out", "in", "in"]
    (row,) = shop.ana.get("/api/sales-order/positions").json
    assert row["offers"] == line["offers"]


class Counted(list[ProcessRecord]):
    passes = 0

    def __iter__(self) -> Iterator[ProcessRecord]:
        self.passes += 1
        return super().__iter__()


def passes_over(length: int) -> int:
    """Count how often `undoable` iterates over a history of `length` open entries."""
    now = clock.now()
    records = Counted(
        ProcessRecord(pk=pk, process_id=1, quantity=1, input_at=now - timedelta(seconds=length - pk), input_by_id=1)
        for pk in range(length, 0, -1)
    )
    for record in list(records):
        record.entry_press, record.entry_lines = uuid4(), 1
    records.passes = 0
    line = Line(quantity=length, quantity_inside=length, status=Status.InProcess)
    assert len(undoable(line, records)) == length
    return records.passes


def test_longer_history_is_not_iterated_more_often() -> None:
    assert passes_over(100) == passes_over(2)
