"""Finds the largest type size at which texts fit into a box uncut, and breaks the texts into lines of that size.

The renderer runs no script that could measure text, so widths come from a table of Arimo bold. Reads no database and no
font file.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

LEADING = 1.15
"""The height of a line of text, as a multiple of its type size."""
SLACK = 1.02
"""Widths are multiplied by this, because hinting and rounding make text wider."""
LONGEST_WHOLE = 20
"""Most letters of a word that is kept on one line, in smaller type if necessary. Longer words may be broken."""
STEP = 0.05
"""The difference between two sizes, in millimetres."""
SMALLEST = 0.2
"""The smallest size, in millimetres. Even at three times this size, three texts of 200 wide letters fit on the smallest
label."""

_OF_WIDTH = {
    238: "'",
    278: " ,./I\\ijlı‘’",
    280: "|",
    333: "!()-:[]`ft·¡¹²³",
    370: "ªº",
    389: "*r{}ľ",
    400: "°",
    474: '"',
    500: "z“”ť",
    556: "£¥§«»€#$0123456789J_aceksvxy–",
    584: "+<=>^~×−",
    611: "¿?FLTZbdghnopqußøðþ",
    667: "EPSVXY",
    722: "&ABCDHKNRUÐĐďơ",
    737: "©®",
    778: "GOQwØư",
    834: "MƯ¼½¾",
    889: "%mæƠ",
    944: "Wœ",
    975: "@",
    1000: "ÆŒ—…™",
}
_WIDTHS = {letter: width / 1000 for width, letters in _OF_WIDTH.items() for letter in letters}
_WIDEST = 1.4
"""The width of letters that are not in the table. The widest letter of Arimo, Ǳ, has 1.33."""

_HYPHENS = re.compile(r"(?<=[-/_])(?=[^-/_])")


@dataclass(frozen=True)
class Text:
    """A text to fit into the box. `scale`: its type size relative to the other texts."""

    words: str
    scale: float = 1.0


@dataclass(frozen=True)
class FittedLine:
    """A line of text and its type size in millimetres."""

    words: str
    size: float


@lru_cache(maxsize=4_096)
def fitted(texts: tuple[Text, ...], width: float, height: float, largest: float) -> tuple[FittedLine, ...]:
    """Return the lines of `texts` at the largest type size that fits, at most `largest`. All measures in millimetres.

    If no size fits, return the lines at the smallest size.
    """
    shown = [text for text in texts if text.words.strip()]
    least, most = 1, max(1, int(largest / STEP))  # the searched sizes, in steps above the smallest
    best = _lines(shown, SMALLEST, width, break_all=True) or []
    while least <= most:
        tried = (least + most) // 2
        lines = _lines(shown, SMALLEST + tried * STEP, width)
        if lines is not None and sum(line.size for line in lines) * LEADING <= height:
            best, least = lines, tried + 1
        else:
            most = tried - 1
    return tuple(best)


def width_of(words: str) -> float:
    """Return the width of a text in Arimo bold, as a multiple of its type size: at least the width in the font."""
    return sum(map(_width, words))


def _lines(texts: Sequence[Text], size: float, width: float, *, break_all: bool = False) -> list[FittedLine] | None:
    """Return the lines of all texts; None if a word that must stay whole is wider than the box."""
    found: list[FittedLine] = []
    for text in texts:
        own = size * text.scale
        lines = _broken(text.words.split(), width / own / SLACK, break_all=break_all)
        if lines is None:
            return None
        found += [FittedLine(line, own) for line in lines]
    return found


def _broken(words: Sequence[str], room: float, *, break_all: bool) -> list[str] | None:
    """Fill lines with words. Return None if a word that must stay whole is wider than `room`."""
    lines: list[str] = []
    line, taken = "", 0.0
    for blank, part in _parts(words):
        own = width_of(part)
        between = width_of(blank)
        if line and taken + between + own <= room:
            line, taken = line + blank + part, taken + between + own
            continue
        if line:
            lines.append(line)
        line, taken = part, own
        if own > room:
            if len(part) <= LONGEST_WHOLE and not break_all:
                return None
            *full, line = _pieces(part, room)
            lines += full
            taken = width_of(line)
    return [*lines, line] if line else lines


def _parts(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the parts of words that may start a line, each with the blank before it.

    A long word is split after each `-`, `/` and `_`.
    """
    for word in words:
        first, *others = _HYPHENS.split(word) if len(word) > LONGEST_WHOLE else [word]
        yield " ", first
        for other in others:
            yield "", other


def _pieces(word: str, room: float) -> list[str]:
    """Break a word into pieces that fit. A piece has at least one letter with its marks."""
    pieces: list[str] = []
    piece, taken = "", 0.0
    for letter in word:
        own = _width(letter)
        if piece and own and taken + own > room:
            pieces.append(piece)
            piece, taken = "", 0.0
        piece, taken = piece + letter, taken + own
    return [*pieces, piece]


@lru_cache(maxsize=4_096)
def _width(letter: str) -> float:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    if unicodedata.category(letter) in ("Mn", "Me", "Cf", "Cc"):
        return 0.0
    return _WIDTHS.get(unicodedata.normalize("NFD", letter)[0], _WIDEST)
