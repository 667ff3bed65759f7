"""The headings that a customer's order file may have. `project.contract.generated` gives them to the web client."""

from collections.abc import Mapping

from project.importing.sheets import Wanted

HEADS: Mapping[str, tuple[str, ...]] = {
    "item": (
        *("producto", "productos", "clave", "codigo", "articulo", "modelo", "clave del producto"),
        *("clave de producto", "nombre", "product", "products", "item", "item key", "item no", "item number", "key"),
        *("code", "sku", "style", "style no", "product key", "name", "part number"),
    ),
    "quantity": (
        *("cantidad", "piezas", "pzas", "pza", "cant", "quantity", "qty", "pieces", "pcs", "units", "unidades"),
    ),
    "deliveryDate": (
        *("entrega", "fecha de entrega", "fecha entrega", "fecha", "delivery", "delivery date", "due", "due date"),
        *("date", "ship by"),
    ),
    "shipmentDate": ("recibido", "fecha de recibido", "received", "received date"),
    "shippingDate": ("envio", "fecha de envio", "shipping", "shipping date", "ship date"),
    "notes": (
        *("notas", "nota", "notas de la linea", "observaciones", "comentarios", "notes", "note", "line notes"),
        *("comments", "remarks"),
    ),
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
    most_rows=MOST_ROWS,
)
