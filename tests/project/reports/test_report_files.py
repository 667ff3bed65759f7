"""Every report and dashboard list can be exported as a file; other operations refuse `format`."""

import csv
import io

import pytest
from openpyxl import load_workbook

from project.catalogs.models import Item
from project.core import clock
from tests.builders import Shop
from tests.contract.operations import Operation, operations

READS = [operation for operation in operations() if operation.method == "GET"]
NO_FILES = [operation for operation in READS if "format" not in operation.parameters]
REPORTS = [
    operation
    for operation in READS
    if operation.template.startswith("/api/reports") and "format" in operation.parameters
]


@pytest.mark.parametrize("report", REPORTS, ids=str)
def test_every_report_and_dashboard_list_can_be_exported(shop: Shop, report: Operation) -> None:
    order = shop.approved(3)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    shop.order(1, items=[{"itemId": shop.item.pk, "quantity": 1, "deliveryDate": clock.today().isoformat()}])
    path = report.path
    answer = shop.ana.get(f"{path}?format=csv", accept_language="en")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/csv; charset=utf-8")
    heads = next(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert heads
    assert not [head for head in heads if head.startswith("column_")]
    book = load_workbook(io.BytesIO(shop.ana.raw(f"{path}?format=xlsx")))
    assert book.active is not None
    assert [cell.value for cell in book.active[1]] != [None]
    assert shop.ana.get(f"{path}?format=pdf").fields == {"format": "not_a_choice"}


def test_files_hold_what_the_lists_show(shop: Shop) -> None:
    order = shop.approved(3)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting, 2)
    rows = _csv_of(shop, "/api/reports/throughput")
    assert [(row["Process"], row["Pieces"]) for row in rows] == [("Fundición", "2"), ("Pulido", "0")]
    assert [row["Pieces"] for row in _csv_of(shop, "/api/reports/flow")] == ["2"]
    path = f"/api/reports/sales-orders/details/status/InProcess/start-date/{clock.today()}/end-date/{clock.today()}"
    assert [(row["Lines"], row["Quantity"]) for row in _csv_of(shop, path)] == [("1", "3")]


def test_files_in_english_have_the_english_names_of_products(shop: Shop) -> None:
    Item.objects.filter(pk=shop.item.pk).update(description_english="Silver ring")
    shop.approved(3)
    assert [row["Product"] for row in _csv_of(shop, "/api/reports")] == ["Silver ring"]


def _csv_of(shop: Shop, path: str) -> list[dict[str, str]]:
    answer = shop.ana.get(f"{path}?format=csv", accept_language="en")
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


@pytest.mark.parametrize("operation", NO_FILES, ids=str)
def test_operation_without_files_refuses_format(shop: Shop, operation: Operation) -> None:
    required = "customerId=1&productionProcessId=1&ids=1"
    answer = shop.ana.get(f"{operation.path}?format=csv&{required}")
    assert (answer.status, answer.fields) == (422, {"format": "not_a_file"})
