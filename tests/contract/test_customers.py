"""Customer accounts read only the records of their customer, whatever their roles hold."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import openpyxl
import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import ALL, OF_CUSTOMERS
from project.catalogs.models import Customer, ItemComponent
from project.core.routing import PUBLIC
from project.printing.codes import Place, seal
from tests import builders
from tests.builders import Answer, Caller, Shop, buyer, line_path
from tests.contract.operations import CUSTOMERS, Operation, operations
from tests.project.billing.billing import ADDRESS, billed, done, of, pre_billed, prepare
from tests.project.printing.papers import read

EVERY = sorted((one for one in operations() if one.name not in PUBLIC), key=str)
SECRET = "OTHERS"
"""Part of every text that a customer must not read: data of other customers, notes of staff and their names."""


@pytest.fixture(autouse=True)
def _media(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


OWN = {"user_get", "personal_data_get"}
"""Operations that customer accounts may call for themselves only."""


@pytest.mark.parametrize("operation", EVERY, ids=str)
def test_an_operation_refuses_customer_accounts_unless_its_guard_admits_them(shop: Shop, operation: Operation) -> None:
    account = buyer(shop.customer, *ALL, processes=[shop.casting])
    path = operation.path.replace("999999", str(account.id)) if operation.name in OWN else operation.path
    answer = account.call(operation.method, path, {})
    if operation.name in CUSTOMERS:
        assert answer.status in (200, 201, 404, 422), answer
    else:
        assert (answer.status, answer.code) == (403, "permission_denied"), answer
        for trick in ("fields=options", "filterByUser=true", "format=csv"):
            assert account.call(operation.method, f"{operation.path}?{trick}", {}).status == 403, trick


def test_a_customer_account_has_the_same_permissions_with_any_role(shop: Shop) -> None:
    for account in (buyer(shop.customer), buyer(shop.customer, *ALL)):
        for asks in (account, shop.ana):
            held = asks.post("/identity/permissions/describe", {"subjectId": str(account.id)})
            assert {row["action"] for row in held.json} == OF_CUSTOMERS
        other = account.post("/identity/permissions/describe", {"subjectId": str(shop.ana.id)})
        assert (other.status, other.code) == (403, "permission_denied")
        assert account.get(f"/identity/users/{account.id}").json["userType"] == "Customer"
        assert account.get(f"/identity/users/{shop.ana.id}").status == 403


@dataclass(frozen=True)
class Trade:
    """A customer account, the records of its customer, and those of another customer."""

    shop: Shop
    account: Caller
    orders: list[int]
    bills: list[int]
    others: int
    others_bill: int

    @property
    def reads(self) -> list[str]:
        """All addresses at which the account reads its own records."""
        return [
            *(
                f"/api/sales-order{list}?{query}"
                for list in ("", "/positions")
                for query in ("limit=200", "format=csv")
            ),
            "/api/sales-order/positions?insideOverADay=false&dueThisWeek=false&ordering=process",
            "/api/search?q=mine",
            *(f"/api/sales-order/{order}" for order in self.orders),
            *(line_path(order) for order in self.orders),
            *(f"/api/work-sheets/{order}/position/1" for order in self.orders),
            "/api/deliveries/search",
            "/api/deliveries/search?format=csv",
            "/api/deliveries/totals",
            *(f"/api/deliveries/{bill}" for bill in self.bills),
        ]


@pytest.fixture
def trade(shop: Shop) -> Trade:
    """Create two orders, a bill and a pre-bill of the account's customer, and an order and a bill of another one."""
    prepare(shop)
    type(shop.ana.user).objects.filter(pk=shop.ana.id).update(first_name=SECRET)
    ItemComponent.objects.create(item=shop.item, component=builders.component(), notes=SECRET, place=1)
    other = Customer.objects.create(name=f"{SECRET} S.A.", addresses=[{"kind": "Commercial", **ADDRESS}])
    line = {"itemId": shop.item.pk, "quantity": 5, "notes": SECRET}
    mine = shop.order(items=[line, line], notes=SECRET, customerSalesOrderId="MINE-1")
    shop.status(mine, 1, "Approved")
    assert shop.move("in", mine, shop.casting, 3, notes=SECRET).status == 200
    sold = done(shop, 5, customerSalesOrderId="MINE-2")
    theirs = done(shop, 7, customerId=other.pk, customerSalesOrderId=f"{SECRET}-3", notes="wanted")
    return Trade(
        shop=shop,
        account=buyer(shop.customer, *ALL, processes=[shop.casting]),
        orders=[mine, sold],
        bills=[billed(shop, of(sold, 1, 2))["id"], pre_billed(shop, of(sold, 1, 1))["id"]],
        others=theirs,
        others_bill=billed(shop, of(theirs, 1, 7), invoiceNumber=SECRET)["id"],
    )


def ids(answer: Answer) -> list[int]:
    assert answer.status == 200, answer
    assert answer.headers["X-Total-Count"] == str(len(answer.json))
    return sorted(row["id"] for row in answer.json)


def test_no_answer_to_a_customer_account_reveals_other_customers_or_staff(trade: Trade) -> None:
    for address in trade.reads:
        answer = trade.account.get(address)
        assert answer.status == 200, (address, answer)
        assert SECRET not in answer.text, address
    for address in (f"/api/sales-order/{trade.orders[0]}", line_path(trade.orders[0]), trade.reads[-1]):
        assert SECRET in trade.shop.ana.get(address).text, "staff read it there"


def test_lists_and_their_counts_hold_only_records_of_the_customer(trade: Trade) -> None:
    account = trade.account
    assert ids(account.get("/api/sales-order")) == trade.orders
    assert {row["salesOrderId"] for row in account.get("/api/sales-order/positions").json} == set(trade.orders)
    assert account.get("/api/sales-order/positions?limit=1").headers["X-Total-Count"] == "2", "no New line"
    assert ids(account.get("/api/deliveries/search")) == sorted(trade.bills)


def test_filters_and_search_find_no_record_of_others_and_no_word_of_notes(trade: Trade) -> None:
    others = trade.shop.ana.get(f"/api/sales-order/{trade.others}").json["customerId"]
    for path in ("/api/sales-order", "/api/sales-order/positions", "/api/deliveries/search"):
        for query in (f"customerId={others}", f"search={SECRET}", "search=wanted"):
            assert ids(trade.account.get(f"{path}?{query}")) == [], (path, query)
    assert ids(trade.account.get("/api/sales-order?search=mine-1")) == trade.orders[:1]
    assert trade.account.get(f"/api/deliveries/totals?customerId={others}").json == []


def test_pages_hold_only_records_of_the_customer_in_every_ordering(trade: Trade) -> None:
    for path, wanted in (("/api/sales-order", trade.orders), ("/api/deliveries/search", trade.bills)):
        for ordering in ("id", "-id", "customerName", "status"):
            found, page = [], f"{path}?limit=1&ordering={ordering}"
            while page:
                answer = trade.account.get(page)
                found += [row["id"] for row in answer.json]
                page = answer.headers.get("Link", "<>").split(">")[0][1:]
            assert sorted(found) == sorted(wanted), (path, ordering)


def test_a_cursor_of_another_account_is_refused(trade: Trade) -> None:
    link = trade.shop.ana.get("/api/sales-order?limit=1").headers["Link"].split(">")[0][1:]
    cursor = parse_qs(urlsplit(link).query)["cursor"][0]
    answer = trade.account.get(f"/api/sales-order?limit=1&cursor={cursor}")
    assert (answer.status, answer.fields) == (422, {"cursor": "unknown"})


def test_records_of_another_customer_are_not_found(trade: Trade) -> None:
    for path in (
        f"/api/sales-order/{trade.others}",
        line_path(trade.others),
        f"/api/work-sheets/{trade.others}/position/1",
        f"/api/deliveries/{trade.others_bill}",
    ):
        answer = trade.account.get(path)
        assert (answer.status, answer.code) == (404, "not_found"), path
    answer = trade.account.post("/pdf/create-delivery", {"deliveryId": trade.others_bill, "language": "es"})
    assert (answer.status, answer.fields) == (422, {"deliveryId": "unknown"})


def test_the_code_of_another_customer_s_line_is_unknown(trade: Trade) -> None:
    own = trade.account.post("/api/scan", {"code": seal(Place(trade.orders[0], 1))})
    assert own.json == {"salesOrderId": trade.orders[0], "position": 1}
    answer = trade.account.post("/api/scan", {"code": seal(Place(trade.others, 1))})
    assert (answer.status, answer.code) == (422, "unknown_code")


def test_printed_sheets_of_a_customer_hide_notes_and_processes(trade: Trade) -> None:
    document = {"salesOrderId": trade.orders[0], "position": 1}
    printed = trade.account.post("/pdf/create-pdf", {"documents": [document], "language": "es"})
    assert printed.status == 200, printed
    on_paper = "".join(page.text for page in read(printed.content))
    assert "MINE-1" in on_paper
    assert SECRET not in on_paper
    staffs = trade.shop.ana.post("/pdf/create-pdf", {"documents": [document], "language": "es"})
    staffs_paper = "".join(page.text for page in read(staffs.content))
    assert SECRET in staffs_paper
    assert trade.shop.casting.name in staffs_paper
    assert trade.shop.casting.name not in on_paper
    for others in ({"salesOrderId": trade.others, "position": 1}, {"salesOrderId": trade.others}):
        refused = trade.account.post("/pdf/create-pdf", {"documents": [document, others], "language": "es"})
        assert refused.fields == {"documents.1.salesOrderId": "unknown"}
    bill = trade.account.post("/pdf/create-delivery", {"deliveryId": trade.bills[0], "language": "es"})
    assert "MINE-2" in "".join(page.text for page in read(bill.content))


def test_the_file_of_bills_holds_only_bills_of_the_customer(trade: Trade) -> None:
    written = trade.account.raw("/api/deliveries/search?format=csv").decode("utf-8-sig")
    assert len(list(csv.reader(io.StringIO(written)))) == 1 + len(trade.bills)
    book = openpyxl.load_workbook(io.BytesIO(trade.account.raw("/api/deliveries/search?format=xlsx")))
    rows = list(book.worksheets[0].values)
    assert len(rows) == 1 + len(trade.bills)
    assert SECRET not in str(rows)


def test_totals_count_only_bills_of_the_customer(trade: Trade) -> None:
    (sums,) = trade.account.get("/api/deliveries/totals").json
    assert (sums["bills"], sums["preBills"]) == (1, 1)
    (of_all,) = trade.shop.ana.get("/api/deliveries/totals").json
    assert of_all["bills"] == 2


def test_an_account_without_a_customer_reads_nothing(trade: Trade) -> None:
    lost = buyer(None, *ALL)
    for path in ("/api/sales-order", "/api/sales-order/positions", "/api/deliveries/search"):
        assert ids(lost.get(path)) == []
    assert lost.get("/api/deliveries/totals").json == []
    for address in trade.reads:
        if any(character.isdigit() for character in urlsplit(address).path):
            assert lost.get(address).status == 404, address
    assert lost.post("/api/scan", {"code": seal(Place(trade.orders[0], 1))}).code == "unknown_code"


def test_an_account_that_changes_customer_reads_the_new_one_s_records_at_once(trade: Trade) -> None:
    other = trade.shop.ana.get(f"/api/sales-order/{trade.others}").json["customerId"]
    assert trade.shop.ana.put(f"/identity/users/{trade.account.id}", {"customerId": other}).status == 200
    assert ids(trade.account.get("/api/sales-order")) == [trade.others]
    assert trade.account.get(f"/api/sales-order/{trade.orders[0]}").status == 404


def test_a_customer_account_is_offered_no_action_but_printing(trade: Trade) -> None:
    order: dict[str, Any] = trade.account.get(f"/api/sales-order/{trade.orders[0]}").json
    assert order["actions"] == {"edit": False, "delete": False}
    nothing = {"statuses": [], "movements": [], "scrap": [], "release": [], "undo": [], "edit": False, "history": False}
    for line in order["items"]:
        assert line["actions"] == nothing
        assert line["productionProcesses"] == []
    (inside,) = order["items"][0]["inside"]
    assert (inside["quantity"], inside["by"]) == (3, "")
    bill = trade.account.get(f"/api/deliveries/{trade.bills[0]}").json
    assert bill["actions"] == {
        "edit": False,
        "bill": False,
        "cancel": False,
        "export": False,
        "numbers": False,
        "settle": False,
        "print": True,
    }


def test_reads_of_a_customer_account_cost_no_more_queries_than_those_of_staff(trade: Trade) -> None:
    def queries(caller: Caller, path: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert caller.get(path).status == 200
        return len(asked)

    for path in trade.reads:
        assert queries(trade.account, path) <= queries(trade.shop.ana, path), path
