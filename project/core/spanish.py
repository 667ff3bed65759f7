"""Texts as Spanish reads them: names that are one, searches without case and accents, and the order of the alphabet."""

import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from django.db.models import CharField, Model, Q, QuerySet, TextField, Transform, Value

from project.core.folding import BLANKS, HYPHENS, ZERO_WIDTH, folded, name_key

COLLATION = "spanish"
"""The order of names: on PostgreSQL made by a migration from ICU's, on SQLite taught to each connection (`apps.py`)."""
MOST_WORDS = 12


@cache
def _read_alike() -> tuple[str, str, str]:
    """Blanks and hyphens of any kind; the plain one for each of them; what has no width.

    Characters beyond the first plane are left out: no name is stored with them.
    """
    blanks, hyphens = BLANKS.replace(" ", ""), HYPHENS.replace("-", "")
    zero_width = "".join(letter for letter in ZERO_WIDTH if letter <= "\uffff")
    return blanks + hyphens, " " * len(blanks) + "-" * len(hyphens), zero_width


@cache
def _accented() -> tuple[str, str, str]:
    """Each small Latin letter that is a plain one with marks; that plain one; the marks."""
    letters = [chr(code) for code in (*range(0xDF, 0x250), *range(0x1E00, 0x1F00))]
    pairs = [(letter, folded(letter)) for letter in letters if letter.islower()]
    pairs = [(letter, plain) for letter, plain in pairs if plain != letter and len(plain) == 1]
    marks = "".join(map(chr, range(0x300, 0x370)))
    return "".join(letter for letter, _ in pairs), "".join(plain for _, plain in pairs), marks


class NameKey(Transform):
    """A column or a text as `name_key` has it, on both sides of a comparison: `name__name_key=typed`."""

    lookup_name = "name_key"
    function = "NAME_KEY"
    bilateral = True

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        (source,) = self.get_source_expressions()
        if isinstance(source, Value):
            return compiler.compile(Value(name_key(source.value), output_field=TextField()))
        alike, plain, nothing = _read_alike()
        composed = f"NORMALIZE(TRANSLATE(%(expressions)s, '{alike}{nothing}', '{plain}'))"
        template = f"LOWER(BTRIM(REGEXP_REPLACE({composed}, ' +', ' ', 'g')))"
        return self.as_sql(compiler, connection, template=template)


class Folded(Transform):
    """A column or a text as `folded` has it, on both sides of a comparison: `name__folded__contains=word`.

    On PostgreSQL a column keeps its runs of blanks, which no word has: compare a whole text by `Folded(NameKey(…))`.
    """

    lookup_name = "folded"
    function = "FOLD"
    bilateral = True

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        accented, letters, marks = _accented()
        (source,) = self.get_source_expressions()
        if isinstance(source, Value):  # a word that is looked for: folded once, here
            word = name_key(source.value).translate(str.maketrans(accented, letters, marks))
            return compiler.compile(Value(word, output_field=TextField()))
        alike, plain, nothing = _read_alike()
        template = f"TRANSLATE(LOWER(%(expressions)s), '{alike}{accented}{nothing}{marks}', '{plain}{letters}')"
        return self.as_sql(compiler, connection, template=template)


for _field in (CharField, TextField):
    _field.register_lookup(NameKey)
    _field.register_lookup(Folded)


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
