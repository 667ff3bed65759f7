"""Parsing of request bodies, and the field errors of their contents."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.http import HttpRequest
from ninja.parser import Parser

from project.core.errors import MOST_ERRORS, BodyTooLarge, FieldError, InvalidFields, MalformedJson

LONGEST_JSON = 2_621_440
"""Maximum bytes of a JSON body; uploaded files may be larger."""
LONGEST_OF_STRANGERS = 65_536
"""Maximum bytes of the body of an operation that needs no sign-in."""
MOST_KEYS = 100_000
"""The most keys in a JSON body, of all its objects together. The longest order has about 35,000."""
_OF_PAGES = ("/api/c/", "/api/customer-page")
# NUL and lone surrogates, which databases cannot store, and marks that change the reading direction: a name with
# them can look like another one.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def unstorable_texts(value: Any, path: str = "") -> Iterator[str]:
    """Yield the paths of the texts inside `value` that must not be stored."""
    match value:
        case str():
            if _UNSTORABLE.search(value):
                yield path
        case dict():
            for key, inner in value.items():
                yield from unstorable_texts(key, path)
                yield from unstorable_texts(inner, f"{path}.{key}" if path else key)
        case list():
            for index, inner in enumerate(value):
                yield from unstorable_texts(inner, f"{path}.{index}" if path else str(index))


class _Keys:
    """Counts the keys of a body while it is read. Each unknown one would cost a row of its refusal."""

    def __init__(self) -> None:
        self.count = 0

    def object_of(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        self.count += len(pairs)
        if self.count > MOST_KEYS:
            raise BodyTooLarge
        return dict(pairs)


class StrictParser(Parser):
    """Parse strict JSON: no NaN, no Infinity, and no text that must not be stored."""

    def parse_body(self, request: HttpRequest) -> Any:
        if len(request.body) > longest_json(request.path):
            raise BodyTooLarge
        # Ninja notes who signed in before it reads the body.
        if len(request.body) > LONGEST_OF_STRANGERS and getattr(request, "auth", None) is None:
            raise BodyTooLarge
        try:
            body = json.loads(request.body, parse_constant=_no_constant, object_pairs_hook=_Keys().object_of)
        except (ValueError, RecursionError) as error:
            raise MalformedJson from error
        refuse_unstorable(body)
        return body

    def parse_querydict(self, data: Any, list_fields: list[str], request: HttpRequest) -> Any:
        values = super().parse_querydict(data, list_fields, request)
        refuse_unstorable(values)
        return values


def longest_json(path: str) -> int:
    """Return the maximum bytes of a JSON body that is sent to this path."""
    return LONGEST_OF_STRANGERS if path.startswith(_OF_PAGES) else LONGEST_JSON


def refuse_unstorable(value: Any) -> None:
    """Raise 422 `invalid_fields` if `value` contains texts that must not be stored. The errors name each of them."""
    paths = sorted(set(unstorable_texts(value)))
    if paths:
        printable = [path.encode("unicode_escape").decode() for path in paths]
        raise InvalidFields(errors=[FieldError(path, "invalid_text") for path in printable])


# pydantic's error types → the product's field codes, and the pydantic context key of the violated limit.
FIELD_CODES: dict[str, tuple[str, str | None]] = {
    "missing": ("required", None),
    "extra_forbidden": ("unknown_field", None),
    "string_too_long": ("too_long", "max_length"),
    "too_long": ("too_long", "max_length"),
    "string_too_short": ("too_short", "min_length"),
    "greater_than_equal": ("too_small", "ge"),
    "less_than_equal": ("too_large", "le"),
    "greater_than": ("must_be_above", "gt"),
    "decimal_max_places": ("too_many_decimals", "decimal_places"),
    "enum": ("not_a_choice", None),
    "literal_error": ("not_a_choice", None),
}
# Parts that pydantic adds to a field's path if the field accepts several types: `str-enum[Status]`, `int`, `LineIn`.
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
    """Return the code and the parameters of one pydantic error."""
    kind = error["type"]
    code, limit = FIELD_CODES.get(kind, (kind if kind in OWN_CODES else "", None))
    if not code:
        code = "invalid_type" if kind.endswith(("_type", "_parsing")) else "invalid"
    if kind in OWN_CODES:
        return code, dict(error.get("ctx", {}))
    return code, {"limit": error["ctx"][limit]} if limit else {}


def field_errors(errors: Iterable[Mapping[str, Any]]) -> list[FieldError]:
    """Return one error per field: pydantic reports one for each type that the field accepts. At most MOST_ERRORS."""
    rows: dict[str, FieldError] = {}
    for error in errors:
        row = field_error(error)
        rows.setdefault(row.field, row)
        if len(rows) == MOST_ERRORS:
            break
    return list(rows.values())


def field_error(error: Mapping[str, Any]) -> FieldError:
    """Convert one pydantic error: the `loc` `("body", "body", "items", 0, "quantity")` is `items.0.quantity`."""
    place = [str(part) for part in error["loc"]]
    source, rest = place[0], place[1:]
    if source in ("body", "query"):
        if rest[:1] in (["body"], ["query"]):
            rest = rest[1:]
        # The caller chose the name of an unknown field, so it may look like a type.
        named = len(rest) - 1 if error["type"] == "extra_forbidden" else None
        rest = [part for index, part in enumerate(rest) if index == named or not _KIND_OF_VALUE.fullmatch(part)]
    return FieldError(".".join(rest) or source, *code_of(error))
