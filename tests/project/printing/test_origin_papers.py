"""The certification of origin on the commercial invoice and on certificates, read back from the PDF."""

from datetime import timedelta
from typing import Any

import pytest

from project.access.permissions import Permission
from project.billing.models import Bill, BillLine
from project.catalogs.models import Company, Customer, ExportTaxItem, Item
from project.core import clock
from tests.builders import Answer, Shop, buyer, customer, somebody
from tests.project.billing.billing import ADDRESS, PATH, billed, done, of, prepare
from tests.project.printing.papers import read

STATEMENT = "I certify that the goods described in this document qualify as originating"


@pytest.fixture(autouse=True)
def exporter(shop: Shop, settings: Any, tmp_path: object) -> Company:
    settings.MEDIA_ROOT = tmp_path
    company = prepare(shop)
    Company.objects.filter(pk=company.pk).update(
        legal_name="Obrador SA de CV",
        certifier_name="María López",
        certifier_title="Gerente",
        certifier_role="producer",
        email="ventas@obrador.test",
        phone="762 622 0000",
        commercial_address={**ADDRESS, "country": "MX"},
    )
    Customer.objects.filter(pk=shop.customer.pk).update(
        addresses=[{"kind": "Commercial", "street": "5th Avenue 1", "city": "New York", "country": "US"}],
        emails=["buyer@example.com"],
        phones=[{"countryCode": "1", "number": "212 555 0100", "extension": ""}],
    )
    tariff = ExportTaxItem.objects.create(code="7113119900", english_description="Jewelry of silver")
    Item.objects.filter(pk=shop.item.pk).update(tax_item=tariff, origin_criterion="B", description_english="Ring")
    return Company.objects.get(pk=company.pk)


def bill_with_terms(shop: Shop) -> int:
    bill: int = billed(shop, of(done(shop, 10), 1, 10))["id"]
    assert shop.ana.put(f"{PATH}/{bill}/export", {"incoterm": "FCA", "place": "Laredo"}).status == 200
    return bill


def printed(shop: Shop, bill: int, paper: str, language: str = "en") -> Answer:
    return shop.ana.post("/pdf/create-export", {"deliveryId": bill, "paper": paper, "language": language})


def text_of(answer: Answer) -> str:
    assert answer.status == 200, answer
    return " ".join(" ".join(page.text for page in read(answer.content)).split())


@pytest.mark.parametrize("paper", ["commercial-invoice", "certificate-of-origin"])
def test_a_paper_has_the_nine_elements_in_both_languages(shop: Shop, paper: str) -> None:
    said = text_of(printed(shop, bill_with_terms(shop), paper))
    for words in (
        *("Producer / Productor", "María López", "Gerente", "Obrador SA de CV", "ventas@obrador.test", "762 622 0000"),
        *("5. Importer / Importador", "5th Avenue 1", "buyer@example.com", "+1 212 555 0100"),
        *("7113.11", "Ring", "This shipment only", STATEMENT, "Certifico que las mercancías", "María López, Gerente"),
    ):
        assert words in said, (words, said)


def test_the_certification_has_the_day_on_which_its_facts_were_there(shop: Shop) -> None:
    bill = bill_with_terms(shop)
    then = clock.today() - timedelta(days=40)
    Bill.objects.update(date=then)
    paper = "certificate-of-origin"
    assert text_of(printed(shop, bill, paper)).count(str(then)) == 2  # of the bill, of the certification
    line = BillLine.objects.get()
    BillLine.objects.update(issued={**line.issued, "origin_criterion": ""})
    said = text_of(printed(shop, bill, paper))
    assert (said.count(str(then)), said.count(str(clock.today()))) == (1, 1)


def test_an_invoice_begins_on_its_first_page_and_is_canceled_on_each(shop: Shop) -> None:
    bill = bill_with_terms(shop)
    shop.ana.delete(f"{PATH}/{bill}")
    pages = read(printed(shop, bill, "commercial-invoice").content)
    assert len(pages) == 2
    assert "Anillo" in pages[0].text
    assert [page.red for page in pages] == ["Canceled / Cancelada"] * 2


def test_an_exporter_names_the_producer_on_request_alone(shop: Shop) -> None:
    Company.objects.update(certifier_role="exporter")
    said = text_of(printed(shop, bill_with_terms(shop), "certificate-of-origin"))
    assert "Available upon" in said
    assert "importing authorities" in said


@pytest.mark.parametrize(
    "lacks", [{"origin_criterion": ""}, {"origin_criterion": "none"}], ids=["not said", "does not originate"]
)
def test_goods_that_do_not_originate_are_not_certified(shop: Shop, lacks: dict[str, str]) -> None:
    Item.objects.update(**lacks)
    bill = bill_with_terms(shop)
    assert STATEMENT not in text_of(printed(shop, bill, "commercial-invoice"))
    assert printed(shop, bill, "certificate-of-origin").code == "origin_required"


def test_a_domestic_bill_has_no_certificate(shop: Shop) -> None:
    Customer.objects.update(addresses=[{"kind": "Commercial", **ADDRESS, "country": "MX"}])
    bill = bill_with_terms(shop)
    assert STATEMENT not in text_of(printed(shop, bill, "commercial-invoice"))
    answer = printed(shop, bill, "certificate-of-origin")
    assert (answer.code, answer.fields) == ("origin_required", {"lines": "nothing_originates"})


def test_a_certificate_for_a_period_is_printed_as_it_was_made(shop: Shop, exporter: Company) -> None:
    done(shop, 10)
    body = {"customerId": shop.customer.pk, "companyId": exporter.pk, "begins": "2026-01-01", "ends": "2026-12-31"}
    made = shop.ana.post(f"{PATH}/certificates", body).json["id"]
    Item.objects.update(origin_criterion="none", name="Otro")
    Company.objects.update(certifier_name="Otra")
    answer = shop.ana.post("/pdf/create-certificate", {"certificateId": made, "language": "es"})
    said = text_of(answer)
    assert answer.headers["Content-Disposition"] == (
        'attachment; filename="Certificate_of_origin_2026-01-01_2026-12-31.pdf"'
    )
    for words in ("Certificado de origen", "2026-01-01 – 2026-12-31", "María López", "Anillo", "7113.11", STATEMENT):
        assert words in said, (words, said)
    asked = {"certificateId": made}
    assert somebody(Permission.PrintWorkSheet).post("/pdf/create-certificate", asked).status == 403
    assert buyer(shop.customer).post("/pdf/create-certificate", asked).status == 403
    wrong = shop.ana.post("/pdf/create-certificate", {"certificateId": 999_999})
    assert wrong.fields == {"certificateId": "unknown"}


def test_customers_print_the_certificate_of_their_own_bill(shop: Shop) -> None:
    bill = bill_with_terms(shop)
    asked = {"deliveryId": bill, "paper": "certificate-of-origin"}
    assert buyer(shop.customer).post("/pdf/create-export", asked).status == 200
    assert buyer(customer()).post("/pdf/create-export", asked).fields == {"deliveryId": "unknown"}
    assert Bill.objects.get().pk == bill
