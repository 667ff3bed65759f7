"""The core app. On SQLite it adds case-insensitive functions and Spanish sorting to each connection."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.apps import AppConfig
from django.db.backends.signals import connection_created

from project.core.folding import folded, name_key
from project.core.logs import log_what_python_prints
from project.core.spanish import COLLATION, compared


class CoreConfig(AppConfig):
    name = "project.core"

    def ready(self) -> None:
        log_what_python_prints()
        connection_created.connect(_every_alphabet, dispatch_uid="every alphabet")


def _every_alphabet(connection: Any, **kwargs: Any) -> None:
    """Add functions and the Spanish collation to a new SQLite connection. A no-op on PostgreSQL.

    SQLite's own LOWER and LIKE ignore case only for A to Z. The new ones ignore the case of every letter, such as Ñ, as
    searches on PostgreSQL do.
    """
    if connection.vendor != "sqlite":
        return
    connection.connection.create_collation(COLLATION, compared)
    create = connection.connection.create_function
    create("LOWER", 1, _of_texts(str.lower), deterministic=True)
    create("LIKE", 3, _like, deterministic=True)
    create("NAME_KEY", 1, _of_texts(name_key), deterministic=True)
    create("FOLD", 1, _of_texts(folded), deterministic=True)


def _of_texts(function: Callable[[str], str]) -> Callable[[Any], Any]:
    """Apply `function` to texts only: SQLite also passes NULL and numbers, which stay as they are."""
    return lambda value: function(value) if isinstance(value, str) else value


def _like(pattern: Any, value: Any, escape: str) -> bool | None:
    """Evaluate `value LIKE pattern ESCAPE escape`."""
    if pattern is None or value is None:
        return None
    return _matcher(str(pattern), escape).fullmatch(str(value)) is not None


@lru_cache(maxsize=256)
def _matcher(pattern: str, escape: str) -> re.Pattern[str]:
    parts, letters = [], iter(pattern)
    for letter in letters:
        if letter == escape:
            parts.append(re.escape(next(letters, "")))
        else:
            parts.append({"%": ".*", "_": "."}.get(letter) or re.escape(letter))
    return re.compile("".join(parts), re.IGNORECASE | re.DOTALL)
