"""The lower part of a sheet: boxes to sign for each process."""

from dataclasses import replace
from itertools import pairwise

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.catalogs.models import Company, Item, ItemComponent, ProductionProcess
from project.printing.codes import Place
from project.printing.pages import LETTERS_AT_ONCE, PROCESS_LETTERS, PROCESSES_TOGETHER, ROWS_BELOW, portions
from project.printing.selectors import Component, Sheet
from tests.builders import Shop, buyer, component, item, process, usually
from tests.project.pictures import picture, upload
from tests.project.printing.papers import Page, near, pages, printed, texts

NARROW = "Proceso Entrada Salida Piezas"
HEADS = {
    "es": "Proceso Entrada: iniciales y fecha Salida: iniciales y fecha Piezas",
    "en": "Process In: initials and date Out: initials and date Pieces",
}


@pytest.fixture(autouse=True)
def media(settings: object, tmp_path: object) -> None:
    settings.MEDIA_ROOT = tmp_path  # type: ignore[attr-defined]


def dated(shop: Shop, *products: Item) -> int:
    """Create an order with a line for each product."""
    return shop.order(items=[{"itemId": one.pk, "quantity": 4, "deliveryDate": "2026-04-20"} for one in products])


def table(page: Page) -> list[str]:
    """The printed lines from the heads of the processes on, without the foot."""
    lines = page.text.splitlines()[:-1]
    heads = [place for place, line in enumerate(lines) if line.startswith(("Proceso Entrada", "Process In"))]
    return lines[heads[0] :] if heads else []


def named(shop: Shop, count: int, name: str = "Paso {}") -> list[str]:
    """Create `count` processes after casting and polishing. Return the names of all."""
    ProductionProcess.objects.bulk_create(
        ProductionProcess(name=name.format(number), order=number) for number in range(3, count + 3)
    )
    return ["Fundición", "Pulido", *(name.format(number) for number in range(3, count + 3))]


def test_processes_come_last(shop: Shop) -> None:
    process("Retirado", order=2, active=False)
    process("Diseño", order=1)
    order = dated(shop, shop.item)
    for language, heads in HEADS.items():
        (page,) = pages(printed(shop.ana, (order, 1), language=language))
        assert table(page) == [heads, "Diseño", "Fundición", "Pulido"]


def test_boxes_are_8_mm_high_and_as_wide_as_their_heads(shop: Shop) -> None:
    named(shop, 6)
    (page,) = pages(printed(shop.ana, (dated(shop, shop.item), 1)))
    tops = [page.word("Fundición").top, page.word("Pulido").top]
    tops += [word.top for word in page.words if word.text == "Paso"]
    assert [low - high for high, low in pairwise(tops)] == [pytest.approx(8, abs=0.3)] * 7
    columns = [line.left for line in page.uprights]
    assert columns == [near(15 + 45.9), near(15 + 92.8), near(15 + 139.3)]
    heads = [page.word("Entrada:"), page.word("Salida:"), page.word("Piezas")]
    assert [head.left - column for head, column in zip(heads, columns, strict=True)] == [
        pytest.approx(1.4, abs=0.6)
    ] * 3
    first, last = page.uprights[0].top, page.uprights[0].bottom
    assert first < heads[0].top
    assert last > tops[-1] + 4


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_process_that_weighs_has_a_box_for_grams(shop: Shop, language: str) -> None:
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(weighs="required")
    (page,) = pages(printed(shop.ana, (dated(shop, shop.item), 1), language=language))
    columns = [line.left for line in page.uprights]
    assert columns == [near(15 + 45.9), near(15 + 84.9), near(15 + 123.9), near(15 + 154.9)]
    (unit,) = [word for word in page.words if word.text == "g"]
    assert unit.top == near(page.word("Fundición").top)
    assert columns[-1] < unit.left < page.width - 15
    head = page.word("Gramos:" if language == "es" else "Grams:")
    assert columns[-1] < head.left < columns[-1] + 3
    assert head.top == near(page.word("Proceso" if language == "es" else "Process").top)
    assert page.outside == []


def test_boxes_for_grams_fit_in_two_columns_of_processes(shop: Shop) -> None:
    named(shop, ROWS_BELOW)
    ProductionProcess.objects.update(weighs="optional")
    (page,) = pages(printed(shop.ana, (dated(shop, shop.item), 1)))
    assert table(page)[0] == f"{NARROW} Gramos {NARROW} Gramos"
    assert len(page.uprights) == 8
    assert [word.text for word in page.words].count("g") == ROWS_BELOW + 2
    assert page.outside == []


def test_sheet_of_processes_that_do_not_weigh_has_no_box_for_grams(shop: Shop) -> None:
    process("Grabado", order=3)
    ProductionProcess.objects.filter(name="Grabado").update(weighs="required")
    usually(shop, shop.item, shop.casting, shop.polishing)
    (page,) = pages(printed(shop.ana, (dated(shop, shop.item), 1)))
    assert table(page) == [HEADS["es"], "Fundición", "Pulido"]


def test_other_parts_keep_their_place_and_size(shop: Shop) -> None:
    ItemComponent.objects.create(item=shop.item, component=component("Aro"), place=1)
    order = dated(shop, shop.item)
    (page,) = pages(printed(shop.ana, (order, 1)))
    ProductionProcess.objects.update(status=False)
    (bare,) = pages(printed(shop.ana, (order, 1)))
    assert table(bare) == []
    above = [word for word in bare.words if word.top < 260]
    assert page.words[: len(above)] == above
    assert page.pictures == bare.pictures
    assert page.word("Proceso").top > page.word("Aro").bottom
    assert max(word.bottom for word in page.words if word.top < 260) < 265


def test_sheet_has_the_processes_that_the_product_usually_takes(shop: Shop) -> None:
    process("Chapado", order=3)
    other = item("Cadena")
    usually(shop, shop.item, shop.polishing, shop.casting)
    ring, chain = (table(page)[1:] for page in pages(printed(shop.ana, (dated(shop, shop.item, other), None))))
    assert (ring, chain) == (["Fundición", "Pulido"], ["Fundición", "Pulido", "Chapado"])
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(status=False)
    (page,) = pages(printed(shop.ana, (dated(shop, shop.item), 1)))
    assert table(page)[1:] == ["Pulido"]
    ProductionProcess.objects.filter(pk=shop.polishing.pk).update(status=False)
    (page,) = pages(printed(shop.ana, (dated(shop, shop.item), 1)))
    assert table(page)[1:] == ["Chapado"], "none of its usual processes is active, so all are printed"


def test_customers_sheet_has_the_date_but_no_processes(shop: Shop) -> None:
    """The usual processes are learned from the orders of all customers, and signing is internal."""
    order = dated(shop, shop.item)
    shop.status(order, 1, "Approved")
    (page,) = pages(printed(buyer(shop.customer), (order, 1)))
    assert page.word("20-04-2026").height == max(word.height for word in page.words)
    assert table(page) == []


def test_process_table_that_does_not_fit_moves_to_the_next_page(shop: Shop) -> None:
    names = named(shop, 8)
    Item.objects.filter(pk=shop.item.pk).update(measures="M" * 200)
    with_components(shop, *("A" * 190 + str(place) for place in range(9)))
    order = dated(shop, shop.item, shop.item)
    said = pages(printed(shop.ana, (order, None)))
    assert len(said) == 4
    for position, (sheet, continued) in enumerate(zip(said[::2], said[1::2], strict=True), start=1):
        assert table(sheet) == []
        rows = [f"{left} {right}" for left, right in zip(names[:5], names[5:], strict=True)]
        assert table(continued) == [f"{NARROW} {NARROW}", *rows]
        foot = f"Línea {position} de 2 · Entrega 20-04-2026 · Código corto {order}-{position}"
        assert continued.text.splitlines()[-1].endswith(foot)


def with_components(shop: Shop, *names: str, first: int = 1) -> None:
    ItemComponent.objects.bulk_create(
        ItemComponent(item=shop.item, component=component(name), place=place) for place, name in enumerate(names, first)
    )


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("processes", [4, 14])
@pytest.mark.parametrize("shape", [(500, 200), (300, 500)])
def test_14_processes_and_8_components_fit_on_one_page(
    shop: Shop, language: str, processes: int, shape: tuple[int, int]
) -> None:
    company = Company.objects.create(name="Plata Viva")
    for path, size in (
        (f"/api/companies/{company.pk}/document/logo.jpeg", shape),
        (f"/api/items/{shop.item.pk}/document/anillo.jpeg", (500, 700)),
        (f"/api/customers/{shop.customer.pk}/document/quinto.jpeg", shape),
    ):
        assert upload(shop.ana, path, picture(size=size)).status == 201
    Item.objects.filter(pk=shop.item.pk).update(measures="18 mm")
    names = named(shop, processes - 2, "Control de calidad {}")
    stone = "Piedra central de Sonora, cabujón estabilizado con resina, de 8 × 10 mm, calibrado y elegido a mano, {}"
    with_components(shop, *(stone.format(place) for place in range(8)))
    notes = (
        "Pulir dos veces; empaque individual con la etiqueta del cliente, y avisar a ventas cuando esté listo. Grabar"
        " las iniciales del cliente por dentro, y no entregar sin la firma del jefe de taller"
    )
    line = {"itemId": shop.item.pk, "quantity": 40, "notes": notes, "deliveryDate": "2026-04-20"}
    (page,) = pages(printed(shop.ana, (shop.order(items=[line]), 1), language=language))
    said = " ".join(page.text.split())
    assert [name for name in names if name not in said] == []
    assert said.count("cabujón estabilizado") == 8
    assert len(page.uprights) == 6
    rows = [word.top for word in page.words if word.text == "calidad" and word.left < 100]
    assert [low - high for high, low in pairwise(rows)] == [pytest.approx(7, abs=0.3)] * max(0, processes // 2 - 3)
    assert max(word.bottom for word in page.words if word.top < 266) < 265
    assert page.outside == []


def test_processes_are_in_one_column_while_they_fit(shop: Shop) -> None:
    names = named(shop, ROWS_BELOW - 3)
    with_components(shop, "Aro")
    order = dated(shop, shop.item)
    (page,) = pages(printed(shop.ana, (order, 1)))
    assert table(page) == [HEADS["es"], *names]
    Item.objects.filter(pk=shop.item.pk).update(measures="18 mm")
    (page,) = pages(printed(shop.ana, (order, 1)))
    assert table(page)[0] == f"{NARROW} {NARROW}"
    Item.objects.filter(pk=shop.item.pk).update(measures="")
    with_components(shop, "Bisel", first=2)
    (page,) = pages(printed(shop.ana, (order, 1)))
    assert table(page)[0] == f"{NARROW} {NARROW}"


def test_long_table_continues_below_new_heads(shop: Shop) -> None:
    names = named(shop, 2 * PROCESSES_TOGETHER)
    said = pages(printed(shop.ana, (dated(shop, shop.item), 1)))
    lines = [line for page in said for line in page.text.splitlines()]
    rows = [f"{left} {right}" for left, right in zip(names[:10], names[10:20], strict=True)]
    rows += [f"{left} {right}" for left, right in zip(names[20:30], names[30:40], strict=True)]
    rows += [f"{names[40]} {names[41]}"]
    assert [line for line in lines if line in rows] == rows
    assert lines.count(f"{NARROW} {NARROW}") == 3
    for page in said:
        assert len(page.uprights) == 3 * page.text.count(NARROW), "each table has its vertical lines"


def test_long_table_of_long_names_continues_below_new_heads(shop: Shop) -> None:
    names = named(shop, 2 * PROCESSES_TOGETHER, "Paso {} de la ruta larga, con todo lo que en él se hace y se revisa")
    said = pages(printed(shop.ana, (dated(shop, shop.item), 1)))
    together = " ".join(" ".join(page.text.split()) for page in said)
    assert [name for name in names if name.split(" de ")[0] not in together] == []
    assert together.count(HEADS["es"]) == 3
    assert [page.outside for page in said] == [[]] * len(said)


def test_long_process_names_stay_in_their_column(shop: Shop) -> None:
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(name="Vaciado a la cera perdida " + "W" * 170)
    (page,) = pages(printed(shop.ana, (dated(shop, shop.item), 1)))
    assert "".join(table(page)[1:-1]).replace(" ", "").endswith("W" * 170)
    names = [word for word in page.words if page.word("Vaciado").top <= word.top < 260]
    assert max(word.right for word in names) < page.uprights[0].left


def test_continued_sheet_has_processes_once_after_its_last_component(shop: Shop) -> None:
    one = component("A" * 200)
    ItemComponent.objects.bulk_create(
        ItemComponent(item=shop.item, component=one, place=place, notes=f"nota-{place}-") for place in range(1, 201)
    )
    order = dated(shop, shop.item, item())
    said = "\n".join(texts(printed(shop.ana, (order, None)).content))
    assert (said.count("Fundición"), said.count("Componentes")) == (2, 1)
    assert said.index("nota-200-") < said.index("Fundición") < said.index("Línea 2 de 2")


def test_processes_count_toward_the_size_of_a_portion() -> None:
    nothing = Sheet(Place(1, 1), 1, "", "", "", "", "", 1, 1, None, (), (), "", "", (), ())
    half = replace(nothing, processes=("",) * (LETTERS_AT_ONCE // PROCESS_LETTERS // 2))
    assert [len(portion) for portion in portions([half] * 5)] == [2, 2, 1]
    long = replace(half, components=(Component("c" * LETTERS_AT_ONCE, "", "", ""),) * 2)
    cut = [[(sheet.continued, sheet.goes_on) for sheet in portion] for portion in portions([half, long, half])]
    assert cut == [[(False, False)], [(False, True)], [(True, False)], [(False, False)]]


def test_many_sheets_cost_as_many_queries_as_one(shop: Shop) -> None:
    def queries(order: int) -> int:
        with CaptureQueriesContext(connection) as asked:
            assert printed(shop.ana, (order, None)).status == 200
        return len(asked)

    few, many = dated(shop, shop.item), dated(shop, *(item() for _ in range(15)))
    assert queries(few) == queries(many)
