"""The printing processes: limited, replaced after a crash, and reached over HTTP if `PDF_URL` is set."""

import os
import threading
from concurrent.futures import Future
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings

from project.core import requests
from project.core.bounded import NICENESS, ProcessEnded
from project.printing import render_pool
from project.printing.models import PrintRun
from project.printing.render_pool import PdfUnavailable, RenderPool
from tests.builders import Answer, Caller, Shop
from tests.project import mishaps
from tests.realtime import daphnes

PRINT = "/pdf/create-pdf"


def asked(caller: Caller, order: int, **more: Any) -> Answer:
    return caller.post(PRINT, {"documents": [{"salesOrderId": order}], **more})


def test_crash_of_one_page_does_not_affect_the_next_print(shop: Shop) -> None:
    order = shop.order(1)
    assert asked(shop.ana, order).status == 200  # starts a process
    with pytest.raises(PdfUnavailable) as refused:
        render_pool.printed(RenderPool(0).start(mishaps.ends_itself, seconds=1.0))
    assert isinstance(refused.value.__cause__, ProcessEnded)
    assert asked(shop.ana, order).status == 200


def test_pages_are_rendered_in_another_process_at_low_priority() -> None:
    nice, pid = render_pool.printed(RenderPool(0).start(mishaps.its_limits, seconds=10.0)).split()
    assert int(nice) == min(19, os.nice(0) + NICENESS)
    assert int(pid) != os.getpid()


def test_failed_print_gets_503_and_can_be_repeated(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    order = shop.order(1)
    failed: Future[bytes] = Future()
    failed.set_exception(TimeoutError())
    with monkeypatch.context() as patched:
        patched.setattr("project.printing.render_pool.RenderPool.start_page", lambda *_: failed)
        answer = asked(shop.ana, order)
    assert (answer.status, answer.code) == (503, "pdf_unavailable")
    assert asked(shop.ana, order).status == 200


def test_number_of_waiting_prints_is_limited(shop: Shop) -> None:
    order = shop.order(1)
    with ExitStack() as others:
        for person in range(render_pool.AT_ONCE):
            others.enter_context(render_pool.slot(-person))
        answer = asked(shop.ana, order)
    assert (answer.status, answer.code) == (503, "pdf_unavailable")
    assert int(answer.headers["Retry-After"]) > 0
    assert asked(shop.ana, order).status == 200


def test_one_user_cannot_take_every_place(shop: Shop) -> None:
    order = shop.order(1)
    with ExitStack() as of_ana:
        for _ in range(render_pool.OF_ONE_PERSON):
            of_ana.enter_context(render_pool.slot(shop.ana.id))
        assert asked(shop.ana, order).code == "pdf_unavailable"
        assert asked(shop.beto, order).status == 200
    assert asked(shop.ana, order).status == 200


def test_print_ends_at_once_when_its_caller_disconnects(shop: Shop) -> None:
    """If the first page, which never ends, were not canceled, the last one would wait for a process forever."""
    gone = requests.Caller()
    with render_pool.slot(shop.ana.id) as own, requests.answering(gone):
        works = [own.start(mishaps.never_ends, seconds=600.0) for _ in range(2 * settings.PDF_WORKERS)]
        threading.Thread(target=gone.leave).start()  # before the wait or during it
        for work in works:
            with pytest.raises(PdfUnavailable):
                render_pool.printed(work)
    assert asked(shop.ana, shop.order(1)).status == 200


def test_abandoned_print_cancels_its_other_pages(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Future[bytes]] = []

    def never(own: RenderPool, *_: Any) -> "Future[bytes]":
        started.append(own.start(mishaps.never_ends, seconds=600.0))
        return started[-1]

    monkeypatch.setattr("project.printing.render_pool.RenderPool.start_page", never)
    gone = requests.Caller()
    gone.leave()
    with requests.answering(gone):
        assert asked(shop.ana, shop.order(*range(1, 90))).status == 503
    assert len(started) > 1
    assert all(work.cancelled() for work in started)


def test_progress_of_a_long_print_can_be_read(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    order, run = shop.order(*range(1, 46)), str(uuid4())
    printed, seen = render_pool.printed, []

    def watched(work: "Future[bytes]") -> bytes:
        seen.append(shop.ana.get(f"/pdf/runs/{run}").json)
        assert shop.beto.get(f"/pdf/runs/{run}").status == 404  # another user's run
        return printed(work)

    monkeypatch.setattr("project.printing.render_pool.printed", watched)
    assert asked(shop.ana, order, runId=run).status == 200
    assert seen == [{"done": done, "total": 45} for done in (0, 20, 40, 45)]
    assert shop.ana.get(f"/pdf/runs/{run}").status == 404
    assert PrintRun.objects.count() == 0


def test_failed_print_leaves_no_run_behind(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise PdfUnavailable

    monkeypatch.setattr("project.printing.render_pool.RenderPool.start_page", refuse)
    assert asked(shop.ana, shop.order(1), runId=str(uuid4())).status == 503
    assert PrintRun.objects.count() == 0


def test_run_id_can_be_used_only_once(shop: Shop) -> None:
    order, run = shop.order(1), uuid4()
    PrintRun.objects.create(id=run, user=shop.beto.user, total=1, started_at="2026-03-02T12:00:00Z")
    assert asked(shop.ana, order, runId=str(run)).fields == {"runId": "already_exists"}


def test_unreachable_print_service_gets_503(shop: Shop, settings: Any) -> None:
    settings.PDF_URL = "http://127.0.0.1:9"
    answer = asked(shop.ana, shop.order(1))
    assert (answer.status, answer.code) == (503, "pdf_unavailable")


def test_print_service_prints_and_validates_by_itself(busy_shop: Shop, settings: Any) -> None:
    order = busy_shop.order(1, customerSalesOrderId="A-9")
    settings.PDF_URL = daphnes.shared().url
    answer = asked(busy_shop.ana, order)
    assert (answer.status, answer.content[:5]) == (200, b"%PDF-")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="PO#_A-9-Linea_1.pdf"'
    unknown = asked(busy_shop.ana, 999_999)
    assert (unknown.status, unknown.fields) == (422, {"documents.0.salesOrderId": "unknown"})
