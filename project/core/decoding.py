"""Decode an uploaded picture into two JPEG files. Runs in a child process and depends only on Pillow."""

import io
from math import ceil

from PIL import ExifTags, Image, ImageFile, ImageOps

from project.core.errors import Refusal

MOST_PIXELS = 50_000_000
LONGEST_SIDE = 2_048
THUMBNAIL_SIDE = 320
ENOUGH = 3_072
"""A side of this many pixels gives a sharp picture of 2,048 pixels. Larger pictures are reduced while they are read."""
BAND_PIXELS = 4_000_000


class UnsupportedImage(Refusal):
    status = 415
    code = "unsupported_image"


class ImageTooLarge(Refusal):
    """The image has more than 10 MB or 50 megapixels."""

    status = 413
    code = "image_too_large"


def prepare() -> None:
    """Disable Pillow's limit of pixels, because `decoded` checks a smaller limit."""
    Image.MAX_IMAGE_PIXELS = None


def decoded(raw: bytes) -> tuple[bytes, bytes]:
    """Return the picture and its thumbnail as JPEG, without metadata.

    Raises `UnsupportedImage`, also for a truncated file, and `ImageTooLarge` before any pixel is decoded.
    """
    ImageFile.LOAD_TRUNCATED_IMAGES = False  # WeasyPrint sets it, and the fork server loads both
    try:
        with Image.open(io.BytesIO(raw), formats=("JPEG", "PNG")) as source:
            if source.width * source.height > MOST_PIXELS:
                raise ImageTooLarge(limit=MOST_PIXELS)
            shrink = max(1.0, max(source.size) / ENOUGH)
            source.draft("RGB", (ceil(source.width / shrink), ceil(source.height / shrink)))
            source.load()
            turned = source.getexif().get(ExifTags.Base.Orientation)
            flat = _flat(source)
    except (Refusal, MemoryError):
        raise
    except Exception as error:  # a broken file may raise anything in the library
        raise UnsupportedImage from error
    flat.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    flat.getexif()[ExifTags.Base.Orientation] = turned or 1
    ImageOps.exif_transpose(flat, in_place=True)
    whole = _jpeg(flat, quality=88)
    flat.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE))
    return whole, _jpeg(flat, quality=80)


def _flat(source: Image.Image) -> Image.Image:
    """Convert to RGB without transparency, reduced to little more than `ENOUGH`.

    Works in bands to save memory: a copy of 50 megapixels takes 200 MB.
    """
    factor = max(1, int(max(source.size) / ENOUGH))
    flat = Image.new("RGB", (ceil(source.width / factor), ceil(source.height / factor)))
    rows = max(1, BAND_PIXELS // source.width // factor) * factor
    for top in range(0, source.height, rows):
        band = source.crop((0, top, source.width, min(top + rows, source.height)))
        flat.paste(_on_white(band).reduce(factor), (0, top // factor))
    return flat


def _on_white(image: Image.Image) -> Image.Image:
    """Convert to RGB on white, dropping metadata."""
    if image.has_transparency_data:
        layer = image.convert("RGBA")
        ground = Image.new("RGB", layer.size, "white")
        ground.paste(layer, mask=layer.getchannel("A"))
        return ground
    if image.mode.startswith("I"):  # 16-bit gray, which Pillow would clip at 255
        image = image.convert("I").point(lambda value: value / 256).convert("L")
    plain = Image.new("RGB", image.size)
    plain.paste(image.convert("RGB"))
    return plain


def _jpeg(image: Image.Image, *, quality: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality, optimize=True)
    return out.getvalue()
