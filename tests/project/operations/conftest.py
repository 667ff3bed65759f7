"""A workshop with keys and a place for backups."""

from pathlib import Path

import pytest
from django.conf import LazySettings

from tests.builders import Shop
from tests.project.operations.backups import KEY, give_picture


@pytest.fixture(autouse=True)
def _settings(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.BACKUP_KEY, settings.BACKUP_KEY_FILE = [KEY], ""
    settings.BACKUP_TO, settings.BACKUP_KEEP = str(tmp_path / "backups"), "7 daily"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups"


@pytest.fixture
def workshop(busy_shop: Shop) -> Shop:
    """A shop with an order to print and a picture."""
    busy_shop.approved(5, 7)
    give_picture(busy_shop)
    return busy_shop
