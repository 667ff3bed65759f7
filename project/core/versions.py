"""Optimistic versions: a resource carries `version` and its `ETag`; a stale `If-Match` is refused with 412."""

import re
from collections.abc import Callable

from django.db import models
from django.http import HttpRequest

from project.core.errors import StaleVersion
from project.core.written_last import one_change

_ETAG = re.compile(r'\s*(?:W/)?"?(\d{1,18})"?\s*')


class Unchanged(Exception):
    """A change would leave its record as it is."""


def changed_or_as_it_is[Row](change: Callable[[], Row], read: Callable[[], Row]) -> Row:
    """What `change` returns; where it raises `Unchanged`, all that it wrote is taken back, and `read` tells the record.

    So a write of what stands there already counts no version, and leaves no row in the audit and no event.
    """
    try:
        with one_change():
            return change()
    except Unchanged:
        return read()


class Versioned(models.Model):
    """A row with a version that grows by one with each change."""

    version = models.PositiveIntegerField(default=1)

    class Meta:
        abstract = True

    def check_version(self, expected: frozenset[int] | None) -> None:
        """Raises `StaleVersion` unless this row, locked by the caller, is what was expected."""
        if expected is not None and self.version not in expected:
            raise StaleVersion(version=self.version)

    def claim(self, expected: frozenset[int] | None) -> None:
        """Count one change of this row, locked by the caller. Raises `StaleVersion` unless it is what was expected."""
        self.check_version(expected)
        self.version += 1


def if_match(request: HttpRequest) -> frozenset[int] | None:
    """The versions that `If-Match` allows; None where the header is absent or `*`."""
    header = request.headers.get("If-Match", "").strip()
    if header in ("", "*"):
        return None
    matches = [_ETAG.fullmatch(part) for part in header.split(",")]
    return frozenset(int(match[1]) for match in matches if match)
