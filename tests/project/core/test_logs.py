"""Logs, error reports and traces contain no secret, and every line has its request id."""

import json
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from django.conf import LazySettings
from django.db import connection
from django.db.models import Model
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from project.access import token
from project.access.models import SignInAttempt
from project.access.permissions import Permission
from project.catalogs.models import Material
from project.core import logs
from project.core.logs import HIDDEN, current_request_id, own_id, without_secrets
from project.importing.models import Import
from project.worker import jobs
from tests.builders import Shop, person
from tests.project.importing.uploads import csv_of, previewed
from tests.realtime import daphnes
from tests.telemetry import Collector, written_lines


@pytest.fixture
def lines() -> Iterator[list[dict[str, str]]]:
    """The lines logged under our own loggers, in the product's format."""
    with written_lines() as written:
        yield written


JWT = token.jwt.encode({"sub": "1"}, "k" * 32, algorithm="HS256")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("cannot reach redis://:canary-1@redis:6379/0", f"cannot reach redis://:{HIDDEN}@redis:6379/0"),
        ("postgres://obrador:canary-1@db/obrador", f"postgres://obrador:{HIDDEN}@db/obrador"),
        ("GET /ws/events?ticket=canary-1&since=4", f"GET /ws/events?ticket={HIDDEN}&since=4"),
        ('{"username": "ana", "password": "canary-1"}', f'{{"username": "ana", "password": "{HIDDEN}"}}'),
        ("{'newPassword': 'canary-1', 'x': 1}", f"{{'newPassword': '{HIDDEN}', 'x': 1}}"),
        ("Authorization: Bearer canary-1", f"Authorization: Bearer {HIDDEN}"),
        ("http://localhost/#/Restablecer/7-canary-1 sent", f"http://localhost/#/Restablecer/{HIDDEN} sent"),
        (f"refused {JWT}", f"refused {HIDDEN}"),
        ("Internal Server Error: /api/c/canary-1/answers", f"Internal Server Error: /api/c/{HIDDEN}"),
        ("sent http://localhost/#/c/canary-1 today", f"sent http://localhost/#/c/{HIDDEN} today"),
        ("GET /api/sales-order?limit=25 for ana@obrador.test", "GET /api/sales-order?limit=25 for ana@obrador.test"),
    ],
)
def test_values_that_look_like_secrets_are_hidden(text: str, shown: str) -> None:
    assert without_secrets(text) == shown


@pytest.fixture
def own_secrets(settings: LazySettings) -> Iterator[None]:
    settings.SECRET_KEY = "canary-of-the-site" * 3
    settings.SECRET_KEY_FALLBACKS = ["canary-of-last-year" * 3]
    settings.QR_KEYS = ["canary-of-the-codes" * 3]
    settings.REDIS_URL = "redis://:canary%2Fredis@redis:6379/0"
    logs._own_secrets.cache_clear()
    yield
    logs._own_secrets.cache_clear()


def test_own_secrets_are_hidden_anywhere(own_secrets: None) -> None:
    for secret in (
        "canary-of-the-site" * 3,
        "canary-of-last-year" * 3,
        "canary-of-the-codes" * 3,
        "canary/redis",
        "canary%2Fredis",
    ):
        assert "canary" not in without_secrets(f"wrong: {secret}!")


def test_secret_in_an_exception_is_hidden(lines: list[dict[str, str]]) -> None:
    try:
        raise ConnectionError("no answer of redis://:canary-1@redis:6379")
    except ConnectionError:
        logging.getLogger("project").exception("lost")
    assert "ConnectionError" in lines[-1]["exception"]
    assert "canary" not in json.dumps(lines)


@pytest.mark.django_db
def test_each_run_of_a_worker_job_has_its_own_id(lines: list[dict[str, str]]) -> None:
    def fails() -> None:
        raise ArithmeticError("two and two")

    for _ in range(2):
        jobs._run(jobs.Job("sums", jobs.timedelta(hours=1), fails))
    ids = [line["requestId"] for line in lines if "sums" in line["message"]]
    assert len(set(ids)) == 2
    assert all(ids)
    assert current_request_id.get() == ""


def test_lines_of_an_import_have_the_id_of_its_request(
    busy_shop: Shop, lines: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*args: object, **kwargs: object) -> None:
        raise ArithmeticError("two and two")

    monkeypatch.setattr("project.importing.services.previewing.preview", fails)
    busy_shop.ana.headers["x-request-id"] = "upload-7"
    with pytest.raises(AssertionError, match="failed"):
        previewed(busy_shop.ana, "materials", csv_of(["name"], ["Plata"]))
    assert Import.objects.get().state == "failed"
    assert [line["requestId"] for line in lines if line["message"].startswith("import")] == ["upload-7"]


def test_uncaught_exception_of_a_thread_is_logged(lines: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)  # so that it is restored afterwards
    logs.log_what_python_prints()

    def dies() -> None:
        with own_id("a thread"):
            raise ArithmeticError("two and two")

    thread = threading.Thread(target=dies, name="sums")
    thread.start()
    thread.join()
    assert (lines[-1]["message"], "two and two" in lines[-1]["exception"]) == (
        "the thread sums ended by an exception",
        True,
    )


@contextmanager
def without_its_table(model: type[Model]) -> Iterator[None]:
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} RENAME TO {table}_away")
        try:
            yield
        finally:
            cursor.execute(f"ALTER TABLE {table}_away RENAME TO {table}")


@pytest.mark.django_db(transaction=True)
def test_error_lines_have_the_users_id(shop: Shop, lines: list[dict[str, object]]) -> None:
    with without_its_table(Material):
        shop.ana.get("/api/materials")
        shop.nobody.get("/api/materials")
    logged = {(line["logger"], line["userId"]) for line in lines if line["level"] == "ERROR"}
    assert logged == {("project.core.middleware", shop.ana.id), ("django.request", shop.ana.id)}
    assert all(line["requestId"] for line in lines if line["level"] == "ERROR")
    assert logs.current_user_id.get() is None


@pytest.mark.django_db(transaction=True)
def test_real_server_at_debug_level_logs_no_secret(tmp_path: Path) -> None:
    """Every line is JSON with its request id. Sign-ins and PINs also run without the table that counts attempts, to
    raise an unexpected error, which is reported and traced."""
    collector = Collector()
    user = person("ana", *Permission)
    user.set_password("Canary.2026")
    user.save()
    written = tmp_path / "server.log"
    server = daphnes.start(
        log=written,
        LOG_LEVEL="DEBUG",
        SECRET_KEY="canary-key-" * 5,
        QR_KEYS="canary-codes-" * 4,
        SENTRY_DSN=f"http://canarysdsn@{collector.address}/1",
        OTEL_EXPORTER_OTLP_ENDPOINT=f"http://{collector.address}",
    )
    bearer = ticket = ""
    try:
        with httpx.Client(base_url=server.url) as client:
            for password in ("Canary.wrong", "Canary.2026"):
                body = {"username": user.email, "password": password}
                bearer = client.post("/identity/authentication/sign-in", json=body).json().get("access_token", "")
            client.post("/identity/authentication/recover-password", json={"email": user.email})
            reset = {"token": "7-canary-link", "newPassword": "Canary.2", "confirmNewPassword": "Canary.3"}
            client.post("/identity/authentication/reset-password", json=reset)
            client.headers["Authorization"] = f"Bearer {bearer}"
            assert client.get("/api/sales-order").status_code == 200
            client.post("/api/scan", json={"code": "canary-code"})
            client.post("/api/sales-order", content=b'{"password": "canary-json"')
            ticket = client.post("/api/live/ticket").json()["ticket"]
            with without_its_table(SignInAttempt):
                body = {"username": user.email, "password": "Canary.2026"}
                refused = client.post("/identity/authentication/sign-in", json=body)
                assert refused.status_code in (500, 503)
                refused = client.post("/api/station/operator", json={"pin": "987654"})
                assert refused.status_code in (500, 503), refused.text
        for one, first in ((ticket, "hello"), (ticket, ""), ("canary-ticket", "")):
            address = f"ws://127.0.0.1:{server.port}/ws/events?ticket={one}"
            with connect(address, origin=server.url, close_timeout=1) as live:  # type: ignore[arg-type]
                if first:
                    assert json.loads(live.recv(timeout=10))["type"] == first
                else:
                    with pytest.raises(ConnectionClosed, match="4401"):
                        live.recv(timeout=10)
    finally:
        server.stop()
        collector.close()
    assert {"sign_in", "sales_order_list", "live_ticket"} <= {span.name for span in collector.spans}
    assert len(collector.reports) == 2
    assert {report["tags"]["requestId"] for report in collector.reports} <= {
        json.loads(line)["requestId"] for line in written.read_text().splitlines()
    }
    for secret in ("canary", bearer, ticket, "987654", user.email):
        assert secret.encode() not in collector.bytes.lower().replace(b"sentry_key=canarysdsn", b""), secret
    text = written.read_text()
    assert "987654" not in text
    assert "canary" not in text.lower()
    assert bearer not in text
    assert ticket not in text
    assert len(text.splitlines()) > 3
    for line in text.splitlines():
        assert "requestId" in json.loads(line), line
