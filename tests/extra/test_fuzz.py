"""Run Schemathesis against a running server, for a short time and with a fixed seed.

`make fuzz` is the long run over every operation.
"""

import json
import random
from pathlib import Path

import httpx
import pytest

from project.access.permissions import Permission
from tests import builders
from tests.contract.operations import operations
from tests.fuzz.fuzzing import ENDS_A_SESSION, Findings, fuzz, read
from tests.project.displays import screens
from tests.realtime import daphnes

SEED = 20
OPERATIONS_OF_A_CALLER = 20
LIVES = "^/api/(materials|components|alloys)(/|$)"
"""Records that a sequence creates, reads, changes and deletes. Of all operations it would make one or two calls."""


@pytest.fixture
def workshop(busy_shop: builders.Shop) -> builders.Shop:
    """A workshop with an order and pieces in a process."""
    order = busy_shop.approved(10, 5)
    busy_shop.enter(order, busy_shop.casting, 4)
    return busy_shop


def check_clean(found: Findings) -> bool:
    """Fail with the list of failures, if there are any."""
    assert not found.bad, found.failures
    return True


@pytest.mark.parametrize("caller", ["administrator", "few rights", "customer", "display", "nobody"])
def test_no_call_is_answered_5xx_breaks_the_schema_or_passes_a_guard(workshop: builders.Shop, caller: str) -> None:
    bearer = {
        "administrator": lambda: workshop.ana.bearer,
        "few rights": lambda: builders.somebody(Permission.ListOrders, Permission.ShopFloor, Permission.Station).bearer,
        "customer": lambda: builders.buyer(workshop.customer).bearer,
        "display": lambda: screens.named(workshop)[0].bearer,
        "nobody": lambda: None,
    }[caller]()
    server = daphnes.shared()
    names = sorted({operation.name for operation in operations()} - set(ENDS_A_SESSION))
    some = [f"--include-operation-id={name}" for name in random.Random(caller).sample(names, OPERATIONS_OF_A_CALLER)]
    found = fuzz(server.url, bearer, "--phases=fuzzing", "--max-examples=1", *some, seed=SEED)
    assert check_clean(found)
    assert len(found.operations) == OPERATIONS_OF_A_CALLER
    assert httpx.get(f"{server.url}/health/ready").status_code == 200


def test_no_sequence_of_an_administrator_s_calls_fails(workshop: builders.Shop) -> None:
    server = daphnes.shared()
    some = f"--include-path-regex={LIVES}"
    found = fuzz(server.url, workshop.ana.bearer, "--phases=stateful", "--max-examples=3", some, seed=SEED)
    assert check_clean(found)
    assert found.done
    assert workshop.ana.get("/api/sales-order").status == 200, "the session ended early: later calls were anonymous"


@pytest.mark.parametrize(
    ("check", "status", "counted"),
    [
        ("not_a_server_error", 500, "server_errors"),
        ("status_code_conformance", 418, "of_schema"),
        ("ignored_auth", 200, "authentication_ignored"),
        ("use_after_free", 200, "others"),
    ],
)
def test_each_failure_is_counted_by_its_kind(tmp_path: Path, check: str, status: int, counted: str) -> None:
    recorder = {
        "cases": {"1": {"value": {"method": "GET", "path": "/api/items"}}},
        "interactions": {
            "1": {"request": {"method": "GET", "uri": "/api/items"}, "response": {"status_code": status, "content": ""}}
        },
        "checks": {"1": [{"name": check, "status": "failure"}, {"name": "other", "status": "success"}]},
    }
    report = tmp_path / "events.ndjson"
    report.write_text(json.dumps({"ScenarioFinished": {"recorder": recorder}}))
    found = read(report)
    assert (found.bad, getattr(found, counted), found.examples) == (True, 1, 1)
    assert list(found.failures) == [(check, "GET /api/items")]
