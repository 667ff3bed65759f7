"""Column headings that other programs and spreadsheets use, for each column of a catalog, the likeliest first.

An import proposes the column, and the user confirms it. Headings are written here in lower case, without accents and
without the marks . : # * and _.
"""

from collections.abc import Mapping

Heads = Mapping[str, tuple[str, ...]]

_STATUS = ("activo", "activa", "active", "habilitado", "enabled")
"""Not "estado": in an address it is a state of the country."""

COMPANIES: Heads = {
    "name": ("empresa", "nombre comercial", "company", "company name", "business name"),
    "legalName": ("razon social", "nombre fiscal", "legal name"),
    "taxId": ("rfc", "tax id", "vat", "vat number", "ein", "registro fiscal"),
    "email": ("correo electronico", "email", "e-mail", "mail"),
    "phone": ("tel", "telefono", "phone", "phone number"),
    "status": _STATUS,
}
CUSTOMERS: Heads = {
    "name": (
        *("cliente", "nombre del cliente", "nombre o razon social", "razon social", "nombre completo", "empresa"),
        *("customer full name", "customer name", "customer", "company name", "company", "display name", "full name"),
    ),
    "customerType": ("tipo cliente", "clase de cliente"),
    "taxSection": ("regimen fiscal", "regimen", "tax section"),
    "taxId": ("rfc", "tax id", "tax number", "vat", "vat number", "tax reg no", "registro fiscal"),
    "currency": ("moneda", "divisa", "currency", "currency code"),
    "addresses": (
        *("domicilio", "direccion", "direccion de facturacion", "domicilio fiscal"),
        *("bill address", "billing address", "address"),
    ),
    "phones": (
        *("telefono", "tel", "telefonos", "celular", "movil"),
        *("phone numbers", "phone number", "phone", "mobile"),
    ),
    "emails": ("correo", "correo electronico", "email", "e-mail", "emails", "mail", "email address"),
    "status": _STATUS,
}
EXPORT_TAX_ITEMS: Heads = {
    "code": (
        *("fraccion", "fraccion arancelaria", "fraccion nico", "clave", "hts number", "hts", "hts code", "hs code"),
        *("tariff code", "tariff number", "hts no", "number"),
    ),
    "spanishDescription": ("descripcion", "texto"),
    "englishDescription": ("description", "article description"),
    "spanishMetalName": ("metal",),
}
NAMED: Heads = {
    "name": ("material", "componente", "component", "titulo", "title", "clave", "codigo", "code"),
    "description": ("descripcion", "description", "detalle", "notas", "notes"),
    "status": _STATUS,
}
"""The headings of materials and components."""
ALLOYS: Heads = {
    "name": ("aleacion", "alloy", "metal"),
    "fineness": ("milesimas", "pureza", "purity", "per mille"),
    "status": _STATUS,
}
ITEMS: Heads = {
    "key": (
        *("sku", "variant sku", "codigo", "clave del producto", "clave de producto", "codigo del producto", "modelo"),
        *(
            "no de articulo",
            "numero de articulo",
            "referencia",
            "ref",
            "item key",
            "item number",
            "item no",
            "item code",
        ),
        *("product code", "product key", "part number", "style", "style no", "code", "articulo", "item"),
    ),
    "name": (
        *("nombre del producto", "producto", "titulo", "title", "product name", "product", "item name"),
        *("articulo", "item", "descripcion corta", "descripcion", "description"),
    ),
    "taxItemKey": ("fraccion", "fraccion arancelaria", "hts number", "hts code", "hs code", "tariff code"),
    "satUnitMeasurement": ("clave unidad", "clave de unidad", "unidad sat"),
    "descriptionSpanish": ("descripcion", "descripcion larga", "descripcion del producto"),
    "descriptionEnglish": ("description", "long description", "short description"),
    "taxAmount": ("iva", "impuesto", "iva %", "tasa de iva", "tax rate", "tax %", "vat %"),
    "sellPrice": (
        *("precio", "precio unitario", "precio publico", "precio de lista", "precio venta", "p unitario"),
        *("variant price", "regular price", "list price", "unit price", "price", "sales price", "sale price"),
    ),
    "currency": ("divisa", "moneda", "currency", "currency code"),
    "measures": ("medida", "talla", "tamano", "size", "dimensions", "measure"),
    "processes": ("ruta", "ruta de produccion", "proceso", "procesos", "route", "routing", "process", "processes"),
    "status": _STATUS,
}
PROCESSES: Heads = {
    "name": ("proceso", "operacion", "estacion", "process", "operation", "step"),
    "order": ("lugar", "no", "numero", "paso", "secuencia", "place", "sequence"),
    "price": ("precio", "destajo", "tarifa", "price", "rate", "piece rate"),
    "status": _STATUS,
}
PEOPLE: Heads = {
    "firstName": ("nombre", "nombres", "nombre completo", "empleado", "trabajador", "name", "full name", "employee"),
    "lastName": ("apellido", "apellidos", "primer apellido", "last name", "surname"),
    "secondLastName": ("apellido materno", "segundo apellido"),
    "email": ("correo", "correo electronico", "email", "e-mail", "mail", "usuario", "user"),
    "pin": ("nip", "pin", "clave"),
    "roles": ("rol", "roles", "role", "puesto", "cargo", "position"),
    "processes": ("proceso", "procesos", "proceso de produccion", "estacion", "processes", "process", "area"),
}
