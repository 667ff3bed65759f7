"""Scrapped pieces by reason, process and product, and each person's own; scrap that was taken back does not count."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.catalogs.models import ProductionProcess
from project.core import clock
from tests.builders import Caller, Shop, buyer, customer, item, line_path, person, release, somebody

pytestmark = pytest.mark.usefixtures("in_mexico_city")

SCRAP = "/api/reports/scrap"
MARCH = "from=2026-03-01&to=2026-03-31"
EIGHT = datetime(2026, 3, 10, 14, tzinfo=UTC)
"""Eight in the morning on 10 March in the plant."""


@pytest.fixture(autouse=True)
def _in_april() -> Iterator[None]:
    with clock.at(datetime(2026, 4, 20, 18, tzinfo=UTC)):
        yield


def scrapped(
    shop: Shop,
    process: ProductionProcess,
    reason: str,
    pieces: int,
    *,
    at: datetime = EIGHT,
    by: Caller | None = None,
    **order: Any,
) -> int:
    """Make an order, and scrap `pieces` of it in a process at `at`. Returns the order's id."""
    made = shop.order(10, **order)
    shop.status(made, 1, "Approved")
    with clock.at(at - timedelta(hours=1)):
        shop.enter(made, process)
    with clock.at(at):
        body = {"productionProcessId": process.pk, "quantity": pieces, "reason": reason}
        answer = (by or shop.ana).post(f"{line_path(made)}/scrap", body)
    assert answer.status == 200, answer
    return made


def figures(by: Caller, query: str) -> list[tuple[str, int, float, float]]:
    answer = by.get(f"{SCRAP}?{query}", accept_language="es")
    assert answer.status == 200, answer
    return [(row["name"], row["pieces"], row["share"], row["cumulativeShare"]) for row in answer.json]


def test_scrap_is_counted_by_reason_process_and_product_most_first(shop: Shop) -> None:
    ring = item("Argolla")
    scrapped(shop, shop.casting, "broken", 2)
    scrapped(shop, shop.polishing, "lost", 1, items=[{"itemId": ring.pk, "quantity": 10}])
    scrapped(shop, shop.casting, "broken", 1)
    assert figures(shop.ana, MARCH) == [("Pieza rota", 3, 75.0, 75.0), ("Pieza extraviada", 1, 25.0, 100.0)]
    assert figures(shop.ana, f"{MARCH}&by=process") == [("Fundición", 3, 75.0, 75.0), ("Pulido", 1, 25.0, 100.0)]
    assert figures(shop.ana, f"{MARCH}&by=item") == [("Anillo", 3, 75.0, 75.0), ("Argolla", 1, 25.0, 100.0)]
    assert shop.ana.get(f"{SCRAP}?by=person").fields == {"by": "not_a_choice"}


def test_days_are_those_of_the_plant_and_both_included(shop: Shop) -> None:
    last = datetime(2026, 4, 1, 5, 59, tzinfo=UTC)
    scrapped(shop, shop.casting, "broken", 1, at=last)
    scrapped(shop, shop.casting, "broken", 2, at=last + timedelta(minutes=2))
    assert [row[1] for row in figures(shop.ana, MARCH)] == [1]
    assert [row[1] for row in figures(shop.ana, "from=2026-03-31&to=2026-04-01")] == [3]


def test_scrap_that_was_taken_back_is_not_counted(shop: Shop) -> None:
    for movement in ("out", ""):
        order = scrapped(shop, shop.casting, "broken", 10)
        assert release(shop.ana, order, shop.casting, movement).status == 200
    assert figures(shop.ana, MARCH) == []


def test_scrap_is_filtered_by_process_customer_and_product(shop: Shop) -> None:
    buyers, ring = customer(), item()
    scrapped(shop, shop.casting, "broken", 1)
    scrapped(shop, shop.polishing, "lost", 2, customerId=buyers.pk, items=[{"itemId": ring.pk, "quantity": 10}])
    for query in (
        f"productionProcessId={shop.polishing.pk}",
        f"customerId={buyers.pk}",
        f"itemId={ring.pk}",
    ):
        assert [row[:2] for row in figures(shop.ana, f"{MARCH}&{query}")] == [("Pieza extraviada", 2)], query


def test_everybody_sees_their_own_scrap_of_this_month_and_nobody_elses(shop: Shop) -> None:
    eva = Caller(person("eva", Permission.ScrapPieces, processes=[shop.casting]))
    today = clock.now()
    scrapped(shop, shop.casting, "broken", 4, at=today, by=eva)
    scrapped(shop, shop.casting, "lost", 1, at=today, by=eva)
    scrapped(shop, shop.casting, "lost", 2, at=EIGHT, by=eva)
    scrapped(shop, shop.casting, "lost", 9, at=today)
    own = eva.get(f"{SCRAP}/mine").json
    assert (own["since"], own["pieces"]) == ("2026-04-01", 5)
    assert [(row["name"], row["pieces"]) for row in own["reasons"]] == [("Pieza rota", 4), ("Pieza extraviada", 1)]
    assert eva.get(SCRAP).status == 403
    assert buyer(customer()).get(f"{SCRAP}/mine").status == 403


@pytest.mark.parametrize("permission", [Permission.ReportListSalesOrders, Permission.Dashboard])
def test_the_report_is_for_who_reads_reports(shop: Shop, permission: Permission) -> None:
    assert somebody(permission).get(SCRAP).status == 200
    assert somebody(Permission.ScrapPieces).get(SCRAP).status == 403


@pytest.mark.parametrize(
    ("language", "by", "head"),
    [("es", "reason", "Motivo de baja"), ("en", "process", "Process"), ("en", "item", "Product")],
)
def test_scrap_is_exported_in_the_callers_language(shop: Shop, language: str, by: str, head: str) -> None:
    scrapped(shop, shop.casting, "broken", 2)
    answer = shop.ana.get(f"{SCRAP}?{MARCH}&by={by}&format=csv", accept_language=language)
    heads, row = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert heads[0] == head
    assert row[1:] == ["2", "100.0", "100.0"]


def test_scrap_costs_a_constant_number_of_queries(shop: Shop) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as sent:
            shop.ana.get(f"{SCRAP}?{MARCH}")
        return len(sent)

    scrapped(shop, shop.casting, "broken", 1)
    few = queries()
    for reason in ("lost", "other", "deformed"):
        scrapped(shop, shop.casting, reason, 1)
    assert queries() == few


def test_scrapped_pieces_are_no_output_of_their_process(shop: Shop) -> None:
    order = scrapped(shop, shop.casting, "broken", 4)
    with clock.at(EIGHT + timedelta(hours=1)):
        shop.leave(order, shop.casting)
    (cast, *_) = shop.ana.get(f"/api/reports/throughput?{MARCH}").json
    assert (cast["pieces"], cast["inside"]["count"]) == (6, 1)
