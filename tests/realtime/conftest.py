"""Fixtures for the tests of live delivery."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from project.identity.models import User
from realtime.hub import Hub
from tests.realtime.clients import Client, in_database, ticket

type Connect = Callable[..., Awaitable[Client]]


@pytest.fixture
async def hub() -> AsyncIterator[Hub]:
    """The hub of this test's event loop. It is stopped after the test."""
    running = Hub.here()
    yield running
    await running.stop()


@pytest.fixture
async def connect(hub: Hub) -> AsyncIterator[Connect]:
    """Open a socket for a user: `await connect(user, since=3)`. Its first frame is the hello."""
    opened: list[Client] = []

    async def make(user: User, **query: object) -> Client:
        query["ticket"] = await in_database(lambda: ticket(user))
        client = Client("&".join(f"{name}={value}" for name, value in query.items()))
        opened.append(client)
        assert await client.open()
        return client

    yield make
    for client in opened:
        await client.leave()
