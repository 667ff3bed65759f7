"""Fixtures of the tests of notices."""

from collections.abc import Iterator

import pytest
from django.conf import LazySettings

from tests.project.notices.browsers import VAPID_KEY, PushService, push_service


@pytest.fixture
def service(settings: LazySettings) -> Iterator[PushService]:
    """A push service on this machine, which DEBUG allows, and the key that signs pushes."""
    settings.DEBUG, settings.VAPID_KEY = True, VAPID_KEY
    with push_service() as found:
        yield found


@pytest.fixture
def mail_server(settings: LazySettings) -> None:
    settings.MAIL_SERVER, settings.PUBLIC_URL = True, "https://obrador.example.com"
