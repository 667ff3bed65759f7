"""Detects the encoding of a text file from its bytes.

If the file is neither UTF-16 nor UTF-8, it is read in each of three one-byte encodings. In each reading the module
counts wrong letters (letters in places where no Spanish or English word has them) and doubtful letters. It chooses the
encoding with the fewest of both together. The choice is certain only if it is Windows-1252 without wrong letters, and
either has no doubtful letters, or each other encoding has more wrong and doubtful letters.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from project.importing.refusals import UnreadableFile

Encoding = Literal["utf-8", "utf-16", "windows-1252", "mac-roman", "cp850"]
UTF_8: Encoding = "utf-8"
UTF_16: Encoding = "utf-16"
CODECS: dict[Encoding, str] = {
    UTF_8: "utf-8",
    UTF_16: "utf-16",
    "windows-1252": "cp1252",
    "mac-roman": "mac-roman",
    "cp850": "cp850",
}
_OF_ONE_BYTE: tuple[Encoding, ...] = ("windows-1252", "mac-roman", "cp850")
"""The one-byte encodings of Windows, of older Macs and of DOS. The first is preferred."""
MOST_WORDS = 20_000
"""Maximum number of different words with non-ASCII letters that are examined."""
_WORD = re.compile(rb"[^\s,;\t\"|]*[\x80-\xff][^\s,;\t\"|]*")

_SMALL, _CAPITAL = "áéíóúüñç", "ÁÉÍÓÚÜÑÇ"
_LETTER = rf"[A-Za-z{_SMALL}{_CAPITAL}]"
_KNOWN = frozenset(f"{_SMALL}{_CAPITAL}¿¡ªº°´«»“”‘’–—…·•€£§®©™±²³µ×¼½¾Øø\u00a0")
_WRONG = re.compile(
    "|".join(
        (
            rf"(?<={_LETTER})[^\x00-\x7f\w\u00a0’](?={_LETTER})",  # Ni–o: a sign inside a word
            rf"(?<={_LETTER})[–—“‘«¡¿£€§µ×¼½¾±·•©øØ]",  # sal—: a sign that cannot end a word
            rf"[–—£§ªº´»”…²³µ×±øØ](?={_LETTER})|°(?=[A-Za-z]{{2}})",  # £nico: a sign that cannot begin a word
            r"(?<=[0-9])[¡¿]",  # 90¡
            rf"[{_SMALL}](?=[A-Z])|(?<=[a-z])[{_CAPITAL}]|(?<=[A-Z]{{2}})[{_SMALL}]",  # MéSICA, etcÉ, MENé
            rf"[{_CAPITAL}](?=[A-Z][a-z])",  # ÁNuevo
            r"[çÇ](?![aouáóúAOUÁÓÚ])",  # çngel
            r"[áéíóúÁÉÍÓÚ](?=[áéíóúÁÉÍÓÚ])|(?<=[áéíóúÁÉÍÓÚ])[áéíóúÁÉÍÓÚ]",
            r"^[üÜ]$",
        )
    )
)
"""Letters in places where no word has them."""
_DOUBTFUL = re.compile(
    "|".join(
        (
            rf"(?<={_LETTER})\u00a0|\u00a0(?={_LETTER})",  # m quina; also a blank between two words
            rf"(?<=[a-z{_SMALL}])’(?=[a-z{_SMALL}])|(?<=[A-Z{_CAPITAL}]{{2}})’(?=[A-Z{_CAPITAL}])",  # Joyer’a, men’s
            rf"(?<={_LETTER})’(?=\W*$)|(?<!{_LETTER})’(?={_LETTER})",
            r"(?<=\b[A-Z])’(?=[a-z])",  # D’az
            r"[¡¿](?=[a-záéíóúüñ])|^[¡¿][A-Z]?$",  # ¡ndice, ¡C
            r"(?<=[0-9])[¼»]",  # 1¼: also 1º
            rf"[{_SMALL}{_CAPITAL}](?=[0-9])",
            r"^[ÑÁÉÍÚñáéíú]$",  # a letter that is not a word
        )
    )
)
"""Letters that a word may have, but that more often come from another encoding."""
_BESIDE_A_LETTER = re.compile(r"(?<=[A-Za-z])[^\W\d_A-Za-z]|[^\W\d_A-Za-z](?=[A-Za-z])")


@dataclass(frozen=True)
class Decoded:
    """A file's text and the encoding it was read in. `doubt`: a sample word if the encoding is uncertain, else None."""

    text: str
    encoding: Encoding
    doubt: str | None = None


def decoded(raw: bytes, chosen: Encoding | None = None) -> Decoded:
    """Decode a file's text, in the chosen encoding or in the one that its bytes suggest.

    Raises `UnreadableFile` if the bytes are not in the chosen encoding, or if no encoding turns them into text that
    people write.
    """
    if chosen is not None:
        return Decoded(_read(raw, chosen), chosen)
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Decoded(_read(raw, UTF_16), UTF_16)
    try:
        return Decoded(_read(raw, UTF_8), UTF_8)
    except UnreadableFile:
        pass
    words = [*islice(dict.fromkeys(_WORD.findall(raw)), MOST_WORDS)]
    counts = [(_letter_counts(words, encoding), encoding) for encoding in _OF_ONE_BYTE]
    wrong = {encoding: found for found, encoding in counts if found is not None}
    if not wrong:
        raise UnreadableFile
    likely = min(wrong, key=lambda encoding: (wrong[encoding].weight, wrong[encoding].wrong))
    found = wrong[likely]
    if found.wrong * 2 > found.letters:
        raise UnreadableFile
    usual = _OF_ONE_BYTE[0]
    # Doubtful letters are accepted only if each other encoding has more wrong and doubtful letters.
    certain = (
        likely == usual
        and found.wrong == 0
        and (found.doubtful == 0 or all(found.weight < other.weight for one, other in wrong.items() if one != usual))
    )
    sample = None if certain else _sample(words, likely, usual)
    return Decoded(_read(raw, likely), likely, sample)


@dataclass(frozen=True)
class _LetterCounts:
    letters: int
    wrong: int
    doubtful: int

    @property
    def weight(self) -> int:
        return self.wrong + self.doubtful


def _read(raw: bytes, encoding: Encoding) -> str:
    try:
        text = raw.decode(CODECS[encoding])
    except UnicodeDecodeError as error:
        raise UnreadableFile from error
    return text.lstrip("\ufeff")  # some programs write the mark twice


def _letter_counts(words: Iterable[bytes], encoding: Encoding) -> _LetterCounts | None:
    """Count the non-ASCII letters, and the wrong and doubtful ones. None if the bytes are not in this encoding."""
    letters = wrong = doubtful = 0
    try:
        for word in (one.decode(CODECS[encoding]).strip("()[]{}.:!?'") for one in words):
            beyond = {place for place, letter in enumerate(word) if not letter.isascii()}
            foreign = {place for place in beyond if word[place] not in _KNOWN}
            # Letters of other languages beside a plain letter (Böhm, crème) are doubtful, not wrong.
            spelled = foreign & {found.start() for found in _BESIDE_A_LETTER.finditer(word)}
            bad = {found.start() for found in _WRONG.finditer(word)} | (foreign - spelled)
            letters += len(beyond)
            wrong += len(bad)
            doubtful += len((spelled | {found.start() for found in _DOUBTFUL.finditer(word)}) - bad)
    except UnicodeDecodeError:
        return None
    return _LetterCounts(letters, wrong, doubtful)


def _sample(words: list[bytes], likely: Encoding, usual: Encoding) -> str:
    """Return a word as read in `likely`, if possible one that looks wrong in the usual encoding."""

    def strange(word: bytes) -> bool:
        read = word.decode(CODECS[usual], "replace")
        return bool(_WRONG.search(read) or _DOUBTFUL.search(read) or not _KNOWN.issuperset(_beyond(read)))

    return next(filter(strange, words), words[0]).decode(CODECS[likely])[:80]


def _beyond(text: str) -> Iterable[str]:
    return (letter for letter in text if not letter.isascii())
