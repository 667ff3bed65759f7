"""The metrics for Prometheus, and who may read them."""

import inspect
import re
from datetime import timedelta
from ipaddress import ip_network

import pytest
from django.conf import settings
from django.db import OperationalError
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from project.audit.services import record_guessing
from project.core import clock, database
from project.operations import metrics
from project.printing.render_pool import RenderPool, printed
from project.worker.alerts import TASK, Alerts
from project.worker.leader_lease import LeaderLease
from realtime.models import OutboxEvent
from tests.builders import Caller, Shop

Samples = dict[tuple[str, str, str], float]


def read(**headers: str) -> Samples:
    """The value of each sample by name, operation and status."""
    answer = Client(headers=headers).get("/metrics")
    assert answer.status_code == 200, answer.content
    return {
        (sample.name, sample.labels.get("operation", sample.labels.get("work", "")), sample.labels.get("status", "")): (
            sample.value
        )
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
        if sample.name.startswith("obrador_")
    }


def test_requests_are_counted_by_operation_and_status(shop: Shop) -> None:
    before = read()
    assert shop.ana.get("/api/materials").status == 200
    assert shop.nobody.get("/api/materials").status == 401
    after = read()

    def more(name: str, status: str = "") -> float:
        key = (name, "material_list", status)
        return after[key] - before.get(key, 0.0)

    assert (more("obrador_requests_total", "200"), more("obrador_requests_total", "401")) == (1, 1)
    assert more("obrador_request_seconds_count") == 2


def test_guessing_is_counted_for_an_alert(shop: Shop) -> None:
    def guessed() -> float:
        families = text_string_to_metric_families(Client().get("/metrics").content.decode())
        found = [sample for family in families for sample in family.samples if sample.name == "obrador_guessed_total"]
        return sum(sample.value for sample in found if sample.labels == {"what": "pin"})

    before = guessed()
    record_guessing("pin", label="ana")
    assert guessed() == before + 1


def test_unknown_paths_and_methods_create_no_new_labels(shop: Shop) -> None:
    shop.ana.get("/api/materials")
    for path in ("/made/up", "/api/made/up", "/api/materials/7/made-up"):
        shop.ana.get(path)
    Client().generic("MADEUP", "/api/materials")
    names = {operation for name, operation, _ in read() if name == "obrador_requests_total"}
    assert "none" in names
    assert not [name for name in names if "made" in name.lower()]


@pytest.mark.parametrize(
    ("proxies", "forwarded", "status"),
    [(0, "", 200), (0, "8.8.8.8", 200), (1, "8.8.8.8", 403), (1, "10.1.2.3", 200), (1, "nobody", 403)],
)
def test_only_allowed_networks_may_read_metrics(
    db: None, settings: object, proxies: int, forwarded: str, status: int
) -> None:
    settings.TRUSTED_PROXIES = proxies  # type: ignore[attr-defined]
    settings.METRICS_NETWORKS = [ip_network("127.0.0.0/8"), ip_network("10.0.0.0/8")]  # type: ignore[attr-defined]
    answer = Client(headers={"x-forwarded-for": forwarded} if forwarded else {}).get("/metrics")
    assert answer.status_code == status
    assert (b"obrador_requests" in answer.content) == (status == 200)


def test_newest_event_and_age_of_the_oldest_are_reported(shop: Shop) -> None:
    shop.approved(3)
    with clock.at(OutboxEvent.objects.earliest("id").created_at + timedelta(hours=1)):
        samples = read()
    assert samples["obrador_events", "", ""] == OutboxEvent.objects.latest("id").pk
    assert samples["obrador_outbox_age_seconds", "", ""] == 3_600
    assert samples["obrador_events_behind", "", ""] == 0  # nobody listens here


def test_age_of_alerts_counts_from_their_last_run(db: None) -> None:
    lease = LeaderLease(TASK)
    assert lease.acquire()
    assert ("obrador_alerts_age_seconds", "", "") not in read()
    now = clock.now()
    with clock.at(now):
        Alerts(lease).announce_due()
    with clock.at(now + timedelta(minutes=7)):
        assert read()["obrador_alerts_age_seconds", "", ""] == 420


def test_printed_page_is_measured(db: None) -> None:
    key = ("obrador_print_seconds_count", "print_page", "")
    before = read().get(key, 0.0)
    assert printed(RenderPool(1).start_page("<p>one</p>", {}, "paper.css")).startswith(b"%PDF")
    assert read()[key] == before + 1


def test_other_metrics_are_reported_without_a_database(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> int:
        raise OperationalError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(metrics, "newest_id", gone)
        assert read()["obrador_sockets", "", ""] == 0
    monkeypatch.setattr(database.away, "is_set", lambda: True)
    assert Caller().get("/api/materials").status == 503
    samples = read()
    assert samples["obrador_database_away", "", ""] == 1
    assert ("obrador_events", "", "") not in samples


def test_dashboard_and_alert_rules_use_existing_metrics(shop: Shop) -> None:
    """SQLite has no pool, so the names of the pool's metrics are read from the code."""
    families = {name for name, _, _ in read()}
    pool = set(re.findall(r'"(obrador_pool_\w+)"', inspect.getsource(metrics)))
    for file in ("grafana-dashboard.json", "prometheus-rules.yml"):
        asked = set(re.findall(r"obrador_\w+", (settings.BASE_DIR / "infra" / "deploy" / file).read_text()))
        assert asked
        assert asked <= families | pool | {"obrador_alerts_age_seconds"}
