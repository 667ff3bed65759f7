"""The companies of the demo workshop, which are named after a hill of Taxco, and its tariff items."""

COMPANIES: tuple[dict[str, str], ...] = (
    {
        "name": "Huixteco",
        "legal_name": "Platería Huixteco S.A. de C.V.",
        "tax_id": "PHU010101AA1",
        "email": "contacto@huixteco.test",
        "phone": "762 555 0101",
        "street": "Calle de la Veracruz",
        "exterior_number": "14",
    },
    {
        "name": "Huixteco Export",
        "legal_name": "Huixteco Exportaciones S. de R.L. de C.V.",
        "tax_id": "HEX150615BB2",
        "email": "export@huixteco.test",
        "phone": "762 555 0102",
        "street": "Avenida de los Plateros",
        "exterior_number": "220",
    },
)

# Items of the national tariff: code, Spanish description, English description.
TARIFF: tuple[tuple[str, str, str], ...] = (
    (
        "7113110100",
        "Sujetadores («broches») de plata, incluso revestida o chapada de otro metal precioso",
        "Silver clasps, whether or not plated or clad with other precious metal",
    ),
    (
        "7113110200",
        "Cadenas de plata en rollo continuo, de longitud superior o igual a 10 m",
        "Silver rope chain, 10 m or longer",
    ),
    ("7113119900", "Los demás artículos de joyería de plata", "Other articles of jewelry, of silver"),
    (
        "7114110100",
        "Artículos de orfebrería de plata, incluso revestida o chapada de otro metal precioso (plaqué)",
        "Silversmiths' wares, whether or not plated or clad with other precious metal",
    ),
    ("7117900200", "Bisutería de ámbar de Chiapas", "Imitation jewelry of amber from Chiapas"),
)
JEWELRY = "7113119900"
"""The tariff item of the workshop's products."""
