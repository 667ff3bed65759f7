"""Texts as Spanish reads them: searched without case and accents, words in any order, and sorted by its alphabet."""

import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from django.db.models import CharField, Model, Q, QuerySet, TextField, Transform, Value

from project.core.folding import folded

COLLATION = "spanish"
"""The order of names: on PostgreSQL made by a migration from ICU's, on SQLite taught to each connection (`apps.py`)."""
MOST_WORDS = 12


@cache
def _accented() -> tuple[str, str]:
    """Each small Latin letter that is a plain one with marks, and that plain one; then the marks, which have none."""
    letters = [chr(code) for code in (*range(0xDF, 0x250), *range(0x1E00, 0x1F00))]
    pairs = [(letter, folded(letter)) for letter in letters if letter.islower()]
    pairs = [(letter, plain) for letter, plain in pairs if plain != letter and len(plain) == 1]
    marks = "".join(map(chr, range(0x300, 0x370)))
    return "".join(letter for letter, _ in pairs) + marks, "".join(plain for _, plain in pairs)


class Folded(Transform):
    """A column or a text as `folded` has it, on both sides of a comparison: `name__folded__contains=word`."""

    lookup_name = "folded"
    function = "FOLD"
    bilateral = True

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        accented, plain = _accented()
        (source,) = self.get_source_expressions()
        if isinstance(source, Value):  # a word that is looked for: folded once, here
            marks = accented[len(plain) :]
            word = source.value.lower().translate(str.maketrans(accented[: len(plain)], plain, marks))
            return compiler.compile(Value(word, output_field=TextField()))
        return self.as_sql(compiler, connection, template=f"TRANSLATE(LOWER(%(expressions)s), '{accented}', '{plain}')")


CharField.register_lookup(Folded)
TextField.register_lookup(Folded)


def words(search: str) -> list[str]:
    """The words of a search, each to be found somewhere. Of very many the last ones are one."""
    return search.split(maxsplit=MOST_WORDS - 1)


def matching[Row: Model](
    rows: QuerySet[Row], search: str | None, *paths: str, also: Callable[[str], Q] | None = None
) -> QuerySet[Row]:
    """Rows in which each word of `search` stands in one of the texts at `paths`, or where `also` finds it."""
    for word in words(search or ""):
        found = also(word) if also else Q()
        for path in paths:
            found |= Q(**{f"{path}__folded__contains": word})
        rows = rows.filter(found)
    return rows


@lru_cache(maxsize=4_096)
def _place(text: str) -> tuple[str, str]:
    """Where `text` stands in the alphabet: by its letters, Ñ after N, and only then by accents and case."""
    letters = unicodedata.normalize("NFC", text.casefold()).replace("ñ", "n\U0010ffff")
    return folded(letters), text


def compared(one: str, other: str) -> int:
    """-1, 0 or 1 as `one` stands before, at or after `other`. Different texts are never at one place."""
    here, there = _place(one), _place(other)
    return (here > there) - (here < there)
