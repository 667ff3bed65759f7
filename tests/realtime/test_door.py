"""Who gets in: origin, ticket, rights, and how many at once."""

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
from realtime.connection import SOCKETS_OF_USER
from realtime.hub import Hub
from realtime.models import UsedTicket
from tests.realtime.clients import HOST, ORIGIN, Client, in_database, person, session, ticket
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
async def test_only_the_site_s_own_pages_may_connect(hub: Hub, origin: str | None, welcome: bool) -> None:
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


async def test_a_host_that_is_not_ours_is_foreign_even_to_itself(hub: Hub) -> None:
    shown = await in_database(lambda: ticket(reader()))
    client = Client(f"ticket={shown}", host="rebound.test", origin="http://rebound.test")
    assert not await client.open()


async def test_a_trusted_origin_may_connect_from_elsewhere(hub: Hub, settings: LazySettings) -> None:
    settings.LIVE_ORIGINS = ["https://app.obrador.test"]
    shown = await in_database(lambda: ticket(reader()))
    assert await Client(f"ticket={shown}", origin="https://app.obrador.test").open()


async def test_another_path_takes_no_sockets(hub: Hub) -> None:
    assert not await Client("", path="/ws/other").open()


@pytest.mark.parametrize("query", ["", "ticket=", "ticket=guess", f"ticket=W10:{'x' * 43}", "token=x"])
async def test_without_a_good_ticket_it_is_accepted_and_closed_4401(hub: Hub, query: str) -> None:
    client = Client(query)
    assert await client.open()
    assert await client.closed() == 4401


async def test_a_ticket_opens_one_socket_only(hub: Hub) -> None:
    shown = await in_database(lambda: ticket(reader()))
    first, second = Client(f"ticket={shown}"), Client(f"ticket={shown}")
    assert await asyncio.gather(first.open(), second.open()) == [True, True]
    outcomes = await asyncio.gather(first.outcome(), second.outcome())
    assert sorted(map(str, outcomes)) == ["4401", "hello"]


async def test_a_ticket_that_opened_a_socket_opens_no_other_after_it_was_closed(hub: Hub) -> None:
    shown = await in_database(lambda: ticket(reader()))
    first = Client(f"ticket={shown}")
    assert await first.open()
    assert await first.outcome() == "hello"
    await first.leave()
    assert await opened(shown) == 4401


async def test_one_of_many_processes_redeems_a_ticket() -> None:
    """Each thread has a connection of its own, as processes have."""
    shown = tickets.read(await in_database(lambda: ticket(reader())))
    assert shown is not None
    found = await asyncio.gather(*(in_database(shown.redeem) for _ in range(4)))
    assert len([principal for principal in found if principal is not None]) == 1


async def test_a_ticket_costs_no_query_until_it_is_redeemed_and_then_one_beside_the_rights() -> None:
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
async def test_a_used_ticket_is_forgotten_long_after_it_expired(hub: Hub, hours: int, kept: bool) -> None:
    assert await opened(await in_database(lambda: ticket(reader()))) == "hello"

    def forget() -> bool:
        with clock.at(clock.now() + timedelta(hours=hours)):
            tickets.forget_used()
        return UsedTicket.objects.exists()

    assert await in_database(forget) is kept


async def test_a_ticket_that_was_changed_or_signed_with_another_key_is_no_good(settings: LazySettings) -> None:
    shown = await in_database(lambda: ticket(reader()))
    content, signature = shown.split(":")
    other = (await in_database(lambda: ticket(person("eva", Permission.ListOrders)))).split(":")[0]
    for forged in (f"{other}:{signature}", f"{content}:{signature[:-1]}", Signer().sign_object([1]), f"{shown}:"):
        assert tickets.read(forged) is None
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new" * 20, [settings.SECRET_KEY]
    assert tickets.read(shown) is not None
    settings.SECRET_KEY_FALLBACKS = []
    assert tickets.read(shown) is None


async def test_a_ticket_is_over_after_thirty_seconds(hub: Hub) -> None:
    def earlier(seconds: int) -> str:
        with clock.at(clock.now() - timedelta(seconds=seconds)):
            return ticket(person(f"ana{seconds}", Permission.ListOrders))

    late, in_time = await in_database(lambda: earlier(31)), await in_database(lambda: earlier(28))
    assert await opened(late) == 4401
    assert await opened(in_time) == "hello"


async def test_a_ticket_of_a_session_that_ended_since_is_no_good(hub: Hub) -> None:
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


async def test_anyone_signed_in_keeps_a_socket_for_what_concerns_himself(connect: Connect) -> None:
    """Without a single live permission: his rights may come back, his session may end."""
    ivo = await in_database(lambda: person("ivo", Permission.ChangePassword))
    client = await connect(ivo)
    assert (await client.frame())["type"] == "hello"
    await in_database(lambda: commit_moves(3))
    number = await in_database(lambda: change_permissions(ivo.pk))
    assert (await client.frame())["id"] == number
    assert await client.silent()


async def test_the_hello_says_how_many_screens_there_were_lately(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = 86_400.0
    monkeypatch.setattr("realtime.audience.time.monotonic", lambda: 5 * day)
    user = await in_database(reader)
    clients = [await connect(user) for _ in range(3)]
    assert [(await client.frame())["screens"] for client in clients] == [1, 2, 3]
    for client in clients:
        await client.leave()
    for day_after, screens in ((1, 3), (2, 1)):
        monkeypatch.setattr("realtime.audience.time.monotonic", lambda at=5 + day_after: at * day)
        client = await connect(user)
        assert (await client.frame())["screens"] == screens
        await client.leave()


async def test_a_user_has_twenty_sockets_and_not_one_more(connect: Connect, hub: Hub) -> None:
    user = await in_database(reader)
    clients = [await connect(user) for _ in range(SOCKETS_OF_USER)]
    assert [(await client.frame())["type"] for client in clients] == ["hello"] * SOCKETS_OF_USER
    late = await in_database(lambda: ticket(user))
    assert await opened(late) == 4429
    other = await connect(await in_database(lambda: person("eva", Permission.ListOrders)))
    assert (await other.frame())["type"] == "hello"
    await clients[0].leave()
    assert await opened(late) == "hello", "a refused socket must not use up its ticket"


async def test_of_thirty_sockets_of_a_user_that_open_at_once_twenty_are_let_in(hub: Hub) -> None:
    user = await in_database(reader)
    outcomes = await asyncio.gather(*[opened(await in_database(lambda: ticket(user))) for _ in range(30)])
    assert sorted(map(str, outcomes)) == ["4429"] * 10 + ["hello"] * SOCKETS_OF_USER


async def test_a_socket_that_was_refused_or_failed_counts_no_longer(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_a_message_that_is_too_big_closes_the_socket(connect: Connect) -> None:
    client = await connect(await in_database(reader))
    await client.frame()
    await client.say("x" * 4_096)
    assert await client.silent()
    await client.say("x" * 4_097)
    assert await client.closed() == 1009


async def test_a_client_that_keeps_talking_is_closed(connect: Connect) -> None:
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
