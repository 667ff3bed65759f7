"""What the tests of webhooks share."""

from collections.abc import Iterator

import pytest
from django.conf import LazySettings

from tests.project.integrations.receivers import Receiver, receiver


@pytest.fixture
def erp(settings: LazySettings) -> Iterator[Receiver]:
    settings.DEBUG = True  # an address of this machine is taken while debugging alone
    with receiver() as found:
        yield found
