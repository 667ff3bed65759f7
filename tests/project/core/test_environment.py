"""An invalid setting is named, and the error says what it must be."""

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from ipaddress import ip_network
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from project.core.environment import Environment
from project.settings import BASE_DIR

KEY = "k" * 32


class Kinds:
    """Each kind of setting, read from ENTRY."""

    def __init__(self) -> None:
        env = Environment()
        self.of: dict[str, Callable[[], Any]] = {
            "number": lambda: env.number("ENTRY", default=3, least=1),
            "flag": lambda: env.flag("ENTRY"),
            "zone": lambda: env.zone("ENTRY", default="Europe/Madrid"),
            "networks": lambda: env.networks("ENTRY", default=["::1/128"]),
            "keys": lambda: env.keys("ENTRY"),
            "address": lambda: env.address("ENTRY", default="http://localhost:8000"),
            "origins": lambda: env.origins("ENTRY"),
            "server": lambda: env.server("ENTRY", "postgres", "sqlite"),
            "redis": lambda: env.redis("ENTRY"),
            "level": lambda: env.level("ENTRY", default="WARNING"),
            "rates": lambda: env.rates("ENTRY"),
        }


@pytest.mark.parametrize(
    ("kind", "default"),
    [
        ("number", 3),
        ("flag", False),
        ("zone", "Europe/Madrid"),
        ("networks", [ip_network("::1/128")]),
        ("keys", []),
        ("address", "http://localhost:8000"),
        ("origins", []),
        ("server", ""),
        ("redis", []),
        ("level", "WARNING"),
        ("rates", {}),
    ],
)
def test_missing_setting_has_its_default(monkeypatch: pytest.MonkeyPatch, kind: str, default: object) -> None:
    monkeypatch.delenv("ENTRY", raising=False)
    assert Kinds().of[kind]() == default


@pytest.mark.parametrize(
    ("kind", "written", "read"),
    [
        ("number", "1", 1),
        *[("flag", one, True) for one in ("true", "True", "YES", "on", "1")],
        *[("flag", one, False) for one in ("", "false", "No", "off", "0")],
        ("zone", "America/Monterrey", "America/Monterrey"),
        ("networks", "10.0.0.0/8", [ip_network("10.0.0.0/8")]),
        ("keys", f"{KEY},{KEY}2", [KEY, f"{KEY}2"]),
        ("address", "https://taller.example/", "https://taller.example"),
        ("address", "http://[::1]:8100", "http://[::1]:8100"),
        ("origins", "https://a.example,http://b.example:8443", ["https://a.example", "http://b.example:8443"]),
        *[
            ("server", one, one)
            for one in ("postgres://obrador:a@b@[::1]:5433/o", "postgres:///obrador", "sqlite:////srv/obrador.sqlite3")
        ],
        ("redis", "redis://a:6379/0", [{"address": "redis://a:6379/0"}]),
        (
            "redis",
            "redis://:p,w@a:6379/0, rediss://b:6380/1",
            [{"address": "redis://:p,w@a:6379/0"}, {"address": "rediss://b:6380/1"}],
        ),
        (
            "redis",
            "redis+sentinel://:p%40s@a:26380,b,[::1]:26379/workshop/2",
            [
                {
                    "sentinels": [("a", 26380), ("b", 26379), ("::1", 26379)],
                    "master_name": "workshop",
                    "db": 2,
                    "password": "p@s",
                }
            ],
        ),
        ("level", "debug", "DEBUG"),
        ("rates", "2026-01-01:5,2026-07-01:6.5", {date(2026, 1, 1): Decimal(5), date(2026, 7, 1): Decimal("6.5")}),
    ],
)
def test_valid_setting_is_read(monkeypatch: pytest.MonkeyPatch, kind: str, written: str, read: object) -> None:
    monkeypatch.setenv("ENTRY", written)
    assert Kinds().of[kind]() == read


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        *[("number", one) for one in ("", "abc", "0", "-1", "1.5", "1e3", "1_000", "٣", "9" * 5_000)],
        *[("flag", one) for one in ("maybe", "2", "truе")],
        *[("zone", one) for one in ("Mars/Olympus", "../etc/passwd", "/etc/passwd", "America", "")],
        *[("networks", one) for one in ("foo", "10.0.0.1/8", "10.0.0.0/40")],
        *[("keys", one) for one in ("k" * 31, f"{KEY},short")],
        *[
            ("address", one)
            for one in ("localhost", "taller.example", "ftp://a.example", "http://", "http://a:b", "http://[::1")
        ],
        *[("origins", one) for one in ("foo", "https://a.example/path", "https://a.example,b.example")],
        *[("server", one) for one in ("foo", "mysql://a/b", "postgres://", "postgres:///", "postgres://a:b/c")],
        *[("redis", one) for one in ("foo", "http://a", "redis://a,b", "redis://", "redis://a, postgres://b/c")],
        *[
            ("redis", f"redis+sentinel://{one}")
            for one in ("", "a:26379", "/name", "a:x/name", "a,,b/name", "a/name/x")
        ],
        ("level", "LOUD"),
        *[
            ("rates", one)
            for one in ("5", "2026-01-01", "2026-13-01:5", "2026-01-01:x", "2026-01-01:101", "2026-01-01:NaN")
        ],
    ],
)
def test_invalid_setting_is_named(monkeypatch: pytest.MonkeyPatch, kind: str, written: str) -> None:
    monkeypatch.setenv("ENTRY", written)
    with pytest.raises(ImproperlyConfigured, match="ENTRY"):
        Kinds().of[kind]()


def test_command_reports_an_invalid_setting_in_one_line() -> None:
    run = subprocess.run(
        [sys.executable, "manage.py", "doctor", "--json"],
        cwd=BASE_DIR,
        env=os.environ | {"TRUSTED_PROXIES": "x"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == "Settings: TRUSTED_PROXIES must be a whole number from 0 on.\n"
