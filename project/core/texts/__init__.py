"""The texts of all codes, in Spanish (the default) and English."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import get_language

LANGUAGES = ("es", "en")


@cache
def texts(language: str) -> dict[str, str]:
    """Load all texts of one language: `{code: text with {placeholders}}`."""
    path = Path(__file__).parent / f"{language}.json"
    loaded: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def active_language() -> str:
    """Return the language of the current request: `es` or `en`."""
    language = (get_language() or "es")[:2]
    return language if language in LANGUAGES else "es"


def either[Found](spanish: Found, english: Found) -> Found:
    """Return the value for the language of the current request."""
    return english if active_language() == "en" else spanish


def named(name: str, english: str) -> str:
    """Return a product, process or material by name in the language of the request; `name` without an `english` one."""
    return either(name, english or name)


def pieces_left(good: int, quantity: int) -> str:
    """Return how many pieces are good, in the language of the request: `6 de 10`, or `10` if none was lost."""
    return str(quantity) if good == quantity else text("sheet_n_of_total", {"position": good, "total": quantity})


def text(code: str, params: dict[str, Any] | None = None) -> str:
    """Return the text of `code` in the active language, with placeholders filled from `params`.

    A code may have its own text for the `status` in `params`: `line_not_approved.Canceled`.
    """
    params = params or {}
    found = texts(active_language())
    own = found.get(f"{code}.{params.get('status')}")
    return (own or found[code]).format_map(_Params(params))


class _Params(dict[str, Any]):
    """Format lists and whole numbers as text. Leave unknown placeholders visible instead of failing the answer."""

    def __getitem__(self, key: str) -> Any:
        value = super().__getitem__(key)
        if isinstance(value, dict):
            return ", ".join(f"{name} ({count})" for name, count in value.items())
        if isinstance(value, float) and value.is_integer():
            return int(value)
        return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else value

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"
