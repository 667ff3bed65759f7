"""Every amount in an answer or in a file has its currency."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from project.billing.documents import COLUMNS
from project.core.exporting import Column
from project.core.money import MINOR_UNITS, MORE_IN_PRICES
from project.piecework.documents import PAYABLE_COLUMNS, PAYMENT_COLUMNS
from project.reports import documents as reports
from tests.contract.operations import schema

MONEY = frozenset({"price", "sellPrice", "amount", "subtotal", "total", "shippingPrice", "preBilled", "week", "paid"})
FILES = [COLUMNS, PAYABLE_COLUMNS, PAYMENT_COLUMNS, reports.LINE_COLUMNS]


def amounts(part: dict[str, Any]) -> set[str]:
    fields = part.get("properties", {})
    return {name for name in MONEY & set(fields) if fields[name].get("type") == "number"}


def mentions(value: Any, reference: str) -> bool:
    if isinstance(value, dict):
        return value.get("$ref") == reference or any(mentions(inner, reference) for inner in value.values())
    return isinstance(value, list) and any(mentions(inner, reference) for inner in value)


def test_every_answer_with_an_amount_has_a_currency_in_itself_or_around_it() -> None:
    parts = schema()["components"]["schemas"]
    answers = {name: part for name, part in parts.items() if name.endswith("Out")}
    with_money = {name for name, part in answers.items() if amounts(part)}
    assert {"DeliveryOut", "DeliveryLineOut", "ItemOut", "PaymentItemOut", "EarningsOut"} <= with_money
    silent = {
        name
        for name in with_money
        if not any(
            "currency" in part["properties"]
            for other, part in answers.items()
            if other == name or mentions(part, f"#/components/schemas/{name}")
        )
    }
    assert silent == set()


@pytest.mark.parametrize("columns", FILES, ids=lambda columns: columns[0].key)
def test_every_file_with_an_amount_has_a_column_for_the_currency(columns: Sequence[Column[Any]]) -> None:
    keys = {column.key for column in columns}
    assert not keys & MONEY or "currency" in keys


def test_amounts_in_requests_have_at_most_the_decimals_of_the_finest_currency() -> None:
    """A schema cannot look at the field of the currency, so the refusal checks its decimals."""
    finest = max(MINOR_UNITS.values())
    parts = {name: part for name, part in schema()["components"]["schemas"].items() if not name.endswith("Out")}
    bounds = {
        field: option["multipleOf"]
        for part in parts.values()
        for field, found in part.get("properties", {}).items()
        if field in MONEY
        for option in found.get("anyOf", [found])
        if "multipleOf" in option
    }
    assert bounds.keys() == {"price", "sellPrice", "shippingPrice", "amount"}
    assert {bounds.pop("shippingPrice"), bounds.pop("amount")} == {float(Decimal(1).scaleb(-finest))}
    assert set(bounds.values()) == {float(Decimal(1).scaleb(-finest - MORE_IN_PRICES))}
