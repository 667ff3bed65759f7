"""The export part of a bill: terms and boxes."""

import json
from typing import Any

import pytest

from project.access.permissions import Permission
from realtime.models import OutboxEvent
from tests.builders import Answer, Caller, Shop, somebody
from tests.project.billing.billing import PATH, billed, done, of, pre_billed, prepare


@pytest.fixture
def bill(shop: Shop) -> dict[str, Any]:
    """A bill with two lines, of 10 and 4 pieces."""
    prepare(shop)
    order = done(shop, 10, 4)
    return billed(shop, of(order, 1, 10), of(order, 2, 4))


def content(bill: dict[str, Any], line: int, quantity: int) -> dict[str, Any]:
    place = bill["lines"][line]
    return {"salesOrderId": place["salesOrderId"], "position": place["position"], "quantity": quantity}


def box(*lines: dict[str, Any], net: float = 1.25, gross: float = 1.5, **fields: Any) -> dict[str, Any]:
    return {"netKg": net, "grossKg": gross, "lines": list(lines), **fields}


def written(by: Caller, bill: dict[str, Any], *boxes: dict[str, Any], **fields: Any) -> Answer:
    return by.put(f"{PATH}/{bill['id']}/export", {"boxes": list(boxes), **fields})


def test_boxes_are_numbered_in_order_and_summed(shop: Shop, bill: dict[str, Any]) -> None:
    first = box(content(bill, 0, 10), content(bill, 1, 1), lengthCm=40, widthCm=30, heightCm=20)
    second = box(content(bill, 1, 3), net=0.333, gross=0.333)
    answer = written(shop.ana, bill, first, second, incoterm="FCA", place="CDMX")
    assert answer.status == 200, answer
    assert answer.json["version"] == bill["version"] + 1
    empty = {"lengthCm": None, "widthCm": None, "heightCm": None}
    unknown = {"metalKg": None}
    assert answer.json["export"] == {
        "incoterm": "FCA",
        "place": "CDMX",
        "usdRate": None,
        "rateDay": None,
        "paymentForm": "",
        "boxes": [{"number": 1, **unknown, **first}, {"number": 2, **unknown, **empty, **second}],
        "pieces": 14,
        "netKg": 1.583,
        "grossKg": 1.833,
    }
    assert shop.ana.get(f"{PATH}/{bill['id']}").json == answer.json


def test_fields_left_out_keep_their_values(shop: Shop, bill: dict[str, Any]) -> None:
    packed = written(shop.ana, bill, box(content(bill, 0, 10)), incoterm="FCA").json["export"]
    answer = shop.ana.put(f"{PATH}/{bill['id']}/export", {"place": "Laredo"})
    assert answer.json["export"] == packed | {"place": "Laredo"}
    assert written(shop.ana, bill).json["export"]["boxes"] == []


def test_new_bill_has_an_empty_export(bill: dict[str, Any]) -> None:
    terms = {"incoterm": "", "place": "", "usdRate": None, "rateDay": None, "paymentForm": ""}
    assert bill["export"] == terms | {"boxes": [], "pieces": 0, "netKg": 0, "grossKg": 0}


def test_payment_form_is_a_code_of_the_sat_for_what_is_paid_at_once(shop: Shop, bill: dict[str, Any]) -> None:
    path = f"{PATH}/{bill['id']}/export"
    for code in ("03", "31", ""):
        assert shop.ana.put(path, {"paymentForm": code}).json["export"]["paymentForm"] == code
    for code in ("07", "99", "3", "xx"):
        answer = shop.ana.put(path, {"paymentForm": code})
        assert (answer.status, answer.fields) == (422, {"paymentForm": "not_a_choice"})


def test_gross_weight_of_a_box_cannot_be_less_than_its_net_weight(shop: Shop, bill: dict[str, Any]) -> None:
    answer = written(shop.ana, bill, box(content(bill, 0, 1)), box(content(bill, 0, 1), net=1.5, gross=1.499))
    assert (answer.status, answer.code) == (422, "gross_below_net")
    assert answer.fields == {"boxes.1.grossKg": "gross_below_net"}


def test_boxes_cannot_hold_more_than_the_bill(shop: Shop, bill: dict[str, Any]) -> None:
    answer = written(shop.ana, bill, box(content(bill, 0, 6), content(bill, 1, 4)), box(content(bill, 0, 5)))
    assert (answer.status, answer.code) == (422, "boxes_exceed_bill")
    assert answer.fields == {"boxes.1.lines.0.quantity": "boxes_exceed_bill"}
    assert answer.json["params"] == {"most": 10}


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"position": 99}, "boxes.0.lines.0.position", "unknown"),
        ({"salesOrderId": 999_999}, "boxes.0.lines.0.salesOrderId", "unknown"),
        ({"quantity": 0}, "boxes.0.lines.0.quantity", "too_small"),
        ({"quantity": True}, "boxes.0.lines.0.quantity", "invalid_type"),
    ],
)
def test_box_holds_only_pieces_of_the_bills_lines(
    shop: Shop, bill: dict[str, Any], change: dict[str, Any], field: str, code: str
) -> None:
    answer = written(shop.ana, bill, box(content(bill, 0, 1) | change))
    assert (answer.status, answer.fields) == (422, {field: code})


def test_box_is_not_empty_and_holds_each_line_once(shop: Shop, bill: dict[str, Any]) -> None:
    answer = written(shop.ana, bill, box(content(bill, 0, 1), content(bill, 0, 1)), box())
    assert answer.fields == {"boxes.0.lines.1.position": "named_twice", "boxes.1.lines": "required"}


@pytest.mark.parametrize("field", [{"incoterm": "XYZ"}, {"incoterm": "DAT"}, {"place": "x" * 201}, {"origin": "MX"}])
def test_only_incoterms_of_2020_are_accepted(shop: Shop, bill: dict[str, Any], field: dict[str, str]) -> None:
    assert written(shop.ana, bill, **field).status == 422


@pytest.mark.parametrize("net", [-0.001, 0.0001, 100_000.001, "1", None])
def test_weights_are_kilograms_with_at_most_three_decimals(shop: Shop, bill: dict[str, Any], net: Any) -> None:
    answer = written(shop.ana, bill, box(content(bill, 0, 1), net=net, gross=100_000))
    assert (answer.status, list(answer.fields)) == (422, ["boxes.0.netKg"])


@pytest.mark.parametrize("rate", [0, -1, 0.0000001, 1_000.1])
def test_the_exchange_rate_is_above_zero(shop: Shop, bill: dict[str, Any], rate: float) -> None:
    answer = written(shop.ana, bill, usdRate=rate)
    assert (answer.status, list(answer.fields)) == (422, ["usdRate"])


def test_second_writer_gets_412_when_the_bill_has_changed(shop: Shop, bill: dict[str, Any]) -> None:
    path = f"{PATH}/{bill['id']}/export"
    assert shop.ana.put(path, {"place": "CDMX"}, if_match=f'"{bill["version"]}"').status == 200
    answer = shop.beto.put(path, {"place": "Taxco"}, if_match=f'"{bill["version"]}"')
    assert (answer.status, answer.code) == (412, "stale_version")


def test_boxes_survive_an_edit_of_the_pre_bill(shop: Shop) -> None:
    prepare(shop)
    draft = pre_billed(shop, of(done(shop, 10), 1, 10))
    packed = written(shop.ana, draft, box(content(draft, 0, 10))).json["export"]
    changed = shop.ana.put(f"{PATH}/{draft['id']}", {"notes": "urgente"})
    assert changed.json["export"] == packed


def test_canceled_bill_cannot_be_packed(shop: Shop, bill: dict[str, Any]) -> None:
    canceled = shop.ana.delete(f"{PATH}/{bill['id']}")
    assert canceled.json["offers"]["export"] is False
    answer = written(shop.ana, bill, incoterm="FCA")
    assert (answer.status, answer.code) == (409, "already_canceled")


def test_packing_needs_permission_to_update_bills(shop: Shop, bill: dict[str, Any]) -> None:
    assert written(somebody(Permission.ReportListBills), bill, incoterm="FCA").status == 403
    assert written(somebody(Permission.UpdateDelivery), bill, incoterm="FCA").status == 200
    assert written(shop.ana, {"id": 999_999}, incoterm="FCA").status == 404


@pytest.mark.parametrize(("pieces", "carried"), [(100, True), (101, False)])
def test_event_carries_the_bill_with_at_most_200_lines_of_boxes(shop: Shop, pieces: int, carried: bool) -> None:
    prepare(shop)
    order = done(shop, pieces, pieces)
    bill = billed(shop, of(order, 1, pieces), of(order, 2, pieces))
    boxes = [box(content(bill, 0, 1), content(bill, 1, 1)) for _ in range(pieces)]
    assert written(shop.ana, bill, *boxes).status == 200
    data = json.loads(OutboxEvent.objects.filter(type="delivery.changed").latest("pk").payload)["data"]
    assert (data["bill"] is not None) is carried
