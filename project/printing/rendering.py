"""What a printing process does: markup in, PDF out. It knows no database, no network and no file but its own."""

import gc
import io
import logging
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pikepdf
import qrcode
from PIL import Image
from weasyprint import CSS, HTML
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from project.printing.addresses import CODE, FONT, LOGO, NO_PICTURE, PICTURE, STYLESHEETS

HERE = Path(__file__).parent
LONGEST_SIDE = 512
"""Pixels of a picture on paper: 70 mm at 186 dots an inch, which a JPEG of 2,048 is decoded to in one step."""
PICTURES_KEPT = 64
SCALE = 10
"""Pixels of a side of a module of the code."""


def prepare() -> None:
    """Read the style sheets once.

    A page makes a hundred thousand short-lived objects: looking through them every 2,000 is a tenth of its time.
    """
    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)  # a picture that is none prints as its placeholder
    for stylesheet in STYLESHEETS:
        _style(stylesheet)
    gc.set_threshold(200_000)


def print_page(markup: str, pictures: Mapping[str, bytes], stylesheet: str) -> bytes:
    """The PDF of `markup` in the style sheet `stylesheet`, whose pictures are `pictures` by their names."""
    fonts, style, fetcher = _style(stylesheet)
    fetcher.pictures = pictures
    return bytes(HTML(string=markup, url_fetcher=fetcher).write_pdf(stylesheets=[style], font_config=fonts))


def bind(parts: list[str], whole: str) -> None:
    """Make the files `parts` one PDF, the file `whole`, in which a picture that many pages show stands once.

    The parts are read as they are written out: thousands of sheets fit the memory of a printing process.
    """
    kept: dict[bytes, pikepdf.Object] = {}
    with pikepdf.new() as bound, ExitStack() as opened:
        for part in parts:
            bound.pages.extend(opened.enter_context(pikepdf.open(part)).pages)
        for sheet in bound.pages:
            for name, picture in sheet.get_images(recursive=False).items():
                if "/SMask" not in picture:
                    alike = sha256(picture.read_raw_bytes()).digest()
                    sheet.resources.XObject[name] = kept.setdefault(alike, picture)
        bound.save(whole)


class OwnAlone(URLFetcher):
    """Gives what the product itself put on the page. No address is ever fetched."""

    def __init__(self) -> None:
        super().__init__(allowed_protocols=(), allow_redirects=False)
        self.pictures: Mapping[str, bytes] = {}

    def fetch(self, url: str, headers: Any = None) -> Any:
        """Raises ValueError for any other address."""
        if url.startswith(LOGO):
            return _found(url, _fitted(self.pictures.get(url.removeprefix(LOGO), b"")), "image/jpeg")
        if url.startswith(PICTURE):
            try:
                return _found(url, _fitted(self.pictures.get(url.removeprefix(PICTURE), b"")), "image/jpeg")
            except ValueError:
                url = NO_PICTURE
        if url == NO_PICTURE:
            return _found(url, (HERE / "placeholder.svg").read_bytes(), "image/svg+xml")
        if url.startswith(CODE):
            return _found(url, code_image(url.removeprefix(CODE)), "image/png")
        if url.startswith(FONT):
            return _found(url, (HERE / "fonts" / Path(url).name).read_bytes(), "font/woff2")
        raise ValueError(f"not of this product: {url[:80]}")


def code_image(text: str) -> bytes:
    """The QR of `text` as PNG: high error correction, scale 10.

    Any mask will do for encrypted text, which is as even as a mask could make it: choosing one takes 15 ms. The modules
    are drawn as pixels and then enlarged: square by square takes another 8.
    """
    code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, mask_pattern=2)
    code.add_data(text)
    modules = code.get_matrix()
    side = len(modules)
    # In shades of grey, which go onto the page as they are; black and white alone would be drawn anew in colour.
    drawn = Image.frombytes("L", (side, side), bytes(0 if dark else 255 for row in modules for dark in row))
    scaled = io.BytesIO()
    drawn.resize((side * SCALE, side * SCALE), Image.Resampling.NEAREST).save(scaled, "PNG", compress_level=1)
    return scaled.getvalue()


def _found(url: str, body: bytes, kind: str) -> Any:
    return URLFetcherResponse(url, body, {"Content-Type": kind})


@lru_cache(maxsize=PICTURES_KEPT)
def _fitted(raw: bytes) -> bytes:
    """As large as paper needs it. Raises ValueError for what is no picture."""
    try:
        with Image.open(io.BytesIO(raw), formats=("JPEG",)) as source:
            if max(source.size) <= LONGEST_SIDE:
                source.load()
                return raw
            source.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
            source.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            fitted = io.BytesIO()
            source.convert("RGB").save(fitted, "JPEG", quality=85)
    except (OSError, SyntaxError) as error:
        raise ValueError("not a picture") from error
    return fitted.getvalue()


@cache
def _style(stylesheet: str) -> tuple[FontConfiguration, CSS, OwnAlone]:
    """Fonts, style and fetcher, made once: a new one for each page would leak, and the last takes as long as a font."""
    fonts, fetcher = FontConfiguration(), OwnAlone()
    style = CSS(
        string=(HERE / "fonts.css").read_text() + (HERE / stylesheet).read_text(),
        font_config=fonts,
        url_fetcher=fetcher,
    )
    return fonts, style, fetcher
