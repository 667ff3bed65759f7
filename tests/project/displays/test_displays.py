"""Displays: what they may read, how administrators manage them, and revocation."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from project.access.permissions import ALL, Permission
from project.audit.models import AuditEntry
from project.core import clock
from project.core.routing import PUBLIC
from project.displays.models import Display
from tests.builders import Caller, Shop, move, somebody
from tests.contract.operations import Operation, operations
from tests.project.displays.screens import DISPLAYS, PAIRINGS, named, revoke, waiting

pytestmark = pytest.mark.django_db

DISPLAYED = {"shop_floor_get": 200, "batch_cards": 200, "live_ticket": 200, "page_start": 200}
"""The operations a display may call, with their status; every other one gets 403."""
EVERY = sorted((one for one in operations() if one.name not in PUBLIC), key=str)


@pytest.mark.parametrize("operation", EVERY, ids=str)
def test_display_may_read_only_the_board_and_its_events(shop: Shop, operation: Operation) -> None:
    screen, _ = named(shop)
    answer = screen.call(operation.method, operation.path, {} if operation.method != "GET" else None)
    if operation.name in DISPLAYED:
        assert answer.status == DISPLAYED[operation.name]
    else:
        assert (answer.status, answer.code) == (403, "permission_denied"), answer


def test_query_parameters_open_nothing_else_to_a_display(shop: Shop) -> None:
    screen, _ = named(shop)
    for path in (
        "/api/items?fields=options",
        "/identity/users?fields=options",
        "/api/production-processes?status=true&filterByUser=true",
        f"/identity/users/{-1}",
        "/api/shop-floor/day",
    ):
        assert screen.get(path).status in (403, 404), path
    assert Caller().get(f"/api/shop-floor?token={screen.bearer}").status == 401


def test_board_shows_a_display_no_notes_no_prices_and_only_its_lanes(shop: Shop) -> None:
    order = shop.approved(10)
    move(shop.ana, "in", order, shop.casting, 6, notes="SECRET")
    move(shop.ana, "in", order, shop.polishing, 3, notes="SECRET")
    move(shop.ana, "out", order, shop.polishing, 2, notes="SECRET")
    whole, _ = named(shop, "Todo")
    narrow, display = named(shop, "Fundición", productionProcessIds=[shop.casting.pk])
    answer = whole.get("/api/shop-floor")
    assert "SECRET" not in answer.text
    assert "10.5" not in answer.text
    assert "9.25" not in answer.text
    assert answer.json["lanes"] == shop.ana.get("/api/shop-floor").json["lanes"]
    board = narrow.get("/api/shop-floor").json
    assert [lane["productionProcessId"] for lane in board["lanes"]] == [shop.casting.pk]
    assert shop.polishing.name not in str(board)
    assert [line["leftToday"] for line in board["lines"]] == [[]]
    assert waiting_at(board) == waiting_at(answer.json) == {shop.casting.pk}
    shop.ana.put(f"{DISPLAYS}/{display['id']}", {"productionProcessIds": [shop.polishing.pk]})
    board = narrow.get("/api/shop-floor").json
    assert [lane["productionProcessId"] for lane in board["lanes"]] == [shop.polishing.pk]
    assert waiting_at(board) == set()


def waiting_at(board: dict[str, Any]) -> set[int]:
    """The processes that pieces wait for."""
    return {one["productionProcessId"] for line in board["lines"] for one in line["waiting"]}


def test_display_works_after_midnight_and_after_its_creator_is_deactivated(shop: Shop) -> None:
    screen, _ = named(shop)
    shop.ana.user.end_sessions()  # type: ignore[union-attr]
    shop.ana.user.active = False  # type: ignore[union-attr]
    shop.ana.user.save()  # type: ignore[union-attr]
    for days in (1, 30, 3_650):
        with clock.at(clock.end_of_today() + timedelta(days=days)):
            assert screen.get("/api/shop-floor").status == 200
            assert screen.post("/api/live/ticket").status == 200


def test_revoked_display_is_refused_at_once_and_for_good(shop: Shop) -> None:
    screen, display = named(shop, productionProcessIds=[shop.casting.pk])
    path = f"{DISPLAYS}/{display['id']}"
    ended = shop.ana.delete(path)
    assert ended.status == 200
    assert ended.json == display | {
        "active": False,
        "productionProcessIds": [],
        "version": 2,
        "lastSeen": ended.json["lastSeen"],
    }
    for answer in (screen.get("/api/shop-floor"), screen.post("/api/live/ticket")):
        assert (answer.status, answer.code) == (401, "unauthenticated")
    for again in (shop.ana.delete(path), shop.ana.put(path, {"name": "Otra"})):
        assert (again.status, again.code) == (409, "already_revoked")
    with pytest.raises(IntegrityError), transaction.atomic():
        Display.objects.filter(pk=display["id"]).update(token_digest="0" * 64)
    # Its name and its process are free again.
    named(shop, display["name"])
    assert shop.ana.delete(f"/api/production-processes/{shop.casting.pk}").status == 200


def test_display_revoked_before_its_screen_asked_gets_no_token(shop: Shop) -> None:
    screen = waiting()
    revoke(shop, shop.ana.post(DISPLAYS, {"code": screen["code"], "name": "Entrada"}).json)
    assert Caller().get(f"{PAIRINGS}/{screen['secret']}").status == 404


@pytest.mark.parametrize("bearer", ["display-", "display-x", "display-" + "x" * 43, "display-\x7f"])
def test_forged_token_gets_401(shop: Shop, bearer: str) -> None:
    named(shop)
    assert Caller(bearer=bearer).get("/api/shop-floor").status == 401


def test_process_shown_by_a_display_cannot_be_deleted(shop: Shop) -> None:
    """A display without lanes would show every process."""
    named(shop, productionProcessIds=[shop.casting.pk])
    answer = shop.ana.delete(f"/api/production-processes/{shop.casting.pk}")
    assert (answer.status, answer.code, answer.json["params"]["by"]) == (409, "in_use", {"displaylane": 1})


def test_last_seen_is_written_at_most_once_a_minute(shop: Shop) -> None:
    screen, display = named(shop)
    path = f"{DISPLAYS}/{display['id']}"

    def seen() -> Any:
        return shop.ana.get(path).json["lastSeen"]

    assert seen() is None
    screen.get("/api/shop-floor")
    first = seen()
    assert first is not None
    with clock.at(clock.now() + timedelta(seconds=50)), CaptureQueriesContext(connection) as asked:
        screen.get("/api/shop-floor")
    assert not [query for query in asked if query["sql"].startswith("UPDATE")]
    assert seen() == first
    with clock.at(clock.now() + timedelta(seconds=70)):
        screen.get("/api/shop-floor")
    later = seen()
    assert later > first
    # A clock that was set back still updates `lastSeen`.
    with clock.at(clock.now() - timedelta(hours=1)):
        screen.get("/api/shop-floor")
    assert seen() < first
    assert shop.ana.get(path).json["version"] == display["version"]


def test_displays_are_listed_searched_and_filtered_by_active(shop: Shop) -> None:
    _, gone = named(shop, "Bodega")
    revoke(shop, gone)
    named(shop, "Pasillo")
    named(shop, "Entrada")

    def names(query: str = "") -> list[str]:
        return [row["name"] for row in shop.ana.get(f"{DISPLAYS}?{query}").json]

    assert names() == ["Bodega", "Entrada", "Pasillo"]
    assert names("active=true") == ["Entrada", "Pasillo"]
    assert names("active=false") == ["Bodega"]
    assert names("search=PASI") == ["Pasillo"]
    assert names("ordering=-name&limit=1") == ["Pasillo"]
    assert shop.ana.get(f"{DISPLAYS}/999999").status == 404


def test_displays_need_their_permission(shop: Shop) -> None:
    everything_else = somebody(*(ALL - {Permission.ManageDisplays}))
    assert everything_else.get(DISPLAYS).status == 403
    assert everything_else.post(DISPLAYS, {"code": waiting()["code"], "name": "Mía"}).status == 403
    manager = somebody(Permission.ManageDisplays, Permission.ShopFloor)
    assert manager.post(DISPLAYS, {"code": waiting()["code"], "name": "Suya"}).status == 201


def test_manager_without_permission_for_the_board_cannot_create_or_widen_a_display(shop: Shop) -> None:
    manager = somebody(Permission.ManageDisplays)
    refused = manager.post(DISPLAYS, {"code": waiting()["code"], "name": "Suya"})
    assert (refused.status, refused.code) == (403, "permission_denied")
    _, display = named(shop, productionProcessIds=[shop.casting.pk, shop.polishing.pk])
    path = f"{DISPLAYS}/{display['id']}"
    assert manager.put(path, {"name": "Pasillo", "productionProcessIds": [shop.casting.pk]}).status == 200
    for wider in ([shop.casting.pk, shop.polishing.pk], []):
        assert manager.put(path, {"productionProcessIds": wider}).code == "permission_denied"
        assert shop.ana.get(path).json["productionProcessIds"] == [shop.casting.pk]
    assert manager.delete(path).status == 200


def test_stale_version_is_refused_and_changes_are_audited(shop: Shop) -> None:
    _, display = named(shop)
    path = f"{DISPLAYS}/{display['id']}"
    assert shop.ana.put(path, {"name": "Pasillo"}, if_match='"9"').code == "stale_version"
    assert shop.ana.put(path, {"name": "Pasillo"}, if_match='"1"').json["version"] == 2
    revoke(shop, display)
    rows = list(AuditEntry.objects.filter(entity="displays").order_by("id").values_list("action", "label", "changes"))
    assert [row[:2] for row in rows] == [("created", "Entrada"), ("changed", "Pasillo"), ("deleted", "Pasillo")]
    assert rows[1][2] == {"name": {"before": "Entrada", "after": "Pasillo"}}
    assert rows[2][2] == {"active": {"before": True, "after": False}}
