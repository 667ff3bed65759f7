"""Live events of service accounts: only what they may read, until their token is revoked or replaced."""

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
    """Open a program's socket and read its hello."""

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


async def test_a_service_account_receives_only_what_its_current_permissions_allow() -> None:
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
async def test_revoking_or_replacing_a_token_closes_its_sockets_4401_and_no_others(end: str) -> None:
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
    client = Client(f"ticket={late}")  # issued before the token was revoked
    assert await client.open()
    assert await client.closed() == 4401
