"""Parses request bodies: malformed JSON is a 400, text that no database can hold a 422 for its field."""

import json
import re
from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest
from ninja.parser import Parser

from project.core.errors import BodyTooLarge, FieldError, InvalidFields, MalformedJson

LONGEST_JSON = 2_621_440
"""Bytes of the longest JSON body; files may be longer."""
# NUL and lone surrogates, which no database keeps, and the marks that make a text read in another order than it is
# written in: a name or a note with them can pass for another one.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def unstorable_texts(value: Any, path: str = "") -> Iterator[str]:
    """Paths of the texts inside `value` with what must not be stored."""
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


class StrictParser(Parser):
    """JSON as the standard has it: no NaN, no Infinity, and no text that must not be stored."""

    def parse_body(self, request: HttpRequest) -> Any:
        if len(request.body) > LONGEST_JSON:
            raise BodyTooLarge
        try:
            body = json.loads(request.body, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise MalformedJson from error
        refuse_unstorable(body)
        return body

    def parse_querydict(self, data: Any, list_fields: list[str], request: HttpRequest) -> Any:
        values = super().parse_querydict(data, list_fields, request)
        refuse_unstorable(values)
        return values


def refuse_unstorable(value: Any) -> None:
    """Raise 422 `invalid_fields` naming each text that cannot be stored."""
    paths = sorted(set(unstorable_texts(value)))
    if paths:
        printable = [path.encode("unicode_escape").decode() for path in paths]
        raise InvalidFields(errors=[FieldError(path, "invalid_text") for path in printable])
