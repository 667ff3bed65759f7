"""Each field that people type on a line is stored, answered, refused and hidden as `orders.fields` declares it."""

import pytest
from pydantic.alias_generators import to_camel

from project.access.permissions import Permission
from project.orders.fields import FIELDS, TEXTS, LineFields
from tests.builders import Caller, Shop, line_path, person

DAYS = [name for name in FIELDS if name not in TEXTS]


def value(name: str) -> str:
    return "Para Lucía\nde Ana"[: TEXTS[name]] if name in TEXTS else "2026-12-08"


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_is_stored_changed_and_emptied(shop: Shop, name: str) -> None:
    field, empty = to_camel(name), LineFields.model_fields[name].default
    order = shop.order(
        items=[{"itemId": shop.item.pk, "quantity": 3, field: value(name)}, {"itemId": shop.item.pk, "quantity": 1}]
    )
    assert [line[field] for line in shop.ana.get(f"/api/sales-order/{order}").json["items"]] == [value(name), empty]
    for given in (empty, value(name)):
        answer = shop.ana.put(f"{line_path(order)}/full", {field: given})
        assert (answer.status, answer.json[field], shop.line(order)[field]) == (200, given, given)
    assert shop.ana.put(f"{line_path(order)}/full", {"quantity": 4}).json[field] == value(name)


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_that_is_too_long_changes_nothing(shop: Shop, name: str) -> None:
    order, field = shop.order(3), to_camel(name)
    assert shop.ana.put(f"{line_path(order)}/full", {field: "ñ" * TEXTS[name]}).status == 200
    answer = shop.ana.put(f"{line_path(order)}/full", {field: "a" * (TEXTS[name] + 1)})
    assert (answer.status, answer.fields) == (422, {field: "too_long"})
    assert shop.line(order)[field] == "ñ" * TEXTS[name]


@pytest.mark.parametrize("name", DAYS)
@pytest.mark.parametrize(
    ("day", "code"), [("1899-12-31", "date_out_of_range"), ("2026-02-30", "invalid_date"), (20261208, "invalid_date")]
)
def test_a_day_that_is_none_or_out_of_range_changes_nothing(shop: Shop, name: str, day: object, code: str) -> None:
    order, field = shop.order(3), to_camel(name)
    answer = shop.ana.put(f"{line_path(order)}/full", {field: day})
    assert (answer.status, answer.fields) == (422, {field: code})
    assert shop.line(order)[field] is None


@pytest.mark.parametrize("name", [name for name, field in FIELDS.items() if field.reads])
def test_a_private_field_is_empty_for_others(shop: Shop, name: str) -> None:
    field, empty = to_camel(name), LineFields.model_fields[name].default
    order = shop.order(items=[{"itemId": shop.item.pk, "quantity": 3, field: value(name)}])
    shop.status(order, 1, "Approved")
    wall = Caller(person("wall", Permission.ShopFloor))
    [line] = [one for one in wall.get("/api/shop-floor").json["lines"] if one["salesOrderId"] == order]
    assert line[field] == empty
    reader = Caller(person("reader", Permission.ShopFloor, next(iter(FIELDS[name].reads))))
    [line] = [one for one in reader.get("/api/shop-floor").json["lines"] if one["salesOrderId"] == order]
    assert line[field] == value(name)
