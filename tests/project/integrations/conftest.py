"""Fixtures of the tests of webhooks."""

from collections.abc import Iterator

import pytest
from django.conf import LazySettings

from tests.project.integrations.receivers import Receiver, receiver


@pytest.fixture
def erp(settings: LazySettings) -> Iterator[Receiver]:
    settings.DEBUG = True  # loopback addresses are allowed only with DEBUG
    with receiver() as found:
        yield found
