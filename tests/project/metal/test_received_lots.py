"""A receipt asks before the same document becomes a second lot and before it is far larger than any before it.

It takes no alloy that is inactive.
"""

import pytest

from project.catalogs.models import Alloy
from project.metal.models import Lot
from tests.builders import Shop, at_once
from tests.project.metal.grams import check_books
from tests.project.metal.weighing import alloy, receive


def test_the_same_document_of_a_supplier_is_received_again_only_if_it_is_confirmed(shop: Shop) -> None:
    ley = alloy()
    first = receive(shop.ana, ley, 25, document="F-77", day="2026-03-02").json
    answer = receive(shop.ana, ley, 30, "  CASA  fina ", document="f-77 ")
    assert (answer.status, answer.code) == (409, "same_document")
    assert answer.json["params"] == {
        "lotId": first["id"],
        "supplier": "Casa Fina",
        "document": "F-77",
        "day": "2026-03-02",
        "grams": 25.0,
    }
    assert "F-77" in answer.json["message"]
    assert Lot.objects.count() == 1
    assert receive(shop.ana, ley, 30, document="F-77", confirm=True).status == 201
    check_books()


def test_other_documents_and_suppliers_are_not_asked_about(shop: Shop) -> None:
    ley = alloy()
    for supplier, document in (("Casa Fina", "F-77"), ("Casa Fina", "F-78"), ("Otra Casa", "F-77")):
        assert receive(shop.ana, ley, 25, supplier, document=document).status == 201
    for _ in range(2):
        assert receive(shop.ana, ley, 25, document="").status == 201


def test_one_of_many_receipts_of_a_document_at_once_is_taken(busy_shop: Shop) -> None:
    ley = alloy()
    answers = at_once([lambda: receive(busy_shop.ana, ley, 25, document="F-77")] * 6)
    assert sorted(answer.status for answer in answers) == [201, *[409] * 5]


def test_a_confirmation_is_true_or_false(shop: Shop) -> None:
    assert receive(shop.ana, alloy(), confirm="yes").fields == {"confirm": "invalid_type"}


def test_a_lot_of_an_inactive_alloy_is_refused(shop: Shop) -> None:
    ley = alloy()
    Alloy.objects.filter(pk=ley.pk).update(status=False)
    answer = receive(shop.ana, ley)
    assert (answer.status, answer.fields) == (422, {"alloyId": "inactive"})
    assert not Lot.objects.exists()


@pytest.mark.parametrize(("before", "grams", "asks"), [(100, 2_000, False), (100, 2_000.001, True), (40, 1_000, False)])
def test_receipt_of_more_than_20_times_the_largest_one_and_over_1_kg_is_asked_about(
    shop: Shop, before: float, grams: float, asks: bool
) -> None:
    ley, other = alloy(), alloy("Otra ley")
    assert receive(shop.ana, other, 1).status == 201
    assert receive(shop.ana, ley, before / 2).status == 201, "nothing was received before: nothing is far"
    assert receive(shop.ana, ley, before).status == 201
    answer = receive(shop.ana, ley, grams)
    if not asks:
        assert answer.status == 201
        return
    assert (answer.status, answer.code) == (409, "receipt_far")
    assert answer.json["params"] == {"alloy": "Ley 925", "grams": grams, "largest": before, "times": 20}
    assert Lot.objects.count() == 3
    assert receive(shop.ana, ley, grams, confirm=True).status == 201
    assert receive(shop.ana, ley, grams * 20).status == 201, "the confirmed receipt is the largest one now"
    check_books()
