"""The hosts that are answered, and the security headers of pages."""

from pathlib import Path

import httpx
import pytest
from django.conf import LazySettings
from django.core.asgi import get_asgi_application

from project import settings as configured
from project.serving.static_client import built_client
from tests.builders import Answer, Caller, Shop

API = "/api/materials"


def asked(host: str, path: str = API, **headers: str) -> Answer:
    return Caller(Host=host, **headers).get(path)


@pytest.mark.parametrize("host", ["elsewhere.test", "10.0.0.7", "10.0.0.7:8000", "localhost.elsewhere.test", "a b", ""])
def test_foreign_host_gets_400_in_the_common_error_shape(shop: Shop, settings: LazySettings, host: str) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    for caller in (shop.ana, shop.nobody):
        answer = caller.get(API, host=host)
        assert (answer.status, answer.code) == (400, "unknown_host")
        assert set(answer.json) == {"code", "message", "params", "errors"}


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:1234"])
def test_own_hosts_are_answered_on_any_port(shop: Shop, settings: LazySettings, host: str) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    assert shop.ana.get(API, host=host).status == 200


def test_forwarded_host_is_read_only_behind_a_proxy(shop: Shop, settings: LazySettings) -> None:
    settings.ALLOWED_HOSTS = ["taller.example"]
    behind = {"host": "10.0.0.7", "x_forwarded_host": "taller.example"}
    assert shop.ana.get(API, **behind).status == 400
    settings.USE_X_FORWARDED_HOST = True
    assert shop.ana.get(API, **behind).status == 200


def test_probes_are_answered_on_any_host(db: None, settings: LazySettings) -> None:
    settings.ALLOWED_HOSTS = ["taller.example"]
    for path in ("/health/live", "/health/ready"):
        assert asked("10.0.0.7:8000", path).status == 200


def test_http_is_redirected_to_https_except_for_probes(shop: Shop, settings: LazySettings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 31_536_000
    assert (answer := shop.ana.get(API)).status == 301
    assert answer.headers["Location"] == f"https://testserver{API}"
    assert asked("10.0.0.7", "/health/live").status == 200
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    answer = shop.ana.get(API, x_forwarded_proto="https")
    assert (answer.status, answer.headers["Strict-Transport-Security"]) == (200, "max-age=31536000")


@pytest.mark.parametrize("path", ["/", "/index.html", "/api/docs"])
async def test_built_client_is_redirected_too(settings: LazySettings, tmp_path: Path, path: str) -> None:
    (tmp_path / "index.html").write_text("<!doctype html><title>Obrador</title>")
    settings.WEB_DIST = tmp_path
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    transport = httpx.ASGITransport(built_client(get_asgi_application()))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        plain = await client.get(path)
        assert (plain.status_code, plain.headers["Location"]) == (301, f"https://localhost{path}")
        assert (await client.get(path, headers={"Host": "elsewhere.test"})).status_code == 400
        assert (await client.get(path, headers={"X-Forwarded-Proto": "https"})).status_code in (200, 302)


@pytest.mark.parametrize("path", ["/", "/index.html"])
async def test_built_client_answers_our_hosts_alone(settings: LazySettings, tmp_path: Path, path: str) -> None:
    (tmp_path / "index.html").write_text("<!doctype html><title>Obrador</title>")
    settings.WEB_DIST, settings.ALLOWED_HOSTS = tmp_path, ["taller.example"]
    transport = httpx.ASGITransport(built_client(get_asgi_application()))
    async with httpx.AsyncClient(transport=transport, base_url="http://taller.example") as client:
        assert (await client.get(path)).status_code in (200, 302)
        foreign = await client.get(path, headers={"Host": "elsewhere.test"})
        assert (foreign.status_code, foreign.json()["code"]) == (400, "unknown_host")
        assert "Obrador" not in foreign.text


def test_https_setting_enables_redirect_and_hsts() -> None:
    assert configured.SECURE_SSL_REDIRECT == configured.HTTPS
    assert bool(configured.SECURE_HSTS_SECONDS) == configured.HTTPS


async def test_page_policy_forbids_foreign_and_inline_scripts(settings: LazySettings, tmp_path: Path) -> None:
    """The built client is served in front of Django, so Django's headers do not reach it."""
    (tmp_path / "index.html").write_text("<!doctype html><title>Obrador</title>")
    settings.WEB_DIST = tmp_path
    settings.SECURE_HSTS_SECONDS = 31_536_000
    transport = httpx.ASGITransport(built_client(get_asgi_application()))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        page = await client.get("/")
    assert page.text.startswith("<!doctype html>")
    policy = dict(part.split(" ", 1) for part in page.headers["Content-Security-Policy"].split("; "))
    assert (policy["default-src"], policy["script-src"], policy["connect-src"]) == ("'self'",) * 3
    assert (policy["object-src"], policy["base-uri"], policy["frame-ancestors"]) == ("'none'",) * 3
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert page.headers["X-Frame-Options"] == "DENY"
    assert page.headers["Strict-Transport-Security"].startswith("max-age=31536000")


@pytest.mark.asyncio
async def test_service_worker_is_always_revalidated(settings: LazySettings, tmp_path: Path) -> None:
    (tmp_path / "sw.js").write_text("// keeps the client")
    (tmp_path / "favicon.svg").write_text("<svg/>")
    settings.WEB_DIST = tmp_path
    transport = httpx.ASGITransport(app=built_client(get_asgi_application()))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        worker, other = await client.get("/sw.js"), await client.get("/favicon.svg")
    assert worker.status_code == 200
    assert worker.headers["Cache-Control"] == "no-cache"
    assert worker.headers["Content-Type"].startswith("text/javascript")
    assert other.headers["Cache-Control"] == "max-age=0, public"
