"""Presence: the people who view a line are sent only to viewers who may read it."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from project.access import token
from project.access.permissions import ALL, Permission
from project.displays import pairing, services as displays
from project.displays.schemas import DisplayIn
from project.identity.models import User
from project.staffing import services as staffing
from project.staffing.schemas import UserChange
from realtime import tickets
from realtime.hub import Hub
from realtime.models import OutboxEvent
from tests.builders import Shop, belongs, person, shop as make_shop
from tests.realtime.clients import Client, in_database
from tests.realtime.conftest import Connect
from tests.realtime.samples import commit, line_moved

pytestmark = pytest.mark.django_db(transaction=True)


async def line() -> tuple[Shop, int]:
    """Create a shop and an order of two lines."""
    return await in_database(lambda: _line())


def _line() -> tuple[Shop, int]:
    shop = make_shop()
    return shop, shop.order(5, 6)


@pytest.fixture
def greeted(connect: Connect) -> Callable[[User], Awaitable[Client]]:
    async def make(user: User) -> Client:
        client = await connect(user)
        assert (await client.frame())["type"] == "hello"
        return client

    return make


async def views(client: Client, order: int | None, position: int = 1) -> None:
    viewing = None if order is None else {"salesOrderId": order, "position": position}
    await client.say(json.dumps({"viewing": viewing}))


async def people(client: Client, order: int, position: int = 1) -> list[str]:
    """The first names in the next frame, which must be a presence frame of that line."""
    frame = await client.frame()
    assert set(frame) == {"type", "salesOrderId", "position", "people"}
    assert (frame["type"], frame["salesOrderId"], frame["position"]) == ("presence", order, position)
    return [one["fullName"].removesuffix(" Torres") for one in frame["people"]]


def reader(name: str) -> User:
    return person(name, Permission.ListOrders)


async def test_two_viewers_of_a_line_receive_each_other_s_names_until_one_leaves(greeted: Any) -> None:
    _, order = await line()
    eva, leo = [await greeted(await in_database(lambda name=name: reader(name))) for name in ("eva", "leo")]
    before = await in_database(OutboxEvent.objects.count)
    await views(eva, order)
    assert await people(eva, order) == ["Eva"]
    await views(leo, order)
    assert [await people(each, order) for each in (eva, leo)] == [["Eva", "Leo"]] * 2
    await views(leo, order, 2)
    assert await people(leo, order, 2) == ["Leo"]
    assert await people(eva, order) == ["Eva"]
    await views(eva, None)
    await views(leo, order)
    assert await people(leo, order) == ["Leo"]
    assert await eva.silent()
    assert await in_database(OutboxEvent.objects.count) == before, "nothing is stored"


async def test_a_person_with_two_tabs_is_named_once_and_until_both_have_left(greeted: Any) -> None:
    _, order = await line()
    user = await in_database(lambda: reader("eva"))
    one, two, leo = await greeted(user), await greeted(user), await greeted(await in_database(lambda: reader("leo")))
    await views(one, order)
    assert await people(one, order) == ["Eva"]
    await views(leo, order)
    assert [await people(client, order) for client in (one, leo)] == [["Eva", "Leo"]] * 2
    await views(two, order)
    assert await people(two, order) == ["Eva", "Leo"]
    await one.leave()
    assert await leo.silent()
    await two.leave()
    assert await people(leo, order) == ["Leo"]


@pytest.mark.parametrize(
    "actions", [(), (Permission.ShopFloor,), tuple(ALL - {Permission.ListSalesOrders, Permission.ListOrders})]
)
async def test_a_viewer_who_may_not_read_the_line_receives_nothing_and_is_not_named(
    greeted: Any, actions: tuple[Permission, ...]
) -> None:
    _, order = await line()
    eva = await greeted(await in_database(lambda: reader("eva")))
    curious = await greeted(await in_database(lambda: person("ivo", *actions)))
    await views(eva, order)
    assert await people(eva, order) == ["Eva"]
    await views(curious, order)
    assert await curious.silent()
    assert await eva.silent()


async def test_a_customer_account_receives_no_presence_of_the_staff(greeted: Any) -> None:
    shop, order = await line()

    def buyer() -> User:
        user = person("compras", *ALL)
        belongs(user, shop.customer)
        return user

    account = await greeted(await in_database(buyer))
    eva = await greeted(await in_database(lambda: reader("eva")))
    for client in (account, eva):
        await views(client, order)
    assert await people(eva, order) == ["Eva"]
    assert await account.silent()


async def test_a_display_receives_no_presence_and_is_not_named(hub: Hub, greeted: Any) -> None:
    shop, order = await line()

    def paired() -> str:
        screen = pairing.begin("10.0.0.7")
        by = token.acting_as(shop.ana.id)
        body = DisplayIn(code=screen.code, name="Entrada")
        displays.display_create(body=body, by=by, address="10.0.0.8")
        named = pairing.fetch(screen.secret)
        assert named is not None
        return tickets.issue(token.verify(named.token))

    wall = Client(f"ticket={await in_database(paired)}")
    assert await wall.open()
    await wall.frame()
    eva = await greeted(await in_database(lambda: reader("eva")))
    for client in (wall, eva):
        await views(client, order)
    assert await people(eva, order) == ["Eva"]
    assert await wall.silent()
    await wall.leave()


@pytest.mark.parametrize("place", [(999_999, 1), (None, 9)])
async def test_viewing_a_missing_line_sends_nothing_and_ends_the_former_view(
    greeted: Any, place: tuple[int | None, int]
) -> None:
    _, order = await line()
    eva = await greeted(await in_database(lambda: reader("eva")))
    await views(eva, order)
    assert await people(eva, order) == ["Eva"]
    await views(eva, place[0] or order, place[1])
    assert await eva.silent()
    await views(eva, order)
    assert await people(eva, order) == ["Eva"], "the former view has ended"


async def test_presence_ends_with_the_permission_and_resumes_when_it_returns(greeted: Any) -> None:
    shop, order = await line()
    user = await in_database(lambda: reader("leo"))
    role = await in_database(lambda: list(user.roles.values_list("pk", flat=True)))
    eva, leo = await greeted(await in_database(lambda: reader("eva"))), await greeted(user)
    for client in (eva, leo):
        await views(client, order)
        await people(client, order)
    assert await people(eva, order) == ["Eva", "Leo"]
    ana = await in_database(lambda: token.acting_as(shop.ana.id))

    def roles(ids: list[int]) -> Callable[[], object]:
        return lambda: staffing.user_change(user_id=user.pk, body=UserChange.model_construct(role_ids=ids), by=ana)

    await in_database(roles([]))
    assert (await leo.frame())["type"] == "permissions.changed"
    assert await people(eva, order) == ["Eva"]
    assert await leo.silent()
    await in_database(roles(role))
    assert (await leo.frame())["type"] == "permissions.changed"
    assert [await people(client, order) for client in (leo, eva)] == [["Eva", "Leo"]] * 2


async def test_a_user_who_is_signed_out_is_no_longer_named(greeted: Any) -> None:
    shop, order = await line()
    user = await in_database(lambda: reader("leo"))
    eva, leo = await greeted(await in_database(lambda: reader("eva"))), await greeted(user)
    for client in (eva, leo):
        await views(client, order)
        await people(client, order)
    await people(eva, order)
    ana = await in_database(lambda: token.acting_as(shop.ana.id))
    await in_database(
        lambda: staffing.user_change(user_id=user.pk, body=UserChange.model_construct(locked=True), by=ana)
    )
    assert await people(eva, order) == ["Eva"]
    assert (await leo.frame())["type"] == "session.ended"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ping",
        "{",
        "[]",
        "null",
        "{}",
        '{"viewing": 1}',
        '{"viewing": {}}',
        '{"viewing": {"salesOrderId": 1}}',
        '{"viewing": {"salesOrderId": "1", "position": 1}}',
        '{"viewing": {"salesOrderId": 1.5, "position": 1}}',
        '{"viewing": {"salesOrderId": true, "position": 1}}',
        '{"viewing": {"salesOrderId": 0, "position": 1}}',
        '{"viewing": {"salesOrderId": 9223372036854775808, "position": 1}}',
        '{"viewing": {"salesOrderId": 1, "position": 1, "userId": 1}}',
        "[" * 4_000,
        '{"viewing": "\\ud800"}',
    ],
)
async def test_an_invalid_message_is_ignored(greeted: Any, text: str) -> None:
    _, order = await line()
    eva = await greeted(await in_database(lambda: reader("eva")))
    await views(eva, order)
    assert await people(eva, order) == ["Eva"]
    await eva.say(text)
    number = await in_database(lambda: commit(line_moved()))
    assert (await eva.frame())["id"] == number, "the socket still receives events"


async def test_a_view_is_not_registered_while_the_database_is_away(
    greeted: Any, monkeypatch: pytest.MonkeyPatch, hub: Hub
) -> None:
    _, order = await line()
    eva = await greeted(await in_database(lambda: reader("eva")))

    async def away(work: object) -> object:
        raise ConnectionError("the database was away")

    monkeypatch.setattr(hub.presence, "_ask", away)
    await views(eva, order)
    assert await eva.silent()
    monkeypatch.undo()
    await views(eva, order)
    assert await people(eva, order) == ["Eva"]
