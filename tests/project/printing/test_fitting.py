"""Texts are fitted into a box by the widths of the font that prints them."""

import unicodedata
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from project.printing import fitting
from project.printing.fitting import LEADING, FittedLine, Text, fitted, width_of

FONTS = sorted((Path(fitting.__file__).parent / "fonts").glob("*-700-normal.woff2"))


def words(lines: tuple[FittedLine, ...]) -> list[str]:
    return [line.words for line in lines]


def test_every_letter_is_taken_for_at_least_as_wide_as_the_font_draws_it() -> None:
    assert len(FONTS) == 5
    for path in FONTS:
        font = TTFont(path)
        glyphs, em = font.getBestCmap(), font["head"].unitsPerEm
        narrower = [
            chr(code)
            for code, glyph in glyphs.items()
            if unicodedata.category(chr(code)) not in ("Cc", "Cf")
            and font["hmtx"][glyph][0] / em > width_of(chr(code)) + 0.001
        ]
        assert narrower == [], path.name


def test_letters_of_spanish_and_english_are_taken_for_exactly_as_wide() -> None:
    font = TTFont(next(path for path in FONTS if "latin-700" in path.name))
    glyphs, em = font.getBestCmap(), font["head"].unitsPerEm
    for letter in "ABCXYZabcxyz0123456789ÁÉÍÓÚÑÜáéíóúñü¿¡ .,:#·-/()":
        assert width_of(letter) == pytest.approx(font["hmtx"][glyphs[ord(letter)]][0] / em, abs=0.001), letter


@pytest.mark.parametrize("height", [3, 8, 20, 60])
@pytest.mark.parametrize("width", [10, 25, 80])
def test_lines_are_the_largest_that_fit_the_box(width: float, height: float) -> None:
    texts = (Text("PO# A-77", 1.25), Text("Anillo de compromiso con piedra central"), Text("Hecho en México", 0.8))
    lines = fitted(texts, width, height, 30)
    assert sum(line.size for line in lines) * LEADING <= height
    assert all(width_of(line.words) * line.size <= width for line in lines)
    assert " ".join(words(lines)) == " ".join(text.words for text in texts)
    larger = [Text(text.words, text.scale * 1.15) for text in texts]
    assert fitting._lines(larger, lines[0].size / 1.25, width) is None or (
        sum(one.size for one in fitting._lines(larger, lines[0].size / 1.25, width) or ()) * LEADING > height
    )


def test_sizes_keep_their_proportion_and_do_not_exceed_the_largest() -> None:
    big, small = fitted((Text("A", 1.25), Text("B")), 100, 100, 4)
    assert (small.size, big.size) == (pytest.approx(4, abs=0.3), pytest.approx(small.size * 1.25))


def test_words_stay_whole_and_long_ones_are_broken_after_a_hyphen_first() -> None:
    assert words(fitted((Text("Anillo Compromiso"),), 10, 8, 3)) == ["Anillo", "Compromiso"]
    assert words(fitted((Text("OC-2026-000123-TIENDAS-DEL-NORTE"),), 12, 12, 3)) == [
        "OC-2026-",
        "000123-",
        "TIENDAS-",
        "DEL-",
        "NORTE",
    ]
    broken = words(fitted((Text("W" * 60),), 10, 10, 3))
    assert len(broken) > 1
    assert "".join(broken) == "W" * 60


def test_marks_stay_with_their_letter() -> None:
    marked = "e\u0301" * 30
    assert all(not line.startswith("\u0301") for line in words(fitted((Text(marked),), 5, 12, 3)))


def test_empty_texts_take_no_line() -> None:
    assert words(fitted((Text(""), Text("  "), Text("A")), 10, 10, 3)) == ["A"]
