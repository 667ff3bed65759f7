"""An RFC has its shape where the country is Mexico. Checked only where it changes (infra/docs/rules.md#catalogs)."""

import pytest

from project.catalogs.models import Company, Customer
from project.catalogs.tax_ids import wrong_rfc
from tests.builders import Shop

MEXICO, USA = {"street": "Calle 1", "country": "MX"}, {"street": "5th Avenue 1", "country": "US"}


@pytest.mark.parametrize(
    "tax_id", ["", "OBR010101AB1", "GAMA8001015B3", "Ñ&A010101AB1", "obr-010101-ab1", "XAXX010101000"]
)
def test_these_are_accepted(tax_id: str) -> None:
    assert wrong_rfc(tax_id, "", [MEXICO]) == []


@pytest.mark.parametrize("tax_id", ["por123", "OBR0101AB1", "OBRA0101011AB12", "74-1234567"])
def test_these_are_refused_in_mexico_alone(tax_id: str) -> None:
    assert [error.code for error in wrong_rfc(tax_id, "", [{"country": " méxico "}])] == ["invalid_rfc"]
    assert wrong_rfc(tax_id, "", [USA]) == wrong_rfc(tax_id, "", [MEXICO, USA]) == wrong_rfc(tax_id, "", [None]) == []


def test_company_with_a_wrong_rfc_is_refused_and_one_that_has_it_can_be_edited(shop: Shop) -> None:
    body = {"name": "Porfirio", "taxId": "por123", "commercialAddress": MEXICO}
    refused = shop.ana.post("/api/companies", body)
    assert (refused.status, refused.json["errors"][0]["field"], refused.json["errors"][0]["code"]) == (
        422,
        "taxId",
        "invalid_rfc",
    )
    old = Company.objects.create(name="Porfirio", tax_id="por123", commercial_address=MEXICO)
    assert shop.ana.put(f"/api/companies/{old.pk}", {**body, "phone": "762"}).status == 200
    assert shop.ana.put(f"/api/companies/{old.pk}", {**body, "taxId": "por124"}).status == 422


def test_customer_with_a_wrong_rfc_is_refused_unless_abroad(shop: Shop) -> None:
    body = {"name": "Luna", "taxId": "por123", "addresses": [{"kind": "Commercial", **MEXICO}]}
    assert shop.ana.post("/api/customers", body).json["errors"][0]["code"] == "invalid_rfc"
    assert shop.ana.post("/api/customers", {**body, "addresses": [{"kind": "Commercial", **USA}]}).status == 201
    assert not Customer.objects.filter(tax_id="por123", addresses__0__country="MX").exists()
