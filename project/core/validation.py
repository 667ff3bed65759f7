"""What a schema refuses, in our field codes."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from project.core.errors import FieldError

# pydantic's error types → our field codes; the key in `params` is the limit that was passed.
FIELD_CODES: dict[str, tuple[str, str | None]] = {
    "missing": ("required", None),
    "extra_forbidden": ("unknown_field", None),
    "string_too_long": ("too_long", "max_length"),
    "too_long": ("too_long", "max_length"),
    "string_too_short": ("too_short", "min_length"),
    "greater_than_equal": ("too_small", "ge"),
    "less_than_equal": ("too_large", "le"),
    "decimal_max_places": ("too_many_decimals", "decimal_places"),
    "enum": ("not_a_choice", None),
    "literal_error": ("not_a_choice", None),
}
# What pydantic adds to a field's place where it takes several kinds of values: `str-enum[Status]`, `int`, `LineIn`.
_KIND_OF_VALUE = re.compile(r".*\W.*|[A-Z]\w*|int|str|bool|float|decimal|none")
OWN_CODES = frozenset(
    {
        "required",
        "not_a_choice",
        "invalid_date",
        "invalid_instant",
        "date_out_of_range",
        "invalid_type",
        "invalid_email",
        "invalid_text",
        "invalid",
        "too_many_decimals",
        "unknown",
        "weak_password",
    }
)


def code_of(error: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The code of one row of a validation error, and its parameters."""
    kind = error["type"]
    code, limit = FIELD_CODES.get(kind, (kind if kind in OWN_CODES else "", None))
    if not code:
        code = "invalid_type" if kind.endswith(("_type", "_parsing")) else "invalid"
    if kind in OWN_CODES:
        return code, dict(error.get("ctx", {}))
    return code, {"limit": error["ctx"][limit]} if limit else {}


def field_errors(errors: Iterable[Mapping[str, Any]]) -> list[FieldError]:
    """The rows of a request's errors, one for each field: each kind of value that a field takes refuses for itself."""
    rows: dict[str, FieldError] = {}
    for error in errors:
        row = field_error(error)
        rows.setdefault(row.field, row)
    return list(rows.values())


def field_error(error: Mapping[str, Any]) -> FieldError:
    """One row of a request's error: `("body", "body", "items", 0, "quantity")` is the field `items.0.quantity`."""
    place = [str(part) for part in error["loc"]]
    source, rest = place[0], place[1:]
    if source in ("body", "query"):
        if rest[:1] in (["body"], ["query"]):
            rest = rest[1:]
        # An unknown field is named by the caller, as he likes.
        named = len(rest) - 1 if error["type"] == "extra_forbidden" else None
        rest = [part for index, part in enumerate(rest) if index == named or not _KIND_OF_VALUE.fullmatch(part)]
    return FieldError(".".join(rest) or source, *code_of(error))
