"""Backups in an S3-compatible service, and backups of pictures that are in one."""

import io
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from django.conf import LazySettings
from django.core.files.storage import default_storage
from moto.server import ThreadedMotoServer

from project.core.pictures import thumbnail_of
from project.operations import archive, restoring
from project.operations.repository import BackupError, Repository, keys
from tests.builders import Shop
from tests.extra import test_object_storage
from tests.project.operations import conftest as operations
from tests.project.operations.backups import backup, give_picture, ids, manifest_of

backup_settings = operations._settings
folder = operations.folder
empty_repository = operations.empty_repository
workshop = operations.workshop
stored_pictures = test_object_storage.bucket


@pytest.fixture
def service(settings: LazySettings) -> Iterator[Any]:
    """An S3-compatible service with an empty bucket for backups."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    settings.BACKUP_S3 = {
        "endpoint_url": f"http://{host}:{port}",
        "region_name": "us-east-1",
        "aws_access_key_id": "key",
        "aws_secret_access_key": "a secret of the service",
    }
    bucket = boto3.resource("s3", **settings.BACKUP_S3).Bucket("copias")
    bucket.create()
    yield bucket
    server.stop()


def test_bucket_keeps_backups_like_a_folder(workshop: Shop, service: Any, settings: LazySettings) -> None:
    settings.BACKUP_KEEP = "1"
    with pytest.raises(BackupError, match="no backup yet"):
        Repository("s3://copias/taller", keys())
    first, second = backup("s3://copias/taller"), backup("s3://copias/taller/")
    assert first != second
    assert ids("s3://copias/taller") == [second]
    assert manifest_of(second, "s3://copias/taller").files == 2
    assert {one.key.split("/")[0] for one in service.objects.all()} == {"taller"}


def test_pictures_in_a_bucket_are_backed_up_and_restored(
    busy_shop: Shop, stored_pictures: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    name = give_picture(busy_shop)
    kept = {one.key: one.get()["Body"].read() for one in stored_pictures.all()}
    assert {*kept} == {name, thumbnail_of(name)}
    whole = backup()
    stored_pictures.delete()
    for _ in range(2):  # the second time over what the first one left
        with Repository(restoring.settings.BACKUP_TO, keys()).reading(whole) as file:
            restoring.put_back(archive.entries(file), io.BytesIO())
        assert {one.key: one.get()["Body"].read() for one in stored_pictures.all()} == kept
    default_storage.delete(name)
    assert manifest_of(backup()).missing == [name]
    assert name in capsys.readouterr().err
