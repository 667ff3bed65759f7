"""A page has exactly the fields that are listed here, of its own orders, with the parts that its link shows."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import ALL
from project.catalogs.models import Customer, ProductionProcess
from project.core import clock
from project.customer_links import selectors
from project.orders.models import Forecast, Line
from tests import builders
from tests.builders import Caller, Shop, buyer, line_path
from tests.project.billing.billing import ADDRESS, billed, done, of, pre_billed, prepare
from tests.project.customer_links.linking import line_of, opened, page_of, said, shared
from tests.project.pictures import picture
from tests.project.printing.papers import read

LINE = (
    *("position", "itemKey", "itemName", "itemNameEnglish", "quantity", "quantityGood"),
    *("quantityReady", "quantityShipped"),
    *(
        "stage",
        "step",
        "steps",
        "processes",
        "deliveryDate",
        "lateDays",
        "forecast",
        "image",
        "thumbnail",
        "price",
        "currency",
    ),
)
FIELDS = {
    *("customerName", "companyName", "logo", "zone", "expiresAt", "orders", "more"),
    *(f"orders.{field}" for field in ("id", "customerSalesOrderId", "salesOrderDate")),
    *(f"orders.{field}" for field in ("lines", "shipments", "papers", "requests", "answers")),
    *(f"orders.lines.{field}" for field in LINE),
    *("orders.lines.processes.name", "orders.lines.processes.nameEnglish"),
    *(f"orders.shipments.{field}" for field in ("billId", "date", "trackingNumber", "lines")),
    *("orders.shipments.lines.position", "orders.shipments.lines.quantity"),
    *(f"orders.papers.{field}" for field in ("billId", "number", "paper")),
    *(f"orders.answers.{field}" for field in ("id", "kind", "position", "text", "quantity", "at")),
    *("orders.answers.requestId", "orders.answers.replies"),
}
"""Every field of a page. The forecast has one more, `latest`."""
FORECAST = {"orders.lines.forecast.latest"}
SECRET = "OTHERS"
"""Part of every text that no page may show: notes and names of the staff, other customers, and their orders."""
ALL_PARTS = {"showsPrices": True, "showsPhotos": True, "showsPapers": True, "showsProcesses": True}


@pytest.fixture(autouse=True)
def _media(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def fields_of(part: Any, path: str = "") -> Iterator[str]:
    """The paths of all fields below a part of an answer."""
    if isinstance(part, list):
        for one in part:
            yield from fields_of(one, path)
    elif isinstance(part, dict):
        for name, one in part.items():
            yield f"{path}{name}"
            yield from fields_of(one, f"{path}{name}.")


def trade(shop: Shop) -> tuple[int, int]:
    """Make an order in every stage with a bill, and an order of another customer. Return their ids."""
    prepare(shop)
    type(shop.ana.user).objects.filter(pk=shop.ana.id).update(first_name=SECRET)
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(name_english="Casting")
    path = f"/api/items/{shop.item.pk}/document/anillo.jpeg"
    assert shop.ana.call("POST", path, raw=picture(), content_type="image/jpeg").status == 201
    other = Customer.objects.create(name=f"{SECRET} S.A.", addresses=[{"kind": "Commercial", **ADDRESS}])
    theirs = done(shop, 7, customerId=other.pk, customerSalesOrderId=f"{SECRET}-3", notes=SECRET)
    billed(shop, of(theirs, 1, 7), invoiceNumber=SECRET)
    mine = done(shop, 5, 5, notes=SECRET, customerSalesOrderId="MINE-1")
    moving = {"itemId": shop.item.pk, "quantity": 4, "notes": SECRET, "deliveryDate": "2099-12-31"}
    assert shop.ana.post(f"/api/sales-order/{mine}/position", moving).status == 201
    shop.status(mine, 3, "Approved")
    assert shop.move("in", mine, shop.casting, 3, position=3, notes=SECRET).status == 200
    billed(shop, of(mine, 1, 5), guideNumber="1Z-204")
    return mine, theirs


def test_a_page_has_exactly_the_listed_fields(shop: Shop) -> None:
    mine, _ = trade(shop)
    made = shared(shop, mine, **ALL_PARTS)
    assert said(made, mine, "comment", text="Gracias").status == 201
    found = set(fields_of(page_of(made)))
    assert found - FORECAST == FIELDS


@pytest.mark.parametrize("parts", [{}, ALL_PARTS], ids=["usual", "all"])
@pytest.mark.parametrize("whole", [True, False], ids=["customer", "order"])
def test_a_page_names_no_staff_no_note_and_no_other_customer(shop: Shop, whole: bool, parts: dict[str, bool]) -> None:
    mine, theirs = trade(shop)
    answer = opened(shared(shop, None if whole else mine, **parts))
    assert answer.status == 200
    assert SECRET not in answer.text
    assert str(theirs) not in [str(one["id"]) for one in answer.json["orders"]]
    assert SECRET in shop.ana.get(f"/api/sales-order/{mine}").text, "staff read it there"


def test_a_link_of_an_order_shows_this_order_alone_and_one_of_a_customer_all(shop: Shop) -> None:
    first, second = shop.approved(5), shop.approved(3)
    assert [one["id"] for one in page_of(shared(shop, first))["orders"]] == [first]
    assert [one["id"] for one in page_of(shared(shop))["orders"]] == [second, first], "the newest first"


def test_parts_are_shown_only_by_a_link_that_says_so(shop: Shop) -> None:
    mine, _ = trade(shop)
    usual = page_of(shared(shop, mine))["orders"][0]
    plain = page_of(shared(shop, mine, showsPhotos=False))["orders"][0]
    whole = page_of(shared(shop, mine, **ALL_PARTS))["orders"][0]
    assert [line["price"] for line in usual["lines"]] == [None] * 3
    assert {(line["price"], line["currency"]) for line in whole["lines"]} == {(10.5, "MXN")}
    assert usual["lines"][0]["thumbnail"]
    assert [line["image"] or line["thumbnail"] for line in plain["lines"]] == [None] * 3
    assert (usual["papers"], [one["paper"] for one in whole["papers"]]) == ([], ["invoice"])
    assert usual["lines"][2]["processes"] == []
    assert whole["lines"][2]["processes"] == [{"name": "Fundición", "nameEnglish": "Casting"}]
    assert plain["shipments"] == whole["shipments"], "what was shipped is always shown"


def test_the_stage_of_a_line_follows_the_shop_floor_until_its_shipment(shop: Shop) -> None:
    prepare(shop)
    shop.item.way.create(process=shop.casting, place=1)
    order = shop.approved(5)
    made = shared(shop, order)

    def stage() -> tuple[str, int | None, int | None, int, int]:
        line = line_of(made)
        return line["stage"], line["step"], line["steps"], line["quantityReady"], line["quantityShipped"]

    assert stage() == ("waiting", None, None, 0, 0)
    shop.enter(order, shop.casting)
    assert stage() == ("inProduction", 1, 1, 0, 0)
    shop.leave(order, shop.casting)
    shop.status(order, 1, "Done")
    assert stage() == ("ready", None, None, 5, 0)
    billed(shop, of(order, 1, 2), guideNumber="1Z-204")
    assert stage() == ("ready", None, None, 3, 2)
    billed(shop, of(order, 1, 3), guideNumber="1Z-205")
    assert stage() == ("shipped", None, None, 0, 5)
    (shown,) = page_of(made)["orders"]
    assert [one["trackingNumber"] for one in shown["shipments"]] == ["1Z-204", "1Z-205"]
    assert [one["lines"] for one in shown["shipments"]] == [[{"position": 1, "quantity": n}] for n in (2, 3)]


def test_a_line_says_how_many_of_its_pieces_are_left_after_scrap(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.scrap(order, shop.casting, 4)
    shop.leave(order, shop.casting)
    shop.status(order, 1, "Done")
    (by_account,) = buyer(shop.customer).get("/api/customer-page").json["orders"]
    for line in (line_of(shared(shop, order)), by_account["lines"][0]):
        said = [line[name] for name in ("quantity", "quantityGood", "quantityReady", "stage")]
        assert said == [10, 6, 6, "ready"]


def test_an_open_line_shows_the_day_of_its_forecast_and_not_the_risk(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    assert line_of(made)["forecast"] is None, "it was not made yet"
    line = Line.objects.get(order=order)
    forecast_of(line)
    assert line_of(made)["forecast"] == {"latest": (clock.today() + timedelta(days=5)).isoformat()}
    assert set(fields_of(page_of(made))) >= FORECAST
    shop.enter(order, shop.casting)
    assert line_of(made)["forecast"] is not None, "in production"
    shop.leave(order, shop.casting)
    shop.status(order, 1, "Done")
    assert line_of(made)["forecast"] is None, "it is ready"


def forecast_of(line: Line) -> None:
    """A forecast that the line is done in five days, with a chance of 80 %."""
    days = zip(("p10", "p50", "p80", "p90"), (1, 3, 5, 8), strict=True)
    named = {name: clock.today() + timedelta(days=after) for name, after in days}
    Forecast.objects.create(line=line, made_at=clock.now(), basis=20, late_percent=70, **named)


def test_a_line_says_how_many_days_after_the_agreed_day_it_will_be_ready(shop: Shop) -> None:
    order = shop.approved(5)
    made, line = shared(shop, order), Line.objects.get(order=order)
    assert line_of(made)["lateDays"] is None, "nothing was agreed"
    Line.objects.update(delivery_date=clock.today() - timedelta(days=2))
    assert line_of(made)["lateDays"] == 2
    forecast_of(line)
    assert line_of(made)["lateDays"] == 7, "of its forecast"
    Line.objects.update(delivery_date=clock.today() + timedelta(days=9))
    assert line_of(made)["lateDays"] is None


def test_late_orders_come_first_then_those_that_are_due_next_and_finished_ones_last(shop: Shop) -> None:
    finished, near, later, late, plain = done(shop, 5), *(shop.approved(5) for _ in range(4))
    for order, days in ((later, 9), (near, 3), (late, -1), (finished, -20)):
        Line.objects.filter(order=order).update(delivery_date=clock.today() + timedelta(days=days))
    assert [one["id"] for one in page_of(shared(shop))["orders"]] == [late, near, later, plain, finished]


def test_an_account_finds_an_order_by_its_po(shop: Shop) -> None:
    first, _ = shop.approved(5), shop.approved(5)
    po = shop.line(first)["customerSalesOrderId"]
    found = buyer(shop.customer, *ALL).get(f"/api/customer-page?search={po}")
    assert [one["id"] for one in found.json["orders"]] == [first]


def test_an_order_beyond_those_that_the_page_shows_is_found_by_its_po(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "MOST_ORDERS", 2)
    oldest, middle, newest = (shop.approved(5) for _ in range(3))
    account = buyer(shop.customer, *ALL)
    page = account.get("/api/customer-page").json
    assert ({one["id"] for one in page["orders"]}, page["more"]) == ({middle, newest}, True)
    po = shop.line(oldest)["customerSalesOrderId"]
    found = account.get(f"/api/customer-page?search={po}").json
    assert ([one["id"] for one in found["orders"]], found["more"]) == ([oldest], False)


def test_a_canceled_line_says_so_and_a_pre_bill_ships_nothing(shop: Shop) -> None:
    prepare(shop)
    order = done(shop, 5)
    pre_billed(shop, of(order, 1, 5))
    made = shared(shop, order, **ALL_PARTS)
    assert (line_of(made)["stage"], page_of(made)["orders"][0]["papers"]) == ("ready", [])
    gone = shop.approved(5, 5)
    shop.status(gone, 1, "Canceled")
    assert line_of(shared(shop, gone))["stage"] == "canceled"


def test_pictures_open_with_the_page_and_no_longer_than_its_link(shop: Shop) -> None:
    mine, _ = trade(shop)
    made = shared(shop, mine)
    url = line_of(made)["thumbnail"]
    assert made["token"] not in url
    got = Caller().get(url)
    assert got.content.startswith(b"\xff\xd8")
    assert (got.headers["Referrer-Policy"], got.headers["X-Robots-Tag"]) == ("no-referrer", "noindex")
    place, key = url.split("?")
    whole = place.replace(".thumbnail", "")
    assert Caller().get(whole).status == 404
    assert Caller().get(f"{whole}?{key}").status == 404, "the pass opens this picture alone"
    assert shop.ana.delete(f"/api/customer-links/{made['id']}").status == 200
    assert Caller().get(url).status == 404


def test_papers_are_those_of_the_page_and_name_no_other_order(shop: Shop) -> None:
    prepare(shop)
    first, second = done(shop, 5), done(shop, 4)
    own = billed(shop, of(first, 1, 2))["id"]
    both = billed(shop, of(first, 1, 3), of(second, 1, 4))["id"]
    made, whole = shared(shop, first, **ALL_PARTS), shared(shop, **ALL_PARTS)
    assert [one["billId"] for one in page_of(made)["orders"][0]["papers"]] == [own]
    assert {one["billId"] for order in page_of(whole)["orders"] for one in order["papers"]} == {own, both}
    printed = Caller().get(f"/api/c/{made['token']}/papers/{own}/invoice")
    assert (printed.status, printed.headers["Content-Type"]) == (200, "application/pdf")
    assert "PO#" in "".join(page.text for page in read(printed.content))
    for path in (f"{both}/invoice", f"{own}/packing-list", f"{own}/receipt", "999999/invoice"):
        assert Caller().get(f"/api/c/{made['token']}/papers/{path}").code == "not_found", path
    without = shared(shop, first, showsPapers=True)
    assert Caller().get(f"/api/c/{without['token']}/papers/{own}/invoice").code == "not_found"


def test_a_page_costs_the_same_queries_for_one_order_as_for_many(shop: Shop) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as sent:
            assert opened(made).status == 200
        return len(sent)

    prepare(shop)
    made = shared(shop, **ALL_PARTS)
    billed(shop, of(done(shop, 5), 1, 5))
    shop.approved(5)
    few = queries()
    for _ in range(3):
        billed(shop, of(done(shop, 5, 5), 1, 5))
        shop.approved(5, 5)
    assert queries() == few


def test_an_account_has_the_same_page_for_all_orders_of_its_customer(shop: Shop) -> None:
    mine, _ = trade(shop)
    account = buyer(shop.customer, *ALL)
    by_account, by_link = account.get("/api/customer-page"), page_of(shared(shop, **ALL_PARTS))
    assert by_account.status == 200
    assert SECRET not in by_account.text
    assert set(fields_of(by_account.json)) <= FIELDS | FORECAST
    shown, linked = by_account.json["orders"][0], by_link["orders"][0]
    for line in (*shown["lines"], *linked["lines"]):
        line["image"] = line["thumbnail"] = None  # each session has its own pass
    assert shown == linked
    assert by_account.json["expiresAt"] is None
    (paper,) = shown["papers"]
    assert account.get(f"/api/customer-page/papers/{paper['billId']}/invoice").status == 200
    other = buyer(builders.customer("Joyas Vega"))
    assert other.get("/api/customer-page").json["orders"] == []
    assert other.get(f"/api/customer-page/papers/{paper['billId']}/invoice").code == "not_found"
    assert buyer(None).get("/api/customer-page").code == "not_found"
    assert shop.ana.get("/api/customer-page").code == "not_found", "staff have other pages"
    assert mine == shown["id"]


def test_what_is_not_on_the_page_is_not_answered(shop: Shop) -> None:
    made = shared(shop, shop.approved(5))
    order = shop.approved(4)
    for path in (f"/api/sales-order/{order}", line_path(order), "/api/customer-page", "/api/live/ticket"):
        for caller in (Caller(bearer=made["token"]), Caller(bearer=f"link {made['token']}")):
            assert caller.call("POST" if "ticket" in path else "GET", path).status == 401, path
