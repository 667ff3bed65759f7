// Generated from project/importing/order_files.py by `make contract`.
/** What a customer's order file calls its columns. */
export const ORDER_HEADS = {
  item: ["producto", "productos", "clave", "codigo", "articulo", "modelo", "clave del producto", "clave de producto", "nombre", "product", "products", "item", "item key", "item no", "item number", "key", "code", "sku", "style", "style no", "product key", "name", "part number"],
  quantity: ["cantidad", "piezas", "pzas", "pza", "cant", "quantity", "qty", "pieces", "pcs", "units", "unidades"],
  deliveryDate: ["entrega", "fecha de entrega", "fecha entrega", "fecha", "delivery", "delivery date", "due", "due date", "date", "ship by"],
  shipmentDate: ["recibido", "fecha de recibido", "received", "received date"],
  shippingDate: ["envio", "fecha de envio", "shipping", "shipping date", "ship date"],
  notes: ["notas", "nota", "notas de la linea", "observaciones", "comentarios", "notes", "note", "line notes", "comments", "remarks"],
} as const;
