"""Renders labels of bags, pieces and boxes: a page of the label's size for each (infra/docs/rules.md#labels)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import batched

from django.template import Context
from django.utils import translation

from project.catalogs.terms import shared_catalogs
from project.core.errors import Refusal
from project.core.texts import LANGUAGES, active_language, text, texts
from project.printing.addresses import LABEL_CODE, LABEL_STYLESHEET
from project.printing.codes import seal
from project.printing.fitting import LEADING, Text, fitted
from project.printing.pages import Page, plain, template
from project.printing.selectors import Labelled

MOST_LABELS = 5_000
LABELS_AT_ONCE = 40
"""Most labels in one page of markup. They share fonts, which are read once."""
MARGIN = 1.5
"""What a label printer may leave blank at each edge, in millimetres."""
GAP = 1.5
LARGEST_CODE = 40.0
LARGEST_TYPE = 9.0
SMALL_TYPE = 1.8
"""In millimetres (5 points). If a line would be smaller, all lines get one size, so that the smallest can be read."""


class NothingToLabel(Refusal):
    """No line to label has pieces: the batch is empty, or all pieces are scrapped."""

    code = "nothing_to_label"


@dataclass(frozen=True)
class LabelSize:
    """The paper of one label, in millimetres."""

    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.width}×{self.height}"


@dataclass(frozen=True)
class Label:
    """A label of a line with its number of pieces. `times`: how many equal labels the line gets."""

    line: Labelled
    pieces: int
    times: int


@dataclass(frozen=True)
class _Layout:
    """The size of the text box and the side of the code, in millimetres. `beside`: the code is at the right of the
    text, else below it. `short`: the type size of the short code, which is below the code."""

    beside: bool
    text_width: float
    text_height: float
    code: float
    short: float


def labels_of(lines: Iterable[Labelled], pieces_each: int | None) -> list[Label]:
    """Return the labels of lines. Each line gets one label with all its pieces, or labels of `pieces_each` pieces.

    With `pieces_each`, one more label has the rest. A line without pieces gets no label: all its pieces may be
    scrapped. Raises `NothingToLabel` if there is no label.
    """
    found: list[Label] = []
    for line in lines:
        each = min(pieces_each or line.pieces, line.pieces)
        alike, rest = divmod(line.pieces, each) if each else (0, 0)
        found += [Label(line, pieces, times) for pieces, times in ((each, alike), (rest, 1)) if pieces]
    if not found:
        raise NothingToLabel
    return found


def label_portions(labels: Iterable[Label]) -> Iterator[tuple[Label, ...]]:
    """Split labels into portions that can each be laid out within the limits of time and memory."""
    return batched(labels, LABELS_AT_ONCE)


def label_page(labels: Sequence[Label], size: LabelSize, language: str) -> Page:
    """Render labels, each on a page of its own. Sends no query."""
    layout = _layout(size)
    with translation.override(language):
        shown = [_shown(label, size, layout) for label in labels]
    context = {
        "language": language,
        "title": ", ".join(dict.fromkeys(f"PO# {plain(label.line.po)}" for label in labels)),
        "width": size.width,
        "height": size.height,
        "margin": _mm(MARGIN),
        "text_width": _mm(layout.text_width),
        "text_height": _mm(layout.text_height),
        "code": _mm(layout.code),
        "code_left": _mm(size.width - MARGIN - layout.code if layout.beside else MARGIN),
        "code_top": _mm(MARGIN if layout.beside else size.height - MARGIN - layout.code - layout.short * LEADING),
        "labels": shown,
    }
    return Page(template("label.html").render(Context(context)), frozenset(), LABEL_STYLESHEET)


def _layout(size: LabelSize) -> _Layout:
    """Place the code beside the text, or below it on a label that is higher than wide."""
    width, height = size.width - 2 * MARGIN, size.height - 2 * MARGIN
    beside = size.width >= size.height
    short = min(3.5, max(1.9, min(width, height) * 0.09))
    if beside:
        code = min(height - short * LEADING, width * 0.45, LARGEST_CODE)
        return _Layout(beside, width - code - GAP, height, code, short)
    code = min(width, height * 0.45, LARGEST_CODE)
    return _Layout(beside, width, height - code - short * LEADING - GAP, code, short)


def _shown(label: Label, size: LabelSize, layout: _Layout) -> dict[str, object]:
    line = label.line
    position = text("sheet_n_of_total", {"position": line.place.position, "total": line.of})
    said = (
        Text(f"PO# {plain(line.po)}", 1.25),
        Text(f"{plain(line.item_key)} · {plain(line.item)}"),
        Text(f"{text('sheet_line')} {position}"),
        Text(text("label_pieces", {"pieces": f"{label.pieces:,}"}), 1.25),
        Text(text("label_fineness", {"fineness": fineness_text(line.fineness)}) if line.fineness else "", 0.8),
        *(Text(made, 0.8) for made in _made_in(line.origin)),
    )
    largest = min(LARGEST_TYPE, min(size.width, size.height) / 6)
    lines = fitted(said, layout.text_width, layout.text_height, largest)
    if min(one.size for one in lines) < SMALL_TYPE:
        even = tuple(Text(one.words) for one in said)
        lines = fitted(even, layout.text_width, layout.text_height, largest)
    (short,) = fitted((Text(line.place.short),), layout.code, layout.short * LEADING, layout.short)
    return {
        "lines": [{"words": one.words, "size": _mm(one.size), "height": _mm(one.size * LEADING)} for one in lines],
        "code": LABEL_CODE + seal(line.place),
        "short": short.words,
        "short_size": _mm(short.size),
        "short_height": _mm(layout.short * LEADING),
    }


def fineness_text(fineness: int) -> str:
    """Write a fineness in tenths of a per mille as jewellers do: 9250 is .925, 9999 is .9999, pure metal 1.000."""
    whole, parts = divmod(fineness, 10_000)
    return f"{whole or ''}.{parts // 10:03}" + (str(parts % 10) if parts % 10 else "")


def _made_in(origin: str) -> list[str]:
    """Return the texts that say where a product is made: in the label's language, and in Spanish, which goods in Mexico
    must show. Print unknown codes verbatim."""
    spanish, english = next(
        ((term.name_es, term.name_en) for term in shared_catalogs()["countries"] if term.code == origin),
        (origin, origin),
    )
    own = text("label_made_in", {"country": english})
    in_spanish = texts(LANGUAGES[0])["label_made_in"].format(country=spanish)
    return [in_spanish] if active_language() == LANGUAGES[0] else [own, in_spanish]


def _mm(value: float) -> str:
    """Write a measure for a style sheet: with a decimal point in every language."""
    return f"{value:.3f}"
