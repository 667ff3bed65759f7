"""Makes a workshop that is worth a backup, and backs it up."""

import secrets
from pathlib import Path

from django.core.management import call_command

from project.catalogs.models import Item
from project.operations import archive, places
from project.operations.archive import Manifest, Nowhere
from tests.builders import Shop
from tests.project.pictures import picture, upload

KEY = secrets.token_urlsafe(48)


def give_picture(shop: Shop) -> str:
    """A new picture for the product; the name that it is stored under."""
    answer = upload(shop.ana, f"/api/items/{shop.item.pk}/document/anillo.jpeg", picture())
    assert answer.status == 201, answer
    return str(Item.objects.get(pk=shop.item.pk).image)


def backup(to: object = None) -> str:
    """Back up; the name of the newest one there."""
    call_command("backup", *(["--to", str(to)] if to else []))
    return places.place_of(str(to or places.settings.BACKUP_TO)).names()[-1]


def manifest_of(file: Path) -> Manifest:
    with open(file, "rb") as opened:
        return archive.read(opened, [KEY], Nowhere())
