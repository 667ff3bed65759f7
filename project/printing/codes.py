"""Seals the code of a work sheet: the path of its line, encrypted and authenticated (infra/docs/rules.md#printing).

The code is Base32 in capitals: compact in a QR code, and safe for scanners that type it on any keyboard layout.
"""

import base64
import binascii
import re
from dataclasses import dataclass

from django.conf import settings

from project.core import sealing
from project.core.errors import Refusal

_SHORT = re.compile(r"([1-9][0-9]{0,17})-([1-9][0-9]{0,17})", re.ASCII)
_PATH = re.compile(r"operations/sales-order/([1-9][0-9]{0,18})/position/([1-9][0-9]{0,18})")


class UnknownCode(Refusal):
    """The code is not of this installation, or its line does not exist for the caller."""

    status = 422
    code = "unknown_code"


@dataclass(frozen=True)
class Place:
    """The line that a code identifies."""

    sales_order_id: int
    position: int

    @property
    def short(self) -> str:
        """The short code, to type if the QR code cannot be scanned."""
        return f"{self.sales_order_id}-{self.position}"

    @property
    def path(self) -> str:
        """The content of the QR code, before encryption."""
        return f"operations/sales-order/{self.sales_order_id}/position/{self.position}"


def seal(place: Place) -> str:
    """Make the code of a line with the first of `QR_KEYS`. Each call returns a different code."""
    return base64.b32encode(sealing.seal(place.path.encode(), keys=_keys())).decode().rstrip("=")


def place_of(code: str) -> Place:
    """Return the line of a QR code or of a short code. Raises `UnknownCode`."""
    short = _SHORT.fullmatch(code.strip())
    return Place(int(short[1]), int(short[2])) if short else unseal(code)


def unseal(code: str) -> Place:
    """Return the line of a code sealed with any of `QR_KEYS`. Raises `UnknownCode`."""
    try:
        text = code.strip().upper()
        raw = base64.b32decode(text + "=" * (-len(text) % 8))
        found = _PATH.fullmatch(sealing.unseal(raw, keys=_keys()).decode())
    except (binascii.Error, ValueError) as error:
        raise UnknownCode from error
    if found is None:
        raise UnknownCode
    return Place(int(found[1]), int(found[2]))


def _keys() -> sealing.Keys:
    return sealing.keys_of(b"obrador work sheet code", tuple(settings.QR_KEYS))
