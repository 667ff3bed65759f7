"""Releases by process and reason; undone movements are not counted."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from project.catalogs.models import ProductionProcess, ReleaseReason
from project.core import clock
from tests.builders import Caller, Shop, buyer, customer, item, line_path, somebody, undo

pytestmark = pytest.mark.usefixtures("in_mexico_city")

RELEASES = "/api/reports/releases"
MARCH = "from=2026-03-01&to=2026-03-31"
HOUR = timedelta(hours=1)
EIGHT = datetime(2026, 3, 10, 14, tzinfo=UTC)
"""Eight in the morning on 10 March in the plant."""


@pytest.fixture(autouse=True)
def _in_april() -> Iterator[None]:
    with clock.at(datetime(2026, 4, 20, 12, tzinfo=UTC)):
        yield


@pytest.fixture(autouse=True)
def _reasons(shop: Shop) -> None:
    ReleaseReason.objects.all().delete()
    ReleaseReason.objects.create(key="crack", name_spanish="Grieta", name_english="Crack")
    ReleaseReason.objects.create(key="size", name_spanish="Medida", name_english="Wrong size")


def take_back(
    by: Caller, order: int, process: ProductionProcess, reason: str = "", *, movement: str = "", at: datetime = EIGHT
) -> None:
    path = f"{line_path(order)}/production-process/{process.pk}" + (f"/movement-type/{movement}" if movement else "")
    with clock.at(at):
        answer = by.delete(f"{path}?reason={reason}" if reason else path)
    assert answer.status == 200, answer


def released(
    shop: Shop,
    process: ProductionProcess,
    reason: str = "",
    *,
    pieces: int = 5,
    movement: str = "",
    at: datetime = EIGHT,
) -> int:
    """An order of `pieces` that went through a process and were released at `at`."""
    order = shop.approved(pieces)
    went_through(shop, order, process, at - 2 * HOUR)
    take_back(shop.ana, order, process, reason, movement=movement, at=at)
    return order


def went_through(shop: Shop, order: int, process: ProductionProcess, at: datetime) -> None:
    with clock.at(at):
        shop.enter(order, process)
    with clock.at(at + HOUR):
        shop.leave(order, process)


def rows(by: Caller, query: str = MARCH, language: str = "es") -> list[dict[str, Any]]:
    answer = by.get(f"{RELEASES}?{query}", accept_language=language)
    assert answer.status == 200, answer
    found: list[dict[str, Any]] = answer.json
    return found


def figures(by: Caller, query: str = MARCH) -> list[tuple[str, str, int, int]]:
    return [(row["productionProcessName"], row["reason"], row["releases"], row["pieces"]) for row in rows(by, query)]


def test_releases_are_counted_by_process_and_reason_most_frequent_first(shop: Shop) -> None:
    released(shop, shop.polishing, "crack", pieces=9)
    released(shop, shop.casting, "size", pieces=7)
    for pieces in (2, 3):
        released(shop, shop.casting, "crack", pieces=pieces)
    released(shop, shop.casting, pieces=4)
    assert figures(shop.ana) == [
        ("Fundición", "crack", 2, 5),
        ("Fundición", "size", 1, 7),
        ("Fundición", "", 1, 4),
        ("Pulido", "crack", 1, 9),
    ]
    assert rows(shop.ana)[0]["productionProcessId"] == shop.casting.pk


def test_releases_of_entries_exits_and_records_all_count(shop: Shop) -> None:
    order = shop.approved(6)
    went_through(shop, order, shop.casting, EIGHT)
    take_back(shop.ana, order, shop.casting, "crack", movement="out", at=EIGHT + 2 * HOUR)
    assert figures(shop.ana) == [("Fundición", "crack", 1, 6)]
    take_back(shop.ana, order, shop.casting, "size", movement="in", at=EIGHT + 3 * HOUR)
    assert figures(shop.ana) == [("Fundición", "crack", 1, 6), ("Fundición", "size", 1, 6)]
    went_through(shop, order, shop.casting, EIGHT + 4 * HOUR)
    take_back(shop.ana, order, shop.casting, at=EIGHT + 6 * HOUR)
    assert ("Fundición", "", 1, 6) in figures(shop.ana)


def test_released_exit_counts_once_although_its_record_was_split_later(shop: Shop) -> None:
    order = released(shop, shop.casting, "crack", pieces=10, movement="out")
    with clock.at(EIGHT + HOUR):
        shop.leave(order, shop.casting, 4)
    with clock.at(EIGHT + 2 * HOUR):
        shop.leave(order, shop.casting, 5)
    assert figures(shop.ana) == [("Fundición", "crack", 1, 10)]


def test_each_release_of_an_exit_counts_on_its_day_and_by_its_reason(shop: Shop) -> None:
    order = released(shop, shop.casting, "crack", movement="out")
    with clock.at(EIGHT + 24 * HOUR):
        shop.leave(order, shop.casting)
    take_back(shop.ana, order, shop.casting, "size", movement="out", at=EIGHT + 48 * HOUR)
    assert figures(shop.ana, "from=2026-03-10&to=2026-03-10") == [("Fundición", "crack", 1, 5)]
    assert figures(shop.ana, "from=2026-03-11&to=2026-03-11") == []
    assert figures(shop.ana, "from=2026-03-12&to=2026-03-12") == [("Fundición", "size", 1, 5)]
    assert figures(shop.ana) == [("Fundición", "crack", 1, 5), ("Fundición", "size", 1, 5)]


def test_undone_movements_are_not_counted(shop: Shop) -> None:
    order = shop.approved(6)
    with clock.at(EIGHT):
        shop.enter(order, shop.casting)
        shop.leave(order, shop.casting)
        (record,) = shop.history(order)
        assert undo(shop.ana, order, record["id"]).status == 200
        assert undo(shop.ana, order, record["id"]).status == 200
    (record,) = shop.history(order)
    assert (record["undone"], record["releasedExits"][0]["undone"]) == (True, True)
    assert rows(shop.ana) == []


@pytest.mark.parametrize("movement", ["", "out"])
@pytest.mark.parametrize(
    ("at", "day"),
    [
        (datetime(2026, 3, 10, 6, tzinfo=UTC), "2026-03-10"),
        (datetime(2026, 3, 11, 5, 59, 59, tzinfo=UTC), "2026-03-10"),
        (datetime(2026, 3, 11, 6, tzinfo=UTC), "2026-03-11"),
    ],
)
def test_days_are_the_plants_and_inclusive(shop: Shop, movement: str, at: datetime, day: str) -> None:
    released(shop, shop.casting, "crack", movement=movement, at=at)
    found = {each: len(rows(shop.ana, f"from={each}&to={each}")) for each in ("2026-03-09", "2026-03-10", "2026-03-11")}
    assert {each for each, count in found.items() if count} == {day}
    assert len(rows(shop.ana, "from=2026-03-10&to=2026-03-11")) == 1


def test_default_range_is_30_days(shop: Shop) -> None:
    released(shop, shop.casting, "crack", at=clock.now() - 29 * 24 * HOUR)
    released(shop, shop.casting, "crack", at=clock.now() - 31 * 24 * HOUR)
    assert figures(shop.ana, "") == [("Fundición", "crack", 1, 5)]


def test_reason_is_named_in_the_callers_language_even_if_inactive(shop: Shop) -> None:
    released(shop, shop.casting, "crack", pieces=3)
    released(shop, shop.casting, "size", movement="out")
    released(shop, shop.casting, pieces=4)
    ReleaseReason.objects.update(active=False)

    def names(language: str) -> dict[str, str]:
        return {row["reason"]: row["reasonName"] for row in rows(shop.ana, language=language)}

    assert names("es") == {"crack": "Grieta", "size": "Medida", "": ""}
    assert names("en") == {"crack": "Crack", "size": "Wrong size", "": ""}


def test_reason_of_an_earlier_release_cannot_be_deleted(shop: Shop) -> None:
    order = released(shop, shop.casting, "size", movement="out")
    take_back(shop.ana, order, shop.casting, movement="in", at=EIGHT + HOUR)
    reason = ReleaseReason.objects.get(key="size")
    answer = shop.ana.delete(f"/api/release-reasons/{reason.pk}")
    assert (answer.code, answer.json["params"]) == ("in_use", {"by": {"movement": 1}})


def test_releases_are_filtered_by_process_customer_and_product(shop: Shop) -> None:
    north, chain = customer("Joyería Norte"), item("Cadena")
    theirs = shop.order(items=[{"itemId": chain.pk, "quantity": 3}], customerId=north.pk)
    shop.status(theirs, 1, "Approved")
    went_through(shop, theirs, shop.polishing, EIGHT)
    take_back(shop.ana, theirs, shop.polishing, movement="out", at=EIGHT + 2 * HOUR)
    released(shop, shop.casting, "crack")
    for query, pieces in (
        ("", [5, 3]),
        (f"&productionProcessId={shop.casting.pk}", [5]),
        (f"&customerId={north.pk}", [3]),
        (f"&itemId={shop.item.pk}", [5]),
        (f"&customerId={north.pk}&itemId={shop.item.pk}", []),
        ("&productionProcessId=999999", []),
    ):
        assert [row["pieces"] for row in rows(shop.ana, MARCH + query)] == pieces, query


@pytest.mark.parametrize(
    ("language", "heads", "name"),
    [
        ("es", ["Proceso", "Motivo de liberación", "Liberaciones", "Piezas"], "Grieta"),
        ("en", ["Process", "Reason for release", "Releases", "Pieces"], "Crack"),
    ],
)
def test_releases_are_exported_in_the_callers_language(shop: Shop, language: str, heads: list[str], name: str) -> None:
    released(shop, shop.casting, "crack")
    answer = shop.ana.get(f"{RELEASES}?{MARCH}&format=csv", accept_language=language)
    assert list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig")))) == [heads, ["Fundición", name, "1", "5"]]
    caller = Caller(shop.ana.user, accept_language=language)
    book = load_workbook(io.BytesIO(caller.raw(f"{RELEASES}?{MARCH}&format=xlsx")))
    assert book.active is not None
    assert list(book.active.values) == [tuple(heads), ("Fundición", name, 1, 5)]


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("from=2026-03-02&to=2026-03-01", "to", "before_start"),
        ("from=2010-01-01&to=2026-03-01", "to", "too_many_days"),
        ("customerId=x", "customerId", "invalid_type"),
        ("format=pdf", "format", "not_a_choice"),
    ],
)
def test_invalid_parameter_gets_422(shop: Shop, query: str, field: str, code: str) -> None:
    answer = shop.ana.get(f"{RELEASES}?{query}")
    assert (answer.status, answer.fields) == (422, {field: code})


def test_releases_need_permission_for_the_report_or_the_dashboard(shop: Shop) -> None:
    for action in ("Dashboard", "ReportListSalesOrders"):
        assert somebody(action).get(RELEASES).status == 200
    assert somebody("ListSalesOrders", "ShopFloor", "ReleaseProductionProccess").get(RELEASES).status == 403
    assert buyer(shop.customer, "Dashboard", "ReportListSalesOrders").get(RELEASES).status == 403
    assert shop.nobody.get(RELEASES).status == 401


def test_releases_cost_a_constant_number_of_queries(shop: Shop) -> None:
    costs = []
    for more in (1, 5):
        for number in range(more):
            released(shop, shop.casting, ("crack", "size", "")[number % 3])
            released(shop, shop.polishing, ("crack", "size", "")[number % 3], movement="out")
        with CaptureQueriesContext(connection) as queries:
            rows(shop.ana)
        costs.append(len(queries))
    assert costs[0] == costs[1]
