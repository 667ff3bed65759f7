"""Fill a workshop with data and back it up, for tests."""

import secrets

from django.conf import settings
from django.core.management import call_command

from project.catalogs.models import Item
from project.operations import archive
from project.operations.archive import Manifest
from project.operations.repository import Repository, keys
from tests.builders import Shop
from tests.project.pictures import picture, upload

KEY = secrets.token_urlsafe(48)


def give_picture(shop: Shop) -> str:
    """Give the product a new picture. Return the name it is stored under."""
    answer = upload(shop.ana, f"/api/items/{shop.item.pk}/document/anillo.jpeg", picture())
    assert answer.status == 201, answer
    return str(Item.objects.get(pk=shop.item.pk).image)


def backup(to: object = None) -> str:
    """Make a backup. Return the id of the newest backup there."""
    call_command("backup", *(["--to", str(to)] if to else []))
    return ids(to)[-1]


def ids(place: object = None) -> list[str]:
    """The ids of the backups there, oldest first."""
    return [one.id for one in Repository(str(place or settings.BACKUP_TO), keys()).snapshots()]


def manifest_of(backup: str, place: object = None) -> Manifest:
    with Repository(str(place or settings.BACKUP_TO), keys()).reading(backup) as file:
        return archive.read_whole(file)
