"""The settings of notices: which keys and hours are taken, and what a wrong one is told."""

import base64
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from project import settings
from tests.project.notices.browsers import VAPID_KEY, base64url

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("written", [base64url(VAPID_KEY), base64.b64encode(VAPID_KEY).decode()])
def test_a_key_is_read_in_both_alphabets(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("VAPID_KEY", written)
    assert settings._vapid_key() == VAPID_KEY


def test_without_a_key_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAPID_KEY", "")
    assert settings._vapid_key() == b""


@pytest.mark.parametrize(
    "written",
    ["x", "ñ" * 43, base64url(bytes(32)), base64url(b"\xff" * 32), base64url(bytes(range(31))), "A" * 43 + "=" * 3],
)
def test_a_key_that_signs_nothing_is_refused(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("VAPID_KEY", written)
    with pytest.raises(ImproperlyConfigured, match="VAPID_KEY must be 32 random bytes"):
        settings._vapid_key()


def test_an_hour_after_midnight_is_refused() -> None:
    run = subprocess.run(
        [sys.executable, "-c", "import project.settings"],
        cwd=ROOT,
        env=os.environ | {"DIGEST_HOUR": "24"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "DIGEST_HOUR must be an hour" in run.stderr
