"""`/.well-known/security.txt` names who takes reports of weaknesses, if somebody does."""

from datetime import UTC, datetime

import pytest
from django.conf import LazySettings

from project.core import clock
from tests.builders import Caller

PATH = "/.well-known/security.txt"


@pytest.fixture(autouse=True)
def at_noon(db: None, noon: datetime) -> None:
    """Stop the clock."""


def test_contact_is_named_with_a_date_in_the_future(settings: LazySettings) -> None:
    settings.SECURITY_CONTACT = "mailto:security@obrador.test"
    answer = Caller().get(PATH)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert fields["Contact"] == "mailto:security@obrador.test"
    assert fields["Canonical"] == f"{settings.PUBLIC_URL}{PATH}"
    expires = datetime.strptime(fields["Expires"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert 170 < (expires - clock.now()).days < 365


def test_without_a_contact_there_is_no_file() -> None:
    assert Caller().get(PATH).status == 404


def test_nothing_is_written_there(settings: LazySettings) -> None:
    settings.SECURITY_CONTACT = "https://obrador.test/security"
    assert Caller().post(PATH).status == 405
