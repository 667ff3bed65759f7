"""Pictures for tests, and their upload."""

import io

from PIL import Image

from tests.builders import Answer, Caller


def picture(kind: str = "JPEG", size: tuple[int, int] = (400, 300), **saved: object) -> bytes:
    """A picture file in one plain colour."""
    out = io.BytesIO()
    Image.new("RGB", size, "silver").save(out, kind, **saved)
    return out.getvalue()


def upload(caller: Caller, path: str, raw: bytes, content_type: str = "image/jpeg") -> Answer:
    """Send a picture as the raw body."""
    return caller.call("POST", path, raw=raw, content_type=content_type)
