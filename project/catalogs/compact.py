"""Packs several records into one cell: one record per line, its parts separated by bars.

`Aro | Plata .925 | pulido a mano` is a component row, `52 | 55 1234 5678 | 12` a telephone. A bar, a backslash or a
line break inside a text is escaped as `\\|`, `\\\\`, `\\n`. Blanks around parts are ignored.
"""

import re
from collections.abc import Iterable, Sequence

_ESCAPES = {"\\": "\\\\", "|": "\\|", "\n": "\\n", "\r": "\\r"}
_MEANT = {"n": "\n", "r": "\r"}
_TOKEN = re.compile(r"\\(.)|(\|)|([^\\|]+)|\\", re.DOTALL)


def pack(records: Iterable[Sequence[str]]) -> str:
    """Write records into one cell. Omits empty parts at a record's end."""
    return "\n".join(_line(record) for record in records)


def _line(record: Sequence[str]) -> str:
    parts = ["".join(_ESCAPES.get(letter, letter) for letter in part.strip()) for part in record]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return " | ".join(parts)


def unpack(cell: str) -> list[list[str]]:
    """Read the records of a cell. Skips blank lines."""
    return [_parts(line) for line in re.split(r"\r\n|\n|\r", cell) if line.strip()]


def _parts(line: str) -> list[str]:
    parts = [""]
    for escaped, bar, plain in (match.groups(default="") for match in _TOKEN.finditer(line)):
        if bar:
            parts.append("")
        else:
            parts[-1] += _MEANT.get(escaped, escaped) or plain
    return [part.strip() for part in parts]
