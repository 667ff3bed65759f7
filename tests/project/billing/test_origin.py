"""What a bill certifies about the origin of its goods, what it lacks, and certificates for a period."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.billing import customs_rules as rules
from project.billing.customs_rules import At, Certifier, Gap, OriginGoods
from project.billing.models import OriginCertificate
from project.catalogs.models import Company, Customer, ExportTaxItem, Item
from project.parts.models import Part
from tests.builders import Shop, customer, somebody
from tests.project.billing.billing import PATH, billed, done, of, pre_billed, prepare

CERTIFIER = Certifier(1, "Obrador", "María López", "Gerente", "producer", "a@b.mx", "762 1", has_address=True)
RING = OriginGoods(7, "Anillo", "B", "7113119900", Decimal(100))
CERTIFICATES = f"{PATH}/certificates"


@pytest.fixture
def exporter(shop: Shop) -> Company:
    """A company that certifies, a customer in the United States, and a product that originates."""
    company = prepare(shop)
    Company.objects.filter(pk=company.pk).update(
        certifier_name="María López",
        certifier_title="Gerente",
        certifier_role="producer",
        email="ventas@obrador.test",
        phone="762 622 0000",
    )
    address = {"kind": "Commercial", "street": "5th Avenue 1", "city": "New York", "country": "US"}
    Customer.objects.filter(pk=shop.customer.pk).update(addresses=[address])
    tariff = ExportTaxItem.objects.create(code="7113119900", english_description="Jewelry of silver")
    Item.objects.filter(pk=shop.item.pk).update(tax_item=tariff, origin_criterion="B")
    return company


def origin(shop: Shop, bill: int) -> dict[str, Any]:
    answer = shop.ana.get(f"{PATH}/{bill}/origin")
    assert answer.status == 200, answer
    said: dict[str, Any] = answer.json
    return said


@pytest.mark.parametrize(
    ("lacks", "code"),
    [
        ({"name": ""}, "certifier_missing"),
        ({"title": ""}, "certifier_missing"),
        ({"role": ""}, "certifier_missing"),
        ({"email": ""}, "certifier_contact_missing"),
        ({"phone": ""}, "certifier_contact_missing"),
        ({"has_address": False}, "certifier_contact_missing"),
    ],
)
def test_a_company_without_one_of_the_elements_certifies_nothing(lacks: dict[str, Any], code: str) -> None:
    certifier = Certifier(**{**CERTIFIER.__dict__, **lacks})
    assert rules.certifier_gaps(certifier) == [Gap(code, At.company, 1, "Obrador")]
    assert rules.certified(certifier, [RING]) == []
    assert rules.certified(CERTIFIER, [RING]) == [RING]


def test_each_product_without_criterion_or_tariff_item_is_named_once() -> None:
    silent = OriginGoods(8, "Aro", "", "7113119900")
    bare = OriginGoods(9, "Broche", "A", "")
    foreign = OriginGoods(10, "Cadena", "none", "7113119900")
    goods = [RING, silent, silent, bare, foreign]
    assert [(gap.code, gap.id) for gap in rules.goods_gaps(goods)] == [("criterion_missing", 8), ("tariff_missing", 9)]
    assert rules.certified(CERTIFIER, goods) == [RING]


def test_the_six_digits_follow_from_the_tariff_item() -> None:
    assert rules.hs_code("7113119900") == rules.hs_code("71131199") == "7113.11"
    assert rules.hs_code("") == ""


@pytest.mark.parametrize(
    ("day", "rate"), [(date(2025, 8, 28), None), (date(2025, 8, 29), 5), (date(2026, 6, 30), 5), (date(2026, 7, 1), 7)]
)
def test_the_rate_is_that_of_the_day(day: date, rate: int | None) -> None:
    assert rules.duty_rate({date(2026, 7, 1): Decimal(7), date(2025, 8, 29): Decimal(5)}, day) == rate


@pytest.mark.parametrize(
    ("begins", "last"),
    [
        (date(2026, 1, 1), date(2026, 12, 31)),
        (date(2026, 3, 15), date(2027, 3, 14)),
        (date(2028, 2, 29), date(2029, 2, 28)),
    ],
)
def test_a_period_has_at_most_twelve_months(begins: date, last: date) -> None:
    assert rules.a_year_from(begins) == last
    rules.check_period(begins, last)


def test_a_bill_to_the_united_states_certifies_its_originating_lines(shop: Shop, exporter: Company) -> None:
    bill = billed(shop, of(done(shop, 10), 1, 10))["id"]
    said = origin(shop, bill)
    assert (said["abroad"], said["treaty"], said["gaps"]) == (True, True, [])
    assert (said["certified"], said["lines"]) == (1, 1)
    assert (said["dutyPercent"], said["duty"], said["certificate"]) == (None, None, None)


def test_what_goods_without_certified_origin_pay_is_said(shop: Shop, exporter: Company, settings: Any) -> None:
    settings.DUTY_WITHOUT_ORIGIN = {date(2020, 1, 1): Decimal("5.5")}
    Item.objects.filter(pk=shop.item.pk).update(origin_criterion="")
    bill = billed(shop, of(done(shop, 10), 1, 10, price=20))["id"]
    said = origin(shop, bill)
    assert (said["certified"], said["dutyPercent"], said["duty"]) == (0, 5.5, 11)
    assert said["gaps"] == [{"code": "criterion_missing", "at": "product", "id": shop.item.pk, "name": "Anillo"}]
    Item.objects.filter(pk=shop.item.pk).update(origin_criterion="B")
    mended = origin(shop, bill)
    assert (mended["certified"], mended["duty"], mended["gaps"]) == (1, 0, [])


def test_what_an_issued_bill_said_about_origin_stays(shop: Shop, exporter: Company) -> None:
    bill = billed(shop, of(done(shop, 10), 1, 10))["id"]
    Item.objects.filter(pk=shop.item.pk).update(origin_criterion="none")
    Company.objects.update(certifier_role="")
    assert origin(shop, bill)["certified"] == 1


@pytest.mark.parametrize(("country", "abroad"), [("MX", False), ("", False), ("DE", True)])
def test_origin_is_asked_for_in_countries_of_the_treaty_alone(
    shop: Shop, exporter: Company, country: str, abroad: bool
) -> None:
    address = {"kind": "Commercial", "street": "Calle 1", "country": country}
    Customer.objects.filter(pk=shop.customer.pk).update(addresses=[address])
    Company.objects.update(certifier_name="")
    said = origin(shop, pre_billed(shop, of(done(shop, 10), 1, 10))["id"])
    assert (said["abroad"], said["treaty"], said["gaps"], said["certified"]) == (abroad, False, [], 0)


def test_a_certificate_for_a_period_covers_bills_of_its_days(shop: Shop, exporter: Company) -> None:
    bill = billed(shop, of(done(shop, 10), 1, 10), date="2026-05-05")["id"]
    body = {
        "customerId": shop.customer.pk,
        "companyId": exporter.pk,
        "begins": "2026-01-01",
        "ends": "2026-12-31",
    }
    made = shop.ana.post(CERTIFICATES, body)
    assert made.status == 201, made
    assert (made.json["goods"], made.json["customerName"], made.json["createdBy"]) == (
        1,
        "Platería del Sur",
        "Ana Torres",
    )
    assert origin(shop, bill)["certificate"] == made.json
    assert shop.ana.get(f"{CERTIFICATES}?customerId={shop.customer.pk}").json == [made.json]
    assert shop.ana.get(f"{CERTIFICATES}?customerId={customer().pk}").json == []
    assert AuditEntry.objects.get(entity="certificates").entity_id == made.json["id"]
    assert Part.objects.get(pk="export").on


def test_list_of_certificates_reads_no_texts_of_products(shop: Shop, exporter: Company) -> None:
    done(shop, 1)
    body = {"customerId": shop.customer.pk, "companyId": exporter.pk, "begins": "2026-01-01", "ends": "2026-12-31"}
    for _ in range(3):
        assert shop.ana.post(CERTIFICATES, body).status == 201
    with CaptureQueriesContext(connection) as queries:
        assert [one["goods"] for one in shop.ana.get(CERTIFICATES).json] == [1, 1, 1]
    read = [one["sql"] for one in queries if 'FROM "billing_origincertificate"' in one["sql"]]
    assert len(read) == 1
    assert ', "billing_origincertificate"."issued",' not in read[0]


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"ends": "2025-12-31"}, {"ends": "before_start"}),
        ({"ends": "2027-01-01"}, {"ends": "period_too_long"}),
        ({"customerId": 999_999}, {"customerId": "unknown"}),
        ({"companyId": 999_999}, {"companyId": "unknown"}),
    ],
)
def test_wrong_certificates_are_refused(
    shop: Shop, exporter: Company, change: dict[str, Any], fields: dict[str, str]
) -> None:
    done(shop, 10)
    body = {"customerId": shop.customer.pk, "companyId": exporter.pk, "begins": "2026-01-01", "ends": "2026-12-31"}
    answer = shop.ana.post(CERTIFICATES, body | change)
    assert (answer.status, answer.fields) == (422, fields)
    assert not OriginCertificate.objects.exists()


def test_a_certificate_needs_a_certifier_and_a_product_that_originates(shop: Shop, exporter: Company) -> None:
    body = {"customerId": shop.customer.pk, "companyId": exporter.pk, "begins": "2026-01-01", "ends": "2026-12-31"}
    answer = shop.ana.post(CERTIFICATES, body)
    assert (answer.code, answer.fields) == ("origin_required", {"lines": "nothing_originates"})
    done(shop, 10)
    Company.objects.update(certifier_name="")
    answer = shop.ana.post(CERTIFICATES, body)
    assert (answer.code, answer.fields) == ("origin_required", {"companyId": "certifier_missing"})
    assert somebody(Permission.ReportListBills).post(CERTIFICATES, body).status == 403
