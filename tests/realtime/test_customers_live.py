"""A customer account receives events of its own customer only, without the names and notes of the staff."""

import json
from typing import Any

import pytest

from project.access.permissions import ALL, Permission
from project.catalogs.models import Customer
from project.identity.models import User
from project.staffing import services
from project.staffing.schemas import UserChange
from tests import builders
from tests.builders import Shop, belongs, line_path, person
from tests.project.billing.billing import billed, done, of, pre_billed, prepare
from tests.realtime.clients import Client, in_database, session
from tests.realtime.conftest import Connect
from tests.realtime.samples import commit, customer_changed, end_session, line_moved, order_deleted

pytestmark = pytest.mark.django_db(transaction=True)


def account(name: str, customer: Customer | None) -> User:
    """Create a customer account whose role holds every permission."""
    user = person(name, *ALL)
    belongs(user, customer)
    return user


async def open_account(connect: Connect, customer: Customer | None, name: str = "cliente", **query: Any) -> Client:
    client = await connect(await in_database(lambda: account(name, customer)), **query)
    assert (await client.frame())["type"] == "hello"
    return client


async def types(client: Client, count: int) -> list[str]:
    return [frame["type"] for frame in await client.frames(count)]


async def test_the_hello_hides_the_number_of_screens_from_a_customer_account(busy_shop: Shop, connect: Connect) -> None:
    assert busy_shop.ana.user is not None
    staff = [await connect(busy_shop.ana.user) for _ in range(2)]
    client = await connect(await in_database(lambda: account("cliente", busy_shop.customer)))
    assert [(await one.frame())["screens"] for one in (*staff, client)] == [1, 2, 1]


async def test_a_customer_account_receives_events_of_its_own_orders_and_bills_only(
    busy_shop: Shop, connect: Connect
) -> None:
    shop = busy_shop
    other = await in_database(lambda: builders.customer("Joyas Vega"))
    own, foreign = await open_account(connect, shop.customer), await open_account(connect, other, "vega")
    none = await open_account(connect, None, "nadie")

    def trade() -> None:
        prepare(shop)
        order = done(shop, 4, notes="Cobrar antes de entregar")
        billed(shop, of(order, quantity=4))
        shop.ana.put(f"/api/sales-order/{order}", {"notes": "Ya pagó"})
        shop.ana.post("/api/components", {"name": "Broche"})

    await in_database(trade)
    expected = [
        *("line.status-changed", "line.moved", "line.moved", "line.status-changed"),
        *("line.status-changed", "delivery.changed", "order.changed"),
    ]
    frames = await own.frames(len(expected))
    assert [frame["type"] for frame in frames] == expected
    for frame in frames:
        received = json.dumps(frame, ensure_ascii=False)
        assert frame["by"] is None
        assert "Ana" not in received
        assert "Cobrar" not in received
        assert "Ya pagó" not in received
        assert (frame["data"].get("record"), frame["data"].get("records", [])) == (None, [])
    assert frames[1]["data"]["line"]["inside"][0]["by"] == ""
    for client in (own, foreign, none):
        assert await client.silent()


async def test_missed_events_are_narrowed_for_a_customer_account_too(connect: Connect) -> None:
    customer = await in_database(lambda: builders.customer("Platería del Sur"))

    def happen() -> list[int]:
        events = [line_moved(customer=customer.pk), line_moved(customer=customer.pk + 1), customer_changed()]
        return [commit(event) for event in (*events, order_deleted(3, customer.pk))]

    first, *_, last = await in_database(happen)
    client = await open_account(connect, customer, since=first - 1)
    frames = await client.frames(2)
    assert [frame["id"] for frame in frames] == [first, last]
    assert [frame["by"] for frame in frames] == [None, None]
    assert frames[0]["data"]["record"] is None
    assert (frames[0]["data"]["line"]["notes"], frames[1]["data"]["id"]) == ("", 3)
    assert await client.silent()


async def test_an_order_that_changes_customer_is_deleted_for_one_and_created_for_the_other(
    busy_shop: Shop, connect: Connect
) -> None:
    shop = busy_shop
    other = await in_database(lambda: builders.customer("Joyas Vega"))
    order = await in_database(lambda: shop.approved(4, 5))
    before, after = await open_account(connect, shop.customer), await open_account(connect, other, "vega")
    staff = await connect(await in_database(lambda: person("eva", Permission.ListOrders)))
    await staff.frame()
    answer = await in_database(lambda: shop.ana.put(f"/api/sales-order/{order}", {"customerId": other.pk}))
    assert answer.status == 200
    await in_database(lambda: shop.ana.put(f"{line_path(order)}/full", {"quantity": 3}))
    gone = await before.frame()
    assert (gone["type"], gone["data"]["id"]) == ("order.deleted", order)
    assert "Joyas Vega" not in json.dumps(gone)
    assert await before.silent()
    created = await after.frame()
    assert (created["type"], len(created["data"]["lines"])) == ("order.created", 2)
    assert await types(after, 2) == ["order.changed", "line.changed"]
    assert await types(staff, 2) == ["order.changed", "line.changed"], "staff receive no deletion"


async def test_a_pre_bill_that_changes_customer_sends_an_event_to_both(busy_shop: Shop, connect: Connect) -> None:
    shop = busy_shop
    other = await in_database(lambda: builders.customer("Joyas Vega"))

    def two_orders() -> tuple[dict[str, Any], int]:
        prepare(shop)
        return pre_billed(shop, of(done(shop, 4))), done(shop, 4, customerId=other.pk)

    bill, order = await in_database(two_orders)
    before, after = await open_account(connect, shop.customer), await open_account(connect, other, "vega")
    change = {"customerId": other.pk, "lines": [of(order)]}
    answer = await in_database(lambda: shop.ana.put(f"/api/deliveries/{bill['id']}", change))
    assert answer.status == 200, answer
    left, got = await before.frame(), await after.frame()
    assert left["data"] == {"id": bill["id"], "status": "PreBill", "customerId": shop.customer.pk, "bill": None}
    assert got["data"]["bill"]["customerId"] == other.pk
    assert got["data"]["bill"]["createdBy"] == ""
    assert await before.silent()


async def test_a_customer_account_receives_the_deletion_of_its_order(busy_shop: Shop, connect: Connect) -> None:
    order = await in_database(lambda: busy_shop.approved(1))
    client = await open_account(connect, busy_shop.customer)
    await in_database(lambda: busy_shop.ana.delete(f"/api/sales-order/{order}"))
    assert (await client.frame())["data"]["id"] == order


@pytest.mark.parametrize("becomes", ["another customer's", "staff", "a customer's"])
async def test_a_changed_kind_of_account_changes_its_events_at_once(
    busy_shop: Shop, connect: Connect, becomes: str
) -> None:
    shop = busy_shop
    other = await in_database(lambda: builders.customer("Joyas Vega"))
    user = await in_database(lambda: account("vega", None if becomes == "a customer's" else shop.customer))
    if becomes == "a customer's":
        await in_database(lambda: User.objects.filter(pk=user.pk).update(user_type="Internal"))
    client = await connect(user)
    await client.frame()
    fields: dict[str, Any] = {
        "another customer's": {"customer_id": other.pk},
        "staff": {"user_type": "Internal", "customer_id": None},
        "a customer's": {"user_type": "Customer", "customer_id": shop.customer.pk},
    }[becomes]

    def change_and_trade() -> list[int]:
        assert shop.ana.user is not None
        services.user_change(user_id=user.pk, body=UserChange.model_construct(**fields), by=session(shop.ana.user))
        return [commit(line_moved(customer=one.pk)) for one in (shop.customer, other)]

    own, foreign = await in_database(change_and_trade)
    changed = await client.frame()
    assert changed["type"] == "permissions.changed"
    if becomes != "staff":
        received = own if becomes == "a customer's" else foreign
        assert [frame["id"] for frame in await client.frames(1)] == [received]
        assert await client.silent()
    else:
        frames = [await client.frame() for _ in range(3)]
        assert [frame["id"] for frame in frames if frame["type"] == "line.moved"] == [own, foreign]


async def test_session_ended_reaches_a_customer_account_without_an_author(connect: Connect) -> None:
    customer = await in_database(lambda: builders.customer())
    user = await in_database(lambda: account("cliente", customer))
    client = await connect(user)
    await client.frame()
    await in_database(lambda: end_session(user.pk, None))
    over = await client.frame()
    assert (over["type"], over["by"]) == ("session.ended", None)
    assert await client.closed() == 4401
