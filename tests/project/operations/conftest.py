"""A workshop with keys and a place for backups."""

import shutil
from pathlib import Path

import pytest
from django.conf import LazySettings

from project.operations.repository import Repository
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


@pytest.fixture(scope="session")
def empty_repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty repository that `KEY` opens. restic measures the machine for seconds whenever it creates one."""
    place = tmp_path_factory.mktemp("restic") / "backups"
    Repository(str(place), [KEY], create=True)
    return place


@pytest.fixture
def place(folder: Path, empty_repository: Path) -> Repository:
    """An empty repository in `folder`."""
    shutil.copytree(empty_repository, folder)
    return Repository(str(folder), [KEY])


@pytest.fixture
def workshop(busy_shop: Shop, folder: Path, empty_repository: Path) -> Shop:
    """A shop with an order to print and a picture. Its backups lie in `folder`."""
    shutil.copytree(empty_repository, folder)
    busy_shop.approved(5, 7)
    give_picture(busy_shop)
    return busy_shop
