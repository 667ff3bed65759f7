"""The notes on the orders and movements of the demo workshop, as people in Taxco would write them."""

ORDER_NOTES: dict[int, str] = {
    1: "Entregada completa; el cliente ya pidió la misma colección para diciembre.",
    2: "Se facturó la mitad: el resto sale con la siguiente guía.",
    3: "La factura se hizo con el pedido equivocado y se canceló. Volver a facturar.",
    4: "Prefactura enviada; esperan el visto bueno de su aduana.",
    5: "Terminada y empacada. Lista para facturar.",
    6: "El cliente cambió de colección antes de fundir.",
    7: "Empacar cada pieza con la tarjeta del artesano.",
    8: "Si falta amatista, avisar a Lucía antes de engastar.",
    9: "Atrasada: la feria de Hamburgo abre el lunes. Embarcar en cuanto salga de empaque.",
    10: "Cliente nuevo: fotografiar una pieza de cada línea antes de empacar.",
    11: "Van en caja sin logotipo.",
    12: "Atrasada: se prometió para la semana pasada. Lucía llama al cliente cada mañana.",
    13: "Es para una boda: la fecha no se mueve.",
    14: "La segunda línea ya está; las otras dos salen juntas.",
    15: "Atrasada: la turquesa de Sonora llegó tarde. La segunda línea se canceló por lo mismo.",
    16: "La segunda línea empieza cuando se libere Fundición.",
    17: "La última línea espera la muestra aprobada.",
    18: "Pedido repetido por error del cliente.",
    20: "Empezar por los pares más chicos.",
    22: "Pulido espejo en todas las piezas.",
    24: "La segunda línea espera que el cliente confirme el precio de la plata.",
    26: "Pide certificado de ley .925 con el embarque.",
    27: "Llegó por correo el domingo; falta confirmar tallas.",
    28: "Pregunta si puede llevar baño de rodio.",
    30: "Capturada hoy. Ramón la revisa antes de la comida.",
}
"""The notes of orders, by the number of the order."""

LEAVING_NOTES: dict[str, str] = {
    "Fundición": "Árbol 3 con poca porosidad, se revisó pieza por pieza",
    "Limado": "Rebaba en la costura, ya corregida",
    "Soldadura": "Se cambió la soldadura media por dura",
    "Engaste": "Dos cabujones rebajados a la medida del bisel",
    "Pulido": "Acabado espejo, sin rayas",
    "Control de calidad": "Tallas verificadas con el mandril",
    "Empaque": "Caja y tarjeta completas",
}

REWORK: dict[str, tuple[str, str]] = {
    "Fundición": ("porosity", "Poros en el aro: se vuelven a vaciar"),
    "Limado": ("wrong-size", "Quedaron media talla abajo"),
    "Soldadura": ("bad-solder", "El asa se abrió al jalarla"),
    "Engaste": ("loose-stone", "Una piedra gira en su bisel"),
    "Pulido": ("bad-polish", "Rayas de la rueda gruesa"),
}
"""The reasons to release for rework, by process: a key of the short list, and the foreman's note."""

LOST_IN: dict[str, tuple[tuple[str, str], ...]] = {
    "Soldadura": (("broken", "El asa se abrió al enfriar"), ("deformed", "Se pasó de fuego")),
    "Esmerilado": (("deformed", "Quedó plana de un lado"), ("broken", "Se abrió en la costura")),
    "Engaste": (("broken", "El bisel se partió al cerrar"), ("lost", "Cayó a la tarima y no apareció")),
    "Grabado láser": (("wrong-material", "Era .925 y llevaba grabado de .950"), ("other", "Iniciales equivocadas")),
    "Pulido": (("casting-defect", "Poro que abrió al pulir"), ("deformed", "La rueda la jaló")),
    "Control de calidad": (("casting-defect", "Porosidad en el aro"), ("broken", "Poste flojo")),
}
"""Why pieces are lost, by process: keys of the short list, each with a note."""

SCRAPPED: dict[int, tuple[str, str]] = {
    9: ("broken", "Se abrió al ajustar la talla"),
    11: ("lost", "No apareció al contar"),
}
"""Orders whose first line ends with a scrapped piece: the reason, as a key of the short list, and a note."""

STANDING_DAYS = (0, 1, 0, 0, 3, 0, 0)
"""How many days ago lines last moved, used in turn: most lines moved today."""
