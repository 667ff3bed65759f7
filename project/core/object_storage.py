"""Store files in an S3-compatible service (`S3_BUCKET`). A failure raises `OSError`, as on a disk."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage

# An unresponsive service must not hold a request for a minute.
PATIENCE = Config(connect_timeout=5, read_timeout=20, retries={"total_max_attempts": 3})


class ObjectStorage(S3Storage):
    """The S3 storage of django-storages. Its failures are `OSError`, so callers need not know the kind of storage."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.client_config: Config = self.client_config.merge(PATIENCE)

    def _open(self, name: str, mode: str = "rb") -> Any:
        with _errors_of_a_disk():
            return super()._open(name, mode)

    def _save(self, name: str, content: Any) -> str:
        with _errors_of_a_disk():
            return str(super()._save(name, content))

    def delete(self, name: str) -> None:
        with _errors_of_a_disk():
            super().delete(name)

    def exists(self, name: str) -> bool:
        with _errors_of_a_disk():
            return bool(super().exists(name))


@contextmanager
def _errors_of_a_disk() -> Iterator[None]:
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise OSError("the file storage failed") from error
