"""The report of calls counts by process and kind, and names nobody."""

from datetime import timedelta

from project.core import clock
from project.core.schemas import utc_z
from tests.builders import Shop
from tests.project.talk.talking import called, come

REPORT = "/api/reports/calls"


def test_calls_are_counted_by_process_and_kind_with_how_long_they_waited(shop: Shop) -> None:
    order = shop.approved(5)
    at = clock.now() - timedelta(hours=1)
    for minutes in (2, 4, 12):
        message = called(shop.ana, order, "stop", productionProcessId=shop.casting.pk, madeAt=utc_z(at))
        come(shop.beto, order, message, madeAt=utc_z(at + timedelta(minutes=minutes)))
    called(shop.ana, order, "stop", productionProcessId=shop.casting.pk)
    called(shop.ana, order, "question", productionProcessId=shop.polishing.pk)
    called(shop.ana, order, "missing")
    rows = shop.ana.get(REPORT).json
    assert rows == [
        {
            "productionProcessId": shop.casting.pk,
            "productionProcessName": shop.casting.name,
            "kind": "stop",
            "calls": 4,
            "answered": 3,
            "medianMinutes": 4.0,
        },
        {
            "productionProcessId": shop.polishing.pk,
            "productionProcessName": shop.polishing.name,
            "kind": "question",
            "calls": 1,
            "answered": 0,
            "medianMinutes": None,
        },
        {
            "productionProcessId": None,
            "productionProcessName": "",
            "kind": "missing",
            "calls": 1,
            "answered": 0,
            "medianMinutes": None,
        },
    ]
    of_polishing = shop.ana.get(f"{REPORT}?productionProcessId={shop.polishing.pk}").json
    assert [row["kind"] for row in of_polishing] == ["question"]
