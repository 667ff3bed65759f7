"""Live events of paired displays: which they receive, past midnight, until they are revoked."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from project.access import token
from project.access.principal import Principal, subject_of_display
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.displays import pairing, services
from project.displays.models import Display
from project.displays.schemas import DisplayChange, DisplayIn
from realtime import tickets
from realtime.hub import NOTE_CONNECTED_SECONDS, Hub
from tests.builders import Answer, Shop, move, shop as make_shop
from tests.realtime.clients import Client, in_database
from tests.realtime.samples import commit, line_moved

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("hub")]


def paired(shop: Shop, name: str = "Entrada", *lanes: ProductionProcess) -> tuple[int, str]:
    """Pair a display. Return its id and its token."""
    screen = pairing.begin("10.0.0.7")
    display = services.display_create(
        body=DisplayIn(code=screen.code, name=name, productionProcessIds=[lane.pk for lane in lanes]),
        by=manager(shop),
        address="10.0.0.8",
    )
    named = pairing.fetch(screen.secret)
    assert named is not None
    return display.pk, named.token


def manager(shop: Shop) -> Principal:
    return token.acting_as(shop.ana.id)


async def opened(bearer: str) -> Client:
    """Open a display's socket and read its hello."""
    client = Client(f"ticket={await in_database(lambda: tickets.issue(token.verify(bearer)))}")
    assert await client.open()
    assert (await client.frame())["type"] == "hello"
    return client


def changed(shop: Shop, display: int, **fields: Any) -> Callable[[], object]:
    body = DisplayChange.model_construct(**fields)
    return lambda: services.display_change(display_id=display, body=body, by=manager(shop))


async def test_the_hello_hides_the_number_of_screens_from_a_display() -> None:
    shop = await in_database(make_shop)
    _, shown = await in_database(lambda: paired(shop))
    for _ in range(2):
        client = Client(f"ticket={await in_database(lambda: tickets.issue(token.verify(shown)))}")
        assert await client.open()
        assert (await client.frame())["screens"] == 1


async def test_revoking_a_display_closes_its_sockets_4401_at_once_and_no_others() -> None:
    shop = await in_database(make_shop)
    (one, token_of_one), (_, token_of_other) = await in_database(lambda: (paired(shop, "Una"), paired(shop, "Otra")))
    tabs = [await opened(token_of_one), await opened(token_of_one)]
    other = await opened(token_of_other)
    late = await in_database(lambda: tickets.issue(token.verify(token_of_one)))
    await in_database(lambda: services.display_revoke(display_id=one, by=manager(shop)))
    for tab in tabs:
        ended = await tab.frame()
        assert (ended["type"], ended["by"]) == ("session.ended", None)
        assert ended["data"] == {"id": subject_of_display(one), "jti": None}
        assert await tab.closed() == 4401
    assert await other.silent()
    client = Client(f"ticket={late}")  # issued before the display was revoked
    assert await client.open()
    assert await client.closed() == 4401


async def test_a_display_receives_events_of_the_board_only_without_notes_and_authors() -> None:
    shop = await in_database(make_shop)
    _, bearer = await in_database(lambda: paired(shop))
    client = await opened(bearer)

    def work() -> None:
        order = shop.approved(5)
        move(shop.ana, "in", order, shop.casting, 3, notes="SECRET")
        shop.ana.put(f"/api/customers/{shop.customer.pk}", {"quinto": "Q-9"})
        shop.ana.put(f"/api/items/{shop.item.pk}", {"measures": "9 cm"})
        shop.ana.put(f"/identity/users/{shop.carla.id}", {"firstName": "Carlota"})

    await in_database(work)
    heard = await client.frames(2)
    assert [frame["type"] for frame in heard] == ["line.status-changed", "line.moved"]
    moved = heard[1]
    assert "SECRET" not in str(heard)
    assert (moved["by"], moved["data"]["record"], moved["data"]["records"]) == (None, None, [])
    assert [(one["quantity"], one["by"]) for one in moved["data"]["line"]["inside"]] == [(3, "Ana Torres")]
    assert await client.silent()


CHANGES: dict[str, Callable[[Shop, int], Answer]] = {
    "an order's PO": lambda shop, order: shop.ana.put(f"/api/sales-order/{order}", {"customerSalesOrderId": "SECRET"}),
    "a line's date": lambda shop, order: shop.ana.put(
        f"/api/sales-order/{order}", {"items": [{"position": 1, "deliveryDate": "2020-01-01"}]}
    ),
    "an order that is deleted": lambda shop, order: shop.ana.delete(f"/api/sales-order/{order}"),
    "a process": lambda shop, order: shop.ana.put(f"/api/production-processes/{shop.casting.pk}", {"name": "SECRET"}),
    "a process that stops": lambda shop, order: shop.ana.put(
        f"/api/production-processes/{shop.casting.pk}", {"status": False}
    ),
    "a process that is new": lambda shop, order: shop.ana.post(
        "/api/production-processes", {"name": "SECRET", "order": 9}
    ),
    "a customer": lambda shop, order: shop.ana.put(f"/api/customers/{shop.customer.pk}", {"name": "SECRET"}),
    "a product": lambda shop, order: shop.ana.put(f"/api/items/{shop.item.pk}", {"name": "SECRET"}),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_a_display_receives_a_board_changed_that_names_nothing_if_a_shown_record_changes(change: str) -> None:
    shop = await in_database(make_shop)
    _, bearer = await in_database(lambda: paired(shop))
    order = await in_database(lambda: shop.approved(5))
    client = await opened(bearer)
    answer = await in_database(lambda: CHANGES[change](shop, order))
    assert answer.status in (200, 201), answer
    frame = await client.frame()
    assert (frame["type"], frame["by"], frame["data"]) == ("board.changed", None, {"id": 0})
    assert await client.silent()


async def test_a_display_with_lanes_receives_pieces_in_these_lanes_only() -> None:
    shop = await in_database(make_shop)
    narrow_id, narrow_token = await in_database(lambda: paired(shop, "Pulido", shop.polishing))
    _, whole_token = await in_database(lambda: paired(shop, "Todo"))
    narrow, whole = await opened(narrow_token), await opened(whole_token)

    def work() -> int:
        order = shop.approved(9)
        for process in (shop.casting, shop.polishing):
            move(shop.ana, "in", order, process, 4)
        move(shop.ana, "out", order, shop.casting, 1)
        return order

    order = await in_database(work)
    for client, processes in ((whole, {shop.casting.pk, shop.polishing.pk}), (narrow, {shop.polishing.pk})):
        line = (await client.frames(4))[-1]["data"]["line"]
        shown = [*line["inside"], *line["offers"]["out"], *line["offers"]["release"]]
        assert {one["productionProcessId"] for one in shown} == processes
        assert {one["productionProcessId"] for one in line["leftToday"]} == processes - {shop.polishing.pk}
        assert set(line["standing"]["nextProcesses"]) <= processes
    # Changed lanes apply from the next event on.
    await in_database(changed(shop, narrow_id, production_process_ids=[shop.casting.pk]))
    assert (await narrow.frame())["type"] == "permissions.changed"
    await in_database(lambda: shop.leave(order, shop.casting, 1))
    line = (await narrow.frame())["data"]["line"]
    assert {one["productionProcessId"] for one in line["inside"]} == {shop.casting.pk}


async def test_renaming_a_display_sends_permissions_changed_and_a_no_op_sends_nothing() -> None:
    shop = await in_database(make_shop)
    display, bearer = await in_database(lambda: paired(shop))
    client = await opened(bearer)
    await in_database(changed(shop, display, name="Entrada"))
    await in_database(changed(shop, display, name="Pasillo"))
    frame = await client.frame()
    assert (frame["type"], frame["by"]) == ("permissions.changed", None)
    assert await client.silent()


async def test_at_midnight_people_are_signed_out_and_displays_stay_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    at = [datetime(2026, 3, 2, 18, tzinfo=UTC)]
    monkeypatch.setattr(clock, "now", lambda: at[0])
    monkeypatch.setattr("realtime.hub.POLL_SECONDS", 0.01)
    shop = await in_database(make_shop)
    _, bearer = await in_database(lambda: paired(shop))
    wall = await opened(bearer)
    person = await opened(await in_database(lambda: token.issue(shop.ana.user)))  # type: ignore[arg-type]
    at[0] = clock.end_of_today()
    assert await person.closed() == 4401
    number = await in_database(lambda: commit(line_moved()))
    assert (await wall.frame())["id"] == number
    assert (await (await _again(bearer)).frame())["type"] == "hello"


async def test_last_seen_of_a_connected_display_is_updated_once_a_minute(hub: Hub) -> None:
    shop = await in_database(make_shop)
    number, bearer = await in_database(lambda: paired(shop))
    other, _ = await in_database(lambda: paired(shop, "Apagada"))
    client = await opened(bearer)
    start = await in_database(lambda: Display.objects.get(pk=number).last_seen)
    assert start is not None

    async def seen_after(seconds: int) -> datetime | None:
        """`last_seen` after the hub has noted who is connected, `seconds` after the start."""
        with clock.at(start + timedelta(seconds=seconds)):
            hub._noted -= NOTE_CONNECTED_SECONDS
            hub._note_connected()
            await asyncio.gather(*hub._background)
        return await in_database(lambda: Display.objects.get(pk=number).last_seen)

    assert await seen_after(50) == start
    assert await seen_after(70) == start + timedelta(seconds=70)
    assert await seen_after(120) == start + timedelta(seconds=70)
    assert await seen_after(135) == start + timedelta(seconds=135)
    assert await in_database(lambda: Display.objects.get(pk=number).version) == 1
    await client.leave()
    assert await seen_after(300) == start + timedelta(seconds=135)
    assert await in_database(lambda: Display.objects.get(pk=other).last_seen) is None, "it was never on"


async def _again(bearer: str) -> Client:
    client = Client(f"ticket={await in_database(lambda: tickets.issue(token.verify(bearer)))}")
    assert await client.open()
    return client


async def test_the_twenty_first_socket_of_a_display_is_closed_4429(hub: Hub) -> None:
    shop = await in_database(make_shop)
    _, bearer = await in_database(lambda: paired(shop))
    clients = [await opened(bearer) for _ in range(20)]
    late = await _again(bearer)
    assert await late.closed() == 4429
    await clients[0].leave()
