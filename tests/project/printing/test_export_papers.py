"""Packing lists and commercial invoices, read back from their PDF: their sums equal the bill's."""

import re
from decimal import Decimal
from typing import Any

import pytest

from project.access.permissions import Permission
from project.catalogs.models import Company, Customer, ExportTaxItem, Item
from tests.builders import Answer, Caller, Shop, buyer, customer, item as product, somebody
from tests.project.billing.billing import ADDRESS, PATH, billed, done, of, pre_billed, prepare
from tests.project.printing.papers import read

PRINT = "/pdf/create-export"
PAPERS = ("packing-list", "commercial-invoice")


@pytest.fixture(autouse=True)
def trade(shop: Shop, settings: Any, tmp_path: object) -> None:
    settings.MEDIA_ROOT = tmp_path
    company = prepare(shop)
    Company.objects.filter(pk=company.pk).update(
        legal_name="Obrador SA de CV", tax_id="OBR010101AB1", commercial_address={**ADDRESS, "country": "MX"}
    )
    Customer.objects.filter(pk=shop.customer.pk).update(
        tax_id="74-1234567",
        addresses=[
            {"kind": "Commercial", "street": "5th Avenue 1", "city": "New York", "country": "US"},
            {"kind": "Shipping", "street": "Dock Street 9", "city": "Laredo", "country": "US"},
        ],
    )
    tariff = ExportTaxItem.objects.create(
        code="71131199",
        spanish_description="Artículos de joyería",
        english_description="Articles of jewelry",
        english_metal_name="Silver",
    )
    Item.objects.filter(pk=shop.item.pk).update(tax_item=tariff, description_english="<b>Ring</b>")


def printed(by: Caller, bill: int, paper: str, language: str = "es") -> Answer:
    return by.post(PRINT, {"deliveryId": bill, "paper": paper, "language": language})


def text_of(answer: Answer) -> str:
    assert answer.status == 200, answer
    return "\n".join(page.text for page in read(answer.content))


def packed(shop: Shop, *lines: int, of_box: int = 7, incoterm: str = "FCA", **fields: Any) -> dict[str, Any]:
    """A bill with a line for each number of pieces, in boxes of at most `of_box`, each 1.125 kg net and 1.250 kg
    gross."""
    order = done(shop, *lines)
    bill = billed(shop, *(of(order, place, count, price=12.345) for place, count in enumerate(lines, 1)), **fields)
    boxes = [
        {
            "netKg": 1.125,
            "grossKg": 1.25,
            "lines": [{"salesOrderId": order, "position": place, "quantity": min(of_box, count - first)}],
        }
        for place, count in enumerate(lines, 1)
        for first in range(0, count, of_box)
    ]
    boxes[0] |= {"lengthCm": 40, "widthCm": 30, "heightCm": 20}
    answer = shop.ana.put(f"{PATH}/{bill['id']}/export", {"incoterm": incoterm, "place": "Laredo, TX", "boxes": boxes})
    assert answer.status == 200, answer
    saved: dict[str, Any] = answer.json
    return saved


def number(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def test_packing_list_has_parties_contents_and_weights_in_both_languages(shop: Shop) -> None:
    bill = packed(shop, 10, 4)
    answer = printed(shop.ana, bill["id"], "packing-list")
    said = text_of(answer)
    for words in (
        *("Lista de empaque / Packing list", "Obrador SA de CV", "OBR010101AB1", "5th Avenue 1", "Dock Street 9"),
        *("74-1234567", "F-0001", "FCA Laredo, TX", "71131199", "Articles of jewelry", "<b>Ring</b>", "Mexico"),
        *("40 × 30 × 20 cm", "1.125 kg", "3.375 kg", "3.750 kg", "Artículos de joyería"),
    ):
        assert words in said, said
    assert answer.headers["Content-Disposition"] == 'attachment; filename="Packing_list_F-0001.pdf"'
    assert "MXN" not in said  # a packing list has no prices


def test_boxes_of_a_packing_list_hold_all_pieces_of_the_bill(shop: Shop) -> None:
    bill = packed(shop, *[9, 20, 3] * 8)
    pages = read(printed(shop.ana, bill["id"], "packing-list").content)
    assert len(pages) > 2
    assert {(round(page.width, 1), round(page.height, 1)) for page in pages} == {(215.9, 279.4)}
    said = "\n".join(page.text for page in pages)
    rows = re.findall(r"Mexico ([\d,]+) ([\d.]+) kg ([\d.]+) kg", said)
    boxes = bill["export"]["boxes"]
    assert [int(pieces) for pieces, _, _ in rows] == [box["lines"][0]["quantity"] for box in boxes]
    assert sum(int(pieces) for pieces, _, _ in rows) == sum(line["quantity"] for line in bill["lines"])
    (totals,) = re.findall(r"Totales / Totals ([\d,]+) ([\d,.]+) kg ([\d,.]+) kg", said)
    assert number(totals[0]) == sum(line["quantity"] for line in bill["lines"])
    assert number(totals[1]) == sum(Decimal(net) for _, net, _ in rows) == Decimal(str(bill["export"]["netKg"]))
    assert number(totals[2]) == sum(Decimal(gross) for _, _, gross in rows) == Decimal(str(bill["export"]["grossKg"]))


def test_sums_of_a_commercial_invoice_equal_the_bills(shop: Shop) -> None:
    foreign = product("Cadena")
    other = ExportTaxItem.objects.create(code="71171999", english_description="Imitation jewelry")
    Item.objects.filter(pk=foreign.pk).update(tax_item=other, origin="IT", tax_amount=16)
    first = done(shop, 10, 1_000)
    second = done(shop, items=[{"itemId": foreign.pk, "quantity": 3}])
    shop.status(second, 1, "Approved")
    shop.enter(second, shop.casting)
    shop.leave(second, shop.casting)
    shop.status(second, 1, "Done")
    bill = billed(
        shop,
        of(first, 1, 10, price=12.345),
        of(first, 2, 1_000, price=1.2345),
        of(second, 1, 3, price=99.99),
        currency="USD",
        shippingPrice=50,
    )
    shop.ana.put(f"{PATH}/{bill['id']}/export", {"incoterm": "CIP", "place": "New York"})
    answer = printed(shop.ana, bill["id"], "commercial-invoice", "en")
    said = text_of(answer)
    assert "Commercial invoice / Factura comercial" in said
    assert "CIP New York" in said
    assert answer.headers["Content-Disposition"] == 'attachment; filename="Commercial_invoice_F-0001.pdf"'
    amounts = [number(one) for one in re.findall(r"\d{1,4} [\d,.]+ USD ([\d,.]+) USD", said)]
    assert sum(amounts) == Decimal(str(bill["subtotal"]))
    by_tariff = dict(re.findall(r"^(\d{8}) .*?(?:Mexico|Italy) [\d,]+ ([\d,.]+) USD$", said, re.MULTILINE))
    assert set(by_tariff) == {"71131199", "71171999"}
    assert number(by_tariff["71171999"]) == Decimal("299.97")
    assert sum(number(one) for one in by_tariff.values()) == Decimal(str(bill["subtotal"]))
    for name in ("subtotal", "tax", "shippingPrice", "total"):
        assert f"{bill[name]:,.2f} USD" in said, (name, said)


@pytest.mark.parametrize("lines", [1, 4, 6, 8, 9, 10, 12])
def test_signature_is_on_the_page_of_the_total(shop: Shop, lines: int) -> None:
    bill = packed(shop, *[10] * lines)
    for paper, total in (
        ("commercial-invoice", f"Total {bill['total']:,.2f} MXN"),
        ("packing-list", "Totales / Totals"),
    ):
        pages = [page.text for page in read(printed(shop.ana, bill["id"], paper).content)]
        (signed,) = (place for place, text in enumerate(pages) if "firma" in text)
        assert signed == len(pages) - 1
        assert total in pages[signed], (lines, pages)
        assert "PO# " in pages[signed], "a line must be above it"


def test_papers_of_four_lines_are_one_page(shop: Shop) -> None:
    bill = packed(shop, 10, 10, 10, 10, of_box=10)
    for paper in PAPERS:
        assert len(read(printed(shop.ana, bill["id"], paper).content)) == 1, paper


@pytest.mark.parametrize("count", [12, 13, 16, 18, 20, 40])
def test_signature_stands_with_the_total_below_many_tariff_items(shop: Shop, count: int) -> None:
    products = [product(f"Anillo {number}") for number in range(count)]
    for number, one in enumerate(products):
        tariff = ExportTaxItem.objects.create(code=f"711311{number:02}", english_description="Articles of jewelry")
        Item.objects.filter(pk=one.pk).update(tax_item=tariff)
    order = shop.order(items=[{"itemId": one.pk, "quantity": 1} for one in products])
    draft = pre_billed(shop, *(of(order, place, price=2) for place in range(1, count + 1)))
    lines = [{"salesOrderId": order, "position": place, "quantity": 1} for place in range(1, count + 1)]
    export = {"incoterm": "FCA", "place": "Laredo", "boxes": [{"netKg": 1, "grossKg": 2, "lines": lines}]}
    assert shop.ana.put(f"{PATH}/{draft['id']}/export", export).status == 200
    for paper, last in (
        ("commercial-invoice", f"Total {draft['total']:,.2f} MXN"),
        ("packing-list", f"711311{count - 1}"),
    ):
        *before, signed = [page.text for page in read(printed(shop.ana, draft["id"], paper).content)]
        assert "firma" in signed
        assert "firma" not in "".join(before)
        assert last in signed, (paper, signed)


@pytest.mark.parametrize("language", ["es", "en"])
def test_labels_are_in_regular_weight_and_values_in_bold(shop: Shop, language: str) -> None:
    bill = packed(shop, 10, 4)
    for paper, total in (("commercial-invoice", f"{bill['total']:,.2f} MXN"), ("packing-list", "3.375 kg")):
        (page,) = read(printed(shop.ana, bill["id"], paper, language).content)
        assert page.fonts == {"Arimo", "Arimo-Bold"}
        for value in ("Obrador SA de CV", "F-0001", "FCA Laredo, TX", total):
            assert value.replace(" ", "") in page.bold, value
        for label in ("Exportador", "Consignee", "Origen", "Pieces", "Nombre y firma", "5th Avenue 1"):
            assert label in page.text, label
            assert label.replace(" ", "") not in page.bold, label
        assert len(page.marks) == 1


def test_long_words_stay_within_the_page(shop: Shop) -> None:
    word = "W" * 200
    tall = {"street": word, "city": word, "state": word, "neighborhood": word, "postalCode": "W" * 10, "country": "MX"}
    Company.objects.update(legal_name=word, tax_id="W" * 60, commercial_address=tall, email=f"{'w' * 60}@obrador.test")
    addresses = [{"kind": "Commercial", **tall}, {"kind": "Shipping", **tall}]
    Customer.objects.filter(pk=shop.customer.pk).update(name=word, tax_id="W" * 60, addresses=addresses)
    texts = {"english_description": word, "spanish_description": word, "english_metal_name": word}
    ExportTaxItem.objects.update(**texts)
    Item.objects.filter(pk=shop.item.pk).update(name=word, key=word, description_english=word)
    heads = {"invoiceNumber": "W" * 60, "guideNumber": "W" * 60, "notes": word, "customerSalesOrderId": word}
    order = done(shop, 10_000_000, customerSalesOrderId=heads.pop("customerSalesOrderId"))
    line = of(order, 1, 10_000_000, price=9_999.1234567)
    bill = billed(shop, line, currency="BHD", shippingPrice=9_999_999.999, **heads)
    box = {"netKg": 99_999.125, "grossKg": 99_999.25, "lengthCm": 10_000, "widthCm": 10_000, "heightCm": 10_000}
    content = {"salesOrderId": order, "position": 1, "quantity": 10_000_000}
    boxes = [{**box, "lines": [content]}]
    export = {"incoterm": "FCA", "place": word, "boxes": boxes}
    assert shop.ana.put(f"{PATH}/{bill['id']}/export", export).status == 200
    answers = [printed(shop.ana, bill["id"], paper, "es") for paper in PAPERS]
    answers.append(shop.ana.post("/pdf/create-delivery", {"deliveryId": bill["id"], "language": "es"}))
    for answer in answers:
        pages = read(answer.content)
        assert [page.outside for page in pages] == [[]] * len(pages)
        assert "10,000,000" in "".join(page.text for page in pages)


@pytest.mark.parametrize("paper", PAPERS)
def test_product_without_a_tariff_item_is_named_in_the_422(shop: Shop, paper: str) -> None:
    Item.objects.filter(pk=shop.item.pk).update(tax_item=None)
    answer = printed(shop.ana, packed(shop, 4)["id"], paper)
    assert (answer.status, answer.code) == (422, "tariff_item_required")
    assert answer.fields == {"lines.0.taxItemKey": "tariff_item_required"}
    assert answer.json["params"]["products"] == ["Anillo"]


def test_packing_list_needs_all_pieces_packed_and_invoice_an_incoterm(shop: Shop) -> None:
    order = done(shop, 10)
    bill = billed(shop, of(order, 1, 10))["id"]
    answer = printed(shop.ana, bill, "packing-list")
    assert (answer.status, answer.code, answer.json["params"]) == (422, "not_all_packed", {"packed": 0, "pieces": 10})
    answer = printed(shop.ana, bill, "commercial-invoice")
    assert (answer.status, answer.fields) == (422, {"incoterm": "incoterm_required"})


def test_boxes_that_exceed_an_edited_pre_bill_are_refused(shop: Shop) -> None:
    order = done(shop, 10)
    draft = pre_billed(shop, of(order, 1, 10))["id"]
    lines = [{"salesOrderId": order, "position": 1, "quantity": 10}]
    shop.ana.put(f"{PATH}/{draft}/export", {"boxes": [{"netKg": 1, "grossKg": 1, "lines": lines}]})
    assert printed(shop.ana, draft, "packing-list").status == 200
    shop.ana.put(f"{PATH}/{draft}", {"lines": [of(order, 1, 9)]})
    assert printed(shop.ana, draft, "packing-list").code == "boxes_exceed_bill"


def test_export_papers_need_permission_to_read_the_bill(shop: Shop) -> None:
    bill = packed(shop, 4)["id"]
    for paper in PAPERS:
        assert printed(somebody(Permission.PrintWorkSheet), bill, paper).status == 403
        assert printed(somebody(Permission.ReportListBills), bill, paper).status == 200
        assert printed(buyer(shop.customer), bill, paper).status == 200
        assert printed(buyer(customer()), bill, paper).fields == {"deliveryId": "unknown"}
    assert printed(shop.ana, bill, "waybill").status == 422
