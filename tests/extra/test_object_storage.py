"""Pictures in an S3-compatible service instead of a folder."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import boto3
import pytest
from django.conf import LazySettings
from moto import mock_aws

from tests.builders import Shop
from tests.project.catalogs.test_pictures import of_item, picture, upload

ROOT = Path(__file__).resolve().parents[2]
GIVEN = {"S3_BUCKET": "taller", "S3_REGION": "us-east-1", "S3_ACCESS_KEY": "key", "S3_SECRET_KEY": "secret"}


def storages_of(**environment: str) -> dict[str, dict[str, object]]:
    """The STORAGES of a process with this environment."""
    code = "import json; from project import settings; print(json.dumps(settings.STORAGES))"
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=True)
    found: dict[str, dict[str, object]] = json.loads(done.stdout)
    return found


@pytest.fixture
def bucket(settings: LazySettings) -> Iterator[object]:
    """The objects of a bucket that the site uses."""
    with mock_aws():
        made = boto3.resource("s3", region_name="us-east-1").Bucket("taller")
        made.create()
        settings.STORAGES = storages_of(**GIVEN)
        yield made.objects


def names(bucket: object) -> list[str]:
    return sorted(one.key for one in bucket.all())  # type: ignore[attr-defined]


def test_files_are_in_a_folder_unless_a_bucket_is_set() -> None:
    assert storages_of()["default"]["BACKEND"] == "django.core.files.storage.FileSystemStorage"
    chosen = storages_of(**GIVEN, S3_ENDPOINT="https://s3.taller.test")["default"]["OPTIONS"]
    assert isinstance(chosen, dict)
    assert (chosen["bucket_name"], chosen["endpoint_url"]) == ("taller", "https://s3.taller.test")


def test_picture_is_stored_read_replaced_and_removed_in_the_bucket(
    shop: Shop, bucket: object, django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[object]]
) -> None:
    first = upload(shop.ana, of_item(shop), picture())
    assert first.status == 201
    before = names(bucket)
    assert [name.count(".") for name in before] == [1, 2]
    assert shop.nobody.raw(first.json["url"]).startswith(b"\xff\xd8")
    with django_capture_on_commit_callbacks(execute=True):
        second = upload(shop.ana, of_item(shop, "otro"), picture())
    assert second.status == 201
    after = names(bucket)
    assert len(after) == 2
    assert not set(before) & set(after)
    assert shop.nobody.get(first.json["url"]).status == 404
    with django_capture_on_commit_callbacks(execute=True):
        assert shop.ana.delete(f"/api/items/{shop.item.pk}/document/otro").status == 200
    assert names(bucket) == []


def test_missing_bucket_gets_503_and_keeps_the_record(shop: Shop, bucket: object) -> None:
    kept = upload(shop.ana, of_item(shop), picture()).json["url"]
    bucket.delete()  # type: ignore[attr-defined]
    boto3.resource("s3", region_name="us-east-1").Bucket("taller").delete()
    answer = upload(shop.ana, of_item(shop, "otro"), picture())
    assert (answer.status, answer.code) == (503, "unavailable")
    assert shop.ana.get(f"/api/items/{shop.item.pk}").json["image"] == kept
