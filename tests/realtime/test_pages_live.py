"""A page by link learns only that its own orders or bills changed. Its sockets close when the link ends."""

import asyncio
import json
from datetime import timedelta
from time import monotonic
from typing import Any

import pytest

from project.access.pace import Pace
from project.core import clock
from project.customer_links import services
from project.customer_links.models import CustomerLink
from project.customer_links.services import MOST_READS
from realtime.audience import Reader
from realtime.hub import Hub
from realtime.registry import event_types, is_followed, subjects_of
from realtime.window import Entry, text_of
from tests import builders
from tests.builders import Caller, Shop
from tests.project.billing.billing import billed, done, of, prepare
from tests.project.customer_links.linking import LINKS, address, shared
from tests.realtime.clients import Client, in_database
from tests.realtime.samples import commit, line_moved

pytestmark = pytest.mark.django_db(transaction=True)
CHANGED = {"type": "page.changed"}
SOON = 5.0
"""Seconds within which the end of a link must close its sockets."""


@pytest.fixture(autouse=True)
def _reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "reads", Pace(MOST_READS))


async def connected(hub: Hub, link: dict[str, Any], **query: object) -> Client:
    """Open a socket for a link. Its hello has been read."""

    def ticket() -> str:
        answer = Caller().post(f"{address(link)}/ticket")
        assert answer.status == 200, answer
        return str(answer.json["ticket"])

    query["ticket"] = await in_database(ticket)
    client = Client("&".join(f"{name}={value}" for name, value in query.items()))
    assert await client.open()
    hello = await client.frame()
    assert (hello["type"], hello["id"], hello["screens"]) == ("hello", 0, 1), "not how much the plant does"
    return client


async def test_a_page_of_an_order_learns_of_this_order_alone(busy_shop: Shop, hub: Hub) -> None:
    shop = busy_shop

    def made() -> tuple[int, int, int, dict[str, Any]]:
        prepare(shop)
        other = builders.customer("Joyas Vega")
        own, sibling, foreign = shop.approved(5), shop.approved(5), shop.order(5, customerId=other.pk)
        return own, sibling, foreign, shared(shop, own)

    own, sibling, foreign, link = await in_database(made)
    client = await connected(hub, link)
    await in_database(lambda: shop.enter(own, shop.casting))
    assert await client.frame() == CHANGED
    await in_database(lambda: shop.enter(sibling, shop.casting))
    await in_database(lambda: shop.ana.put(f"/api/sales-order/{foreign}", {"notes": "urgente"}))
    await in_database(lambda: shop.ana.post("/api/components", {"name": "Broche"}))
    assert await client.silent()
    await in_database(lambda: shop.ana.put(f"/api/sales-order/{own}", {"notes": "urgente"}))
    assert await client.frame() == CHANGED
    await client.leave()


async def test_a_page_of_a_customer_learns_of_all_its_orders_and_bills(busy_shop: Shop, hub: Hub) -> None:
    shop = busy_shop

    def made() -> tuple[int, dict[str, Any]]:
        prepare(shop)
        return done(shop, 5), shared(shop)

    order, link = await in_database(made)
    client = await connected(hub, link)
    await in_database(lambda: billed(shop, of(order, 1, 2)))
    frames = [await client.frame()]
    while not await client.silent():
        frames.append(await client.frame())
    assert all(one == CHANGED for one in frames)
    await in_database(lambda: shop.approved(3))
    assert await client.frame() == CHANGED
    other = await in_database(lambda: builders.customer("Joyas Vega"))
    await in_database(lambda: shop.order(3, customerId=other.pk))
    assert await client.silent()
    await client.leave()


@pytest.mark.parametrize("since", [-1, 0, 10**6], ids=["before", "newest", "ahead"])
async def test_a_page_cannot_ask_what_it_missed(busy_shop: Shop, hub: Hub, since: int) -> None:
    """Else it could find out by trying how many events the plant has stored."""

    def happened() -> tuple[int, dict[str, Any]]:
        order = busy_shop.approved(5)
        link = shared(busy_shop, order)
        return commit(line_moved(order=order, customer=busy_shop.customer.pk)), link

    newest, link = await in_database(happened)
    client = await connected(hub, link, since=newest + since)
    assert await client.silent()
    await client.leave()


async def test_a_revoked_link_closes_its_sockets_and_no_other(busy_shop: Shop, hub: Hub) -> None:
    shop = busy_shop
    order = await in_database(lambda: shop.approved(5))
    ended, stays = await in_database(lambda: (shared(shop, order), shared(shop, order)))
    clients = [await connected(hub, ended) for _ in range(2)]
    other = await connected(hub, stays)
    began = monotonic()
    await in_database(lambda: shop.ana.delete(f"{LINKS}/{ended['id']}"))
    for client in clients:
        assert await client.frame() == {"type": "session.ended"}
        assert await client.closed() == 4401
    assert monotonic() - began < SOON
    assert await other.silent()
    await other.leave()
    assert (await in_database(lambda: Caller().post(f"{address(ended)}/ticket"))).code == "link_over"


async def test_an_expired_link_closes_its_sockets(busy_shop: Shop, hub: Hub) -> None:
    link = await in_database(lambda: shared(busy_shop, busy_shop.approved(5)))
    ends = clock.now() + timedelta(seconds=2)
    await in_database(lambda: CustomerLink.objects.filter(pk=link["id"]).update(expires_at=ends))
    client = await connected(hub, link)
    assert await client.closed() == 4401
    assert clock.now() < ends + timedelta(seconds=SOON)


async def test_a_ticket_of_a_link_that_was_revoked_since_opens_nothing(busy_shop: Shop, hub: Hub) -> None:
    link = await in_database(lambda: shared(busy_shop, busy_shop.approved(5)))
    ticket = (await in_database(lambda: Caller().post(f"{address(link)}/ticket"))).json["ticket"]
    await in_database(lambda: busy_shop.ana.delete(f"{LINKS}/{link['id']}"))
    client = Client(f"ticket={ticket}")
    assert await client.open()
    assert await client.closed() == 4401


async def test_a_page_cannot_say_what_it_views_and_learns_of_no_viewer(busy_shop: Shop, hub: Hub) -> None:
    order = await in_database(lambda: busy_shop.approved(5))
    link = await in_database(lambda: shared(busy_shop, order))
    client = await connected(hub, link)
    await client.say(json.dumps({"viewing": {"salesOrderId": order, "position": 1}}))
    assert await client.silent()
    await client.leave()


async def test_all_pages_of_a_link_receive_the_same_frame(busy_shop: Shop, hub: Hub) -> None:
    order = await in_database(lambda: busy_shop.approved(5))
    link = await in_database(lambda: shared(busy_shop, order))
    clients = [await connected(hub, link) for _ in range(10)]
    await in_database(lambda: commit(line_moved(order=order, customer=busy_shop.customer.pk)))
    frames = await asyncio.gather(*(client.frame() for client in clients))
    assert frames == [CHANGED] * 10
    for client in clients:
        await client.leave()


def test_no_frame_for_a_page_holds_more_than_its_type() -> None:
    page = Reader(frozenset(), is_customer=True, customer=4, page=7)
    for type in event_types():
        payload = json.dumps({"id": 9, "type": type, "data": {"id": 7, "secret": "x"}, "by": {"id": 1}})
        for to_user in (None, -5):
            row = Entry.of(id=9, type=type, audience="", to_user=to_user, payload=payload, customer=4)
            frame = json.loads(text_of(row.frame_for(page)))
            assert frame == {"type": "page.changed" if to_user is None else type}


def test_pages_follow_orders_lines_and_bills_and_nothing_else() -> None:
    followed = {name for name in event_types() if is_followed(name)}
    assert followed == {
        *("line.moved", "line.released", "line.status-changed", "line.changed", "line.forecast"),
        *("order.created", "order.changed", "order.deleted", "delivery.changed", "customer-talk.changed"),
    }
    assert subjects_of("line.moved", {"salesOrderId": 3}) == {3}
    assert subjects_of("order.changed", {"id": 3}) == {3}
    assert subjects_of("delivery.changed", {"bill": None}) == frozenset()
    bill = {"lines": [{"salesOrderId": 3}, {"salesOrderId": 4}, {"salesOrderId": 3}]}
    assert subjects_of("delivery.changed", {"bill": bill}) == {3, 4}


@pytest.mark.parametrize(("page", "receives"), [(3, True), (0, True), (4, False)])
def test_a_page_receives_events_of_its_own_subject(page: int, receives: bool) -> None:
    payload = json.dumps({"id": 9, "type": "line.moved", "data": {"salesOrderId": 3}})
    row = Entry.of(id=9, type="line.moved", audience="ListOrders", to_user=None, payload=payload, customer=4)
    assert row.is_for(Reader(frozenset(), is_customer=True, customer=4, page=page), -1) is receives
    assert not row.is_for(Reader(frozenset(), is_customer=True, customer=5, page=page), -1)
    assert row.is_for(Reader(frozenset(), is_customer=True, customer=4), -1), "an account receives it whole"
