"""Every list pages by keyset: the small pages together equal the list."""

import base64
import itertools
import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import LazySettings

from project.catalogs import selectors as catalogs
from project.catalogs.models import Component, Customer, Item, Material, ProductionProcess
from project.core import clock
from project.core.pagination import Orderings
from project.identity import selectors as identity
from project.identity.models import User
from project.orders import selectors as orders
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.piecework import selectors as payments
from project.piecework.models import Payment
from tests.builders import Answer, Caller, Shop, customer, item, process, somebody
from tests.project.piecework.paying import PAYABLES, PAYMENTS

NAMES = ["ámbar", "Plata", "plata", "oro", "Oro", "zafiro", "Ñandú", "10", "9", "a b"]


def fill_orders(shop: Shop) -> None:
    """Create orders with many ties in every column, and about twice as many lines."""
    for number in range(14):
        order = shop.order(
            1 + number % 3,
            5,
            customerId=customer(f"{NAMES[number % 10]} {number % 4}{number}").pk if number % 2 else shop.customer.pk,
            salesOrderDate=f"2026-02-{1 + number % 3:02}",
        )
        if number % 3 == 0:
            shop.status(order, 1, "Approved")
        day = f"2026-03-{1 + number % 2:02}" if number % 4 else None
        Line.objects.filter(order=order, position=1).update(delivery_date=day)


def fill_catalogs(shop: Shop) -> None:
    for number, name in enumerate(NAMES + NAMES):
        label = f"{name} {number}"
        Customer.objects.create(name=label, status=number % 2 == 0)
        Material.objects.create(name=label, status=number % 2 == 0)
        Component.objects.create(name=label, status=number % 2 == 0)
        process(label, order=1 + number % 3)
        one = item(label)
        Item.objects.filter(pk=one.pk).update(priority=number % 3, sell_price=f"{number % 4}.25", status=number % 2)
        ProductionProcess.objects.filter(name=label).update(price=f"{number % 4}.5", status=number % 2)


def fill_people(shop: Shop) -> None:
    for number in range(20):
        user = somebody("Dashboard").user
        User.objects.filter(pk=user.pk).update(first_name=NAMES[number % 10], active=number % 2, locked=number % 3 == 0)


def fill_payables(shop: Shop) -> None:
    """Create a closed record for each line, with many ties."""
    fill_orders(shop)
    start = clock.now() - timedelta(days=3)
    processes = [shop.casting, shop.polishing]
    ProcessRecord.objects.bulk_create(
        ProcessRecord(
            line=line,
            process=processes[number % 2],
            quantity=line.quantity,
            input_at=start,
            input_by=shop.ana.user,
            output_at=start + timedelta(hours=number % 3),
            output_by=shop.ana.user,
            price=1,
        )
        for number, line in enumerate(Line.objects.order_by("id"))
    )


def fill_payments(shop: Shop) -> None:
    for number in range(16):
        canceled = {"status": "Canceled", "canceled_by": shop.ana.user, "canceled_at": clock.now(), "cancel_notes": "x"}
        Payment.objects.create(
            date=f"2026-02-{1 + number % 3:02}",
            total=f"{number % 4}.25",
            created_by=shop.ana.user,
            created_at=clock.now(),
            **(canceled if number % 5 == 0 else {}),
        )


LISTS: dict[str, tuple[Orderings, Callable[[Shop], None]]] = {
    "/api/sales-order": (orders.ORDER_ORDERINGS, fill_orders),
    "/api/sales-order/positions": (orders.LINE_ORDERINGS, fill_orders),
    "/api/customers": (catalogs.BY_NAME, fill_catalogs),
    "/api/materials": (catalogs.BY_NAME, fill_catalogs),
    "/api/components": (catalogs.BY_NAME, fill_catalogs),
    "/api/production-processes": (catalogs.BY_ORDER, fill_catalogs),
    "/api/items": (catalogs.BY_KEY, fill_catalogs),
    PAYABLES: (payments.PAYABLE_ORDERINGS, fill_payables),
    PAYMENTS: (payments.PAYMENT_ORDERINGS, fill_payments),
    "/identity/users": (identity.USER_ORDERINGS, fill_people),
    "/identity/roles": (identity.ROLE_ORDERINGS, fill_people),
}


def next_page(answer: Answer) -> str | None:
    """The address in `Link: <…>; rel="next"`, or None."""
    link = answer.headers.get("Link")
    if link is None:
        return None
    match = re.fullmatch(r'<([^>]+)>; rel="next"', link)
    assert match, link
    return match[1]


def walk(shop: Shop, address: str) -> list[int]:
    """All ids of a list, page by page."""
    found: list[int] = []
    page: str | None = address
    total = None
    while page:
        answer = shop.ana.get(page)
        assert answer.status == 200, answer
        total = total or answer.headers["X-Total-Count"]
        assert answer.headers["X-Total-Count"] == total
        assert 1 <= len(answer.json) <= 5
        found += [row["id"] for row in answer.json]
        page = next_page(answer)
    assert len(found) == int(total or 0)
    return found


@pytest.mark.parametrize("path", LISTS)
def test_small_pages_together_equal_the_list_in_every_ordering(shop: Shop, path: str) -> None:
    orderings, fill = LISTS[path]
    fill(shop)
    for name, sign in itertools.product(orderings.columns, ("", "-")):
        ordering = f"{sign}{name}"
        whole = shop.ana.get(f"{path}?ordering={ordering}")
        ids = [row["id"] for row in whole.json]
        assert len(ids) >= 14
        assert "Link" not in whole.headers
        assert whole.headers["X-Total-Count"] == str(len(ids))
        assert walk(shop, f"{path}?ordering={ordering}&limit=5") == ids, ordering
        if not sign:
            assert shop.ana.get(f"{path}?ordering=-{name}").json == whole.json[::-1], ordering


def test_filters_and_search_apply_to_the_next_page(shop: Shop) -> None:
    fill_orders(shop)
    found = walk(shop, f"/api/sales-order?customerId={shop.customer.pk}&search=PO-&limit=2")
    assert len(found) == 7
    assert set(found) == set(SalesOrder.objects.filter(customer=shop.customer).values_list("pk", flat=True))


def test_row_added_before_the_cursor_neither_repeats_nor_hides_another(shop: Shop) -> None:
    for name in "bdfh":
        Material.objects.create(name=name)
    first = shop.ana.get("/api/materials?limit=2")
    Material.objects.create(name="a")
    Material.objects.create(name="e")
    second = shop.ana.get(next_page(first) or "")
    assert [row["name"] for row in first.json] == ["b", "d"]
    assert [row["name"] for row in second.json] == ["e", "f"]


def test_longest_names_of_any_alphabet_are_paged(shop: Shop) -> None:
    for letter in '💍ñ"':
        for last in "ab":
            Material.objects.create(name=letter * 199 + last)
    assert len(walk(shop, "/api/materials?limit=1")) == 6


def first_cursor(caller: Caller, address: str) -> str:
    """The cursor after the first row of a list."""
    page = next_page(caller.get(f"{address}{'&' if '?' in address else '?'}limit=1"))
    return parse_qs(urlsplit(page or "").query)["cursor"][0]


def unknown(answer: Answer) -> None:
    assert (answer.status, answer.code, answer.fields) == (422, "invalid_fields", {"cursor": "unknown"}), answer


def in_clear(*parts: object) -> str:
    """A cursor as former releases made them, without encryption."""
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "cursor",
    ["rubbish", "ñ", "e30", "A" * 80, in_clear("name", "plata", 1), in_clear("-name", "plata", 1), "A" * 1_999],
)
def test_forged_cursor_gets_422(shop: Shop, cursor: str) -> None:
    unknown(shop.ana.get(f"/api/materials?cursor={cursor}"))


def test_cursor_is_bound_to_the_user_the_list_and_the_ordering(shop: Shop) -> None:
    fill_catalogs(shop)
    cursor = first_cursor(shop.ana, "/api/materials?ordering=name")
    assert shop.ana.get(f"/api/materials?ordering=name&cursor={cursor}").status == 200
    unknown(shop.ana.get(f"/api/materials?ordering=-name&cursor={cursor}"))
    unknown(shop.ana.get(f"/api/materials?ordering=id&cursor={cursor}"))
    unknown(shop.ana.get(f"/api/components?ordering=name&cursor={cursor}"))
    unknown(shop.beto.get(f"/api/materials?ordering=name&cursor={cursor}"))


def test_cursor_outlives_the_session_but_not_the_secret(shop: Shop, settings: LazySettings) -> None:
    fill_catalogs(shop)
    cursor = first_cursor(shop.ana, "/api/materials")
    assert Caller(shop.ana.user).get(f"/api/materials?cursor={cursor}").status == 200
    settings.SECRET_KEY = "another secret of at least thirty-two bytes"
    unknown(Caller(shop.ana.user).get(f"/api/materials?cursor={cursor}"))


def test_changed_cursor_gets_422(shop: Shop) -> None:
    fill_catalogs(shop)
    cursor = first_cursor(shop.ana, "/api/materials")
    raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    for place in (0, 11, 12, len(raw) // 2, len(raw) - 1):
        other = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
        unknown(shop.ana.get(f"/api/materials?cursor={base64.urlsafe_b64encode(other).decode()}"))
    unknown(shop.ana.get(f"/api/materials?cursor={cursor[:-4]}"))
    unknown(shop.ana.get(f"/api/materials?cursor={cursor}AAAA"))


@pytest.mark.parametrize("path", LISTS)
def test_cursor_reveals_nothing_about_its_row(shop: Shop, path: str) -> None:
    orderings, fill = LISTS[path]
    fill(shop)
    for name in orderings.columns:
        address = f"{path}?ordering={name}"
        cursor, again = first_cursor(shop.ana, address), first_cursor(shop.ana, address)
        assert cursor != again, "equal cursors would reveal the same place"
        raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        row = shop.ana.get(f"{address}&limit=1").json[0]
        for shown in {str(row["id"]), name, *(str(value) for value in row.values() if value)}:
            assert len(shown) < 3 or shown.encode() not in raw, shown


def test_cursor_with_a_value_beyond_its_column_gets_422(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_catalogs(shop)
    monkeypatch.setattr("project.core.pagination._value", lambda row, column: "9" * 30)
    cursor = first_cursor(shop.ana, "/api/items?ordering=sellPrice")
    monkeypatch.undo()
    unknown(shop.ana.get(f"/api/items?ordering=sellPrice&cursor={cursor}"))


@pytest.mark.parametrize("limit", ["0", "-1", "201", "x", "1.5", "", "9" * 40])
def test_limit_must_be_1_to_200(shop: Shop, limit: str) -> None:
    answer = shop.ana.get(f"/api/materials?limit={limit}")
    assert (answer.status, set(answer.fields)) == (422, {"limit"})


@pytest.mark.parametrize("ordering", ["colour", "--name", "name,id", "password", "-"])
def test_ordering_must_be_one_of_the_list(shop: Shop, ordering: str) -> None:
    answer = shop.ana.get(f"/identity/users?ordering={ordering}")
    assert (answer.status, answer.fields) == (422, {"ordering": "not_a_choice"})


def test_list_without_a_limit_ends_at_1000_rows_with_a_next_link(shop: Shop) -> None:
    Material.objects.bulk_create(Material(name=f"M {number:04}") for number in range(1_003))
    answer = shop.ana.get("/api/materials")
    assert len(answer.json) == 1_000
    assert answer.headers["X-Total-Count"] == "1003"
    rest = shop.ana.get(next_page(answer) or "")
    assert [row["name"] for row in rest.json] == ["M 1000", "M 1001", "M 1002"]
    assert next_page(rest) is None


def test_empty_list_is_an_empty_array(shop: Shop) -> None:
    answer = shop.ana.get("/api/materials?limit=5")
    assert (answer.status, answer.json, answer.headers["X-Total-Count"]) == (200, [], "0")
    assert "Link" not in answer.headers


@pytest.mark.parametrize("search", ["plat", "PLAT", "Plat"])
def test_search_ignores_case(shop: Shop, search: str) -> None:
    Material.objects.create(name="Plata .925")
    Material.objects.create(name="Oro")
    assert [row["name"] for row in shop.ana.get(f"/api/materials?search={search}").json] == ["Plata .925"]


def test_total_of_a_long_list_is_marked_as_inexact(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("project.core.pagination.MOST_COUNTED", 3)
    for count, shown, exact in ((3, "3", None), (4, "3", "false")):
        while Material.objects.count() < count:
            Material.objects.create(name=f"Material {Material.objects.count()}")
        headers = shop.ana.get("/api/materials?limit=1").headers
        assert (headers["X-Total-Count"], headers.get("X-Total-Count-Exact")) == (shown, exact)


def test_rows_are_counted_only_if_the_page_does_not_hold_them_all(shop: Shop, django_assert_num_queries: Any) -> None:
    Material.objects.bulk_create(Material(name=f"M {number}") for number in range(3))
    for limit, queries in ((3, 2), (2, 3)):
        with django_assert_num_queries(queries):  # one query is for the caller
            answer = shop.ana.get(f"/api/materials?limit={limit}")
        assert answer.headers["X-Total-Count"] == "3"
    last = shop.ana.get(next_page(answer) or "")
    assert (len(last.json), last.headers["X-Total-Count"]) == (1, "3")
