"""Pay slips of piecework, read back from their PDF."""

import itertools
import re
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from project.access.permissions import Permission
from project.catalogs.models import Company, Item, ProductionProcess
from project.core import clock
from project.identity.models import User
from project.orders.models import ProcessRecord, SalesOrder
from project.printing import render_pool
from project.printing.render_pool import RenderPool
from tests.builders import Answer, Caller, Shop, buyer, person, process, somebody
from tests.project.piecework.paying import cancel, item, left, many_left, paid
from tests.project.printing.papers import near, read, texts

PRINT = "/pdf/create-receipt"
LEFT = datetime(2026, 3, 8, 23, 30, tzinfo=clock.plant())


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: object) -> None:
    settings.MEDIA_ROOT = tmp_path


def printed(caller: Caller, payment: int, **fields: str) -> Answer:
    return caller.post(PRINT, {"paymentId": payment, **fields})


def text_of(answer: Answer) -> str:
    assert answer.status == 200, answer
    return "\n".join(page.text for page in read(answer.content))


def left_at(shop: Shop, instant: datetime, quantity: int) -> int:
    record = left(shop, quantity)
    ProcessRecord.objects.filter(pk=record).update(input_at=instant - timedelta(hours=1), output_at=instant)
    return record


def many_left_at(shop: Shop, instant: datetime, count: int, quantity: int) -> list[int]:
    records = many_left(shop, count, quantity)
    ProcessRecord.objects.filter(pk__in=records).update(input_at=instant - timedelta(hours=1), output_at=instant)
    return records


def said_on(answer: Answer) -> list[str]:
    """The text of each page, with one blank between words. Quicker than `read`."""
    assert answer.status == 200, answer
    return ["\n".join(" ".join(line.split()) for line in page.splitlines()) for page in texts(answer.content)]


def test_pay_slip_names_the_payee_and_every_record(shop: Shop) -> None:
    first, second = left_at(shop, LEFT, 10), left_at(shop, LEFT - timedelta(days=2), 4)
    made = paid(shop.beto, item(first, 10), item(second, 4, 1.005), userId=shop.ana.id, notes="<b>semana 10</b>")
    answer = printed(shop.beto, made["id"])
    said = text_of(answer)
    for words in (
        *("Recibo de destajo", f"#{made['id']}", "Ana Torres", "Beto Torres", "2026-03-06 – 2026-03-08"),
        *("2026-03-08 23:30", "Fundición", "Anillo", "92.50 MXN", "1.005 MXN", "4.02 MXN", "96.52 MXN"),
        *("Fundición: 14 piezas", "<b>semana 10</b>", "Recibí de conformidad"),
    ):
        assert words in said, said
    assert said.count("PO# ") == 2
    assert answer.headers["Content-Disposition"] == f'attachment; filename="Recibo_{made["id"]}.pdf"'


def test_amounts_of_the_rows_sum_to_the_total(shop: Shop) -> None:
    records = many_left_at(shop, LEFT, 60, 60)
    made = paid(shop.ana, *(item(record, place, 1.005) for place, record in enumerate(records, 1)))
    pages = read(printed(shop.ana, made["id"]).content)
    assert len(pages) > 1
    assert {(round(page.width, 1), round(page.height, 1)) for page in pages} == {(215.9, 279.4)}
    rows = re.findall(r"1\.005 MXN ([\d,.]+) MXN", "\n".join(page.text for page in pages))
    assert len(rows) == 60
    assert sum(Decimal(amount.replace(",", "")) for amount in rows) == Decimal(str(made["total"]))


def test_long_words_stay_within_the_page(shop: Shop) -> None:
    word = "W" * 200
    first, second = left(shop, 10_000_000), left(shop, 4, shop.polishing)
    SalesOrder.objects.filter(lines__records=first).update(customer_sales_order_id=word)
    Item.objects.update(name=word)
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(name=word)
    User.objects.filter(pk=shop.ana.id).update(first_name="W" * 100, last_name="W" * 100)
    Company.objects.create(name=word)
    made = paid(shop.ana, item(first, 10_000_000, 99_999.123456), item(second, 4), notes=word, userId=shop.ana.id)
    pages = read(printed(shop.ana, made["id"]).content)
    assert [page.outside for page in pages] == [[]] * len(pages)
    said = "".join("".join(page.text.split()) for page in pages)
    assert "999,991,234,560.00MXN" in said


def test_signatures_are_on_the_page_of_the_total(shop: Shop) -> None:
    records = many_left_at(shop, LEFT, 22, 5)
    for count in (1, 16, 18, 20, 22):
        made = paid(shop.ana, *(item(record, 1) for record in records[:count]))
        pages = said_on(printed(shop.ana, made["id"]))
        assert "Recibí" in pages[-1]
        assert f"Total pagado {made['total']:,.2f} MXN" in pages[-1], pages
        assert "PO# " in pages[-1], "a record must be above it"


def test_signatures_stand_with_the_total_below_many_processes(shop: Shop) -> None:
    records = many_left_at(shop, LEFT, 37, 2)
    for number, record in enumerate(records):
        ProcessRecord.objects.filter(pk=record).update(process=process(f"Paso {number}"))
    for count in (24, 37):
        made = paid(shop.ana, *(item(record, 1) for record in records[:count]))
        *before, signed = said_on(printed(shop.ana, made["id"]))
        assert "Recibí" in signed
        assert "Recibí" not in "".join(before)
        assert f"Total pagado {made['total']:,.2f} MXN" in signed


def test_name_of_a_person_stands_above_their_records(shop: Shop) -> None:
    hers, his = (many_left_at(shop, LEFT, count, 9) for count in (15, 3))
    ProcessRecord.objects.filter(pk__in=his).update(output_by=person("zeno").pk)
    for count in range(9, 16):
        made = paid(shop.ana, *(item(record, 1) for record in hers[:count] + his))
        first, *others = [page.split("\n") for page in said_on(printed(shop.ana, made["id"]))]
        *lines, number = filter(None, first)
        assert number == f"1/{1 + len(others)}"
        assert "Zeno Torres" in itertools.chain(lines, *others)
        assert lines[-1] != "Zeno Torres"


@pytest.mark.parametrize("language", ["es", "en"])
def test_labels_are_in_regular_weight_and_values_in_bold(shop: Shop, language: str) -> None:
    made = paid(shop.ana, item(left_at(shop, LEFT, 10), 10), userId=shop.ana.id)
    (page,) = read(printed(shop.ana, made["id"], language=language).content)
    assert page.fonts == {"Arimo", "Arimo-Bold"}
    for value in ("Ana Torres", f"#{made['id']}", "Anillo", "92.50 MXN"):
        assert value.replace(" ", "") in page.bold, value
    labels = {
        "es": ("Recibe", "Salida", "Importe", "Recibí de conformidad", "2026-03-08 23:30"),
        "en": ("Paid to", "Exit", "Amount", "Received", "2026-03-08 23:30"),
    }
    for label in labels[language]:
        assert label in page.text, label
        assert label.replace(" ", "") not in page.bold, label


def test_slip_of_a_company_without_a_logo_has_the_products_mark(shop: Shop) -> None:
    made = paid(shop.ana, item(left(shop)))["id"]
    (page,) = read(printed(shop.ana, made).content)
    assert [mark.right for mark in page.marks] == [near(215.9 - 15)]


def test_slip_for_several_people_has_a_sum_for_each(shop: Shop) -> None:
    hers, his = left_at(shop, LEFT, 10), left_at(shop, LEFT, 3)
    ProcessRecord.objects.filter(pk=his).update(output_by=person("zeno").pk)
    said = text_of(printed(shop.ana, paid(shop.ana, item(hers, 10, 2), item(his, 3, 2))["id"]))
    assert "Ana Torres, Zeno Torres" in said
    assert re.search(r"Ana Torres 10 20\.00 MXN", said), said
    assert re.search(r"Zeno Torres 3 6\.00 MXN", said), said


def test_slip_is_in_the_payees_language_or_else_the_callers(shop: Shop) -> None:
    record = left_at(shop, LEFT, 10)
    made = paid(shop.beto, item(record, 4), userId=shop.ana.id)["id"]
    assert shop.ana.put(f"/identity/users/{shop.ana.id}/language", {"language": "en"}).status == 200
    assert "Piecework pay slip" in text_of(printed(shop.beto, made))
    assert "Recibo de destajo" in text_of(printed(shop.beto, made, language="es"))
    nobodys = paid(shop.beto, item(record, 2))["id"]
    assert "Recibo de destajo" in text_of(printed(shop.beto, nobodys))
    assert "Piecework pay slip" in text_of(printed(shop.ana, nobodys))


def test_slips_of_several_payments_are_one_file_in_each_payees_language(shop: Shop) -> None:
    mine, hers = left_at(shop, LEFT, 10), left_at(shop, LEFT, 4)
    assert shop.ana.put(f"/identity/users/{shop.ana.id}/language", {"language": "en"}).status == 200
    first = paid(shop.beto, item(mine), userId=shop.ana.id)["id"]
    second = paid(shop.beto, item(hers, 4), userId=shop.beto.id)["id"]
    answer = shop.beto.post(f"{PRINT}s", {"paymentIds": [first, second]})
    assert answer.status == 200, answer
    pages = [page.text for page in read(answer.content)]
    assert [("Piecework pay slip" in page, "Recibo de destajo" in page) for page in pages] == [
        (True, False),
        (False, True),
    ]
    assert [f"#{number}" in page for number, page in zip((first, second), pages, strict=True)] == [True, True]
    assert f'_{first}-{second}.pdf"' in answer.headers["Content-Disposition"]
    unknown = shop.beto.post(f"{PRINT}s", {"paymentIds": [first, 999_999]})
    assert (unknown.status, unknown.fields) == (422, {"paymentIds": "unknown"})
    assert somebody(Permission.CreatePay).post(f"{PRINT}s", {"paymentIds": [first]}).status == 403


def test_slip_of_a_canceled_payment_is_stamped_in_red(shop: Shop) -> None:
    made = paid(shop.ana, item(left(shop)))["id"]
    cancel(shop.ana, made)
    assert "".join(page.red for page in read(printed(shop.ana, made).content)) == "Cancelado"


def test_printing_a_pay_slip_needs_permission_to_see_payments(shop: Shop) -> None:
    made = paid(shop.ana, item(left(shop)))["id"]
    assert printed(somebody(Permission.ReportPayOrders, Permission.CreatePay), made).status == 403
    assert printed(buyer(shop.customer, Permission.ReportPaidOrders), made).status == 403
    assert printed(somebody(Permission.ReportPaidOrders), made).status == 200
    unknown = printed(shop.ana, 999_999)
    assert (unknown.status, unknown.fields) == (422, {"paymentId": "unknown"})


def test_pay_slip_is_rendered_with_the_long_time_limit(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    made = paid(shop.ana, item(left(shop)))["id"]
    start = RenderPool.start
    given: list[float] = []

    def watched(own: RenderPool, *work: Any, seconds: float) -> Any:
        given.append(seconds)
        return start(own, *work, seconds=seconds)

    monkeypatch.setattr(RenderPool, "start", watched)
    assert printed(shop.ana, made).status == 200
    assert given == [render_pool.PAPER_SECONDS]
