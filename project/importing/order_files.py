"""The headings that a customer's order file may have. `project.contract.generated` gives them to the web client."""

from collections.abc import Mapping

from pydantic.alias_generators import to_camel

from project.importing.sheets import Wanted
from project.orders.fields import FIELDS

HEADS: Mapping[str, tuple[str, ...]] = {
    "item": (
        *("producto", "productos", "clave", "codigo", "articulo", "modelo", "clave del producto"),
        *("clave de producto", "nombre", "product", "products", "item", "item key", "item no", "item number", "key"),
        *("code", "sku", "style", "style no", "product key", "name", "part number"),
    ),
    "quantity": (
        *("cantidad", "piezas", "pzas", "pza", "cant", "quantity", "qty", "pieces", "pcs", "units", "unidades"),
    ),
    **{to_camel(name): field.heads for name, field in FIELDS.items() if field.heads},
}
MOST_ROWS = 5_050
"""The maximum number of lines of an order, plus 50 rows for what customers write above and below the lines."""
WANTED = Wanted(
    "",
    "",
    (),
    {head: column for column, heads in HEADS.items() for head in heads},
    frozenset(),
    {},
    as_it_is=True,
    exact=frozenset({"item"}),
    most_rows=MOST_ROWS,
)
