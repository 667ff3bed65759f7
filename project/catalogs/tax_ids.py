"""Tax ids: the shape of a Mexican one (RFC). Checked only where it changes: old records can still be edited."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from project.core.errors import FieldError

RFC = re.compile(r"[A-ZÑ&]{3,4}\d{6}[A-Z\d]{2}[\dA]")
"""Of a company 12 characters, of a person 13."""
_MEXICO = frozenset({"MX", "MEX", "MÉXICO", "MEXICO"})


def tax_code(tax_id: str) -> str:
    """Return an RFC or another tax id without blanks and marks: `74-1234567` is written `741234567`."""
    return re.sub(r"[^A-ZÑ&\d]", "", tax_id.upper())


def wrong_rfc(after: str | None, before: str, places: Iterable[Mapping[str, Any] | None]) -> list[FieldError]:
    """Return an error if a tax id changed to `after`, which is no RFC, and all addresses lie in Mexico.

    Returns no error if there is no address.
    """
    countries = {(place.get("country") or "").strip().upper() for place in places if place}
    wrong = after and after != before and countries and countries <= _MEXICO and not RFC.fullmatch(tax_code(after))
    return [FieldError("taxId", "invalid_rfc")] if wrong else []
