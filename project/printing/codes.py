"""The code of a work sheet: the path of its line, encrypted and authenticated (infra/docs/rules.md#printing).

Base 32 in capitals: a QR packs it densely, and a scanner that types it arrives whole on any keyboard layout.
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
    """Not a code of this installation, or its line is no longer there."""

    status = 422
    code = "unknown_code"


@dataclass(frozen=True)
class Place:
    """A line, as a code names it."""

    sales_order_id: int
    position: int

    @property
    def short(self) -> str:
        """As it is typed where nothing reads the QR."""
        return f"{self.sales_order_id}-{self.position}"

    @property
    def path(self) -> str:
        """As the QR holds it."""
        return f"operations/sales-order/{self.sales_order_id}/position/{self.position}"


def seal(place: Place) -> str:
    """The code of a line; another one each time. The first of `QR_KEYS` seals it."""
    return base64.b32encode(sealing.seal(place.path.encode(), keys=_keys())).decode().rstrip("=")


def place_of(code: str) -> Place:
    """The line of a QR's code, or of the short one that the sheet prints beside it. Raises `UnknownCode`."""
    short = _SHORT.fullmatch(code.strip())
    return Place(int(short[1]), int(short[2])) if short else unseal(code)


def unseal(code: str) -> Place:
    """The line of a code made with any of `QR_KEYS`. Raises `UnknownCode`."""
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
