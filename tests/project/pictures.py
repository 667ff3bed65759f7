"""Pictures for tests, and their upload."""

import io
import struct
import zlib
from collections.abc import Iterator

from PIL import Image

from tests.builders import Answer, Caller


def picture(kind: str = "JPEG", size: tuple[int, int] = (400, 300), **saved: object) -> bytes:
    """Return a picture file in one plain colour."""
    out = io.BytesIO()
    Image.new("RGB", size, "silver").save(out, kind, **saved)
    return out.getvalue()


def upload(caller: Caller, path: str, raw: bytes, content_type: str = "image/jpeg") -> Answer:
    """Send a picture as the raw body."""
    return caller.call("POST", path, raw=raw, content_type=content_type)


def blank_png(width: int, height: int) -> bytes:
    """Return a grey PNG of any size, a few hundred kB at most, without holding its pixels in memory."""
    packed, row = zlib.compressobj(9), b"\0" + bytes(width)
    data = b"".join([*(packed.compress(row) for _ in range(height)), packed.flush()])

    def chunks() -> Iterator[bytes]:
        for kind, content in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
            (b"IDAT", data),
            (b"IEND", b""),
        ):
            yield struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks())
