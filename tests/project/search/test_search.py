"""One search over the orders, lines, customers and products that the caller may list."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import ALL, Permission
from project.catalogs.models import Item
from project.orders.models import SalesOrder
from project.printing.codes import Place
from project.search import selectors
from tests.builders import Caller, Shop, buyer, customer, item, somebody
from tests.project.pictures import picture, upload

NOTHING: dict[str, Any] = {"orders": [], "lines": [], "customers": [], "products": []}


def search(by: Caller, text: str) -> dict[str, Any]:
    answer = by.get(f"/api/search?q={quote(text)}")
    assert answer.status == 200, answer
    found: dict[str, Any] = answer.json
    return found


def orders(by: Caller, text: str) -> list[str]:
    return [row["customerSalesOrderId"] for row in search(by, text)["orders"]]


def lines(by: Caller, text: str) -> list[tuple[str, int]]:
    return [(row["customerSalesOrderId"], row["position"]) for row in search(by, text)["lines"]]


@pytest.fixture
def trade(shop: Shop) -> Shop:
    """Two customers with orders of rings and of a chalice."""
    Item.objects.filter(pk=shop.item.pk).update(key="A-123456789")
    tiffany, chalice = customer("Tiffany & Cía. Ñandú"), item("Cáliz de Ópalo")
    order = shop.order(1, 1, 1, customerSalesOrderId="PO-1001")
    for position in (1, 2, 3):
        shop.status(order, position, "Approved")
    rows = [{"itemId": shop.item.pk, "quantity": 1}, {"itemId": chalice.pk, "quantity": 1}]
    shop.order(customerId=tiffany.pk, customerSalesOrderId="PO-2002", items=rows)
    return shop


def test_order_is_found_by_its_number_and_customer(trade: Shop) -> None:
    assert orders(trade.ana, "po-2002") == ["PO-2002"]
    assert orders(trade.ana, "tiffany") == ["PO-2002"]
    assert orders(trade.ana, "2002 tiff") == ["PO-2002"]
    assert orders(trade.ana, "po") == ["PO-2002", "PO-1001"]
    assert orders(trade.ana, "1001 tiffany") == []
    row = search(trade.ana, "2002")["orders"][0]
    assert row.keys() == {"id", "customerSalesOrderId", "customerName", "status"}
    assert (row["customerName"], row["status"]) == ("Tiffany & Cía. Ñandú", "New")


@pytest.mark.parametrize("typed", ["ñandu", "NANDÚ", "cia nandu", "nandu tiffany", "  Nándú   TIFF "])
def test_search_ignores_accents_case_and_word_order(trade: Shop, typed: str) -> None:
    assert orders(trade.ana, typed) == ["PO-2002"]
    assert [row["name"] for row in search(trade.ana, typed)["customers"]] == ["Tiffany & Cía. Ñandú"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("1001 2", [("PO-1001", 2)]),
        ("2 1001", [("PO-1001", 2)]),
        ("PO-1001-3", [("PO-1001", 3)]),
        ("PO-1001/3", [("PO-1001", 3)]),
        ("PO-1001 · 3", [("PO-1001", 3)]),
        ("1001-3 anillo", [("PO-1001", 3)]),
        ("po 1001 l3", [("PO-1001", 3)]),
        ("L2 1001", [("PO-1001", 2)]),
        ("1001 línea 2", [("PO-1001", 2)]),
        ("PO-1001 · Línea 3", [("PO-1001", 3)]),
        ("1001 line 3 anillo", [("PO-1001", 3)]),
        ("1001 l9", []),
        ("opalo", [("PO-2002", 2)]),
        ("tiffany caliz", [("PO-2002", 2)]),
        ("caliz 2002", [("PO-2002", 2)]),
        ("anillo", [("PO-2002", 1), ("PO-1001", 1), ("PO-1001", 2), ("PO-1001", 3)]),
        ("1001 caliz", []),
        ("PO-1001-9", []),
    ],
)
def test_line_is_found_by_order_position_and_product(trade: Shop, typed: str, found: list[tuple[str, int]]) -> None:
    assert lines(trade.ana, typed) == found


def coded(by: Caller, text: str) -> list[tuple[str, int, str | None]]:
    return [(row["customerSalesOrderId"], row["position"], row["shortCode"]) for row in search(by, text)["lines"]]


def test_short_code_of_a_sheet_finds_its_line_first(trade: Shop) -> None:
    order = trade.order(1, 1, customerSalesOrderId="NLS-1")
    code = Place(order, 2).short
    trade.order(1, 1, customerSalesOrderId=f"PIB-261{order}")
    found = [("NLS-1", 2, code), (f"PIB-261{order}", 2, None)]
    assert coded(trade.ana, code) == coded(trade.ana, f" {code} ") == found
    # A line that matches by PO# and position comes after it.
    trade.order(1, 1, customerSalesOrderId=str(order))
    assert coded(trade.ana, code)[:2] == [("NLS-1", 2, code), (str(order), 2, None)]
    assert coded(trade.ana, f"{order}-9") == coded(trade.ana, f"{order}-{9**18}") == []
    assert all(short is None for *_, short in coded(trade.ana, f"anillo {code}"))


def test_short_code_may_be_typed_with_another_hyphen(trade: Shop) -> None:
    order = trade.order(1, customerSalesOrderId="NLS-7")
    for hyphen in "‐‑–—−":
        assert coded(trade.ana, f" {order}{hyphen}1 ")[0] == ("NLS-7", 1, f"{order}-1")


def test_line_found_by_short_code_and_by_number_is_returned_once(shop: Shop) -> None:
    order = shop.order(1, customerSalesOrderId="PO-1")
    SalesOrder.objects.filter(pk=order).update(customer_sales_order_id=str(order))
    assert coded(shop.ana, f"{order}-1") == [(str(order), 1, f"{order}-1")]


def test_short_code_finds_no_line_the_caller_may_not_read(trade: Shop) -> None:
    order = trade.order(1, customerSalesOrderId="NLS-1")
    trade.status(order, 1, "Approved")
    code = Place(order, 1).short
    assert coded(buyer(trade.customer), code) == [("NLS-1", 1, code)]
    assert coded(buyer(customer("Otra")), code) == []
    assert coded(somebody(Permission.ListItems), code) == []


def test_words_of_two_customers_or_two_products_find_nothing(trade: Shop) -> None:
    other = trade.customer.name
    assert orders(trade.ana, f"tiffany {other}") == []
    assert lines(trade.ana, "anillo caliz") == []
    trade.order(1, customerSalesOrderId="Caliz-7")
    assert lines(trade.ana, "anillo caliz") == [("Caliz-7", 1)]


def test_exact_matches_come_before_newer_rows(shop: Shop) -> None:
    for po in ("77", *(f"77-{number}" for number in range(6)), *(f"177{number}" for number in range(6))):
        shop.order(1, customerSalesOrderId=po)
    assert orders(shop.ana, "77") == ["77", "1775", "1774", "1773", "1772"]
    assert lines(shop.ana, "77")[0] == ("77", 1)


def test_product_is_found_by_key_or_name(trade: Shop) -> None:
    found = search(trade.ana, "opalo")["products"]
    assert [row["name"] for row in found] == ["Cáliz de Ópalo"]
    assert [row["name"] for row in search(trade.ana, found[0]["key"])["products"]] == ["Cáliz de Ópalo"]


def test_at_most_a_few_rows_of_each_kind_are_returned(shop: Shop) -> None:
    for number in range(7):
        shop.order(1, customerSalesOrderId=f"X-{number}", customerId=customer(f"X {number}").pk)
        item(f"X {number}")
    found = search(shop.ana, "x")
    assert {kind: len(rows) for kind, rows in found.items()} == dict.fromkeys(NOTHING, selectors.FEW)
    assert [row["customerSalesOrderId"] for row in found["orders"]] == ["X-6", "X-5", "X-4", "X-3", "X-2"]


@pytest.mark.parametrize(
    "typed", ["", "   ", "·", "- /", "%", "_%", "<img src=x onerror=alert(1)>", "'; DROP TABLE --"]
)
def test_meaningless_text_finds_nothing(trade: Shop, typed: str) -> None:
    assert search(trade.ana, typed) == NOTHING


def test_markup_is_searched_like_any_text(shop: Shop) -> None:
    shop.order(1, customerSalesOrderId="<img src=x>")
    assert orders(shop.ana, "<img") == ["<img src=x>"]


def test_text_of_200_characters_is_searched_and_longer_gets_422(trade: Shop) -> None:
    long = "Pedido " + "x" * 190
    trade.order(1, customerSalesOrderId=long)
    assert orders(trade.ana, long) == [long]
    assert search(trade.ana, "a b c d e f g h i j k l m n o p q r s t u v w x y z") == NOTHING
    answer = trade.ana.get(f"/api/search?q={'a' * 201}")
    assert (answer.status, answer.fields) == (422, {"q": "too_long"})


@pytest.mark.parametrize(
    ("permission", "kinds"),
    [
        (Permission.ListSalesOrders, {"orders", "lines"}),
        (Permission.ListOrders, {"orders", "lines"}),
        (Permission.ListCustomers, {"customers"}),
        (Permission.ListItems, {"products"}),
    ],
)
def test_caller_finds_only_the_kinds_they_may_list(shop: Shop, permission: Permission, kinds: set[str]) -> None:
    shop.order(
        1, customerSalesOrderId="Luz", customerId=customer("Luz").pk, items=[{"itemId": item("Luz").pk, "quantity": 1}]
    )
    assert {kind for kind, rows in search(somebody(permission), "luz").items() if rows} == kinds
    assert {kind for kind, rows in search(shop.ana, "luz").items() if rows} == NOTHING.keys()


def test_found_lines_and_products_come_with_their_picture(trade: Shop, settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    shown = upload(trade.ana, f"/api/items/{trade.item.pk}/document/anillo.jpeg", picture()).json["thumbnailUrl"]
    found = search(trade.ana, trade.item.name)
    assert {row["thumbnail"] for row in found["lines"]} == {shown}
    assert [row["thumbnail"] for row in found["products"]] == [shown]
    assert [row["thumbnail"] for row in search(trade.ana, "opalo")["products"]] == [None]


def test_caller_who_may_list_no_kind_gets_403(shop: Shop) -> None:
    for caller in (shop.carla, somebody(Permission.ShopFloor, Permission.Station)):
        answer = caller.get("/api/search?q=luz")
        assert (answer.status, answer.code) == (403, "permission_denied")


def test_customer_account_finds_only_its_own_orders_and_lines(trade: Shop) -> None:
    account = buyer(trade.customer, *ALL)
    found = search(account, "po")
    assert [row["customerSalesOrderId"] for row in found["orders"]] == ["PO-1001"]
    assert {row["customerSalesOrderId"] for row in found["lines"]} == {"PO-1001"}
    assert (found["customers"], found["products"]) == ([], [])
    for typed in ("PO-2002", "tiffany", "opalo", "PO-2002-1", "2002 anillo"):
        assert search(account, typed) == NOTHING, typed
    assert search(buyer(None, *ALL), "po") == NOTHING


@pytest.mark.parametrize("many", [selectors.MANY, 0])
def test_fields_hidden_in_orders_and_lines_find_none(trade: Shop, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "MANY", many)
    type(trade.customer).objects.filter(pk=trade.customer.pk).update(tax_id="XEXX010101000")
    english = "Silver ring ".ljust(200) + "Hollow band"  # a name has 200 letters
    Item.objects.filter(pk=trade.item.pk).update(description_english=english)
    for reader in (somebody(Permission.ListOrders), buyer(trade.customer), trade.ana):
        for typed in ("xexx0101", "1001 xexx", "hollow", "1001 hollow"):
            found = search(reader, typed)
            assert (found["orders"], found["lines"]) == ([], []), typed
        assert lines(reader, "1001 anillo sur")
    assert search(trade.ana, "xexx")["customers"]
    assert search(trade.ana, "hollow")["products"]


@pytest.mark.parametrize("many", [selectors.MANY, 0])
def test_line_and_product_are_found_by_the_english_name_of_the_product(
    trade: Shop, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "MANY", many)
    Item.objects.filter(name="Cáliz de Ópalo").update(description_english="Opal Chalice")
    for typed in ("opal chalice", "CHALICE 2002", "tiffany chalice"):
        assert lines(trade.ana, typed) == [("PO-2002", 2)], typed
        assert lines(buyer(trade.customer), typed) == []
    (product,) = search(trade.ana, "chalice")["products"]
    assert (product["name"], product["nameEnglish"]) == ("Cáliz de Ópalo", "Opal Chalice")
    listed = trade.ana.get("/api/sales-order/positions?search=chalice").json
    assert [(row["customerSalesOrderId"], row["position"]) for row in listed] == [("PO-2002", 2)]


def test_rare_words_narrow_the_result_when_another_word_is_very_common(
    trade: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "MANY", 0)
    monkeypatch.setattr(selectors, "ASKED", 1)
    assert orders(trade.ana, "2002 tiff") == ["PO-2002"]
    assert lines(trade.ana, "tiffany caliz") == [("PO-2002", 2)]
    assert lines(trade.ana, "caliz") == [("PO-2002", 2)]
    assert orders(trade.ana, "1001 tiffany") == []


def test_search_costs_a_constant_number_of_queries(trade: Shop) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            search(trade.ana, "zz anillo")
        return len(asked)

    before = queries()
    for number in range(20):
        trade.order(1, 1, customerSalesOrderId=f"PO-30{number}")
    assert queries() == before


def test_search_for_many_words_costs_at_most_23_queries(trade: Shop) -> None:
    with CaptureQueriesContext(connection) as asked:
        search(trade.ana, "PO 1001 2 anillo tiffany caliz cia plata 1001-2")
    assert len([row for row in asked if "search_text" in row["sql"] or "orders_" in row["sql"]]) <= 23
