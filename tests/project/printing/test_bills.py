"""Bills and pre-bills, read back from their PDF."""

from typing import Any

import pytest

from project.access.permissions import Permission
from project.catalogs.models import Company, ExportTaxItem, Item
from tests.builders import Answer, Caller, Shop, somebody
from tests.project.billing.billing import PATH, billed, done, of, pre_billed, prepare
from tests.project.pictures import picture, upload
from tests.project.printing.papers import near, read

PRINT = "/pdf/create-delivery"


@pytest.fixture(autouse=True)
def trade(shop: Shop, settings: Any, tmp_path: object) -> None:
    """A company in Mexico and a product with the data that customs need."""
    settings.MEDIA_ROOT = tmp_path
    company = prepare(shop)
    company.commercial_address = {**company.commercial_address, "country": "MX"}
    company.save()
    tariff = ExportTaxItem.objects.create(
        code="71131199", english_description="Articles of jewelry", english_metal_name="Silver"
    )
    Item.objects.filter(pk=shop.item.pk).update(tax_item=tariff, description_english="<b>Ring</b>")


def printed(caller: Caller, delivery: int, language: str = "es") -> Answer:
    return caller.post(PRINT, {"deliveryId": delivery, "language": language})


def text_of(answer: Answer) -> str:
    assert answer.status == 200, answer
    return "\n".join(page.text for page in read(answer.content))


def test_bill_has_customs_data_in_both_languages(shop: Shop) -> None:
    order = done(shop, 1_000, customerSalesOrderId="A-77")
    delivery = billed(shop, of(order, 1, 1_000, price=1.2345), invoiceNumber="F-9", customRegime="EXD", currency="USD")
    answer = printed(shop.ana, delivery["id"])
    said = text_of(answer)
    for words in (
        *(
            "Factura / Invoice",
            "F-0001",
            "Folio CFDI / CFDI folio",
            "F-9",
            "G-1",
            "EXD Definitivo de exportación /",
            "Definitive export",
            "PO# A-77 · 1",
        ),
        *("71131199", "Articles of jewelry", "Silver", "Mexico", "<b>Ring</b>", "1,000", "1.2345 USD", "1,234.50 USD"),
        *("197.52 USD", "1,432.02 USD", "Platería del Sur", "Calle de la Veracruz"),
    ):
        assert words in said, said
    assert answer.headers["Content-Disposition"] == 'attachment; filename="Factura_F-0001.pdf"'


def test_requested_language_comes_first(shop: Shop) -> None:
    draft = pre_billed(shop, of(done(shop, 10)))
    answer = printed(shop.ana, draft["id"], "en")
    assert "Pro forma invoice / Prefactura" in text_of(answer)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="Prefactura_P-0001.pdf"'


def test_callers_language_comes_first_by_default(shop: Shop) -> None:
    draft = pre_billed(shop, of(done(shop, 10)))
    assert shop.ana.put(f"/identity/users/{shop.ana.id}/language", {"language": "en"}).status == 200
    answer = shop.ana.post(PRINT, {"deliveryId": draft["id"]})
    assert "Pro forma invoice / Prefactura" in text_of(answer)


def test_canceled_bill_is_stamped_in_red(shop: Shop) -> None:
    delivery = billed(shop, of(done(shop, 10)))

    def in_red() -> str:
        return "".join(page.red for page in read(printed(shop.ana, delivery["id"]).content))

    assert in_red() == ""
    shop.ana.delete(f"{PATH}/{delivery['id']}")
    assert in_red() == "Cancelada / Canceled"


@pytest.mark.parametrize("language", ["es", "en"])
def test_labels_are_in_regular_weight_and_values_in_bold(shop: Shop, language: str) -> None:
    draft = pre_billed(shop, of(done(shop, 1_000), 1, 1_000, price=1.2345), invoiceNumber="F-9", notes="Con cuidado")
    (page,) = read(printed(shop.ana, draft["id"], language).content)
    assert page.fonts == {"Arimo", "Arimo-Bold"}
    for value in ("Platería del Sur", "P-0001", "F-9", "Anillo", "1,000", "1,234.50 MXN", "Total"):
        assert value.replace(" ", "") in page.bold, value
    for label in (
        "Vende",
        "Seller",
        "Folio",
        "Cantidad",
        "Price",
        "Subtotal",
        "Notas",
        "Con cuidado",
        "Taxco",
        "Silver",
    ):
        assert label in page.text, label
        assert label.replace(" ", "") not in page.bold, label


def test_bill_of_a_company_without_a_logo_has_the_products_mark(shop: Shop) -> None:
    draft = pre_billed(shop, of(done(shop, 10)))

    def marks() -> list[float]:
        return [mark.right for page in read(printed(shop.ana, draft["id"]).content) for mark in page.marks]

    assert marks() == [near(215.9 - 15)]
    upload(shop.ana, f"/api/companies/{Company.objects.get().pk}/document/logo.jpeg", picture(size=(500, 200)))
    assert marks() == []


def test_long_bill_continues_on_more_pages_with_heads(shop: Shop) -> None:
    order = shop.order(*[10] * 60)
    draft = pre_billed(shop, *(of(order, place) for place in range(1, 61)))
    pages = read(printed(shop.ana, draft["id"]).content)
    assert len(pages) > 2
    assert all("Cantidad /" in page.text for page in pages[:-1])
    assert sum(page.text.count("PO# ") for page in pages) == 60


def test_printing_a_bill_needs_permission_to_read_it(shop: Shop) -> None:
    draft = pre_billed(shop, of(done(shop, 10)))
    assert printed(somebody(Permission.PrintWorkSheet), draft["id"]).status == 403
    assert printed(somebody(Permission.ReportListBills), draft["id"]).status == 200
    unknown = printed(shop.ana, 999_999)
    assert (unknown.status, unknown.fields) == (422, {"deliveryId": "unknown"})
