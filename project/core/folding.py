"""Normalize texts as people read them. Does not import Django: child processes that read files use it too."""

import re
import unicodedata

BLANKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
BLANKS += "\u2028\u2029\u202f\u205f\u2800\u3000"
HYPHENS = "-\u058a\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
_JOINERS = ((0x200C, 0x200D), (0xFE00, 0xFE0F))
"""First and last code points of each range: joiners have no width but change how their neighbors are drawn."""
_UNDRAWN = (
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200B),
    (0x200E, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0xE0000, 0xE0FFF),
)
"""The other default-ignorable characters of Unicode: no font draws them."""


def _letters(*ranges: tuple[int, int]) -> str:
    return "".join(chr(code) for first, last in ranges for code in range(first, last + 1))


ZERO_WIDTH = _letters(*_JOINERS, *_UNDRAWN)
_AS_READ = str.maketrans(dict.fromkeys(BLANKS, " ") | dict.fromkeys(HYPHENS, "-") | dict.fromkeys(ZERO_WIDTH))
# A joiner after a Latin letter has no effect.
_INVISIBLE = re.compile(f"[{_letters(*_UNDRAWN)}]|(?<![^\\x00-\\u02ff])[{_letters(*_JOINERS)}]")


def visible(text: str) -> str:
    """Return `text` composed (NFC), without invisible characters and without blanks at its ends."""
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", text)).strip(BLANKS + "\u200c\u200d")


def _as_read(text: str) -> str:
    """Collapse runs of blanks to one blank, turn every hyphen into `-`, and drop characters without width."""
    return " ".join((text if text.isascii() else text.translate(_AS_READ)).split())


def name_key(text: str) -> str:
    """Return the key of a name. Names that people read as the same have the same key: accents count, case does not."""
    return unicodedata.normalize("NFC", _as_read(text)).lower()


def folded(text: str) -> str:
    """Return the form that searches compare: as `name_key`, without accents. Ópalo equals opalo, Ñandú equals nandu."""
    return _without_accents(_as_read(text))


def folded_letter(letter: str) -> str:
    """Fold one letter of a text. Marks and zero-width characters become empty, any blank becomes a space."""
    return _without_accents(letter.translate(_AS_READ))


def _without_accents(text: str) -> str:
    small = text.lower()
    if small.isascii():
        return small
    return "".join(letter for letter in unicodedata.normalize("NFKD", small) if not unicodedata.combining(letter))
