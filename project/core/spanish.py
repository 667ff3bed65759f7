"""Compare texts as Spanish readers do: equal names, search without case and accents, alphabetical order."""

import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from django.db.models import CharField, Model, Q, QuerySet, TextField, Transform, Value

from project.core.folding import BLANKS, HYPHENS, ZERO_WIDTH, folded, name_key
from project.core.schemas import LONGEST_NAME

COLLATION = "spanish"
"""The sort order of names: on PostgreSQL an ICU collation made by a migration, on SQLite a function (`apps.py`)."""
MOST_WORDS = 12


@cache
def _read_alike() -> tuple[str, str, str]:
    """Return blanks and hyphens of all kinds, the plain character for each of them, and the zero-width characters.

    Zero-width characters beyond U+FFFF are left out: no stored name contains them.
    """
    blanks, hyphens = BLANKS.replace(" ", ""), HYPHENS.replace("-", "")
    zero_width = "".join(letter for letter in ZERO_WIDTH if letter <= "\uffff")
    return blanks + hyphens, " " * len(blanks) + "-" * len(hyphens), zero_width


@cache
def _accented() -> tuple[str, str, str]:
    """Return the lower-case Latin letters with marks, the plain letter for each of them, and the combining marks."""
    letters = [chr(code) for code in (*range(0xDF, 0x250), *range(0x1E00, 0x1F00))]
    pairs = [(letter, folded(letter)) for letter in letters if letter.islower()]
    pairs = [(letter, plain) for letter, plain in pairs if plain != letter and len(plain) == 1]
    marks = "".join(map(chr, range(0x300, 0x370)))
    return "".join(letter for letter, _ in pairs), "".join(plain for _, plain in pairs), marks


class NameKey(Transform):
    """Apply `name_key` to both sides of a comparison in the database: `name__name_key=typed`."""

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
    """Apply `folded` to both sides of a comparison in the database: `name__folded__contains=word`.

    On PostgreSQL, runs of blanks in a column are not collapsed. A search for one word does not notice this, because a
    word contains no blank. To compare whole texts use `Folded(NameKey(…))`.
    """

    lookup_name = "folded"
    function = "FOLD"
    bilateral = True

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        accented, letters, marks = _accented()
        (source,) = self.get_source_expressions()
        if isinstance(source, Value):  # fold a search word once, here
            word = name_key(source.value).translate(str.maketrans(accented, letters, marks))
            return compiler.compile(Value(word, output_field=TextField()))
        alike, plain, nothing = _read_alike()
        template = f"TRANSLATE(LOWER(%(expressions)s), '{alike}{accented}{nothing}{marks}', '{plain}{letters}')"
        return self.as_sql(compiler, connection, template=template)


class Start(Transform):
    """Take only the first letters of a long text, as lists show it: `description__start__folded__contains=word`."""

    lookup_name = "start"
    function = "SUBSTR"
    template = f"%(function)s(%(expressions)s, 1, {LONGEST_NAME})"


for _field in (CharField, TextField):
    _field.register_lookup(Start)
    _field.register_lookup(NameKey)
    _field.register_lookup(Folded)


def words(search: str) -> list[str]:
    """Split a search into at most `MOST_WORDS` words; the last one contains the rest of the text."""
    return search.split(maxsplit=MOST_WORDS - 1)


def matching[Row: Model](
    rows: QuerySet[Row], search: str | None, *paths: str, also: Callable[[str], Q] | None = None
) -> QuerySet[Row]:
    """Keep the rows that match every word of `search`.

    A row matches a word if a text at one of `paths` contains the word, or if the row meets the condition `also(word)`.
    """
    for word in words(search or ""):
        found = also(word) if also else Q()
        for path in paths:
            found |= Q(**{f"{path}__folded__contains": word})
        rows = rows.filter(found)
    return rows


@lru_cache(maxsize=4_096)
def _place(text: str) -> tuple[str, str]:
    """Return a sort key that compares letters first, with Ñ after N, and then accents and case."""
    letters = unicodedata.normalize("NFC", text.casefold()).replace("ñ", "n\U0010ffff")
    return folded(letters), text


def compared(one: str, other: str) -> int:
    """Compare two texts: -1, 0 or 1 if `one` sorts before, with or after `other`; 0 only for equal texts."""
    here, there = _place(one), _place(other)
    return (here > there) - (here < there)
