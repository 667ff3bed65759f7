"""At midnight in the plant, sessions end on their sockets too, even if the database does not answer."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from project.access.permissions import Permission
from project.core import clock
from tests.builders import person
from tests.realtime.clients import in_database
from tests.realtime.conftest import Connect
from tests.realtime.samples import commit, line_moved

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_mexico_city")]

NOON = datetime(2026, 3, 2, 18, tzinfo=UTC)  # in Mexico City
MIDNIGHT = datetime(2026, 3, 3, 6, tzinfo=UTC)
SECOND = timedelta(seconds=1)


class PlantClock:
    """A clock that does not advance until it is set."""

    def __init__(self) -> None:
        self.at = NOON

    def __call__(self) -> datetime:
        return self.at


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> PlantClock:
    """Replace the clock, and let the hub check it every 10 ms."""
    standing = PlantClock()
    monkeypatch.setattr(clock, "now", standing)
    monkeypatch.setattr("realtime.hub.POLL_SECONDS", 0.01)
    return standing


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """After `break_it()`, each poll of the outbox hangs until the test ends. The event is set by the first one."""
    asked, over = Event(), Event()

    def poll(*known: object) -> None:
        asked.set()
        over.wait()
        raise ConnectionError("the database was away")

    def break_it() -> None:
        monkeypatch.setattr("realtime.hub.poll_outbox", poll)

    asked.break_it = break_it  # type: ignore[attr-defined]
    yield asked
    over.set()


async def test_a_session_is_open_a_second_before_and_closed_4401_at_midnight(
    connect: Connect, plant: PlantClock
) -> None:
    client = await connect(await in_database(lambda: person("ana", Permission.ListOrders)))
    await client.frame()
    plant.at = MIDNIGHT - SECOND
    number = await in_database(lambda: commit(line_moved()))
    assert (await client.frame())["id"] == number
    plant.at = MIDNIGHT
    assert await client.closed() == 4401


async def test_all_sessions_end_at_midnight_and_one_of_the_next_day_stays(connect: Connect, plant: PlantClock) -> None:
    ana, eva = await in_database(lambda: (person("ana", Permission.ListOrders), person("eva")))
    clients = [await connect(ana), await connect(ana), await connect(eva)]
    for client in clients:
        await client.frame()
    plant.at = MIDNIGHT
    assert [await client.closed() for client in clients] == [4401] * 3
    again = await connect(ana)
    assert (await again.frame())["type"] == "hello"
    assert await again.silent()


async def test_sockets_are_closed_at_midnight_even_if_the_database_does_not_answer(
    connect: Connect, plant: PlantClock, stuck: Event
) -> None:
    client = await connect(await in_database(lambda: person("ana", Permission.ListOrders)))
    await client.frame()
    stuck.break_it()  # type: ignore[attr-defined]
    assert await in_database(lambda: stuck.wait(5))
    plant.at = MIDNIGHT
    assert await client.closed() == 4401
