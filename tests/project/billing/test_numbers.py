"""Numbers of bills (F-0001) and pre-bills (P-0001), counted separately for each company."""

import csv
import io
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from project.audit.models import AuditEntry
from project.billing.models import Bill
from project.billing.rules import number_text
from project.catalogs.models import Company
from tests.builders import Shop
from tests.project.billing.billing import PATH, asked, billed, company, done, of, pre_billed, prepare


@pytest.fixture(autouse=True)
def prepared(shop: Shop) -> Company:
    return prepare(shop)


@pytest.mark.parametrize(
    ("number", "pre_bill_number", "text"),
    [
        (1, None, "F-0001"),
        (4, 9, "F-0004"),
        (9_999, None, "F-9999"),
        (10_000, None, "F-10000"),
        (None, 1, "P-0001"),
        (None, 12_345, "P-12345"),
    ],
)
def test_number_is_written_with_prefix_and_four_digits(
    number: int | None, pre_bill_number: int | None, text: str
) -> None:
    assert number_text(number, pre_bill_number) == text


def test_numbers_are_consecutive_for_each_company_and_refusals_use_none(shop: Shop) -> None:
    order, other = done(shop, 20), company("Obrador Export")
    assert billed(shop, of(order))["number"] == "F-0001"
    assert asked(shop.ana, of(order, 1, 21)).status == 409
    assert billed(shop, of(order), companyId=other.pk)["number"] == "F-0001"
    assert pre_billed(shop, of(order))["number"] == "P-0001"
    assert asked(shop.ana, of(order, 9), preBill=True).status == 422
    assert pre_billed(shop, of(order), companyId=other.pk)["number"] == "P-0001"
    assert pre_billed(shop, of(order))["number"] == "P-0002"
    assert billed(shop, of(order))["number"] == "F-0002"


def test_bill_keeps_its_pre_bill_number(shop: Shop) -> None:
    order = done(shop, 20)
    billed(shop, of(order))
    first, second = pre_billed(shop, of(order)), pre_billed(shop, of(order))
    assert (first["number"], first["preBillNumber"]) == ("P-0001", "P-0001")
    answer = shop.ana.put(f"{PATH}/{first['id']}", {"preBill": False, "guideNumber": "G"})
    assert (answer.json["number"], answer.json["preBillNumber"]) == ("F-0002", "P-0001")
    assert pre_billed(shop, of(order))["number"] == "P-0003"
    assert billed(shop, of(order))["preBillNumber"] is None
    gone = shop.ana.delete(f"{PATH}/{second['id']}").json
    assert (gone["status"], gone["number"]) == ("Canceled", "P-0002")
    gone = shop.ana.delete(f"{PATH}/{first['id']}").json
    assert (gone["status"], gone["number"]) == ("Canceled", "F-0002")
    assert pre_billed(shop, of(order))["number"] == "P-0004"


def test_pre_bill_gets_a_new_number_in_another_company(shop: Shop) -> None:
    order, other = done(shop, 20), company("Obrador Export")
    pre_billed(shop, of(order), companyId=other.pk)
    draft, second = pre_billed(shop, of(order)), pre_billed(shop, of(order))
    answer = shop.ana.put(f"{PATH}/{draft['id']}", {"companyId": other.pk, "notes": "era de la otra"})
    assert (answer.status, answer.json["number"]) == (200, "P-0002")
    body = {"companyId": other.pk, "preBill": False, "guideNumber": "G"}
    answer = shop.ana.put(f"{PATH}/{second['id']}", body)
    assert (answer.status, answer.json["number"], answer.json["preBillNumber"]) == (200, "F-0001", None)


def test_numbers_continue_after_9999(shop: Shop) -> None:
    order = done(shop, 20)
    Bill.objects.filter(pk=billed(shop, of(order))["id"]).update(number=9_999)
    assert billed(shop, of(order))["number"] == "F-10000"


def test_bill_is_found_by_its_number(shop: Shop) -> None:
    order = done(shop, 100, customerSalesOrderId="PO-X")
    drafts = [pre_billed(shop, of(order)) for _ in range(4)]
    bills = [billed(shop, of(order), guideNumber="G") for _ in range(3)]
    was = shop.ana.put(f"{PATH}/{drafts[0]['id']}", {"preBill": False, "guideNumber": "G"}).json
    assert was["number"] == "F-0004"

    def found(search: str) -> list[str]:
        answer = shop.ana.get(f"{PATH}/search?search={search}")
        assert answer.status == 200, answer
        return sorted(row["number"] for row in answer.json)

    assert found("F-0004") == found("f-4") == found("F4") == found("%20F-0004%20") == ["F-0004"]
    assert found("P-0004") == found("p-0004") == ["P-0004"]
    assert found("4") == found("0004") == ["F-0004", "P-0004"]
    assert found("P-0001") == ["F-0004"], "the bill made from this pre-bill"
    assert found("1") == ["F-0001"], "and P-0001 is F-0004 now"
    assert found("F-0009") == found("F--4") == found("F-99999999999") == []
    assert {bill["number"] for bill in bills} == {"F-0001", "F-0002", "F-0003"}


def test_number_in_files_and_audit_is_as_on_screen(shop: Shop) -> None:
    order = done(shop, 10)
    draft, bill = pre_billed(shop, of(order)), billed(shop, of(order))
    rows = list(csv.DictReader(io.StringIO(shop.ana.raw(f"{PATH}/search?format=csv").decode("utf-8-sig"))))
    assert [row["Número"] for row in rows] == ["F-0001", "P-0001"]
    labels = dict(AuditEntry.objects.filter(entity="delivery").values_list("entity_id", "label"))
    assert labels == {draft["id"]: "Obrador P-0001", bill["id"]: "Obrador F-0001"}


@pytest.mark.parametrize(
    "values", [{"pre_bill_number": None}, {"pre_bill_number": 0}, {"number": 1}, {"pre_bill_number": 1}], ids=str
)
def test_database_refuses_an_impossible_pre_bill(shop: Shop, values: dict[str, Any]) -> None:
    order = shop.order(1)
    pre_billed(shop, of(order))
    draft = pre_billed(shop, of(order))
    with pytest.raises(IntegrityError), transaction.atomic():
        Bill.objects.filter(pk=draft["id"]).update(**values)
