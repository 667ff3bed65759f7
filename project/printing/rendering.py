"""Runs in a printing process: turns markup into PDF. Uses no database, no network and only files of this package."""

import gc
import io
import logging
from base64 import b64decode
from collections.abc import Mapping, Sequence
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

from project.printing.addresses import CODE, DRAWN, FONT, LABEL_CODE, LOGO, MARK, NO_PICTURE, PICTURE, STYLESHEETS

HERE = Path(__file__).parent
DRAWINGS = {NO_PICTURE: "placeholder.svg", MARK: "mark.svg"}
LONGEST_SIDE = 512
"""Most pixels of a picture's longer side: 70 mm at 186 dpi. JPEG decoding scales 2,048 pixels to it directly."""
PICTURES_KEPT = 64
SCALE = 10
"""The width of a QR module in pixels."""


def prepare() -> None:
    """Load the style sheets and raise the threshold of the garbage collector.

    A page creates 100,000 short-lived objects; collecting every 2,000 of them takes a tenth of its time.
    """
    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)  # broken pictures are expected and have a placeholder
    for stylesheet in STYLESHEETS:
        _style(stylesheet)
    gc.set_threshold(200_000)


def print_page(markup: str, pictures: Mapping[str, bytes], stylesheet: str) -> bytes:
    """Render `markup` with the style sheet `stylesheet` as PDF. `pictures`: the bytes of its pictures, by name."""
    fonts, style, fetcher = _style(stylesheet)
    fetcher.pictures = pictures
    return bytes(HTML(string=markup, url_fetcher=fetcher).write_pdf(stylesheets=[style], font_config=fonts))


def bind(parts: list[str], whole: str, copies: Sequence[int] | None = None) -> None:
    """Join the PDF files `parts` into the file `whole`. A picture that several pages show is stored once.

    The parts are read while `whole` is written, so that thousands of sheets fit into a printing process's memory.
    `copies`: the number of copies of each page, which follow each other; None: one. Copies share the page's content.
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
        if copies is not None:
            # Start at the last page, so that the numbers of the earlier pages do not change.
            for place, times in reversed([*enumerate(copies)]):
                for _ in range(times - 1):
                    bound.pages.insert(place, bound.pages[place])
        bound.save(whole)


class ProductFetcher(URLFetcher):
    """Resolves the addresses of pages, which begin with `obrador:`. Never opens a connection."""

    def __init__(self) -> None:
        super().__init__(allowed_protocols=(), allow_redirects=False)
        self.pictures: Mapping[str, bytes] = {}

    def fetch(self, url: str, headers: Any = None) -> Any:
        """Return the content of a product's address. Raises ValueError for others, and for a logo that is no JPEG."""
        if url.startswith(LOGO):
            return _found(url, _fitted(self.pictures.get(url.removeprefix(LOGO), b"")), "image/jpeg")
        if url.startswith(PICTURE):
            try:
                return _found(url, _fitted(self.pictures.get(url.removeprefix(PICTURE), b"")), "image/jpeg")
            except ValueError:
                url = NO_PICTURE
        if url in DRAWINGS:
            return _found(url, (HERE / DRAWINGS[url]).read_bytes(), "image/svg+xml")
        if url.startswith(CODE):
            return _found(url, code_image(url.removeprefix(CODE)), "image/png")
        if url.startswith(LABEL_CODE):
            code = code_image(url.removeprefix(LABEL_CODE), correction=qrcode.constants.ERROR_CORRECT_M)
            return _found(url, code, "image/png")
        if url.startswith(DRAWN):
            return _found(url, b64decode(url.removeprefix(DRAWN)), "image/png")
        if url.startswith(FONT):
            return _found(url, (HERE / "fonts" / Path(url).name).read_bytes(), "font/woff2")
        raise ValueError(f"not of this product: {url[:80]}")


def code_image(text: str, correction: int = qrcode.constants.ERROR_CORRECT_H) -> bytes:
    """Draw the QR code of `text` as PNG, by default with high error correction.

    Uses a fixed mask: encrypted text looks random under every mask, and choosing the best mask would take 15 ms. Draws
    each module as a pixel and enlarges the image: drawing squares would take another 8 ms.
    """
    code = qrcode.QRCode(error_correction=correction, mask_pattern=2)
    code.add_data(text)
    modules = code.get_matrix()
    side = len(modules)
    # Use mode L, which is embedded unchanged; a 1-bit image would be converted to RGB.
    drawn = Image.frombytes("L", (side, side), bytes(0 if dark else 255 for row in modules for dark in row))
    scaled = io.BytesIO()
    drawn.resize((side * SCALE, side * SCALE), Image.Resampling.NEAREST).save(scaled, "PNG", compress_level=1)
    return scaled.getvalue()


def _found(url: str, body: bytes, kind: str) -> Any:
    return URLFetcherResponse(url, body, {"Content-Type": kind})


@lru_cache(maxsize=PICTURES_KEPT)
def _fitted(raw: bytes) -> bytes:
    """Shrink a JPEG to `LONGEST_SIDE`. Raises ValueError if it is not a JPEG."""
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
def _style(stylesheet: str) -> tuple[FontConfiguration, CSS, ProductFetcher]:
    """Build the fonts, the style and the fetcher of a style sheet once: building them for each page would leak
    memory."""
    fonts, fetcher = FontConfiguration(), ProductFetcher()
    style = CSS(
        string=(HERE / "fonts.css").read_text() + (HERE / stylesheet).read_text(),
        font_config=fonts,
        url_fetcher=fetcher,
    )
    return fonts, style, fetcher
