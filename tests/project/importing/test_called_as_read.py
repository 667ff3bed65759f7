"""Names in a file match records as people read them, whatever the spelling of the program."""

import unicodedata

import pytest

from project.catalogs.models import Component, Item, Material
from tests import builders
from tests.builders import Shop
from tests.project.importing.uploads import XLSX, applied, csv_of, previewed, refusals, rows_of, xlsx_of

NAME = "Latón pulido B-1"
SPELLED = {
    "decomposed": unicodedata.normalize("NFD", NAME),
    "no-break space": "Latón\u00a0pulido B-1",
    "two blanks": "Latón  pulido B-1",
    "zero width space": "Latón pu\u200blido B-1",
    "non-breaking hyphen": "Latón pulido B\u20111",
    "capitals": "LATÓN PULIDO B-1",
}
spelled = pytest.mark.parametrize("typed", SPELLED.values(), ids=SPELLED.keys())


@spelled
def test_row_changes_the_record_with_the_same_name_as_read(shop: Shop, typed: str) -> None:
    latón = Material.objects.create(name=NAME, description="Vieja")
    result = previewed(shop.ana, "materials", csv_of(["name", "description"], [typed, "Nueva"], ["Bronce", ""]))
    assert [row["outcome"] for row in rows_of(shop.ana, result)] == ["changed", "new"]
    assert applied(shop.ana, result["id"])["state"] == "applied"
    latón.refresh_from_db()
    assert latón.description == "Nueva"
    assert Material.objects.count() == 2


@spelled
def test_two_rows_with_the_same_name_as_read_are_refused(shop: Shop, typed: str) -> None:
    result = previewed(shop.ana, "materials", csv_of(["name", "description"], [NAME, "a"], [typed, "b"]))
    assert refusals(shop.ana, result) == {2: {"name": "duplicate_row"}, 3: {"name": "duplicate_row"}}


@spelled
def test_cell_refers_to_records_of_other_catalogs_by_name_as_read(shop: Shop, typed: str) -> None:
    component = Component.objects.create(name=NAME)
    Material.objects.create(name=NAME)
    file = csv_of(["key", "name", "components"], ["N-1", "Nuevo", f"{typed} | {typed}"])
    result = previewed(shop.ana, "items", file)
    assert applied(shop.ana, result["id"])["state"] == "applied"
    assert Item.objects.get(key="N-1").components.get().component_id == component.pk


@spelled
def test_name_of_another_record_is_refused(shop: Shop, typed: str) -> None:
    builders.item(NAME)
    result = previewed(shop.ana, "items", csv_of(["key", "name"], ["B-1", typed]))
    [row] = rows_of(shop.ana, result)
    assert [(error["field"], error["code"]) for error in row["errors"]] == [("name", "already_exists")]


def test_number_in_a_workbook_matches_a_name(shop: Shop) -> None:
    Material.objects.create(name="925")
    file = xlsx_of(["name", "description"], [925.0, "Plata"])
    result = previewed(shop.ana, "materials", file, XLSX)
    assert [row["outcome"] for row in rows_of(shop.ana, result)] == ["changed"]


def test_name_with_control_characters_is_refused(shop: Shop) -> None:
    result = previewed(shop.ana, "materials", csv_of(["name"], ["Pla\nta"], ["Pla\x1bta"], ["Oro\n"]))
    assert [row["outcome"] for row in rows_of(shop.ana, result)] == ["refused", "refused", "new"]
