"""The flow of pieces through the processes, computed from the movement records."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from statistics import median, quantiles
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.catalogs.models import ProductionProcess
from project.core import clock
from project.orders.models import ChangedDay
from project.reports import flow
from project.reports.models import KeptDay
from project.reports.services import flow_forget, flow_keep
from tests.builders import Shop, customer, item, process, release, somebody

pytestmark = pytest.mark.usefixtures("in_mexico_city")

FLOW = "/api/reports/flow"
THROUGHPUT = "/api/reports/throughput"
MARCH = "from=2026-03-01&to=2026-03-31"
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
EIGHT = datetime(2026, 3, 10, 14, tzinfo=UTC)
"""Eight in the morning on 10 March in the plant."""


@pytest.fixture(autouse=True)
def _in_april() -> Iterator[None]:
    with clock.at(datetime(2026, 4, 20, 12, tzinfo=UTC)):
        yield


def visit(
    shop: Shop, order: int, into: ProductionProcess, entered: datetime, hours: float, quantity: int | None = None
) -> None:
    """Pieces enter at `entered` and leave `hours` later."""
    with clock.at(entered):
        shop.enter(order, into, quantity)
    with clock.at(entered + hours * HOUR):
        shop.leave(order, into, quantity)


def read(shop: Shop, path: str) -> Any:
    answer = shop.ana.get(path)
    assert answer.status == 200, answer
    return answer.json


def both_ways(shop: Shop, path: str) -> Any:
    """Return the answer computed from the records, after checking that it equals the answer from kept days."""
    flow_forget()
    computed = read(shop, path)
    flow_keep()
    assert KeptDay.objects.exists()
    assert read(shop, path) == computed
    return computed


def test_visit_counts_on_the_day_it_ended_with_time_inside_and_wait(shop: Shop) -> None:
    order = shop.approved(10)
    visit(shop, order, shop.casting, EIGHT, 2)
    visit(shop, order, shop.polishing, EIGHT + 5 * HOUR, 30)
    answered = both_ways(shop, f"{FLOW}?{MARCH}")
    assert (answered["from"], answered["to"]) == ("2026-03-01", "2026-03-31")
    first, second = answered["days"]
    assert (first["day"], first["pieces"], first["inside"]) == (
        "2026-03-10",
        10,
        {"count": 1, "median": 2.0, "p90": 2.0},
    )
    assert first["waited"] == {"count": 0, "median": None, "p90": None}, (
        "before its first process a line waits for none"
    )
    assert (second["day"], second["inside"]["median"]) == ("2026-03-11", 30.0)
    assert second["waited"] == {"count": 1, "median": 3.0, "p90": 3.0}
    assert answered["total"]["pieces"] == 20
    assert answered["total"]["inside"] == {"count": 2, "median": 16.0, "p90": 27.2}


def test_percentiles_over_days_and_processes_equal_the_standard_librarys(shop: Shop) -> None:
    hours = [1, 2, 4, 7, 11, 16, 22, 29, 37, 46, 56]
    for number, inside in enumerate(hours):
        order = shop.approved(1)
        visit(shop, order, (shop.casting, shop.polishing)[number % 2], EIGHT + number * DAY, inside)
    total = both_ways(shop, f"{FLOW}?{MARCH}")["total"]["inside"]
    assert total["median"] == median(hours)
    assert total["p90"] == pytest.approx(quantiles(hours, n=10, method="inclusive")[8])
    rows = both_ways(shop, f"{THROUGHPUT}?{MARCH}")
    assert [row["inside"]["median"] for row in rows] == [median(hours[::2]), median(hours[1::2])]


def test_visit_counts_once_whatever_its_pieces(shop: Shop) -> None:
    order = shop.approved(100)
    visit(shop, order, shop.casting, EIGHT, 1, 99)
    visit(shop, order, shop.casting, EIGHT + 2 * HOUR, 3, 1)
    (row,) = [row for row in both_ways(shop, f"{THROUGHPUT}?{MARCH}") if row["pieces"]]
    assert (row["productionProcessName"], row["pieces"]) == ("Fundición", 100)
    assert row["inside"] == {"count": 2, "median": 2.0, "p90": 2.8}


def test_wait_begins_at_the_lines_last_exit_before_the_entry(shop: Shop) -> None:
    order, other = shop.approved(10), shop.approved(10)
    visit(shop, order, shop.casting, EIGHT, 1, 4)
    visit(shop, order, shop.casting, EIGHT + 2 * HOUR, 1, 4)
    visit(shop, other, shop.casting, EIGHT + 3 * HOUR, 0.5)
    visit(shop, order, shop.polishing, EIGHT + 4 * HOUR, 1, 8)
    visit(shop, order, shop.casting, EIGHT + 6 * HOUR, 0, 2)
    waited = both_ways(shop, f"{FLOW}?{MARCH}")["total"]["waited"]
    assert waited == {"count": 3, "median": 1.0, "p90": 1.0}


def test_released_visits_and_exits_are_not_counted(shop: Shop) -> None:
    order, other, third = shop.approved(5), shop.approved(5), shop.approved(5)
    for line in (order, other, third):
        visit(shop, line, shop.casting, EIGHT, 2)
    assert both_ways(shop, f"{FLOW}?{MARCH}")["total"]["pieces"] == 15
    release(shop.ana, order, shop.casting)
    assert read(shop, f"{FLOW}?{MARCH}")["total"]["pieces"] == 10, "a changed day is computed again"
    release(shop.ana, other, shop.casting, "out")
    assert ChangedDay.objects.count() == 2
    assert read(shop, f"{THROUGHPUT}?{MARCH}")[0]["pieces"] == 5
    assert flow_keep() == 1
    assert not ChangedDay.objects.exists()
    assert both_ways(shop, f"{FLOW}?{MARCH}")["total"]["pieces"] == 5


def test_release_while_its_day_is_being_kept_is_not_lost(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    order = shop.approved(5)
    visit(shop, order, shop.casting, EIGHT, 2)
    computed = flow.computed

    def released_behind_its_back(day: date) -> list[flow.Flow]:
        found = computed(day)
        if found:
            release(shop.ana, order, shop.casting)
        return found

    monkeypatch.setattr(flow, "computed", released_behind_its_back)
    flow_keep()
    assert read(shop, f"{FLOW}?{MARCH}")["total"]["pieces"] == 0
    flow_keep()
    assert not ChangedDay.objects.exists()
    assert read(shop, f"{FLOW}?{MARCH}")["total"]["pieces"] == 0


def test_day_is_kept_an_hour_after_it_ends(shop: Shop) -> None:
    visit(shop, shop.approved(5), shop.casting, EIGHT, 2)
    midnight = clock.end_of(datetime(2026, 3, 10, tzinfo=UTC).date())
    for now, kept in ((midnight - HOUR, 0), (midnight + 0.9 * HOUR, 0), (midnight + HOUR, 1), (midnight + HOUR, 0)):
        with clock.at(now):
            assert flow_keep() == kept
            assert read(shop, f"{FLOW}?{MARCH}")["total"]["pieces"] == 5
    assert flow_keep() == 40, "days without output are kept too"


def test_today_is_computed_from_the_records(shop: Shop) -> None:
    now = clock.now()
    visit(shop, shop.approved(5), shop.casting, now - HOUR, 0.5)
    flow_keep()
    (today,) = read(shop, FLOW)["days"]
    assert (today["day"], today["pieces"]) == (clock.today().isoformat(), 5)
    assert read(shop, THROUGHPUT)[0]["inside"]["median"] == 0.5


def test_flow_is_filtered_by_process_customer_and_product(shop: Shop) -> None:
    north, chain = customer("Joyería Norte"), item("Cadena")
    own = shop.approved(2)
    theirs = shop.order(items=[{"itemId": chain.pk, "quantity": 3}], customerId=north.pk)
    shop.status(theirs, 1, "Approved")
    for order in (own, theirs):
        visit(shop, order, shop.casting, EIGHT, 1)
        visit(shop, order, shop.polishing, EIGHT + 3 * HOUR, 1)
    for query, pieces in (
        ("", 10),
        (f"&productionProcessId={shop.casting.pk}", 5),
        (f"&customerId={north.pk}", 6),
        (f"&itemId={shop.item.pk}", 4),
        (f"&customerId={north.pk}&itemId={chain.pk}&productionProcessId={shop.polishing.pk}", 3),
        (f"&customerId={north.pk}&itemId={shop.item.pk}", 0),
        ("&productionProcessId=999999", 0),
    ):
        assert both_ways(shop, f"{FLOW}?{MARCH}{query}")["total"]["pieces"] == pieces, query


def test_wait_counts_from_the_exit_of_another_process(shop: Shop) -> None:
    order = shop.approved(2)
    visit(shop, order, shop.casting, EIGHT, 1)
    visit(shop, order, shop.polishing, EIGHT + 3 * HOUR, 1)
    answered = both_ways(shop, f"{FLOW}?{MARCH}&productionProcessId={shop.polishing.pk}")
    assert answered["total"]["waited"]["median"] == 2.0


@pytest.mark.parametrize(
    ("entered", "hours", "day"),
    [
        ("2026-03-11T05:00:00+00:00", 0.5, "2026-03-10"),
        ("2026-03-11T05:00:00+00:00", 1, "2026-03-11"),
        ("2024-02-29T18:00:00+00:00", 2, "2024-02-29"),
        # In 2022 the plant's clocks went forward an hour at 2:00 on 3 April and back on 30 October.
        ("2022-04-03T05:30:00+00:00", 24, "2022-04-04"),
        ("2022-04-03T07:30:00+00:00", 1, "2022-04-03"),
        ("2022-10-30T05:30:00+00:00", 23, "2022-10-29"),
        ("2022-10-30T06:30:00+00:00", 23, "2022-10-30"),
    ],
)
def test_days_are_the_plants_on_leap_days_and_when_clocks_change(
    shop: Shop, entered: str, hours: float, day: str
) -> None:
    if day == "2022-10-29":  # 24 hours before, so that the exit falls in the hour before midnight
        entered = "2022-10-29T05:30:00+00:00"
    visit(shop, shop.approved(1), shop.casting, datetime.fromisoformat(entered), hours)
    with clock.at(datetime.fromisoformat(entered) + 4 * DAY):
        answered = both_ways(shop, f"{FLOW}?from=2020-01-01&to=2026-12-31")
        assert [(row["day"], row["inside"]["median"]) for row in answered["days"]] == [(day, hours)]
        assert len(read(shop, f"{FLOW}?from={day}&to={day}")["days"]) == 1


def test_throughput_has_a_row_for_each_active_or_used_process(shop: Shop) -> None:
    process("Cerrado", order=3, active=False)
    visit(shop, shop.approved(1), shop.polishing, EIGHT, 1)
    shop.ana.put(f"/api/production-processes/{shop.polishing.pk}", {"status": False})
    rows = both_ways(shop, f"{THROUGHPUT}?{MARCH}")
    assert [row["productionProcessName"] for row in rows] == ["Fundición", "Pulido"]
    assert rows[0]["inside"] == {"count": 0, "median": None, "p90": None}
    assert [row["productionProcessName"] for row in read(shop, f"{THROUGHPUT}?from=2026-01-01&to=2026-01-02")] == [
        "Fundición"
    ]


def test_default_range_is_30_days_and_10_years_are_allowed(shop: Shop) -> None:
    visit(shop, shop.approved(1), shop.casting, EIGHT, 1)
    assert (read(shop, FLOW)["from"], read(shop, FLOW)["to"]) == ("2026-03-22", "2026-04-20")
    assert read(shop, f"{FLOW}?to=2026-03-10")["total"]["pieces"] == 1
    assert both_ways(shop, f"{FLOW}?from=2016-04-21&to=2026-04-20")["total"]["pieces"] == 1
    assert read(shop, f"{FLOW}?from=2027-01-01")["days"] == []


@pytest.mark.parametrize("path", [FLOW, THROUGHPUT])
@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("from=2026-03-02&to=2026-03-01", "to", "before_start"),
        ("from=2010-01-01&to=2026-03-01", "to", "too_many_days"),
        ("from=1900-01-01", "to", "too_many_days"),
        ("to=2026-02-29", "to", "invalid_date"),
    ],
)
def test_invalid_range_gets_422(shop: Shop, path: str, query: str, field: str, code: str) -> None:
    answer = shop.ana.get(f"{path}?{query}")
    assert (answer.status, answer.code) == (422, "invalid_fields")
    assert answer.fields == {field: code}


@pytest.mark.parametrize("query", ["productionProcessId=0", "customerId=x", "itemId=-1", "itemId=9223372036854775808"])
def test_invalid_id_gets_422(shop: Shop, query: str) -> None:
    assert set(shop.ana.get(f"{FLOW}?{query}").fields) == {query.partition("=")[0]}


def test_flow_needs_permission_for_the_report_or_the_dashboard(shop: Shop) -> None:
    assert somebody("Dashboard").get(FLOW).status == somebody("ReportListSalesOrders").get(FLOW).status == 200
    assert somebody("ListSalesOrders", "ShopFloor").get(FLOW).status == 403


@pytest.mark.parametrize("path", [f"{FLOW}?{MARCH}", f"{THROUGHPUT}?{MARCH}", f"{FLOW}?{MARCH}&itemId=1"])
@pytest.mark.parametrize("keep", [flow_forget, flow_keep])
def test_flow_costs_a_constant_number_of_queries(shop: Shop, path: str, keep: Callable[[], object]) -> None:
    counts = []
    for more in (1, 9):
        for number in range(more):
            visit(shop, shop.approved(1), shop.casting, EIGHT + number * HOUR, 1)
        keep()
        with CaptureQueriesContext(connection) as queries:
            read(shop, path)
        counts.append(len(queries))
    assert counts[0] == counts[1]
