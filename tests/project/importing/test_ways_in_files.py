"""The file of products has their ways: the names of processes, in order."""

import pytest

from project.catalogs.models import Item
from tests.builders import Shop, process
from tests.project.importing.uploads import csv_of, imported, previewed, rows_of

HEADS = ("key", "processes")


def way(item: Item) -> list[str]:
    return [*item.way.order_by("place").values_list("process__name", flat=True)]


@pytest.mark.parametrize("cell", ["Pulido\nFundición", "Pulido, Fundición", "pulido; FUNDICIÓN"])
def test_way_is_read_by_the_names_of_its_processes(shop: Shop, cell: str) -> None:
    imported(shop.ana, "items", csv_of(HEADS, (shop.item.key, cell)))
    assert way(shop.item) == ["Pulido", "Fundición"]


def test_blank_cell_keeps_the_way_and_a_dash_empties_it(shop: Shop) -> None:
    shop.item.way.create(process=shop.polishing, place=1)
    found = previewed(shop.ana, "items", csv_of(HEADS, (shop.item.key, "")))
    assert found["counts"]["unchanged"] == 1
    imported(shop.ana, "items", csv_of(HEADS, (shop.item.key, "-")))
    assert way(shop.item) == []


def test_other_order_is_a_change(shop: Shop) -> None:
    for place, one in enumerate((shop.casting, shop.polishing), start=1):
        shop.item.way.create(process=one, place=place)
    same = previewed(shop.ana, "items", csv_of(HEADS, (shop.item.key, "Fundición\nPulido")))
    assert same["counts"]["unchanged"] == 1
    imported(shop.ana, "items", csv_of(HEADS, (shop.item.key, "Pulido\nFundición")))
    assert way(shop.item) == ["Pulido", "Fundición"]


@pytest.mark.parametrize(
    ("cell", "field", "code"),
    [("Pulido, Nada", "processes", "unknown_name"), ("Pulido\npulido", "processes.1", "duplicate")],
)
def test_row_with_an_unknown_process_or_one_twice_is_refused(shop: Shop, cell: str, field: str, code: str) -> None:
    found = previewed(shop.ana, "items", csv_of(HEADS, (shop.item.key, cell)))
    (row,) = rows_of(shop.ana, found)
    assert [(one["field"], one["code"]) for one in row["errors"]] == [(field, code)]


def test_name_with_a_comma_is_one_process(shop: Shop) -> None:
    process("Lija, fina", order=7)
    imported(shop.ana, "items", csv_of(HEADS, (shop.item.key, "Lija, fina\nPulido")))
    assert way(shop.item) == ["Lija, fina", "Pulido"]
