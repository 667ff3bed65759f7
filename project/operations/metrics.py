"""The metrics of this process, which Prometheus reads at `/metrics`: requests, sockets, pool, and database figures.

Each process reports only its own: every web process and PDF service is a target of its own in Prometheus.
"""

import logging
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from ipaddress import ip_address
from time import perf_counter

from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from project.api import api
from project.core import clock, database
from project.core.errors import PermissionDenied
from project.core.middleware import refused
from project.core.requests import address_of
from project.printing import render_pool
from project.worker.alerts import TASK
from project.worker.leader_lease import last_done
from realtime.hub import Hub
from realtime.outbox import newest_id, oldest_after

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
REQUESTS = Counter("obrador_requests", "Requests answered.", ("operation", "status"))
REQUEST_SECONDS = Histogram("obrador_request_seconds", "From request to answer.", ("operation",), buckets=SECONDS)

log = logging.getLogger(__name__)


def measured(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: count each request and its time by operation. Requests to unknown addresses count as `none`."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began = perf_counter()
        response = get_response(request)
        operation = operation_of(request)
        REQUEST_SECONDS.labels(operation).observe(perf_counter() - began)
        REQUESTS.labels(operation, response.status_code).inc()
        return response

    return middleware


def operation_of(request: HttpRequest) -> str:
    """Return the id of the request's operation, else the request's route, else `none` (an unknown address).

    The result never contains text of the caller: Prometheus's client keeps every name as long as the process lives.
    """
    found = request.resolver_match
    if found is None:
        return "none"
    return _operations().get((request.method or "", found.route), found.route or "none")


@cache
def _operations() -> dict[tuple[str, str], str]:
    """Return the operation ids by method and route."""
    return {
        (method, (bound.prefix.strip("/") + path).replace("{", "<").replace("}", ">")): str(operation.operation_id)
        for bound in api._get_bound_routers()
        for path, view in bound.path_operations.items()
        for operation in view.operations
        for method in operation.methods
    }


def metrics(request: HttpRequest) -> HttpResponse:
    """Answer all metrics as text to callers in `METRICS_NETWORKS`, and 403 `permission_denied` to others."""
    try:
        address = ip_address(address_of(request))
    except ValueError:  # a proxy sent something that is not an address
        return refused(PermissionDenied())
    if not any(address in network for network in settings.METRICS_NETWORKS):
        return refused(PermissionDenied())
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


class State(Collector):
    """Metrics that are computed when Prometheus asks."""

    def describe(self) -> list[Metric]:
        """Return no metrics, so that registering does not call `collect` and query the database at startup."""
        return []

    def collect(self) -> Iterator[Metric]:
        hubs = [hub for hub in Hub.of_this_process() if hub.connected]
        position = min((hub.newest for hub in hubs), default=None)
        sockets = sum(hub.connected for hub in hubs)
        yield GaugeMetricFamily("obrador_sockets", "Open live sockets.", sockets)
        yield GaugeMetricFamily(
            "obrador_prints_waiting", "Pages that wait for a printing process.", render_pool.waiting()
        )
        yield GaugeMetricFamily(
            "obrador_database_away", "1 while the database does not answer.", database.away.is_set()
        )
        yield from _pool()
        if not database.away.is_set():
            try:
                yield from _stored(position)
            except Error as error:
                log.warning("metrics: the database does not answer: %s", error)


def _pool() -> Iterator[Metric]:
    """Yield the metrics of PostgreSQL's connection pool. None on SQLite, which has no pool."""
    pool = getattr(connection, "pool", None)
    if pool is None:
        return
    counts = pool.get_stats()
    in_use = counts["pool_size"] - counts["pool_available"]
    yield GaugeMetricFamily("obrador_pool_connections", "Connections to the database.", counts["pool_size"])
    yield GaugeMetricFamily("obrador_pool_in_use", "Connections in use.", in_use)
    yield GaugeMetricFamily("obrador_pool_waiting", "Requests that wait for one.", counts["requests_waiting"])


def _stored(position: int | None) -> Iterator[Metric]:
    """Yield the metrics read from the database. 4 queries at most.

    `position`: the last event that this process has sent; None if no socket is connected.
    """
    newest = newest_id()
    oldest, unsent = oldest_after(0), None if position is None else oldest_after(position)
    behind = 0 if position is None else max(0, newest - position)
    yield GaugeMetricFamily("obrador_events", "Id of the newest event.", newest)
    yield GaugeMetricFamily("obrador_events_behind", "Events that this process has still to send.", behind)
    yield GaugeMetricFamily("obrador_live_lag_seconds", "Age of the oldest event still to be sent.", _age(unsent))
    yield GaugeMetricFamily("obrador_outbox_age_seconds", "Age of the oldest event kept.", _age(oldest))
    passed = last_done(TASK)
    if passed is not None:
        yield GaugeMetricFamily("obrador_alerts_age_seconds", "Since a worker last looked for alerts.", _age(passed))


def _age(instant: datetime | None) -> float:
    return 0.0 if instant is None else max(0.0, (clock.now() - instant).total_seconds())


REGISTRY.register(State())
