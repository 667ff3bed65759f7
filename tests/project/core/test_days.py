"""Days from 1900 to 2200 are accepted everywhere."""

from datetime import date
from typing import Any

import pytest
from django.db.models import Model

from project.orders.models import Line, SalesOrder
from tests.builders import Shop
from tests.constraints import refused
from tests.contract.operations import operations

TOO_EARLY, TOO_LATE = "1899-12-31", "2201-01-01"
DATE = {"type": "string", "format": "date"}


def _takes_days(parameter: dict[str, Any]) -> bool:
    schema = parameter["schema"]
    return (
        parameter["in"] == "query"
        and DATE.items()
        <= next((one for one in schema.get("anyOf", [schema]) if one.get("format") == "date"), {}).items()
    )


def _day_filters() -> list[tuple[str, str]]:
    """Every GET path with each of its query parameters that is a date."""
    return [
        (operation.template, parameter["name"])
        for operation in operations()
        for parameter in operation.description["parameters"]
        if operation.method == "GET" and _takes_days(parameter)
    ]


def test_every_date_filter_refuses_days_outside_the_range(shop: Shop) -> None:
    filters = _day_filters()
    assert ("/api/audit", "to") in filters
    for path, name in filters:
        for day in ("0001-01-01", TOO_EARLY, TOO_LATE, "9999-12-31"):
            answer = shop.ana.get(f"{path}?{name}={day}")
            refused = (answer.status, answer.fields.get(name))  # other parameters may be required
            assert refused == (422, "date_out_of_range"), (path, name, day)
        for day in ("1900-01-01", "2200-12-31"):
            assert shop.ana.get(f"{path}?{name}={day}").status < 500, (path, name, day)


@pytest.mark.parametrize("name", ["shipmentDate", "deliveryDate", "shippingDate"])
@pytest.mark.parametrize("day", ["0001-01-01", TOO_EARLY, TOO_LATE])
def test_line_refuses_days_outside_the_range(shop: Shop, name: str, day: str) -> None:
    line = {"itemId": shop.item.pk, "quantity": 1, name: day}
    body = {"customerId": shop.customer.pk, "customerSalesOrderId": "PO-1", "items": [line]}
    answer = shop.ana.post("/api/sales-order", body)
    assert (answer.status, answer.fields) == (422, {f"items.0.{name}": "date_out_of_range"})
    assert "1900-01-01" in answer.text


@pytest.mark.parametrize(("model", "column"), [(SalesOrder, "sales_order_date"), (Line, "delivery_date")])
def test_database_refuses_days_outside_the_range(shop: Shop, model: type[Model], column: str) -> None:
    shop.order(1)
    rows = model._default_manager.all()
    assert refused(rows, **{column: date(1, 1, 1)})
    assert not refused(rows, **{column: date(2200, 12, 31)})
