"""Service accounts on the live stream: what they may read, as it changes, until their token is revoked or over."""

import pytest

from project.access import token
from project.access.permissions import Permission
from project.catalogs.models import Item
from project.integrations import services
from realtime import tickets
from tests.builders import Caller, Shop, item, shop as make_shop
from tests.project.integrations.programs import ACCOUNTS, make_token, program
from tests.realtime.clients import Client, in_database

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("hub")]


async def opened(caller: Caller) -> Client:
    """A program's socket after its hello."""

    def ticket() -> str:
        answer = caller.post("/api/live/ticket")
        assert answer.status == 200, answer
        return str(answer.json["ticket"])

    client = Client(f"ticket={await in_database(ticket)}")
    assert await client.open()
    assert (await client.frame())["type"] == "hello"
    return client


def changed(shop: Shop, row: Item, name: str) -> None:
    assert shop.ana.put(f"/api/items/{row.pk}", {"name": name}).status == 200


async def test_it_hears_of_what_it_may_read_and_of_no_more_as_soon_as_that_changes() -> None:
    shop = await in_database(make_shop)
    caller, account = await in_database(lambda: program(shop, Permission.ListItems))
    client = await opened(caller)
    row = await in_database(item)
    await in_database(lambda: shop.ana.post("/api/materials", {"name": "Oro"}))
    await in_database(lambda: changed(shop, row, "Uno"))
    frame = await client.frame()
    assert (frame["type"], frame["data"]["catalog"], frame["data"]["id"]) == ("catalog.changed", "items", row.pk)
    path = f"{ACCOUNTS}/{account['id']}"
    await in_database(lambda: shop.ana.put(path, {"permissions": [Permission.ListMaterials]}))
    assert (await client.frame())["type"] == "permissions.changed"
    await in_database(lambda: changed(shop, row, "Dos"))
    await in_database(lambda: shop.ana.post("/api/materials", {"name": "Plata"}))
    assert (await client.frame())["data"]["catalog"] == "materials"


@pytest.mark.parametrize("end", ["revoked", "another token"])
async def test_its_sockets_are_closed_4401_at_once_and_no_other_s(end: str) -> None:
    shop = await in_database(make_shop)
    caller, account = await in_database(lambda: program(shop, Permission.ListItems))
    other, _ = await in_database(lambda: program(shop, Permission.ListItems, name="Tienda"))
    one, beside = await opened(caller), await opened(other)
    late = await in_database(lambda: tickets.issue(token.verify(str(caller.bearer))))
    by = await in_database(lambda: token.acting_as(shop.ana.id))
    if end == "revoked":
        await in_database(lambda: services.service_account_revoke(account_id=account["id"], by=by))
    else:
        await in_database(lambda: make_token(shop.ana, account))
    assert (await one.frame())["type"] == "session.ended"
    assert await one.closed() == 4401
    assert await beside.silent()
    client = Client(f"ticket={late}")  # a ticket that was asked for before
    assert await client.open()
    assert await client.closed() == 4401
