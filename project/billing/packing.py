"""Check the export part of a bill: incoterm, place and boxes. No database.

The bill stores the export part as one JSON value, because both are read and written together, with one version, and no
query sums boxes. Weights are decimals to the gram, stored as text.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Any

from project.core.errors import FieldError, InvalidFields

type Place = tuple[int, int]
"""An order's id and a line's position."""


class Incoterm(StrEnum):
    """The codes of Incoterms 2020."""

    EXW = "EXW"
    FCA = "FCA"
    CPT = "CPT"
    CIP = "CIP"
    DAP = "DAP"
    DPU = "DPU"
    DDP = "DDP"
    FAS = "FAS"
    FOB = "FOB"
    CFR = "CFR"
    CIF = "CIF"


class GrossBelowNet(InvalidFields):
    """A box weighs less than its contents."""

    code = "gross_below_net"


class BoxesExceedBill(InvalidFields):
    """The boxes hold more pieces of a line than the bill has. Each row of `errors` says how many the bill has."""

    code = "boxes_exceed_bill"


class NotAllPacked(InvalidFields):
    """The boxes hold only `packed` of the bill's `pieces`."""

    code = "not_all_packed"


class TariffItemRequired(InvalidFields):
    """Products of the bill have no tariff item. `errors` name their lines, and `products` their names."""

    code = "tariff_item_required"


class IncotermRequired(InvalidFields):
    code = "incoterm_required"


@dataclass(frozen=True)
class Content:
    """Pieces of a bill's line in a box."""

    sales_order_id: int
    position: int
    quantity: int

    @property
    def place(self) -> Place:
        return self.sales_order_id, self.position


@dataclass(frozen=True)
class Box:
    """A box with its contents: weights in kilograms, measures in centimetres.

    `net_kg`: None if nobody typed it. `metal_kg`: the metal of the contents by the ledger; None if the ledger has none
    for a line in the box. `metal_kg` is not stored.
    """

    net_kg: Decimal | None
    gross_kg: Decimal
    contents: tuple[Content, ...]
    length_cm: int | None = None
    width_cm: int | None = None
    height_cm: int | None = None
    metal_kg: Decimal | None = field(default=None, compare=False)

    @property
    def net(self) -> Decimal | None:
        """The net weight: as it was typed, else the metal by the ledger."""
        return self.metal_kg if self.net_kg is None else self.net_kg


PAYMENT_FORMS = frozenset(
    {"01", "02", "03", "04", "05", "06", "08", "12", "13", "14", "15", "17", "23", "24", "25", "26", "27", "28", "29"}
    | {"30", "31"}
)
"""The SAT's codes of how a bill was paid at once: all but 99, which is of those that are paid later."""


@dataclass(frozen=True)
class Export:
    """The export part of a bill. Boxes are numbered from 1, in their order.

    `usd_rate`: pesos for a dollar on `rate_day`. `payment_form`: the SAT's code of how the bill was paid at once; empty
    if it is paid later.
    """

    incoterm: str = ""
    place: str = ""
    boxes: tuple[Box, ...] = ()
    usd_rate: Decimal | None = None
    rate_day: date | None = None
    payment_form: str = ""

    @property
    def pieces(self) -> int:
        return sum(content.quantity for box in self.boxes for content in box.contents)

    @property
    def net_kg(self) -> Decimal:
        return sum((box.net or Decimal(0) for box in self.boxes), Decimal(0))

    @property
    def gross_kg(self) -> Decimal:
        return sum((box.gross_kg for box in self.boxes), Decimal(0))

    def weighed(self, metal: Mapping[Place, tuple[int, int]]) -> "Export":
        """Return a copy of the boxes in which each says its metal.

        `metal`: for each line of the bill, by order and position, its pieces and their milligrams, which the pieces
        share equally. The boxes are rounded so that they add up to the metal of the bill.
        """
        packed: Counter[Place] = Counter()
        boxes, sum_mg = [], 0
        for box in self.boxes:
            mg = 0
            for one in box.contents:
                pieces, whole = metal.get(one.place, (1, 0))
                before, packed[one.place] = packed[one.place], packed[one.place] + one.quantity
                mg += whole * packed[one.place] // pieces - whole * before // pieces
            known = bool(box.contents) and all(one.place in metal for one in box.contents)
            sum_mg += mg
            boxes.append(replace(box, metal_kg=kilograms(sum_mg) - kilograms(sum_mg - mg) if known else None))
        return replace(self, boxes=tuple(boxes))

    def stored(self) -> dict[str, Any]:
        """Return the JSON value that the bill stores; weights are text."""
        return {
            "incoterm": self.incoterm,
            "place": self.place,
            "usdRate": None if self.usd_rate is None else str(self.usd_rate),
            "rateDay": None if self.rate_day is None else self.rate_day.isoformat(),
            "paymentForm": self.payment_form,
            "boxes": [
                {
                    "netKg": None if box.net_kg is None else str(box.net_kg),
                    "grossKg": str(box.gross_kg),
                    "lengthCm": box.length_cm,
                    "widthCm": box.width_cm,
                    "heightCm": box.height_cm,
                    "lines": [[one.sales_order_id, one.position, one.quantity] for one in box.contents],
                }
                for box in self.boxes
            ],
        }

    @classmethod
    def read(cls, stored: dict[str, Any] | None) -> "Export":
        """Return the export part from the JSON value that `stored` returned; for None, an empty one."""
        if not stored:
            return cls()
        return cls(
            incoterm=stored["incoterm"],
            place=stored["place"],
            usd_rate=Decimal(stored["usdRate"]) if stored.get("usdRate") else None,
            rate_day=date.fromisoformat(stored["rateDay"]) if stored.get("rateDay") else None,
            payment_form=stored.get("paymentForm", ""),
            boxes=tuple(
                Box(
                    net_kg=None if box["netKg"] is None else Decimal(box["netKg"]),
                    gross_kg=Decimal(box["grossKg"]),
                    contents=tuple(Content(*line) for line in box["lines"]),
                    length_cm=box["lengthCm"],
                    width_cm=box["widthCm"],
                    height_cm=box["heightCm"],
                )
                for box in stored["boxes"]
            ),
        )


def kilograms(mg: int) -> Decimal:
    """Return milligrams as kilograms to the gram, rounded half up."""
    return (Decimal(mg) / 1_000_000).quantize(Decimal("0.001"), ROUND_HALF_UP)


def check(export: Export, billed: Mapping[Place, int]) -> None:
    """Check the boxes of a bill. `billed`: the pieces of each line of the bill.

    Raises `GrossBelowNet`, `BoxesExceedBill`, and `InvalidFields` for an empty box, a line that is not on the bill, a
    line that is twice in one box, and a box without a net weight.
    """
    errors: list[FieldError] = []
    orders = {order for order, _ in billed}
    for number, box in enumerate(export.boxes):
        if not box.contents:
            errors.append(FieldError(f"boxes.{number}.lines", "required"))
        seen: set[Place] = set()
        for index, content in enumerate(box.contents):
            if content.place not in billed:
                part = "position" if content.place[0] in orders else "salesOrderId"
                errors.append(FieldError(f"boxes.{number}.lines.{index}.{part}", "unknown"))
            elif content.place in seen:
                errors.append(FieldError(f"boxes.{number}.lines.{index}.position", "named_twice"))
            seen.add(content.place)
    if errors:
        raise InvalidFields(errors=errors)
    _check_net(export)
    too_light = [number for number, box in enumerate(export.boxes) if box.gross_kg < (box.net or 0)]
    if too_light:
        raise GrossBelowNet(errors=[FieldError(f"boxes.{number}.grossKg", GrossBelowNet.code) for number in too_light])
    _check_pieces(export, billed)


def _check_net(export: Export) -> None:
    """Raise `InvalidFields` for a box without a net weight that the ledger does not know either."""
    unknown = [number for number, box in enumerate(export.boxes) if box.net is None]
    if unknown:
        raise InvalidFields(errors=[FieldError(f"boxes.{number}.netKg", "required") for number in unknown])


def _check_pieces(export: Export, billed: Mapping[Place, int]) -> None:
    packed: dict[Place, int] = {}
    errors = []
    for number, box in enumerate(export.boxes):
        for index, content in enumerate(box.contents):
            packed[content.place] = packed.get(content.place, 0) + content.quantity
            most = billed.get(content.place, 0)
            if packed[content.place] > most:
                field = f"boxes.{number}.lines.{index}.quantity"
                errors.append(FieldError(field, BoxesExceedBill.code, {"most": most}))
    if errors:
        raise BoxesExceedBill(errors=errors, most=errors[0].params["most"])


def check_packed(export: Export, billed: Mapping[Place, int]) -> None:
    """Check that the boxes hold all pieces of the bill and have a net weight, as a packing list must.

    Raises `BoxesExceedBill`, `NotAllPacked`, `InvalidFields`.
    """
    _check_net(export)
    _check_pieces(export, billed)
    pieces = sum(billed.values())
    if export.pieces < pieces:
        raise NotAllPacked(
            errors=[FieldError("boxes", NotAllPacked.code, {"packed": export.pieces, "pieces": pieces})],
            packed=export.pieces,
            pieces=pieces,
        )


def check_tariffs(products: Sequence[tuple[str, bool]]) -> None:
    """Check that every product has a tariff item. Raises `TariffItemRequired`.

    `products`: for each line of the bill the name of its product, and whether it has a tariff item.
    """
    missing = [(index, name) for index, (name, has_one) in enumerate(products) if not has_one]
    if missing:
        raise TariffItemRequired(
            errors=[FieldError(f"lines.{index}.taxItemKey", TariffItemRequired.code) for index, _ in missing],
            products=list(dict.fromkeys(name for _, name in missing)),
        )
