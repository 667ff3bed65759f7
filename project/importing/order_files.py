"""The heads that a customer's order file may have. `project.contract.generated` gives the web client the same words."""

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
"""The most lines of an order, and 50 rows for what a customer writes above and below them."""
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
