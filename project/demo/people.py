"""The people of the demo workshop: eight people in five roles."""

from dataclasses import dataclass

from project.identity.templates import TEMPLATES

PASSWORD = "Taller.2026"  # noqa: S105 - the demo's published password; the demo loads only into an empty database
ADMINISTRATOR = "admin@obrador.test"

ROLES = {template.names[0]: template for template in TEMPLATES}


@dataclass(frozen=True)
class Somebody:
    """A person. `role` is from `ROLES`, `processes` are from `PROCESSES`. `pin` is published, like the password."""

    email: str
    first_name: str
    last_name: str
    second_last_name: str
    role: str
    processes: tuple[str, ...] = ()
    pin: str = ""


# The twelve processes in their order, each with its English name and its piece rate in pesos.
PROCESSES: dict[str, tuple[str, str]] = {
    "Inyección de cera": ("Wax injection", "4.50"),
    "Fundición": ("Casting", "9.00"),
    "Corte de árbol": ("Tree cutting", "3.00"),
    "Limado": ("Filing", "7.50"),
    "Soldadura": ("Soldering", "11.00"),
    "Esmerilado": ("Grinding", "6.00"),
    "Engaste": ("Setting", "18.50"),
    "Grabado láser": ("Laser engraving", "8.00"),
    "Pulido": ("Polishing", "9.50"),
    "Baño de rodio": ("Rhodium plating", "5.50"),
    "Control de calidad": ("Quality control", "4.00"),
    "Empaque": ("Packing", "2.50"),
}

PEOPLE: tuple[Somebody, ...] = (
    Somebody(ADMINISTRATOR, "Adriana", "Montes", "Arriaga", "Administración", tuple(PROCESSES)),
    Somebody("ventas@obrador.test", "Lucía", "Herrera", "Campos", "Ventas"),
    Somebody("jefe@obrador.test", "Ramón", "Ibarra", "Solís", "Jefatura de taller", tuple(PROCESSES)),
    Somebody(
        "tomas@obrador.test",
        "Tomás",
        "Aguilar",
        "Reyes",
        "Taller",
        ("Inyección de cera", "Fundición", "Corte de árbol"),
        "210601",
    ),
    Somebody(
        "guadalupe@obrador.test",
        "Guadalupe",
        "Nava",
        "Ortiz",
        "Taller",
        ("Limado", "Soldadura", "Esmerilado"),
        "470913",
    ),
    Somebody("esteban@obrador.test", "Esteban", "Quiroz", "Luna", "Taller", ("Engaste", "Grabado láser"), "580274"),
    Somebody(
        "marisol@obrador.test",
        "Marisol",
        "Peña",
        "Rubio",
        "Taller",
        ("Pulido", "Baño de rodio", "Control de calidad", "Empaque"),
        "690358",
    ),
    Somebody("facturas@obrador.test", "Beatriz", "Cárdenas", "Vega", "Facturación y pagos"),
)
