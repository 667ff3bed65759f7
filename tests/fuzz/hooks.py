"""Values that Schemathesis cannot make by itself: readable files, pictures, currencies."""

import io
from typing import Any

import schemathesis
from hypothesis import strategies as some
from openpyxl import Workbook
from PIL import Image

from project.core.money import currency_codes


def _sheet(*rows: tuple[Any, ...]) -> bytes:
    book, made = Workbook(write_only=True), io.BytesIO()
    sheet = book.create_sheet()
    for row in rows:
        sheet.append(row)
    book.save(made)
    return made.getvalue()


def _picture(kind: str) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (8, 8), "silver").save(made, kind)
    return made.getvalue()


GOODS = [("Clave", "Nombre", "Precio"), ("F-1", "Anillo", 10.5), ("F-2", "=1+1", -1), ("", "", "x")]
LINES = [("Producto", "Cantidad"), ("F-1", 5), ("F-2", "muchas")]
FILES = [_sheet(*GOODS), _sheet(*LINES), "\n".join(",".join(map(str, row)) for row in GOODS).encode(), b"", b"\xff\xfe"]
PICTURES = [_picture("JPEG"), _picture("PNG")]

schemathesis.openapi.format("currency", some.sampled_from([*sorted(currency_codes())[:20], "MXN", "USD", "EUR"]))
schemathesis.openapi.format("binary", some.one_of(some.sampled_from(FILES), some.binary()))
for kind in ("image/jpeg", "image/png"):
    schemathesis.openapi.media_type(kind, some.one_of(some.sampled_from(PICTURES), some.binary()))
for kind in ("text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"):
    schemathesis.openapi.media_type(kind, some.one_of(some.sampled_from(FILES), some.binary()))
