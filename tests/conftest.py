"""What all backend tests share."""

import pytest

from tests import builders


@pytest.fixture
def shop(db: None) -> builders.Shop:
    """The workshop with its cast."""
    return builders.shop()


@pytest.fixture
def busy_shop(transactional_db: None) -> builders.Shop:
    """The workshop in a database whose transactions are real, for calls in several threads."""
    return builders.shop()


@pytest.fixture
def quick_passwords(settings: object) -> None:
    """Passwords hashed fast, where hashing is not what is tested."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # type: ignore[attr-defined]
