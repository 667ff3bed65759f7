"""Which sockets are accepted: origin, ticket, permissions, and how many at once."""

import asyncio
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.core.signing import Signer
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access import token
from project.access.permissions import Permission
from project.core import clock
from project.identity.models import User
from realtime import tickets
from realtime.consumer import SOCKETS_OF_USER
from realtime.hub import Hub
from realtime.models import UsedTicket
from tests.builders import person
from tests.realtime.clients import HOST, ORIGIN, Client, in_database, session, ticket
from tests.realtime.conftest import Connect
from tests.realtime.samples import change_permissions, commit_moves

pytestmark = pytest.mark.django_db(transaction=True)


def reader() -> User:
    return person("ana", Permission.ListOrders)


async def test_the_first_frame_is_the_hello(connect: Connect) -> None:
    client = await connect(await in_database(reader))
    hello = await client.frame()
    assert set(hello) == {"type", "id", "epoch", "screens"}
    assert (hello["type"], hello["id"], hello["screens"]) == ("hello", 0, 1)
    assert await client.silent()


@pytest.mark.parametrize(
    ("origin", "welcome"),
    [
        (ORIGIN, True),
        ("http://LOCALHOST:8000", True),
        ("https://localhost:8000", True),
        ("http://localhost", False),
        ("http://localhost:8001", False),
        ("http://elsewhere.test:8000", False),
        ("http://localhost:8000.elsewhere.test", False),
        ("http://somebody@localhost:8000", False),
        ("http://localhost:8000/page", False),
        ("http://localhost:port", False),
        ("ftp://localhost:8000", False),
        ("null", False),
        ("", False),
        (None, False),
    ],
)
async def test_only_pages_of_the_site_may_connect(hub: Hub, origin: str | None, welcome: bool) -> None:
    shown = await in_database(lambda: ticket(reader()))
    client = Client(f"ticket={shown}", origin=origin)
    assert await client.open() is welcome
    if welcome:
        await client.leave()
    else:
        assert await opened(shown) == "hello", "a foreign page must not use up the ticket"


async def test_a_page_served_by_http_may_not_connect_to_a_site_served_by_https(
    hub: Hub, settings: LazySettings
) -> None:
    settings.HTTPS = True
    shown = await in_database(lambda: ticket(reader()))
    assert not await Client(f"ticket={shown}", origin=ORIGIN).open()
    assert await Client(f"ticket={shown}", origin=f"https://{HOST}").open()


async def test_an_unknown_host_is_refused_even_if_the_origin_names_it_too(hub: Hub) -> None:
    shown = await in_database(lambda: ticket(reader()))
    client = Client(f"ticket={shown}", host="rebound.test", origin="http://rebound.test")
    assert not await client.open()


async def test_a_trusted_origin_may_connect_from_elsewhere(hub: Hub, settings: LazySettings) -> None:
    settings.LIVE_ORIGINS = ["https://app.obrador.test"]
    shown = await in_database(lambda: ticket(reader()))
    assert await Client(f"ticket={shown}", origin="https://app.obrador.test").open()


async def test_a_socket_to_another_path_is_refused(hub: Hub) -> None:
    assert not await Client("", path="/ws/other").open()


async def test_a_root_path_that_a_client_names_changes_no_route(hub: Hub) -> None:
    shown = await in_database(lambda: ticket(reader()))
    assert await Client(f"ticket={shown}", root="/elsewhere").open()
    assert not await Client("", path="/elsewhere/ws/events", root="/elsewhere").open()


@pytest.mark.parametrize("query", ["", "ticket=", "ticket=guess", f"ticket=W10:{'x' * 43}", "token=x"])
async def test_a_socket_without_a_valid_ticket_is_accepted_and_closed_4401(hub: Hub, query: str) -> None:
    client = Client(query)
    assert await client.open()
    assert await client.closed() == 4401


async def test_a_ticket_opens_one_socket_only(hub: Hub) -> None:
    shown = await in_database(lambda: ticket(reader()))
    first, second = Client(f"ticket={shown}"), Client(f"ticket={shown}")
    assert await asyncio.gather(first.open(), second.open()) == [True, True]
    outcomes = await asyncio.gather(first.outcome(), second.outcome())
    assert sorted(map(str, outcomes)) == ["4401", "hello"]


async def test_a_used_ticket_opens_no_socket_after_the_first_is_closed(hub: Hub) -> None:
    shown = await in_database(lambda: ticket(reader()))
    first = Client(f"ticket={shown}")
    assert await first.open()
    assert await first.outcome() == "hello"
    await first.leave()
    assert await opened(shown) == 4401


async def test_one_of_four_concurrent_redemptions_of_a_ticket_succeeds() -> None:
    """Each thread has its own database connection, as processes have."""
    shown = tickets.read(await in_database(lambda: ticket(reader())))
    assert shown is not None
    found = await asyncio.gather(*(in_database(shown.redeem) for _ in range(4)))
    assert len([principal for principal in found if principal is not None]) == 1


async def test_a_ticket_costs_no_query_until_it_is_redeemed_and_then_two() -> None:
    def queries() -> tuple[int, int]:
        principal = session(reader())
        with CaptureQueriesContext(connection) as reading:
            ticket = tickets.read(tickets.issue(principal))
        assert ticket is not None
        with CaptureQueriesContext(connection) as redeeming:
            assert ticket.redeem() == principal
        return len(reading), len(redeeming)

    assert await in_database(queries) == (0, 2)


@pytest.mark.parametrize(
    ("hours", "kept"), [(0, True), (-5, True), (2, False)], ids=["lately", "clock back", "long ago"]
)
async def test_a_used_ticket_is_kept_for_a_while_after_it_expired(hub: Hub, hours: int, kept: bool) -> None:
    assert await opened(await in_database(lambda: ticket(reader()))) == "hello"

    def forget() -> bool:
        with clock.at(clock.now() + timedelta(hours=hours)):
            tickets.forget_used()
        return UsedTicket.objects.exists()

    assert await in_database(forget) is kept


async def test_a_ticket_that_was_changed_or_signed_with_another_key_is_refused(settings: LazySettings) -> None:
    shown = await in_database(lambda: ticket(reader()))
    content, signature = shown.split(":")
    other = (await in_database(lambda: ticket(person("eva", Permission.ListOrders)))).split(":")[0]
    for forged in (f"{other}:{signature}", f"{content}:{signature[:-1]}", Signer().sign_object([1]), f"{shown}:"):
        assert tickets.read(forged) is None
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new" * 20, [settings.SECRET_KEY]
    assert tickets.read(shown) is not None
    settings.SECRET_KEY_FALLBACKS = []
    assert tickets.read(shown) is None


async def test_a_ticket_expires_after_thirty_seconds(hub: Hub) -> None:
    def earlier(seconds: int) -> str:
        with clock.at(clock.now() - timedelta(seconds=seconds)):
            return ticket(person(f"ana{seconds}", Permission.ListOrders))

    late, in_time = await in_database(lambda: earlier(31)), await in_database(lambda: earlier(28))
    assert await opened(in_time) == "hello"
    assert await opened(late) == 4401


async def test_a_ticket_of_a_session_that_has_ended_is_refused(hub: Hub) -> None:
    def sign_out() -> str:
        principal = session(reader())
        shown = tickets.issue(principal)
        token.sign_out(principal)
        return shown

    def change_password() -> str:
        user = person("eva", Permission.ListOrders)
        shown = ticket(user)
        user.end_sessions()
        user.save()
        return shown

    assert await opened(await in_database(sign_out)) == 4401
    assert await opened(await in_database(change_password)) == 4401


async def test_an_account_without_live_permissions_keeps_a_socket_for_personal_events(connect: Connect) -> None:
    """Its permissions may come back, and its session may end."""
    ivo = await in_database(lambda: person("ivo", Permission.ChangePassword))
    client = await connect(ivo)
    assert (await client.frame())["type"] == "hello"
    await in_database(lambda: commit_moves(3))
    number = await in_database(lambda: change_permissions(ivo.pk))
    assert (await client.frame())["id"] == number
    assert await client.silent()


async def test_the_hello_gives_the_most_screens_of_recent_days(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = 86_400.0
    monkeypatch.setattr("realtime.subscribers.time.monotonic", lambda: 5 * day)
    user = await in_database(reader)
    clients = [await connect(user) for _ in range(3)]
    assert [(await client.frame())["screens"] for client in clients] == [1, 2, 3]
    for client in clients:
        await client.leave()
    for day_after, screens in ((1, 3), (2, 1)):
        monkeypatch.setattr("realtime.subscribers.time.monotonic", lambda at=5 + day_after: at * day)
        client = await connect(user)
        assert (await client.frame())["screens"] == screens
        await client.leave()


async def test_the_twenty_first_socket_of_a_user_is_closed_4429(connect: Connect, hub: Hub) -> None:
    user = await in_database(reader)
    clients = [await connect(user) for _ in range(SOCKETS_OF_USER)]
    assert [(await client.frame())["type"] for client in clients] == ["hello"] * SOCKETS_OF_USER
    late = await in_database(lambda: ticket(user))
    assert await opened(late) == 4429
    other = await connect(await in_database(lambda: person("eva", Permission.ListOrders)))
    assert (await other.frame())["type"] == "hello"
    await clients[0].leave()
    assert await opened(late) == "hello", "a refused socket must not use up its ticket"


async def test_of_thirty_sockets_that_a_user_opens_at_once_twenty_are_accepted(hub: Hub) -> None:
    user = await in_database(reader)
    outcomes = await asyncio.gather(*[opened(await in_database(lambda: ticket(user))) for _ in range(30)])
    assert sorted(map(str, outcomes)) == ["4429"] * 10 + ["hello"] * SOCKETS_OF_USER


async def test_a_socket_that_failed_does_not_count_towards_the_twenty(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await in_database(reader)

    def away(*args: object) -> None:
        raise OSError("the database is away")

    with monkeypatch.context() as patched:
        patched.setattr("realtime.tickets.Ticket.redeem", away)
        for _ in range(SOCKETS_OF_USER):
            client = Client(f"ticket={await in_database(lambda: ticket(user))}")
            assert await client.open()
            assert await client.outcome() == 1013
            await client.leave()
    assert await opened(await in_database(lambda: ticket(user))) == "hello"


async def test_a_message_of_more_than_4096_characters_closes_1009(connect: Connect) -> None:
    client = await connect(await in_database(reader))
    await client.frame()
    await client.say("x" * 4_096)
    assert await client.silent()
    await client.say("x" * 4_097)
    assert await client.closed() == 1009


async def test_a_client_that_sends_too_many_messages_is_closed_1008(connect: Connect) -> None:
    client = await connect(await in_database(reader))
    await client.frame()
    for _ in range(60):
        await client.say("ping")
    assert await client.silent()
    await client.say("ping")
    assert await client.closed() == 1008


async def opened(shown: str) -> str | int:
    client = Client(f"ticket={shown}")
    assert await client.open()
    return await client.outcome()
