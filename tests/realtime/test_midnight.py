"""Midnight in the plant: sessions end on their sockets too, whatever the database does."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from project.access.permissions import Permission
from project.core import clock
from tests.realtime.clients import in_database, person
from tests.realtime.conftest import Connect
from tests.realtime.samples import commit, line_moved

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_mexico_city")]

NOON = datetime(2026, 3, 2, 18, tzinfo=UTC)  # in Mexico City
MIDNIGHT = datetime(2026, 3, 3, 6, tzinfo=UTC)
SECOND = timedelta(seconds=1)


class PlantClock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.at = NOON

    def __call__(self) -> datetime:
        return self.at


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> PlantClock:
    """The clock of everybody, and a hub that looks at it often."""
    standing = PlantClock()
    monkeypatch.setattr(clock, "now", standing)
    monkeypatch.setattr("realtime.hub.POLL_SECONDS", 0.01)
    return standing


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Once set up, a poll of the database does not come back until the test is over."""
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


async def test_everybody_s_session_ends_and_the_next_day_s_goes_on(connect: Connect, plant: PlantClock) -> None:
    ana, eva = await in_database(lambda: (person("ana", Permission.ListOrders), person("eva")))
    clients = [await connect(ana), await connect(ana), await connect(eva)]
    for client in clients:
        await client.frame()
    plant.at = MIDNIGHT
    assert [await client.closed() for client in clients] == [4401] * 3
    again = await connect(ana)
    assert (await again.frame())["type"] == "hello"
    assert await again.silent()


async def test_a_database_that_does_not_answer_keeps_nobody_in(
    connect: Connect, plant: PlantClock, stuck: Event
) -> None:
    client = await connect(await in_database(lambda: person("ana", Permission.ListOrders)))
    await client.frame()
    stuck.break_it()  # type: ignore[attr-defined]
    assert await in_database(lambda: stuck.wait(5))
    plant.at = MIDNIGHT
    assert await client.closed() == 4401
