"""The printing processes: bounded, replaceable, and reached over HTTP where `PDF_URL` says so."""

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


def test_a_page_that_goes_wrong_takes_nobody_with_it(shop: Shop) -> None:
    order = shop.order(1)
    assert asked(shop.ana, order).status == 200  # a process stands ready
    with pytest.raises(PdfUnavailable) as refused:
        render_pool.printed(RenderPool(0).start(mishaps.ends_itself, seconds=1.0))
    assert isinstance(refused.value.__cause__, ProcessEnded)
    assert asked(shop.ana, order).status == 200


def test_the_processes_are_others_and_stand_behind_the_application() -> None:
    nice, pid = render_pool.printed(RenderPool(0).start(mishaps.its_limits, seconds=10.0)).split()
    assert int(nice) == min(19, os.nice(0) + NICENESS)
    assert int(pid) != os.getpid()


def test_a_failed_print_is_said_with_its_code_and_can_be_tried_again(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = shop.order(1)
    failed: Future[bytes] = Future()
    failed.set_exception(TimeoutError())
    with monkeypatch.context() as patched:
        patched.setattr("project.printing.render_pool.RenderPool.start_page", lambda *_: failed)
        answer = asked(shop.ana, order)
    assert (answer.status, answer.code) == (503, "pdf_unavailable")
    assert asked(shop.ana, order).status == 200


def test_only_so_many_wait_at_once(shop: Shop) -> None:
    order = shop.order(1)
    with ExitStack() as others:
        for person in range(render_pool.AT_ONCE):
            others.enter_context(render_pool.slot(-person))
        answer = asked(shop.ana, order)
    assert (answer.status, answer.code) == (503, "pdf_unavailable")
    assert int(answer.headers["Retry-After"]) > 0
    assert asked(shop.ana, order).status == 200


def test_one_person_cannot_hold_every_place(shop: Shop) -> None:
    order = shop.order(1)
    with ExitStack() as of_ana:
        for _ in range(render_pool.OF_ONE_PERSON):
            of_ana.enter_context(render_pool.slot(shop.ana.id))
        assert asked(shop.ana, order).code == "pdf_unavailable"
        assert asked(shop.beto, order).status == 200
    assert asked(shop.ana, order).status == 200


def test_a_print_whose_caller_left_ends_at_once_and_leaves_nothing_to_do(shop: Shop) -> None:
    """The second page would wait for a process for ever if the first one, which never ends, were not given up."""
    gone = requests.Caller()
    with render_pool.slot(shop.ana.id) as own, requests.answering(gone):
        works = [own.start(mishaps.never_ends, seconds=600.0) for _ in range(2 * settings.PDF_WORKERS)]
        threading.Thread(target=gone.leave).start()  # before the wait or in the middle of it
        for work in works:
            with pytest.raises(PdfUnavailable):
                render_pool.printed(work)
    assert asked(shop.ana, shop.order(1)).status == 200


def test_a_print_that_is_given_up_takes_its_other_pages_along(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_long_print_can_be_asked_how_far_it_is(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    order, run = shop.order(*range(1, 46)), str(uuid4())
    printed, seen = render_pool.printed, []

    def watched(work: "Future[bytes]") -> bytes:
        seen.append(shop.ana.get(f"/pdf/runs/{run}").json)
        assert shop.beto.get(f"/pdf/runs/{run}").status == 404  # somebody else's
        return printed(work)

    monkeypatch.setattr("project.printing.render_pool.printed", watched)
    assert asked(shop.ana, order, runId=run).status == 200
    assert seen == [{"done": done, "total": 45} for done in (0, 20, 40, 45)]
    assert shop.ana.get(f"/pdf/runs/{run}").status == 404
    assert PrintRun.objects.count() == 0


def test_a_print_that_fails_leaves_no_run_behind(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise PdfUnavailable

    monkeypatch.setattr("project.printing.render_pool.RenderPool.start_page", refuse)
    assert asked(shop.ana, shop.order(1), runId=str(uuid4())).status == 503
    assert PrintRun.objects.count() == 0


def test_a_run_has_one_print(shop: Shop) -> None:
    order, run = shop.order(1), uuid4()
    PrintRun.objects.create(id=run, user=shop.beto.user, total=1, started_at="2026-03-02T12:00:00Z")
    assert asked(shop.ana, order, runId=str(run)).fields == {"runId": "already_exists"}


def test_where_the_service_is_down_that_is_said(shop: Shop, settings: Any) -> None:
    settings.PDF_URL = "http://127.0.0.1:9"
    answer = asked(shop.ana, shop.order(1))
    assert (answer.status, answer.code) == (503, "pdf_unavailable")


def test_the_service_prints_for_the_web_process_and_judges_for_itself(busy_shop: Shop, settings: Any) -> None:
    order = busy_shop.order(1, customerSalesOrderId="A-9")
    settings.PDF_URL = daphnes.shared().url
    answer = asked(busy_shop.ana, order)
    assert (answer.status, answer.content[:5]) == (200, b"%PDF-")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="PO#_A-9-Linea_1.pdf"'
    unknown = asked(busy_shop.ana, 999_999)
    assert (unknown.status, unknown.fields) == (422, {"documents.0.salesOrderId": "unknown"})
