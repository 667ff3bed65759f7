"""Numbers as keys, currencies in words, and what people write around prices, e-mails and telephones, are read."""

from typing import Any

import pytest

from project.catalogs.models import Company, Customer, Item
from tests.builders import Shop
from tests.project.importing.uploads import XLSX, applied, csv_of, imported, previewed, refusals, rows_of, xlsx_of


@pytest.mark.parametrize(
    ("number", "key"), [(7501060000001, "7501060000001"), (925.0, "925"), (999_999_999_999_999, "999999999999999")]
)
def test_whole_number_in_a_cell_is_a_key(shop: Shop, number: float, key: str) -> None:
    imported(shop.ana, "items", xlsx_of(["key", "name"], [number, "Aro liso"]), XLSX)
    assert Item.objects.filter(key=key).exists()


@pytest.mark.parametrize("number", [1_000_000_000_000_000, 12.5, -3])
def test_other_number_in_a_cell_is_no_key(shop: Shop, number: float) -> None:
    found = previewed(shop.ana, "items", xlsx_of(["key", "name"], [number, "Aro liso"]), XLSX)
    assert refusals(shop.ana, found) == {2: {"key": "text_expected"}}


@pytest.mark.parametrize(
    ("written", "plant", "code"),
    [
        ("mxn", "MXN", "MXN"),
        ("usd", "MXN", "USD"),
        ("US$", "MXN", "USD"),
        ("Dólares", "MXN", "USD"),
        ("dlls.", "MXN", "USD"),
        ("Pesos", "MXN", "MXN"),
        ("pesos", "COP", "COP"),
        ("dollars", "CAD", "CAD"),
        ("M.N.", "USD", "MXN"),
        ("euros", "MXN", "EUR"),
        ("€", "MXN", "EUR"),
        ("abc", "MXN", None),
        ("conchas", "MXN", None),
    ],
)
def test_currency_is_read_as_people_write_it(
    shop: Shop, settings: Any, written: str, plant: str, code: str | None
) -> None:
    settings.PLANT_CURRENCY = plant
    found = previewed(shop.ana, "customers", csv_of(["name", "currency"], ["Norte", written]))
    if code is None:
        assert refusals(shop.ana, found) == {2: {"currency": "unknown"}}
    else:
        applied(shop.ana, found["id"])
        assert Customer.objects.get(name="Norte").currency == code


@pytest.mark.parametrize("written", ["3.20/pz", "3.20 / pza", "$3.20/pza.", "3.20/pieza", "3.20/pc", "3.20/EA"])
def test_price_may_say_that_it_is_for_a_piece(shop: Shop, written: str) -> None:
    imported(shop.ana, "items", csv_of(["key", "name", "sellPrice"], ["M-1", "Aro", written]))
    assert float(Item.objects.get(key="M-1").sell_price) == 3.2
    file = csv_of(["Clave", "Fundición"], ["M-1", written])
    [row] = rows_of(shop.ana, previewed(shop.ana, "process-item-prices", file))
    assert [change["after"] for change in row["changes"]] == [3.2]


EMAILS = [
    "Ana <ana@b.test>",
    "mailto:ana@b.test",
    '"Ruiz, Ana" <ana@b.test>',
    "<ana@b.test>",
    "Ana <mailto:ana@b.test>",
]


@pytest.mark.parametrize("written", EMAILS)
def test_email_is_read_without_what_mail_programs_write_around_it(shop: Shop, written: str) -> None:
    imported(shop.ana, "customers", csv_of(["name", "emails"], ["Norte", written]))
    assert Customer.objects.get(name="Norte").emails == ["ana@b.test"]
    imported(shop.ana, "companies", csv_of(["name", "email"], ["Norte", written]))
    assert Company.objects.get(name="Norte").email == "ana@b.test"
    people = previewed(shop.ana, "users", csv_of(["firstName", "lastName", "email"], ["Ana", "Ruiz", written]))
    assert {change["field"]: change["after"] for change in rows_of(shop.ana, people)[0]["changes"]}[
        "email"
    ] == "ana@b.test"


def test_two_emails_in_brackets_are_two(shop: Shop) -> None:
    imported(shop.ana, "customers", csv_of(["name", "emails"], ["Norte", "Ana <a@b.test>; Luis <c@d.test>"]))
    assert Customer.objects.get(name="Norte").emails == ["a@b.test", "c@d.test"]


def test_two_telephones_with_a_slash_between_them_are_two(shop: Shop) -> None:
    written = "+52 (55) 1234-5678 ext. 12 / 55 8765 4321"
    imported(shop.ana, "customers", csv_of(["name", "phones"], ["Norte", written]))
    first, second = Customer.objects.get(name="Norte").phones
    assert first == {"countryCode": "+52", "number": "(55) 1234-5678", "extension": "12"}
    assert second == {"countryCode": "", "number": "55 8765 4321", "extension": ""}
    found = previewed(shop.ana, "customers", csv_of(["name", "phones"], ["Sur", "55 1234 5678/79"]))
    assert found["counts"]["refused"] == 1, "the ending of a second telephone is no telephone"
