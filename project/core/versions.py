"""Optimistic locking: a resource has a `version` and an `ETag`; a stale `If-Match` is refused with 412."""

import re
from collections.abc import Callable

from django.db import models
from django.http import HttpRequest

from project.core.errors import StaleVersion
from project.core.written_last import one_change

_ETAG = re.compile(r'\s*(?:W/)?"?(\d{1,18})"?\s*')


class Unchanged(Exception):
    """The change would leave the record as it is, so `changed_or_as_it_is` rolls it back."""


def changed_or_as_it_is[Row](change: Callable[[], Row], read: Callable[[], Row]) -> Row:
    """Return what `change` returns. If `change` raises `Unchanged`, roll back and return what `read` returns.

    So a no-op write does not increase the version, and writes no audit row and no event.
    """
    try:
        with one_change():
            return change()
    except Unchanged:
        return read()


class Versioned(models.Model):
    """A row whose version grows by one with each change."""

    version = models.PositiveIntegerField(default=1)

    class Meta:
        abstract = True

    def check_version(self, expected: frozenset[int] | None) -> None:
        """Raise `StaleVersion` if `expected` is given and does not contain this row's version.

        The caller has locked the row.
        """
        if expected is not None and self.version not in expected:
            raise StaleVersion(version=self.version)

    def claim(self, expected: frozenset[int] | None) -> None:
        """Check and increase the version of this row. Raises `StaleVersion`.

        The caller has locked the row and saves it.
        """
        self.check_version(expected)
        self.version += 1


def if_match(request: HttpRequest) -> frozenset[int] | None:
    """Return the versions that `If-Match` allows; None if the header is missing or `*`."""
    header = request.headers.get("If-Match", "").strip()
    if header in ("", "*"):
        return None
    matches = [_ETAG.fullmatch(part) for part in header.split(",")]
    return frozenset(int(match[1]) for match in matches if match)
