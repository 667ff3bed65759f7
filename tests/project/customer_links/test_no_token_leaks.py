"""The token of a page is in no log, error report, trace, metric, audit row, event or answer, whatever fails."""

import json
from typing import Any

import pytest
from ninja.operation import Operation as NinjaOperation

from project.audit.models import AuditEntry
from project.core.logs import HIDDEN
from realtime.models import OutboxEvent
from tests.builders import Caller, Shop
from tests.project.customer_links.linking import LINKS, address, opened, said, shared
from tests.telemetry import written_lines


def test_a_failing_call_of_a_page_logs_its_path_without_the_token(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    made = shared(shop, shop.approved(5))

    def fails(self: NinjaOperation, request: Any, **values: Any) -> None:
        raise ArithmeticError(f"no page for {request.path}")

    monkeypatch.setattr(NinjaOperation, "run", fails)
    with written_lines() as lines:
        for path in ("", "/papers/1/invoice"):
            assert Caller().get(f"{address(made)}{path}").status == 500
        assert Caller().post(f"{address(made)}/answers", {}).status == 500
    log = json.dumps(lines)
    assert "ArithmeticError" in log
    assert f"/api/c/{HIDDEN}" in log
    assert made["token"] not in log


def test_no_metric_row_or_event_holds_a_token(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    assert opened(made, "?first=true").status == 200
    assert said(made, order, "comment", text="Gracias").status == 201
    assert Caller().get(f"/api/c/{made['token']}x").status == 404
    metrics = shop.nobody.get("/metrics").text
    assert 'operation="page_get"' in metrics
    kept = [
        metrics,
        *(str(row) for row in AuditEntry.objects.values()),
        *(str(row) for row in OutboxEvent.objects.values()),
    ]
    for path in (LINKS, f"{LINKS}/{made['id']}", f"{LINKS}/answers", "/api/audit", address(made)):
        caller = Caller() if path == address(made) else shop.ana
        kept.append(caller.get(path).text)
    assert len(kept) > 8
    assert not [one for one in kept if made["token"] in one]
