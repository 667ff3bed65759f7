"""A request runs in one thread and is answered exactly as by Django's own handler (decision 12)."""

import threading
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from asgiref.sync import SyncToAsync
from django.core.asgi import get_asgi_application
from django.core.signals import request_finished, request_started

from project.operations import health
from project.serving.handler import OneThreadHandler
from tests.builders import Shop
from tests.realtime import daphnes

PATHS = ["/health/live", "/api/nothing", "/api/materials", "/api/openapi.json"]


async def answered(handler: Any, path: str) -> httpx.Response:
    transport, headers = httpx.ASGITransport(handler), {"X-Request-Id": "one"}
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as client:
        return await client.get(path)


@pytest.mark.parametrize("path", PATHS)
async def test_answer_equals_that_of_djangos_handler(path: str) -> None:
    own = await answered(OneThreadHandler(), path)
    django = await answered(get_asgi_application(), path)
    assert (own.status_code, own.headers, own.content) == (django.status_code, django.headers, django.content)


async def test_middleware_and_view_run_in_one_thread_that_the_next_request_reuses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[list[int]] = []

    def noted(inner: Callable[..., Any]) -> Callable[..., Any]:
        def noting(*args: Any, **kwargs: Any) -> Any:
            threads[-1].append(threading.get_ident())
            return inner(*args, **kwargs)

        return noting

    def hop(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("a visit to another thread")

    begun, ended = noted(lambda **kwargs: None), noted(lambda **kwargs: None)
    monkeypatch.setattr(health, "JsonResponse", noted(health.JsonResponse))
    monkeypatch.setattr(SyncToAsync, "__call__", hop)
    request_started.connect(begun)
    request_finished.connect(ended)
    try:
        handler = OneThreadHandler()
        for _ in range(2):
            threads.append([])
            assert (await answered(handler, "/health/live")).status_code == 200
    finally:
        request_started.disconnect(begun)
        request_finished.disconnect(ended)
    assert {len(one) for one in threads} == {3}
    assert [len(set(one)) for one in threads] == [1, 1]
    assert not any(threading.get_ident() in one for one in threads)


def test_exports_return_their_database_connections(busy_shop: Shop) -> None:
    server = daphnes.shared(DATABASE_POOL="2")
    busy_shop.order(1)
    headers = {"Authorization": f"Bearer {busy_shop.ana.bearer}"}
    for _ in range(6):
        assert httpx.get(f"{server.url}/api/reports?format=csv", headers=headers, timeout=60).status_code == 200
    assert httpx.get(f"{server.url}/api/items", headers=headers, timeout=60).status_code == 200
