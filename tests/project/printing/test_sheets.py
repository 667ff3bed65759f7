"""The printed work sheet, measured in millimetres; its code is read by an independent decoder."""

from pathlib import Path

import pytest

from project.access.permissions import Permission
from project.catalogs.models import Company, Component, Customer, Item, ItemComponent, Material, ProductionProcess
from project.orders.models import SalesOrder
from project.printing import selectors
from project.printing.codes import Place
from project.printing.pages import LETTERS_AT_ONCE, portions
from project.printing.selectors import Sheet
from tests.builders import Shop, buyer, component, material, somebody
from tests.project.pictures import picture, upload
from tests.project.printing.papers import POINT, PRINT, code_on, near, pages, pictures_of, printed, texts


@pytest.fixture(autouse=True)
def media(settings: object, tmp_path: object) -> None:
    settings.MEDIA_ROOT = tmp_path  # type: ignore[attr-defined]


def pictured(shop: Shop) -> int:
    """Create an order with everything that a sheet can show."""
    company = Company.objects.create(name="Plata Viva")
    for path, size in (
        (f"/api/companies/{company.pk}/document/logo.jpeg", (500, 200)),
        (f"/api/items/{shop.item.pk}/document/anillo.jpeg", (700, 500)),
        (f"/api/customers/{shop.customer.pk}/document/quinto.jpeg", (400, 400)),
    ):
        assert upload(shop.ana, path, picture(size=size)).status == 201
    Item.objects.filter(pk=shop.item.pk).update(measures="18 mm")
    ItemComponent.objects.create(item=shop.item, component=component("Aro"), material=material("Plata"), place=1)
    line = {
        "itemId": shop.item.pk,
        "quantity": 40,
        "notes": "Pulir dos veces",
        "shipmentDate": "2026-03-01",
        "shippingDate": "2026-04-15",
        "deliveryDate": "2026-04-20",
    }
    return shop.order(items=[line, line, line], customerSalesOrderId="A-77")


def test_sheet_has_the_specified_layout(shop: Shop) -> None:
    (page,) = pages(printed(shop.ana, (pictured(shop), 2)))
    assert (page.width, page.height) == (near(215.9), near(279.4))
    assert page.fonts == {"Arimo-Bold"}
    by_width = sorted(page.pictures, key=lambda box: (box.top, box.left))
    logo, item, code, customer = by_width
    assert (logo.left, logo.top, logo.width) == (near(15), near(20), near(50))
    assert (item.top, item.width) == (near(20), near(70))
    assert (code.top, code.width, code.height) == (near(20), near(40), near(40))
    assert (customer.left, customer.width) == (near(code.left), near(40))
    assert code.right == near(215.9 - 15)
    labels = [page.word(word) for word in ("Quinto", "Recibido", "Cantidad")]
    assert all(label.left == near(15) for label in labels)
    in_column = [word for word in page.words if word.left < 15 + 60 and word.top < customer.bottom]
    assert max(word.right for word in in_column) <= 15 + 60


def test_sheet_with_twelve_processes_is_one_page_with_pictures_of_the_specified_width(shop: Shop) -> None:
    ProductionProcess.objects.bulk_create(ProductionProcess(name=f"Paso {n}", order=n) for n in range(3, 13))
    order = pictured(shop)
    assert upload(
        shop.ana, f"/api/customers/{shop.customer.pk}/document/quinto.jpeg", picture(size=(600, 600))
    ).status in (200, 201)
    (page,) = pages(printed(shop.ana, (order, 2)))
    logo, _item, code, customer = sorted(page.pictures, key=lambda box: (box.top, box.left))
    assert (logo.width, code.width, customer.width) == (near(50), near(40), near(40))


def test_sheet_has_the_data_of_its_line(shop: Shop) -> None:
    order = pictured(shop)
    shop.status(order, 3, "Canceled")
    (page,) = pages(printed(shop.ana, (order, 2)))
    for said in (
        "A-77",
        f"{order}-2",
        "2 de 2",
        "01-03-2026",
        "15-04-2026",
        "Q-7",
        "40",
        "Medidas: 18 mm",
        "Aro · Plata · Plata .925",
    ):
        assert said in page.text
    assert page.red == "Notas: Pulir dos veces"


def test_sheet_says_how_many_pieces_are_left_after_scrap(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.scrap(order, shop.casting, 4)
    for language, said in (("es", "6 de 10"), ("en", "6 of 10")):
        (page,) = pages(printed(shop.ana, (order, 1), language=language))
        assert said in page.text


def test_sheet_is_printed_in_either_language(shop: Shop) -> None:
    (page,) = pages(printed(shop.ana, (pictured(shop), 1), language="en"))
    for said in ("1 of 3", "Received", "Shipping", "Quantity", "Notes: Pulir dos veces"):
        assert said in page.text


def test_sheet_in_english_has_the_english_names_of_product_processes_and_components(shop: Shop) -> None:
    order = pictured(shop)
    Item.objects.filter(pk=shop.item.pk).update(description_english="Plain silver ring")
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(name_english="Casting")
    Component.objects.update(name_english="Band")
    Material.objects.update(name_english="Silver")
    for language, said in (
        ("en", ("Plain silver ring", "Casting", "Pulido", "Band · Silver · Plata .925")),
        ("es", ("Anillo", "Fundición", "Aro · Plata · Plata .925")),
    ):
        (page,) = pages(printed(shop.ana, (order, 1), language=language))
        for words in said:
            assert words in page.text
        assert ("Fundición" in page.text) is (language == "es")


def test_customer_name_replaces_a_missing_quinto(shop: Shop) -> None:
    order = pictured(shop)
    (with_quinto,) = pages(printed(shop.ana, (order, 1)))
    assert "Platería" not in with_quinto.text
    Customer.objects.filter(pk=shop.customer.pk).update(quinto="")
    for language, label in (("es", "Cliente"), ("en", "Customer")):
        (page,) = pages(printed(shop.ana, (order, 1), language=language))
        assert "Platería del Sur" in page.text
        assert "Quinto" not in page.text
        place, before = page.word(label), with_quinto.word("Quinto")
        assert (place.left, place.top) == (near(before.left), near(before.top))
        assert page.word("PO#").top == near(with_quinto.word("PO#").top)


def test_delivery_date_and_code_lead(shop: Shop) -> None:
    order = pictured(shop)
    (page,) = pages(printed(shop.ana, (order, 2)))
    date = page.word("20-04-2026")
    assert date.height == max(word.height for word in page.words)
    assert date.left == near(15)
    assert date.bottom < page.word("Quinto").top
    assert page.text.splitlines()[-1] == f"PO# A-77 · Línea 2 de 3 · Entrega 20-04-2026 · Código corto {order}-2"


def test_dates_that_are_not_set_are_a_small_dash(shop: Shop) -> None:
    order = shop.order(4)
    for language, dates in (
        ("es", ("Entrega –", "Recibido – Envío –")),
        ("en", ("Delivery –", "Received – Shipping –")),
    ):
        (page,) = pages(printed(shop.ana, (order, 1), language=language))
        assert [date in page.text for date in dates] == [True, True], page.text
        dashes = [word for word in page.words if word.text == "–"]
        assert [dash.height for dash in dashes] == [pytest.approx(9 * POINT, abs=0.1)] * 3
        assert page.text.splitlines()[-1].endswith(
            f" 1 · {'Código corto' if language == 'es' else 'Short code'} {order}-1"
        )


def test_notes_are_printed_only_if_present(shop: Shop) -> None:
    (page,) = pages(printed(shop.ana, (shop.order(4), 1)))
    assert (page.red, "Notas" in page.text) == ("", False)


def test_printed_code_is_read_by_another_decoder_and_leads_to_the_line(shop: Shop, tmp_path: Path) -> None:
    order = pictured(shop)
    code = code_on(printed(shop.ana, (order, 2)).content, tmp_path)
    assert shop.ana.post("/api/scan", {"code": code}).json == {"salesOrderId": order, "position": 2}


def test_line_without_pictures_has_placeholders_and_the_company_name(shop: Shop) -> None:
    Company.objects.create(name="Plata Viva")
    (page,) = pages(printed(shop.ana, (shop.order(4), 1)))
    assert "Plata Viva" in page.text
    assert [(box.width, box.height) for box in page.pictures] == [(near(40), near(40))]  # only the code is a picture
    assert [(mark.left, mark.bottom) for mark in page.marks] == [(near(15), near(32))]


def test_sheet_with_a_logo_does_not_have_the_products_mark(shop: Shop) -> None:
    (page,) = pages(printed(shop.ana, (pictured(shop), 1)))
    assert page.marks == []


def test_line_shows_its_own_picture(shop: Shop) -> None:
    order = shop.order(4)
    upload(shop.ana, f"/api/sales-order/{order}/position/1/upload/document", picture(size=(700, 200)))
    (page,) = pages(printed(shop.ana, (order, 1)))
    assert near(70) in [box.width for box in page.pictures]


def test_stored_file_that_is_no_picture_is_skipped(shop: Shop, tmp_path: Path) -> None:
    order = pictured(shop)
    for stored in tmp_path.rglob("*.jpeg"):
        stored.write_bytes(b"<svg onload=alert(1)>")
    (page,) = pages(printed(shop.ana, (order, 1)))
    assert "Plata Viva" in page.text
    for stored in tmp_path.rglob("*.jpeg"):
        stored.unlink()
    assert len(pages(printed(shop.ana, (order, 1)))) == 1


HOSTILE = '<img src="file:///etc/passwd"><script>alert(1)</script>&lt;b&gt;'


def test_typed_markup_is_printed_as_text_and_nothing_is_fetched(shop: Shop) -> None:
    address = '<img src="http://169.254.169.254/latest/meta-data/">'
    line = {"itemId": shop.item.pk, "quantity": 1, "notes": HOSTILE}
    order = shop.order(items=[line], customerSalesOrderId=address)
    Item.objects.filter(pk=shop.item.pk).update(name="</title><style>*{display:none}</style>", measures=HOSTILE)
    (page,) = pages(printed(shop.ana, (order, 1)))
    together = "".join(page.text.split())
    for written in (HOSTILE, address, "</title><style>*{display:none}</"):  # the last word continues on another line
        assert "".join(written.split()) in together
    assert "root:" not in page.text


def test_long_words_stay_within_the_page(shop: Shop) -> None:
    word = "W" * 200
    company = Company.objects.create(name=word)
    Customer.objects.filter(pk=shop.customer.pk).update(name=word, quinto="")
    Item.objects.filter(pk=shop.item.pk).update(name=word, key=word, measures=word)
    silver = Material.objects.create(name=word, description=word)
    ItemComponent.objects.create(item=shop.item, component=component(word), material=silver, place=1, notes=word)
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(name=word)
    line = {"itemId": shop.item.pk, "quantity": 1, "notes": word}
    order = shop.order(items=[line], customerSalesOrderId=word)
    for quinto in ("", "Q" * 60):
        Customer.objects.filter(pk=shop.customer.pk).update(quinto=quinto)
        said = pages(printed(shop.ana, (order, 1)))
        assert [page.outside for page in said] == [[]] * len(said)
        for page in said:
            feet = [word for word in page.words if word.top > 264]
            assert sum(foot.text.count("W") for foot in feet) == 200, "the foot names the whole PO#"
            assert feet[-1].text == f"{order}-1"
    assert company.name in "".join("".join(page.text.split()) for page in said)


def test_bidirectional_control_characters_are_ignored(shop: Shop) -> None:
    order = shop.order(4)
    SalesOrder.objects.update(customer_sales_order_id="PO \u202e12345")  # stored before such characters were refused
    answer = printed(shop.ana, (order, 1))
    (page,) = pages(answer)
    assert "12345" in page.text
    assert "54321" not in page.text


def test_other_alphabets_are_printed(shop: Shop) -> None:
    line = {"itemId": shop.item.pk, "quantity": 1, "notes": "Ñandú Łódź Ελλάδα Москва"}
    (page,) = pages(printed(shop.ana, (shop.order(items=[line]), 1)))
    assert "Ñandú Łódź Ελλάδα Москва" in page.text
    assert all(font.startswith("Arimo") for font in page.fonts)


def test_long_content_continues_on_another_page(shop: Shop) -> None:
    one = component("Aro")
    ItemComponent.objects.bulk_create(
        ItemComponent(item=shop.item, component=one, place=place, notes=f"nota {place}") for place in range(1, 61)
    )
    order = shop.order(4, 5)
    printed_pages = pages(printed(shop.ana, (order, None)))
    assert len(printed_pages) > 2
    for page in printed_pages:
        content = [word for word in page.words if word.bottom < 270]
        assert 250 > max(word.bottom for word in content) - 20 > 0
        assert "PO#" in page.text  # the foot names the order on every page
    assert all(f"nota {place}" in "".join(page.text for page in printed_pages) for place in range(1, 61))


def test_lines_are_printed_in_the_requested_order(shop: Shop) -> None:
    first, second = shop.order(1, 2, 3), shop.order(4)
    said = [page.text for page in pages(printed(shop.ana, (first, 3), (second, 1), (first, 1)))]
    assert ["3 de 3" in said[0], "1 de 1" in said[1], "1 de 3" in said[2]] == [True] * 3


def test_whole_order_is_printed_without_canceled_lines(shop: Shop) -> None:
    order = shop.order(1, 2, 3)
    shop.status(order, 2, "Canceled")
    said = [page.text for page in pages(printed(shop.ana, (order, None)))]
    assert ["1 de 2" in said[0], "3 de 3" in said[1]] == [True, True]


def test_line_total_excludes_canceled_lines_but_is_never_below_the_line_number(shop: Shop) -> None:
    order = shop.approved(1, 2, 3, 4)
    callers = (shop.ana, buyer(shop.customer))
    for canceled, totals in (((), (4, 4, 4, 4)), ((1,), (3, 3, 3, 4)), ((2, 4), (1, 2, 3, 4))):
        for position in canceled:
            shop.status(order, position, "Canceled")
        for position, total in enumerate(totals, start=1):
            for caller in callers:
                shown = caller.get(f"/api/work-sheets/{order}/position/{position}").json
                assert shown["linesCount"] == total, (canceled, position)
            (page,) = pages(printed(shop.ana, (order, position)))
            assert page.text.count(f"{position} de {total}") == 2, "in the column and in the foot"


def test_many_sheets_are_bound_in_order_with_each_picture_stored_once(shop: Shop) -> None:
    order = shop.order(*range(1, 46))
    upload(shop.ana, f"/api/items/{shop.item.pk}/document/anillo.jpeg", picture(size=(700, 500)))
    answer = printed(shop.ana, (order, None))
    said = pages(answer)
    assert [f"{place} de 45" in page.text for place, page in enumerate(said, start=1)] == [True] * 45
    codes, product = 45, 1
    assert pictures_of(answer.content) == codes + product


def test_file_has_the_specified_name(shop: Shop) -> None:
    order = shop.order(1, 2)
    SalesOrder.objects.filter(pk=order).update(customer_sales_order_id='A/77 "ñ"\r\nX: y')
    name = printed(shop.ana, (order, 1)).headers["Content-Disposition"]
    assert name == "attachment; filename*=utf-8''PO%23_A-77%20-%C3%B1---X-%20y-Linea_1.pdf"
    plain = shop.order(1, customerSalesOrderId="A-78")
    named = printed(shop.ana, (plain, 1)).headers["Content-Disposition"]
    assert named == 'attachment; filename="PO#_A-78-Linea_1.pdf"'


def test_unknown_line_is_named_and_nothing_is_printed(shop: Shop) -> None:
    order = shop.order(1)
    answer = printed(shop.ana, (order, 1), (order, 9), (999_999, 1))
    assert (answer.status, answer.fields) == (
        422,
        {"documents.1.position": "unknown", "documents.2.salesOrderId": "unknown"},
    )
    assert printed(shop.ana, (order, 9)).fields == {"documents.0.position": "unknown"}


def test_invalid_request_gets_422(shop: Shop) -> None:
    for body in ({}, {"documents": []}, {"documents": [{"position": 1}]}, {"documents": "<b>"}):
        assert shop.ana.post(PRINT, body).status == 422
    assert shop.ana.post(PRINT, {"documents": [{"salesOrderId": 1}], "html": "<b>"}).fields == {"html": "unknown_field"}


def test_printing_needs_its_own_permission(shop: Shop) -> None:
    order = shop.order(1)
    assert printed(somebody(Permission.PrintWorkSheet), (order, 1)).status == 200
    assert printed(somebody(Permission.ListSalesOrders, Permission.ListOrders), (order, 1)).status == 403
    assert printed(shop.nobody, (order, 1)).status == 401


def test_work_sheet_of_a_line_has_code_and_logo(shop: Shop) -> None:
    order = pictured(shop)
    shown = shop.ana.get(f"/api/work-sheets/{order}/position/2").json
    assert shop.ana.post("/api/scan", {"code": shown["code"]}).json == {"salesOrderId": order, "position": 2}
    assert shown["companyName"] == "Plata Viva"
    assert shop.nobody.raw(shown["logo"])
    assert shop.ana.get(f"/api/work-sheets/{order}/position/9").status == 404


def test_sheet_with_60_long_components_is_printed_whole(shop: Shop) -> None:
    """As one page it would take longer to lay out than the limit allows."""
    ring = Component.objects.create(name="A" * 200)
    silver = Material.objects.create(name="P" * 200, description="x" * 2_000)
    ItemComponent.objects.bulk_create(
        ItemComponent(item=shop.item, component=ring, material=silver, place=place, notes=f"nota-{place}-")
        for place in range(1, 61)
    )
    answer = printed(shop.ana, (shop.order(1, customerSalesOrderId="L-1"), None))
    assert answer.status == 200, answer
    said = texts(answer.content)
    assert [f"nota-{place}-" in "".join(said) for place in range(1, 61)] == [True] * 60
    assert [place for place, text in enumerate(said) if "Componentes" in text] == [0], "the head appears once"
    assert all("PO# L-1 · Línea 1 de 1" in text for text in said), "the foot is on every page"


def test_long_sheets_are_cut_into_portions() -> None:
    def of(*lengths: int) -> Sheet:
        components = tuple(selectors.Component("c" * length, "", "", "") for length in lengths)
        return Sheet(Place(1, 1), 1, "", "", "", "", "", 1, 1, None, (), (), "", "", components, ())

    half = LETTERS_AT_ONCE // 2
    cut = [
        [([len(one.name) for one in sheet.components], sheet.continued) for sheet in portion]
        for portion in portions([of(), of(half, half, half), of(), of(2 * LETTERS_AT_ONCE), of(half)])
    ]
    assert cut == [
        [([], False), ([half, half], False)],
        [([half], True), ([], False)],
        [([2 * LETTERS_AT_ONCE], False)],
        [([half], False)],
    ]
    assert [len(portion) for portion in portions([of()] * 45)] == [20, 20, 5]
