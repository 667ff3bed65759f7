"""Read a printed PDF back: texts and pictures with their place on the page, in millimetres from the upper left."""

import io
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pdfplumber
import pikepdf
import pytest

from tests.builders import Answer, Caller

PRINT = "/pdf/create-pdf"
SLACK = 0.6
"""Millimetres of tolerance, for the side bearings of letters."""
POINT = 25.4 / 72


@dataclass(frozen=True)
class Box:
    """A word, picture or line: left, top, width and height in mm."""

    left: float
    top: float
    width: float
    height: float
    text: str = ""

    @classmethod
    def of(cls, found: dict[str, Any]) -> "Box":
        width, height = found["x1"] - found["x0"], found["bottom"] - found["top"]
        return cls(found["x0"] * POINT, found["top"] * POINT, width * POINT, height * POINT, found.get("text", ""))

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height


@dataclass(frozen=True)
class Page:
    """One printed page. `bold`: its bold letters, without blanks."""

    width: float
    height: float
    words: list[Box]
    pictures: list[Box]
    uprights: list[Box]
    curves: list[Box]
    fonts: set[str]
    text: str
    bold: str
    red: str

    @property
    def marks(self) -> list[Box]:
        """The anvils of the product's mark."""
        return [one for one in self.curves if (one.width, one.height) == (near(12.5), near(6.5))]

    @property
    def outside(self) -> list[Box]:
        """The words outside the side margins of 15 mm, or off the paper."""
        return [
            word
            for word in self.words
            if word.left < 15 - SLACK
            or word.right > self.width - 15 + SLACK
            or word.top < 0
            or word.bottom > self.height
        ]

    def word(self, text: str) -> Box:
        return next(word for word in self.words if word.text == text)


def near(millimetres: float) -> Any:
    return pytest.approx(millimetres, abs=SLACK)


def printed(caller: Caller, *documents: tuple[int, int | None], language: str = "es") -> Answer:
    """Print lines, or whole orders if the position is None."""
    wanted = [{"salesOrderId": order, **({"position": at} if at else {})} for order, at in documents]
    return caller.post(PRINT, {"documents": wanted, "language": language})


def pages(answer: Answer) -> list[Page]:
    assert answer.status == 200, answer
    assert answer.headers["Content-Type"] == "application/pdf"
    return read(answer.content)


def pictures_of(pdf: bytes) -> int:
    """The number of different pictures in the file, each counted once."""
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        return len({picture.objgen for page in opened.pages for picture in page.get_images().values()})


def read(pdf: bytes) -> list[Page]:
    with pdfplumber.open(io.BytesIO(pdf)) as opened:
        return [
            Page(
                width=float(page.width) * POINT,
                height=float(page.height) * POINT,
                words=[Box.of(word) for word in page.extract_words()],
                pictures=[Box.of(image) for image in page.images],
                uprights=_uprights(page),
                curves=[Box.of(curve) for curve in page.curves],
                fonts={char["fontname"].split("+")[-1] for char in page.chars},
                text=page.extract_text(),
                bold="".join(char["text"].strip() for char in page.chars if "Bold" in char["fontname"]),
                red="".join(char["text"] for char in page.chars if _is_red(char["non_stroking_color"])),
            )
            for page in opened.pages
        ]


def _uprights(page: Any) -> list[Box]:
    """The vertical lines of a page, from left to right."""
    drawn = (Box.of(found) for found in page.rects)
    return sorted((one for one in drawn if one.width < 1 < one.height), key=lambda one: (one.left, one.top))


def texts(pdf: bytes) -> list[str]:
    """The text of each page. For hundreds of pages, because `read` would take minutes."""
    return _run("pdftotext", "-layout", "-", "-", fed=pdf).decode().split("\f")[:-1]


def code_on(pdf: bytes, folder: Path, *, dpi: int = 150) -> str:
    """The code that zbar reads from the first page, drawn at `dpi` dots to the inch."""
    drawn = folder / "sheet"
    _run("pdftoppm", "-r", str(dpi), "-png", "-singlefile", "-", str(drawn), fed=pdf)
    return _run("zbarimg", "--quiet", "--raw", f"{drawn}.png").decode().strip()


def _run(program: str, *arguments: str, fed: bytes = b"") -> bytes:
    path = shutil.which(program)
    assert path, f"{program} is missing: make test installs it"
    return subprocess.run([path, *arguments], input=fed, capture_output=True, check=True).stdout


def _is_red(colour: object) -> bool:
    return isinstance(colour, tuple) and len(colour) == 3 and colour[0] > 0.6 and max(colour[1:]) < 0.2
