"""Canceled payments return their pieces to the payables and stay visible."""

from typing import Any

import pytest

from tests.builders import Shop
from tests.project.piecework.paying import PAYMENTS, cancel, item, left, paid, remaining


def test_canceled_payment_returns_its_pieces_and_keeps_user_time_and_reason(shop: Shop) -> None:
    record = left(shop)
    made = paid(shop.ana, item(record, 6))
    answer = cancel(shop.beto, made["id"], "otra persona")
    assert answer.status == 200, answer
    canceled = answer.json
    assert (canceled["status"], canceled["cancelNotes"], canceled["canceledBy"]) == (
        "Canceled",
        "otra persona",
        "Beto Torres",
    )
    assert canceled["canceledAt"].endswith("Z")
    assert (canceled["total"], canceled["items"], canceled["notes"]) == (made["total"], made["items"], made["notes"])
    assert remaining(shop.ana, record) == 10
    assert shop.ana.get(f"{PAYMENTS}/{made['id']}").json == canceled


def test_payment_can_be_canceled_only_once(shop: Shop) -> None:
    record = left(shop)
    made = paid(shop.ana, item(record, 6))
    cancel(shop.ana, made["id"])
    again = paid(shop.ana, item(record, 10))
    answer = cancel(shop.ana, made["id"])
    assert (answer.status, answer.code) == (409, "already_canceled")
    assert remaining(shop.ana, record) == 0
    assert shop.ana.get(f"{PAYMENTS}/{again['id']}").json["status"] == "Paid"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "required"),
        ({"notes": " "}, "required"),
        ({"notes": None}, "invalid_type"),
        ({"notes": "n" * 201}, "too_long"),
    ],
    ids=str,
)
def test_cancellation_needs_a_reason(shop: Shop, body: dict[str, Any], code: str) -> None:
    made = paid(shop.ana, item(left(shop)))
    answer = shop.ana.put(f"{PAYMENTS}/{made['id']}/cancel", body)
    assert (answer.status, answer.fields) == (422, {"notes": code})
    assert shop.ana.get(f"{PAYMENTS}/{made['id']}").json["status"] == "Paid"


def test_stale_version_does_not_cancel_the_payment(shop: Shop) -> None:
    made = paid(shop.ana, item(left(shop)))
    assert cancel(shop.ana, made["id"], if_match='"7"').code == "stale_version"
    assert cancel(shop.ana, made["id"], if_match=f'"{made["version"]}"').json["version"] == made["version"] + 1
