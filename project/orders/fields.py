"""The fields of a line that people type. Each is declared once, here (CONTRIBUTING.md, "A field of a line")."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import MaxLen
from pydantic import BaseModel

from project.access.permissions import Permission
from project.access.principal import Principal
from project.core.schemas import Day, Notes

ORDERS = frozenset({Permission.ListSalesOrders, Permission.ListOrders})
NOTES = ORDERS | {Permission.UpdateSalesOrder, Permission.UpdateSalesOrderPosition}
"""Permissions to read notes of the staff. One of them is enough."""
LINE_NOTES = NOTES | {Permission.Station}
"""Permissions to read the notes of lines and components, which say how a line is made."""


@dataclass(frozen=True)
class LineField:
    """Who reads a field of a line, and where it is shown besides the line's pages and forms.

    `reads`: staff need one of these permissions, and customers never receive the field; empty if all who read the line
    may read the field. `sheet`: the work sheet shows it. `file`: the exported list of lines shows it. `heads`: the
    column headings that name it in a customer's order file, in small letters without accents. The report of sales
    orders has every field.
    """

    reads: frozenset[Permission] = frozenset()
    sheet: bool = False
    file: bool = False
    heads: tuple[str, ...] = ()


class LineFields(BaseModel):
    """The base of a line's bodies and documents. A field is a day that may be missing, or a text with its length."""

    shipment_date: Annotated[
        Day | None,
        LineField(sheet=True, heads=("recibido", "fecha de recibido", "received", "received date")),
    ] = None
    delivery_date: Annotated[
        Day | None,
        LineField(
            heads=(
                *("entrega", "fecha de entrega", "fecha entrega", "fecha", "delivery", "delivery date", "due"),
                *("due date", "date", "ship by"),
            ),
        ),
    ] = None
    shipping_date: Annotated[
        Day | None,
        LineField(sheet=True, heads=("envio", "fecha de envio", "shipping", "shipping date", "ship date")),
    ] = None
    notes: Annotated[
        Notes,
        LineField(
            reads=LINE_NOTES,
            sheet=True,
            file=True,
            heads=(
                *("notas", "nota", "notas de la linea", "observaciones", "comentarios", "notes", "note"),
                *("line notes", "comments", "remarks"),
            ),
        ),
    ] = ""


FIELDS: Mapping[str, LineField] = {
    name: next(one for one in info.metadata if isinstance(one, LineField))
    for name, info in LineFields.model_fields.items()
}
"""What is declared of each field, by its name in Python."""
TEXTS: Mapping[str, int] = {
    name: one.max_length
    for name, info in LineFields.model_fields.items()
    for one in info.metadata
    if isinstance(one, MaxLen)
}
"""The fields that are texts, each with the number of its letters. The other fields are days."""


def values_of(line: Any) -> dict[str, Any]:
    """Return the fields of a line, or of a row with its columns, by name."""
    return {name: getattr(line, name) for name in FIELDS}


def read_by(by: Principal, name: str, line: Any) -> Any:
    """Return a field of a line, or the field's default if `by` may not read the field."""
    reads = FIELDS[name].reads
    if not reads or (by.holds(*reads) and not by.is_customer):
        return getattr(line, name)
    return LineFields.model_fields[name].default
