"""The calendar of delivery days: who reads what in it, how its address is made, and what ends it."""

import json
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from icalendar import Calendar, Event

from project.access.models import SignInAttempt
from project.access.pace import Pace
from project.audit.models import AuditEntry
from project.calendars import rules, services
from project.calendars.models import CalendarFeed
from project.core import clock
from project.core.logs import HIDDEN, without_secrets
from project.identity.models import User
from project.operations import checking
from project.orders.models import Line
from realtime.models import OutboxEvent
from tests.builders import Answer, Caller, Shop, buyer, customer, somebody

CALENDAR = "/api/calendar"
SITE = "https://taller.example.com"


@pytest.fixture(autouse=True)
def site(settings: LazySettings) -> None:
    settings.PUBLIC_URL = SITE


def address(caller: Caller) -> str:
    """Make an address of the caller's calendar, and return its path."""
    answer = caller.post(CALENDAR)
    assert answer.status == 201, answer
    return str(answer.json["address"]).removeprefix(SITE)


def read(path: str, **headers: str) -> Answer:
    return Caller(**headers).get(path)


def events(path: str) -> list[Event]:
    answer = read(path)
    assert answer.status == 200, answer
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    return list(Calendar.from_ical(answer.text).walk("VEVENT"))


def due(shop: Shop, *days: date | None, **fields: Any) -> int:
    """Create an approved order with a line of five pieces for each day, the delivery day of the line."""
    items = [{"itemId": shop.item.pk, "quantity": 5, "deliveryDate": day.isoformat() if day else None} for day in days]
    order = shop.order(items=items, **fields)
    assert shop.ana.post(f"/api/sales-order/{order}/approve").status == 200
    return order


def day(days: int) -> date:
    return clock.today() + timedelta(days=days)


def test_an_order_has_a_whole_day_for_each_delivery_day_of_its_lines(shop: Shop) -> None:
    order = due(shop, day(3), day(9), day(3), None, customerSalesOrderId="PO; con, coma")
    first, second = events(address(shop.ana))
    assert (first["DTSTART"].dt, first["DTEND"].dt) == (day(3), day(4))
    assert (second["DTSTART"].dt, second["DTEND"].dt) == (day(9), day(10))
    assert first["SUMMARY"] == "Entrega PO; con, coma · Platería del Sur"
    name = shop.item.name
    assert first["DESCRIPTION"] == f"1 · {name} · 5 pz · Aprobada\n3 · {name} · 5 pz · Aprobada"
    assert first["URL"] == f"{SITE}/#/operations/sales-orders/{order}"
    assert first["UID"] == f"order-{order}-{day(3):%Y%m%d}@taller.example.com"
    assert first["TRANSP"] == "TRANSPARENT"


def test_an_event_says_how_many_pieces_are_left_after_scrap(shop: Shop) -> None:
    order, path = due(shop, day(3)), address(shop.ana)
    shop.enter(order, shop.casting)
    shop.scrap(order, shop.casting, 2)
    (only,) = events(path)
    assert " · 3 de 5 pz · " in only["DESCRIPTION"]


def test_an_event_keeps_its_id_when_its_order_changes(shop: Shop) -> None:
    order, path = due(shop, day(3)), address(shop.ana)
    (before,) = events(path)
    assert shop.ana.put(f"/api/sales-order/{order}", {"customerSalesOrderId": "PO-new"}).status == 200
    (after,) = events(path)
    assert (after["UID"], after["SUMMARY"]) == (before["UID"], "Entrega PO-new · Platería del Sur")


def test_open_lines_stay_and_finished_ones_leave_after_thirty_days(shop: Shop) -> None:
    late, done, old, canceled = due(shop, day(-400)), due(shop, day(-30)), due(shop, day(-31)), due(shop, day(2))
    Line.objects.filter(order__in=[done, old]).update(status="Done")
    Line.objects.filter(order=canceled).update(status="Canceled")
    found = {one["UID"].split("-")[1]: one["SUMMARY"] for one in events(address(shop.ana))}
    assert set(found) == {str(late), str(done)}
    assert found[str(done)].startswith("✓ ")


def test_a_calendar_is_bounded_and_keeps_the_latest_days(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("project.calendars.selectors.MOST_LINES", 2)
    due(shop, *(day(number) for number in range(5)))
    assert [one["DTSTART"].dt for one in events(address(shop.ana))] == [day(3), day(4)]


def test_an_event_names_some_lines_and_counts_the_others(shop: Shop) -> None:
    due(shop, *[day(1)] * (rules.MOST_NAMED + 3))
    (only,) = events(address(shop.ana))
    assert only["DESCRIPTION"].splitlines()[-1] == "y 3 más"
    assert len(only["DESCRIPTION"].splitlines()) == rules.MOST_NAMED + 1


def test_the_number_of_queries_does_not_depend_on_the_orders(shop: Shop) -> None:
    path = address(shop.ana)
    due(shop, day(1))
    read(path)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert read(path).status == 200
        counts.append(len(queries))
        due(shop, day(1), day(2))
        due(shop, day(3))
    assert counts[0] == counts[1]


def test_a_calendar_speaks_the_language_of_its_owner(shop: Shop) -> None:
    due(shop, day(1))
    path = address(shop.ana)
    assert shop.ana.put(f"/identity/users/{shop.ana.id}/language", {"language": "en"}).status == 200
    answer = read(path, accept_language="es")
    assert "X-WR-CALNAME:Deliveries of Obrador" in answer.text
    assert "SUMMARY:Delivery " in answer.text


def test_a_customers_calendar_has_their_own_approved_lines_alone(shop: Shop) -> None:
    own = due(shop, day(1))
    shop.order(items=[{"itemId": shop.item.pk, "quantity": 1, "deliveryDate": day(1).isoformat()}])
    due(shop, day(1), customerId=customer().pk)
    assert [one["UID"] for one in events(address(buyer(shop.customer)))] == [
        f"order-{own}-{day(1):%Y%m%d}@taller.example.com"
    ]
    assert events(address(buyer(customer()))) == []


def test_a_new_address_ends_the_former_one(shop: Shop) -> None:
    first = address(shop.ana)
    second = address(shop.ana)
    assert [read(first).status, read(second).status] == [404, 200]
    others = address(shop.beto)
    assert [read(second).status, read(others).status] == [200, 200]


def test_an_address_that_was_taken_back_is_over(shop: Shop) -> None:
    assert shop.ana.get(CALENDAR).json == {"since": None, "usedAt": None}
    path = address(shop.ana)
    assert shop.ana.get(CALENDAR).json["usedAt"] is None
    assert read(path).status == 200
    assert shop.ana.get(CALENDAR).json["usedAt"] is not None
    for _ in range(2):
        assert shop.ana.delete(CALENDAR).json == {"since": None, "usedAt": None}
    assert (read(path).status, read(path).code) == (404, "not_found")
    changes = AuditEntry.objects.filter(entity="users", entity_id=shop.ana.id, action="changed")
    assert [row.changes["calendar"] for row in changes.order_by("pk")] == [
        {"before": False, "after": True},
        {"before": True, "after": False},
    ]


def lose(**fields: Any) -> Callable[[User], None]:
    def change(user: User) -> None:
        User.objects.filter(pk=user.pk).update(**fields)

    return change


ENDS: dict[str, Callable[[User], None]] = {
    "locked": lose(locked=True),
    "inactive": lose(active=False),
    "deleted": lambda user: user.delete() and None,
    "without the permission": lambda user: user.roles.clear(),
}


@pytest.mark.parametrize("name", ENDS)
def test_an_address_ends_with_the_account_and_says_no_more_than_an_unknown_one(shop: Shop, name: str) -> None:
    owner = somebody("ListOrders")
    path = address(owner)
    due(shop, day(1))
    assert len(events(path)) == 1
    assert owner.user is not None
    ENDS[name](owner.user)
    with CaptureQueriesContext(connection) as over:
        ended = read(path)
    with CaptureQueriesContext(connection) as unknown:
        wrong = read(f"{CALENDAR}/{'x' * 43}.ics")
    assert (ended.status, ended.json) == (404, wrong.json)
    sent = [[query["sql"].split()[:2] for query in one if "SAVEPOINT" not in query["sql"]] for one in (over, unknown)]
    assert sent[0] == sent[1], "the time of an answer tells nothing"


def test_an_account_that_is_unlocked_reads_again(shop: Shop) -> None:
    path = address(shop.beto)
    User.objects.filter(pk=shop.beto.id).update(locked=True)
    assert read(path).status == 404
    User.objects.filter(pk=shop.beto.id).update(locked=False)
    assert read(path).status == 200


def test_a_caller_without_the_list_of_orders_has_no_calendar(shop: Shop) -> None:
    assert [shop.carla.get(CALENDAR).status, shop.carla.post(CALENDAR).status] == [403, 403]
    assert shop.nobody.post(CALENDAR).status == 401


def test_guesses_are_limited_and_a_known_address_still_reads(shop: Shop) -> None:
    path = address(shop.ana)
    wrong = [read(f"{CALENDAR}/{number:043}.ics") for number in range(21)]
    assert [one.status for one in wrong] == [404] * 20 + [429]
    assert int(wrong[-1].headers["Retry-After"]) > 0
    assert read(path).status == 200
    assert AuditEntry.objects.filter(action="guessed").count() == 1
    assert SignInAttempt.objects.filter(purpose=SignInAttempt.CALENDAR).count() == 20


def test_readings_of_an_address_are_limited(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "reads", Pace(2))
    path, other = address(shop.ana), address(shop.beto)
    assert [read(path).status for _ in range(3)] == [200, 200, 429]
    assert read(other).status == 200


def test_a_calendar_that_did_not_change_is_not_sent_again(shop: Shop) -> None:
    path, order = address(shop.ana), due(shop, day(1))
    first = read(path)
    again = read(path, if_none_match=first.headers["ETag"])
    assert (again.status, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert shop.ana.put(f"/api/sales-order/{order}", {"customerSalesOrderId": "PO-new"}).status == 200
    changed = read(path, if_none_match=first.headers["ETag"])
    assert changed.status == 200
    assert changed.headers["ETag"] != first.headers["ETag"]


def test_the_secret_is_stored_and_logged_nowhere(shop: Shop) -> None:
    path = address(shop.ana)
    secret = path.removeprefix(f"{CALENDAR}/").removesuffix(".ics")
    assert read(path).status == 200
    kept = [CalendarFeed.objects.values().get(), *AuditEntry.objects.values(), *OutboxEvent.objects.values()]
    assert secret not in json.dumps(kept, default=str)
    assert without_secrets(f"GET {path} failed") == f"GET {CALENDAR}/{HIDDEN} failed"
    answer = read(path)
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Robots-Tag"] == "noindex"


def test_a_restored_database_has_no_address(shop: Shop) -> None:
    path = address(shop.ana)
    (outcome,) = [one for one in checking.finish() if one.name == "calendars"]
    assert (outcome.ok, outcome.says.startswith("1 ")) == (True, True)
    assert read(path).status == 404
