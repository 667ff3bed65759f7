"""Labels of lines, batches and bills, read back from their PDF: sizes, texts, copies and codes."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.billing.models import BillLine
from project.billing.selectors import bill_get
from project.catalogs.models import Alloy, Item
from project.orders.models import Line, SalesOrder
from project.printing.labels import MARGIN
from project.printing.selectors import labels_of_bill
from tests.builders import Answer, Caller, Shop, buyer, somebody
from tests.project.batches.batching import batch_of, new_batch, put_on
from tests.project.billing.billing import billed, done, of, pre_billed, prepare
from tests.project.printing.papers import POINT, SLACK, Page, code_on, pages, printed, read, texts

PRINT = "/pdf/create-labels"
SIZES = [(50, 25), (62, 29), (100, 50), (40, 20), (40, 160), (160, 20), (102, 152)]


def silver(fineness: int = 9_250) -> Alloy:
    return Alloy.objects.create(name=f"Plata de {fineness}", fineness=fineness)


@pytest.fixture
def order(shop: Shop) -> int:
    """An order with lines of 18 and 5 pieces of sterling silver."""
    Item.objects.filter(pk=shop.item.pk).update(alloy=silver(), key="A-1")
    return shop.order(18, 5, customerSalesOrderId="A-77")


def labels(by: Caller, size: tuple[int, int] = (50, 25), **fields: Any) -> Answer:
    return by.post(PRINT, {"width": size[0], "height": size[1], "language": "es"} | fields)


def of_line(
    shop: Shop, order: int, position: int | None = 1, size: tuple[int, int] = (50, 25), **fields: Any
) -> Answer:
    place = {"salesOrderId": order, **({"position": position} if position else {})}
    return labels(shop.ana, size, **{"documents": [place], **fields})


def cut(page: Page) -> list[str]:
    """The words that a printer would cut, or that lie on the code."""
    (code,) = page.pictures
    reach = MARGIN - SLACK
    return [
        word.text
        for word in page.words
        if word.left < reach
        or word.right > page.width - reach
        or word.top < reach
        or word.bottom > page.height - reach
        or (
            word.left < code.right - SLACK
            and word.right > code.left + SLACK
            and word.top < code.bottom - SLACK
            and word.bottom > code.top + SLACK
        )
    ]


@pytest.mark.parametrize("size", SIZES)
def test_label_is_one_page_of_its_size_with_all_of_its_texts(shop: Shop, order: int, size: tuple[int, int]) -> None:
    (page,) = pages(of_line(shop, order, size=size))
    assert (page.width, page.height) == (pytest.approx(size[0], abs=0.01), pytest.approx(size[1], abs=0.01))
    said = " ".join(page.text.split())
    for text in ("PO# A-77", "A-1 · Anillo", "Línea 1 de 2", "Piezas: 18", "Ley .925", "Hecho en México", f"{order}-1"):
        assert text in said, (text, said)
    assert cut(page) == []
    assert page.fonts == {"Arimo-Bold"}


@pytest.mark.parametrize("size", SIZES)
def test_code_is_read_as_a_label_printer_prints_it_and_leads_to_the_line(
    shop: Shop, order: int, size: tuple[int, int], tmp_path: Path
) -> None:
    code = code_on(of_line(shop, order, 2, size).content, tmp_path, dpi=203)
    assert shop.ana.post("/api/scan", {"code": code}).json == {"salesOrderId": order, "position": 2}


def test_label_is_in_either_language_and_says_in_spanish_where_it_was_made(shop: Shop, order: int) -> None:
    (page,) = pages(of_line(shop, order, language="en"))
    said = " ".join(page.text.split())
    for text in ("Line 1 of 2", "Pieces: 18", "Fineness .925", "Made in Mexico", "Hecho en México"):
        assert text in said
    Item.objects.filter(pk=shop.item.pk).update(origin="IT")
    (page,) = pages(of_line(shop, order))
    assert "Hecho en Italia" in page.text
    assert "México" not in page.text


@pytest.mark.parametrize(
    ("fineness", "said"),
    [(9_250, "Ley .925"), (5_850, "Ley .585"), (7_500, "Ley .750"), (9_999, "Ley .9999"), (10_000, "Ley 1.000")],
)
def test_fineness_is_written_as_jewellers_do(shop: Shop, fineness: int, said: str) -> None:
    Item.objects.filter(pk=shop.item.pk).update(alloy=silver(fineness))
    (page,) = pages(of_line(shop, shop.order(1)))
    assert said in page.text.splitlines()


def test_label_without_precious_metal_says_no_fineness(shop: Shop) -> None:
    order = shop.order(1)
    assert "Ley" not in pages(of_line(shop, order))[0].text
    Item.objects.filter(pk=shop.item.pk).update(alloy=silver(0))
    assert "Ley" not in pages(of_line(shop, order))[0].text


LONG_NAME = "Dije ovalado grande con piedra lunar natural, calado a mano 1"
LONG_PO = "OC-2026-000123-TIENDAS-DEPARTAMENTALES-DEL-NORTE-SUCURSAL-07"


@pytest.mark.parametrize("size", SIZES)
def test_names_of_60_letters_are_printed_whole_and_can_be_read(shop: Shop, size: tuple[int, int]) -> None:
    assert (len(LONG_NAME), len(LONG_PO)) == (61, 60)
    Item.objects.filter(pk=shop.item.pk).update(name=LONG_NAME, key="DIJ-0001-LUNAR", alloy=silver())
    (page,) = pages(of_line(shop, shop.order(100_000, customerSalesOrderId=LONG_PO), size=size))
    assert cut(page) == []
    for text in (LONG_NAME, LONG_PO, "DIJ-0001-LUNAR", "Piezas: 100,000"):
        assert "".join(text.split()) in "".join(page.text.split())
    least = 3.5 if size == (40, 20) else 4.5  # points
    assert min(word.height for word in page.words) >= least * POINT


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("letter", ["W", "i", "Ñ", "Ł", "Щ", "Ǳ"])
def test_longest_texts_of_any_letter_are_not_cut(shop: Shop, size: tuple[int, int], letter: str) -> None:
    order = shop.order(10_000_000)
    Item.objects.filter(pk=shop.item.pk).update(name=letter * 200, key=letter * 200, alloy=silver())
    SalesOrder.objects.filter(pk=order).update(customer_sales_order_id=letter * 200)
    (page,) = pages(of_line(shop, order, size=size))
    assert cut(page) == []
    assert "".join(page.text.split()).count(letter) >= 600


def test_short_texts_are_as_large_as_the_label_allows(shop: Shop, order: int) -> None:
    (small,), (large,) = pages(of_line(shop, order)), pages(of_line(shop, order, size=(100, 50)))
    assert small.word("A-77").height > 8 * POINT
    assert large.word("A-77").height > 1.8 * small.word("A-77").height


def test_typed_markup_is_printed_as_text(shop: Shop) -> None:
    name = '</style><img src="file:///etc/passwd">'
    Item.objects.filter(pk=shop.item.pk).update(name=name)
    (page,) = pages(of_line(shop, shop.order(1), size=(100, 50)))
    assert "".join(name.split()) in "".join(page.text.split())


def test_pieces_are_split_into_bags_and_each_label_comes_in_copies(shop: Shop, order: int) -> None:
    answer = of_line(shop, order, None, piecesEach=8, copies=2)
    said = [text.split("Piezas: ")[1].split()[0] for text in texts(answer.content)]
    assert said == ["8"] * 4 + ["2"] * 2 + ["5"] * 2
    assert [text.count("PO#") for text in texts(answer.content)] == [1] * 8


def test_a_label_for_each_piece_shares_one_page_content(shop: Shop, order: int) -> None:
    one, many = of_line(shop, order, piecesEach=1), of_line(shop, order, piecesEach=1, copies=200)
    assert len(texts(one.content)) == 18
    assert len(texts(many.content)) == 3_600
    assert len(many.content) < len(one.content) + 3_600 * 300
    assert len({page.text for page in read(one.content)}) == 1


def test_whole_order_leaves_out_canceled_lines_and_counts_good_pieces(shop: Shop) -> None:
    order = shop.order(10, 20, 30)
    shop.status(order, 2, "Canceled")
    Line.objects.filter(order=order, position=1).update(quantity_scrapped=3, quantity_replaced=1)
    said = texts(of_line(shop, order, None).content)
    assert [[word in text for word in ("Piezas: 8", "Piezas: 30")] for text in said] == [[True, False], [False, True]]


def test_documents_keep_their_order_and_a_line_is_labelled_once(shop: Shop) -> None:
    first, second = shop.order(1, 2), shop.order(3)
    places = [{"salesOrderId": second}, {"salesOrderId": first, "position": 2}, {"salesOrderId": first}]
    said = texts(labels(shop.ana, documents=places).content)
    assert [text.split("Piezas: ")[1].split()[0] for text in said] == ["3", "2", "1"]


def test_labels_of_a_batch_have_the_pieces_on_it(shop: Shop) -> None:
    first, second = shop.approved(10), shop.approved(6)
    batch = new_batch(shop)
    put_on(shop, batch, first, 4)
    put_on(shop, batch, second)
    answer = labels(shop.ana, batchId=batch["id"])
    assert [text.split("Piezas: ")[1].split()[0] for text in texts(answer.content)] == ["4", "6"]
    assert answer.headers["Content-Disposition"] == 'attachment; filename="Etiquetas_Tanda_1.pdf"'


def test_labels_of_a_bill_have_its_pieces_and_the_texts_of_its_day(shop: Shop) -> None:
    prepare(shop)
    order = done(shop, 10, 4, customerSalesOrderId="A-77")
    bill = billed(shop, of(order, 2, 3), of(order, 1, 10))
    Item.objects.filter(pk=shop.item.pk).update(name="Otro nombre", origin="IT")
    SalesOrder.objects.filter(pk=order).update(customer_sales_order_id="B-1")
    answer = labels(shop.ana, deliveryId=bill["id"])
    assert answer.headers["Content-Disposition"] == 'attachment; filename="Etiquetas_F-0001.pdf"'
    said = texts(answer.content)
    assert [text.split("Piezas: ")[1].split()[0] for text in said] == ["3", "10"]
    assert all("PO# A-77" in text and "Anillo" in text and "Hecho en México" in text for text in said)


def test_labels_of_an_issued_bill_say_later_what_they_said_on_its_day(shop: Shop) -> None:
    prepare(shop)
    old, new = silver(), silver(9_500)
    Item.objects.filter(pk=shop.item.pk).update(alloy=old)
    order = done(shop, 10, 4, customerSalesOrderId="A-77")
    bill = bill_get(billed(shop, of(order, 1, 10))["id"])
    draft = bill_get(pre_billed(shop, of(order, 2, 4))["id"])
    said = labels_of_bill(bill)
    assert (said[0].fineness, said[0].of, said[0].item, said[0].origin) == (9_250, 2, "Anillo", "MX")
    with_its_alloy = labels(shop.ana, deliveryId=bill.pk)
    Alloy.objects.filter(pk=old.pk).update(fineness=8_000)
    assert labels_of_bill(bill_get(bill.pk)) == said
    Item.objects.filter(pk=shop.item.pk).update(
        alloy=new, name="Otro", key="Z-9", description_spanish="Otra", origin="IT"
    )
    SalesOrder.objects.filter(pk=order).update(customer_sales_order_id="B-1")
    Line.objects.filter(order=order, position=2).update(status="Canceled")
    assert labels_of_bill(bill_get(bill.pk)) == said
    assert texts(labels(shop.ana, deliveryId=bill.pk).content) == texts(with_its_alloy.content)
    (later,) = labels_of_bill(bill_get(draft.pk))
    assert (later.fineness, later.item, later.po) == (9_500, "Otro", "B-1"), "a pre-bill follows the records"


def test_labels_of_a_bill_without_a_stored_fineness_have_the_present_one(shop: Shop) -> None:
    prepare(shop)
    Item.objects.filter(pk=shop.item.pk).update(alloy=silver())
    bill = billed(shop, of(done(shop, 10, 4), 1, 10))["id"]
    (row,) = BillLine.objects.all()
    row.issued = {name: text for name, text in row.issued.items() if name not in ("fineness", "order_lines")}
    row.save()
    (label,) = labels_of_bill(bill_get(bill))
    assert (label.fineness, label.of) == (9_250, 2)


def test_file_is_named_for_what_is_labelled(shop: Shop, order: int) -> None:
    assert of_line(shop, order).headers["Content-Disposition"].endswith('"Etiquetas_PO#_A-77-Linea_1.pdf"')
    assert of_line(shop, order, None).headers["Content-Disposition"].endswith('"Etiquetas_PO#_A-77-Lineas_1-2.pdf"')


def test_queries_do_not_grow_with_the_lines(shop: Shop) -> None:
    counts = []
    for order in (shop.order(1), shop.order(*range(1, 31))):
        with CaptureQueriesContext(connection) as captured:
            assert of_line(shop, order, None).status == 200
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_progress_counts_labels(shop: Shop, order: int, monkeypatch: pytest.MonkeyPatch) -> None:
    run, seen = str(uuid4()), []
    monkeypatch.setattr(
        "project.printing.render_pool.printed",
        lambda work: seen.append(shop.ana.get(f"/pdf/runs/{run}").json) or work.result(),
    )
    assert of_line(shop, order, None, copies=3, piecesEach=5, runId=run).status == 200
    assert seen == [{"done": 0, "total": 15}, {"done": 15, "total": 15}]
    assert shop.ana.get(f"/pdf/runs/{run}").status == 404


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"width": 39}, {"width": "too_small"}),
        ({"width": 161}, {"width": "too_large"}),
        ({"height": 19}, {"height": "too_small"}),
        ({"height": 161}, {"height": "too_large"}),
        ({"width": 50.5}, {"width": "invalid_type"}),
        ({"height": "25"}, {"height": "invalid_type"}),
        ({"copies": 0}, {"copies": "too_small"}),
        ({"copies": 5_001}, {"copies": "too_large"}),
        ({"copies": 278}, {"copies": "too_many"}),
        ({"piecesEach": 0}, {"piecesEach": "too_small"}),
        ({"language": "fr"}, {"language": "not_a_choice"}),
        ({"documents": []}, {"documents": "invalid"}),
        ({"documents": [{"salesOrderId": 999_999}]}, {"documents.0.salesOrderId": "unknown"}),
        ({"documents": None}, {"body": "required"}),
        ({"batchId": 1}, {"body": "required"}),
        ({"documents": None, "batchId": 999_999}, {"batchId": "unknown"}),
        ({"documents": None, "deliveryId": 999_999}, {"deliveryId": "unknown"}),
    ],
    ids=str,
)
def test_wrong_fields_are_refused(shop: Shop, order: int, fields: dict[str, Any], refused: dict[str, str]) -> None:
    answer = of_line(shop, order, **{"piecesEach": 1, **fields})
    assert (answer.status, answer.fields) == (422, refused), answer


def test_unknown_position_is_refused(shop: Shop, order: int) -> None:
    assert of_line(shop, order, 9).fields == {"documents.0.position": "unknown"}


def test_most_pieces_with_a_label_each_are_refused_before_anything_is_printed(shop: Shop) -> None:
    answer = of_line(shop, shop.order(10_000_000), piecesEach=1)
    assert (answer.status, answer.fields) == (422, {"copies": "too_many"})


def test_nothing_to_label_is_refused(shop: Shop) -> None:
    answer = labels(shop.ana, batchId=new_batch(shop)["id"])
    assert (answer.status, answer.code) == (409, "nothing_to_label")
    order = shop.order(4)
    Line.objects.filter(order=order).update(quantity_scrapped=4)
    assert of_line(shop, order).code == "nothing_to_label"


def test_labels_need_the_permission_of_work_sheets_and_to_read_what_they_show(shop: Shop) -> None:
    prepare(shop)
    order = done(shop, 10)
    bill, batch = billed(shop, of(order, 1, 10))["id"], batch_of(shop, shop.approved(4))["id"]
    line = {"documents": [{"salesOrderId": order}]}
    printer = somebody(Permission.PrintWorkSheet)
    assert labels(printer, **line).status == 200
    assert labels(printer, batchId=batch).code == "permission_denied"
    assert labels(printer, deliveryId=bill).code == "permission_denied"
    assert labels(somebody(Permission.PrintWorkSheet, Permission.ReportListBills), deliveryId=bill).status == 200
    assert labels(somebody(Permission.PrintWorkSheet, Permission.ManageBatches), batchId=batch).status == 200
    reader = somebody(Permission.ListSalesOrders, Permission.ReportListBills, Permission.ManageBatches)
    for source in (line, {"batchId": batch}, {"deliveryId": bill}):
        assert labels(reader, **source).code == "permission_denied"
        assert labels(buyer(shop.customer), **source).code == "permission_denied"


def test_labels_of_a_batch_and_a_bill_are_audited_at_them(shop: Shop) -> None:
    prepare(shop)
    batch, bill = batch_of(shop, shop.approved(4)), billed(shop, of(done(shop, 10), 1, 10))
    for source, entity in (({"batchId": batch["id"]}, "batch"), ({"deliveryId": bill["id"]}, "delivery")):
        assert labels(shop.ana, copies=3, **source).status == 200
        row = AuditEntry.objects.latest("id")
        assert (row.entity, row.entity_id, row.action) == (entity, *source.values(), "printed")
        kept = {name: change["after"] for name, change in row.changes.items()}
        assert kept == {"labels": 3, "size": "50×25", "language": "es"}


def test_emoji_are_left_out_and_other_letters_stay(shop: Shop, order: int) -> None:
    Item.objects.filter(pk=shop.item.pk).update(name="Anillo 💍 Luna ✨ 👩🏽\u200d🔧 1️⃣ España Łódź Ωμέγα")
    SalesOrder.objects.filter(pk=order).update(customer_sales_order_id="A-77 ⭐")
    for page in (pages(of_line(shop, order))[0], pages(printed(shop.ana, (order, 1)))[0]):
        said = page.text
        assert all(font.startswith("Arimo") for font in page.fonts)
        for kept in ("Anillo", "Luna", "España", "Łódź", "Ωμέγα", "A-77"):
            assert kept in said
        assert not set(said) & set("💍✨👩🏽🔧⭐\ufe0f\u20e3\u200d")
