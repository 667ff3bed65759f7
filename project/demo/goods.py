"""The forty silver products of the demo workshop, with their components and materials."""

from dataclasses import dataclass
from decimal import Decimal

from project.core.money import rounded

MATERIALS: dict[str, tuple[str, str, str]] = {
    "Plata .925": ("Silver .925", "Plata de ley, aleación con cobre", "Sterling silver, alloyed with copper"),
    "Plata .950": ("Silver .950", "Aleación para piezas martilladas", "Alloy for hammered pieces"),
    "Turquesa": ("Turquoise", "Cabujón de Sonora, estabilizado", "Stabilized cabochon from Sonora"),
    "Amatista": ("Amethyst", "Talla redonda de Guerrero", "Round cut from Guerrero"),
    "Ópalo de fuego": ("Fire opal", "Cabujón de Magdalena, Jalisco", "Cabochon from Magdalena, Jalisco"),
    "Obsidiana dorada": ("Golden obsidian", "Cabujón de Teuchitlán", "Cabochon from Teuchitlán"),
    "Ámbar": ("Amber", "Cabujón de Simojovel, Chiapas", "Cabochon from Simojovel, Chiapas"),
    "Esmalte": ("Enamel", "Esmalte a fuego, sin plomo", "Fired enamel, free of lead"),
    "Acero quirúrgico": ("Surgical steel", "Para postes y resortes", "For posts and springs"),
}
"""By its Spanish name: the English name of a material, and its description in Spanish and English."""

COMPONENTS = {
    "Aro": "Band",
    "Bisel": "Bezel",
    "Piedra central": "Center stone",
    "Placa": "Plate",
    "Argolla": "Hoop",
    "Asa": "Bail",
    "Cadena": "Chain",
    "Poste": "Post",
    "Mariposa": "Butterfly back",
    "Gancho": "Hook",
    "Esmaltado": "Enameling",
}
"""The English names of the components."""

_HOUSE_ROUTE = ("Inyección de cera", "Fundición", "Corte de árbol", "Limado")
_FINISH = ("Pulido", "Control de calidad", "Empaque")


@dataclass(frozen=True)
class Family:
    """Products that are made alike. `components`: (component, material), where "" stands for the design's stone."""

    prefix: str
    spanish: str
    english: str
    measures: str
    price: Decimal
    components: tuple[tuple[str, str], ...]
    route: tuple[str, ...]
    designs: tuple[tuple[str, str, str], ...]  # Spanish, English, stone
    currency: str = "USD"


@dataclass(frozen=True)
class Product:
    """A product of the catalog, with the processes that its lines go through."""

    key: str
    name: str
    description_spanish: str
    description_english: str
    measures: str
    sell_price: Decimal
    currency: str
    priority: int
    antique: bool
    components: tuple[tuple[str, str], ...]
    route: tuple[str, ...]


FAMILIES: tuple[Family, ...] = (
    Family(
        "AN",
        "Anillo",
        "Ring",
        "Tallas 5 a 10",
        Decimal("26.50"),
        (("Aro", "Plata .925"), ("Bisel", "Plata .925"), ("Piedra central", "")),
        (*_HOUSE_ROUTE, "Soldadura", "Engaste", *_FINISH),
        (
            ("Luna de Taxco", "Taxco moon", "Turquesa"),
            ("Bugambilia", "Bougainvillea", "Amatista"),
            ("Brasa", "Ember", "Ópalo de fuego"),
            ("Noche dorada", "Golden night", "Obsidiana dorada"),
            ("Gota de miel", "Honey drop", "Ámbar"),
            ("Mar de Cortés", "Sea of Cortez", "Turquesa"),
            ("Violeta", "Violet", "Amatista"),
            ("Volcán", "Volcano", "Obsidiana dorada"),
        ),
    ),
    Family(
        "AL",
        "Anillo liso",
        "Plain ring",
        "Tallas 4 a 12, 6 mm",
        Decimal("17.00"),
        (("Aro", "Plata .950"),),
        (*_HOUSE_ROUTE, "Esmerilado", "Grabado láser", *_FINISH),
        (
            ("Martillado", "Hammered", ""),
            ("Greca de Mitla", "Mitla fret", ""),
            ("Trenza", "Braid", ""),
            ("Media caña", "Half round", ""),
            ("Espiga", "Wheat ear", ""),
            ("Alianza", "Wedding band", ""),
        ),
    ),
    Family(
        "DI",
        "Dije",
        "Pendant",
        "28 x 18 mm, cadena de 45 cm",
        Decimal("31.00"),
        (("Placa", "Plata .925"), ("Asa", "Plata .925"), ("Piedra central", ""), ("Cadena", "Plata .925")),
        (*_HOUSE_ROUTE, "Soldadura", "Engaste", "Pulido", "Baño de rodio", "Control de calidad", "Empaque"),
        (
            ("Colibrí", "Hummingbird", "Turquesa"),
            ("Corazón de milagro", "Milagro heart", "Ámbar"),
            ("Sol azteca", "Aztec sun", "Ópalo de fuego"),
            ("Árbol de la vida", "Tree of life", "Amatista"),
            ("Mano de Frida", "Frida's hand", "Turquesa"),
            ("Jaguar", "Jaguar", "Obsidiana dorada"),
            ("Nopal", "Prickly pear", "Ámbar"),
        ),
    ),
    Family(
        "DE",
        "Dije esmaltado",
        "Enamel pendant",
        "24 mm",
        Decimal("430.00"),
        (("Placa", "Plata .925"), ("Asa", "Plata .925"), ("Esmaltado", "Esmalte")),
        (*_HOUSE_ROUTE, "Soldadura", "Esmerilado", *_FINISH),
        (
            ("Cempasúchil", "Marigold", ""),
            ("Catrina", "Catrina", ""),
            ("Ajolote", "Axolotl", ""),
            ("Talavera", "Talavera", ""),
            ("Mariposa monarca", "Monarch", ""),
        ),
        "MXN",
    ),
    Family(
        "AR",
        "Arracadas",
        "Hoops",
        "Par, 32 mm",
        Decimal("21.50"),
        (("Argolla", "Plata .925"), ("Poste", "Acero quirúrgico"), ("Mariposa", "Plata .925")),
        (*_HOUSE_ROUTE, "Soldadura", "Pulido", "Baño de rodio", "Control de calidad", "Empaque"),
        (
            ("Filigrana", "Filigree", ""),
            ("Puebla", "Puebla", ""),
            ("Ola", "Wave", ""),
            ("Criolla", "Creole", ""),
            ("Cascabel", "Bell", ""),
            ("Oaxaca", "Oaxaca", ""),
            ("Doble luna", "Double moon", ""),
        ),
    ),
    Family(
        "AC",
        "Aretes colgantes",
        "Drop earrings",
        "Par, 41 mm",
        Decimal("29.00"),
        (("Gancho", "Plata .925"), ("Bisel", "Plata .925"), ("Piedra central", "")),
        (*_HOUSE_ROUTE, "Soldadura", "Engaste", *_FINISH),
        (
            ("Lágrima", "Tear", "Amatista"),
            ("Pluma de quetzal", "Quetzal feather", "Turquesa"),
            ("Candil", "Chandelier", "Ópalo de fuego"),
            ("Hoja de agave", "Agave leaf", "Turquesa"),
            ("Obsidiana larga", "Long obsidian", "Obsidiana dorada"),
            ("Granada", "Pomegranate", "Ópalo de fuego"),
            ("Sirena", "Mermaid", "Ámbar"),
        ),
    ),
)


def products() -> list[Product]:
    """Return the forty products, family by family."""
    return [
        Product(
            key=f"{family.prefix}-{place:03}",
            name=f"{family.spanish} {spanish}",
            description_spanish=f"{family.spanish} «{spanish}» de plata" + (f" con {stone.lower()}" if stone else ""),
            description_english=f"{english} {family.english.lower()} in silver"
            + (f" with {MATERIALS[stone][0].lower()}" if stone else ""),
            measures=family.measures,
            sell_price=rounded(family.price * (100 + 7 * (place % 4)) / 100, family.currency),
            currency=family.currency,
            priority=place % 4,
            antique=place % 5 == 0,
            components=tuple((component, material or stone) for component, material in family.components),
            route=family.route,
        )
        for family in FAMILIES
        for place, (spanish, english, stone) in enumerate(family.designs, start=1)
    ]
